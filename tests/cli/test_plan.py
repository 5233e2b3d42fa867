"""forcepool plan: made, read, saved and followed, and no further where the campaign went another way."""

from pathlib import Path

from forcepool.planner.solver import has_solver
from tests.cli.conftest import Forcepool


def test_the_orders_of_the_coming_turns(east: Forcepool) -> None:
    ran = east("plan", "east.fp", "--turns", "6")
    assert ran.code == 0
    assert "Axis, Oct 3 41, Axis replacement phase to Dec 1 41: " in ran.out
    assert "Strength on the map at the end: 104, 20 more than with no orders." in ran.out
    if has_solver():
        assert "Found: the best there is among the orders a plan knows." in ran.out
    assert "rebuild-cadre unit=" in ran.out
    assert "Left unspent" in ran.out
    # A plan enters nothing.
    assert east("undo", "east.fp").code == 1


def test_a_program_reads_it(east: Forcepool) -> None:
    data = east("plan", "east.fp", "--turns", "6", "--side", "soviet", "--json").data
    assert (data["side"], data["quiet"], data["value"], data["gain"]) == ("Soviet", "25", "33", "8")
    assert data["proven"] is has_solver()
    assert sum(len(turn["orders"]) for turn in data["turns"]) == 4


def test_rules_of_thumb(east: Forcepool) -> None:
    alone = east("plan", "east.fp", "--turns", "6", "--greedy", "--json").data
    assert "rule of thumb" in alone["by"]
    assert alone["bound"] is None
    both = east("plan", "east.fp", "--turns", "6", "--compare", "--json").data
    assert len(both["rules"]) == 3


def test_a_plan_is_saved_followed_and_shown(east: Forcepool) -> None:
    assert east("plan", "east.fp", "--turns", "6", "--save", "autumn.yaml").code == 0
    before = east("plan", "east.fp", "--show", "autumn.yaml").out
    now = before.count("to be given now")
    assert now > 0
    followed = east("plan", "east.fp", "--follow", "autumn.yaml")
    assert (followed.code, followed.out.count("done: ")) == (0, now)
    after = east("plan", "east.fp", "--show", "autumn.yaml", "--json").data["orders"]
    assert sum(each["stands"] == "given" for each in after) == now
    assert "The plan has nothing for" in east("plan", "east.fp", "--follow", "autumn.yaml").out
    # Made again from here it has nothing to mend, and held against the first it has the same orders that are left.
    again = east("plan", "east.fp", "--again", "autumn.yaml", "--save", "winter.yaml", "--json").data
    waiting = {each["order"]["unit"] for each in after if each["stands"] == "later"} - {""}
    assert (again["until"], again["dropped"]) == ("Dec 1 41", [])
    assert {each["unit"] for turn in again["turns"] for each in turn["orders"]} >= waiting
    both = east("plan", "east.fp", "--show", "autumn.yaml", "--beside", "winter.yaml")
    units = [each for each in both.out.splitlines() if each.startswith("  = ") and "unit=" in each]
    assert len(units) == sum(bool(each["order"]["unit"]) for each in after if each["stands"] == "later")
    assert east("plan", "east.fp", "--beside", "winter.yaml").code == 2


def test_an_order_that_no_longer_goes_is_told(east: Forcepool) -> None:
    east("plan", "east.fp", "--turns", "6", "--save", "autumn.yaml")
    pools = {
        each["order"].split("pay_from=")[1].split()[0]
        for turn in east("plan", "east.fp", "--turns", "6", "--json").data["turns"]
        for each in turn["orders"]
        if each["unit"]
    }
    for pool in sorted(pools):
        for kind in ("inf", "arm"):
            words = (f"pool={pool}", "nation=Germany", f"kind={kind}", "amount=-1000", "note=lost at sea")
            assert east("do", "east.fp", "correct-points", *words).code == 0
    ran = east("plan", "east.fp", "--follow", "autumn.yaml")
    assert ran.code == 1
    assert "refused: " in ran.out
    assert "make the plan anew" in ran.out


def test_a_seat_follows_its_own_plan_only(seated: Forcepool) -> None:
    seated("plan", "east.fp", "--turns", "2", "--save", "axis.yaml")
    other = seated("plan", "east.fp", "--follow", "axis.yaml", "--as", "Soviet")
    assert other.code == 2
    assert "this is a plan of Axis; you play Soviet" in other.err
    assert seated("plan", "east.fp", "--follow", "axis.yaml").code == 2


def test_goals_come_from_a_file(east: Forcepool) -> None:
    Path("goals.yaml").write_text("by: Nov 1 41\nleave: [10 Pz XX]\n", encoding="utf-8")
    data = east("plan", "east.fp", "goals.yaml", "--json").data
    assert data["until"] == "Nov 1 41"
    assert "10 Pz XX" not in [each["unit"] for turn in data["turns"] for each in turn["orders"]]
    Path("goals.yaml").write_text("by: Nov 1 41\nleave: [10 Px XX]\n", encoding="utf-8")
    wrong = east("plan", "east.fp", "goals.yaml")
    assert wrong.code == 2
    assert "goals.yaml:2:9" in wrong.err


def test_a_spoilt_plan_is_told_with_its_place(east: Forcepool) -> None:
    east("plan", "east.fp", "--turns", "2", "--save", "autumn.yaml")
    text = Path("autumn.yaml").read_text("utf-8")
    Path("autumn.yaml").write_text(text.replace("rebuild-cadre", "rebuild-cader"), encoding="utf-8")
    wrong = east("plan", "east.fp", "--show", "autumn.yaml")
    assert wrong.code == 2
    assert "autumn.yaml:" in wrong.err


def test_a_bot_that_plans_rebuilds_by_its_plan(east: Forcepool) -> None:
    # Of plans that are worth the same any may be shown; all of them make one of the two best tank divisions full now.
    ran = east("bot", "east.fp", "--side", "Axis", "--plan", "--json")
    assert ran.code == 0
    given = ran.data["commands"]
    assert sum(given.get(name, 0) for name in ("rebuild-cadre", "rebuild-remnant", "replace")) >= 2
    assert "full" in east("units", "east.fp", "10 Pz XX").out + east("units", "east.fp", "6 Pz XX").out
