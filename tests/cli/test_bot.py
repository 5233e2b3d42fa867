"""The bot from the command line: a seed plays the same game, and one undo takes it back."""

import json
from pathlib import Path

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
    assert told[0]["commands"]["advance"] >= 24


def test_a_run_is_taken_back_whole(tmp_path: Path) -> None:
    file = str(tmp_path / "east.fp")
    run("new", file, "--scenario", "smolensk")
    before = [run(word, file, "--json") for word in ("units", "ledger", "todo")]
    code, text = run("bot", file, "--turns", "1")
    assert code == 0
    assert "Played 1 turn:" in text
    assert run("undo", file, "--to", "2")[0] == 0
    assert [run(word, file, "--json") for word in ("units", "ledger", "todo")] == before


def test_the_bot_plays_no_campaign_with_seats(tmp_path: Path) -> None:
    file = str(tmp_path / "seats.fp")
    run("new", file, "--scenario", "smolensk", "--seat", "Axis", "--seat", "Soviet")
    code, text = run("bot", file)
    assert code == 2
    assert "without seats" in text
