"""A scenario in a few lines, and what the lint says of it."""

from collections.abc import Callable

import pytest

from forcepool.files.yamltext import read_yaml
from forcepool.views.linting import Found, lint_scenario

Lint = Callable[..., list[Found]]

WAR = """\
title: A small war
turn: Jul 1 41
players: [Axis, Soviet]
theatres: {East: {country: Soviet Union, overland: yes, rail_line: yes}}
"""


@pytest.fixture
def lint() -> Lint:
    """What is found in a small war with these lines added, or in a whole file of one's own."""

    def found(text: str, *, whole: bool = False) -> list[Found]:
        return lint_scenario(read_yaml(text if whole else WAR + text, "war.yaml"))

    return found


def told(found: list[Found], word: str) -> list[str]:
    """The findings whose sentence has a word in it, as they are printed."""
    return [str(each) for each in found if word in each.text]
