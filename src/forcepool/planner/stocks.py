"""How points flow from one moment of a plan to the next, as quiet play showed it, for whatever is spent on the way."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import lcm

from msgspec import Struct

from forcepool.engine.events import Transferred
from forcepool.engine.ledger import LOST, NOTHING, SINK, Account, is_pool
from forcepool.planner.goals import Goals
from forcepool.planner.network import Network
from forcepool.planner.outlook import Outlook

LAPSED = (LOST, f"{SINK}lapsed")


class Flow(Struct, frozen=True):
    """Points that come, go or move by themselves."""

    amount: Fraction
    frm: Account | None
    to: Account | None
    all: bool = False
    """Whether all that there is goes, however much that be: points on their way, that arrive."""
    leaves: Fraction | None = None
    """What stays at most, where what is too much lapses."""


def flows(outlook: Outlook) -> list[list[Flow]]:
    """Between the moments, how points flow: before the second, before the third … and after the last."""
    held = dict(outlook.moments[0].state.balances)
    spans = [*(moment.before for moment in outlook.moments[1:]), outlook.after]
    return [[_flow(event, held) for event in span] for span in spans]


def _flow(event: Transferred, held: dict[Account, Fraction]) -> Flow:
    frm, to = (Account(pool, event.nation, event.kind) if is_pool(pool) else None for pool in (event.frm, event.to))
    left = None
    if frm is not None:
        left = held[frm] = held.get(frm, NOTHING) - event.amount
    if to is not None:
        held[to] = held.get(to, NOTHING) + event.amount
    lapses = event.to in LAPSED
    return Flow(event.amount, frm, to, frm is not None and left == 0 and not lapses, left if lapses else None)


def concerned(accounts: Iterable[Account], spans: list[list[Flow]]) -> list[Account]:
    """The accounts that a plan draws on, and those from which points come to them."""
    found = set(accounts)
    while more := {flow.frm for span in spans for flow in span if flow.to in found and flow.frm is not None} - found:
        found |= more
    return sorted(found)


def come_in_all(outlook: Outlook, spans: list[list[Flow]]) -> Iterator[tuple[Account, Fraction]]:
    """What an account holds at first, and each amount that comes to it from outside."""
    for account, amount in sorted(outlook.moments[0].state.balances.items()):
        if is_pool(account.pool) and amount > 0:
            yield account, amount
    for span in spans:
        for flow in span:
            if flow.to is not None and flow.frm is None:
                yield flow.to, flow.amount


def ever_held(outlook: Outlook, account: Account, spans: list[list[Flow]]) -> Fraction:
    """More than an account can ever hold: all that there is of its nation's kind, and all that comes."""
    alike = (account.nation, account.kind)
    first = outlook.moments[0].state.balances
    start = sum((max(x, NOTHING) for each, x in first.items() if (each.nation, each.kind) == alike), NOTHING)
    come = (
        flow.amount
        for span in spans
        for flow in span
        if flow.frm is None and flow.to is not None and (flow.to.nation, flow.to.kind) == alike
    )
    return start + sum(come, NOTHING)


def denominators(
    network: Network, goals: Goals, accounts: list[Account], spans: list[list[Flow]]
) -> dict[tuple[str, str], int]:
    """Of each nation's kind of point, the smallest part that anything is counted in."""
    parts: dict[tuple[str, str], int] = defaultdict(lambda: 1)

    def take(account: Account | None, amount: Fraction) -> None:
        if account is not None:
            key = account.nation, account.kind
            parts[key] = lcm(parts[key], amount.denominator)

    first = network.outlook.moments[0].state.balances
    for account in accounts:
        take(account, first.get(account, NOTHING))
    for arc in network.arcs:
        for account, amount in arc.deal.draws:
            take(account, amount)
    for span in spans:
        for flow in span:
            for each in (flow.frm, flow.to):
                take(each, flow.amount)
                take(each, flow.leaves or NOTHING)
    for keep in goals.keeps:
        take(keep.account, keep.amount)
    for shipment in network.shipments:
        part = Fraction(1, parts[shipment.to.nation, shipment.to.kind])
        for account, amount in shipment.draws:
            take(account, amount * part)
    return dict(parts)
