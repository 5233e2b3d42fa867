"""What a plan leaves: points unspent, and units that are not brought back, each with the one reason."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.command import Command, command_name
from forcepool.engine.events import Became, Event, Moved, Raised
from forcepool.engine.ledger import NOTHING, Account, is_pool
from forcepool.engine.options import offered, options, passed
from forcepool.engine.places import TRACK
from forcepool.engine.standing import ALLOWANCE, CLAIM, COUNT
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import No
from forcepool.engine.world import World
from forcepool.planner.deals import Deal, is_in_need, planned, with_plenty
from forcepool.planner.network import Network, Node
from forcepool.planner.plan import Plan
from forcepool.planner.prices import Price, price_of
from forcepool.planner.stocks import come_in_all, flows

NO_POINTS, NO_ALLOWANCE, TOO_LATE, FORBIDDEN, OUTBID, WITHHELD, SHARE, KEPT = (
    "no points",
    "no allowance",
    "too late",
    "not allowed",
    "worth less",
    "left alone",
    "your share",
    "to be kept",
)
MOST_TRIED = 24
"""Groups of units left out of which it is worked out at what price they would be in the plan."""


class LeftOut(Struct, frozen=True):
    """A unit that the plan does not bring back to its full strength, and why."""

    unit: str
    why: str
    refusal: No | None = None
    account: Account | None = None
    has: Fraction = NOTHING
    needs: Fraction = NOTHING
    turn: int = 0
    """Of a unit that comes too late, the turn it would come in."""
    share: Fraction = NOTHING
    """Of a share that is spent, how large it is."""
    order: Command | None = None
    """An order that would bring it back and that no plan gives."""
    comes_as: str = ""
    """The step to which the plan brings it back."""


def unspent(world: World, plan: Plan) -> list[tuple[Account, Fraction]]:
    """What the side's pools hold when the plan ends, of the kinds of point that its orders draw on."""
    kinds = {account.kind for deal in _all_deals(plan) for account, _ in deal.draws}
    return [
        (account, amount)
        for account, amount in sorted(plan.end.balances.items())
        if amount > 0
        and account.kind in kinds
        and is_pool(account.pool)
        and world.standing(account.pool).what not in (COUNT, ALLOWANCE, CLAIM)
        and world.side_now(plan.end, account.nation) == plan.side
    ]


def _all_deals(plan: Plan) -> Iterator[Deal]:
    yield from (each.deal for each in plan.orders)
    yield from (arc.deal for arc in plan.network.arcs) if plan.network is not None else ()


def left_out(world: World, plan: Plan) -> list[LeftOut]:
    """The side's units that are in need at the end, in order."""
    # What a unit on its way needs is time alone.
    waiting = [
        unit
        for unit in plan.end.units_in_order()
        if is_in_need(unit) and not unit.place.due and world.side_now(plan.end, unit.spec.nation) == plan.side
    ]
    rich = [with_plenty(world, moment.state, plan.outlook.accounts) for moment in plan.outlook.moments[:1]]
    return [found for unit in waiting if (found := _why(world, plan, unit, *rich)) is not None]


def _why(world: World, plan: Plan, unit: Unit, rich: State | None = None) -> LeftOut | None:
    """The reason; `rich` is the first moment with points enough for everything."""
    if unit.id in plan.goals.leave:
        return LeftOut(unit.id, WITHHELD)
    net = plan.network
    node = _node_of(net, unit.id) if net is not None else None
    offered = [arc.deal for arc in net.arcs if arc.node == node.number] if net is not None and node else []
    if any(each.unit == unit.id for each in plan.orders):
        # It has come part of the way, and what the next step costs is known where it stands now.
        ahead = _group_of(net, plan, unit.id) if net is not None else None
        offered = [arc.deal for arc in net.arcs if arc.node == ahead.number] if net is not None and ahead else []
        found = _lacks(world, plan, unit, offered) or LeftOut(unit.id, TOO_LATE)
        return replace(found, comes_as=unit.step)
    if offered:
        return _lacks(world, plan, unit, offered) or LeftOut(unit.id, OUTBID)
    if net is not None and unit.id in net.late:
        return LeftOut(unit.id, TOO_LATE, turn=net.late[unit.id])
    if rich is None or unit.id not in rich.units:
        return None
    refusal = _refusal(world, rich, rich.units[unit.id])
    order = next(_other_orders(world, rich, rich.units[unit.id]), None)
    return LeftOut(unit.id, FORBIDDEN, refusal, order=order) if refusal is not None or order is not None else None


def _node_of(net: Network, unit_id: str) -> Node | None:
    return next((node for node in net.nodes if unit_id in node.units), None)


def _group_of(net: Network, plan: Plan, unit_id: str) -> Node | None:
    """The group a unit is in when the plan has done with it."""
    orders = [each for each in plan.orders if each.unit == unit_id]
    if not orders:
        return _node_of(net, unit_id)
    return net.nodes[net.arcs[orders[-1].arc].to] if orders[-1].arc >= 0 else None


def _lacks(world: World, plan: Plan, unit: Unit, ways: list[Deal]) -> LeftOut | None:
    """What stands in the way: a limit of the player's own where nothing else does, else what is short."""
    held = plan.end.balances
    payable = [deal for deal in ways if all(held.get(account, NOTHING) >= amount for account, amount in deal.draws)]
    own = [_own_limit(plan, unit, deal) for deal in sorted(payable, key=lambda each: each.cost)]
    return own[0] if own and all(own) else _short(world, plan, unit, ways)


def _own_limit(plan: Plan, unit: Unit, deal: Deal) -> LeftOut | None:
    """What of a way the player's goals forbid: a share that is spent, or points that are to be kept."""
    draws = [(account, amount) for account, amount in deal.draws if amount > 0]
    for kind, share in plan.goals.spend:
        for nation in sorted({account.nation for account, _ in draws if account.kind == kind}):
            needs = sum(
                (amount for account, amount in draws if (account.nation, account.kind) == (nation, kind)), NOTHING
            )
            free = share * _there(plan, nation, kind) - _spent(plan, nation, kind)
            if needs > free:
                return LeftOut(unit.id, SHARE, account=Account("", nation, kind), has=free, needs=needs, share=share)
    for keep in plan.goals.keeps:
        needs = sum((amount for account, amount in draws if account == keep.account), NOTHING)
        free = plan.end.balances.get(keep.account, NOTHING) - keep.amount
        if needs > max(free, NOTHING):
            return LeftOut(unit.id, KEPT, account=keep.account, has=max(free, NOTHING), needs=needs)
    return None


def _there(plan: Plan, nation: str, kind: str) -> Fraction:
    """All there is and all that comes of a nation's kind of point."""
    come = come_in_all(plan.outlook, flows(plan.outlook))
    return sum((amount for account, amount in come if (account.nation, account.kind) == (nation, kind)), NOTHING)


def _spent(plan: Plan, nation: str, kind: str) -> Fraction:
    draws = (draw for order in plan.orders if order.unit for draw in order.deal.draws)
    return sum((amount for account, amount in draws if (account.nation, account.kind) == (nation, kind)), NOTHING)


def _short(world: World, plan: Plan, unit: Unit, ways: list[Deal]) -> LeftOut | None:
    """What the cheapest way lacks when the plan has been carried out."""
    for deal in sorted(ways, key=lambda each: each.cost):
        for account, amount in deal.draws:
            has = plan.end.balances.get(account, NOTHING)
            if has < amount:
                why = NO_ALLOWANCE if world.standing(account.pool).what == ALLOWANCE else NO_POINTS
                return LeftOut(unit.id, why, account=account, has=has, needs=amount)
    return None


def _refusal(world: World, rich: State, unit: Unit) -> No | None:
    """What refuses a unit even where no points are short: what most ways of bringing it back have in common.

    Of several, what is no matter of points, and what does not send one to another order that is refused as well.
    """
    names = {command_name(cls) for cls in planned(world)}
    reasons = [choice.reasons for choice in options(world, rich, unit, names)]
    often = Counter(clause for each in reasons for clause in {no.clause for no in each})

    def weight(no: No) -> tuple[int, bool, bool]:
        instead = [way.instead for way in no.ways if way.instead is not None]
        leads_on = not instead or any(passed(world, rich, each) is not None for each in instead)
        return often[no.clause], no.need is None, leads_on

    return max((no for each in reasons for no in each), key=weight, default=None)


def _other_orders(world: World, rich: State, unit: Unit) -> Iterator[Command]:
    """The orders that would bring a unit back, and are none of those that a plan gives."""
    habits = world.game.habits
    for command in offered(world, rich, unit):
        habit = habits.get(command_name(type(command)))
        if habit is None or not (habit.planned or habit.on_map):
            decision = passed(world, rich, command)
            if decision is not None and any(_brings_back(unit, event) for event in decision.events):
                yield command


def _brings_back(unit: Unit, event: Event) -> bool:
    """Whether an event puts a unit where it counts, makes it stronger, or raises another in its stead."""
    if isinstance(event, Became):
        steps = unit.spec.steps
        return event.unit == unit.id and steps.index(event.step) < steps.index(event.was)
    if isinstance(event, Moved):
        counts = event.to.on_map or event.to.kind == TRACK
        return event.unit == unit.id and counts and not unit.place.on_map
    return isinstance(event, Raised)


def displaced(world: World, plan: Plan, listed: list[LeftOut]) -> dict[str, Price]:
    """Of units outbid or without points, at what price they would be in the plan, group by group."""
    net = plan.network
    if net is None:
        return {}
    groups = {
        each.unit: node
        for each in listed
        if each.why in (OUTBID, NO_POINTS, NO_ALLOWANCE) and (node := _group_of(net, plan, each.unit)) is not None
    }
    alike = list({node.number: node for node in groups.values()}.values())[:MOST_TRIED]
    prices = {node.number: price_of(world, plan, net, node) for node in alike}
    told = {unit: prices.get(node.number) for unit, node in groups.items()}
    return {unit: price for unit, price in told.items() if price is not None}
