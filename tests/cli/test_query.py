"""forcepool query: the tables listed, one whole, SQL, files, and plain words where it goes wrong."""

from pathlib import Path

import pytest

from tests.cli.conftest import Forcepool


def test_the_tables_are_listed(east: Forcepool) -> None:
    out = east("query", "east.fp").out
    assert "balances  what each pool held as each turn ended" in out
    data = east("query", "east.fp", "--json").data
    assert {each["table"] for each in data} >= {"balances", "units", "losses", "arrivals", "spending", "dice"}


def test_a_question_and_a_table(east: Forcepool, tmp_path: Path) -> None:
    assert east("do", "east.fp", "rebuild-cadre", "unit=6 Pz XX", "pay_from=centre").code == 0
    asked = "select kind, exact_sum(amount) as spent from spending group by kind order by kind"
    assert east("query", "east.fp", asked, "--json").data == [
        {"kind": "arm", "spent": "7/2"},
        {"kind": "inf", "spent": "7/2"},
    ]
    shown = east("query", "east.fp", "spending").out
    assert "3½" in shown
    written = east("query", "east.fp", "spending", "--out", "spending.csv")
    assert written.out.strip() == "spending.csv: 2 rows"
    assert (tmp_path / "spending.csv").read_text("utf-8-sig").count("7/2") == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("unitz",), "there is no table 'unitz'; did you mean units"),
        (("select * from unitz",), "there is no table 'unitz'; did you mean units"),
        (("units", "--out", "units.doc"), "give the file one of these endings"),
        (("select", "--engine", "oracle"), "'oracle' is not one of 'duckdb', 'sqlite'"),
    ],
)
def test_what_goes_wrong_is_told(east: Forcepool, words: tuple[str, ...], told: str) -> None:
    ran = east("query", "east.fp", *words)
    assert ran.code == 2
    assert told in ran.err


def test_nothing_found_is_said(east: Forcepool) -> None:
    assert "nothing in the campaign fits" in east("query", "east.fp", "select * from dice").out
