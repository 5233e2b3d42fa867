"""Losses, one a line, as players write them."""

import pytest
from tests.cli.conftest import Forcepool

from forcepool.cli.files import shipped_scenario
from forcepool.cli.losses import Misread, lines_of, read_loss
from forcepool.engine.state import State
from forcepool.games import game


@pytest.fixture(scope="module")
def state() -> State:
    return game("europa").set_up(shipped_scenario("smolensk"), ()).state


@pytest.mark.parametrize(
    ("line", "fields"),
    [
        ("34 Inf XX", {"unit": "34 Inf XX"}),
        ("34 inf xx", {"unit": "34 Inf XX"}),
        ("34 Inf", {"unit": "34 Inf XX"}),
        ("34", {"unit": "34 Inf XX"}),
        ("34 Inf XX -> cadre", {"unit": "34 Inf XX", "to": "cadre"}),
        ("6 Pz XX → remnant", {"unit": "6 Pz XX", "to": "remnant"}),
        ("34 Inf XX->Cadre", {"unit": "34 Inf XX", "to": "cadre"}),
        ("34 Inf XX isolated", {"unit": "34 Inf XX", "isolated": "supply"}),
        ("34 Inf XX combat isolated", {"unit": "34 Inf XX", "isolated": "combat"}),
        ("34 Inf XX supply-isolated", {"unit": "34 Inf XX", "isolated": "supply"}),
        ("91 Rif XX not isolated", {"unit": "91 Rif XX", "isolated": "no"}),
        ("34 Inf XX front centre", {"unit": "34 Inf XX", "front": "centre"}),
        ("32 Rif XX md Moscow", {"unit": "32 Rif XX", "front": "md/Moscow"}),
        ("34 Inf XX -> eliminated isolated front centre",
         {"unit": "34 Inf XX", "to": "eliminated", "isolated": "supply", "front": "centre"}),
    ],
)  # fmt: skip
def test_a_line_says_which_unit_and_what_became_of_it(state: State, line: str, fields: dict[str, str]) -> None:
    assert read_loss(state, line) == fields


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("35 Inf XX", "there is no unit '35 Inf XX'; did you mean"),
        ("-> cadre", "no unit is named"),
        ("34 Inf XX -> dust", "'dust' is no step to lose to"),
        ("34 Inf XX -> full", "'full' is no step to lose to"),
        ("34 Inf XX -> cadre -> remnant", "more than one arrow"),
    ],
)
def test_a_line_that_says_something_else_is_told_so(state: State, line: str, says: str) -> None:
    with pytest.raises(Misread, match=says):
        read_loss(state, line)


def test_comments_and_empty_lines_are_passed_over_but_counted() -> None:
    assert lines_of("\ufeff# turn 12\n\n34 Inf XX  # at Ugra\r\n") == [(3, "34 Inf XX")]


def test_what_is_understood_is_recorded_and_the_rest_is_named_with_its_line(east: Forcepool) -> None:
    ran = east("losses", "east.fp", typed="34 Inf XX\n# remark\nnobody\n5 Inf XX -> cadre\n252 Inf XX -> remnant\n")
    assert ran.code == 1
    assert "line 1: 34 Inf XX: Ugra → ELIMINATED BOX of front/centre" in ran.out
    assert "line 3: 'nobody' was not taken: there is no unit 'nobody'" in ran.out
    assert "line 4: 5 Inf XX: full → cadre [52.A.9/2" in ran.out
    assert "line 5: '252 Inf XX -> remnant' was not taken: 52.A.9/2" in ran.out
    assert ran.out.endswith("2 losses recorded, 2 not\n")
    assert east("status", "east.fp", "--json").data["entries"] == 3


def test_all_understood_is_success_and_can_be_read_by_programs(east: Forcepool) -> None:
    ran = east("losses", "east.fp", "--json", typed=b"34 Inf XX isolated\n")
    assert ran.code == 0
    [line] = ran.data["lines"]
    assert (line["accepted"], line["entry"]) == (True, 2)
    assert "34 Inf XX: Ugra → ELIMINATED ISOLATED BOX of national/Germany" in "; ".join(line["words"])


def test_a_dry_run_records_nothing(east: Forcepool) -> None:
    ran = east("losses", "east.fp", "--dry-run", typed="34 Inf XX\n")
    assert ran.code == 0
    assert "1 loss would be recorded" in ran.out
    assert east("status", "east.fp", "--json").data["entries"] == 1


def test_losses_come_from_a_file_in_the_letters_of_windows_too(east: Forcepool) -> None:
    with open("turn.txt", "wb") as file:
        file.write("34 Inf XX\r\n# verl\u00f6ren\r\n".encode("cp1252"))
    assert east("losses", "east.fp", "turn.txt").code == 0
    assert east("losses", "east.fp", "no-such.txt").code == 2
