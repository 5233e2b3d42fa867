"""forcepool forecast: what the coming turns bring, read in the terminal or by a program."""

from msgspec.structs import replace

from forcepool.web.task import Task
from forcepool.web.worker import done
from tests.cli.conftest import Forcepool


def test_the_coming_turns(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "smolensk")
    ran = forcepool("forecast", "war.fp", "--turns", "4")
    assert ran.code == 0
    assert "the next 4 turns if nobody does more than is due" in ran.out
    assert "What each pool holds as the turn ends, if nothing is spent" in ran.out
    # Looking ahead writes nothing.
    assert forcepool("undo", "war.fp").code == 1


def test_every_number_with_its_working(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "smolensk")
    turns = forcepool("forecast", "war.fp", "--turns", "4", "--json").data["turns"]
    comes = [change for turn in turns for change in turn["comes"]]
    assert comes
    assert all(change["clauses"] for change in comes)
    shown = forcepool("forecast", "war.fp", "--turns", "4", "--why").out
    working = next(line for change in comes for line in change["why"])
    assert working in shown


def test_one_side_only(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "smolensk")
    ran = forcepool("forecast", "war.fp", "--turns", "4", "--side", "axis")
    assert "Soviet" not in ran.out
    assert "Germany" in ran.out
    wrong = forcepool("forecast", "war.fp", "--side", "Allied")
    assert wrong.code == 2
    assert "Axis" in wrong.err


def test_a_month_that_brings_nothing_says_so(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "smolensk")
    assert "nothing comes, nothing lapses" in forcepool("forecast", "war.fp", "--turns", "4").out


def test_what_stays_undone_is_told_once_a_turn(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "eastern-front")
    forcepool("do", "war.fp", "declare", "fact=control", "about=Odessa", "value=axis")
    for _ in range(4):
        forcepool("do", "war.fp", "advance")
    ran = forcepool("forecast", "war.fp", "--turns", "1")
    assert ran.out.count("undone") == 2
    assert "or mend the control\n" in ran.out
    # Tank Stalingrad alone entrained.
    assert forcepool("do", "war.fp", "entrain", "unit=Tank Stalingrad").code == 0
    assert "goes    strategic movement: 1 move of Soviet Union" in forcepool("forecast", "war.fp", "--turns", "1").out


def test_a_factory_that_is_deployed_in_siberia_arrives(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "eastern-front")
    assert forcepool("do", "war.fp", "choose-first-factory", "unit=Tank A").code == 0
    ahead = forcepool("forecast", "war.fp", "--turns", "3", "--json").data
    found = [
        (turn["name"], each["where"]) for turn in ahead["turns"] for each in turn["arrives"] if each["unit"] == "Tank A"
    ]
    assert found == [("Jul 41", "Siberia")]
    assert "arrives Soviet Union: Tank A (Siberia)" in forcepool("forecast", "war.fp", "--turns", "3").out


def test_the_quarters_in_which_a_factory_may_be_begun_lapse_until_there_are_none(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "eastern-front")
    assert forcepool("do", "war.fp", "choose-first-factory", "unit=Tank A").code == 0
    ahead = forcepool("forecast", "war.fp", "--turns", "30", "--json").data
    told = {turn["name"]: [each["texts"] for each in turn["not_taken"]] for turn in ahead["turns"]}
    quarters = [f"{month} {year}" for year in (41, 42, 43) for month in ("Jan", "Apr", "Jul", "Oct")]
    assert [name for name, found in told.items() if found] == quarters[2:-1]
    # Tank A has been chosen, so that Tank B is the next of its kind.
    assert told["Jul 41"] == [["Aircraft A may be begun", "Artillery A may be begun", "Tank B may be begun"]]
    shown = forcepool("forecast", "war.fp", "--turns", "1").out
    assert "lapses  Aircraft A may be begun; Artillery A may be begun; Tank B may be begun  [EF.expansion/15]" in shown
    assert "may be begun" not in forcepool("forecast", "war.fp", "--turns", "1", "--side", "Axis").out


def test_where_opportunities_are_kept_each_quarter_opens_a_choice_and_none_lapses(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "eastern-front")
    assert forcepool("do", "war.fp", "house-rule", "rule=expansion-passed", "option=accumulates").code == 0
    ahead = forcepool("forecast", "war.fp", "--turns", "7", "--json").data
    assert not any(turn["not_taken"] for turn in ahead["turns"])
    opens = {turn["name"]: turn["opens"] for turn in ahead["turns"] if turn["opens"]}
    assert list(opens) == ["Jul 41", "Oct 41", "Jan 42"]
    assert opens["Oct 41"][0]["texts"] == ["Aircraft A may be begun", "Artillery A may be begun", "Tank A may be begun"]
    shown = forcepool("forecast", "war.fp", "--turns", "1").out
    assert "opens   Aircraft A may be begun; Artillery A may be begun; Tank A may be begun  [EF.expansion/15]" in shown


def test_the_rumanians_who_go_home_leave_in_december(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "eastern-front")
    assert forcepool("do", "war.fp", "put-unit", "unit=II Rum Corps", "at=Odessa").code == 0
    assert forcepool("do", "war.fp", "put-unit", "unit=Rum Cav Corps", "at=Odessa").code == 0
    ahead = forcepool("forecast", "war.fp", "--turns", "7", "--json").data
    leaves = [(turn["name"], each["unit"], each["to"]) for turn in ahead["turns"] for each in turn["leaves"]]
    assert leaves == [("Dec 41", "II Rum Corps", "Bucharest")]
    shown = forcepool("forecast", "war.fp", "--turns", "7", "--side", "Axis").out
    assert "leaves  Rumania: II Rum Corps (Odessa to Bucharest)\n" in shown
    assert "II Rum Corps" not in forcepool("forecast", "war.fp", "--turns", "7", "--side", "Soviet").out


def test_with_losses_a_fan_of_each_pool(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "smolensk")
    asked = ("forecast", "war.fp", "--turns", "4", "--losses", "axis=6", "--losses", "Soviet=5/2", "--runs", "3")
    ran = forcepool(*asked)
    assert ran.code == 0
    assert "With losses, units eliminated in a month: 6 of Axis, 2½ of Soviet: 3 runs" in ran.out
    data = forcepool(*asked, "--json").data
    assert (data["runs"], data["bands"]) == (3, ["1/10", "1/4", "1/2", "3/4", "9/10"])
    assert all(len(pool["fan"]) == 5 for pool in data["pools"])
    for wrong in ("last:0", "last:x", "Axis=-1", "Axis=many", "Allied=3", "often"):
        refused = forcepool("forecast", "war.fp", "--losses", wrong)
        assert refused.code == 2, wrong
        assert "write last:4" in refused.err
    assert "give a rate instead" in forcepool("forecast", "war.fp", "--losses", "last:4").err


def test_losses_as_in_the_last_turns_are_those_of_the_campaign_also_in_a_what_if(forcepool: Forcepool) -> None:
    forcepool("new", "war.fp", "--scenario", "smolensk")
    forcepool("do", "war.fp", "lose", "6 Pz XX")
    turn = forcepool("status", "war.fp", "--json").data["turn"]
    while forcepool("status", "war.fp", "--json").data["turn"] == turn:
        forcepool("do", "war.fp", "advance", "--override", "on with it")
    forcepool("whatif", "war.fp")
    asked = ("--turns", "2", "--losses", "last:4", "--runs", "2", "--json")
    there, here = (forcepool("forecast", file, *asked).data for file in ("war.fp", "war.fp.whatif"))
    assert there["losses"] == "as in the last 4 turns"
    assert here["pools"] == there["pools"]
    # A server works it out of the same two files.
    wish = {"turns": 2, "losses": ["last:4"], "before": "war.fp"}
    task = Task("forecast", "war.fp.whatif", folder=".", fields=wish)
    assert done(task, lambda done, of: None).ok
    assert not done(replace(task, fields=wish | {"before": ""}), lambda done, of: None).ok
    assert any(pool["fan"][-1] != [pool["holds"][-1]] * 5 for pool in here["pools"])
