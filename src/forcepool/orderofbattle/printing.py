"""The tidy printer: an order of battle as text that reads back the same."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction

from forcepool.engine.points import show_points
from forcepool.orderofbattle.model import (
    HELD,
    NOT_UNDERSTOOD,
    Condition,
    Entry,
    Guard,
    Item,
    Link,
    OrderOfBattle,
    PlaceSpec,
)
from forcepool.orderofbattle.unit_strings import print_unit
from forcepool.orderofbattle.words import (
    FREE_TEXT,
    OWN_SIDE,
    PLAIN_KINDS,
    SIDES,
    TURNS_A_MONTH,
    UPPER_KINDS,
    nation_named,
)

LEVELS = ("turn", "side", "nation", "force", "affiliation", "theatre", "front", "verb")
_ARRIVAL_WORDS = {"reserve": "in reserve", "reserve allowed": "may be in reserve", "operational reserve": "in OR"}
ANY_TURN = "Any turn"
_SCOPE_INDENT, _VERB_INDENT, _ENTRY_INDENT = "  ", "    ", "      "

_MAP = re.compile("[0-9]{1,2}[A-Z]?")

Scope = dict[str, str]


def print_ob(ob: OrderOfBattle) -> str:
    """An order of battle as tidy text."""
    lines = [*_settings(ob)]
    scope: Scope = {}
    for entry in ob.entries:
        wanted = _scope_of(entry, scope)
        headings = list(_headings(scope, wanted))
        if headings and not headings[0].startswith(" ") and lines:
            lines.append("")
        lines += [f"# {comment}" for comment in entry.comments]
        lines += headings
        # A line that was not understood stands apart, so that it cannot run on from the line above.
        lines += (
            ["", f"{HELD}{entry.note}", ""] if entry.verb == NOT_UNDERSTOOD else [_ENTRY_INDENT + print_entry(entry)]
        )
        scope = wanted
    lines += [f"# {comment}" for comment in ob.comments]
    return "".join(f"{line}\n" for line in _without_gaps(lines))


def _without_gaps(lines: list[str]) -> Iterator[str]:
    """At most one empty line together, and none at the end."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    for before, line in zip(["", *lines], lines, strict=False):
        if line or before:
            yield line


def print_entry(entry: Entry) -> str:
    """One entry as a line; its verb is left to the heading unless its text is free."""
    if entry.verb == NOT_UNDERSTOOD:
        return entry.note
    if entry.verb in FREE_TEXT:
        conditions = "".join(f"{_capital(_condition(condition))}: " for condition in entry.conditions)
        return f"{conditions}{entry.verb.capitalize()}: {entry.note}"
    what = print_items(entry.items)
    if entry.results:
        what = f"{what} → {print_items(entry.results)}"
    return " ".join([what, *_terms(entry)]) + "".join(f", {clause}" for clause in _clauses(entry)) + _ending(entry)


def print_items(items: tuple[Item, ...]) -> str:
    """The items of an entry; points are parted by commas, units by a plus, since their designations have the commas."""
    return (", " if all(item.points for item in items) else " + ").join(map(print_item, items))


def print_item(item: Item) -> str:
    """One thing an entry speaks of."""
    if item.points:
        return ", ".join(
            f"{amount}{'' if kind in (*PLAIN_KINDS, *UPPER_KINDS) else ' RPs'}"
            for kind, amount in zip(item.points, _amounts(item.points), strict=True)
        )
    if item.spec is None:
        return item.force
    count = None if item.how_many == "any" and item.count == 1 else item.count
    unit = print_unit(item.spec, ", ".join(item.designations), count)
    words = [item.state, *item.traits, f"{item.contingent} contingent" if item.contingent else ""]
    described = " and ".join(word for word in words if word)
    return " ".join(part for part in (item.how_many, unit, f"as {described}" if described else "") if part)


def print_place(place: PlaceSpec) -> str:
    """A place as it is written behind units."""
    names = _names(place)
    match place.kind:
        case "city":
            words = f"at {names}"
        case "area":
            words = f"in {names}"
        case "any_city":
            words = "in any city"
        case "army_hq":
            words = "at an army HQ"
        case "hex":
            words = f"at hex {', '.join(place.hexes)}"
        case "box":
            return f"in box {names}{f' of {_bare(place.inside)}' if place.inside else ''}"
        case "map_edge":
            words = _joined("at map edge", names, place.edge, _hexes(place))
        case "sea":
            within = f"within {place.distance} of {place.hexes[0]}" if place.hexes else ""
            map_first = place.names[0] if _MAP.fullmatch(place.names[0]) else ""
            words = _joined("at sea", map_first, place.edge, " ".join(place.names[bool(map_first) :]), within)
        case "md" | "multi_md":
            words = f"in MD{'s' if len(place.names) > 1 else ''} {names}"
        case kind:
            words = _joined("in", kind.replace("_", " "), names)
    return f"{words} {print_place(place.inside)}" if place.inside else words


# --------------------------------------------------------------------------------------------- headings


def _settings(ob: OrderOfBattle) -> Iterator[str]:
    if ob.title:
        yield f"title: {ob.title}"
    if ob.turns_a_month != TURNS_A_MONTH:
        yield f"turns a month: {ob.turns_a_month}"


def _scope_of(entry: Entry, now: Scope) -> Scope:
    theatre, front = entry.section, None
    if theatre and theatre.kind == "front":
        theatre, front = theatre.inside, theatre
    scope = {
        "turn": entry.turn or ANY_TURN,
        "side": _side(entry, now),
        "nation": entry.nation if nation_named(entry.nation) else entry.nation and f"nation {entry.nation}",
        "force": entry.force and f"force {entry.force}",
        "affiliation": entry.affiliation and f"affiliation {entry.affiliation}",
        "theatre": f"{theatre.kind} {_names(theatre)}" if theatre else "",
        "front": f"front {_names(front)}" if front else "",
    }
    verb = entry.under if entry.verb == NOT_UNDERSTOOD else entry.verb
    if entry.verb in FREE_TEXT:
        # It brings its verb along and does not care what stands above it.
        same = all(scope[level] == now.get(level, "") for level in scope)
        return {**scope, "verb": now.get("verb", "") if same else ""}
    return {**scope, "verb": verb and f"{verb.capitalize()}:"}


def _side(entry: Entry, now: Scope) -> str:
    if not entry.side:
        return ""
    if OWN_SIDE.get(entry.nation) == entry.side:
        # The nation says it; a side heading that stands above it may stay.
        return now.get("side", "") if now.get("turn") == (entry.turn or ANY_TURN) else ""
    return entry.side if entry.side in SIDES else f"side {entry.side}"


def _headings(now: Scope, wanted: Scope) -> Iterator[str]:
    """The headings to write so that the outline says what is wanted."""
    changed = [level for level in LEVELS if now.get(level, "") != wanted[level]]
    if not changed:
        return
    first = LEVELS.index(changed[0])
    below = any(now.get(level) for level in LEVELS[first + 1 :])
    # A level can be replaced, or added at the end; to take one away one goes back to the turn.
    if not wanted[changed[0]] or (below and not now.get(changed[0])):
        first = 0
    turn, *scopes, verb = (wanted[level] if index >= first else "" for index, level in enumerate(LEVELS))
    if turn:
        yield turn
    if any(scopes):
        yield _SCOPE_INDENT + ", ".join(scope for scope in scopes if scope)
    if verb:
        yield _VERB_INDENT + verb


# ---------------------------------------------------------------------------------------------- clauses


def _terms(entry: Entry) -> Iterator[str]:
    """Where from, where to and what for."""
    if entry.source:
        yield f"from {_bare(entry.source)}"
    if entry.place:
        yield f"to {_bare(entry.place)}" if entry.verb == "transfer" else print_place(entry.place)
    for word, points in (("for", entry.cost), ("gives", entry.yields), ("rebuild", entry.rebuild)):
        if points:
            yield f"{word} {', '.join(_amounts(points))}"


def _clauses(entry: Entry) -> Iterator[str]:
    if entry.arrival:
        yield _ARRIVAL_WORDS.get(entry.arrival) or _long_arrival(entry.arrival)
    yield from map(_link, entry.links)
    yield from map(_guard, entry.guards)


def _ending(entry: Entry) -> str:
    """Conditions and note, which may hold any words: only a semicolon ends a condition, and nothing a note."""
    conditions = "; ".join(map(_condition, entry.conditions))
    note = f"note: {entry.note}" if entry.note else ""
    if not conditions:
        return f", {note}" if note else ""
    return f" {conditions}; {note}" if note else f" {conditions}"


def _long_arrival(arrival: str) -> str:
    return f"in {arrival}" if arrival.endswith("reserve") else arrival


def _link(link: Link) -> str:
    return f"assembly of {link.what}" if link.kind == "assembly" else f"{link.kind} {link.turn}"


def _guard(guard: Guard) -> str:
    return f"given {guard.of} {'' if guard.holds else 'not '}{guard.kind}"


def _condition(condition: Condition) -> str:
    word = "unless" if not condition.holds else "when" if condition.kind == "event" else "if"
    return f"{word} {condition.text}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _amounts(points: dict[str, Fraction]) -> Iterator[str]:
    return (f"{show_points(amount)} {kind}" for kind, amount in points.items())


def _bare(place: PlaceSpec) -> str:
    """A place without the word before it, as it stands behind from and of."""
    bare = print_place(place)[3:]
    return f"city {bare}" if place.kind == "city" else bare


def _names(place: PlaceSpec) -> str:
    return " or ".join(place.names)


def _hexes(place: PlaceSpec) -> str:
    return f"hexes {', '.join(place.hexes)}" if place.hexes else ""


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def print_section(entry: Entry) -> str:
    """The theatre, command or front an entry stands under."""
    return print_place(entry.section)[3:] if entry.section else ""


def print_lines(entries: Iterable[Entry]) -> list[str]:
    """Entries one a line, each with its verb."""
    return [print_line(entry) for entry in entries]


def print_line(entry: Entry) -> str:
    """One entry as a line with its verb, for where no heading names it."""
    text = print_entry(entry)
    return text if entry.verb in (NOT_UNDERSTOOD, *FREE_TEXT) else f"{entry.verb.capitalize()} {text}"
