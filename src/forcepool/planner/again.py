"""A plan made again from today: what still holds of the one before is found among today's choices, and kept."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.branch import Branch
from forcepool.engine.calendar import Clock
from forcepool.engine.command import Command
from forcepool.planner.carried import Given, give
from forcepool.planner.deals import is_in_need
from forcepool.planner.network import Arc, Network


class Before(Struct, frozen=True):
    """An order of a plan made before, whose time is still to come."""

    at: Clock
    unit: str
    command: Command
    step: str
    to: str
    """The kind of place it goes to."""


def found_again(net: Network, orders: Sequence[Before]) -> dict[int, list[str]]:
    """By arc, the units that a plan made before sends this way, each as far as its way is still there."""
    moments = {_moment(each.at): number for number, each in enumerate(net.outlook.moments)}
    at = {unit: node.number for node in net.nodes for unit in node.units}
    arcs: dict[tuple[int, int], list[tuple[int, Arc]]] = defaultdict(list)
    for number, arc in enumerate(net.arcs):
        arcs[arc.node, arc.moment].append((number, arc))
    found: dict[int, list[str]] = defaultdict(list)
    for order in sorted(orders, key=lambda each: each.at):
        node = at.pop(order.unit, -1)
        ways = [way for way in arcs[node, moments.get(_moment(order.at), -1)] if _does_it(way[1], order)]
        if ways:
            number, arc = min(ways, key=lambda way: (not _is_same(way[1], order), way[0]))
            found[number].append(order.unit)
            at[order.unit] = arc.to
    return found


def _moment(at: Clock) -> Clock:
    return Clock(at.turn, at.player, at.phase)


def _does_it(arc: Arc, order: Before) -> bool:
    return (arc.deal.step, arc.deal.place.kind) == (order.step, order.to)


def _is_same(arc: Arc, order: Before) -> bool:
    command: Any = arc.deal.command
    return bool(replace(command, unit=order.unit) == order.command)


def given_again(branch: Branch, orders: Iterable[Before]) -> Iterator[Given]:
    """Give what a plan made before has for this moment, as far as it still goes."""
    now = _moment(branch.state.clock)
    for order in orders:
        unit = branch.state.units.get(order.unit)
        if order.at == now and unit is not None and is_in_need(unit):
            outcome = give(branch, unit, order.command)
            if isinstance(outcome, Given):
                yield outcome


def kept(orders: Iterable[Given], before: Iterable[Before]) -> list[Before]:
    """Those of a plan made before that another has too."""
    there = {(_moment(each.at), each.unit, each.deal.step) for each in orders}
    return [each for each in before if (each.at, each.unit, each.step) in there]
