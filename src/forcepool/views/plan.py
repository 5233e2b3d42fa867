"""A plan in words: orders turn by turn, what they bring and cost, what is left and why."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.ledger import NOTHING, Account
from forcepool.engine.points import show_points
from forcepool.engine.state import State
from forcepool.engine.wording import order_in_words
from forcepool.engine.world import World
from forcepool.planner import left
from forcepool.planner.carried import Given
from forcepool.planner.goals import Keep
from forcepool.planner.plan import SOLVED, Plan
from forcepool.views.names import kind_in_words, pool_in_words
from forcepool.views.said import order_said, told


class PlannedOrder(Struct, frozen=True):
    """An order of a plan, ready to give."""

    unit: str
    """Empty for points that are sent."""
    title: str
    order: str
    """As one types it."""
    step: str
    where: str
    cost: tuple[str, ...]
    """What it draws, pool by pool."""
    brings: Fraction
    """What its unit counts more by it, once it is on the map."""
    arrives: str = ""
    """The turn, where it comes by a track."""


class PlannedTurn(Struct, frozen=True):
    turn: int
    name: str
    when: str
    orders: tuple[PlannedOrder, ...]


class Left(Struct, frozen=True):
    """A unit that is not brought back, with the reason."""

    unit: str
    why: str
    text: str
    clause: str = ""


class PlanView(Struct, frozen=True):
    """A plan as pages and the terminal show it."""

    side: str
    now: str
    until: str
    by: str
    """How it was found, in words."""
    quiet: Fraction
    value: Fraction
    gain: Fraction
    bound: Fraction | None
    proven: bool
    rules: tuple[tuple[str, Fraction], ...]
    turns: tuple[PlannedTurn, ...]
    unspent: tuple[str, ...]
    left: tuple[Left, ...]
    unmet: tuple[str, ...]


def plan_view(world: World, state: State, plan: Plan, *, prices: bool = False) -> PlanView:
    """A plan in words; with `prices`, what units that are left out would have to be worth, which takes a while."""
    listed = left.left_out(world, plan)
    displaces = left.displaced(plan, listed) if prices else {}
    last = state.clock.turn + plan.turns
    return PlanView(
        plan.side,
        world.when(state),
        world.turn_name(last),
        found_by(plan),
        plan.quiet,
        plan.value,
        plan.gain,
        plan.bound,
        plan.proven,
        tuple((name, value - plan.quiet) for name, value in plan.rules),
        tuple(_turns(world, plan)),
        tuple(_by_pool(left.unspent(world, plan))),
        tuple(_left(world, each, displaces.get(each.unit)) for each in listed),
        (*(_unmet(each, listed) for each in plan.unmet), *(_unkept(plan, each) for each in plan.unkept)),
    )


def found_by(plan: Plan) -> str:
    """How a plan was found, in words."""
    if plan.by != SOLVED:
        return f"by a rule of thumb: {plan.by}"
    return "the best there is among the orders a plan knows" if plan.proven else "the best that was found"


def _turns(world: World, plan: Plan) -> Iterator[PlannedTurn]:
    moments = dict.fromkeys(each.at for each in plan.orders)
    for at in moments:
        orders = tuple(planned_order(world, plan, each) for each in plan.orders if each.at == at)
        yield PlannedTurn(at.turn, world.turn_name(at.turn), world.sequence.describe(world.calendar, at), orders)


def planned_order(world: World, plan: Plan, given: Given) -> PlannedOrder:
    """An order of a plan in words."""
    deal = given.deal
    return PlannedOrder(
        given.unit,
        order_said(deal.command),
        order_in_words(deal.command),
        deal.step,
        told(world.where(deal.place)) if given.unit else "",
        tuple(f"{_amount(account, amount)} of {_pool(account)}" for account, amount in deal.draws if amount > 0),
        _brought(plan, given),
        world.turn_name(deal.place.due) if deal.place.due else "",
    )


def _brought(plan: Plan, given: Given) -> Fraction:
    """What an order's unit counts more by it, once it is on the map."""
    net = plan.network
    if net is None or given.arc < 0:
        return NOTHING
    arc = net.arcs[given.arc]
    was_there = given.before is not None and given.before.place.on_map
    return net.nodes[arc.to].counts - (net.nodes[arc.node].counts if was_there else NOTHING)


def _by_pool(amounts: list[tuple[Account, Fraction]]) -> Iterator[str]:
    """'front Centre (Germany): ¼ arm, 2 inf', pool by pool."""
    pools: dict[str, list[str]] = {}
    for account, amount in amounts:
        pools.setdefault(_pool(account), []).append(_amount(account, amount))
    yield from (f"{pool}: {', '.join(listed)}" for pool, listed in pools.items())


def _pool(account: Account) -> str:
    title = pool_in_words(account.pool)
    return title if account.nation in title else f"{title} ({account.nation})"


def _amount(account: Account, amount: Fraction) -> str:
    return f"{show_points(amount)} {kind_in_words(account.kind)}"


def _left(world: World, each: left.LeftOut, displaces: Fraction | None) -> Left:
    text = "; ".join(_reasons(world, each, displaces))
    return Left(each.unit, each.why, text, each.refusal.clause if each.refusal else "")


def _reasons(world: World, each: left.LeftOut, displaces: Fraction | None) -> Iterator[str]:
    if each.refusal is not None:
        yield told(each.refusal.sentence)
    elif each.account is not None:
        yield f"{_pool(each.account)} has {_amount(each.account, each.has)} left, it needs {show_points(each.needs)}"
    elif each.why == left.TOO_LATE:
        yield (
            f"it would come on {world.turn_name(each.turn)}, too late"
            if each.turn
            else "what is left is too little time"
        )
    elif each.why == left.WITHHELD:
        yield "you said to leave it alone"
    else:
        yield "what it would cost brings more elsewhere, or there is no room for it"
    if displaces is not None and displaces > 0:
        yield f"with it the plan would be worth {show_points(displaces)} less"


def _unkept(plan: Plan, keep: Keep) -> str:
    has = _amount(keep.account, plan.end.balances.get(keep.account, NOTHING))
    return f"{_pool(keep.account)} cannot keep {show_points(keep.amount)} in hand: it has {has} at the end"


def _unmet(unit: str, listed: list[left.LeftOut]) -> str:
    why = next((each for each in listed if each.unit == unit), None)
    return f"{unit} cannot be at full strength in time" + (f": {why.why}" if why is not None else "")
