"""51.B.8, 51.B.9, 51.B.12 and 51.G  Mobilization, breakdown boxes, and what the OB says in its own words."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from forcepool.engine.command import Command
from forcepool.engine.events import Became, Event, Moved
from forcepool.engine.given import EntryKey, Why
from forcepool.engine.places import HEX, OUT_OF_PLAY, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements import entries, listed_places
from forcepool.games.europa.reinforcements.conditions import SO
from forcepool.games.europa.reinforcements.duties import Listed, entry_is_in_force, in_own_reinforcement_phase
from forcepool.games.europa.reinforcements.entries import did, home_area
from forcepool.games.europa.reinforcements.falling_due import BREAKDOWN_BOX, Brought, come_in
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.orderofbattle.words import FREE_TEXT
from forcepool.rulebook.citations import computed

# -------------------------------------------------------------------------------------------- mobilization


@computed("51.B.8/1")
def mobilizes(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Cadres on the map become full where they stand, free; other units come as reinforcements."""
    events: list[Event] = []
    new: list[Item] = []
    taken: set[str] = set()
    for item in entry.items:
        cadres, others = _cadres_of(world, state, entry, item, taken)
        taken |= {unit.id for unit in cadres}
        events += map(made_full, cadres)
        new += [others] if others.count else []
    track = Place(REINFORCEMENT_TRACK, home_area(world, state, entry), state.clock.turn)
    return [*events, *come_in(world, state, replace(entry, items=tuple(new)), track, "51.B.8/1")]


def _cadres_of(world: EuropaWorld, state: State, entry: Entry, item: Item, taken: set[str]) -> tuple[list[Unit], Item]:
    """The cadres on the map that a line means, those of its numbers first, and the line without them."""
    there = [
        unit
        for unit in state.units_in_order()
        if unit.place.kind == HEX and unit.step == CADRE and unit.id not in taken
        if entries.could_be(world, entry, item, unit) and _is_near(world, entry, item, unit)
    ]
    cadres = entries.named_first(there, item)[: item.count]
    numbers = [each for each in item.designations if not any(entries.bears(unit, (each,)) for unit in cadres)]
    count = item.count - len(cadres)
    return cadres, replace(item, count=count, designations=tuple(numbers[:count]))


def _is_near(world: EuropaWorld, entry: Entry, item: Item, unit: Unit) -> bool:
    """Of the number listed wherever it stands, or in the area listed: a cadre of another MD is not what is meant."""
    return entries.bears(unit, item.designations) or listed_places.lies_in(
        world, unit.place.of, listed_places.spec_of_place(entry)
    )


@computed("51.B.8/2", "51.B.8/3", "51.B.8/4")
def made_full(unit: Unit) -> Event:
    """Neither an enemy ZOC nor want of supply stands in the way."""
    return Became(unit=unit.id, was=CADRE, step=FULL, because="51.B.8/2 51.B.8/3 51.B.8/4", says="mobilized")


# -------------------------------------------------------------------------------------------- breakdown boxes


def on_assembly(q: Any) -> Iterator[Event]:
    """When an assembly the order of battle waits for is first declared, its removals are made."""
    if not q.value:
        return
    text = q.command.about.casefold().removeprefix("assembly of ")
    for entry in entries.listed(q.world, q.state):
        waits = any(link.kind == "assembly" and link.what.casefold() == text for link in entry.links)
        if waits and entry.verb == "remove from breakdown box" and not entries.is_done(q.state, entry):
            yield from taken_out(q.world, q.state, entry)


@computed("51.B.12/1", "51.B.12/2")
def taken_out(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Event]:
    """The units listed leave their breakdown box and play, once, whatever turn is listed; none is eliminated."""
    gone = 0
    for item in entry.items:
        boxed = [
            unit
            for unit in state.units_in_order()
            if unit.place.kind == BREAKDOWN_BOX and entries.could_be(world, entry, item, unit)
            if is_of_the_division(unit, item)
        ]
        for unit in entries.named_first(boxed, item)[: item.count]:
            yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because="51.B.12/1 51.B.12/2")
            gone += 1
    if gone:
        yield did(state, entry, "51.B.12/2", entries.needed(entry))


@computed("51/4")
def is_of_the_division(unit: Unit, item: Item) -> bool:
    """For breakdown the number counts: the unit named, or another part of the division that its number names."""
    parents = [each.partition("/")[0] for each in item.designations if "/" in each]
    of_it = "/" in unit.spec.designation and unit.spec.designation.partition("/")[0] in parents
    return not item.designations or of_it or entries.bears(unit, item.designations)


# ------------------------------------------------------------------------------------------- its own words


class CarryOut(Command, tag="carry-out", frozen=True):
    """Say that what the order of battle asks in its own words has been done."""

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""
    note: Why = ""
    """What was done."""

    of_choice = ("note",)
    question = Listed
    needs = (entry_is_in_force("51.B.9/1", *FREE_TEXT),)
    requires = (in_own_reinforcement_phase("51.G/1"),)

    def side(self, q: Listed) -> str:
        return q.side

    def effects(self, q: Listed) -> Iterator[Event]:
        event = did(q.state, q.entry, "51.G/1" if q.entry.verb == "unique event" else "51.B.9/1")
        yield replace(event, says=self.note or q.entry.note)


CHAPTER = Chapter(
    heading="51.B.8",
    comes_about={"mobilize": mobilizes},
    commands=(CarryOut,),
    declared={SO: (on_assembly,)},
)
