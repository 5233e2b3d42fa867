"""forcepool forecast: what the coming turns bring, read in the terminal or by a program."""

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
