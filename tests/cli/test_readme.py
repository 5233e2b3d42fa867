"""The first five minutes of the README: what it shows is what one sees."""

import re
import shlex
from pathlib import Path

import pytest
from tests.cli.conftest import Forcepool

README = Path(__file__).resolve().parents[2] / "README.md"


def first_minutes() -> list[tuple[str, str]]:
    """Each command of the block with the output printed below it."""
    text = README.read_text(encoding="utf-8")
    block = text.partition("<!-- first-minutes -->")[2].partition("<!-- /first-minutes -->")[0]
    shown = "".join(re.findall(r"```\n(.*?)```", block, re.DOTALL))
    parts = re.split(r"^> forcepool (.*)\n", shown, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def test_the_readme_shows_what_one_sees(forcepool: Forcepool) -> None:
    shown = first_minutes()
    assert len(shown) > 5
    for command, output in shown:
        assert forcepool(*shlex.split(command)).out == output


@pytest.mark.parametrize("word", ["todo", "rules 52.A.9.d/3", "demo", "undo", "--override"])
def test_the_readme_mentions_the_way_on(word: str) -> None:
    assert word in README.read_text(encoding="utf-8")
