"""Whatever changes are made at a depot, in whatever order: the charge is what a slow reader of the rule would count."""

from fractions import Fraction
from functools import cache
from itertools import permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forcepool.games.europa.reserves.depots import Depot, charge
from forcepool.games.europa.reserves.quotes import Part, as_given, cheapest, in_order

GRAIN = 12
"""REs are counted in twelfths here, which halves, thirds and quarters all fill exactly."""

RES = st.integers(0, 8 * GRAIN).map(lambda grains: Fraction(grains, GRAIN))
TURNS = st.lists(st.lists(RES, max_size=5), min_size=1, max_size=4)


class SlowDepot:
    """The rule read literally, a twelfth of an RE at a time: how many were charged, and what does the next one cost?"""

    def __init__(self, base_number: int) -> None:
        self.width = max(1, base_number) * GRAIN
        self.stored = 0
        self.start_turn()

    def start_turn(self) -> None:
        self.charged, self.multiplier, self.in_band = 0, self.stored + 1, 0

    def end_turn(self) -> None:
        if self.charged:
            self.stored = self.multiplier
        self.start_turn()

    def pay(self, res: Fraction) -> Fraction:
        cost = Fraction(0)
        for _ in range(int(res * GRAIN)):
            # The number is exceeded by the first grain that no longer fits, not by the one that fills the band.
            if self.in_band == self.width:
                self.multiplier, self.in_band = self.multiplier + 1, 0
            self.in_band += 1
            self.charged += 1
            cost += Fraction(self.multiplier, GRAIN)
        return cost


@given(st.integers(0, 8), TURNS)
@pytest.mark.clause("49.A.1.a.list2.i/1", "49.A.1.a.list2.i/2", "49.A.1.a.list2.ii/1")
def test_every_charge_of_a_month_is_what_counting_grain_by_grain_gives(
    base_number: int, turns: list[list[Fraction]]
) -> None:
    slow, stored = SlowDepot(base_number), 0
    charge(Depot(), Fraction(1), 1)
    for turn in turns:
        depot = Depot(stored=stored)
        for res in turn:
            charged = charge(depot, res, max(1, base_number))
            assert charged.cost == slow.pay(res)
            assert sum(each.res for each in charged.slices) == res
            depot = charged.depot
        stored = depot.last if depot.used else stored
        slow.end_turn()
        assert stored == slow.stored


@given(st.integers(1, 6), st.lists(RES, min_size=1, max_size=5), st.integers(0, 4))
def test_the_order_of_changes_at_one_depot_makes_no_difference_to_their_sum(
    width: int, sizes: list[Fraction], stored: int
) -> None:
    together = charge(Depot(stored=stored), sum(sizes, Fraction(0)), width).cost
    depot, apart = Depot(stored=stored), Fraction(0)
    for res in sizes:
        charged = charge(depot, res, width)
        depot, apart = charged.depot, apart + charged.cost
    assert apart == together


FACTORS = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(2), Fraction(4)])
NETS = {"X": ("X",), "Y": ("Y",), "Z": ("X", "Y")}
ROWS = st.lists(st.tuples(RES, FACTORS, st.sampled_from("XYZ"), st.booleans()), min_size=1, max_size=6)
Row = tuple[Fraction, Fraction, str, bool]


def parts_of(rows: list[Row], widths: list[int]) -> list[Part]:
    return [
        Part(str(number), "", res, factor, NETS[net], widths[number % len(widths)], strategic=strategic)
        for number, (res, factor, net, strategic) in enumerate(rows)
    ]


def lawful(order: tuple[Part, ...]) -> bool:
    """Changes of strategic reserve come before the others."""
    strategic = [part.strategic for part in order]
    return strategic == sorted(strategic, reverse=True)


def least(boxes: dict[str, Depot], parts: list[Part]) -> Fraction:
    """The least of every lawful order at every choice of depots, tried one by one."""

    @cache
    def at(depot: str, here: tuple[Part, ...]) -> Fraction:
        orders = (order for order in permutations(here) if lawful(order))
        return min(in_order(boxes, order, [depot] * len(order)).total for order in orders)

    def apart(chosen: tuple[str, ...]) -> Fraction:
        pairs = list(zip(parts, chosen, strict=True))
        return at("X", tuple(p for p, net in pairs if net == "X")) + at("Y", tuple(p for p, net in pairs if net == "Y"))

    return min(apart(chosen) for chosen in product(*(part.nets for part in parts)))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(1, 4), min_size=1, max_size=2), ROWS, st.integers(-1, 3))
@pytest.mark.clause("49.A.1.a/8", "49.A.1/2")
def test_the_cheapest_quote_of_up_to_six_units_is_the_least_of_all_orders_and_depots(
    widths: list[int], rows: list[Row], stored: int
) -> None:
    parts = parts_of(rows, widths)
    boxes = {"X": Depot(stored=stored), "Y": Depot(stored=0, used=Fraction(1, 2), base=1, last=1)}
    best = cheapest(boxes, parts)
    assert best.total == least(boxes, parts)
    by_name = {part.unit: part for part in parts}
    order = tuple(by_name[line.unit] for line in best.lines)
    assert len(order) == len(parts)
    assert lawful(order)
    assert all(line.depot in by_name[line.unit].nets for line in best.lines)
    assert in_order(boxes, order, [line.depot for line in best.lines]) == best
    if lawful(tuple(parts)):
        assert best.total <= as_given(boxes, parts).total
