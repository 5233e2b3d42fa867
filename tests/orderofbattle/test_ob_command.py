"""forcepool ob: lint, print and turn, as a player calls them."""

from pathlib import Path

import pytest

from forcepool.orderofbattle.model import content
from forcepool.orderofbattle.reading import parse
from tests.cli.conftest import Forcepool, forcepool_runs

GOOD = """Jul 1 41
German, theatre East
Reinforce:
2x 8-6 Inf XX 24, 76 at Minsk
Forming 1x 7-6 Inf XX 9, full Jul 3 41
"""
BAD = GOOD + "Wihdraw 1x 8-6 Inf XX\nWithdraw 1x 7-7 Inf XX\n"


@pytest.fixture
def forcepool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Forcepool:
    """forcepool in a folder with good.ob and bad.ob."""
    monkeypatch.chdir(tmp_path)
    Path("good.ob").write_text(GOOD, "utf-8")
    Path("bad.ob").write_text(BAD, "utf-8")
    return forcepool_runs


def test_lint_is_content_with_a_good_order_of_battle(forcepool: Forcepool) -> None:
    ran = forcepool("ob", "lint", "good.ob")
    assert (ran.code, ran.out) == (0, "2 entries, 0 not understood, 0 guessed at, 0 findings\n")


def test_lint_tells_line_clause_and_remedy(forcepool: Forcepool) -> None:
    ran = forcepool("ob", "lint", "bad.ob")
    assert ran.code == 1
    assert "not understood: bad.ob:6:1: " in ran.out
    assert "did you mean withdraw?" in ran.out
    assert "bad.ob:7: 51.B.19/1  withdraw: 1x German 7-7 Inf XX is listed" in ran.out


def test_lint_for_programs(forcepool: Forcepool) -> None:
    data = forcepool("ob", "lint", "bad.ob", "--json").data
    assert [problem["line"] for problem in data["problems"]] == [6]
    assert [(finding["line"], finding["clause"]) for finding in data["findings"]] == [(7, "51.B.19/1")]
    assert data["months"] == [{"month": "Jul 41", "nation": "German", "comes": "9", "goes": "3"}]


def test_lint_with_a_counter_mix_and_lists(forcepool: Forcepool) -> None:
    Path("mix.ob").write_text("German\nAt start:\n1x 8-6 Inf XX\n1x 7-6 Inf XX\n", "utf-8")
    Path("places.txt").write_text("# cities\nEast\n\nPinsk\n", "utf-8")
    Path("types.txt").write_text("Pz\n", "utf-8")
    ran = forcepool("ob", "lint", "good.ob", "--mix", "mix.ob", "--places", "places.txt", "--types", "types.txt")
    assert ran.code == 1
    assert "the counter mix has 1" in ran.out
    assert "Minsk is not in the list of places" in ran.out
    assert "Inf is not in the list of types" in ran.out


def test_lint_shows_the_res_by_month(forcepool: Forcepool) -> None:
    assert "Jul 41  German       9        0" in forcepool("ob", "lint", "good.ob", "--totals").out


def test_print_gives_the_same_order_of_battle_tidily(forcepool: Forcepool) -> None:
    ran = forcepool("ob", "print", "bad.ob")
    assert ran.code == 0
    assert content(parse(ran.out)) == content(parse(BAD))
    assert "kept as it is: bad.ob:6:1" in ran.err
    assert forcepool("ob", "print", "bad.ob", "-o", "tidy.ob").out == ""
    assert Path("tidy.ob").read_text("utf-8") == ran.out
    assert forcepool("ob", "print", "tidy.ob").out == ran.out


def test_print_for_programs(forcepool: Forcepool) -> None:
    entries = forcepool("ob", "print", "good.ob", "--json").data["entries"]
    assert [entry["key"] for entry in entries] == ["jul-1-41-german-reinforce-1", "jul-1-41-german-forming-1"]


def test_turn_lists_what_falls_due(forcepool: Forcepool) -> None:
    ran = forcepool("ob", "turn", "good.ob", "Jul I 41")
    assert ran.out.splitlines() == [
        "Jul 1 41",
        "due:",
        "  German, theatre East: Reinforce 2x 8-6 Inf XX 24, 76 at Minsk",
        "  German, theatre East: Forming 1x 7-6 Inf XX 9, full Jul 3 41",
    ]
    assert forcepool("ob", "turn", "good.ob", "Jul 2 41").out == "Jul 2 41\nnothing\n"
    assert (
        "due by an earlier line:\n  German, theatre East: Forming" in forcepool("ob", "turn", "good.ob", "Jul 3 41").out
    )
    assert forcepool("ob", "turn", "good.ob", "Jul 1 41", "--nation", "Soviet").out == "Jul 1 41\nnothing\n"


def test_turn_lists_what_is_open_and_what_waits(forcepool: Forcepool) -> None:
    Path("more.ob").write_text(
        "Any turn\nConditional 1x 8-6 Inf XX if Minsk falls\nJul 1 41\nDisband 1x 1-6 Inf III gives 0 inf\n", "utf-8"
    )
    data = forcepool("ob", "turn", "more.ob", "Jul 2 41", "--json").data
    assert [len(data[name]) for name in ("due", "linked", "open", "waiting")] == [0, 0, 1, 1]
    data = forcepool("ob", "turn", "more.ob", "Jul 1 41", "--json").data
    assert [len(data[name]) for name in ("due", "linked", "open", "waiting")] == [1, 0, 0, 1]


def test_a_month_of_two_turns(forcepool: Forcepool) -> None:
    assert forcepool("ob", "lint", "good.ob", "--turns-a-month", "2").code == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("lint", "none.ob"), "none.ob:1:1: the file cannot be read"),
        (("turn", "good.ob", "Okt 1 41"), "did you mean"),
        (("turn", "good.ob"), "missing argument"),
        (("lint", "good.ob", "--places", "none.txt"), "none.txt"),
    ],
)
def test_bad_input_is_one_sentence(forcepool: Forcepool, words: tuple[str, ...], said: str) -> None:
    ran = forcepool("ob", *words)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_without_a_command_there_is_help(forcepool: Forcepool) -> None:
    ran = forcepool("ob")
    assert ran.code == 0
    assert "forcepool ob lint" in ran.out
