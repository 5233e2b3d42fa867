"""49.A.1.d  Entering operational reserve, and being released from a garrison."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import unit_key
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.places import Place
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NO_RESERVE, OPERATIONAL, REGULAR, supply_in_words
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.standing import GARRISON, GARRISON_BOX
from forcepool.games.europa.question import first_of_month, in_phase_of
from forcepool.games.europa.reinforcements.entries import ENTRY as BROUGHT_BY
from forcepool.games.europa.reinforcements.entries import marked
from forcepool.games.europa.reinforcements.out_of_garrison import RELEASED
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.replacements.training.garrisons import ActivateTraining, garrison_of
from forcepool.games.europa.reserves.changes import (
    RESERVE,
    Changing,
    depot_is_one_it_can_use,
    entered,
    limit_is_not_exceeded,
    operational_change,
    paid,
    the_number_is_known,
)
from forcepool.games.europa.reserves.depots import nets
from forcepool.games.europa.reserves.played import placed_in_a_reserve_that_is_played, reserves_are_played
from forcepool.games.europa.reserves.sizes import Move, said_of
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import computed

NO_ATTACK = "no attack strength"
"""The trait of a counter on which no attack strength is printed."""


@rule("49.A/1")
def is_in_no_reserve(q: Changing) -> Verdict:
    """Only a unit on the map that is in no reserve can be put into operational reserve."""
    if not q.unit.place.on_map:
        return no(f"{q.unit} is at {q.world.said_place(q.unit.place)}, not on the map", remedy="place it first")
    if q.reserve == NO_RESERVE:
        return YES
    return no(f"{q.unit} is in {q.reserve} reserve already")


@rule("49.A.1.d.i/1", "49.A.1.a/3", "49.B.2/3")
def in_the_first_reinforcement_phase(q: Changing) -> Verdict:
    """Units enter in the owner's reinforcement phase of turn 1 of a month."""
    first = q.world.calendar.is_first_of_month(q.state.clock.turn)
    if q.own_reinforcement_phase and first:
        return YES
    if q.own_reinforcement_phase and (granted := q.command.overdraft(q)):
        return yes(granted, "any turn will do when the border is crossed")
    # In turn 1 itself, before its reinforcement phase, that phase is near.
    turn = q.state.clock.turn if first else first_of_month(q.world, q.state.clock.turn, 1)
    words = f"wait for the {q.world.phase_called(REINFORCEMENT, q.side)} of turn 1 of a month"
    remedy = in_phase_of(q, turn, REINFORCEMENT, words)
    if remedy.way and remedy.way.until and not q.world.calendar.is_first_of_month(remedy.way.until.turn):
        remedy = in_phase_of(q, first_of_month(q.world, q.state.clock.turn, 1), REINFORCEMENT, words)
    return no(
        f"it is {q.world.when(q.state)}",
        remedy=remedy,
        also=() if first else ("49.A.1.a/3",),
    )


@rule("49.A.1.d.ii/1")
def shows_an_attack_strength(q: Changing) -> Verdict:
    """Only a ground unit with a printed attack strength, nothing included, may enter."""
    if q.world.has_role(q.unit.spec, "air"):
        return no(f"{q.unit} is an air unit, which has no attack strength on the ground")
    if NO_ATTACK not in q.unit.spec.traits:
        return YES
    return no(f"{q.unit} has no attack strength printed on it")


@rule("49.A.1.d.ii/1")
def nothing_that_flies_is_placed_in_reserve(q: Any) -> Verdict:
    """An air unit that arrives is placed at an airbase, and in no reserve."""
    if not q.command.reserve or not q.world.has_role(q.unit.spec, "air"):
        return YES
    return no(f"{q.unit} is an air unit", remedy=f"place it without {the_field('reserve')}")


@rule("49.A.1.d.iii/1", "49.B.2/1")
def is_in_no_garrison(q: Changing) -> Verdict:
    """A unit that is part of a garrison stays out of the reserves."""
    garrison = garrison_of(q.state, q.unit)
    if not garrison:
        return YES
    return no(
        f"{q.unit} is in the garrison of {the_pool(garrison)}", remedy="release it: it then enters at once and free"
    )


@rule("49.A.1.d.v/1")
def traces_to_a_depot(q: Changing) -> Verdict:
    """A unit needs a regular supply line to a depot."""
    supply = said_of(q.facts, q.unit, "supply") if q.unit.place.on_map else REGULAR
    if supply == REGULAR and q.facts.within_reach(q.unit.id, q.nets):
        return YES
    if not q.nets:
        return no(f"{the_pool(q.payer)} has no depot", remedy="declare depot of the hex where one lies")
    if supply == REGULAR:
        return no(f"{q.unit} is in supply, but traces to no depot of {the_pool(q.payer)}", remedy="open a line to one")
    why = q.facts.reason(unit_key(q.unit.id), "supply")
    return no(
        f"{q.unit} is {supply_in_words(supply)}, and needs a regular line to a depot{why}",
        remedy="open a regular supply line",
    )


ENTRY = (
    reserves_are_played,
    in_the_first_reinforcement_phase,
    shows_an_attack_strength,
    is_in_no_garrison,
    traces_to_a_depot,
    depot_is_one_it_can_use,
    the_number_is_known,
    limit_is_not_exceeded,
)


class EnterReserve(Command, tag="enter-reserve", frozen=True):
    """Put a unit into operational reserve."""

    unit: UnitName
    depot: Spot = ""
    """The depot to charge, where the unit stands in the nets of several."""

    question = Changing
    needs = (is_in_no_reserve,)
    requires = ENTRY

    def move(self, q: Changing) -> Move:
        return Move(entering=True)

    def waived(self, q: Changing) -> str:
        return ""

    def overdraft(self, q: Changing) -> str:
        return ""

    def effects(self, q: Changing) -> Iterator[Event]:
        yield from paid(q, "49.A.1.d/1")
        yield from entered(q, OPERATIONAL, "49.A/1 49.A.1.d/1")
        yield from operational_change(q)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.on_map and world.plays_reserves and not world.has_role(unit.spec, "air"):
            facts = world.facts(state)
            if facts.of_unit(unit, RESERVE) == NO_RESERVE:
                for depot in nets(world, facts, unit.id, unit.place, unit.spec.nation):
                    yield cls(unit=unit.id, depot=depot)


# ------------------------------------------------------------------------------------------- garrisons


def into_reserve_on_release(unit_id: str) -> Iterator[Event]:
    """A unit released from garrison is in operational reserve at once, at no cost."""
    yield Marked(
        on=unit_key(unit_id),
        mark=RESERVE,
        value=OPERATIONAL,
        because="49.A.1.d.vi/1 49.A/1",
        says="released from garrison: no operational reserve points used",
    )


@computed("49.A.1.d.vi/1")
def released(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Event]:
    """A unit that leaves its garrison is in reserve where it stands, and out of the box it is a reinforcement."""
    if unit.place.kind == GARRISON_BOX:
        track = Place(REINFORCEMENT_TRACK, unit.place.of, state.clock.turn)
        yield Moved(unit=unit.id, frm=unit.place, to=track, because="49.A.1.d.vi/1 51.B.11/1")
        yield marked(unit.id, BROUGHT_BY, RELEASED)
    elif world.plays_reserves:
        yield from into_reserve_on_release(unit.id)


@rule("49.A.1.d.vi/1")
def stands_in_a_garrison(q: Changing) -> Verdict:
    """Only a unit in a garrison can be released."""
    if garrison_of(q.state, q.unit):
        return YES
    return no(f"{q.unit} is in no garrison", remedy="declare garrison of it if it is")


class ReleaseGarrison(Command, tag="release-from-garrison", frozen=True):
    """Release a unit from its garrison: it goes into operational reserve at once and at no cost."""

    unit: UnitName

    question = Changing
    needs = (stands_in_a_garrison,)

    def effects(self, q: Changing) -> Iterator[Event]:
        yield from take_off(q.state, unit_key(q.unit.id), GARRISON, "49.A.1.d.vi/1")
        yield from released(q.world, q.state, q.unit)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if garrison_of(state, unit):
            yield cls(unit=unit.id)


def declared_released(q: Any) -> Iterator[Event]:
    """Declaring that a unit is no longer in its garrison is a release."""
    if not q.value and garrison_of(q.state, q.unit):
        yield from released(q.world, q.state, q.unit)


def activated(q: Any) -> Iterator[Event]:
    """A training unit activated out of a garrison is released from it too."""
    yield from released(q.world, q.state, q.unit)


CHAPTER = Chapter(
    heading="49.A.1.d",
    commands=(EnterReserve, ReleaseGarrison),
    guards={PlaceUnit: (nothing_that_flies_is_placed_in_reserve, placed_in_a_reserve_that_is_played)},
    declared={GARRISON: (declared_released,)},
    also={ActivateTraining: (activated,)},
)
