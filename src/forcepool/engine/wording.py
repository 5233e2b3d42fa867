"""What happened, what may happen and what was refused, in a player's words, for screens, pages and exports alike."""

import re
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from forcepool.engine.dice import CAMPAIGN
from forcepool.engine.events import (
    Became,
    Event,
    Marked,
    Moved,
    Noted,
    Overruled,
    PhaseBegan,
    Raised,
    Rolled,
    SwitchSet,
    Transferred,
    Value,
)
from forcepool.engine.facts import NUMBER, TAKEN_BACK, TURN, UNTIL_CHANGED, YES_NO, Fact
from forcepool.engine.ledger import is_pool
from forcepool.engine.points import show_points
from forcepool.engine.sentence import plain, the_note, the_place, the_pool, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.world import World

INDENT = "  "
ARROW = "→"
POINTS = re.compile(r"-?[0-9]+/[1-9][0-9]*")
SUBJECTS: dict[str, Callable[[str], str]] = {
    "unit": the_unit,
    "place": the_place,
    "area": the_pool,
    "nation": str,
    "line": str,
}
"""What a marker can be on, and what that is in a sentence."""
KNOWN_SUBJECTS = (*SUBJECTS, CAMPAIGN)
"""What players know by name; the books kept of anything else are the program's own."""
JOINING = ("as", "by", "from", "since", "to", "with")
"""The last word of a name that reads on into what it holds."""

LONGEST_RUN, SHOWN_OF_A_RUN = 12, 4
"""How many markers told in the same words are told one by one, and how many of a longer run."""

# ---------------------------------------------------------------------------------------------- events

E = TypeVar("E", bound=Event)
_sentences: dict[type[Event], Callable[[World, Any], str]] = {}


def _tells(event: type[E]) -> Callable[[Callable[[World, E], str]], Callable[[World, E], str]]:
    def register(function: Callable[[World, E], str]) -> Callable[[World, E], str]:
        _sentences[event] = function
        return function

    return register


def event_in_words(world: World, event: Event) -> str:
    """What happened, with its clauses: '24 Inf XX: cadre → full [52.A.9.d/1]'."""
    return plain(event_said(world, event))


def event_said(world: World, event: Event) -> str:
    """What happened, with its clauses, in a sentence made of parts."""
    sentence = _sentences[type(event)](world, event)
    return f"{sentence} [{event.because}]" if event.because else sentence


def events_said(world: World, events: Iterable[Event]) -> tuple[str, ...]:
    """What happened, a sentence each; what is said in the same words of many, one after another, is said once.

    What the program notes for itself, without a word to the players, is not told.
    """
    found: list[str] = []
    told = (event for event in without_repeats(events) if not _is_kept_unsaid(world, event))
    for _, group in groupby(told, _same_words):
        run = list(group)
        sentences = [event_said(world, event) for event in run[: LONGEST_RUN + 1]]
        if len(run) > LONGEST_RUN:
            sentences = [*sentences[:SHOWN_OF_A_RUN], f"the same of {len(run) - SHOWN_OF_A_RUN} more"]
        found += sentences
    return tuple(found)


def without_repeats(events: Iterable[Event]) -> Iterator[Event]:
    """The events of one entry without markers that were on already: what two rules put there is told once."""
    on: dict[tuple[str, str], Event] = {}
    for event in events:
        if isinstance(event, Marked):
            if on.get((event.on, event.mark)) == event:
                continue
            on[event.on, event.mark] = event
        yield event


def _is_kept_unsaid(world: World, event: Event) -> bool:
    """Whether it is a list or a count that only the program keeps, or no longer keeps: what a pool has spent."""
    if not isinstance(event, Marked) or event.says:
        return False
    fact = world.fact(event.mark)
    if fact is None or fact.by_hand:
        return False
    if not fact.told or event.value is None:
        return True
    passing = fact.lasts != UNTIL_CHANGED and event.on.partition("/")[0] not in KNOWN_SUBJECTS
    return passing or (isinstance(event.value, list) and not event.because)


def _same_words(event: Event) -> object:
    """What two markers have in common that are told in the same words; any other event only with itself."""
    if isinstance(event, Marked) and event.says:
        return event.mark, event.says, event.because
    return id(event)


def one_line(text: str) -> str:
    """What a player wrote, without line ends and control characters: it stays on its line on every screen."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


def _with_working(sentence: str, event: Event) -> str:
    return f"{sentence} ({one_line(event.says)})" if event.says else sentence


@_tells(PhaseBegan)
def _phase_began(world: World, event: PhaseBegan) -> str:
    return f"it is now {world.sequence.describe(world.calendar, event.clock)}"


@_tells(Transferred)
def _transferred(world: World, event: Transferred) -> str:
    amount = f"{show_points(event.amount)} {event.kind} of {event.nation}"
    called = world.game.transfers.get((_book(event.frm), _book(event.to)))
    ways = called or f"{world.said_account(event.frm)} {ARROW} {world.said_account(event.to)}"
    return _with_working(f"{amount}: {ways}", event)


def _book(account: str) -> str:
    """Whose points are kept there as one: 'capacity' for capacity/axis, a source or sink by its whole name."""
    return account.partition("/")[0] if is_pool(account) else account


@_tells(Moved)
def _moved(world: World, event: Moved) -> str:
    places = f"{world.said_place(event.frm)} {ARROW} {world.said_place(event.to)}"
    return _with_working(f"{the_unit(event.unit)}: {places}", event)


@_tells(Became)
def _became(world: World, event: Became) -> str:
    return _with_working(f"{the_unit(event.unit)}: {event.was} {ARROW} {event.step}", event)


@_tells(Marked)
def _marked(world: World, event: Marked) -> str:
    on = subject_said(world, event.on)
    if event.says:
        return f"{on}: {one_line(event.says)}"
    fact = world.fact(event.mark)
    held = TAKEN_BACK if event.value is None else mark_in_words(world, event.mark, event.value)
    if fact is not None and (words := fact.in_words(held)):
        return f"{on}: {words}"
    if event.value is None:
        ended = fact is not None and fact.takes in (YES_NO, TURN) and fact.name == mark_name(fact.name)
        return f"{on}: no longer {event.mark}" if ended else f"{on}: {mark_name(event.mark)} is taken back"
    if fact is not None and not fact.by_hand:
        # What the rules themselves keep track of has a short name that says nothing to a player.
        return f"{on}: {fact.about}{'' if event.value is True else f': {held}'}"
    if held == "yes":
        return f"{on}: {mark_name(event.mark)}"
    joined = " " if fact is not None and _reads_on(fact) else " is "
    return f"{on}: {mark_name(event.mark)}{joined}{held}"


def _reads_on(fact: Fact) -> bool:
    """Whether the name of a fact and what it holds make a sentence: 'held since Nov 41', 'carried 1'."""
    done = fact.name.endswith("ed") and fact.takes == NUMBER
    return done or fact.takes == TURN or fact.name.rpartition("_")[2] in JOINING


@_tells(Rolled)
def _rolled(world: World, event: Rolled) -> str:
    by_hand = ", entered by hand" if event.by_hand else ""
    return _with_working(f"a d{event.sides} falls {event.result}{by_hand}", event)


@_tells(Raised)
def _raised(world: World, event: Raised) -> str:
    counter = f"{counter_in_words(event.spec)} of {event.spec.nation or 'no nation'}"
    return _with_working(
        f"{the_unit(event.unit)} ({counter}) joins at {event.step}: {world.said_place(event.at)}", event
    )


@_tells(Overruled)
def _overruled(world: World, event: Overruled) -> str:
    return f"overruled {', '.join(event.clauses)}: {the_note(one_line(event.note))}"


@_tells(SwitchSet)
def _switch_set(world: World, event: SwitchSet) -> str:
    return f"house rule {event.switch}: {event.option}"


@_tells(Noted)
def _noted(world: World, event: Noted) -> str:
    return f"note: {the_note(one_line(event.text))}"


def subject_said(world: World, on: str) -> str:
    """What a marker is on: a unit, a place or an area by its name, anything else as its game calls it."""
    kind, _, name = on.partition("/")
    says = SUBJECTS.get(kind) or world.game.subjects.get(kind)
    return says(name) if says else on


def mark_name(mark: str) -> str:
    return mark.replace("_", " ")


def value_in_words(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value) or "none"
    return "none" if value is None else str(value)


def mark_in_words(world: World, mark: str, value: Value) -> str:
    """What a marker holds; a turn by its name, points as players write them."""
    fact = world.fact(mark)
    if fact is not None and fact.takes == TURN and isinstance(value, int):
        return world.turn_name(value)
    if isinstance(value, str) and POINTS.fullmatch(value):
        return show_points(Fraction(value))
    return value_in_words(value)


# ----------------------------------------------------------------------------------------------- units


def counter_in_words(spec: UnitSpec) -> str:
    """What the counter shows: '7-6 Inf XX (3-6)'."""
    parts = [f"{spec.full}*" if spec.starred else str(spec.full), spec.type, spec.size]
    for side, marks in ((spec.cadre, "()"), (spec.remnant, "[]"), (spec.unsupported, "{}")):
        if side is not None:
            parts.append(f"{marks[0]}{side}{marks[1]}")
    return " ".join(part for part in parts if part)


def unit_in_words(world: World, unit: Unit) -> str:
    """'24 Inf XX (7-6 Inf XX (3-6), Germany): cadre at Minsk'."""
    where = f"at {world.show_place(unit.place)}" if unit.place.on_map else f"in {world.show_place(unit.place)}"
    where = where.replace("in out of play", "out of play")
    nation = f", {unit.spec.nation}" if unit.spec.nation else ""
    return f"{unit.id} ({counter_in_words(unit.spec)}{nation}): {unit.step} {where}"


def _is_over(world: World, state: State, on: str, mark: str) -> bool:
    """Whether a marker tells of how a unit left the map, and the unit is back, or of a box it has left."""
    fact, unit = world.fact(mark), state.units.get(on.removeprefix("unit/"))
    if fact is None or unit is None:
        return False
    return (fact.off_map and unit.place.on_map) or bool(fact.told_in and unit.place.kind not in fact.told_in)


class Marker(NamedTuple):
    """Something that stands on a unit or place."""

    name: str
    kept: str
    """As the rules keep it, with what it holds: 'mp 2'."""
    said: str
    """As players say it, a sentence made of parts: '+2 MP'."""


def markers(world: World, state: State, on: str) -> Iterator[Marker]:
    """The markers on a unit or place and the facts declared of it, those that have lapsed left out."""
    facts = world.facts(state)
    for mark in sorted(state.marks.get(on, {})):
        value = facts.declared(on, mark)
        if value is not None and not _is_over(world, state, on, mark):
            yield _marker(world, mark, value)


def _marker(world: World, mark: str, value: Value) -> Marker:
    name, held, fact = mark_name(mark), mark_in_words(world, mark, value), world.fact(mark)
    words = fact.in_words(held) if fact is not None else ""
    kept = name if value is True else f"{name} {held}"
    return Marker(name, kept, words or (name if held == "yes" else kept))
