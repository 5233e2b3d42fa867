"""A plan as it is kept: how far it has been carried out, and how it differs from another."""

from collections import Counter

from msgspec.structs import replace

from forcepool.engine import codec
from forcepool.engine.branch import Branch
from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.decide import Decision
from forcepool.engine.places import at_hex
from forcepool.engine.units import FULL
from forcepool.planner.goals import Goals
from forcepool.planner.plan import plan
from forcepool.views.saved_plan import (
    GIVEN,
    LATER,
    LOST,
    NOW,
    SavedOrder,
    SavedPlan,
    lines,
    progress,
    saved,
)
from forcepool.views.two_plans import side_by_side
from tests.support.depot import (
    COMES,
    DEAD,
    FIRST,
    Send,
    begun,
)

TURNS = 3


def test_how_far_a_plan_is_and_what_came_of_it() -> None:
    world, state = begun(north=6)
    found = plan(world, state, "Red", TURNS)
    text = saved(world, state, found)
    branch = Branch(world, state)
    for order in found.orders[:2]:
        decision = branch.judge(order.deal.command)
        assert isinstance(decision, Decision)
        branch.carry_out(decision)
    now = branch.state
    far = progress(now, lines(world, now, text))
    assert [far.given, far.all, far.broken, far.promised] == [2, 3, 0, 0]
    later = now.copy()
    later.clock = Clock(Turn(FIRST + 2), 0, 1)
    there = progress(later, lines(world, later, text))
    # 4 for the tank division; of the other 6 that were promised by now nothing is on the map.
    assert [there.given, there.broken, there.promised, there.there] == [2, 1, 10, 4]
    # A unit that is full has been a cadre, and what the journal knows to be given and is gone was lost.
    cadre = found.orders[-1].unit
    later.units[cadre] = replace(later.units[cadre], step=FULL, place=at_hex("front"))
    assert [each.stands for each in lines(world, later, text)] == [GIVEN] * 3
    given = Counter(codec.encode(each.deal.command) for each in found.orders)
    later.units[cadre] = replace(later.units[cadre], place=DEAD)
    assert [each.stands for each in lines(world, later, text, given)].count(LOST) == 2


def test_two_plans_side_by_side() -> None:
    world, state = begun(north=6)
    one, other = (
        saved(world, state, plan(world, state, "Red", TURNS, Goals(leave=leave)))
        for leave in (("2 Inf XX",), ("1 Inf XX",))
    )
    first, second = side_by_side(one, other)
    assert [each.unit for each in first.both] == ["3 Pz XX"]
    assert [[each.unit for each in side] for side in (first.one, first.other)] == [["1 Inf XX"], ["2 Inf XX"]]
    assert [len(second.both), len(second.one), len(second.other)] == [0, 1, 1]


def test_the_same_order_in_two_phases_is_given_as_often_as_the_journal_has_it() -> None:
    world, state = begun(south=6)
    sends = Send(pool="south", into="north", points="2 inf")
    orders = [
        SavedOrder("", FIRST + turn, 0, 1, "", "", "", "", codec.encode(sends).decode(), f"{COMES}/north Red inf 2")
        for turn in (0, 1)
    ]
    for often, stands in enumerate(([NOW, LATER], [GIVEN, LATER], [GIVEN, GIVEN])):
        given = Counter({codec.encode(sends): often})
        told = lines(world, state, SavedPlan("Red", "", "", "0", orders), given)
        assert [each.stands for each in told] == stands
