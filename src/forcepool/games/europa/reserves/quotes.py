"""49.A.1  What if: the cost of a list of reserve changes, in the order given and the cheapest, before any is made."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import prod

from msgspec import Struct

from forcepool.engine.command import Command, Question
from forcepool.engine.events import Event, Noted
from forcepool.engine.given import UnitList
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_place, the_unit
from forcepool.engine.state import State, Unit
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import NO_RESERVE, STRATEGIC
from forcepool.games.europa.reserves import depots
from forcepool.games.europa.reserves.changes import Changing, named, reserve_of
from forcepool.games.europa.reserves.entering import EnterReserve
from forcepool.games.europa.reserves.leaving import LeaveReserve
from forcepool.games.europa.reserves.strategic import EnterStrategicReserve, LeaveStrategicReserve
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

MOST_WAYS = 5000
"""Choices of depots that are tried one by one; with more, each unit takes what is cheapest when its turn comes."""
MOST_TRIED = 6
"""Units of countries with different base numbers at one depot whose orders are tried one by one."""

IN, OUT, INTO_STRATEGIC, INTO_MEDITERRANEAN = "in", "out", "strategic", "mediterranean"
"""What one may wish for a unit: operational reserve, out of its reserve, or one of the strategic reserves."""


class Part(Struct, frozen=True):
    """One change of a list: the unit, what it counts for, and the depots it may be charged to."""

    unit: str
    nation: str
    res: Fraction
    on_cost: Fraction
    nets: tuple[str, ...]
    width: int
    strategic: bool
    """A change of strategic reserve, which comes before the operational ones."""


Charged = tuple[Part, str]
"""A change, and the depot it is charged to."""


class Line(Struct, frozen=True):
    """One change with its price."""

    unit: str
    depot: str
    cost: Fraction
    working: str


class Quote(Struct, frozen=True):
    """What a list of changes costs."""

    lines: tuple[Line, ...]

    @property
    def total(self) -> Fraction:
        return sum((line.cost for line in self.lines), Fraction(0))

    def __str__(self) -> str:
        lines = "; ".join(
            f"{the_unit(line.unit)}, charged to {the_place(line.depot) or 'no depot'}: {line.working}"
            for line in self.lines
        )
        return f"{lines}; {show_points(self.total)} in all"


def change_of(world: EuropaWorld, state: State, unit: Unit, wish: str = "") -> Command:
    """The change wished for a unit; without a wish into operational reserve, or out of the reserve it is in."""
    reserve = reserve_of(world.facts(state), unit)
    if wish in (INTO_STRATEGIC, INTO_MEDITERRANEAN):
        return EnterStrategicReserve(unit=unit.id, mediterranean=wish == INTO_MEDITERRANEAN)
    if wish == IN or (not wish and reserve == NO_RESERVE):
        return EnterReserve(unit=unit.id)
    return LeaveStrategicReserve(unit=unit.id) if reserve == STRATEGIC else LeaveReserve(unit=unit.id)


def part_of(world: EuropaWorld, state: State, command: Command) -> Part:
    """What a change comes to before a depot is chosen for it."""
    q = command.question(world, state, command)
    assert isinstance(q, Changing)
    res = Fraction(0) if q.waived else q.size.res
    nets = tuple(q.nets) or ("",)
    strategic = isinstance(command, EnterStrategicReserve | LeaveStrategicReserve)
    return Part(q.unit.id, q.payer, res, q.size.on_cost, nets, q.width, strategic)


def in_order(boxes: dict[str, depots.Depot], parts: Sequence[Part], chosen: Sequence[str]) -> Quote:
    """The price of each change when they are made one after the other at the depots chosen."""
    boxes, lines = dict(boxes), []
    for part, depot in zip(parts, chosen, strict=True):
        charged = depots.charge(boxes.get(depot, depots.Depot()), part.res, part.width)
        boxes[depot] = charged.depot
        cost = charged.cost * part.on_cost
        times = f" ×{show_points(part.on_cost)} = {show_points(cost)}" if part.on_cost != 1 else ""
        lines.append(Line(part.unit, depot, cost, f"{charged.working}{times}"))
    return Quote(tuple(lines))


@computed("49.A.1.a/8")
def as_given(boxes: dict[str, depots.Depot], parts: Sequence[Part]) -> Quote:
    """The price in the order given, each unit at its first depot."""
    return in_order(boxes, parts, [part.nets[0] for part in parts])


@computed("49.A.1/2")
def cheapest(boxes: dict[str, depots.Depot], parts: Sequence[Part]) -> Quote:
    """The price in the best order and at the best depots, changes of strategic reserve before the others.

    At one depot each RE costs no less than the one before it, so that whoever's finished cost is multiplied most goes
    first. What is left to choose is the depot of each unit that stands in several nets, and the order of countries
    with different base numbers that share a depot.
    """
    ordered = sorted(parts, key=lambda part: (not part.strategic, -part.on_cost, part.unit))
    if prod(len(part.nets) for part in ordered) > MOST_WAYS:
        return _one_by_one(boxes, ordered)
    known: Known = {}
    chosen = min(_choices(ordered), key=lambda nets: _price(boxes, ordered, nets, known))
    best = [each for _, there in _there(boxes, ordered, chosen, known) for each in there]
    best.sort(key=lambda each: not each[0].strategic)
    return in_order(boxes, [part for part, _ in best], [net for _, net in best])


Known = dict[tuple[str, tuple[int, ...]], tuple[Fraction, tuple[Charged, ...]]]
"""What some of the units cost together at a depot, and their best order there: other depots have no say in it."""


def _choices(parts: Sequence[Part]) -> Iterator[tuple[str, ...]]:
    return product(*(part.nets for part in parts))


def _price(
    boxes: dict[str, depots.Depot], ordered: Sequence[Part], nets: tuple[str, ...], known: Known
) -> tuple[Fraction, list[str], list[str]]:
    """The total at the depots chosen; among equals the depots that come first by name."""
    total = sum((cost for cost, _ in _there(boxes, ordered, nets, known)), Fraction(0))
    strategic = sum(part.strategic for part in ordered)
    return total, sorted(nets[:strategic]), sorted(nets[strategic:])


def _there(
    boxes: dict[str, depots.Depot], ordered: Sequence[Part], nets: tuple[str, ...], known: Known
) -> Iterator[tuple[Fraction, tuple[Charged, ...]]]:
    """Depot by depot, what its units cost in their best order."""
    for depot in sorted(set(nets)):
        which = tuple(index for index, net in enumerate(nets) if net == depot)
        if (depot, which) not in known:
            there = _order_at(boxes, tuple((ordered[index], depot) for index in which))
            known[depot, which] = in_order(boxes, *zip(*there, strict=True)).total, there
        yield known[depot, which]


def _order_at(boxes: dict[str, depots.Depot], here: tuple[Charged, ...]) -> tuple[Charged, ...]:
    if len({part.width for part, _ in here}) == 1 or len(here) > MOST_TRIED:
        return here
    strategic = sum(part.strategic for part, _ in here)
    lawful = (each for each in permutations(here) if all(part.strategic for part, _ in each[:strategic]))
    return min(lawful, key=lambda each: in_order(boxes, *zip(*each, strict=True)).total)


def _one_by_one(boxes: dict[str, depots.Depot], ordered: Sequence[Part]) -> Quote:
    now, chosen = dict(boxes), []
    for part in ordered:
        charges = {net: depots.charge(now.get(net, depots.Depot()), part.res, part.width) for net in part.nets}
        best = min(part.nets, key=lambda net: (charges[net].cost, net))
        now[best] = charges[best].depot
        chosen.append(best)
    return in_order(boxes, ordered, chosen)


def quote(world: EuropaWorld, state: State, unit_ids: Sequence[str]) -> tuple[Quote, Quote]:
    """What the changes of these units would cost now: in the order given, and at the cheapest."""
    return quote_changes(world, state, [change_of(world, state, unit) for unit in named(state, unit_ids)])


def quote_changes(world: EuropaWorld, state: State, changes: Sequence[Command]) -> tuple[Quote, Quote]:
    """What changes would cost now: in the order given, and at the cheapest."""
    parts = [part_of(world, state, change) for change in changes]
    boxes = {net: depots.depot_at(world, state, net) for part in parts for net in part.nets if net}
    return as_given(boxes, parts), cheapest(boxes, parts)


class QuoteReserves(Command, tag="quote-reserves", frozen=True):
    """Work out what it would cost to put units into reserve or take them out; nothing is spent."""

    units: UnitList
    """The units in the order you think of; those in no reserve would enter, the others leave."""

    def side(self, q: Question) -> str:
        """What an enemy's reserves would cost is not his opponent's to ask."""
        assert isinstance(q.world, EuropaWorld)
        return q.world.side_now(q.state, named(q.state, self.units)[0].spec.nation)

    def effects(self, q: Question) -> Iterator[Event]:
        assert isinstance(q.world, EuropaWorld)
        given, best = quote(q.world, q.state, self.units)
        yield Noted(text=f"in this order: {given}", because="49.A.1.a/8")
        if best.total < given.total:
            yield Noted(text=f"cheapest: {best}", because="49.A.1.a/8")


CHAPTER = Chapter(heading="49.A.1", commands=(QuoteReserves,))
