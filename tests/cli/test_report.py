"""The turn's report from the command line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Forcepool


def test_without_options_the_text_is_printed(east: Forcepool) -> None:
    ran = east("report", "east.fp")
    assert ran.code == 0
    assert ran.out.startswith("Smolensk and Vyazma, October 1941\nOct 3 41, Axis replacement phase\n")
    assert ran.err == ""
    assert east("report", "east.fp", "--text").out == ran.out


def test_the_page_is_written_and_said_so(east: Forcepool) -> None:
    ran = east("report", "east.fp", "--html", "charts.html")
    assert ran.code == 0
    assert ran.out == "charts.html: the report of Oct 3 41, Axis replacement phase\n"
    assert Path("charts.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_page_and_text_may_be_had_at_once(east: Forcepool) -> None:
    ran = east("report", "east.fp", "--html", "charts.html", "--text")
    assert ran.out == east("report", "east.fp").out
    assert Path("charts.html").exists()


def test_a_side_may_be_written_in_any_letters_and_another_is_refused(east: Forcepool) -> None:
    ours = east("report", "east.fp", "--side", "axis")
    assert "--- AXIS" in ours.out
    assert "SOVIET" not in ours.out
    wrong = east("report", "east.fp", "--side", "Martian")
    assert wrong.code == 2
    assert "there is no side 'Martian'" in wrong.err


def test_the_report_is_data_too(east: Forcepool) -> None:
    data = east("report", "east.fp", "--side", "Axis", "--json").data
    assert data["when"] == "Oct 3 41, Axis replacement phase"
    assert [charts["side"] for charts in data["sides"]] == ["Axis"]


def test_a_file_that_cannot_be_written_is_one_sentence(east: Forcepool) -> None:
    ran = east("report", "east.fp", "--html", "nowhere/charts.html")
    assert ran.code == 2
    assert ran.err.startswith("forcepool: nowhere/charts.html could not be written")


def test_without_a_browser_no_pdf_and_the_remedy(east: Forcepool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCEPOOL_BROWSER", "no-such-browser")
    ran = east("report", "east.fp", "--pdf", "charts.pdf")
    assert ran.code == 1
    assert "no-such-browser" in ran.err
    assert not Path("charts.pdf").exists()


def test_paper_is_a4_or_letter(east: Forcepool) -> None:
    assert east("report", "east.fp", "--html", "charts.html", "--paper", "letter").code == 0
    assert "size: letter;" in Path("charts.html").read_text(encoding="utf-8")
    assert east("report", "east.fp", "--paper", "foolscap").code == 2
