"""What a side can do besides the orders about one unit, on the command line."""

import json
from pathlib import Path

from click.testing import CliRunner

from forcepool.cli.main import cli


def told(*words: str) -> str:
    result = CliRunner().invoke(cli, list(words))
    assert result.exit_code == 0, result.output
    return result.output


def test_without_a_unit_the_side_is_told_what_it_can_do_with_its_points(tmp_path: Path) -> None:
    file = str(tmp_path / "s.fp")
    told("new", file, "--scenario", "smolensk")
    listed = json.loads(told("options", file, "--json"))
    assert listed["side"] == "Axis"
    moves = [each for each in listed["options"] if each["command"] == "transfer-points"]
    assert moves
    assert all(each["open"] for each in moves)
    pools = {each["fields"]["pool"] for each in moves}
    one = sorted(pools)[0]
    of_one = json.loads(told("options", file, one, "--json"))
    assert {each["fields"]["pool"] for each in of_one["options"] if each["command"] == "transfer-points"} == {one}


def test_an_order_with_very_many_ways_comes_last_and_is_shown_in_part(tmp_path: Path) -> None:
    file = str(tmp_path / "e.fp")
    told("new", file, "--scenario", "east-1941")
    for words in (("advance",), ("advance", "--override", "later"), ("advance",), ("lose", "17 Pz XX")):
        told("do", file, *words)
    for _ in range(3 + 6 + 4):
        told("do", file, "advance", "--override", "later")
    lines = told("options", file, "17 Pz XX").splitlines()
    ways = [line for line in lines if line.startswith("open  transfer-unit")]
    bought = [line for line in lines if line.startswith("open  replace unit=")]
    assert len(ways) == 8
    assert bought
    assert lines.index(bought[0]) < lines.index(ways[0])
    assert any("more open ways to transfer-unit: --all lists them" in line for line in lines)
    every = [line for line in told("options", file, "17 Pz XX", "--all").splitlines() if "transfer-unit" in line]
    assert len([line for line in every if line.startswith("open")]) > len(ways)
