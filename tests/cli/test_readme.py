"""The first five minutes of the README: what it shows is what one sees.

When a message has changed on purpose: `python -m tests.cli.test_readme` writes the new one into the README.
"""

import os
import re
import shlex
import tempfile
from pathlib import Path

import pytest

from tests.cli.conftest import Forcepool, forcepool_runs

README = Path(__file__).resolve().parents[2] / "README.md"
BLOCK = re.compile(r"(?<=<!-- first-minutes -->).*(?=<!-- /first-minutes -->)", re.DOTALL)


def shown_in(text: str) -> str:
    found = BLOCK.search(text)
    return found.group() if found else ""


def output(command: str) -> str:
    """What a command prints; one that cannot run must not empty the README."""
    ran = forcepool_runs(*shlex.split(command))
    assert ran.out, ran.err
    return ran.out


def refreshed(block: str) -> str:
    """The block with the output of each command as it is today."""

    def replay(fence: re.Match[str]) -> str:
        commands = re.findall(r"^> forcepool (.*)$", fence[1], re.MULTILINE)
        return "```\n" + "".join(f"> forcepool {each}\n{output(each)}" for each in commands) + "```"

    return re.sub(r"```\n(.*?)```", replay, block, flags=re.DOTALL)


def test_the_readme_shows_what_one_sees(forcepool: Forcepool) -> None:
    block = shown_in(README.read_text(encoding="utf-8"))
    assert block.count("> forcepool ") > 5
    assert refreshed(block) == block, "if this is meant: python -m tests.cli.test_readme"


@pytest.mark.parametrize("word", ["todo", "rules 52.A.9.d/3", "tour", "undo", "--override"])
def test_the_readme_mentions_the_way_on(word: str) -> None:
    assert word in shown_in(README.read_text(encoding="utf-8"))


if __name__ == "__main__":
    before = README.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        after = BLOCK.sub(lambda found: refreshed(found.group()), before)
        os.chdir(README.parent)
    README.write_text(after, encoding="utf-8")
