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
