"""Losses from the command line: what is understood is recorded, the rest is named."""

import pytest

from tests.cli.conftest import Forcepool


def test_what_is_understood_is_recorded_and_the_rest_is_named_with_its_line(east: Forcepool) -> None:
    ran = east("losses", "east.fp", typed="34 Inf XX\n# remark\nnobody\n5 Inf XX -> cadre\n252 Inf XX -> remnant\n")
    assert ran.code == 1
    assert "line 1: 34 Inf XX: Ugra → ELIMINATED BOX of front Centre" in ran.out
    assert "line 3: 'nobody' was not taken: there is no unit 'nobody'" in ran.out
    assert "line 4: 5 Inf XX: full → cadre [52.A.9/2" in ran.out
    assert "line 5: '252 Inf XX -> remnant' was not taken: 52.A.9/2" in ran.out
    assert "special replacements so far, Germany: " in ran.out
    assert ran.out.endswith("2 losses recorded, 2 not\n")
    assert east("status", "east.fp", "--json").data["entries"] == 3


def test_all_understood_is_success_and_can_be_read_by_programs(east: Forcepool) -> None:
    ran = east("losses", "east.fp", "--json", typed=b"34 Inf XX isolated\n")
    assert ran.code == 0
    [line] = ran.data["lines"]
    assert (line["accepted"], line["entry"], line["column"]) == (True, 2, 1)
    assert ran.data["brings"] == ["Germany: 7 lost while supply isolated × 1/10 = 7/10 inf, for national/Germany"]
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


@pytest.mark.parametrize(
    "line",
    [
        "5 Inf XX cadre",
        "5 Inf XX: cadre",
        "5 Inf XX = cadre",
        "5 Inf XX => Cadre",
        "5 Inf XX reduced to cadre",
        "5 Inf XX to cadre",
        "5 Inf XX CADRE isolated",
        "5 Inf XX isolated cadre front centre",
        "8-6 Inf XX cadre",
    ],
)
def test_a_reduced_unit_is_jotted_down_as_one_says_it(east: Forcepool, line: str) -> None:
    ran = east("losses", "east.fp", typed=line)
    assert ran.code == 0, ran.out
    assert "5 Inf XX: full → cadre" in ran.out


def test_a_step_alone_names_no_unit(east: Forcepool) -> None:
    ran = east("losses", "east.fp", typed="cadre\n: cadre\n5 Inf XX cadre cadre\n")
    assert ran.code == 1
    assert ran.out.endswith("0 losses recorded, 3 not\n")
