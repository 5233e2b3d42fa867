"""How points flow from one moment of a plan to the next, as quiet play showed it, for whatever is spent on the way."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.events import Transferred
from forcepool.engine.ledger import LOST, NOTHING, SINK, Account, is_pool
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
