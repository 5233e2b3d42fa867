"""The second game at the command line, from the shipped scenario."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from forcepool.cases.reading import cases_in_text
from forcepool.cases.runner import run as run_case
from forcepool.cli.main import cli


def run(*words: str, typed: str | None = None) -> tuple[int, str]:
    result = CliRunner().invoke(cli, words, input=typed)
    return result.exit_code, result.output


def data(*words: str) -> Any:
    code, text = run(*words, "--json")
    assert code == 0, text
    return json.loads(text)


@pytest.fixture
def war(tmp_path: Path) -> str:
    file = str(tmp_path / "x.forcepool")
    assert run("new", file, "--scenario", "eastern-front")[0] == 0
    return file


def on_to(file: str, when: str) -> None:
    for _ in range(40):
        if when in data("status", file)["when"]:
            return
        code, text = run("do", file, "advance")
        assert code == 0, text
    raise AssertionError(f"{when} never came")


def test_it_stands_among_the_scenarios_and_says_that_it_is_illustrative() -> None:
    (listed,) = [each for each in data("scenarios") if each["name"] == "eastern-front"]
    assert (listed["game"], listed["illustrative"], listed["turn"]) == ("eastern_front", True, "Jun 41")


def test_the_first_factory_is_on_the_checklist_and_is_chosen_from_it(war: str) -> None:
    items = data("todo", war)["items"]
    orders = [item["command"] for item in items if item["clause"] == "EF.expansion/16"]
    assert 'choose-first-factory unit="Tank A"' in orders
    assert run("do", war, "choose-first-factory", "unit=Tank A")[0] == 0
    assert all(item["clause"] != "EF.expansion/16" for item in data("todo", war)["items"])


def test_lines_of_the_checklist_stand_under_what_is_to_be_done(war: str) -> None:
    on_to(war, "Jul 41, Axis replacement/reinforcement")
    code, text = run("todo", war)
    assert code == 0
    assert "due  EF.reinforcements/4 Place reinforcements" in text
    assert run("report", war)[1].count("Place reinforcements (EF.reinforcements/4)") == 1


def test_a_factory_is_entrained_and_the_refusal_of_its_move_names_the_clause(war: str) -> None:
    on_to(war, "Jun 41, Soviet replacement/reinforcement")
    assert run("do", war, "entrain", "unit=Tank Kharkov")[0] == 0
    code, text = run("do", war, "move-factory", "unit=Tank Kharkov", "to=siberia")
    assert code == 1
    assert "EF.moving/13" in text
    assert "entrained Jun 41" in run("units", war, "Tank", "Kharkov")[1]


def test_losses_are_taken_line_by_line(war: str) -> None:
    on_to(war, "Jun 41, Axis combat")
    code, text = run("losses", war, typed="3 Army\n10 Army isolated\n")
    assert code == 0, text
    lost = {unit["unit"]: unit["marks"] for unit in data("units", war, "--at", "dead")}
    assert lost["3 Army"] == ["lost by combat"]
    assert lost["10 Army"] == ["lost by isolation"]


def test_a_line_of_losses_that_is_wrong_costs_no_other(war: str) -> None:
    on_to(war, "Jun 41, Axis combat")
    typed = "# Brest\n3 Army, 3 Army\n99 Army\n51 Army at sea\nUral works\n"
    code, text = run("losses", war, "--json", typed=typed)
    assert code == 1
    first, twice, unknown, sea, siberia = json.loads(text)["lines"]
    assert (first["accepted"], sea["accepted"], sea["line"]) == (True, True, 4)
    assert (twice["clauses"], twice["column"]) == (["EF.replacements/17"], 9)
    assert "there is no unit '99 Army'" in unknown["problem"]
    assert siberia["clauses"] == ["EF.moving/18"]


def test_a_composite_unit_is_formed_from_typed_words(war: str) -> None:
    on_to(war, "Jun 41, Soviet replacement/reinforcement")
    code, text = run("do", war, "form", "unit=1 Shock Army", "components=24 Army,1 Art XX")
    assert code == 0, text
    (shock,) = data("units", war, "1", "Shock")
    assert shock["where"] == "Moscow"
    assert {effect["clause"] for effect in shock["effects"]} >= {"EF.composite/10", "EF.composite/11"}


def test_options_of_a_factory_are_open_or_closed_with_the_clause(war: str) -> None:
    on_to(war, "Jun 41, Soviet replacement/reinforcement")
    listed = {each["command"]: each for each in data("options", war, "Tank Kharkov")["options"]}
    assert listed["entrain"]["open"]
    assert [reason["clause"] for reason in listed["produce"]["reasons"]] == ["EF.expansion/10"]


def test_a_campaign_survives_export_and_import(war: str, tmp_path: Path) -> None:
    assert run("bot", war, "--turns", "2", "--seed", "3")[0] == 0
    text, copy = str(tmp_path / "x.txt"), str(tmp_path / "copy.forcepool")
    assert run("export", war, "-o", text)[0] == 0
    assert run("import", text, copy)[0] == 0
    assert data("units", copy) == data("units", war)
    assert data("verify", copy)["sound"]


def test_the_case_on_the_page_about_the_game_holds() -> None:
    page = (Path(__file__).parents[2] / "docs" / "eastern-front.md").read_text("utf-8")
    blocks = [part.partition("```")[0] for part in page.split("```yaml\n")[1:]]
    found = [run_case(case) for block in blocks for case in cases_in_text(block, "eastern-front.md")]
    assert [result.passed for result in found] == [True]


def test_every_house_rule_can_be_chosen_at_the_start(tmp_path: Path) -> None:
    from forcepool.games.eastern_front import GAME

    words = [word for each in GAME.switches for word in ("--house-rule", f"{each.key}={each.options[-1].name}")]
    file = str(tmp_path / "ours.forcepool")
    assert run("new", file, "--scenario", "eastern-front", *words)[0] == 0
    assert len(data("status", file)["house_rules"]) == len(GAME.switches)
    assert run("bot", file, "--turns", "12", "--seed", "5")[0] == 0
