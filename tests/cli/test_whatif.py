"""forcepool whatif: orders tried in a file beside the campaign, then given for real in one go or dropped."""

from pathlib import Path

from tests.cli.conftest import Forcepool

BUY = ("replace", "unit=263 Inf XX", "pay_from=front/centre")
REBUILD = ("rebuild-remnant", "unit=161 Inf XX", "pay_from=front/centre")
SCRATCH = "east.fp.whatif"
COUNTS_NOT = "nothing here counts"


def test_tried_looked_at_and_given_in_one_go(east: Forcepool, tmp_path: Path) -> None:
    assert "nothing that is done in it counts" in east("whatif", "east.fp").out
    for order in (BUY, REBUILD):
        ran = east("do", SCRATCH, *order)
        assert ran.code == 0
        assert COUNTS_NOT in ran.err
    for word in ("status", "todo", "log"):
        assert COUNTS_NOT in east(word, SCRATCH).err
    assert COUNTS_NOT not in east("status", "east.fp").err
    assert [east("status", file, "--json").data["whatif"] for file in ("east.fp", SCRATCH)] == [False, True]
    # What was tried is in the forecast of the what-if, and not in the campaign's.
    arriving = [
        each["unit"]
        for turn in east("forecast", SCRATCH, "--turns", "5", "--json").data["turns"]
        for each in turn["arrives"]
    ]
    assert "263 Inf XX" in arriving
    assert "263 Inf XX" not in east("forecast", "east.fp", "--turns", "5").out
    shown = east("whatif", "east.fp", "--show").out
    assert "1  replace" in shown
    assert "2  rebuild-remnant" in shown
    given = east("whatif", SCRATCH, "--give")
    assert given.code == 0
    assert "2 orders given for real" in given.out
    assert not (tmp_path / SCRATCH).exists()
    assert east("log", "east.fp").out.count("(given in one go from entry 2 on)") == 2
    east("undo", "east.fp")
    assert east("log", "east.fp").out.count("(undone)") == 2
    assert east("verify", "east.fp").code == 0


def test_a_refusal_gives_nothing_and_the_what_if_stays(east: Forcepool, tmp_path: Path) -> None:
    east("whatif", "east.fp")
    east("do", SCRATCH, *REBUILD)
    east("do", SCRATCH, *BUY)
    east("do", "east.fp", *BUY)
    ran = east("whatif", "east.fp", "--give")
    assert ran.code == 1
    assert "Order 2 of 2 cannot be given, so nothing was." in ran.out
    assert "replace" in ran.out
    data = east("whatif", "east.fp", "--give", "--json").data
    assert (data["accepted"], data["entries"], data["order"]["number"]) == (False, [], 2)
    assert data["clauses"]
    assert "rebuild-remnant" not in east("log", "east.fp").out
    assert "gone on by 1 entry" in east("whatif", "east.fp").out
    assert (tmp_path / SCRATCH).exists()


def test_thrown_away(east: Forcepool, tmp_path: Path) -> None:
    east("whatif", "east.fp")
    east("do", SCRATCH, *BUY)
    assert east("whatif", "east.fp", "--drop").code == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["east.fp"]
    assert east("undo", "east.fp").code == 1
    for option in ("--show", "--give", "--drop"):
        ran = east("whatif", "east.fp", option)
        assert ran.code == 1
        assert "forcepool whatif east.fp" in ran.err


def test_it_is_never_taken_for_the_campaign(east: Forcepool, tmp_path: Path) -> None:
    east("whatif", "east.fp")
    refused = east("restore", SCRATCH, "east.fp")
    assert refused.code == 2
    assert "is a what-if" in refused.err
    # Under a campaign's name it still says what it is, and makes no what-if of its own.
    (tmp_path / SCRATCH).rename(tmp_path / "west.fp")
    assert COUNTS_NOT in east("status", "west.fp").err
    assert "is a what-if itself" in east("whatif", "west.fp").err
    # Nor is a campaign taken for a what-if.
    (tmp_path / "east.fp").rename(tmp_path / "west.fp.whatif")
    assert "is a campaign, not a what-if" in east("whatif", "west.fp", "--drop").err
    assert (tmp_path / "west.fp.whatif").exists()


def test_with_seats_it_is_said_who_gives_it(seated: Forcepool) -> None:
    seated("whatif", "east.fp")
    seated("do", SCRATCH, *BUY)
    assert "--as Axis" in seated("whatif", "east.fp", "--give").err
    assert seated("whatif", "east.fp", "--give", "--as", "Soviet").code == 1
    assert seated("whatif", "east.fp", "--give", "--as", "Axis").code == 0
    assert "Axis: replace" in seated("log", "east.fp").out


def test_one_thing_at_a_time(east: Forcepool) -> None:
    assert east("whatif", "east.fp", "--give", "--drop").code == 2
    assert east("whatif", "east.fp", "--die", "3").code == 2
    east("whatif", "east.fp")
    assert "nothing was tried" in east("whatif", "east.fp", "--give").err
