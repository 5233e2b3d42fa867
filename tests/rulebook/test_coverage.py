"""Coverage of the rulebook is read off running code, ships with the package, and never falls back."""

import ast
import json
import re
from pathlib import Path

import msgspec
import pytest

from forcepool.rulebook import coverage
from forcepool.rulebook.book import load
from forcepool.rulebook.citations import Citation
from forcepool.rulebook.coverage import Heard, Met

ROOT = Path(__file__).parents[2]
FLOOR = ROOT / "tests" / "rulebook" / "coverage-floor.json"
CLAUSE = re.compile(r"(?:28|49|51|52|EF)(?:\.[A-Za-z0-9]+)*/\d+")


def test_the_record_holds_the_floor_and_the_floor_follows_the_record_up() -> None:
    found = coverage.summary(coverage.shipped())
    floor = json.loads(FLOOR.read_text("utf-8"))
    assert found.total == floor["total"] == len(load())
    assert found.met >= floor["met"], "coverage has fallen back: some clause lost its code"
    assert found.tested >= floor["tested"], "coverage has fallen back: some clause lost its tests"
    assert (found.met, found.tested) == (floor["met"], floor["tested"]), "coverage has risen: raise the floor with it"


def test_a_clause_counts_as_tested_only_when_claimed_and_heard_on_both_sides() -> None:
    code = [Citation("52/3", "enforced", "m:f", True), Citation("52/4", "computed", "m:g")]
    heard = [
        Heard("52/3", "t1", "yes", True),
        Heard("52/3", "t2", "no", False),
        Heard("52/4", "t1", "computed", True),
        Heard("52/2", "t1", "event", False),
    ]
    record = coverage.build(code, heard)
    assert record["52/3"] == Met(("enforced",), ("m:f",), ("t1",), one_sided=True)
    assert not record["52/3"].tested
    assert record["52/4"].tested
    assert record["52/2"] == Met(("computed",), (), ())
    both = coverage.build(code, [*heard, Heard("52/3", "t2", "no", True)])
    assert both["52/3"].tested
    found = coverage.summary(both)
    assert (found.met, found.tested) == (3, 2)
    assert "52/2" in found.missing
    assert "52/3" not in found.missing


def test_the_record_reads_back_as_written() -> None:
    record = {"52/3": Met(("enforced",), ("m:f",), ("t1",), one_sided=True), "52/4": Met(("computed",))}
    assert msgspec.json.decode(coverage.encode(record), type=coverage.Record) == record


def _cited_in(path: Path) -> list[tuple[int, str]]:
    if path.suffix == ".py":
        tree = ast.parse(path.read_text("utf-8"))
        constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        texts = [(node.lineno, node.value) for node in constants if isinstance(node.value, str)]
    else:
        texts = list(enumerate(path.read_text("utf-8").splitlines(), 1))
    return [(line, clause) for line, text in texts for clause in CLAUSE.findall(text)]


SOURCES = sorted(
    path
    for folder in ("src/forcepool/games", "src/forcepool/engine", "src/forcepool/scenarios", "tests/cases")
    for path in (ROOT / folder).rglob("*")
    if path.suffix in (".yaml", ".ob") or (path.suffix == ".py" and folder.startswith("src"))
)


@pytest.mark.parametrize("path", SOURCES, ids=[path.relative_to(ROOT).as_posix() for path in SOURCES])
def test_every_clause_cited_exists(path: Path) -> None:
    book = load()
    unknown = [f"{path.name}:{line} {clause}" for line, clause in _cited_in(path) if clause not in book]
    assert unknown == []
