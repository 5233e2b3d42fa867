"""The lines players ask for by name, each with the hexes it takes or those that stop it."""

from collections.abc import Iterable
from typing import cast

from forcepool.engine.facts import kept
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.search import UNSEEN, Reach, first_goal, in_the_way, reach
from forcepool.engine.hexmap.tracing import LineKind, Traced
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.soviet_pools import SOVIET
from forcepool.games.europa.mapfacts import lines
from forcepool.games.europa.mapfacts.lines import Net
from forcepool.games.europa.mapfacts.positions import enemies_in, hexes_of, side_at, zones_upon
from forcepool.games.europa.replacements.soviet import energy
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

SUPPLY, OVERLAND, RAIL, DEPOT, COAL, OIL = KINDS = ("supply", "overland", "rail", "depot", energy.COAL, energy.OIL)
ENERGY_CLAUSES = ("52.D.2.c.3/1", "52.D.2.c.3/2", "52.D.2.c.3/3")
LINES = (
    LineKind(SUPPLY, ("52.A.9.d/6",)),
    LineKind(OVERLAND),
    LineKind(RAIL),
    LineKind(DEPOT, ("49.A.1.d.v/1",)),
    LineKind(COAL, ENERGY_CLAUSES, SOVIET),
    LineKind(OIL, ENERGY_CLAUSES, SOVIET),
)
MOST_NAMED = 4
"""Blocking hexes that a sentence names; the rest are in the list."""


def trace(world: EuropaWorld, state: State, kind: str, frm: str, to: str = "", side: str = "") -> Traced:
    """The line of a kind from a hex, a place or a unit to the nearest of what it seeks, or to the place named.

    It is traced for the side that asks, else for the unit's, else for the side that holds the hex.
    """
    if kind not in KINDS:
        raise BadHex(f"there is no line '{kind}'; lines are {', '.join(KINDS)}")
    facts = world.facts(state)
    unit = state.units.get(frm)
    name = unit.place.of if unit is not None and unit.place.on_map else frm
    index = hexes_of(world).find(name)
    name = hexes_of(world).called(index)
    if not side:
        side = world.side_now(state, unit.spec.nation) if unit is not None else side_at(world, facts, name)
    if to:
        return _between(world, facts, kind, side, index, hexes_of(world).find(to))
    if kind in energy.ENERGIES:
        return energy_line(world, facts, kind, index)
    return supply_line(world, facts, side, index) if kind == SUPPLY else _to_nearest(world, facts, kind, side, index)


# -------------------------------------------------------------------------------------------------- kinds


def supply_line(world: EuropaWorld, facts: EuropaFacts, side: str, index: int) -> Traced:
    """The supply line of a hex: over land to a railway or a source, then by rail."""
    found = lines.supply(world, facts, side)
    if found is None:
        return Traced(SUPPLY, True, f"the scenario names no supply source of {_whose(side)}, so none is asked for")
    hexes, land = hexes_of(world), lines.over_land(world, facts, side)
    grade, path = found.line(hexes, land, index)
    if path:
        return _line(world, SUPPLY, f"{grade} supply", path)
    if lines.way_out(hexes, land, found.any_length, index) != UNSEEN:
        most = world.numbers["supply_limited"]
        here = the_place(hexes.called(index))
        return Traced(SUPPLY, False, f"no supply: a line from {here} needs more than {most} hexes over land")
    return _no_line(world, facts, SUPPLY, side, land, index, _hexes(world, lines.sources_of(world, facts, side)))


def _to_nearest(world: EuropaWorld, facts: EuropaFacts, kind: str, side: str, index: int) -> Traced:
    """A line over land or by rail to the nearest supply source, or over land to the nearest depot."""
    net = lines.by_rail(world, facts, side) if kind == RAIL else lines.over_land(world, facts, side)
    named = lines.depots(world, facts, side) if kind == DEPOT else lines.sources_of(world, facts, side)
    if not named and (kind == DEPOT or not lines.has_sources(world, facts, side)):
        what = "depot" if kind == DEPOT else "supply source"
        return Traced(kind, True, f"the map shows no {what} of {_whose(side)}, so no line is asked for")
    ends = lines.open_hexes(world, facts, side, named)
    found = _search(world, kind, _far(world, facts, kind, side, net, index), index, ends) if ends else None
    return found or _no_line(world, facts, kind, side, net, index, _hexes(world, named))


def _between(world: EuropaWorld, facts: EuropaFacts, kind: str, side: str, index: int, to: int) -> Traced:
    """A line of a kind from one hex to another."""
    if kind == RAIL:
        net = lines.by_rail(world, facts, side)
    elif kind in energy.ENERGIES:
        net = lines.by_rail_and_road(world, facts, SOVIET)
    else:
        net = lines.over_land(world, facts, side)
    found = _search(world, kind, _far(world, facts, kind, side, net, index), index, (to,))
    return found or _no_line(world, facts, kind, side, net, index, (to,))


def _far(world: EuropaWorld, facts: EuropaFacts, kind: str, side: str, net: Net, index: int) -> Net:
    """The part of a net over land that a line of any length out of a hex may use; a railway is owned hex by hex."""
    if kind == RAIL or kind in energy.ENERGIES:
        return net
    return Net(net.ways, lines.far(world, facts, side, (index,)).row, net.drawn)


@computed("52.D.2.c.3/1")
def energy_line(world: EuropaWorld, facts: EuropaFacts, kind: str, index: int) -> Traced:
    """The line of a factory to the nearest working coal or oil source the Soviets own."""
    net = lines.by_rail_and_road(world, facts, SOVIET)
    named = [each for city in energy.sources(world, facts.state, kind) for each in (city, *facts.parts_of(city))]
    starts = tuple(each for each in map(world.hex_index, named) if each is not None and net.free[each])
    found = _from_sources(world, facts, starts)
    out = lines.way_out(hexes_of(world), net, found, index)
    if out == UNSEEN:
        return _no_line(world, facts, kind, SOVIET, net, index, _hexes(world, named))
    return _line(world, kind, f"{kind} line", [*([] if out == index else [index]), *found.path(out)])


@kept
def _from_sources(world: EuropaWorld, facts: EuropaFacts, starts: tuple[int, ...]) -> Reach:
    return lines.flood(hexes_of(world), lines.by_rail_and_road(world, facts, SOVIET), starts)


# ------------------------------------------------------------------------------------------ in a sentence


def _hexes(world: EuropaWorld, places: Iterable[str]) -> tuple[int, ...]:
    return tuple(index for index in map(world.hex_index, places) if index is not None)


def _search(world: EuropaWorld, kind: str, net: Net, index: int, goals: tuple[int, ...]) -> Traced | None:
    hexes = hexes_of(world)
    wanted = bytearray(hexes.grid.size)
    for goal in goals:
        wanted[goal] = 1
    found = reach(hexes.grid.moves, net.sides, net.free, (index,), goals=wanted)
    goal = first_goal(found, wanted)
    return None if goal == UNSEEN else _line(world, kind, f"{kind} line", found.path(goal)[::-1])


def _line(world: EuropaWorld, kind: str, what: str, path: list[int]) -> Traced:
    names = tuple(map(hexes_of(world).called, path))
    steps = len(path) - 1
    says = (
        f"{what}: {the_place(names[0])} to {the_place(names[-1])}, {steps} hex{'' if steps == 1 else 'es'}"
        if steps
        else f"{what}: there"
    )
    return Traced(kind, True, says, names)


def _no_line(
    world: EuropaWorld, facts: EuropaFacts, kind: str, side: str, net: Net, index: int, goals: tuple[int, ...]
) -> Traced:
    """What stops a line: all closed hexes it comes up against, and in words those on what would be the shortest way."""
    hexes = hexes_of(world)
    grid = hexes.grid
    tried = reach(grid.moves, net.sides, net.free, (index,))
    closed = bytes(drawn and not free for drawn, free in zip(net.drawn, net.free, strict=True))
    blocked = tuple(map(hexes.called, in_the_way(grid.moves, net.sides, tried, closed)))
    word = "supply" if kind == SUPPLY else f"{kind} line"
    here = the_place(hexes.called(index))
    if not goals:
        return Traced(kind, False, f"no {word}: nothing on the map yields any to {_whose(side)} now")
    way = _as_if_open(world, net, index, goals)
    if not way:
        return Traced(
            kind,
            False,
            f"no {word}: nothing on the map leads from {here} to {the_place(hexes.called(goals[0]))}",
            (),
            blocked,
        )
    cuts = [each for each in way if each != index and not net.free[each]]
    if not cuts:
        most = world.numbers["supply_limited"]
        where = (
            f"the way to {the_place(hexes.called(way[-1]))} goes through more than {most} hexes in a row of the enemy's"
        )
        return Traced(kind, False, f"no {word} from {here}: {where}", (), blocked)
    named = ", ".join(
        f"{the_place(hexes.called(each))} ({_why_closed(world, facts, side, each)})" for each in cuts[:MOST_NAMED]
    )
    more = f" and {len(cuts) - MOST_NAMED} more" if len(cuts) > MOST_NAMED else ""
    says = f"no {word} from {here}: the shortest way to {the_place(hexes.called(way[-1]))} is cut at {named}{more}"
    return Traced(kind, False, says, (), blocked)


def _as_if_open(world: EuropaWorld, net: Net, index: int, goals: tuple[int, ...]) -> list[int]:
    """The shortest way if nobody closed a hex of it."""
    hexes = hexes_of(world)
    found: Reach = reach(hexes.grid.moves, net.sides, net.drawn, (index,))
    ends = [goal for goal in goals if goal in found]
    return min((found.path(goal)[::-1] for goal in ends), key=len) if ends else []


def _why_closed(world: EuropaWorld, facts: EuropaFacts, side: str, index: int) -> str:
    if enemies := enemies_in(world, facts, index, side):
        return f"{enemies[0]}"
    stops = cast(int, world.numbers["zone_stops_lines"])
    zones = [unit for zone, unit in zones_upon(world, facts, index, side) if world.zone_rank(zone) >= stops]
    covered = side_at(world, facts, hexes_of(world).called(index)) == side and facts.state.stacks.get(
        hexes_of(world).called(index)
    )
    if zones and not covered:
        return f"ZOC of {zones[0]}"
    owner = facts.owner(hexes_of(world).called(index))
    return f"owned by {_whose(owner)}" if owner else "owned by nobody"


def _whose(side: str) -> str:
    return f"the {side}" if side else "nobody"
