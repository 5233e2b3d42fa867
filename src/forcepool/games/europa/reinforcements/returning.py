"""51.A.6 and 52.G/2  Rebuilt and disrupted units on their way back: how many a location takes, and where."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, cast

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import place_key, unit_key
from forcepool.engine.sentence import the_place, the_pool, the_units
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, No, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.placing import PLACED, RETURNED, RETURNS, is_disrupted
from forcepool.games.europa.question import Appears
from forcepool.games.europa.reinforcements.entries import ENTRY
from forcepool.games.europa.reinforcements.sites import army_hqs, is_city
from forcepool.games.europa.replacements.general.placement import (
    OF_ITS_FORMER_LIFE,
    PlaceUnit,
    no_enemy_zoc_upon_it,
    one_unit_a_location,
    stands_at_a_location_of_its_md,
)
from forcepool.games.europa.replacements.special.auxiliary import inside_the_pocket
from forcepool.games.europa.world import LOCAL, EuropaWorld
from forcepool.orderofbattle.model import Entry, PlaceSpec
from forcepool.rulebook.citations import computed

BACK = "come back"
"""The verb of the entry that stands for a disrupted unit's return, which the order of battle does not list."""


# ----------------------------------------------------------------------------------------- rebuilt: 52.A


def _rebuilt(q: Any) -> bool:
    """A rebuilt unit on its way back, unlike a reinforcement of the order of battle."""
    return q.state.mark(unit_key(q.unit.id), ENTRY) is None


@rule("51.A.6/1")
def returning_units_come_one_a_location(q: Any) -> Verdict:
    """One rebuilt or disrupted unit a city and army HQ."""
    return _as_placement_says(one_unit_a_location(q)) if _rebuilt(q) else YES


@rule("51.A.6/2")
def returning_units_come_in_their_front(q: Any) -> Verdict:
    """In the front in which the unit was disrupted, or that paid for it."""
    return _as_placement_says(stands_at_a_location_of_its_md(q)) if _rebuilt(q) else YES


@rule("51.A.6/3")
def returning_units_keep_out_of_zocs(q: Any) -> Verdict:
    """Not in an enemy ZOC."""
    return _as_placement_says(no_enemy_zoc_upon_it(q)) if _rebuilt(q) else YES


def _as_placement_says(verdict: Verdict) -> Verdict:
    """The same answer, cited by the clause of the rule that asks."""
    if not isinstance(verdict, No):
        return YES
    return no(verdict.sentence, verdict.advice, ways=verdict.ways, have=verdict.have, need=verdict.need)


# -------------------------------------------------------------------------------------- disrupted: 52.G


@computed("52.G/2")
def way_back(unit: Unit) -> Entry:
    """What stands for a line of the order of battle where a disrupted unit returns to its front."""
    kind, _, name = unit.place.of.partition("/")
    return Entry(key=BACK, line=0, verb="reinforce", place=PlaceSpec(kind, (name,)))


def is_due_back(state: State, unit: Unit) -> bool:
    """Whether a disrupted unit's four turns are over."""
    return is_disrupted(state, unit) and unit.place.due <= state.clock.turn


@rule("52.G/2", "51.A.6/1", "51.A.6/2", "52.F.4.b/5")
def comes_back_to_its_front(q: Any) -> Verdict:
    """A disrupted unit comes back at a city or with an army HQ of its front; towns and training units do not serve."""
    if not is_disrupted(q.state, q.unit):
        return YES
    front = q.unit.place.of
    if not q.hex:
        return no(f"{q.unit} comes back on the map", remedy=f"choose a city or army HQ of {front}")
    if front.startswith(LOCAL):
        return inside_the_pocket(q) or YES
    around = q.world.spot(q.hex).area
    if around and front not in q.world.line_of(around):
        says, remedy = f"{q.unit} was disrupted in {the_pool(front)}", f"choose a city or army HQ of {the_pool(front)}"
        return no(says, remedy=remedy, also=("51.A.6/2",))
    if is_city(q.facts, q.hex):
        return yes("51.A.6/1")
    if hqs := army_hqs(q):
        return yes("51.A.6/1", f"with {hqs[0]}")
    return no(
        f"{the_place(q.hex)} is no city, and no army HQ stands there",
        remedy=f"choose a city of {the_pool(front)}, or the hex of an army HQ",
        clause="51.A.6/1",
    )


@rule("51.A.6/1")
def comes_back_one_a_location(q: Any) -> Verdict:
    """One returning unit a city and army HQ in a turn, whether it was disrupted or rebuilt."""
    if not is_disrupted(q.state, q.unit) or not q.hex:
        return YES
    here = [each for mark in (PLACED, RETURNED) for each in cast(list[str], q.facts.value(place_key(q.hex), mark))]
    locations = is_city(q.facts, q.hex) + len(army_hqs(q))
    if len(here) < max(locations, 1):
        return YES
    return no(
        f"{the_place(q.hex)} has {locations} location{'s' if locations != 1 else ''} and took {the_units(here)} "
        "this turn",
        remedy="choose another city or army HQ, or wait a turn",
        have=Fraction(len(here) + 1),
        need=Fraction(locations),
        units=tuple(here),
    )


@rule("51.A.6/3")
def comes_back_out_of_zocs(q: Any) -> Verdict:
    """Not in an enemy ZOC, unlike a reinforcement of the order of battle."""
    if not is_disrupted(q.state, q.unit) or not q.hex:
        return YES
    zones = cast(list[str], q.facts.value(place_key(q.hex), "enemy_zoc"))
    if not any(q.world.zone_rank(zone) for zone in zones):
        return YES
    why = q.facts.reason(place_key(q.hex), "enemy_zoc")
    return no(
        f"{the_place(q.hex)} lies in an enemy ZOC ({', '.join(zones)}){why}",
        remedy="choose another hex, or let it wait",
    )


def is_back(q: Any) -> Iterator[Event]:
    """It takes a location of its hex, and nothing clings to it of where it was disrupted."""
    if not is_disrupted(q.state, q.unit):
        return
    on = unit_key(q.unit.id)
    taken = cast(list[str], q.facts.value(place_key(q.hex), RETURNED))
    yield Marked(on=place_key(q.hex), mark=RETURNED, value=[*taken, q.unit.id], because="51.A.6/1")
    # The reserve it was in ended with the disruption; the one its front's depots are in it has just been given.
    for mark in (RETURNS, *(each for each in OF_ITS_FORMER_LIFE if each != "reserve")):
        if q.state.mark(on, mark) is not None:
            yield Marked(on=on, mark=mark, value=None, because="52.G/2")


def due_back(world: EuropaWorld, state: State, side: str) -> list[Unit]:
    """The disrupted units of a side whose time is over, in order."""
    names = sorted(on.removeprefix("unit/") for on in state.marked.get(RETURNS, ()))
    units = (state.units[name] for name in names if name in state.units)
    return [unit for unit in units if is_due_back(state, unit) and world.side_now(state, unit.spec.nation) == side]


CHAPTER = Chapter(
    heading="51.A.6",
    guards={
        PlaceUnit: (
            returning_units_come_one_a_location,
            returning_units_come_in_their_front,
            returning_units_keep_out_of_zocs,
        ),
        Appears: (comes_back_to_its_front, comes_back_one_a_location, comes_back_out_of_zocs),
    },
    also={Appears: (is_back,)},
)
