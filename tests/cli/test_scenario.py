"""`forcepool scenario lint`: findings with their lines, and what a script sees of them."""

from pathlib import Path

from forcepool.views.scenarios import scenario_names
from tests.cli.conftest import Forcepool

LONELY = """\
title: A war
turn: Jul 1 41
theatres: {East: {country: Soviet Union, overland: yes, rail_line: yes}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: eliminated theatre/east}
  1 Rif XX: {spec: 4-6 Rif XX (2-6), nation: Soviet, at: eliminated theatre/east}
"""


def test_findings_have_their_line_and_the_exit_code_is_one(forcepool: Forcepool, tmp_path: Path) -> None:
    (tmp_path / "war.yaml").write_text(LONELY, "utf-8")
    ran = forcepool("scenario", "lint", "war.yaml")
    assert ran.code == 1
    assert "war.yaml:1:1: Allied has a player-turn" in ran.out
    assert ran.out.splitlines()[-1] == "war.yaml: 1 finding"


def test_a_scenario_with_nothing_to_mend_is_told_so(forcepool: Forcepool, tmp_path: Path) -> None:
    (tmp_path / "war.yaml").write_text("players: [Axis, Soviet]\n" + LONELY, "utf-8")
    ran = forcepool("scenario", "lint", "war.yaml")
    assert (ran.code, ran.out) == (0, "war.yaml: 0 findings\n")


def test_a_program_reads_it_as_data(forcepool: Forcepool, tmp_path: Path) -> None:
    (tmp_path / "war.yaml").write_text(LONELY, "utf-8")
    ran = forcepool("scenario", "lint", "war.yaml", "--json")
    assert ran.code == 1
    assert ran.data["findings"] == 1
    (scenario,) = ran.data["scenarios"]
    (finding,) = scenario["findings"]
    assert scenario["scenario"] == "war.yaml"
    assert [finding[name] for name in ("file", "line", "column", "clause")] == ["war.yaml", 1, 1, ""]
    assert "players: [Axis, Soviet]" in finding["hint"]


def test_what_cannot_be_read_at_all_is_bad_input(forcepool: Forcepool, tmp_path: Path) -> None:
    (tmp_path / "war.yaml").write_text(LONELY + "nonsense: 1\n", "utf-8")
    ran = forcepool("scenario", "lint", "war.yaml")
    assert ran.code == 2
    assert "unknown word 'nonsense'" in ran.err
    assert forcepool("scenario", "lint", "no-such-scenario").code == 2


def test_without_a_name_it_looks_through_all_that_ship(forcepool: Forcepool) -> None:
    told = [line.partition(":")[0] for line in forcepool("scenario", "lint").out.splitlines() if "finding" in line]
    assert told == scenario_names()


MAPPED = """\
title: A war
players: [Axis, Soviet]
map:
  map: A strip
  owners: {a: Axis, s: Soviet}
  sheets: {"1": {terrain: ".....\\n.....\\n.....\\n", owners: "aasss\\naasss\\naasss\\n"}}
  places: {Brest: {hex: "1:0102", city: dot}, Moscow: {hex: "1:0502", city: full}}
places:
  Brest: {supply_source: Axis}
  Moscow: {replacement_city: Soviet Union}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), nation: German, at: Brest}
  1 Rif XX: {spec: 4-6 Rif XX (2-6), nation: Soviet, at: Moscow}
"""


def test_a_side_without_a_supply_source_on_the_map_is_found(forcepool: Forcepool, tmp_path: Path) -> None:
    (tmp_path / "war.yaml").write_text(MAPPED, "utf-8")
    ran = forcepool("scenario", "lint", "war.yaml")
    assert "no place on the map is a supply source of the Soviet: the map takes those of its replacement" in ran.out
    assert ran.out.count("supply source of") == 1
    (tmp_path / "war.yaml").write_text(MAPPED.replace("Moscow: {rep", "Moscow: {supply_source: Soviet, rep"), "utf-8")
    assert "supply source of" not in forcepool("scenario", "lint", "war.yaml").out
