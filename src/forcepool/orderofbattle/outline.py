"""The headings in force over a line of an order of battle, and what a further heading closes of them."""

from collections.abc import Collection
from typing import Any

Outline = dict[str, Any]
"""The headings in force, the outermost first."""

WHOSE = ("side", "nation", "force", "affiliation", "theatre", "front")
"""The headings that say whose the lines are."""


def outline_with(outline: Outline, level: str, value: Any) -> Outline:
    """The headings in force after one more: it closes the last of its own level, and all that stood under that.

    Conditions leave verbs and places alone, and these leave conditions alone.
    """
    kept: Outline = {}
    closed = False
    for other, said in outline.items():
        closed = closed or other == level
        if not closed or (other != level and "condition" in (other, level) and {other, level} & {"verb", "place"}):
            kept[other] = said
    return {**kept, level: value}


def below_fresh(outline: Outline, fresh: Collection[str], level: str, value: Any) -> Outline:
    """The headings in force after one more, of which some have had nothing under them yet.

    A nation named right above a turn is not closed by that turn: it is meant for what follows.
    """
    after = outline_with(outline, level, value)
    if level != "turn":
        return after
    closed = {each: said for each, said in outline.items() if each not in after}
    waiting = {each: said for each, said in closed.items() if each in fresh and each in WHOSE}
    return {**waiting, **after}
