"""What a plan says of units that no order it knows can bring back."""

import pytest

from forcepool.planner.plan import plan
from forcepool.views.plan import Left, plan_view
from tests.campaigns.demonstration import demonstration
from tests.support.quiet import nobody_listens


@pytest.fixture(scope="module")
def left() -> dict[str, Left]:
    """The Soviet units that a short plan of the demonstration leaves out."""
    campaign = demonstration()
    with nobody_listens():
        found = plan(campaign.world, campaign.state, "Soviet", 0, solver=False)
        return {each.unit: each for each in plan_view(campaign.world, campaign.state, found).left}


def test_air_units_have_no_price_in_rps_and_come_back_by_another_order(left: dict[str, Left]) -> None:
    for unit in ("1 DBAK", "16 SAD", "23 BAD", "7 SAD", "9 SAD a"):
        assert left[unit].clause == "28.D/3"
        assert left[unit].text == (
            f"{unit} is an air unit, for which RPs neither are paid nor given; use ARPs (replace-air); "
            f"a plan does not give the order that would: Replace air {unit} paid from theatre East"
        )
    assert left["57 SAD"].text == "a plan does not give the order that would: Repair air 57 SAD paid from theatre East"
    assert not any("(strength" in each.text for unit, each in left.items() if unit.endswith(("SAD", "DBAK", "BAD")))


def test_the_reason_is_what_all_ways_have_in_common(left: dict[str, Left]) -> None:
    # It lies in a pocket without points, too; but points would not help it.
    assert left["129 Rif XX"].clause == "52.H.1/2"
    assert left["145 Rif XX"].text.endswith("would: Rebuild substitute 145 Rif XX paid from MD Orel")


def test_what_would_help_is_told(left: dict[str, Left]) -> None:
    assert left["12 Tk XX"].text == "12 Tk XX traces to no factory in production; open a supply line to one"
