"""Lines traced on random maps, against a slow and independent search over a graph built by the words of the rules."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import networkx as nx
import pytest

from forcepool import games
from forcepool.engine.hexmap.tracing import Traced, trace
from forcepool.engine.state import State, restore, snapshot
from forcepool.files.yamltext import read_yaml
from forcepool.games.europa.world import EuropaWorld

COLUMNS, ROWS = 14, 9
NEAR, FAR = 3, 5
"""The stretches over land of regular and limited supply, short so that a small map has hexes beyond them."""

Hex = tuple[int, int]


class Front:
    """A random map with random units, as text for the game and as plain sets for the oracle."""

    def __init__(self, seed: int) -> None:
        chance = random.Random(seed)
        cells = [(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)]
        self.water = {cell for cell in cells if chance.random() < 0.15}
        self.land = [cell for cell in cells if cell not in self.water]
        self.soviet = {cell for cell in cells if cell[0] + chance.choice((-1, 0, 0, 1)) > COLUMNS // 2}
        self.rails = {edge for edge in self.edges() if chance.random() < 0.35}
        self.roads = {edge for edge in self.edges() if chance.random() < 0.2}
        self.closed = {edge for edge in self.edges() if chance.random() < 0.05}
        stands = chance.sample(self.land, 9)
        self.axis_units = {cell: chance.choice(("XX", "XX", "III")) for cell in stands[:5]}
        self.soviet_units = {cell: chance.choice(("XX", "III")) for cell in stands[5:]}
        places = chance.sample(self.land, 5)
        self.berlin, self.moscow, self.gorki, self.coal, self.oil = places

    def edges(self) -> Iterator[frozenset[Hex]]:
        """Pairs of land hexes that touch, in a fixed order."""
        for cell in self.land:
            for other in around(cell):
                if other in self.land and cell < other:
                    yield frozenset((cell, other))

    def text(self) -> str:
        """The scenario as a player would write it."""
        wet = "\n".join(
            "          " + "".join("~" if (c, r) in self.water else "." for c in range(1, COLUMNS + 1))
            for r in range(1, ROWS + 1)
        )
        own = "\n".join(
            "          " + "".join("s" if (c, r) in self.soviet else "a" for c in range(1, COLUMNS + 1))
            for r in range(1, ROWS + 1)
        )
        axis = [
            f"  a{n}: {{spec: 4-6 Inf {size}, nation: German, at: {label(cell)}}}"
            for n, (cell, size) in enumerate(self.axis_units.items())
        ]
        soviet = [
            f"  s{n}: {{spec: 4-6 Rifle {size}, nation: Soviet, at: {label(cell)}}}"
            for n, (cell, size) in enumerate(self.soviet_units.items())
        ]
        units = "\n".join([*axis, *soviet])
        return f"""
turn: Aug 1 41
# Here only units and their zones stop a line; how far one goes through the enemy's country is held by cases.
house_rules: {{taken-hexes: stop-none}}
numbers: {{supply_overland: {NEAR}, supply_limited: {FAR}}}
map:
  owners: {{a: Axis, s: Soviet}}
  sheets:
    "1":
      terrain: |
{wet}
      owners: |
{own}
  lines:
    rail: [{", ".join(pairs(self.rails))}]
    road: [{", ".join(pairs(self.roads))}]
  hexsides: [{", ".join(pairs(self.closed))}]
places:
  Berlin: {{hex: {label(self.berlin)}, owner: Axis, supply_source: Axis}}
  Moscow: {{hex: {label(self.moscow)}, owner: Soviet, supply_source: Soviet}}
  Gorki: {{hex: {label(self.gorki)}, owner: Soviet, producing: yes}}
  Pit: {{hex: {label(self.coal)}, owner: Soviet}}
  Baku: {{hex: {label(self.oil)}, owner: Soviet}}
charts:
  energy_sources: [{{kind: coal, place: Pit, clause: 52.D.2.c.3/4}}]
units:
{units}
"""

    # --------------------------------------------------------------------------------------- the oracle

    def owned(self, side: str) -> set[Hex]:
        soviet = (self.soviet | {self.moscow, self.gorki, self.coal, self.oil}) - {self.berlin}
        every = {(column, row) for column in range(1, COLUMNS + 1) for row in range(1, ROWS + 1)}
        return soviet if side == "Soviet" else every - soviet

    def crossings(self) -> set[frozenset[Hex]]:
        return {edge for edge in self.edges() if edge not in self.closed or edge in self.rails | self.roads}

    def free(self, side: str) -> set[Hex]:
        ours, theirs = (self.axis_units, self.soviet_units)[:: 1 if side == "Axis" else -1]
        zones = set()
        for cell, size in theirs.items():
            if size == "XX":
                zones.add(cell)
                zones |= {other for edge in self.crossings() if cell in edge for other in edge}
        return {cell for cell in self.land if cell not in theirs and (cell not in zones or cell in ours)}

    def graph(self, edges: set[frozenset[Hex]], inside: set[Hex], start: Hex) -> "nx.Graph[Hex]":
        """The hexes one may go through, and the hex a line sets out from, whatever lies upon it."""
        found: nx.Graph[Hex] = nx.Graph()
        found.add_nodes_from(inside | {start})
        found.add_edges_from((min(edge), max(edge)) for edge in edges if edge <= inside | {start})
        return found

    def steps(self, edges: set[frozenset[Hex]], inside: set[Hex], start: Hex, goal: Hex) -> int | None:
        if goal not in inside:
            return None
        graph = self.graph(edges, inside, start)
        return len(nx.shortest_path(graph, start, goal)) - 1 if nx.has_path(graph, start, goal) else None

    def grade(self, side: str, start: Hex) -> str:
        """Regular, limited or no supply: by rail from the source, then so many hexes over land."""
        source = self.berlin if side == "Axis" else self.moscow
        free = self.free(side)
        if source not in free:
            return "none"
        along = self.graph(self.rails, free & self.owned(side), source)
        heads = nx.node_connected_component(along, source)
        over = nx.single_source_shortest_path_length(self.graph(self.crossings(), free, start), start)
        nearest = min((over[head] for head in heads if head in over), default=99)
        return "regular" if nearest <= NEAR else "limited" if nearest <= FAR else "none"


def around(cell: Hex) -> list[Hex]:
    """The six hexes around one; even columns sit half a hex lower."""
    column, row = cell
    down = 0 if column % 2 == 0 else -1
    sides = [(column + side, row + down + each) for side in (-1, 1) for each in (0, 1)]
    return [(column, row - 1), (column, row + 1), *sides]


def label(cell: Hex) -> str:
    return f"1:{cell[0]:02d}{cell[1]:02d}"


def pairs(edges: set[frozenset[Hex]]) -> list[str]:
    return sorted(" - ".join(label(cell) for cell in sorted(edge)) for edge in edges)


class Begun(NamedTuple):
    """A front, and the campaign begun on it."""

    front: Front
    world: EuropaWorld
    state: State


@pytest.fixture(scope="module", params=range(40))
def campaign(request: pytest.FixtureRequest) -> Begun:
    front = Front(request.param)
    game = games.game("europa")
    set_up = game.set_up(read_yaml(front.text(), "front.yaml"), ())
    world = game.build(set_up.world)
    assert isinstance(world, EuropaWorld)
    return Begun(front, world, restore(snapshot(set_up.state)))


def is_a_line(world: EuropaWorld, found: Traced, edges: set[frozenset[Hex]]) -> bool:
    """Whether each step of a path crosses a side that it may."""
    assert world.hexes is not None
    cells = [_cell(world.hexes.grid.label(world.hexes.find(name))) for name in found.path]
    return all(frozenset(step) in edges for step in pairwise(cells))


def _cell(text: str) -> Hex:
    return int(text[2:4]), int(text[4:])


def test_coal_and_oil_lines_are_those_of_the_oracle(campaign: Begun) -> None:
    front, world, state = campaign
    tracks = front.rails | front.roads
    touched = {cell for edge in tracks for cell in edge}
    inside = front.free("Soviet") & front.owned("Soviet") & touched
    for kind, goal in (("coal", front.coal), ("oil", front.oil)):
        found = trace(world, state, kind, "Gorki")
        steps = front.steps(tracks, inside, front.gorki, goal)
        assert (found.found, len(found.path) - 1 if found.found else None) == (steps is not None, steps), found
        assert is_a_line(world, found, tracks)
        assert world.facts(state).value("place/Gorki", f"{kind}_line") == ("yes" if found.found else "no")


def test_lines_over_land_and_by_rail_are_those_of_the_oracle(campaign: Begun) -> None:
    front, world, state = campaign
    for number, (side, units, goal) in enumerate(
        [("Axis", front.axis_units, front.berlin), ("Soviet", front.soviet_units, front.moscow)]
    ):
        free = front.free(side)
        for index, cell in enumerate(units):
            unit = f"{'as'[number]}{index}"
            for kind, edges, inside in (
                ("overland", front.crossings(), free),
                ("rail", front.rails, free & front.owned(side) & {each for edge in front.rails for each in edge}),
            ):
                found = trace(world, state, kind, unit)
                steps = front.steps(edges, inside, cell, goal)
                if steps is None and cell == goal:
                    # Whoever stands on the source has his line, though no track leaves it.
                    steps = 0
                assert (found.found, len(found.path) - 1 if found.found else None) == (steps is not None, steps), found
                assert is_a_line(world, found, edges)


def test_supply_and_isolation_are_those_of_the_oracle(campaign: Begun) -> None:
    front, world, state = campaign
    facts = world.facts(state)
    for unit in state.units_in_order():
        side = world.side_of(unit.spec.nation)
        goal = front.berlin if side == "Axis" else front.moscow
        assert world.hexes is not None
        cell = _cell(world.hexes.grid.label(world.hexes.find(unit.place.of)))
        cut_off = front.steps(front.crossings(), front.free(side), cell, goal) is None
        assert facts.isolated(unit) == ("supply" if cut_off else "no")
        assert facts.supply(unit) == front.grade(side, cell), (unit.id, trace(world, state, "supply", unit.id))


def test_the_hexes_that_stop_a_line_are_closed_and_lie_beside_what_it_reached(campaign: Begun) -> None:
    front, world, state = campaign
    free, crossings = front.free("Axis"), front.crossings()
    for index, cell in enumerate(front.axis_units):
        found = trace(world, state, "overland", f"a{index}")
        if found.found:
            continue
        reached = nx.node_connected_component(front.graph(crossings, free, cell), cell)
        beside = {
            other
            for edge in crossings
            for other in edge
            if edge & reached and other not in reached and other not in free
        }
        assert world.hexes is not None
        assert {_cell(world.hexes.grid.label(world.hexes.find(each))) for each in found.blocked} == beside
