"""The bot from the command line: a seed plays the same game, and one undo takes it back."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from forcepool.cli.main import cli


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, words)
    return result.exit_code, result.output


def test_the_same_seed_plays_the_same_game(tmp_path: Path) -> None:
    told = []
    for name in ("one.fp", "two.fp"):
        file = str(tmp_path / name)
        assert run("new", file, "--scenario", "smolensk", "--dice", "hand")[0] == 0
        code, text = run("bot", file, "--turns", "2", "--seed", "5", "--json")
        assert code == 0, text
        told.append(json.loads(text))
    assert told[0] == told[1]
    assert told[0]["commands"]["advance"] == 20


def test_a_run_is_taken_back_whole(tmp_path: Path) -> None:
    file = str(tmp_path / "east.fp")
    run("new", file, "--scenario", "smolensk")
    before = [run(word, file, "--json") for word in ("units", "ledger", "todo")]
    code, text = run("bot", file, "--turns", "1")
    assert code == 0
    assert "Played 1 turn:" in text
    assert run("undo", file, "--to", "2")[0] == 0
    assert [run(word, file, "--json") for word in ("units", "ledger", "todo")] == before


def journal(file: str) -> list[dict[str, object]]:
    code, text = run("log", file, "--json")
    assert code == 0, text
    listed: list[dict[str, object]] = json.loads(text)
    return listed


def test_a_campaign_with_seats_is_minded_one_side_at_a_time(tmp_path: Path) -> None:
    file = str(tmp_path / "seats.fp")
    run("new", file, "--scenario", "smolensk", "--seat", "Axis", "--seat", "Soviet")
    code, text = run("bot", file)
    assert code == 2
    assert "--side Axis" in text
    code, text = run("bot", file, "--side", "axis", "--json")
    assert code == 0, text
    told = json.loads(text)
    assert told["waits_for"] == "Soviet"
    assert told["now"].startswith("Oct 3 41, Soviet")
    assert {entry["seat"] for entry in journal(file) if entry["entry"] != 1} == {"Axis"}


@pytest.mark.parametrize(
    ("scenario", "minded", "yours"), [("smolensk", "Soviet", "Axis"), ("eastern-front", "Soviet", "Axis")]
)
def test_the_bot_minds_your_opponent_and_stops_where_you_decide(
    tmp_path: Path, scenario: str, minded: str, yours: str
) -> None:
    file = str(tmp_path / "solo.fp")
    run("new", file, "--scenario", scenario)
    assert json.loads(run("bot", file, "--side", minded, "--json")[1])["entries"] == 0
    for _ in range(10):
        if minded in json.loads(run("status", file, "--json")[1])["when"]:
            break
        assert run("do", file, "advance")[0] == 0
    before = len(journal(file))
    code, text = run("bot", file, "--side", minded, "--turns", "9", "--json")
    assert code == 0, text
    told = json.loads(text)
    assert told["waits_for"] == yours
    assert f", {yours} " in told["now"]
    assert told["commands"]["advance"] >= 4
    assert "lose" not in told["commands"]
    assert run("undo", file, "--to", str(told["from"]))[0] == 0
    assert len(journal(file)) > before
    assert minded in json.loads(run("status", file, "--json")[1])["when"]


def test_minding_every_side_is_playing_for_all(tmp_path: Path) -> None:
    file = str(tmp_path / "all.fp")
    run("new", file, "--scenario", "smolensk")
    code, text = run("bot", file, "--side", "Axis", "--side", "Soviet")
    assert code == 2
    assert "leave out --side" in text
    assert run("bot", file, "--side", "Martian")[0] == 2


def test_an_opponent_at_the_front_is_told_apart_from_one_without_a_counter(tmp_path: Path) -> None:
    """Nobody commands the Allies in the East, so that the bot goes on over their player-turn."""
    file = str(tmp_path / "east.fp")
    run("new", file, "--scenario", "smolensk")
    told = json.loads(run("bot", file, "--side", "Axis", "--json")[1])
    assert told["waits_for"] == "Soviet"
    for _ in range(10):
        if ", Allied " in json.loads(run("status", file, "--json")[1])["when"]:
            break
        run("do", file, "advance")
    told = json.loads(run("bot", file, "--side", "Soviet", "--turns", "2", "--json")[1])
    assert told["waits_for"] == "Axis"
    assert told["now"].startswith("Oct 4 41, Axis")


def test_with_a_plan_no_factory_that_may_be_begun_is_forgotten(tmp_path: Path) -> None:
    file = str(tmp_path / "war.fp")
    run("new", file, "--scenario", "eastern-front")
    # The choice before the game falls in a phase of the Axis, which waits for its own player.
    code, text = run("bot", file, "--side", "Soviet", "--plan", "--json")
    assert code == 0, text
    told = json.loads(text)
    assert (told["commands"], told["waits_for"]) == ({"choose-first-factory": 1}, "Axis")
    code, text = run("bot", file, "--turns", "2", "--plan", "--json")
    assert code == 0, text
    done = json.loads(text)["commands"]
    assert (done["deploy-factory"], done["choose-factory"]) == (1, 1)
    assert "choose-first-factory" not in done


def test_playing_every_side_it_does_what_one_owes_before_the_phase_of_another_can_end(tmp_path: Path) -> None:
    file = str(tmp_path / "war.fp")
    run("new", file, "--scenario", "eastern-front")
    assert run("do", file, "house-rule", "rule=expansion-passed", "option=compulsory")[0] == 0
    code, text = run("bot", file, "--side", "Axis")
    assert (code, "The Soviets choose it with choose-first-factory" in text) == (1, True)
    code, text = run("bot", file, "--turns", "1", "--plan", "--json")
    assert code == 0, text
    told = json.loads(text)
    assert told["commands"]["choose-first-factory"] == 1
    assert told["now"] == "Jul 41, Axis replacement/reinforcement phase"
