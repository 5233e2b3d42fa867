"""Every point accounted for: what was received is what was spent, lost and is still held."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from forcepool.engine.ledger import SINK, SOURCE, imbalance
from forcepool.engine.state import State

Totals = dict[tuple[str, str], Fraction]


class Books(NamedTuple):
    """By nation and kind of point: received from sources, gone to sinks, held in pools."""

    received: Totals
    gone: Totals
    held: Totals


def books(state: State) -> Books:
    """What came in, what went out and what is left."""
    found = Books(defaultdict(Fraction), defaultdict(Fraction), defaultdict(Fraction))
    for account, balance in state.balances.items():
        key = (account.nation, account.kind)
        if account.pool.startswith(SOURCE):
            found.received[key] -= balance
        elif account.pool.startswith(SINK):
            found.gone[key] += balance
        else:
            found.held[key] += balance
    return found


def unaccounted(state: State) -> Iterator[str]:
    """Whatever does not add up, in words; nothing while all is well."""
    for (nation, kind), amount in imbalance(state.balances.items()).items():
        yield f"{amount} {kind} of {nation} came from nowhere or went nowhere"
    found = books(state)
    for key in sorted({*found.received, *found.gone, *found.held}):
        received, gone, held = (each.get(key, Fraction(0)) for each in found)
        if received != gone + held:
            yield f"{' '.join(key)}: received {received}, gone {gone}, held {held}"
