"""Writing to the others by the command line, and who reads it in the log."""

from tests.cli.conftest import Forcepool


def test_a_message_is_written_and_read_by_those_it_is_for(seated: Forcepool) -> None:
    said = seated("say", "east.fp", "May I take that back?", "--to", "soviet", "--as", "Axis")
    assert (said.code, said.out.strip()) == (0, "2  written to Soviet")
    assert seated("say", "east.fp", "Away until Sunday", "--as", "Soviet", "--json").data["to"] == ""
    assert seated("say", "east.fp", "-", "--to", "referee", "--as", "Axis", typed="He cheats.\nTwice.").code == 0
    axis, soviet, nobody = (
        seated("log", "east.fp", *reader).out for reader in (("--as", "Axis"), ("--as", "Soviet"), ())
    )
    assert "Axis: writes to Soviet: May I take that back?" in axis
    assert "Axis: writes to Soviet: May I take that back?" in soviet
    assert "Soviet: writes to all: Away until Sunday" in nobody
    assert "He cheats. Twice." in axis
    for text in (soviet, nobody, str(seated("log", "east.fp", "--as", "Soviet", "--json").data)):
        assert "cheats" not in text
    assert "Axis: writes to referee\n" in soviet
    assert "take that back" not in nobody
    assert seated("verify", "east.fp").code == 0


def test_it_goes_along_in_exports_and_turn_files(seated: Forcepool) -> None:
    seated("say", "east.fp", "zebra", "--to", "Soviet", "--as", "Axis")
    seated("say", "east.fp", "giraffe", "--to", "referee", "--as", "Axis")
    assert seated("export", "east.fp", "-o", "east.txt").code == 0
    assert seated("import", "east.txt", "again.fp").code == 0
    assert "zebra" in seated("log", "again.fp", "--as", "Soviet").out
    turn = seated("send", "east.fp", "--to", "Soviet", "-o", "-").out
    assert "zebra" in turn
    assert "giraffe" not in turn
    came = seated("receive", "theirs.fp", "-", typed=turn)
    assert came.code == 0
    assert "zebra" in came.out
    assert "giraffe" not in came.out
    assert "zebra" in seated("log", "theirs.fp", "--as", "Soviet").out


def test_what_cannot_be_said(seated: Forcepool) -> None:
    assert "--as" in seated("say", "east.fp", "hello").err
    assert "there is no side 'Mars'" in seated("say", "east.fp", "hello", "--to", "Mars", "--as", "Axis").err
    assert "needs words" in seated("say", "east.fp", " ", "--as", "Axis").err
    assert "at most 4,000 letters" in seated("say", "east.fp", "x" * 4001, "--as", "Axis").err
    assert seated("log", "east.fp").out.strip() == "Nothing has been played yet."


def test_whoever_plays_all_sides_reads_everything(east: Forcepool) -> None:
    assert east("say", "east.fp", "to myself", "--to", "Axis").code == 0
    assert "to myself" in east("log", "east.fp").out
