"""A plan is played before it is shown, and where every order list can be tried, none is better."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from forcepool.engine import codec
from forcepool.engine.branch import Branch
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.decide import Decision
from forcepool.engine.ledger import Account
from forcepool.engine.state import State, to_bytes
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.world import World
from forcepool.planner import solver as solving
from forcepool.planner.again import Before
from forcepool.planner.carried import total
from forcepool.planner.deals import deals, is_in_need, planned, worth
from forcepool.planner.goals import Goals, Keep, Want, Weight
from forcepool.planner.left import KEPT, NO_POINTS, SHARE, WITHHELD, displaced, left_out
from forcepool.planner.outlook import is_moment
from forcepool.planner.plan import SOLVED, Plan, plan
from forcepool.planner.prices import Price
from forcepool.planner.quiet import Step, play_on
from forcepool.views.plan import plan_view
from forcepool.views.saved_plan import (
    GIVEN,
    NOW,
    Line,
    lines,
    saved,
    still_to_come,
)
from tests.support.depot import (
    CARTS,
    COMES,
    FIRST,
    KIND,
    MONTHLY,
    Depot,
    RebuildCadre,
    Replace,
    begun,
    some_campaign,
)

if TYPE_CHECKING:
    from ortools.sat.python.cp_model import CpModel

TURNS = 3
CAMPAIGNS = (12, 13, 14, 17, 19, 20, 21, 22, 23, 24)
"""Those of the first fifty that are quickly tried out; all fifty were, and agreed."""


class _Here(Exception):
    """Play has come to the next moment."""


class EveryOrderList:
    """The most that any lawful list of orders comes to, found by trying all."""

    def __init__(self, world: World, side: str, last: int) -> None:
        self.world, self.side, self.last = world, side, last
        self.known: dict[bytes, Fraction] = {}

    def best(self, state: State) -> Fraction:
        key = to_bytes(state)
        if key not in self.known:
            self.known[key] = max(self._going_on(state), *map(self.best, self._after_an_order(state)), Fraction(0))
        return self.known[key]

    def _after_an_order(self, state: State) -> Iterable[State]:
        for unit in state.units_in_order():
            if is_in_need(unit):
                for deal in deals(self.world, state, unit, planned(self.world)):
                    branch = Branch(self.world, state)
                    decision = branch.judge(deal.command)
                    assert isinstance(decision, Decision)
                    branch.carry_out(decision)
                    yield branch.state

    def _going_on(self, state: State) -> Fraction:
        branch = Branch(self.world, state)
        seen = 0

        def looks(now: Branch) -> Iterable[Step]:
            nonlocal seen
            seen += is_moment(self.world, now.state, self.side)
            if seen == 2:
                raise _Here
            return ()

        try:
            for _ in play_on(branch, self.last - state.clock.turn + 1, only=(self.side,), acts=looks):
                pass
        except _Here:
            return self.best(branch.state)
        return total(self.world, branch.state, self.side, lambda unit, _: worth(self.world, unit.spec, unit.step))


@pytest.mark.parametrize("seed", CAMPAIGNS)
def test_no_list_of_orders_is_better_than_the_plan(seed: int) -> None:
    world, state = some_campaign(seed, units=5, turns=TURNS)
    found = plan(world, state, "Red", TURNS)
    assert found.value == EveryOrderList(world, "Red", state.clock.turn + TURNS).best(state)
    assert found.bound is not None
    assert found.bound >= found.value
    assert found.by == SOLVED


@pytest.mark.parametrize("guess", [None, 0, 7])
def test_a_guess_proves_nothing(guess: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    world, state = some_campaign(23, units=40, turns=TURNS)
    right = plan(world, state, "Red", TURNS)

    def wrong(model: "CpModel") -> list[int] | None:
        return None if guess is None else [guess] * len(model.proto.variables)

    monkeypatch.setattr(solving, "guessed", wrong)
    found = plan(world, state, "Red", TURNS)
    assert [found.value, found.bound, found.proven] == [right.value, right.bound, True]


@pytest.mark.parametrize("seed", [4, 23])
def test_rules_of_thumb_never_come_to_more(seed: int) -> None:
    world, state = some_campaign(seed, units=40, turns=TURNS)
    best = plan(world, state, "Red", TURNS, compare=True)
    thumb = plan(world, state, "Red", TURNS, solver=False)
    assert len(best.rules) == 3
    assert best.value >= max(value for _, value in best.rules) == thumb.value
    assert thumb.by in dict(best.rules)
    assert thumb.bound is None


def test_the_same_campaign_has_the_same_plan() -> None:
    one, other = (plan(*some_campaign(23, units=40, turns=TURNS), "Red", TURNS) for _ in range(2))
    assert one.proven
    assert [(each.at, each.deal.command) for each in one.orders] == [
        (each.at, each.deal.command) for each in other.orders
    ]


def orders_of(found: Plan) -> list[tuple[int, str, str]]:
    return [(each.at.turn - FIRST, each.unit, each.deal.step) for each in found.orders]


def test_a_unit_comes_back_in_two_steps_as_early_as_can_be() -> None:
    world, state = begun(north=6)
    found = plan(world, state, "Red", TURNS)
    # 2 points make the tank division full, 2 bring a cadre back, 2 more make it full.
    assert [found.quiet, found.value, found.bound] == [4, 14, 14]
    first, *rest = orders_of(found)
    assert sorted([first, *rest]) in (
        [(0, "1 Inf XX", CADRE), (0, "3 Pz XX", FULL), (1, "1 Inf XX", FULL)],
        [(0, "2 Inf XX", CADRE), (0, "3 Pz XX", FULL), (1, "2 Inf XX", FULL)],
    )
    (out,) = left_out(world, found)
    assert [out.why, out.has, out.needs] == [NO_POINTS, 0, 2]
    assert displaced(world, found, [out]) == {out.unit: Price(Fraction(2), {KIND: Fraction(2)})}


def test_a_limit_of_the_month_is_kept() -> None:
    world, state = begun(north=20, monthly=1)
    found = plan(world, state, "Red", TURNS)
    assert found.value == 2 + 2 + 8
    assert plan(world, begun(north=20, monthly=2)[1], "Red", TURNS).value == 2 + 6 + 8


def test_goals_are_kept() -> None:
    world, state = begun(north=6)
    north = Account("north", "Red", KIND)

    def value(goals: Goals, turns: int = TURNS) -> Fraction:
        found = plan(world, state, "Red", turns, goals)
        assert found.unmet == ()
        return found.value

    assert value(Goals(keeps=(Keep(north, Fraction(3)),))) == 8 + 0
    assert value(Goals(keeps=(Keep(north, Fraction(2)),))) == 8 + 2
    assert value(Goals(spend=((KIND, Fraction(1, 3)),))) == 8
    assert value(Goals(spend=((KIND, Fraction(2, 3)),))) == 8 + 2
    assert value(Goals(leave=("3 Pz XX",))) == 4 + 6 + 2
    assert value(Goals(weights=(Weight(Fraction(3), type="Inf"),))) == 3 * (6 + 2) + 4
    assert value(Goals(wants=(Want("2 Inf XX", FIRST + 1),))) == 6 + 8
    held_back = plan(world, state, "Red", TURNS, Goals(leave=("3 Pz XX",)))
    assert [each.unit for each in left_out(world, held_back) if each.why == WITHHELD] == ["3 Pz XX"]


@pytest.mark.parametrize(
    ("goals", "why", "says"),
    [
        (
            Goals(spend=((KIND, Fraction(1, 2)),)),
            SHARE,
            "you let only ½ of all inf be spent: 1 of Red may still be, it needs 2",
        ),
        (
            Goals(keeps=(Keep(Account("north", "Red", KIND), Fraction(3)),)),
            KEPT,
            "you keep points in north (Red): 1 inf may be spent, it needs 2",
        ),
    ],
)
def test_a_limit_of_ones_own_is_the_reason(goals: Goals, why: str, says: str) -> None:
    world, state = begun(north=6)
    found = plan(world, state, "Red", TURNS, goals)
    listed = left_out(world, found)
    assert {each.why for each in listed} == {why}
    assert says in {each.text for each in plan_view(world, state, found).left}


def test_what_cannot_be_is_told() -> None:
    world, state = begun(north=6)
    found = plan(world, state, "Red", TURNS, Goals(wants=(Want("2 Inf XX", FIRST),)))
    assert found.unmet == ("2 Inf XX",)
    poor = plan(world, begun(north=3)[1], "Red", TURNS, Goals(wants=(Want("2 Inf XX", FIRST + 3),)))
    assert poor.unmet == ("2 Inf XX",)
    assert plan_view(world, state, found).unmet == (
        "2 Inf XX cannot be at full strength by Jan 1 41: even with all the points in the world it comes on Jan 2 41 "
        "at the earliest",
    )
    told = "2 Inf XX cannot be at full strength by Jan 4 41: the pool {} (Red) is 1 inf short"
    assert plan_view(world, state, poor).unmet[0] in (told.format("north"), told.format("south"))


@pytest.mark.parametrize(
    ("goals", "says"),
    [
        (Goals(spend=((KIND, Fraction(1, 2)),)), "you let only ½ of all inf be spent"),
        (Goals(keeps=(Keep(Account("north", "Red", KIND), Fraction(3)),)), "what else you want leaves"),
        (Goals(leave=("2 Inf XX",)), "you said to leave it alone"),
        (Goals(wants=(Want("3 Pz XX", FIRST + 3), Want("1 Inf XX", FIRST + 3))), "(Red) is 4 inf short"),
    ],
)
def test_what_stands_in_the_way_of_a_unit_is_told(goals: Goals, says: str) -> None:
    world, state = begun(north=6)
    both = replace(goals, wants=(*goals.wants, Want("2 Inf XX", FIRST + 3)))
    found = plan(world, state, "Red", TURNS, both)
    told = plan_view(world, state, found).unmet
    assert len(told) == 1
    assert says in told[0]


def test_an_allowance_that_stands_in_the_way_is_told() -> None:
    world, state = begun(north=20, monthly=1)
    found = plan(world, state, "Red", TURNS, Goals(wants=(Want("2 Inf XX", FIRST + 3), Want("3 Pz XX", FIRST + 3))))
    assert len(found.unmet) == 1
    assert "Red's monthly allowance is 1 unit short" in plan_view(world, state, found).unmet[0]


def test_a_plan_made_again_keeps_what_still_holds() -> None:
    world, state = begun(north=8)
    # The tank division is full at once, a cadre comes back, and is made full; 2 are left for the other.
    first = plan(world, state, "Red", TURNS)
    text = saved(world, state, first)
    assert first.value == 16
    after, lost = state.copy(), Account("north", "Red", KIND)
    after.balances[lost] -= 4
    before = still_to_come(world, after, text)
    assert len(before) == len(first.orders) == 4
    again = plan(world, after, "Red", TURNS, before=before)
    # Of the four orders the two that the points are enough for; free to choose, it brings as much otherwise.
    assert (again.value, again.proven, len(again.kept)) == (Fraction(10), True, 2)
    assert {(each.unit, each.deal.step) for each in again.orders} <= {(each.unit, each.step) for each in before}
    view = plan_view(world, after, again)
    assert (view.before, view.kept, len(view.dropped)) == (4, 2, 2)
    thumb = plan(world, after, "Red", TURNS, before=before, solver=False)
    assert len(thumb.kept) == 2


def test_what_is_kept_goes_to_the_unit_it_was_meant_for() -> None:
    world, state = begun(north=4)
    orders = [
        Before(Clock(FIRST, 0, 1), "2 Inf XX", Replace(unit="2 Inf XX", pool="north"), CADRE, "track"),
        Before(Clock(Turn(FIRST + 1), 0, 1), "2 Inf XX", RebuildCadre(unit="2 Inf XX", pool="north"), FULL, "hex"),
    ]
    again = plan(world, state, "Red", TURNS, before=orders)
    assert orders_of(again) == [(0, "2 Inf XX", CADRE), (1, "2 Inf XX", FULL)]
    assert again.kept == orders
    # Without it the tank division would have gone first, and as much been had.
    assert (again.value, plan(world, state, "Red", TURNS).value) == (Fraction(10), Fraction(10))


def test_the_earliest_goes_before_the_most() -> None:
    world = Depot({("north", FIRST + 1): Fraction(4)}, Fraction(100), rooms=3)
    _, state = begun(north=2)
    plainly = plan(world, state, "Red", TURNS)
    hurried = plan(world, state, "Red", TURNS, Goals(earliest=("2 Inf XX",)))
    assert plainly.value == hurried.value == 14
    assert (0, "2 Inf XX", CADRE) in orders_of(hurried)
    assert (1, "2 Inf XX", FULL) in orders_of(hurried)
    assert hurried.unmet == ()


def _of_points(listed: Iterable[Line]) -> str:
    """How it stands with the first order that sends points."""
    return next(each.stands for each in listed if not each.order.unit)


def test_points_are_sent_where_they_bring_more() -> None:
    world, state = begun(south=6)
    # Nobody but the north pays for the dead.
    for name in ("1 Inf XX", "2 Inf XX"):
        state.units[name] = replace(state.units[name], spec=replace(state.units[name].spec, force="north"))
    assert plan(world, state, "Red", TURNS).value == 8
    carts = Account(CARTS, "Red", "carts")
    state.balances[carts] = Fraction(2)
    found = plan(world, state, "Red", TURNS)
    # 4 of the 6 points can be carried: a cadre for 2, which is there in time to be made full for the other 2.
    assert (found.value, found.proven) == (Fraction(8 + 6), True)
    sent = [each for each in found.orders if not each.unit]
    assert sum(dict(each.deal.draws)[carts] for each in sent) == 2
    first = Account(f"{COMES}{FIRST + 1}/north", "Red", KIND)
    assert sent[0].at.turn == FIRST
    assert dict(sent[0].deal.draws)[first] <= -2
    text = saved(world, state, found)
    assert _of_points(lines(world, state, text)) == NOW
    state.balances[first] = -dict(sent[0].deal.draws)[first]
    assert _of_points(lines(world, state, text)) == GIVEN
    # Where the journal is at hand it decides: what waits may have been sent on, or be another order's.
    given = Counter([codec.encode(sent[0].deal.command)])
    assert _of_points(lines(world, state, text, Counter())) == NOW
    del state.balances[first]
    assert _of_points(lines(world, state, text, given)) == GIVEN


def test_without_the_solver_a_rule_of_thumb_plans() -> None:
    world, state = begun(north=6)
    found = plan(world, state, "Red", TURNS, solver=False)
    # It brings both dead back, where one of them and a full strength would have been more.
    assert [found.value, found.bound, found.proven] == [8 + 2 + 2, None, False]
    assert "rule of thumb" in plan_view(world, state, found).by
    assert plan(world, state, "Red", TURNS, Goals(leave=("3 Pz XX",)), solver=False).value == 4 + 6 + 2


def test_rules_of_thumb_keep_to_the_goals_and_do_not_displace_a_plan_that_does() -> None:
    world, state = begun(north=6)
    north = Account("north", "Red", KIND)
    for goals, most in (
        (Goals(keeps=(Keep(north, Fraction(4)),)), 8),
        (Goals(keeps=(Keep(north, Fraction(2)),)), 8 + 2),
        (Goals(spend=((KIND, Fraction(1, 3)),)), 8),
        (Goals(spend=((KIND, Fraction(2, 3)),)), 8 + 2),
    ):
        for found in (
            plan(world, state, "Red", TURNS, goals, solver=False),
            plan(world, state, "Red", TURNS, goals, compare=True),
        ):
            assert (found.value, found.unkept) == (Fraction(most), ())


def test_rules_of_thumb_spend_what_comes_in_time_to_be_kept() -> None:
    """What is to be in hand at the end need not be there before."""
    world = Depot({("north", FIRST + TURNS): Fraction(4)}, Fraction(100), rooms=3)
    _, state = begun(north=2)

    def value(keep: int, *, solver: bool) -> Fraction:
        goals = Goals(keeps=(Keep(Account("north", "Red", KIND), Fraction(keep)),), leave=("3 Pz XX",))
        found = plan(world, state, "Red", TURNS, goals, solver=solver)
        assert found.unkept == ()
        return found.value

    for solver in (True, False):
        # 2 now bring a cadre back in time; the 4 that come as it ends are too late for another.
        assert value(4, solver=solver) == 4 + 2
        assert value(5, solver=solver) == 4


def test_more_to_keep_than_there_is_stops_nothing_and_is_told() -> None:
    world, state = begun(north=6)
    found = plan(world, state, "Red", TURNS, Goals(keeps=(Keep(Account("north", "Red", KIND), Fraction(7)),)))
    assert found.value == 14
    assert plan_view(world, state, found).unmet == (
        "north (Red) cannot keep 7 in hand: even if nothing is spent it has 6 inf at the end",
    )
    # A rule of thumb holds nothing back for it, either.
    assert plan(world, state, "Red", TURNS, found.goals, solver=False).value == 12


def test_what_a_pool_owes_forbids_no_other_order() -> None:
    world, state = begun(north=6)
    state.balances[Account("south", "Red", KIND)] = Fraction(-3)
    found = plan(world, state, "Red", TURNS)
    assert (found.value, found.proven) == (Fraction(14), True)
    paid = {account.pool for each in found.orders for account, amount in each.deal.draws if amount > 0}
    assert paid == {"north", MONTHLY}


def test_nothing_to_do_is_a_plan_without_orders() -> None:
    world, state = begun()
    for solver in (True, False):
        found = plan(world, state, "Red", 0, solver=solver)
        assert [found.orders, found.value] == [(), 4]


def test_a_side_without_moments_has_no_plan() -> None:
    world, state = begun(north=9)
    assert plan(world, state, "Blue", TURNS).orders == ()


def test_a_solver_that_does_not_start_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where OR-Tools lacks a library of the system, a plan is made by rules of thumb, and says so."""

    def missing(name: str) -> None:
        raise ImportError(f"{name}: a library is missing")

    monkeypatch.setattr(solving, "import_module", missing)
    world, state = begun(north=20)
    found = plan(world, state, "Red", TURNS, Goals())
    assert not found.proven
    assert "rule of thumb" in plan_view(world, state, found).by
