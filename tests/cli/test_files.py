"""Beginning a campaign, checking it, writing it as text and reading it back; scenarios, rules, cases."""

import sqlite3
from pathlib import Path

import pytest

from forcepool.rulebook.book import load
from tests.cli.conftest import Forcepool

SCENARIO = """\
title: A small war
turn: Jul 1 41
pools: {front/centre: {German: {inf: 7/2}}}
units: {24 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, as: cadre}}
"""

CASE = """\
- clause: 52.A.9.d/2
  title: a quarter point short is refused
  given:
    turn: Oct 3 41
    pools: {front/centre: {German: {inf: 15/4}}}
    units: {24 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, as: cadre}}
  steps:
    - rebuild-cadre: {unit: 24 Inf XX, pay_from: front/centre}
  expect:
    - {after: 1, refused_by: 52.A.9.d/2}
"""


def test_the_shipped_scenarios_are_listed_with_name_game_and_title(forcepool: Forcepool) -> None:
    found = {each["name"]: each for each in forcepool("scenarios", "--json").data}
    assert found["smolensk"]["game"] == "europa"
    assert found["smolensk"]["title"] == "Smolensk and Vyazma, October 1941"
    assert found["smolensk"]["illustrative"] is True
    assert "smolensk  Smolensk and Vyazma" in forcepool("scenarios").out


def test_every_shipped_scenario_begins_and_is_sound(forcepool: Forcepool) -> None:
    for each in forcepool("scenarios", "--json").data:
        file = f"{each['name']}.fp"
        assert forcepool("new", file, "--scenario", each["name"]).code == 0
        assert forcepool("verify", file).code == 0


def test_a_scenario_of_ones_own_is_a_file(forcepool: Forcepool) -> None:
    Path("small.yaml").write_text(SCENARIO, encoding="utf-8")
    ran = forcepool("new", "small.fp", "--scenario", "small.yaml", "--json")
    assert ran.data == {
        "file": "small.fp",
        "title": "A small war",
        "when": "Jul 1 41, Axis replacement phase",
        "units": 1,
    }


def test_a_wrong_scenario_file_is_named_with_line_and_column(forcepool: Forcepool) -> None:
    Path("small.yaml").write_text(SCENARIO.replace("7-6 Inf XX", "strong"), encoding="utf-8")
    ran = forcepool("new", "small.fp", "--scenario", "small.yaml")
    assert ran.code == 2
    assert ran.err.startswith("forcepool: small.yaml:4:")
    assert not Path("small.fp").exists()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--scenario", "smolenks"), "did you mean smolensk?"),
        (("--scenario", "nowhere.yaml"), "nowhere.yaml:1:1: the file cannot be read"),
        (("--scenario", "smolensk", "--seat", "Japan"), "there is no side 'Japan'"),
        (("--scenario", "smolensk", "--house-rule", "reduced-time"), "has no '='"),
        (("--scenario", "smolensk", "--house-rule", "reduced-time=never"), "has no option 'never'"),
        (("--scenario", "smolensk", "--house-rule", "time=never"), "there is no house rule 'time'"),
        (("--scenario", "smolensk", "--dice", "loaded"), "'loaded'"),
        ((), "--scenario"),
    ],
)
def test_a_campaign_that_cannot_begin_says_why_and_leaves_no_file(
    forcepool: Forcepool, words: tuple[str, ...], says: str
) -> None:
    ran = forcepool("new", "east.fp", *words)
    assert ran.code == 2
    assert says in ran.err
    assert not Path("east.fp").exists()


def test_a_campaign_is_never_written_over(east: Forcepool) -> None:
    ran = east("new", "east.fp", "--scenario", "smolensk")
    assert ran.code == 2
    assert "east.fp exists already" in ran.err


def test_dice_by_hand_or_by_the_program(forcepool: Forcepool) -> None:
    for dice in ("hand", "program"):
        assert forcepool("new", f"{dice}.fp", "--scenario", "smolensk", "--dice", dice).code == 0
        assert forcepool("status", f"{dice}.fp", "--json").data["dice"] == dice


def test_text_reads_back_to_the_same_journal(east: Forcepool) -> None:
    assert east("do", "east.fp", "rebuild-cadre", "unit=6 Pz XX", "pay_from=centre").code == 0
    assert east("undo", "east.fp").code == 0
    assert east("export", "east.fp", "-o", "east.txt").code == 0
    text = Path("east.txt").read_text(encoding="utf-8")
    assert "6 Pz XX: cadre → full [52.A.9.d/1]" in text
    assert east("import", "east.txt", "copy.fp").code == 0
    first, copy = (east("verify", file, "--json").data for file in ("east.fp", "copy.fp"))
    assert first["sound"]
    assert copy["sound"]
    assert first["head"] == copy["head"]
    assert east("export", "east.fp").out == text
    assert east("export", "east.fp", "-o", "east.txt").code == 2


def test_one_changed_letter_in_the_text_is_found(east: Forcepool) -> None:
    assert east("export", "east.fp", "-o", "east.txt").code == 0
    text = Path("east.txt").read_text(encoding="utf-8")
    Path("east.txt").write_text(text.replace("6 Pz XX", "7 Pz XX", 1), encoding="utf-8")
    ran = east("import", "east.txt", "copy.fp")
    assert ran.code == 2
    assert "east.txt:" in ran.err
    assert not Path("copy.fp").exists()
    assert east("import", "no-such.txt", "copy.fp").code == 2


def test_a_campaign_that_was_touched_is_not_sound(east: Forcepool) -> None:
    assert east("do", "east.fp", "note", "text=all quiet").code == 0
    with sqlite3.connect("east.fp") as db:
        db.execute("DROP TRIGGER entry_is_not_changed")
        db.execute("UPDATE entry SET body = replace(body, 'quiet', 'noisy') WHERE seq = 2")
    db.close()
    ran = east("verify", "east.fp", "--json")
    assert ran.code == 1
    assert ran.data["sound"] is False
    assert any(finding["entry"] == 2 for finding in ran.data["findings"])
    assert "not sound" in east("verify", "east.fp").out
    looked = east("status", "east.fp")
    assert looked.code == 1
    assert "verify" in looked.err


def test_a_case_that_holds_and_one_that_does_not(forcepool: Forcepool) -> None:
    Path("cases.yaml").write_text(CASE, encoding="utf-8")
    ran = forcepool("check", "cases.yaml")
    assert (ran.code, ran.out) == (0, "1 of 1 cases hold\n")
    Path("cases.yaml").write_text(CASE.replace("15/4", "4"), encoding="utf-8")
    ran = forcepool("check", "cases.yaml", "--json")
    assert ran.code == 1
    assert (ran.data["passed"], ran.data["failed"]) == (0, 1)
    assert "failed: cases.yaml:1 a quarter point short is refused [52.A.9.d/2]" in forcepool("check", ".").out


def test_a_case_file_that_cannot_be_read_is_bad_input(forcepool: Forcepool) -> None:
    Path("cases.yaml").write_text(CASE.replace("steps:", "stepps:"), encoding="utf-8")
    ran = forcepool("check", "cases.yaml")
    assert ran.code == 2
    assert "cases.yaml:7:" in ran.out
    assert forcepool("check", "nowhere.yaml").code == 2


def test_a_clause_is_shown_in_full(forcepool: Forcepool) -> None:
    out = forcepool("rules", "52.A.9.d/2").out
    assert out.startswith("52.A.9.d/2  Cadre to full price\n")
    assert "full strength minus cadre strength" in out
    assert forcepool("rules", "52.A.9.d/2", "--json").data["kind"] == "formula"


def test_a_heading_lists_its_clauses_and_words_find_them(forcepool: Forcepool) -> None:
    listed = [each["id"] for each in forcepool("rules", "52.A.9.d", "--json").data]
    assert listed[:2] == ["52.A.9.d/1", "52.A.9.d/2"]
    assert "52.A.9.d/3" in [each["id"] for each in forcepool("rules", "cadre", "larger", "zoc", "--json").data]


def test_an_unknown_clause_suggests_and_unknown_words_find_nothing(forcepool: Forcepool) -> None:
    ran = forcepool("rules", "52.A.9.d/99")
    assert ran.code == 2
    assert "52.A.9.d has /1 to /" in ran.err
    assert forcepool("rules", "99.Z").code == 2
    assert forcepool("rules", "submarine", "wolfpack").code == 1


def test_coverage_counts_every_clause_once(forcepool: Forcepool) -> None:
    data = forcepool("rules", "--coverage", "--json").data
    assert data["total"] == len(load())
    assert data["total"] >= data["met"] >= data["tested"]
    assert len(data["missing"]) == data["total"] - data["tested"]


def test_a_clause_names_the_functions_that_meet_it_and_the_cases_that_hold_it(forcepool: Forcepool) -> None:
    [found] = forcepool("rules", "52.E/3", "--code", "--json").data
    file, _, rest = found["functions"][0].partition(":")
    line, _, name = rest.partition(" ")
    assert file.startswith("src/forcepool/games/europa/replacements/")
    written = (Path(__file__).parents[2] / file).read_text("utf-8").splitlines()[int(line) - 1]
    assert f" {name.rpartition('.')[2]}(" in written
    assert any(case.startswith("52/") for case in found["cases"])
    under = forcepool("rules", "52.E", "--code").out
    assert under.count("\n52.E/") == len(load().heading("52.E")) - 1
    assert f"  case {found['cases'][0]}" in under
    assert forcepool("rules", "--code").code == 1
    assert forcepool("rules", "52.Q/1", "--code").code == 2


def test_a_command_of_the_catalogue_has_fields_with_help_and_a_schema(forcepool: Forcepool) -> None:
    data = forcepool("commands", "rebuild_cadre", "--json").data
    assert data["command"] == "rebuild-cadre"
    assert "52.A.9.d/3" in data["clauses"]
    added = {each["heading"]: each["clauses"] for each in data["added"]}
    assert added["52.E"] == ["52.E/1", "52.E/3", "52.E/4"]
    assert added["28.D"] == ["28.D/3"]
    assert "and, by 52.E, 52.E/1, 52.E/3, 52.E/4" in forcepool("commands", "rebuild-cadre").out
    fields = {field["name"]: field for field in data["fields"]}
    assert fields["pay_from"]["required"]
    assert fields["pay_from"]["help"].startswith("The pool that pays")
    schema = forcepool("commands", "rebuild-cadre", "--schema").data
    described = schema["$defs"]["RebuildCadre"]
    assert described["required"] == ["command", "unit", "pay_from"]
    assert described["properties"]["pay_from"]["description"].startswith("The pool that pays")
    assert len(forcepool("commands", "--schema").data["anyOf"]) == len(forcepool("commands", "--json").data)
    assert forcepool("commands", "rebuild").code == 2


def test_completion_prints_a_script_for_each_shell(forcepool: Forcepool) -> None:
    for shell in ("bash", "zsh", "fish"):
        assert "_FORCEPOOL_COMPLETE" in forcepool("completion", shell).out
    assert forcepool("completion", "cmd").code == 2


def test_the_tour_plays_real_commands(forcepool: Forcepool) -> None:
    ran = forcepool("tour", "--file", "demo.fp")
    assert ran.code == 0
    for shown in (
        "> forcepool new demo.fp --scenario smolensk",
        "refused: rebuild-cadre 78 Inf XX",
        "52.A.9.d/3",
        "sound",
    ):
        assert shown in ran.out
    assert forcepool("verify", "demo.fp").code == 0
    steps = forcepool("tour", "--file", "again.fp", "--json").data["steps"]
    assert [step["exit"] for step in steps].count(1) == 1
    assert not [step for step in steps if step["exit"] == 2]


def test_the_tour_stops_when_its_file_exists(east: Forcepool) -> None:
    ran = east("tour", "--file", "east.fp")
    assert "east.fp exists already" in ran.err
    assert ran.code == 2


def test_an_order_of_phases_chosen_at_the_beginning_holds_from_the_first_player_turn(forcepool: Forcepool) -> None:
    forcepool("new", "west.fp", "--scenario", "smolensk", "--house-rule", "phase-order=both-open")
    assert forcepool("status", "west.fp", "--json").data["phase"] == "replacement"
    assert forcepool("do", "west.fp", "advance").code == 0
    assert forcepool("status", "west.fp", "--json").data["phase"] == "movement"
