"""What a plan leaves: points unspent, and units that are not brought back, each with the one reason."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.command import command_name
from forcepool.engine.ledger import NOTHING, Account, is_pool
from forcepool.engine.options import options
from forcepool.engine.standing import ALLOWANCE, COUNT
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import No
from forcepool.engine.world import World
from forcepool.planner.deals import Deal, is_in_need, planned, with_plenty
from forcepool.planner.network import Network, Node
from forcepool.planner.plan import Plan
from forcepool.planner.solver import with_one_more
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
SECONDS_EACH = 2.0
MOST_TRIED = 12
"""Units left out of which it is worked out what they would displace."""


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


def unspent(world: World, plan: Plan) -> list[tuple[Account, Fraction]]:
    """What the side's pools hold when the plan ends, of the kinds of point that its orders draw on."""
    kinds = {account.kind for deal in _all_deals(plan) for account, _ in deal.draws}
    return [
        (account, amount)
        for account, amount in sorted(plan.end.balances.items())
        if amount > 0
        and account.kind in kinds
        and is_pool(account.pool)
        and world.standing(account.pool).what not in (COUNT, ALLOWANCE)
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
    return [found for unit in waiting if (found := _why(world, plan, unit)) is not None]


def _why(world: World, plan: Plan, unit: Unit) -> LeftOut | None:
    if unit.id in plan.goals.leave:
        return LeftOut(unit.id, WITHHELD)
    net = plan.network
    node = _node_of(net, unit.id) if net is not None else None
    offered = [arc.deal for arc in net.arcs if arc.node == node.number] if net is not None and node else []
    if any(each.unit == unit.id for each in plan.orders):
        # It has come part of the way, and what the next step costs is known where it stands now.
        offered = list(_next_steps(net, plan, unit))
        return _lacks(world, plan, unit, offered) or LeftOut(unit.id, TOO_LATE)
    if offered:
        return _lacks(world, plan, unit, offered) or LeftOut(unit.id, OUTBID)
    if net is not None and unit.id in net.late:
        return LeftOut(unit.id, TOO_LATE, turn=net.late[unit.id])
    refusal = _refusal(world, plan, unit)
    return LeftOut(unit.id, FORBIDDEN, refusal) if refusal is not None else None


def _node_of(net: Network, unit_id: str) -> Node | None:
    return next((node for node in net.nodes if unit_id in node.units), None)


def _next_steps(net: Network | None, plan: Plan, unit: Unit) -> Iterator[Deal]:
    last = [each for each in plan.orders if each.unit == unit.id][-1]
    if net is not None and last.arc >= 0:
        yield from (arc.deal for arc in net.arcs if arc.node == net.arcs[last.arc].to)


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


def _refusal(world: World, plan: Plan, unit: Unit) -> No | None:
    """What refuses a unit even where no points are short."""
    for moment in plan.outlook.moments[:1]:
        rich: State = with_plenty(world, moment.state, plan.outlook.accounts)
        if unit.id in rich.units:
            names = {command_name(cls) for cls in planned(world)}
            for choice in options(world, rich, rich.units[unit.id], names):
                if choice.reasons:
                    return choice.reasons[0]
    return None


def displaced(plan: Plan, listed: list[LeftOut]) -> dict[str, Fraction]:
    """Of units outbid or without points, what the plan would lose by having them: of each group the first."""
    net = plan.network
    if net is None:
        return {}
    here = sum((node.counts * len(node.units) for node in net.nodes), NOTHING)
    found: dict[str, Fraction] = {}
    tried: set[int] = set()
    for each in listed:
        node = _node_of(net, each.unit)
        if each.why not in (OUTBID, NO_POINTS, NO_ALLOWANCE) or node is None or node.number in tried:
            continue
        tried.add(node.number)
        taken = sum(order.arc >= 0 and net.arcs[order.arc].node == node.number for order in plan.orders)
        best = with_one_more(net, plan.goals, plan.cuts, node.number, taken + 1, SECONDS_EACH)
        if best is not None:
            found[each.unit] = plan.value - (plan.quiet + best - here)
        if len(tried) == MOST_TRIED:
            break
    return found
