"""A guess at the best choice, by CBC: quick, but in rounded numbers, so that it proves nothing.

These models are nearly linear, and a solver that works with the relaxation alone finds the best within a second. The
exact solver begins from there: what is left for it is to check the guess and to prove that nothing exceeds it.
"""

import warnings
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

SECONDS = 5.0
"""How long a guess may take; most take a tenth of it."""
BOUNDLESS = 1 << 60


def guessed(model: "CpModel") -> list[int] | None:
    """A number for each choice of a model, likely the best; None where there is nothing to guess with."""
    proto: Any = model.proto
    if any(list(each.enforcement_literal) for each in proto.constraints):
        return None
    with warnings.catch_warnings():
        # Of how it was built, which is nothing to whoever plans.
        warnings.simplefilter("ignore", DeprecationWarning)
        from ortools.linear_solver import pywraplp
    solver: Any = pywraplp.Solver.CreateSolver("CBC")
    if solver is None:
        return None
    domains = [list(each.domain) for each in proto.variables]
    choices = [solver.IntVar(least, most, "") for least, *_, most in domains]
    for each in proto.constraints:
        least, *_, most = list(each.linear.domain)
        limit = solver.Constraint(
            least if least > -BOUNDLESS else -solver.infinity(), most if most < BOUNDLESS else solver.infinity()
        )
        for number, amount in zip(list(each.linear.vars), list(each.linear.coeffs), strict=True):
            limit.SetCoefficient(choices[number], amount)
    wished = solver.Objective()
    for number, amount in zip(list(proto.objective.vars), list(proto.objective.coeffs), strict=True):
        wished.SetCoefficient(choices[number], amount)
    wished.SetMinimization()
    solver.SetTimeLimit(int(1000 * SECONDS))
    if solver.Solve() not in (solver.OPTIMAL, solver.FEASIBLE):
        return None
    return [round(each.solution_value()) for each in choices]
