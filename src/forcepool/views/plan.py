"""A plan in words: orders turn by turn, what they bring and cost, what is left and why."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.acts import order_in_words
from forcepool.engine.ledger import NOTHING, Account
from forcepool.engine.points import show_points
from forcepool.engine.standing import ALLOWANCE
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.planner import left
from forcepool.planner.again import Before
from forcepool.planner.carried import Given
from forcepool.planner.goals import Keep, Want
from forcepool.planner.plan import SOLVED, Plan
from forcepool.planner.prices import Price
from forcepool.planner.shortfall import Shortfall, shortfall
from forcepool.views.names import kind_in_words, one_of_them, pool_in_words
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
    before: int = 0
    """Orders of a plan made before that were to be kept …"""
    dropped: tuple[str, ...] = ()
    """… and those of them that are not in it."""

    @property
    def kept(self) -> int:
        return self.before - len(self.dropped)


def plan_view(world: World, state: State, plan: Plan, *, prices: bool = False) -> PlanView:
    """A plan in words; with `prices`, at what price units that are left out would be in it, which takes a while."""
    listed = left.left_out(world, plan)
    prices_of = left.displaced(world, plan, listed) if prices else {}
    last, kept = state.clock.turn + plan.turns, plan.kept
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
        tuple(_by_pool(world, left.unspent(world, plan))),
        tuple(_left(world, each, prices_of.get(each.unit)) for each in listed),
        (
            *(_unmet(world, plan, each, listed) for each in plan.unmet),
            *(_unkept(world, plan, each) for each in plan.unkept),
        ),
        len(plan.before),
        tuple(_dropped(world, each) for each in plan.before if each not in kept),
    )


def found_by(plan: Plan) -> str:
    """How a plan was found, in words."""
    if plan.by != SOLVED:
        return f"by a rule of thumb: {plan.by}"
    if plan.before and plan.proven:
        return "the best there is with what still holds of the plan before"
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
        tuple(f"{_amount(account, amount)} of {_pool(world, account)}" for account, amount in deal.draws if amount > 0),
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


def _dropped(world: World, order: Before) -> str:
    return f"{order.unit}: {order.step}, {world.sequence.describe(world.calendar, order.at)}"


def _by_pool(world: World, amounts: list[tuple[Account, Fraction]]) -> Iterator[str]:
    """'front Centre (Germany): ¼ arm, 2 inf', pool by pool."""
    pools: dict[str, list[str]] = {}
    for account, amount in amounts:
        pools.setdefault(_pool(world, account), []).append(_amount(account, amount))
    yield from (f"{pool}: {', '.join(listed)}" for pool, listed in pools.items())


def _pool(world: World, account: Account) -> str:
    standing = world.standing(account.pool)
    title = pool_in_words(standing.pool)
    if standing.what == ALLOWANCE:
        return f"{account.nation}'s {title} allowance"
    named = title if account.nation in title else f"{title} ({account.nation})"
    return f"{named}, there from {world.turn_name(standing.usable)}" if standing.usable else named


def _amount(account: Account, amount: Fraction) -> str:
    return one_of_them(f"{show_points(amount)} {kind_in_words(account.kind)}")


def _left(world: World, each: left.LeftOut, price: Price | None) -> Left:
    comes = f"comes back as {each.comes_as}: " if each.comes_as else ""
    text = comes + "; ".join(_reasons(world, each, price))
    return Left(each.unit, each.why, text, each.refusal.clause if each.refusal else "")


def _reasons(world: World, each: left.LeftOut, price: Price | None) -> Iterator[str]:
    if each.refusal is not None:
        yield told(each.refusal.sentence)
        if advice := told(each.refusal.advice):
            yield f"{advice[0].lower()}{advice[1:]}"
    elif each.why == left.SHARE and each.account is not None:
        kind, has = kind_in_words(each.account.kind), show_points(each.has)
        yield (
            f"you let only {show_points(each.share)} of all {kind} be spent: {has} of {each.account.nation} may still "
            f"be, it needs {show_points(each.needs)}"
        )
    elif each.why == left.KEPT and each.account is not None:
        has, needs = _amount(each.account, each.has), show_points(each.needs)
        yield f"you keep points in {_pool(world, each.account)}: {has} may be spent, it needs {needs}"
    elif each.account is not None:
        has, needs = _amount(each.account, each.has), show_points(each.needs)
        yield f"{_pool(world, each.account)} has {has} left, it needs {needs}"
    elif each.why == left.TOO_LATE:
        yield (
            f"it would come on {world.turn_name(each.turn)}, too late"
            if each.turn
            else "what is left is too little time"
        )
    elif each.why == left.WITHHELD:
        yield "you said to leave it alone"
    elif each.why == left.OUTBID:
        yield "what it would cost brings more elsewhere, or there is no room for it"
    if each.order is not None:
        yield f"a plan does not give the order that would: {order_said(each.order)}"
    if price is not None:
        yield from _at_a_price(price)


def _at_a_price(price: Price) -> Iterator[str]:
    if price.loses is not None:
        yield f"a plan with it would be worth {f'{show_points(price.loses)} less' if price.loses else 'as much'}"
    if price.less:
        less = " and ".join(f"{show_points(amount)} {kind_in_words(kind)}" for kind, amount in price.less.items())
        yield f"it would be in it if it cost {less} less"


def _unkept(world: World, plan: Plan, keep: Keep) -> str:
    account = keep.account
    has, quiet = (state.balances.get(account, NOTHING) for state in (plan.end, plan.outlook.end))
    why = f"what else you want leaves {_amount(account, has)} at the end"
    if quiet < keep.amount:
        why = f"even if nothing is spent it has {_amount(account, quiet)} at the end"
    return f"{_pool(world, account)} cannot keep {show_points(keep.amount)} in hand: {why}"


def _unmet(world: World, plan: Plan, unit: str, listed: list[left.LeftOut]) -> str:
    """That a unit cannot be had in time, and what stands in the way."""
    by = next((each.by for each in plan.goals.wants if each.unit == unit), 0)
    says = f"{unit} cannot be at full strength {f'by {world.turn_name(by)}' if by else 'in time'}"
    why = next((each for each in listed if each.unit == unit), None)
    if (why is not None and why.why in (left.FORBIDDEN, left.WITHHELD)) or plan.network is None:
        return f"{says}: {'; '.join(_reasons(world, why, None))}" if why is not None else says
    last = int(plan.outlook.end.clock.turn)
    found = shortfall(plan.network, plan.goals, plan.cuts, Want(unit, by or last))
    reasons = list(_in_the_way(world, found))
    if reasons:
        return f"{says}: {'; '.join(reasons)}"
    comes = found.comes or plan.network.late.get(unit, 0)
    return f"{says}: " + (
        f"even with all the points in the world it comes on {world.turn_name(comes)} at the earliest"
        if comes
        else "there is too little time, whatever is spent on it"
    )


def _in_the_way(world: World, found: Shortfall) -> Iterator[str]:
    for account, amount in sorted(found.points.items()):
        what = "" if world.standing(account.pool).what == ALLOWANCE else "the pool "
        yield f"{what}{_pool(world, account)} is {_amount(account, amount)} short"
    yield from (
        f"you let only {show_points(part)} of all {kind_in_words(kind)} be spent" for kind, part in found.shares
    )
    yield from (
        f"you keep {_amount(each.account, each.amount)} in {_pool(world, each.account)}" for each in found.keeps
    )
    yield from (f"{each.unit}, which you want too, takes what it needs" for each in found.wants)
    yield from (f"there is no more room for what arrives at {told(world.where(each))}" for each in found.room)
    if found.refused:
        yield "what it would take was refused when it was played"
