"""Points that come by themselves as a phase ends, and can be had at once: a plan takes them before it spends."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from forcepool.engine.branch import Branch
from forcepool.engine.command import Command, command_name
from forcepool.engine.decide import Decision
from forcepool.engine.ledger import NOTHING, Account
from forcepool.planner.deals import Draws, drawn
from forcepool.planner.quiet import Step


def bring_in(branch: Branch, side: str) -> list[Step]:
    """Give every order of a side that brings in now what would come as the phase ends."""
    world, phase = branch.world, branch.world.phase(branch.state)
    habits = ((cls, world.game.habits.get(command_name(cls))) for cls in world.offering)
    orders = [cls for cls, habit in habits if habit is not None and habit.early and phase in habit.phases]
    found: list[Step] = []
    for unit in branch.state.units_in_order() if orders else ():
        if world.side_now(branch.state, unit.spec.nation) != side:
            continue
        for command in [each for cls in orders for each in cls.offers(world, branch.state, unit)]:
            found += _given(branch, command)
    return found


def _given(branch: Branch, command: Command) -> Iterator[Step]:
    decision = branch.judge(command)
    if isinstance(decision, Decision):
        branch.carry_out(decision)
        yield Step(branch.state.clock, command, decision.events)


def needed(early: Iterable[Step], held: Mapping[Account, Fraction], spent: Iterable[Draws]) -> Iterator[Step]:
    """Those of such orders without which there would not be enough for what was spent."""
    short: defaultdict[Account, Fraction] = defaultdict(lambda: NOTHING)
    for draws in spent:
        for account, amount in draws:
            short[account] += amount
    for account in short:
        short[account] -= held.get(account, NOTHING)
    for step in early:
        gains = {account: -amount for account, amount in drawn(step.events) if amount < 0}
        if any(short[account] > 0 for account in gains):
            yield step
            for account, amount in gains.items():
                short[account] -= amount
