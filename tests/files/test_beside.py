"""Files that another file names: from its own folder on, and never for a text that was pasted or sent."""

from pathlib import Path

import pytest

from forcepool import games
from forcepool.engine.hexmap.reading import read_map_file
from forcepool.files.beside import text_beside
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml


def test_a_file_names_another_from_its_own_folder_on(tmp_path: Path) -> None:
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps" / "a.map").write_text("the map")
    (tmp_path / "mine").mkdir()
    scenario = tmp_path / "mine" / "scenario.yaml"
    scenario.write_text("")
    assert text_beside("../maps/a.map", str(scenario)) == "the map"


@pytest.mark.parametrize(
    "name", ["../secret.txt", "../../far.map", "../../../../../../etc/passwd", "link.txt", "x\0.map"]
)
def test_nothing_is_read_from_further_away_than_a_folder_beside_ones_own(tmp_path: Path, name: str) -> None:
    """A scenario that someone sent may name anything, and what is no map would be told with its first line."""
    mine = tmp_path / "games" / "mine"
    mine.mkdir(parents=True)
    (tmp_path / "games" / "secret.txt").write_text("the secret")
    (tmp_path / "far.map").write_text("the secret")
    (mine / "link.txt").symlink_to(tmp_path / "games" / "secret.txt")
    scenario = mine / "scenario.yaml"
    scenario.write_text("")
    with pytest.raises(ValueError, match="leads out of the folder"):
        text_beside(name, str(scenario))
    with pytest.raises(BadFile, match="leads out of the scenario's folder"):
        read_map_file(name, read_yaml("map: x", str(scenario)), ("map",))


@pytest.mark.parametrize("name", ["/etc/passwd", "C:\\secrets.txt", "\\\\server\\share\\x.map"])
def test_no_file_is_named_from_the_root_of_a_disk(tmp_path: Path, name: str) -> None:
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text("")
    with pytest.raises(ValueError, match="leads out of the folder"):
        text_beside(name, str(scenario))


def test_a_text_that_was_pasted_reads_nothing_of_this_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "secret.ob").write_text("the secret")
    monkeypatch.chdir(tmp_path)
    for name in ("secret.ob", "../secret.ob", "./x/../secret.ob"):
        with pytest.raises(ValueError, match=r"leads out|there is no file"):
            text_beside(name, "scenario.yaml")


def test_a_name_that_no_disk_would_take_is_the_name_of_no_file(tmp_path: Path) -> None:
    scenario = tmp_path / "scenario.yaml"
    scenario.write_text("")
    for name in ("9" * 5000, "../" + "9" * 5000, "9" * 5000 + ".map"):
        with pytest.raises(ValueError, match=r"there is no file|leads out"):
            text_beside(name, str(scenario))
        for asks in (str(scenario), "pasted.yaml"):
            with pytest.raises(BadFile, match=r"there is no map file|leads out"):
                read_map_file(name, read_yaml("map: x", asks), ("map",))
        with pytest.raises(BadFile, match=r"there is no profile|cannot be read|leads out"):
            games.game("europa").set_up(read_yaml(f"profile: {name}.yaml", str(scenario)), ())
