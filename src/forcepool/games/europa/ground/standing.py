"""51.A.1 and 51.B.3/4  A unit that appears is as its hex is; one in another's place stands as that one stood."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import place_key, unit_key
from forcepool.engine.sentence import the_place
from forcepool.engine.state import NO_MARKS, State, Unit
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NOT_ISOLATED, REGULAR, WHERE_IT_STOOD
from forcepool.rulebook.citations import computed

NATIONAL_RESERVE = "national_reserve"
GARRISON, GARRISON_BOX = "garrison", "garrison"
"""The fact that names the MD in whose garrison a unit is, and the MD's box for those that stand nowhere on the map."""
AIDED = "contingent_aid"
"""What a contingent was given once in the game, which it is not given again under another name."""
STATUS = {"supply": REGULAR, "isolated": NOT_ISOLATED}
"""What the supply of a hex tells of the units in it, and what it is where nothing is wrong."""


def shares_the_supply_of(q: Any, place: str, because: str) -> Iterator[Event]:
    """A unit placed where supply is cut has the status of the place, and the turns that has lasted."""
    on = unit_key(q.unit.id)
    for fact, normal in STATUS.items():
        value = q.facts.to_side(q.side, place, fact)
        if value != normal and not q.facts.traced(place_key(place), fact):
            yield Marked(on=on, mark=fact, value=value, because=because, says=f"as {the_place(place)}")
    if q.facts.to_side(q.side, place, "supply") != REGULAR:
        turns = q.facts.value(place_key(place), "turns_out_of_supply")
        yield Marked(on=on, mark="turns_out_of_supply", value=turns, because=because)


@computed("51.A.1/1")
def with_its_place(q: Any) -> Iterator[Event]:
    """When the supply of a place is declared anew, the units there that were as it was are as it is."""
    place = q.on.removeprefix(place_key(""))
    fact, was = q.fact.name, q.state.mark(q.on, q.fact.name)
    if place == q.on or was is None or was.value == STATUS[fact]:
        return
    for unit in q.state.units_in_order():
        on = unit_key(unit.id)
        said = q.state.mark(on, fact) if unit.place.on_map and unit.place.of == place else None
        if said is not None and said.value == was.value and q.state.mark(on, "pocket") is None:
            yield Marked(on=on, mark=fact, value=q.value, because="51.A.1/1", says=f"as {the_place(place)}")


def stands_as(q: Any, old: Unit, name: str) -> Iterator[Event]:
    """What was so of a unit where it stood, such as its supply or its garrison, is so of the one in its place."""
    for mark in (*WHERE_IT_STOOD, NATIONAL_RESERVE, GARRISON):
        held = q.state.mark(unit_key(old.id), mark)
        if held is not None:
            yield Marked(on=unit_key(name), mark=mark, value=held.value, by=held.by)


@computed("52.D.1.b/5", "52.D.1.b/7")
def has_had_its_aid(state: State, old: Unit, name: str) -> Iterator[Event]:
    """What a unit was given once in the game, the one made of it has had."""
    held = state.mark(unit_key(old.id), AIDED)
    if held is not None:
        yield Marked(on=unit_key(name), mark=AIDED, value=held.value)


def taken_over(q: Any, name: str) -> Iterator[Event]:
    """All that was declared of a unit, its reserve and what it did this turn too, holds for the one in its place."""
    on = unit_key(q.unit.id)
    for mark, held in sorted(q.state.marks.get(on, NO_MARKS).items()):
        if q.facts.declared(on, mark) is not None:
            yield Marked(on=unit_key(name), mark=mark, value=held.value, by=held.by)


CHAPTER = Chapter(heading="51.A.1", declared=dict.fromkeys(STATUS, (with_its_place,)))
