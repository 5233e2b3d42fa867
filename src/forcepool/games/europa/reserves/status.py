"""49, 49.A and 49.A.2  Being in operational reserve: who is from the start, what it means, and how it is lost."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.agenda import LAPSES, NEWS, Item
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, YES_NO, Fact, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.places import OUT, TRACK
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER, OPERATIONAL, EuropaFacts
from forcepool.games.europa.ground import transport
from forcepool.games.europa.ground.placing import FROM_STRATEGIC
from forcepool.games.europa.ground.standing import GARRISON
from forcepool.games.europa.reserves.changes import (
    FREE,
    RESERVE,
    RESERVE_MARKER,
    is_forming,
    left_reserve,
    reserve_of,
    theatre_totals,
)
from forcepool.games.europa.reserves.mediterranean import MSR
from forcepool.games.europa.reserves.sizes import area_of, said_of
from forcepool.games.europa.world import ELIMINATED, ISOLATED, MIX, EuropaWorld
from forcepool.rulebook.citations import asked, computed, shown

ADJACENT_ENEMY, COLONY = "adjacent_enemy", "colony"
BY_RAIL = "by_strategic_rail"
GONE = (ELIMINATED, ISOLATED, OUT, MIX, TRACK)
"""Places where no reserve is kept."""


# --------------------------------------------------------------------------------------- at the beginning


@computed("49/2")
def in_a_neutral_country(world: EuropaWorld, facts: EuropaFacts, area: str) -> bool:
    """Whether an MD lies in a country that is neutral."""
    return facts.is_neutral(world.country_of(area))


@computed("49/3")
def in_a_colony(world: EuropaWorld, facts: EuropaFacts, area: str) -> bool:
    """Whether an MD lies in a colony."""
    return any(facts.of_area(each, COLONY) is True for each in world.line_of(area))


def at_the_start(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Every ground unit in a neutral country or a colony begins in operational reserve, at no cost."""
    facts = world.facts(state)
    for unit in state.units_in_order() if world.plays_reserves else ():
        on = unit_key(unit.id)
        if not unit.place.on_map or world.has_role(unit.spec, "air") or state.mark(on, RESERVE):
            continue
        if facts.of_unit(unit, GARRISON):
            continue
        area = area_of(world, unit)
        for holds, clause in ((in_a_neutral_country, "49/2"), (in_a_colony, "49/3")):
            if holds(world, facts, area):
                yield Marked(on=on, mark=RESERVE, value=OPERATIONAL, because=clause)
                break


# --------------------------------------------------------------------------------------------- what it means

MEANS = (
    ("carries an 'Operational Reserve' marker", "49.A/1"),
    ("may not fire AA", "49.A.2.a/1"),
    ("spends MPs on strategic rail movement only", "49.A.2.b/1"),
    ("has no APZOC", "49.A.2.c/1"),
    ("has its normal ZOC", "49.A.2.c/2"),
    ("may have special operations planned for it", "49.A.2.f/1"),
    ("may take part in surprise turns", "49.A.2.g/1"),
)


@shown("49.A.2.a/1", "49.A.2.b/1", "49.A.2.c/1", "49.A.2.c/2", "49.A.2.f/1", "49.A.2.g/1")
def effects_of_reserve(unit: Unit) -> list[Effect]:
    """What a unit in operational reserve may and may not do on the map."""
    return [Effect(text, clause) for text, clause in MEANS]


@computed("49.A.2.b/2")
def rail_size(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> Fraction:
    """The rail capacity a unit takes: twice its REs while it is in operational reserve."""
    res = world.res(unit.spec, unit.step)
    return res * world.numbers["reserve_rail_size"] if reserve_of(facts, unit) == OPERATIONAL else res


def shows(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """The effects of operational reserve on a unit that is in it."""
    facts = world.facts(state)
    if reserve_of(facts, unit) != OPERATIONAL:
        return
    if unit.place.on_map:
        yield from effects_of_reserve(unit)
        text = f"counts {show_counted(rail_size(world, facts, unit), 'RE')} on strategic rail"
        yield Effect(text, "49.A.2.b/2")
    elif is_forming(unit):
        yield Effect("is in operational reserve while it forms, and stays in it when placed", "49.A/5")


@rule("49.A.2.b/1")
def reserves_move_by_strategic_rail_only(q: Any) -> Verdict:
    """A unit in operational reserve moves by strategic rail or not at all."""
    if not q.command.unit or q.value is not True or reserve_of(q.world.facts(q.state), q.unit) != OPERATIONAL:
        return YES
    if q.world.facts(q.state).is_so(q.unit, BY_RAIL):
        return YES
    return no(
        f"{q.unit} is in operational reserve",
        remedy=f"take it out of reserve first, or declare {BY_RAIL} of it",
    )


@rule("49.A.2.b/2")
def strategic_rail_carries_it(q: Any) -> Verdict:
    """On strategic rail a unit in operational reserve takes twice its REs of rail capacity."""
    if not _boards(q):
        return YES
    load = rail_size(q.world, q.world.facts(q.state), q.unit)
    free = transport.left(q.world, q.state, q.unit.spec.nation, transport.RAIL)
    if free is None or load <= free:
        return YES
    side = q.world.side_now(q.state, q.unit.spec.nation)
    later = ", or wait for the next turn" if transport.fits_in_a_turn(q.world, side, transport.RAIL, load) else ""
    return no(
        f"{q.unit} in reserve takes {show_counted(load, 'RE')} of rail capacity, {show_points(free)} are left",
        remedy=f"take it out of reserve first{later}",
        have=free,
        need=load,
    )


def _boards(q: Any) -> bool:
    """Whether a unit in operational reserve is now said to move by strategic rail, and was not before."""
    facts = q.world.facts(q.state)
    return (
        bool(q.command.unit)
        and q.value is True
        and not facts.is_so(q.unit, BY_RAIL)
        and reserve_of(facts, q.unit) == OPERATIONAL
    )


def boards(q: Any) -> Iterator[Event]:
    """The rail capacity that a unit in operational reserve takes on strategic rail is used."""
    if _boards(q):
        load, nation = rail_size(q.world, q.world.facts(q.state), q.unit), q.unit.spec.nation
        says = f"{q.unit} in operational reserve"
        yield from transport.taken(q.world, q.state, nation, transport.RAIL, load, "49.A.2.b/2", says)


# ------------------------------------------------------------------------------------------- how it is lost


@asked("49.A.2.d/1")
def beside_an_enemy(facts: EuropaFacts, unit: Unit) -> bool:
    """Whether players say that an enemy unit at war with it is next to a unit."""
    return said_of(facts, unit, ADJACENT_ENEMY) is True


def lost_beside_the_enemy(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As any phase ends, a unit in operational reserve next to an enemy loses its status, at no cost."""
    if not state.marked.get(ADJACENT_ENEMY) and not world.has_map:
        return
    facts = world.facts(state)
    for unit in _concerned(world, state):
        if reserve_of(facts, unit) == OPERATIONAL and beside_an_enemy(facts, unit):
            yield from left_reserve(state, unit.id, FREE, "49.A.2.d/1 49.A/2")


def cleared_from_lost_units(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A unit that is gone from map and boxes has left its reserve, and does not come back with its markers."""
    for on in sorted(state.marked.get(MP_MARKER, ())):
        unit = state.units.get(on.removeprefix("unit/"))
        # On a track the number stays: a unit that is refitted comes back under its doubled marker.
        if unit is not None and unit.place.kind in GONE and unit.place.kind != TRACK:
            yield Marked(on=on, mark=MP_MARKER, because="49.A.1.e.ii/1", says="it is no longer in play")
    for mark in (RESERVE, RESERVE_MARKER, MSR, FROM_STRATEGIC):
        for on in sorted(state.marked.get(mark, ())):
            unit = state.units.get(on.removeprefix("unit/"))
            on_its_way = mark == FROM_STRATEGIC and unit is not None and unit.place.kind == TRACK
            if unit is not None and unit.place.kind in GONE and not on_its_way:
                yield Marked(on=on, mark=mark, because="49.A/2", says="it is no longer in play")


def _concerned(world: EuropaWorld, state: State) -> list[Unit]:
    """The units of which, or of whose hex, something was said about the enemy next to it; on a map, all in reserve."""
    found: dict[str, Unit] = {}
    for on in sorted(state.marked.get(RESERVE if world.has_map else ADJACENT_ENEMY, ())):
        kind, _, name = on.partition("/")
        if kind == "unit" and name in state.units:
            found[name] = state.units[name]
        elif kind == "place":
            found |= {unit.id: unit for unit in state.stack(name)}
    return [unit for _, unit in sorted(found.items()) if unit.place.on_map]


# ------------------------------------------------------------------------------------------------- agenda


def standing(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The REs in operational reserve by theatre, and who is about to lose the status."""
    facts = world.facts(state)
    for unit in _concerned(world, state):
        if reserve_of(facts, unit) == OPERATIONAL and beside_an_enemy(facts, unit):
            text = f"{unit} loses its operational reserve status as the phase ends"
            yield Item(LAPSES, text, "49.A.2.d/1", world.side_now(state, unit.spec.nation))
    totals, players = theatre_totals(world, facts), world.sequence.players
    for theatre in sorted({theatre for theatre, _ in totals} - {""}):
        for side in players:
            if total := totals.get((theatre, side)):
                text = f"{show_counted(total, 'RE')} in operational reserve in {the_pool(theatre)}"
                yield Item(NEWS, text, "49.A/3", side)


CHAPTER = Chapter(
    heading="49.A.2",
    facts=(
        Fact(ADJACENT_ENEMY, ("unit", "place"), "an enemy ground unit at war with it is next to it", False, YES_NO),
        Fact(COLONY, ("area",), "it lies in a colony", False, YES_NO),
        Fact(BY_RAIL, ("unit",), "it moves by strategic rail", False, YES_NO, lasts=PLAYER_TURN),
    ),
    forbids={"moved": (reserves_move_by_strategic_rail_only,), BY_RAIL: (strategic_rail_carries_it,)},
    declared={BY_RAIL: (boards,)},
    opening=(at_the_start,),
    ends=(lost_beside_the_enemy, cleared_from_lost_units),
    agenda=(standing,),
    shows=(shows,),
)
