"""Whatever happens to a file, the player gets a list of problems inside it, never a crash."""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from forcepool.files import BadFile, Document, Path, Position, Problem, parsing, read_yaml, read_yaml_file, shape

from .conftest import LOADERS

VALID = """\
# the east, 1941
profile: europa
defaults: &inf {nation: German, steps: 2}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk, isolated: no, <<: *inf}
  "25 Inf XX":
    spec: '8-6 Inf XX'
    cost: 7/2
    note: |
      Łódź: ½
      \tlate
  26:
    spec: "5-6 \\u00BD"
    markers:
    - mp
    - !!str 12
steps:
  - rebuild: {unit: 24 Inf XX}   # 52.A.9
  - ? end
    : ~
"""


class Unit(msgspec.Struct):
    spec: str
    nation: str = ""
    steps: int = 1
    at: str = ""
    isolated: bool = False
    cost: Fraction | None = None
    note: str = ""
    markers: list[str] = []


class Scenario(msgspec.Struct):
    profile: str
    defaults: dict[str, str]
    units: dict[str, Unit]
    steps: list[dict[str, dict[str, str] | None]]


def read(text: str, loader: Any) -> tuple[Document, Scenario]:
    before, parsing._LOADER = parsing._LOADER, loader
    try:
        document = read_yaml(text, "f")
    finally:
        parsing._LOADER = before
    return document, shape(document, (), Scenario, {Fraction: Fraction})


def places(document: Document) -> Iterator[Position]:
    def walk(data: Any, path: Path) -> Iterator[Position]:
        yield document.where(path)
        yield document.where_key(path)
        inner: Any = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
        for step, value in inner:
            yield from walk(value, (*path, step))

    yield from walk(document.data, ())


def assert_inside(text: str, spots: Iterable[Position | Problem]) -> None:
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    for spot in spots:
        assert 1 <= spot.line <= len(lines)
        assert 1 <= spot.column <= len(lines[spot.line - 1]) + 1


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """The valid file with a few bytes deleted, doubled or put in."""
    content = bytearray(VALID.encode())
    odd = st.sampled_from([*b"\t\n\r :-[]{},&*!|>'\"%@`#?\\~<\x00\x85\xa0\xff", *b"axy0"])
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(content)))
        length = draw(st.integers(1, 30))
        match draw(st.sampled_from(["delete", "double", "insert", "move"])):
            case "delete":
                del content[at : at + length]
            case "double":
                content[at:at] = content[at : at + length]
            case "insert":
                content[at:at] = bytes(draw(st.lists(odd, min_size=1, max_size=3)))
            case "move":
                piece = content[at : at + length]
                del content[at : at + length]
                to = draw(st.integers(0, len(content)))
                content[to:to] = piece
    return bytes(content)


def test_the_undamaged_file_is_read_by_both_parsers() -> None:
    for loader in LOADERS:
        document, scenario = read(VALID, loader)
        assert scenario.units["24 Inf XX"].steps == 2
        assert scenario.units["26"].spec == "5-6 ½"
        assert_inside(VALID, places(document))


@settings(deadline=None, max_examples=300)
@given(damaged(), st.sampled_from(LOADERS))
def test_a_damaged_file_is_read_or_its_problems_lie_inside_it(content: bytes, loader: Any) -> None:
    text = content.decode("utf-8", errors="replace")
    spots: Iterable[Position | Problem]
    try:
        spots = list(places(read(text, loader)[0]))
    except BadFile as bad:
        spots = bad.problems
    assert spots
    assert_inside(text, spots)


@settings(deadline=None, max_examples=100)
@given(damaged() | st.binary(max_size=60))
def test_a_file_of_any_bytes_is_read_or_its_problems_lie_inside_it(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.getbasetemp() / "damaged.yaml"
    file.write_bytes(content)
    try:
        read_yaml_file(file)
    except BadFile as bad:
        assert_inside(content.decode("utf-8", errors="replace"), bad.problems)


class Words(yaml.SafeLoader):
    """PyYAML's own reading, with nothing taken for a number or a date."""


Words.yaml_implicit_resolvers = {
    "<": [("tag:yaml.org,2002:merge", re.compile("^<<$"))],
    **{c: [("tag:yaml.org,2002:null", re.compile("^(?:~|null|Null|NULL|)$"))] for c in ("", "~", "n", "N")},
}


def named_by_text(data: Any) -> bool:
    """PyYAML turns a name such as '~' into nothing, where we keep what was typed."""
    if isinstance(data, dict):
        return all(isinstance(name, str) and named_by_text(value) for name, value in data.items())
    return all(map(named_by_text, data)) if isinstance(data, list) else True


@settings(deadline=None, max_examples=300)
@given(damaged())
def test_what_is_read_is_what_pyyaml_reads(content: bytes) -> None:
    text = content.decode("utf-8", errors="replace")
    try:
        data = read_yaml(text, "f").data
    except BadFile:
        return
    try:
        expected = yaml.load(text, Loader=Words)
    except yaml.YAMLError:
        return  # the parser in Python refuses some tabs that the one in C allows
    if named_by_text(expected):
        assert data == expected
