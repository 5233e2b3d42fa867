"""Map files: every mistake at its line and column, and the map of the handbook is a good one."""

import re
from pathlib import Path

import pytest

from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.hexmap.reading import read_map, read_map_file
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml

GOOD = """\
map: A corner
areas:
  M: {md: Minsk}
owners: {a: Axis}
sheets:
  "1":
      terrain: |
          ..ff~~
          ......
      areas: |
          MMM
places:
  Minsk: {hex: 1:0102, city: dot}
lines:
  rail:
    - Minsk - 1:0402
hexsides:
  - 1:0101 - 1:0201
"""


def read(text: str) -> Drawing:
    return read_map(read_yaml(text, "corner.map"), (), text)


def problems(text: str) -> list[str]:
    with pytest.raises(BadFile) as bad:
        read(text)
    return [str(problem) for problem in bad.value.problems]


def test_a_good_map_is_read() -> None:
    assert HexMap(read(GOOD)).find("Minsk") == HexMap(read(GOOD)).find("1:0102")


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        ("..ff~~", "..fx~~", "corner.map:8:14: 'x' stands for nothing in terrain"),
        ("          ......\n", "          .....é\n", "corner.map:9:16: 'é' stands for nothing in terrain"),
        ("          MMM", "          MMQ", "corner.map:11:13: 'Q' stands for nothing in areas"),
        ("          MMM", "          MMMMMMM", "corner.map:11:17: row 1 of areas is longer than the sheet"),
        ("hex: 1:0102", "hex: 1:0109", "corner.map:13:16: there is no hex 1:0109 on the map"),
        ("hex: 1:0102", "hex: 7:0102", "corner.map:13:16: there is no sheet '7'"),
        ("city: dot", "city: dotted", "corner.map:13:30: 'dotted' is no class of city"),
        ("Minsk - 1:0402", "Minsk - 1:0601", "corner.map:16:7: from Minsk to 1:0601 it crosses sea at 1:0601"),
        ("Minsk - 1:0402", "Minsk - Pinsk", "corner.map:16:7: 'Pinsk' is no hex"),
        ("1:0101 - 1:0201", "1:0101 - 1:0301", "corner.map:18:5: '1:0101 - 1:0301' is not two hexes that touch"),
        ("1:0101 - 1:0201", "1:0101", "corner.map:18:5: '1:0101' is not two hexes that touch"),
        ("  rail:", "  tram:", "corner.map:15:3: there are no lines 'tram'"),
        ("M: {md: Minsk}", "M: {}", "corner.map:3:6: 'M' names no area"),
        ("M: {md: Minsk}", "MM: {md: Minsk}", "corner.map:3:3: 'MM' is not one letter"),
        ('"1":\n', '"1":\n      first: "01"\n', "corner.map:7:14: '01' is no number of a hex"),
        ('"1":\n', '"1":\n      first: "9801"\n', "corner.map:6:3: sheet 1 would need hex 10302"),
        ('"1":\n', '"1":\n      of: paper\n', "corner.map:7:7: unknown word 'of'"),
        ("map: A corner\n", "map: A corner\nlow_columns: all\n", "corner.map:2:14: 'all' columns cannot be low"),
        ("Minsk: {hex", "Brest: {hex: 1:0102}\n  Minsk: {hex", "corner.map:14:16: 1:0102 is Brest already"),
    ],
)
def test_a_mistake_is_told_where_it_stands(right: str, wrong: str, told: str) -> None:
    assert right in GOOD
    found = problems(GOOD.replace(right, wrong, 1))
    assert found[0].startswith(told), found


def test_a_map_without_hexes_is_no_map() -> None:
    assert "sheet 1 has no hexes" in problems('sheets:\n  "1":\n    terrain: ""\n')[0]
    assert "the map has no sheets" in problems("sheets: {}\n")[0]


def test_all_mistakes_are_told_at_once() -> None:
    assert len(problems(GOOD.replace("..ff~~", "..fx~~").replace("MMM", "QQQ"))) == 2


def test_a_map_file_that_is_not_there_is_told_where_it_is_named(tmp_path: Path) -> None:
    scenario = read_yaml("title: x\nmap: no.map\n", str(tmp_path / "s.yaml"))
    with pytest.raises(BadFile, match=r"s.yaml:2:6: there is no map file 'no.map'"):
        read_map_file("no.map", scenario, ("map",))


def test_a_map_file_lies_beside_the_scenario_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "corner.map").write_text(GOOD, encoding="utf-8")
    (tmp_path / "s.yaml").write_text("map: corner.map\n", encoding="utf-8")
    scenario = read_yaml("map: corner.map\n", str(tmp_path / "s.yaml"))
    assert read_map_file("corner.map", scenario, ("map",)) == read(GOOD)
    (tmp_path / "corner.map").write_text(GOOD.replace("ff", "fx"), encoding="utf-8")
    with pytest.raises(BadFile, match=r"corner.map:8:14: "):
        read_map_file("corner.map", scenario, ("map",))


def test_the_map_of_the_handbook_is_a_good_one() -> None:
    text = (Path(__file__).parents[2] / "docs" / "map.md").read_text(encoding="utf-8")
    example = next(block for block in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL) if "sheets:" in block)
    hexes = HexMap(read(example))
    assert len(hexes.hexes) == 8 * 4 + 4 * 3
    assert hexes.area_at(hexes.find("Moscow")).md == "Moscow"
