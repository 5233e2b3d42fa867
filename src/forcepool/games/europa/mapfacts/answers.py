"""How the map answers each fact that the rules ask for and nobody declared."""

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product

from forcepool.engine.alike import NAMELESS
from forcepool.engine.events import Value
from forcepool.engine.facts import SetsApart, fixed
from forcepool.engine.hexmap.search import UNSEEN
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.games.europa.facts import (
    ACTIVE,
    INACTIVE,
    NOT_ISOLATED,
    SEMI_ACTIVE,
    SUPPLY_ISOLATED,
    EuropaFacts,
)
from forcepool.games.europa.mapfacts import lines
from forcepool.games.europa.mapfacts.positions import camp_of, enemies_in, hexes_of, side_at, zones_upon
from forcepool.games.europa.mapfacts.traces import energy_line
from forcepool.games.europa.replacements.soviet import energy
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

BATTLE = switch(
    "battle-zone",
    "49.A.1.c.ii/1",
    "where the battle zone is, in a campaign with a map",
    declared="where the players declare it",
    near_the_enemy="within some hexes of an enemy ground unit",
)
ACTIVITY = switch(
    "md-activity",
    "49.A.1.b.iv/3",
    "how active an MD is, in a campaign with a map",
    declared="as the players declare it",
    by_the_map="active with an HQ and enemies in it, semi-active beside enemies, inactive otherwise",
)

Here = Callable[[EuropaWorld, EuropaFacts, int, str], Value]
"""Answers of a hex, for the side that asks; None leaves it to what is declared."""
There = Callable[[EuropaWorld, EuropaFacts, str], Value]
"""Answers of an area."""


# ------------------------------------------------------------------------------------------- of a hex


def _supply(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    found = lines.supply(world, facts, side)
    if found is None:
        return None
    return found.grade(hexes_of(world), lines.over_land(world, facts, side), index)


def _isolated(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    found = lines.supply(world, facts, side)
    if found is None:
        return None
    out = lines.way_out(hexes_of(world), lines.over_land(world, facts, side), found.any_length, index)
    return SUPPLY_ISOLATED if out == UNSEEN else NOT_ISOLATED


def _enemy_zoc(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    return [zone for zone, _ in zones_upon(world, facts, index, side)]


def _adjacent_enemy(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    return any(enemies_in(world, facts, other, side) for other in hexes_of(world).grid.neighbours(index))


def _battle_zone(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    asked = world.ruling(facts.state, BATTLE.key) == "near-the-enemy"
    return near_the_enemy(world, facts, index, side) if asked else None


@computed("49.A.1.c.ii/1")
def near_the_enemy(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> bool:
    """Within some hexes of an enemy ground unit, where the group lets the map say so."""
    grid, most = hexes_of(world).grid, int(world.numbers["battle_zone"])
    stacks = (world.hex_index(name) for name in facts.state.stacks)
    near = (other for other in stacks if other is not None and grid.distance(index, other) <= most)
    return any(enemies_in(world, facts, other, side) for other in near)


def _overland_line(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    found = lines.over_land_to_a_depot(world, facts, side)
    if found is None:
        return None
    return lines.way_out(hexes_of(world), lines.over_land(world, facts, side), found, index) != UNSEEN


def _traces_to(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    named: Value = list(lines.places_traced(world, facts, side, index))
    return named


def _owner(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    return hexes_of(world).owner_at(index)


def _line(kind: str) -> Here:
    def drawn(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
        return hexes_of(world).has(kind, index)

    return drawn


def _sea(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    hexes = hexes_of(world)
    if not hexes.terrain_at(index).water:
        return ""
    return hexes.area_at(index).sea or hexes.terrain_at(index).name


def _edges(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    edges: Value = list(hexes_of(world).edges(index))
    return edges


def _borders(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
    hexes = hexes_of(world)
    around = (hexes.area_at(each).theatre for each in (index, *hexes.grid.neighbours(index)))
    borders: Value = sorted({each for each in around if each})
    return borders


def _energy(kind: str) -> Here:
    def traced(world: EuropaWorld, facts: EuropaFacts, index: int, side: str) -> Value:
        sources = energy.source_rows(world, facts)
        shown = any(row.kind == kind and world.hex_index(name) is not None for name, row in sources)
        return None if not shown else "yes" if energy_line(world, facts, kind, index).found else "no"

    return traced


OF_A_HEX: Mapping[str, Here] = {
    "supply": _supply,
    "isolated": _isolated,
    "enemy_zoc": _enemy_zoc,
    "adjacent_enemy": _adjacent_enemy,
    "battle_zone": _battle_zone,
    "overland_line": _overland_line,
    "traces_to": _traces_to,
    "owner": _owner,
    "rail": _line("rail"),
    "road": _line("road"),
    "sea": _sea,
    "edges": _edges,
    "borders": _borders,
    "coal_line": _energy(energy.COAL),
    "oil_line": _energy(energy.OIL),
}
OF_A_UNIT = ("supply", "isolated", "enemy_zoc", "adjacent_enemy", "battle_zone", "overland_line", "traces_to")
"""What is so of a unit because of the hex it stands in."""


# ------------------------------------------------------------------------------------------ of an area


@fixed
def _hexes_in(world: EuropaWorld, area: str) -> list[int]:
    """The hexes of an area, all that lies within it included."""
    hexes = hexes_of(world)
    letters = {letter for letter in hexes.drawing.areas if area in world.line_of(_named(world, letter))}
    wanted = {ord(letter) for letter in letters}
    return [index for index in hexes.hexes if hexes.areas[index] in wanted]


def _named(world: EuropaWorld, letter: str) -> str:
    named = [each for each in hexes_of(world).drawing.areas[letter].named() if each[0] != "sea"]
    return f"{named[0][0]}/{named[0][1].casefold()}" if named else ""


def _adjacent(world: EuropaWorld, facts: EuropaFacts, area: str) -> Value:
    """The areas of the same kind that an area touches over land, the longest border first."""
    touching = _touching(world).get(area, Counter[str]())
    return sorted(touching, key=lambda each: (-touching[each], each))


@fixed
def _touching(world: EuropaWorld) -> dict[str, Counter[str]]:
    """How many hexsides each area shares over land with others of its kind."""
    hexes, sides = hexes_of(world), Counter[tuple[int, int]]()
    land, areas, passable, moves = hexes.land, hexes.areas, hexes.passable, hexes.grid.moves
    for index in hexes.hexes:
        if land[index]:
            around = (index + step for step in moves[index & 1][passable[index]])
            sides.update((areas[index], areas[other]) for other in around if land[other])
    lines = {ord(letter): world.line_of(_named(world, letter)) for letter in hexes.drawing.areas}
    found: dict[str, Counter[str]] = {}
    for (here, beyond), number in sides.items():
        for one, other in product(lines.get(here, ()), lines.get(beyond, ())):
            if one != other and one.partition("/")[0] == other.partition("/")[0]:
                found.setdefault(one, Counter())[other] += number
    return found


def _activity(world: EuropaWorld, facts: EuropaFacts, area: str) -> Value:
    if world.ruling(facts.state, ACTIVITY.key) != "by-the-map":
        return None
    side = world.side_now(facts.state, world.country_of(area))
    return activity_by_the_map(world, facts, area, side) if side and _hexes_in(world, area) else None


@computed("49.A.1.b.iv/3")
def activity_by_the_map(world: EuropaWorld, facts: EuropaFacts, area: str, side: str) -> str:
    """Active with a friendly HQ and enemies in it, semi-active with enemies in it or beside it, else inactive."""
    state, hexes, within = facts.state, hexes_of(world), set(_hexes_in(world, area))
    camp = camp_of(world, side)
    hq = met = beside = False
    for name in state.stacks:
        index = world.hex_index(name)
        if index is None:
            continue
        if index in within:
            friends = (unit for unit in state.stack(name) if world.side_now(state, unit.spec.nation) in camp)
            hq |= any(world.has_role(unit.spec, "hq") for unit in friends)
        if enemies_in(world, facts, index, side):
            met |= index in within
            beside |= any(other in within for other in hexes.grid.neighbours(index))
    if met and hq:
        return ACTIVE
    return SEMI_ACTIVE if met or beside else INACTIVE


OF_AN_AREA: Mapping[str, There] = {"adjacent": _adjacent, "activity": _activity}


# ------------------------------------------------------------------------------------------------- both


def answer(world: EuropaWorld, facts: EuropaFacts, on: str, name: str) -> Value:
    """What the map says of a unit, a place or an area; None when it cannot tell."""
    kind, _, of = on.partition("/")
    if of in NAMELESS:
        raise SetsApart
    if kind == "place" and name in OF_A_HEX:
        index = world.hex_index(of)
        if index is None:
            return None
        side = "" if name in ("owner", "rail", "road", "sea", "edges", "borders") else side_at(world, facts, of)
        return OF_A_HEX[name](world, facts, index, side)
    if kind == "unit" and name in OF_A_UNIT:
        unit = facts.state.units.get(of)
        return _of_unit(world, facts, unit, name) if unit is not None and unit.place.on_map else None
    return OF_AN_AREA[name](world, facts, of) if kind == "area" and name in OF_AN_AREA else None


def answer_to(world: EuropaWorld, facts: EuropaFacts, side: str, place: str, name: str) -> Value:
    """What the map says of a place to one side; None when it cannot tell."""
    if place in NAMELESS:
        raise SetsApart
    index = world.hex_index(place)
    return None if index is None or name not in OF_A_HEX else OF_A_HEX[name](world, facts, index, side)


def _of_unit(world: EuropaWorld, facts: EuropaFacts, unit: Unit, name: str) -> Value:
    """What was declared of its hex, else what the map says to the unit's side."""
    said = facts.declared(f"place/{unit.place.of}", name)
    index = world.hex_index(unit.place.of)
    if said is not None or index is None:
        return said
    return OF_A_HEX[name](world, facts, index, world.side_now(facts.state, unit.spec.nation))
