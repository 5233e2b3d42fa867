"""Words that the text, the page and the sheets of a report share."""

from collections.abc import Sequence
from typing import TypeVar

from forcepool.engine.agenda import DUE, LAPSES, NEWS, OPEN
from forcepool.engine.units import FULL
from forcepool.views.forcepool import PoolUnit

T = TypeVar("T")

SHEETS = {
    "checklist": "Checklist",
    "track": "Turn track",
    "boxes": "Force pool",
    "pools": "Pools",
    "happened": "What happened",
    "losses": "Loss sheet",
}
"""Everything that can be printed, in the order of the report."""
USUAL = ("checklist", "track", "boxes", "pools", "happened")
"""What a report holds where nothing was said; losses are noted on paper by those who ask for the sheet."""

HEADINGS = {DUE: "Due now", LAPSES: "Will lapse", OPEN: "Open to you", NEWS: "News"}


def listed(lines: Sequence[T], most: int) -> tuple[Sequence[T], int]:
    """The first so many, and how many are left out; one more is shown rather than counted."""
    if len(lines) <= most + 1:
        return lines, 0
    return lines[:most], len(lines) - most


def unit_on_a_line(unit: PoolUnit) -> str:
    """'24 Inf XX (7-6)', '6 Pz XX (cadre 5-8)': a unit with its present strength."""
    strength = unit.spec.strength(unit.step) if unit.spec.has(unit.step) else unit.spec.full
    step = "" if unit.step == FULL else f"{unit.step} "
    return f"{unit.unit} ({step}{strength})"


def short_name(unit: PoolUnit) -> str:
    """What is written under a counter: its name without the type and size that the counter shows already."""
    ending = f" {unit.spec.type} {unit.spec.size}"
    return unit.unit.removesuffix(ending) or unit.unit
