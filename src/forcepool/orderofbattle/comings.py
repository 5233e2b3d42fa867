"""What lint finds when it follows the units through the turns: who leaves without having come, or comes twice."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from msgspec import Struct

from forcepool.orderofbattle.model import NOT_UNDERSTOOD, Entry, Finding, Item, OrderOfBattle
from forcepool.orderofbattle.words import BRINGS, CHANGES, KEEPS, TAKES, VERBS, spelt_one_way

# Verbs that bring or take nothing, but speak of units that must be there.
NEEDS_UNITS = ("release from garrison", "release from national reserve", "replace")

_THEN = {BRINGS: 0, CHANGES: 1, KEEPS: 2, TAKES: 3}


class Kind(Struct, frozen=True, order=True):
    """What the rules match units by: nation, strength, type and size, never the designation."""

    nation: str
    strength: str
    type: str
    size: str


class Name(Struct, frozen=True, order=True):
    """One unit by its designation."""

    nation: str
    designation: str
    type: str
    size: str


def kinds(entry: Entry, items: Iterable[Item]) -> Iterator[tuple[Kind, Item]]:
    """The kind of every unit listed."""
    for item in items:
        if item.spec:
            nation = item.contingent or entry.nation
            yield Kind(nation, str(item.spec.full), spelt_one_way(item.spec.type), item.spec.size), item


def called(kind: Kind, item: Item, name: str = "") -> str:
    """Units as the order of battle writes them, such as German 8-6 Inf XX, or German 24 Inf XX by designation."""
    type_ = item.spec.type if item.spec else kind.type
    return " ".join(word for word in (kind.nation, name or kind.strength, type_, kind.size) if word)


def in_order(ob: OrderOfBattle) -> list[Entry]:
    """The entries in order of play; what has no turn may come at any time, so it goes first."""
    listed = [entry for entry in ob.entries if entry.verb != NOT_UNDERSTOOD]
    return sorted(listed, key=lambda entry: (_when(ob, entry), _THEN[VERBS[entry.verb].effect], entry.line))


def _when(ob: OrderOfBattle, entry: Entry) -> int:
    turn = ob.turn_of(entry)
    return -1 if turn is None else turn


# ------------------------------------------------------------------------------------ leaving and changing


def never_arrives(ob: OrderOfBattle) -> Iterator[Finding]:
    """Withdrawals, conversions and the like of units that are not in play by then."""
    entries = in_order(ob)
    to_come = _first_arrivals(entries)
    stock: Counter[Kind] = Counter()
    # A unit may be listed by the strength of its cadre or another side.
    sides: dict[Kind, Kind] = {}
    for entry in entries:
        effect = VERBS[entry.verb].effect
        if effect in (TAKES, CHANGES) or entry.verb in NEEDS_UNITS:
            yield from _taken(entry, stock, sides, to_come)
        brought = entry.items if effect == BRINGS else entry.results
        for kind, item in kinds(entry, brought):
            stock[kind] += item.count
            to_come[kind] = None
            sides.update((side, kind) for side in _other_sides(kind, item))


def _taken(
    entry: Entry, stock: Counter[Kind], sides: dict[Kind, Kind], to_come: dict[Kind, Entry | None]
) -> Iterator[Finding]:
    verb = VERBS[entry.verb]
    for listed, item in kinds(entry, entry.items):
        kind = listed if stock[listed] else sides.get(listed, listed)
        if item.count > stock[kind]:
            come_and_gone = kind in to_come and to_come[kind] is None
            yield _missing(entry, called(listed, item), item.count, stock[kind], to_come.get(kind), come_and_gone)
        # What may be declined may still be there later.
        if not verb.optional and verb.effect != KEEPS:
            stock[kind] = max(0, stock[kind] - item.count)


def _missing(entry: Entry, unit: str, wanted: int, there: int, first: Entry | None, come_and_gone: bool) -> Finding:
    clause = VERBS[entry.verb].clause
    text = f"{entry.verb}: {wanted}x {unit} {'is' if wanted == 1 else 'are'} listed"
    if there:
        return Finding(
            entry.line, clause, f"{text}, only {there} can be in play by then", "check the count or the turn"
        )
    if come_and_gone:
        return Finding(entry.line, clause, f"{text}, but none is left by then", "check the entries before it")
    if first is None or first.line == entry.line:
        hint = "check its strength, type and nation, or list it under At start:"
        return Finding(entry.line, clause, f"{text}, but no entry brings one into play", hint)
    if first.turn and entry.turn and first.turn != entry.turn:
        text = f"{text}, but the first comes on {first.turn} (line {first.line})"
        return Finding(entry.line, clause, text, "check the turn")
    return Finding(entry.line, clause, f"{text}, but none is left by then", "check the entries before it")


def _first_arrivals(entries: Iterable[Entry]) -> dict[Kind, Entry | None]:
    """The first entry that brings each kind; none, further on, for a kind that has come."""
    first: dict[Kind, Entry | None] = {}
    for entry in entries:
        brought = entry.items if VERBS[entry.verb].effect == BRINGS else entry.results
        for kind, _ in kinds(entry, brought):
            first.setdefault(kind, entry)
    return first


def _other_sides(kind: Kind, item: Item) -> Iterator[Kind]:
    if item.spec:
        for side in (item.spec.cadre, item.spec.remnant, item.spec.unsupported):
            if side:
                yield Kind(kind.nation, str(side), kind.type, kind.size)


# ------------------------------------------------------------------------------------------- coming twice


def comes_twice(ob: OrderOfBattle) -> Iterator[Finding]:
    """Units that come a second time without having left; entries that may not happen are given the benefit of doubt."""
    here: dict[Name, int] = {}
    # Within a turn what leaves goes first, so that a unit may leave one theatre and arrive in another; what was not
    # there yet came on this very turn, and goes last.
    for _, turn in groupby(in_order(ob), key=lambda entry: _when(ob, entry)):
        entries = list(turn)
        late = [name for entry in entries if VERBS[entry.verb].effect == TAKES for name in _gone(entry, here)]
        for entry in entries:
            yield from _coming(entry, here)
        for name in late:
            here.pop(name, None)


def _gone(entry: Entry, here: dict[Name, int]) -> list[Name]:
    """Let the units of an entry go, and give back the names that were not there."""
    for kind, item in kinds(entry, entry.items):
        if not item.designations:
            # It may have been any unit of this kind.
            for name in list(here):
                if (name.nation, name.type, name.size) == (kind.nation, kind.type, kind.size):
                    del here[name]
    return [name for name, _ in names_of(entry, entry.items) if here.pop(name, None) is None]


def _coming(entry: Entry, here: dict[Name, int]) -> Iterator[Finding]:
    if entry.conditions or entry.guards or entry.verb == "mobilize":
        return
    if entry.results:
        _gone(entry, here)
    brought = entry.items if VERBS[entry.verb].effect == BRINGS else entry.results
    for name, unit in names_of(entry, brought):
        if name in here:
            text = f"{unit} comes a second time; it came on line {here[name]} and has not left"
            yield Finding(entry.line, "51/2", text, "check the designation, or list its withdrawal")
        else:
            here[name] = entry.line


def names_of(entry: Entry, items: Iterable[Item]) -> Iterator[tuple[Name, str]]:
    """Every unit listed by its designation, and as the order of battle writes it."""
    for kind, item in kinds(entry, items):
        for designation in dict.fromkeys(item.designations):
            yield Name(kind.nation, designation, kind.type, kind.size), called(kind, item, designation)


# ----------------------------------------------------------------------------------- partners of two steps


def without_partner(ob: OrderOfBattle) -> Iterator[Finding]:
    """Full without forming, forming that is never full, returns without a withdrawal."""
    entries = in_order(ob)
    yield from _second_steps(entries, ("forming",), "full", "51.B.7/1")
    yield from _second_steps(entries, ("withdraw", "sequester", "transfer"), "return", "51.B.16/2")
    yield from _never_full(entries)
    yield from _disagreeing_turns(ob, "forming", "full", "51.B.7/6")
    yield from _disagreeing_turns(ob, "withdraw", "return", "51.B.16/2")


def _second_steps(entries: list[Entry], firsts: tuple[str, ...], second: str, clause: str) -> Iterator[Finding]:
    waiting: Counter[Kind] = Counter()
    for entry in sorted(entries, key=lambda entry: entry.verb == second and not entry.turn):
        for kind, item in kinds(entry, _first_step(entry, firsts)):
            waiting[kind] += item.count
            for side in _other_sides(kind, item):
                waiting[side] += item.count
        if entry.verb != second:
            continue
        for kind, item in kinds(entry, entry.items):
            if item.count > waiting[kind]:
                there = f"{waiting[kind] or 'none'} by an earlier {firsts[0]}"
                text = f"{second}: {item.count}x {called(kind, item)} listed, but {there}"
                yield Finding(entry.line, clause, text, f"check the turn and strength of its {firsts[0]} line")
            waiting[kind] -= min(item.count, waiting[kind])


def _first_step(entry: Entry, firsts: tuple[str, ...]) -> tuple[Item, ...]:
    forming = tuple(item for item in (*entry.items, *entry.results) if item.state == "forming")
    if entry.verb in firsts:
        return entry.items
    return forming if "forming" in firsts else ()


def _never_full(entries: list[Entry]) -> Iterator[Finding]:
    full: Counter[Kind] = Counter()
    for entry in entries:
        if entry.verb == "full":
            for kind, item in kinds(entry, entry.items):
                full[kind] += item.count
    for entry in entries:
        linked = any(link.kind == "full" for link in entry.links)
        for kind, item in kinds(entry, _first_step(entry, ("forming",))):
            if not linked and full[kind] < item.count:
                text = f"forming: {item.count}x {called(kind, item)} never becomes full"
                yield Finding(entry.line, "51.B.7/6", text, "add full and its turn, or a line under Full:")
            full[kind] -= min(item.count, full[kind])


def _disagreeing_turns(ob: OrderOfBattle, first: str, second: str, clause: str) -> Iterator[Finding]:
    """A line that names the turn of its partner, while the partner stands under other turns only."""
    turns: defaultdict[Kind, set[str]] = defaultdict(set)
    for entry in ob.entries:
        if entry.verb == second:
            for kind, _ in kinds(entry, entry.items):
                turns[kind].add(entry.turn)
    last = max((_when(ob, entry) for entry in ob.entries), default=-1)
    for entry in ob.entries:
        for link in entry.links if entry.verb == first else ():
            # An order of battle that has not been typed so far says nothing of that turn.
            if link.kind != second or ob.calendar.parse(link.turn).turn > last:
                continue
            for kind, item in kinds(entry, entry.items):
                if turns[kind] and link.turn not in turns[kind]:
                    due = f"{_does(second)} on {link.turn}"
                    text = f"{first}: {called(kind, item)} is to {due}, but no such line stands there"
                    yield Finding(entry.line, clause, text, "make the two turns agree")


def _does(second: str) -> str:
    return "be full" if second == "full" else second


# --------------------------------------------------------------------------------------- the counter mix


def beyond_the_mix(ob: OrderOfBattle, mix: OrderOfBattle) -> Iterator[Finding]:
    """Turns on which more units of a kind are in play than there are counters."""
    counters: Counter[Kind] = Counter()
    for entry in mix.entries:
        for kind, item in kinds(entry, entry.items):
            counters[kind] += item.count
    stock: Counter[Kind] = Counter()
    told: set[Kind] = set()
    for _, turn in groupby(in_order(ob), key=lambda entry: _when(ob, entry)):
        last: dict[Kind, tuple[Entry, Item]] = {}
        for entry in turn:
            _count(entry, stock, last)
        for kind in sorted(last):
            if stock[kind] > counters[kind] and kind not in told:
                told.add(kind)
                entry, item = last[kind]
                text = (
                    f"{stock[kind]}x {called(kind, item)} in play, but the counter mix has {counters[kind] or 'none'}"
                )
                yield Finding(entry.line, "51/2", text, "check the count, or add to the counter mix")


def _count(entry: Entry, stock: Counter[Kind], last: dict[Kind, tuple[Entry, Item]]) -> None:
    verb = VERBS[entry.verb]
    brought = entry.items if verb.effect == BRINGS else entry.results
    if verb.optional and verb.effect != BRINGS:
        return
    for kind, item in kinds(entry, brought):
        stock[kind] += item.count
        last[kind] = (entry, item)
    if verb.effect in (TAKES, CHANGES):
        for kind, item in kinds(entry, entry.items):
            stock[kind] = max(0, stock[kind] - item.count)
