"""At what price a unit that a plan leaves out would be in it.

The same model is solved again with one more unit of its group among what is done: once as it is, which tells what the
plan would lose by it, and once with the plan worth as much as before and some of the unit's points forgiven, as few as
can be.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec import Struct

from forcepool.engine.ledger import NOTHING, Account
from forcepool.engine.standing import POOL
from forcepool.engine.world import World
from forcepool.planner.model import Model
from forcepool.planner.network import Network, Node
from forcepool.planner.plan import Plan
from forcepool.planner.solver import proven


class Price(Struct, frozen=True):
    """What it would take for a unit to be in a plan."""

    loses: Fraction | None
    """How much less the plan would be worth with it, as things are; None where that was not proven in time."""
    less: Mapping[str, Fraction] = {}
    """By kind of point, how much less it would have to cost for the plan to lose nothing."""


def price_of(world: World, plan: Plan, net: Network, node: Node) -> Price | None:
    """The price at which one more unit of a group would be in a plan; None if that is not found out, or never."""
    here = sum((each.counts * len(each.units) for each in net.nodes), NOTHING)
    worth = plan.value - plan.quiet + here
    best = _best_with(plan, net, node)
    loses = None if best is None else max(worth - best, NOTHING)
    less = _forgiven(world, plan, net, node, worth) if loses != 0 else {}
    return Price(loses, less) if loses is not None or less else None


def _best_with(plan: Plan, net: Network, node: Node) -> Fraction | None:
    model = _OneMore(plan, net, node)
    value = model.value()
    model.model.maximize(value)
    solver = proven(model)
    return Fraction(int(solver.value(value)), model.scale) if solver is not None else None


def _forgiven(world: World, plan: Plan, net: Network, node: Node, worth: Fraction) -> dict[str, Fraction]:
    """By kind, the fewest points that would have to be forgiven; nothing where no points would do."""
    model = _Forgiving(world, plan, net, node)
    model.model.add(model.value() >= int(worth * model.scale))
    parts = {account: model.parts[account.nation, account.kind] for account, _ in model.forgiven}
    whole = lcm(*parts.values(), 1)
    weights = [whole // parts[account] for account, _ in model.forgiven]
    model.model.minimize(model.cp.LinearExpr.weighted_sum([var for _, var in model.forgiven], weights))
    solver = proven(model)
    if solver is None:
        return {}
    found: dict[str, Fraction] = {}
    for account, var in model.forgiven:
        if amount := Fraction(int(solver.value(var)), parts[account]):
            found[account.kind] = found.get(account.kind, NOTHING) + amount
    return found


class _OneMore(Model):
    """The choices of a plan, of which one more unit of a group is a part; what was asked for and had stays so."""

    def __init__(self, plan: Plan, net: Network, node: Node) -> None:
        self.node = node
        super().__init__(net, plan.goals, plan.cuts)
        taken = sum(order.arc >= 0 and net.arcs[order.arc].node == node.number for order in plan.orders)
        self.model.add(self.sum(self.taken[each] for each in self._orders()) >= taken + 1)
        asked = (*(want.unit for want in plan.goals.wants), *plan.goals.earliest, *plan.goals.keeps)
        for met, what in zip(self.met, asked, strict=True):
            if what not in plan.unmet and what not in plan.unkept:
                self.model.add(met == 1)

    def _orders(self) -> list[int]:
        return [number for number, arc in enumerate(self.network.arcs) if arc.node == self.node.number]


class _Forgiving(_OneMore):
    """The same, where points that the group's own orders draw may be forgiven."""

    def __init__(self, world: World, plan: Plan, net: Network, node: Node) -> None:
        self.world = world
        self.forgiven: list[tuple[Account, Any]] = []
        super().__init__(plan, net, node)

    def spared(self, account: Account, moment: int) -> Any:
        if self.world.standing(account.pool).what != POOL:
            return 0
        drawn = [
            self.taken[number] * self._whole(account, amount)
            for number in self._orders()
            for each, amount in self.network.arcs[number].deal.draws
            if each == account and amount > 0 and self.network.arcs[number].moment == moment
        ]
        if not drawn:
            return 0
        spared = self.model.new_int_var(0, self.most[account], f"spared {account} {moment}")
        self.model.add(spared <= self.sum(drawn))
        self.forgiven.append((account, spared))
        return spared
