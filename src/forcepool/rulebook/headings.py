"""The headings of the rules by name, for tables of contents."""

from functools import cache
from importlib.resources import files

import msgspec

from forcepool.rulebook.book import load
from forcepool.rulebook.clause import prefixes


@cache
def titles() -> dict[str, str]:
    """The headings that have a name of their own."""
    data = (files("forcepool.rulebook") / "headings.yaml").read_bytes()
    return msgspec.yaml.decode(data, type=dict[str, str])


def title_of(heading: str) -> str:
    """A heading's name; one of a few clauses has that of the first."""
    return titles().get(heading) or next((each.title for each in load().heading(heading)), heading)


@cache
def below(heading: str = "") -> tuple[str, ...]:
    """The headings right below one, in the order of the rules; without one the rules themselves."""
    return tuple(each for each in load().headings() if each.rpartition(".")[0] == heading)


def above(heading: str) -> tuple[str, ...]:
    """The headings a heading lies under, the rule first."""
    return prefixes(heading)[:-1]
