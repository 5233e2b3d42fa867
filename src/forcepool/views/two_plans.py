"""Two plans side by side: what both have, what only the one or the other has, turn by turn."""

from collections.abc import Hashable

from msgspec import Struct

from forcepool.views.saved_plan import SavedOrder, SavedPlan


class TurnBeside(Struct, frozen=True):
    """The orders of a phase in two plans."""

    when: str
    both: tuple[SavedOrder, ...]
    one: tuple[SavedOrder, ...]
    """Only in the first."""
    other: tuple[SavedOrder, ...]
    """Only in the second."""


def side_by_side(one: SavedPlan, other: SavedPlan) -> list[TurnBeside]:
    """The phases of two plans in their order; an order is the same if it makes the same of its unit in the phase."""
    ours, theirs = ({_same(each) for each in plan.orders} for plan in (one, other))
    phases = {each.at: each.when for each in (*other.orders, *one.orders)}
    return [
        TurnBeside(
            phases[at],
            tuple(each for each in one.orders if each.at == at and _same(each) in theirs),
            tuple(each for each in one.orders if each.at == at and _same(each) not in theirs),
            tuple(each for each in other.orders if each.at == at and _same(each) not in ours),
        )
        for at in sorted(phases)
    ]


def _same(order: SavedOrder) -> Hashable:
    return (order.at, order.unit, order.step, order.to) if order.unit else (order.at, order.says)
