"""Lines on a map of 30,000 hexes with 3,000 units, beside networkx on the same map in the same run.

    python benchmarks/tracing.py

Goals: the coal and oil lines of a factory in under 20 ms, all traces of a turn in under 1 s. "Cold" is the first
question after a unit has moved, with everything still to be worked out. The run is void unless both find lines of the
same length. Prints one line of JSON a figure.
"""

import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

import networkx as nx  # noqa: E402

from forcepool import games  # noqa: E402
from forcepool.engine.events import Moved  # noqa: E402
from forcepool.engine.hexmap.hexmap import HexMap  # noqa: E402
from forcepool.engine.hexmap.reading import read_map  # noqa: E402
from forcepool.engine.hexmap.tracing import trace  # noqa: E402
from forcepool.engine.places import at_hex  # noqa: E402
from forcepool.engine.state import State, evolve, restore, snapshot  # noqa: E402
from forcepool.files.yamltext import read_yaml  # noqa: E402
from forcepool.games.europa.mapfacts import lines  # noqa: E402
from forcepool.games.europa.world import EuropaWorld  # noqa: E402

T = TypeVar("T")
ACROSS, DOWN, WIDE, HIGH = 5, 4, 30, 50
UNITS, FACTORIES, COAL = 1500, 40, 10
MOVES = 15
FRONT = ACROSS * WIDE // 2


def main() -> None:
    world, state = _campaign()
    factories = [f"Factory {number}" for number in range(FACTORIES)]
    _show("map", hexes=len(_hexes(world).hexes), units=len(state.units), load_ms=_best(_load, 3))
    cold, warm, alone, theirs = [], [], [], []
    graph = _tracks(world)
    for number in range(MOVES):
        _move(state, number)
        factory = factories[number % FACTORIES]
        took, found = _timed(lambda: [trace(world, state, kind, factory) for kind in ("coal", "oil")])  # noqa: B023
        cold.append(took)
        other = factories[(number + 7) % FACTORIES]
        warm.append(_timed(lambda: [trace(world, state, kind, other) for kind in ("coal", "oil")])[0])  # noqa: B023
        alone.append(_timed(lambda: _search_alone(world, state, factory))[0])  # noqa: B023
        took, lengths = _timed(lambda: _networkx_energy(world, state, graph, factory))  # noqa: B023
        theirs.append(took)
        ours = [len(each.path) if each.found else 0 for each in found]
        if ours != lengths:
            raise SystemExit(f"void: from {factory} ours are {ours} hexes long, networkx's {lengths}")
    _show(
        "a factory's coal and oil lines",
        goal_ms=20,
        cold_ms=_ms(median(cold)),
        cold_worst_ms=_ms(max(cold)),
        next_factory_ms=_ms(median(warm)),
        search_alone_ms=_ms(median(alone)),
        networkx_search_alone_ms=_ms(median(theirs)),
        times=round(median(theirs) / median(alone), 1),
    )
    turn, peer = [], []
    for number in range(3):
        _move(state, number)
        took, supplied = _timed(lambda: _turn(world, state, factories))
        turn.append(took)
        took, theirs_supplied = _timed(lambda: _networkx_turn(world, state, graph, factories))
        peer.append(took)
        if supplied != theirs_supplied:
            raise SystemExit(f"void: ours finds {supplied} units not isolated, networkx {theirs_supplied}")
    _show(
        "all traces of a turn",
        goal_s=1,
        traces=2 * len(state.units) + 2 * FACTORIES,
        seconds=round(median(turn), 3),
        networkx_s=round(median(peer), 3),
        times=round(median(peer) / median(turn), 1),
    )


# ------------------------------------------------------------------------------------------------ ours


def _turn(world: EuropaWorld, state: State, factories: list[str]) -> int:
    """Supply and isolation of every unit, coal and oil of every factory; how many units are not isolated."""
    facts = world.facts(state)
    for unit in state.units_in_order():
        facts.supply(unit)
    for factory in factories:
        for kind in ("coal", "oil"):
            facts.of_place(factory, f"{kind}_line")
    return sum(facts.isolated(unit) == "no" for unit in state.units_in_order())


def _search_alone(world: EuropaWorld, state: State, factory: str) -> None:
    """The railways a factory reaches, once it is known who stands where; networkx is told that too."""
    start = world.hex_index(factory)
    assert start is not None
    lines.flood(_hexes(world), lines.by_rail_and_road(world, world.facts(state), "Soviet"), (start,))


def _move(state: State, number: int) -> None:
    """A unit goes one hex aside and back, so that everything must be worked out anew."""
    unit = state.units[f"a{number}"]
    evolve(
        state,
        [
            Moved(unit=unit.id, frm=unit.place, to=at_hex("1:0101")),
            Moved(unit=unit.id, frm=at_hex("1:0101"), to=unit.place),
        ],
    )


# -------------------------------------------------------------------------------------------- networkx


def _tracks(world: EuropaWorld) -> dict[str, "nx.Graph[int]"]:
    """The net of railways and roads, and that of all land, as graphs; making them is not counted."""
    hexes = _hexes(world)
    found: dict[str, nx.Graph[int]] = {"tracks": nx.Graph(), "land": nx.Graph()}
    for index in hexes.hexes:
        for side, step in enumerate(hexes.grid.steps[index & 1]):
            if hexes.lines["rail"][index] >> side & 1:
                found["tracks"].add_edge(index, index + step)
            if hexes.land[index] and hexes.land[index + step]:
                found["land"].add_edge(index, index + step)
    return found


def _networkx_energy(world: EuropaWorld, state: State, graph: dict[str, "nx.Graph[int]"], factory: str) -> list[int]:
    facts = world.facts(state)
    net = lines.by_rail_and_road(world, facts, "Soviet")
    start = world.hex_index(factory)
    assert start is not None
    view = nx.subgraph_view(graph["tracks"], filter_node=lambda each: bool(net.free[each]) or each == start)
    reached = nx.single_source_shortest_path_length(view, start)
    sources = {"coal": [f"Pit {number}" for number in range(COAL)], "oil": ["Baku"]}
    lengths = []
    for kind in ("coal", "oil"):
        ends = [
            reached[index]
            for place in sources[kind]
            if (index := world.hex_index(place)) in reached and index is not None
        ]
        lengths.append(1 + int(min(ends)) if ends else 0)
    return lengths


def _networkx_turn(world: EuropaWorld, state: State, graph: dict[str, "nx.Graph[int]"], factories: list[str]) -> int:
    """The same questions: what each side's source reaches over land, and the lines of each factory."""
    facts, free = world.facts(state), 0
    for factory in factories:
        _networkx_energy(world, state, graph, factory)
    for side, source in (("Axis", "Berlin"), ("Soviet", "Moscow")):
        net, start = lines.over_land(world, facts, side), world.hex_index(source)
        assert start is not None
        view = nx.subgraph_view(graph["land"], filter_node=_is_free(net))
        reached = nx.single_source_shortest_path_length(view, start)
        free += sum(
            world.hex_index(unit.place.of) in reached
            for unit in state.units.values()
            if world.side_of(unit.spec.nation) == side
        )
    return free


# --------------------------------------------------------------------------------------- the campaign


def _campaign() -> tuple[EuropaWorld, State]:
    game = games.game("europa")
    set_up = game.set_up(read_yaml(_scenario(), "wide.yaml"), ())
    world = game.build(set_up.world)
    assert isinstance(world, EuropaWorld)
    return world, restore(snapshot(set_up.state))


def _load() -> None:
    text = _map()
    HexMap(read_map(read_yaml(text, "wide.map"), (), text))


def _scenario() -> str:
    chance = random.Random(41)
    land = [(c, r) for c in range(1, ACROSS * WIDE + 1) for r in range(1, DOWN * HIGH + 1) if not _is_water(c, r)]
    west = [cell for cell in land if FRONT - 40 < cell[0] < FRONT]
    east = [cell for cell in land if FRONT < cell[0] < FRONT + 40]
    stands = [("a", "German", cell) for cell in chance.choices(west, k=UNITS)]
    stands += [("s", "Soviet", cell) for cell in chance.choices(east, k=UNITS)]
    numbers = {"a": 0, "s": 0}
    units = []
    for side, nation, cell in stands:
        units.append(f"  {side}{numbers[side]}: {{spec: 4-6 Inf XX, nation: {nation}, at: {_label(*cell)}}}")
        numbers[side] += 1
    pits = ", ".join(f"{{kind: coal, place: Pit {number}, clause: 52.D.2.c.3/4}}" for number in range(COAL))
    head = f"turn: Aug 1 41\ncharts: {{energy_sources: [{pits}]}}\nplaces:\n"
    head += "  Berlin: {supply_source: Axis}\n  Moscow: {supply_source: Soviet}\n"
    head += "".join(f"  Factory {number}: {{producing: yes}}\n" for number in range(FACTORIES))
    return (
        f"{head}map:\n{''.join(f'  {line}' for line in _map().splitlines(keepends=True))}units:\n"
        + "\n".join(units)
        + "\n"
    )


def _map() -> str:
    sheets = []
    for number in range(ACROSS * DOWN):
        left, top = number % ACROSS * WIDE, number // ACROSS * HIGH
        cells = [[(left + c, top + r) for c in range(1, WIDE + 1)] for r in range(1, HIGH + 1)]
        terrain = "\n".join("      " + "".join("~" if _is_water(*cell) else "." for cell in row) for row in cells)
        owners = "\n".join("      " + "".join("a" if cell[0] <= FRONT else "s" for cell in row) for row in cells)
        sheets.append(
            f'  "{number + 1}":\n    at: [{left}, {top}]\n    terrain: |\n{terrain}\n    owners: |\n{owners}\n'
        )
    rails = [
        f"    - {' - '.join(_label(c, r) for c in range(1, ACROSS * WIDE + 1, 7))}\n" for r in range(5, DOWN * HIGH, 10)
    ]
    rails += [f"    - {_label(c, 5)} - {_label(c, DOWN * HIGH - 5)}\n" for c in range(8, ACROSS * WIDE, 14)]
    return (
        "owners: {a: Axis, s: Soviet}\nsheets:\n"
        + "".join(sheets)
        + "places:\n"
        + "".join(f"  {name}: {{hex: {_label(*cell)}}}\n" for name, cell in _places())
        + "lines:\n  rail:\n"
        + "".join(rails)
    )


def _places() -> list[tuple[str, tuple[int, int]]]:
    """On railways that run across: the sources at the far ends, the factories between."""
    far = ACROSS * WIDE
    found = [("Berlin", (1, 5)), ("Moscow", (far - 2, 105)), ("Baku", (far - 2, DOWN * HIGH - 5))]
    stops = [
        (c, r)
        for c in range(FRONT + 10, far - 3, 7)
        for r in range(5, DOWN * HIGH - 10, 10)
        if (c, r) != (far - 2, 105)
    ]
    spread = stops[:: max(1, len(stops) // (FACTORIES + COAL))]
    stops_ = iter([each for each in spread if each not in dict.fromkeys(cell for _, cell in found)])
    found += [(f"Factory {number}", next(stops_)) for number in range(FACTORIES)]
    return found + [(f"Pit {number}", next(stops_)) for number in range(COAL)]


def _is_water(column: int, row: int) -> bool:
    """Lakes between the railways."""
    return row % 10 in (9, 0, 1) and column % 14 in (1, 2, 3)


def _label(column: int, row: int) -> str:
    sheet = (row - 1) // HIGH * ACROSS + (column - 1) // WIDE + 1
    return f"{sheet}:{(column - 1) % WIDE + 1:02d}{(row - 1) % HIGH + 1:02d}"


# ---------------------------------------------------------------------------------------------- figures


def _hexes(world: EuropaWorld) -> HexMap:
    assert world.hexes is not None
    return world.hexes


def _is_free(net: lines.Net) -> Callable[[int], bool]:
    return lambda each: bool(net.free[each])


def _timed(work: Callable[[], T]) -> tuple[float, T]:
    begun = perf_counter()
    found = work()
    return perf_counter() - begun, found


def _best(work: Callable[[], None], times: int) -> float:
    return _ms(min(_timed(work)[0] for _ in range(times)))


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 2)


def _show(run: str, **figures: object) -> None:
    print(json.dumps({"run": f"tracing: {run}", **figures}))


if __name__ == "__main__":
    main()
