"""The page that describes a scenario file: it leaves out no word, and its example is sound."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec import Struct

from forcepool.games.europa import CHARTS, GAME
from forcepool.games.europa.given import given_type
from forcepool.games.europa.house_profile import Overlay
from forcepool.games.europa.profile import shipped
from forcepool.views.facts import fact_lines
from tests.lint.conftest import Lint

PAGE = (Path(__file__).parents[2] / "docs" / "scenarios.md").read_text("utf-8")
EXAMPLE = PAGE.partition("```yaml\n")[2].partition("```")[0]


def test_every_word_of_the_file_is_described() -> None:
    words = [field for field in given_type(GAME.facts, CHARTS).__struct_fields__ if field != "dice"]
    assert [word for word in words if f"`{word}`" not in PAGE] == []


@pytest.mark.parametrize("kind", ["area", "place", "unit", "nation", "campaign"])
def test_every_fact_one_may_state_is_described_as_the_program_does(kind: str) -> None:
    stated = fact_lines(GAME, of=kind, kept=False)
    assert stated
    rows = [
        f"| `{line.fact}` | {line.about} | {', '.join(f'`{each}`' for each in line.values) or line.takes} |"
        for line in stated
    ]
    assert [row for row in rows if row not in PAGE] == []


def test_no_fact_is_said_twice() -> None:
    said = [(fact.name, subject) for fact in GAME.facts for subject in fact.on]
    assert sorted({each for each in said if said.count(each) > 1}) == []


def struct_in(type_: Any) -> Any:
    """The Struct that a line of a chart is, if it is one."""
    if isinstance(type_, type) and issubclass(type_, Struct):
        return type_
    return next((found for each in get_args(type_) if (found := struct_in(each))), None)


def test_every_chart_is_described_with_its_words_and_none_that_does_not_exist() -> None:
    table = PAGE.partition("## Charts")[2].partition("## Beside")[0]
    rows = re.findall(r"^\| `(\w+)` \| .* \| (.*) \|$", table, re.MULTILINE)
    assert [name for name, _ in rows] == sorted(set(CHARTS) - {"ob"})
    wrong = {}
    for name, said in rows:
        struct = struct_in(CHARTS[name])
        words = list(struct.__struct_encode_fields__) if struct else []
        if re.findall(r"`(\w+)`", said) != words:
            wrong[name] = words
    assert wrong == {}


def test_every_word_of_a_profile_is_described() -> None:
    page = (Path(__file__).parents[2] / "docs" / "house-profile.md").read_text("utf-8")
    table = page.partition("| word | what it says |")[2].partition("\n\n")[0]
    assert sorted(re.findall(r"`(\w+)`(?=[^|]*\|[^|]*\|)", table)) == sorted(Overlay.__struct_fields__)


def test_the_example_has_nothing_to_mend(lint: Lint) -> None:
    assert list(map(str, lint(EXAMPLE, whole=True))) == []


CASES = (Path(__file__).parents[2] / "docs" / "cases.md").read_text("utf-8")


def test_the_page_on_cases_names_every_pool_and_box_of_the_rules() -> None:
    assert [name for name in GAME.kept_pools if not re.search(rf"`{name}[/`]", CASES)] == []
    assert [name for name in GAME.box_names if not re.search(rf"`{name}\b", CASES)] == []


def test_every_number_date_and_chart_stands_in_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The page is written by the program; it must read the same files as the game does."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    reference = import_module("reference")
    page = "\n".join(reference._profile([GAME]))
    own = shipped()
    assert [name for name in (*own.numbers, *own.dates) if f"| `{name}` |" not in page] == []
    assert "| `replacement_time` | 4 | `52.A/2` |" in page
    assert "| `special_rates` |" in page


def test_every_fact_stands_in_the_reference_with_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "docs"))
    page = "\n".join(import_module("reference")._facts([GAME]))
    assert [fact.name for fact in GAME.facts if f"| `{fact.name}` |" not in page] == []
    assert "| `supply` | unit, place | the supply line it can trace | regular, limited, none | regular |" in page
