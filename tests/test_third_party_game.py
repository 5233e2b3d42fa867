"""A game from elsewhere: a package of its own, found by its entry point, with rules, cases and a campaign."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from forcepool.rulebook.book import bring, load

EXAMPLE = Path(__file__).parents[1] / "examples" / "skirmish"

Run = Callable[..., subprocess.CompletedProcess[str]]


def install(target: Path) -> None:
    """Lay the package out as an installer does, entry points and all, without a network or a build backend."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text("utf-8"))["project"]
    package = EXAMPLE / "src" / "forcepool_skirmish"
    shutil.copytree(package, target / package.name, ignore=shutil.ignore_patterns("__pycache__"))
    info = target / f"forcepool_skirmish-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups))


@pytest.fixture
def forcepool(tmp_path: Path) -> Run:
    """forcepool in a Python that has the example installed, called in an empty folder."""
    target = tmp_path / "site"
    target.mkdir()
    install(target)
    paths = [str(target), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONUTF8": "1"}

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "forcepool", *words]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)

    return run


def test_a_campaign_of_it_is_begun_played_refused_and_verified(forcepool: Run) -> None:
    assert forcepool("new", "border.fp", "--scenario", str(EXAMPLE / "border.yaml")).returncode == 0
    refused = forcepool("do", "border.fp", "raise", "unit=Red Guards")
    assert refused.returncode == 1
    assert "skirmish/1" in refused.stdout
    assert "1 short" in refused.stdout
    planning = ("plan", "border.fp", "--turns", "3", "--side", "Red", "--save", "red.yaml", "--json")
    planned = json.loads(forcepool(*planning).stdout)
    assert [planned["quiet"], planned["value"], planned["bound"]] == ["2", "5", "5"]
    assert [(turn["name"], order["unit"]) for turn in planned["turns"] for order in turn["orders"]] == [
        ("Aug 41", "Red Guards")
    ]
    for _ in range(2):
        assert forcepool("do", "border.fp", "advance").returncode == 0
    assert "done: raise" in forcepool("plan", "border.fp", "--follow", "red.yaml").stdout
    assert json.loads(forcepool("status", "border.fp", "--json").stdout)["units"]["Red"] == {"on the map": 2}
    assert forcepool("bot", "border.fp", "--turns", "3", "--seed", "2").returncode == 0
    status = json.loads(forcepool("status", "border.fp", "--json").stdout)
    assert (status["game"], status["turn"]) == ("skirmish", "Nov 41")
    assert "sound" in forcepool("verify", "border.fp").stdout


def test_its_cases_hold_and_a_wrong_one_does_not(forcepool: Run, tmp_path: Path) -> None:
    ran = forcepool("check", str(EXAMPLE / "cases.yaml"))
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "2 of 2" in ran.stdout
    wrong = (EXAMPLE / "cases.yaml").read_text("utf-8").replace("at: River", "at: camp")
    (tmp_path / "wrong.yaml").write_text(wrong)
    assert forcepool("check", "wrong.yaml").returncode == 1


def test_its_commands_stand_in_the_catalogue(forcepool: Run) -> None:
    listed = json.loads(forcepool("commands", "raise", "--json").stdout)
    assert (listed["game"], listed["clauses"]) == ("skirmish", ["skirmish/2", "skirmish/1"])


def test_without_the_package_there_is_no_such_game(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "forcepool", "new", "x.fp", "--scenario", str(EXAMPLE / "border.yaml")]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "there is no game 'skirmish'" in ran.stderr


def test_a_game_from_elsewhere_takes_no_id_of_the_shipped_rulebook() -> None:
    clause = load()["EF.moving/1"]
    with pytest.raises(ValueError, match=r"EF\.moving/1 is a clause of the shipped rulebook"):
        bring(clause)
