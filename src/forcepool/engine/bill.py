"""What events come to: what they spend, and when a unit arrives."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TypeGuard

from msgspec import Struct

from forcepool.engine.events import Event, Moved, Transferred
from forcepool.engine.ledger import BORROWED, JOINED, SINK


class Bill(Struct, frozen=True):
    """What an order would cost, and when its unit would arrive."""

    cost: Mapping[str, Fraction]
    arrives: int
    """The turn; 0 for what puts no unit on a track."""
    payers: tuple[str, ...] = ()
    """The pools that are charged, which need not be the one that was named."""


def bill_of(events: Iterable[Event]) -> Bill:
    listed = list(events)
    return Bill(cost_of(listed), arrival_of(listed), payers_of(listed))


def payers_of(events: Iterable[Event]) -> tuple[str, ...]:
    """The pools the events spend from, each once, in order."""
    return tuple(dict.fromkeys(each.frm for each in events if _spends(each)))


def _spends(event: Event) -> TypeGuard[Transferred]:
    return isinstance(event, Transferred) and event.to.startswith(SINK) and event.to not in (BORROWED, JOINED)


def arrival_of(events: Iterable[Event]) -> int:
    """The turn a unit arrives that the events put on a track; 0 if they put none there."""
    return max((event.to.due for event in events if isinstance(event, Moved)), default=0)


def cost_of(events: Iterable[Event]) -> dict[str, Fraction]:
    """What the events spend, by kind of point."""
    cost: dict[str, Fraction] = {}
    for event in events:
        if _spends(event):
            before = cost.get(event.kind)
            cost[event.kind] = event.amount if before is None else before + event.amount
    return cost
