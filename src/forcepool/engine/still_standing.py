"""What is said of a place that has changed hands while units of another side still stand on it."""

from collections.abc import Sequence

from forcepool.engine.sentence import the_place
from forcepool.engine.state import Unit

SHOWN = 4
"""How many units a sentence names."""


def named(units: Sequence[Unit]) -> str:
    """The first few of some units by name, and how many more there are."""
    return ", ".join(map(format, units[:SHOWN])) + (f" and {len(units) - SHOWN} more" if len(units) > SHOWN else "")


def to_be_moved_or_lost(units: Sequence[Unit]) -> str:
    """'there stands 11 Army: move or lose it', of one or of several."""
    verb, them = ("stands", "it") if len(units) == 1 else ("stand", "them")
    return f"there {verb} {named(units)}: move or lose {them}"


def taken_under_them(place: str, owner: str, units: Sequence[Unit], sides: set[str]) -> str:
    """What everybody is told when a place is taken with units on it: how many and whose, but not which."""
    whose = " and ".join(sorted(sides))
    count = "1 unit still stands" if len(units) == 1 else f"{len(units)} units still stand"
    what = f"{'it is' if len(units) == 1 else 'they are'} to be moved or lost"
    return f"{the_place(place)} is the {owner} side's now, and {count} there of the {whose} side: {what}"
