"""What holds of every check: it cites clauses that exist, and says the same in the same order every time."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from forcepool import games
from forcepool.rulebook.book import load
from forcepool.views.linting import lint_scenario
from forcepool.views.scenarios import scenario_names, shipped_scenario
from tests.lint.conftest import WAR, Lint

ROOM = Path(games.__file__).parent


def cited() -> Iterator[str]:
    """Every clause that stands as a word of its own in the lint of a game."""
    for file in sorted(ROOM.glob("*/lint/*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                head, slash, number = node.value.partition("/")
                if slash and number.isdigit() and head[:1].isdigit():
                    yield node.value


def test_every_clause_a_finding_cites_is_in_the_rulebook() -> None:
    book = load()
    assert len(set(cited())) > 10
    assert [each for each in cited() if each not in book] == []


@pytest.mark.parametrize("name", scenario_names())
def test_findings_are_sorted_and_the_same_every_time(name: str) -> None:
    found = lint_scenario(shipped_scenario(name))
    assert found == sorted(found)
    assert found == lint_scenario(shipped_scenario(name))


@pytest.mark.parametrize("name", scenario_names())
def test_a_shipped_scenario_has_nothing_to_mend(name: str) -> None:
    assert list(map(str, lint_scenario(shipped_scenario(name)))) == []


def test_a_war_with_nothing_wrong_has_no_finding(lint: Lint) -> None:
    units = "units:\n  24 Inf XX: {spec: 7-6 Inf XX, nation: German, at: eliminated theatre/east}\n"
    soviet = "  1 Rif XX: {spec: 4-6 Rif XX, nation: Soviet, at: eliminated theatre/east}\n"
    assert WAR.startswith("title")
    assert lint(units + soviet) == []
