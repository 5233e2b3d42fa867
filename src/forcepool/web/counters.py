"""Counters on a page: each drawn from the page's one sheet of glyphs."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup

from forcepool.drawing.counters import counter, glyph_sheet
from forcepool.engine.units import UnitSpec
from forcepool.views.said import mark_said


@lru_cache(maxsize=8192)
def drawn(spec: UnitSpec, step: str, name: str, marks: tuple[str, ...] = ()) -> Markup:
    """A counter as a picture with its words."""
    return Markup(counter(spec, step, name=name, marks=marks, said=map(mark_said, marks)))


def sheet(specs: Iterable[UnitSpec]) -> Markup:
    """The glyphs that the counters of a page refer to."""
    return Markup(glyph_sheet(specs))


def caption(unit: str, spec: UnitSpec) -> str:
    """What stands below a counter, which shows its size already: '24 Inf' for 24 Inf XX."""
    return unit.removesuffix(f" {spec.size}")


def shared_out(counts: Sequence[int], most: int) -> list[int]:
    """How many of each box are drawn where a page bears only so many: small boxes whole, the others alike."""
    drawn_of, left = [0] * len(counts), most
    smallest_first = sorted(range(len(counts)), key=lambda index: (counts[index], index))
    for place, index in enumerate(smallest_first):
        drawn_of[index] = min(counts[index], left // (len(counts) - place))
        left -= drawn_of[index]
    return drawn_of


def part_of(text: str) -> int:
    """Where in a long box a page begins, from its address; the beginning for what is no number."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 7 else 0
