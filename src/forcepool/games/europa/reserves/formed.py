"""49.A/5, 49.A/6 and 49.B.1.3/3  Forming units in reserve: in their own box, and once they are full."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Effect
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import OPERATIONAL, STRATEGIC
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.question import Appears
from forcepool.games.europa.reinforcements.early_activation import ActivateEarly
from forcepool.games.europa.reinforcements.entries import entry_of
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.replacements.limited.building_times import counts_as_forming
from forcepool.games.europa.reserves.changes import RESERVE, is_forming
from forcepool.games.europa.reserves.mediterranean import MSR
from forcepool.games.europa.reserves.status import cleared_from_lost_units
from forcepool.games.europa.reserves.strategic import into_the_box
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import shown

IN_STRATEGIC_RESERVE = "strategic reserve"
"""How a line of the order of battle has its units arrive."""


def stays_in_reserve_when_formed(q: Any) -> Iterator[Event]:
    """A forming unit placed on the map stays in operational reserve, at no cost."""
    if q.command.reserve or not is_forming(q.unit) or not q.world.plays_reserves:
        return
    if q.facts.is_so(q.unit, MSR):
        yield from stays_in_the_mediterranean_reserve(q)
        return
    on = unit_key(q.unit.id)
    yield Marked(on=on, mark=RESERVE, value=OPERATIONAL, because="49.A/6 49.A/5", says="as it was while forming")


def stays_in_the_mediterranean_reserve(q: Any) -> Iterator[Event]:
    """What formed in the Mediterranean reserve is kept on the map in it."""
    if q.facts.is_so(q.unit, MSR):
        yield Marked(on=unit_key(q.unit.id), mark=RESERVE, value=STRATEGIC, because="49.B.2/5 49.B.2/6")


def goes_into_the_box(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A unit that formed in strategic reserve goes from its own box to the Strategic Reserve Box once it is full."""
    facts = world.facts(state)
    for on in sorted(state.marked.get(RESERVE, ())):
        unit = state.units.get(on.removeprefix("unit/"))
        if unit is None or facts.of_unit(unit, RESERVE) != STRATEGIC or facts.is_so(unit, MSR):
            continue
        if _is_full_now(world, state, unit):
            yield from into_the_box(unit, unit.place.of, "49.B.1.3/3 49.B.1.2/1")


def listed_for_the_box(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A reinforcement that its line brings in strategic reserve goes into that box, since none is kept on the map."""
    if not world.plays_reserves or world.phase(state) != REINFORCEMENT:
        return
    for unit in state.units_at(REINFORCEMENT_TRACK):
        entry = entry_of(world, state, unit)
        if entry is None or entry.arrival != IN_STRATEGIC_RESERVE or world.has_role(unit.spec, "air"):
            continue
        if _is_full_now(world, state, unit):
            yield Marked(on=unit_key(unit.id), mark=RESERVE, value=STRATEGIC, because="49.B.1.2/1")
            yield from into_the_box(unit, unit.place.of, "49.B.1.2/1 51.B.10/4")


def _is_full_now(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether its turn to be placed has come."""
    if unit.place.due > state.clock.turn or not world.has_the_turn(state, world.side_now(state, unit.spec.nation)):
        return False
    phase = world.phase(state)
    if phase == REINFORCEMENT:
        return unit.place.kind == REINFORCEMENT_TRACK
    return phase == REPLACEMENT and counts_as_forming(unit)


def kept_in_the_box_only(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A counter that was put on the map by hand is not in strategic reserve, which is kept in boxes or in the Delta."""
    facts = world.facts(state)
    for on in sorted(state.marked.get(RESERVE, ())):
        unit = state.units.get(on.removeprefix("unit/"))
        if unit is None or not unit.place.on_map or facts.of_unit(unit, RESERVE) != STRATEGIC:
            continue
        if not facts.is_so(unit, MSR):
            yield Marked(on=on, mark=RESERVE, because="49.B.1.2/1", says="it stands on the map")


@rule("49.B.1.6/1")
def is_out_of_strategic_reserve(q: Any) -> Verdict:
    """Activated early a unit comes onto the map, so that it leaves strategic reserve for its price first."""
    if q.facts.of_unit(q.unit, RESERVE) != STRATEGIC or q.facts.is_so(q.unit, MSR):
        return YES
    return no(f"{q.unit} is in strategic reserve", remedy="take it out first (leave-strategic-reserve)")


@shown("49.B.1.3/3")
def marked_in_its_box(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """A forming unit in strategic reserve stays in its own box under a marker."""
    marked = is_forming(unit) and state.mark(unit_key(unit.id), RESERVE)
    if marked and world.facts(state).of_unit(unit, RESERVE) == STRATEGIC:
        yield Effect("is in strategic reserve in the Forming Box", "49.B.1.3/3")


CHAPTER = Chapter(
    heading="49.A",
    also={PlaceUnit: (stays_in_reserve_when_formed,), Appears: (stays_in_the_mediterranean_reserve,)},
    guards={ActivateEarly: (is_out_of_strategic_reserve,)},
    # The turn of the phase may itself have taken units from their boxes (51.B.7/8).
    happens=(goes_into_the_box, listed_for_the_box, cleared_from_lost_units, kept_in_the_box_only),
    shows=(marked_in_its_box,),
)
