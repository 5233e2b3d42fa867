"""The best choice from a network, by OR-Tools' CP-SAT, in whole numbers.

It begins from a guess, and one worker proves it or goes on from there; only where that takes long do all cores help.
The answer comes with a bound: no choice from this network is worth more.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from forcepool.planner.goals import Goals
from forcepool.planner.guess import guessed
from forcepool.planner.model import Cut, Model
from forcepool.planner.network import Network

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpSolver

SECONDS = 10.0
"""How long the solver looks for something better."""
SECONDS_TO_HASTEN = 10.0
"""How long it then looks for a way that is as good and earlier, however busy the machine."""
SECONDS_TO_PROVE = 60.0
"""How long a lesser question may take at most, on a machine that has no time for it."""
STEADY, STEADY_TO_LOOK, STEADY_TO_HASTEN = 2.0, 0.2, 0.5
"""The same in the solver's own time, which is the same on every machine: a second of a processor or two for each."""
FEW = 4
HASTE = 1000
"""A moment earlier is worth more than points that need not be sent."""
PROVERS = ("max_lp_sym", "reduced_costs", "default_lp")


class Solution(Struct, frozen=True):
    """How often each arc is taken, what that comes to, and what no choice exceeds."""

    taken: Mapping[int, int]
    """By the number of the arc."""
    value: Fraction
    bound: Fraction
    proven: bool
    sent: Mapping[int, Fraction] = {}
    """How many points go each way, by the number of the shipment."""


def has_solver() -> bool:
    """Whether OR-Tools is installed."""
    from importlib.util import find_spec

    return find_spec("ortools") is not None


def solver_starts() -> bool:
    """Whether OR-Tools can be used: installed, and whole; one that lacks a library of the system is as good as none."""
    if not has_solver():
        return False
    try:
        import_module("ortools.sat.python.cp_model")
    except ImportError:
        return False
    return True


def solve(
    network: Network,
    goals: Goals,
    cuts: Iterable[Cut] = (),
    *,
    seconds: float = SECONDS,
    before: Mapping[int, int] = {},
) -> Solution | None:
    """The most that can be had; then, of the ways to have it, the earliest. None if nothing was found in time.

    Of `before`, how often a plan made earlier takes an arc, as much is kept as can be.
    """
    model = Model(network, goals, cuts, before)
    value = model.value()
    large = 1 + sum(len(node.units) for node in network.nodes) * max(
        (int(node.counts * model.scale) for node in network.nodes), default=0
    )
    # What is wanted by name comes first, then how early, then what was planned before, then the most.
    again = 1 + sum(before.values())
    hurry = large * again if goals.earliest else 0
    most = large * again * (len(network.outlook.moments) + 2)
    still, wished = model.sum(model.still), value
    if model.still:
        wished += large * still
    if model.met:
        wished += most * model.sum(model.met) - hurry * model.latest
    model.model.maximize(wished)
    solver, status = run(model, seconds)
    if status not in (model.cp.OPTIMAL, model.cp.FEASIBLE):
        return None
    best = solver.value(value)
    met = [solver.value(each) for each in model.met]
    kept = int(solver.value(still))
    bound = int(solver.best_objective_bound) - most * sum(met) + hurry * int(solver.value(model.latest))
    first = _told(model, solver, best, bound - large * kept, proven=status == model.cp.OPTIMAL)
    # The same, but as early as can be: else everything is bought at the last moment, and jams where it arrives.
    model.model.add(value >= best)
    model.model.add(still >= kept)
    model.model.add(model.latest <= solver.value(model.latest))
    for each, was in zip(model.met, met, strict=True):
        model.model.add(each >= was)
    hastened = _hastened(model, solver)
    return first if hastened is None else _told(model, hastened, best, bound - large * kept, proven=first.proven)


def _hastened(model: Model, found: "CpSolver") -> "CpSolver | None":
    """As much as was found, as early as can be; None if nothing was found in time."""
    network, feasible = model.network, model.cp.FEASIBLE
    late = [1 + min(arc.ready, len(network.outlook.moments)) for arc in network.arcs]
    haste = model.cp.LinearExpr.weighted_sum(model.taken, [HASTE * each for each in late])
    model.model.minimize(haste + model.sum(model.sent))
    _hint(model, list(found.response_proto.solution))
    solver, status = _steadily(model, SECONDS_TO_HASTEN, STEADY_TO_LOOK, is_known=True)
    if status == model.cp.OPTIMAL:
        return solver
    # Among all that is worth as much it is not soon found: what becomes of which units is settled then.
    found = solver if status == feasible else found
    _settle_what_is_done(model, found)
    _hint(model, list(found.response_proto.solution))
    solver, status = _steadily(model, SECONDS_TO_HASTEN, STEADY_TO_HASTEN)
    is_near = status == feasible and 100 * solver.objective_value <= 101 * solver.best_objective_bound
    if status != model.cp.OPTIMAL and not is_near:
        # What is far from the best there could be is mended from where it stands, which comes close.
        if status == feasible:
            _hint(model, list(solver.response_proto.solution))
        solver, status = _steadily(model, SECONDS_TO_HASTEN, STEADY_TO_HASTEN, is_known=True, repairs=True)
    return solver if status in (model.cp.OPTIMAL, feasible) else None


def _settle_what_is_done(model: Model, found: "CpSolver") -> None:
    """What becomes of how many units stays as it was found; when, and what is sent, is still to be chosen."""
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, arc in enumerate(model.network.arcs):
        alike[arc.node, arc.to].append(number)
    for arcs in alike.values():
        times = sum(found.value(model.taken[each]) for each in arcs)
        model.model.add(model.sum(model.taken[each] for each in arcs) == times)


def _told(model: Model, solver: "CpSolver", best: int, bound: int, *, proven: bool) -> Solution:
    taken = {number: int(solver.value(var)) for number, var in enumerate(model.taken) if solver.value(var)}
    sent = {
        number: int(solver.value(var)) * model.part(model.network.shipments[number])
        for number, var in enumerate(model.sent)
        if solver.value(var)
    }
    return Solution(taken, Fraction(best, model.scale), Fraction(bound, model.scale), proven, sent)


# ------------------------------------------------------------------------------------------------ how it is searched


def proven(model: Model) -> "CpSolver | None":
    """What one worker proves of a model in a time counted by steps, however busy the machine; None if it does not."""
    solver, status = _steadily(model, SECONDS_TO_PROVE, STEADY)
    return solver if status == model.cp.OPTIMAL else None


def run(model: Model, seconds: float) -> tuple["CpSolver", Any]:
    """Have a model solved as it stands: by one worker, whose answer is always the same; else by all there are."""
    guess = guessed(model.model)
    if guess is not None:
        _hint(model, guess)
    solver, status = _steadily(model, seconds, STEADY, is_known=guess is not None)
    if status in (model.cp.OPTIMAL, model.cp.INFEASIBLE):
        return solver, status
    if status == model.cp.FEASIBLE:
        _hint(model, list(solver.response_proto.solution))
    solver = model.cp.CpSolver()
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.num_workers = max(FEW, os.cpu_count() or 1)
    if solver.parameters.num_workers == FEW:
        # With few workers its own choice leaves out those that prove a bound.
        solver.parameters.subsolvers.extend(PROVERS)
    solver.parameters.random_seed = 1
    return solver, solver.solve(model.model)


def _steadily(
    model: Model, seconds: float, steady: float, *, is_known: bool = False, repairs: bool = False
) -> tuple["CpSolver", Any]:
    """By one worker that relaxes all it can, which proves these models soonest, in a time counted by steps."""
    solver = model.cp.CpSolver()
    solver.parameters.num_workers, solver.parameters.random_seed = 1, 1
    solver.parameters.linearization_level, solver.parameters.cut_level = 2, 1
    # These models are nearly linear: the relaxation solved to its end leaves little to search.
    solver.parameters.root_lp_iterations = 20_000
    solver.parameters.max_deterministic_time = steady
    solver.parameters.max_time_in_seconds = seconds
    solver.parameters.repair_hint = repairs
    if is_known:
        # From what is known on, without much ado before.
        solver.parameters.max_presolve_iterations = 1
        solver.parameters.cp_model_probing_level = solver.parameters.symmetry_level = 0
    return solver, solver.solve(model.model)


def _hint(model: Model, found: Sequence[int]) -> None:
    """Begin the next time with what was found: every number of it, else the solver has to find the rest."""
    hint = model.model.proto.solution_hint
    hint.vars.clear()
    hint.values.clear()
    hint.vars.extend(range(len(found)))
    hint.values.extend(found)
