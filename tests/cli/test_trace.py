"""forcepool trace: the hexes of a line, or what stops it."""

from pathlib import Path

import pytest

from tests.cli.conftest import Forcepool

CASES = Path(__file__).parents[1] / "cases" / "map"
SCENARIO = """
title: The corridor
map: corridor.map
turn: Jul 4 41
places: {Brest: {supply_source: Axis}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Minsk}
  1 Rif XX: {spec: 4-6 Rifle XX, nation: Soviet, at: Moscow}
"""


@pytest.fixture
def corridor(forcepool: Forcepool, tmp_path: Path) -> Forcepool:
    """forcepool in a folder with a campaign that was begun on the corridor's map; the map file itself is gone."""
    (tmp_path / "corridor.map").write_text((CASES / "corridor.map").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "corridor.yaml").write_text(SCENARIO, encoding="utf-8")
    assert forcepool("new", "east.fp", "--scenario", "corridor.yaml").code == 0
    (tmp_path / "corridor.map").unlink()
    return forcepool


def test_a_line_is_shown_with_its_hexes(corridor: Forcepool) -> None:
    ran = corridor("trace", "east.fp", "supply", "24 Inf XX")
    assert (ran.code, ran.out.splitlines()) == (
        0,
        ["regular supply: Minsk to Brest, 3 hexes", "  Minsk → 1:0405 → 1:0305 → Brest"],
    )


def test_where_there_is_no_line_it_says_what_stops_it_and_exits_1(corridor: Forcepool) -> None:
    assert corridor("do", "east.fp", "put-unit", "unit=1 Rif XX", "at=1:0305").code == 0
    ran = corridor("trace", "east.fp", "rail", "Minsk")
    assert ran.code == 1
    assert (
        "no rail line from Minsk: the shortest way to Brest is cut at 1:0405 (ZOC of 1 Rif XX), 1:0305 (1 Rif XX)"
        in (ran.out)
    )
    assert "closed around it: 1:0405, Smolensk" in ran.out


def test_programs_get_the_same_as_json(corridor: Forcepool) -> None:
    ran = corridor("trace", "east.fp", "rail", "Moscow", "--to", "Gorki", "--json")
    assert ran.data == {
        "kind": "rail",
        "found": True,
        "says": "rail line: Moscow to Gorki, 3 hexes",
        "path": ["Moscow", "1:1305", "1:1405", "Gorki"],
        "blocked": [],
    }


def test_a_line_that_cannot_be_asked_for_exits_2(corridor: Forcepool) -> None:
    assert corridor("trace", "east.fp", "milk", "Minsk").err.startswith("forcepool: there is no line 'milk'")


def test_a_campaign_without_a_map_says_so(east: Forcepool) -> None:
    ran = east("trace", "east.fp", "supply", "Smolensk")
    assert (ran.code, ran.err) == (
        2,
        "forcepool: this campaign has no map to trace on; its scenario names none with 'map:'\n",
    )


@pytest.mark.parametrize(
    ("words", "hint"),
    [(("Minks",), "Minsk"), (("24", "Inff", "XX"), "24 Inf XX"), (("Minsk", "--to", "Moscov"), "Moscow")],
    ids=" ".join,
)
def test_a_place_or_unit_that_is_nearly_named_is_suggested(
    corridor: Forcepool, words: tuple[str, ...], hint: str
) -> None:
    ran = corridor("trace", "east.fp", "rail", *words)
    assert ran.code == 2
    assert f"did you mean {hint}" in ran.err


def test_a_name_that_is_like_nothing_says_how_a_hex_is_written(corridor: Forcepool) -> None:
    assert "write the sheet and four digits" in corridor("trace", "east.fp", "rail", "xyzzy").err


def test_a_unit_needs_no_quotes(corridor: Forcepool) -> None:
    assert corridor("trace", "east.fp", "supply", "24", "Inf", "XX").code == 0
