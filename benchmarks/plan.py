"""Planning twelve turns: the demonstration in August 1941, and a made-up campaign of 2,000 dead and reduced units.

    python benchmarks/run.py plan

Goals: solved within 5 s, made in all within 20 s, played through with no refusal left and the promise kept, never below
the best rule of thumb. The peer is the same solver on the same choices with a number for each unit instead of one for
each group of units alike.
"""

import json
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.demonstration import begun
from msgspec.structs import replace

from forcepool.engine.collecting import collect_seldom
from forcepool.engine.state import State, Unit
from forcepool.engine.world import World
from forcepool.planner.carried import Follower, followed, total
from forcepool.planner.deals import worth
from forcepool.planner.goals import Goals
from forcepool.planner.greedy import RULES, Purse, greedy
from forcepool.planner.network import Arc, Network, Node, network
from forcepool.planner.outlook import outlook
from forcepool.planner.solver import solve
from tests.support.armies import war
from tests.support.table import Table

TURNS, UNITS, LONGEST = 12, 2000, 20.0


def campaigns() -> Iterator[tuple[str, World, State, str]]:
    demonstration = begun()
    for side in demonstration.world.sequence.players:
        yield f"east-1941 {side}", demonstration.world, demonstration.state, side
    made_up = Table(war(UNITS, fallen=True)).campaign
    for side in made_up.world.sequence.players:
        yield f"{UNITS} units {side}", made_up.world, made_up.state, side


def unit_by_unit(net: Network) -> Network:
    """The same choices, with a node and arcs for each unit."""
    nodes: list[Node] = [replace(node, units=()) for node in net.nodes]
    arcs: list[Arc] = [arc for arc in net.arcs if not net.nodes[arc.node].units]
    for node in net.nodes:
        of_it = [arc for arc in net.arcs if arc.node == node.number]
        for unit in node.units:
            number = len(nodes)
            nodes.append(replace(node, number=number, units=(unit,)))
            arcs += [replace(arc, node=number) for arc in of_it]
    # Numbers of nodes grow along the arcs, which the bounds of the variables rely on.
    order = sorted(nodes, key=lambda each: (not each.units, each.number))
    new = {node.number: number for number, node in enumerate(order)}
    return replace(
        net,
        nodes=tuple(replace(node, number=new[node.number]) for node in order),
        arcs=tuple(replace(arc, node=new[arc.node], to=new[arc.to]) for arc in arcs),
    )


def measured(world: World, state: State, side: str) -> Iterator[tuple[str, object]]:
    def counts(unit: Unit, _: State) -> Fraction:
        return worth(world, unit.spec, unit.step)

    start = time.perf_counter()
    ahead = outlook(world, state, side, TURNS)
    yield "outlook_s", round(time.perf_counter() - start, 2)
    asked = time.perf_counter()
    net = network(world, ahead, counts=counts)
    yield "network_s", round(time.perf_counter() - asked, 2)
    yield "choices", len(net.arcs)
    quiet = total(world, ahead.end, side, counts)
    here = sum((node.counts * len(node.units) for node in net.nodes), Fraction(0))
    solving = time.perf_counter()
    solution = solve(net, Goals())
    assert solution is not None
    yield "solve_s", round(time.perf_counter() - solving, 2)
    playing = time.perf_counter()
    played = followed(world, state, side, TURNS, Follower(net, solution.taken, solution.sent), lambda done, of: None)
    yield "play_s", round(time.perf_counter() - playing, 2)
    yield "in_all_s", round(time.perf_counter() - start, 2)
    yield "promised", str(solution.value - here)
    yield "bound", str(solution.bound - here)
    yield "played", str(total(world, played.end, side, counts) - quiet)
    yield "refused", len(played.failed)
    thumbs = (
        greedy(world, state, side, TURNS, rule, counts=counts, purse=Purse(Goals(), ahead)) for rule in RULES.values()
    )
    best = max(total(world, each.end, side, counts) - quiet for each in thumbs)
    yield "best_rule_of_thumb", str(best)
    peer = unit_by_unit(net)
    solving = time.perf_counter()
    other = solve(peer, Goals(), seconds=LONGEST)
    assert other is not None
    yield "peer_choices", len(peer.arcs)
    yield "peer_solve_s", round(time.perf_counter() - solving, 2)
    yield "peer_found", str(other.value - here)
    yield "peer_bound", str(other.bound - here)


def main() -> int:
    collect_seldom()  # As the command does.
    for name, world, state, side in campaigns():
        print(json.dumps({"run": name, **dict(measured(world, state, side))}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
