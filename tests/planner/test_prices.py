"""What a plan says of units it leaves out: what is lacking, and at what price they would be in it."""

from fractions import Fraction

from forcepool.planner.goals import Goals, Want, Weight
from forcepool.planner.left import displaced, left_out
from forcepool.planner.plan import plan
from forcepool.planner.prices import Price
from forcepool.views.plan import plan_view
from tests.support.depot import (
    FIRST,
    KIND,
    begun,
)

TURNS = 3


def test_the_price_at_which_a_unit_would_be_in_the_plan() -> None:
    for points, needs in ((6, "2 inf"), (7, "1 inf")):
        world, state = begun(north=points)
        found = plan(world, state, "Red", TURNS)
        (out,) = plan_view(world, state, found, prices=True).left
        assert f"a plan with it would be worth 2 less; it would be in it if it cost {needs} less" in out.text


def test_a_price_is_told_of_a_plan_that_keeps_what_was_asked_for() -> None:
    world, state = begun(north=6)
    found = plan(world, state, "Red", TURNS, Goals(wants=(Want("2 Inf XX", FIRST + 1),)))
    (out,) = left_out(world, found)
    # To have the other as well, the tank division would have to give way, and never the unit that is wanted.
    assert displaced(world, found, [out]) == {"1 Inf XX": Price(Fraction(2), {KIND: Fraction(2)})}


def test_a_unit_that_comes_back_in_part_says_so() -> None:
    world, state = begun(north=4)
    found = plan(world, state, "Red", TURNS, Goals(weights=(Weight(Fraction(3), unit="3 Pz XX"),)))
    comes = {each.unit: each.text for each in plan_view(world, state, found).left if each.text.startswith("comes back")}
    assert list(comes.values()) == ["comes back as cadre: north (Red) has 0 inf left, it needs 2"]
