"""Counters on a page: each drawn from the page's one sheet of glyphs."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from markupsafe import Markup

from forcepool.drawing.counters import counter, glyph_sheet
from forcepool.engine.units import UnitSpec

LONG = 11
"""Letters of a name that stand on one line below a counter."""
SOFT_HYPHEN, UNBROKEN_HYPHEN = "\u00ad", "\u2011"
SYLLABLE = re.compile(r"(\w{2,}?[aeiouyäöü][bcdfghjklmnpqrstvwxzß]+)(?=[bcdfghjklmnpqrstvwxz][aeiouyäöü]\w)")
"""The beginning of a long word up to where it may be parted: Gross-deutsch-land."""


@lru_cache(maxsize=8192)
def drawn(
    spec: UnitSpec, step: str, name: str, marks: tuple[str, ...] = (), said: tuple[str, ...] | None = None
) -> Markup:
    """A counter as a picture with its words; `said` are its marks as players say them."""
    return Markup(counter(spec, step, name=name, marks=marks, said=said))


def sheet(specs: Iterable[UnitSpec]) -> Markup:
    """The glyphs that the counters of a page refer to."""
    return Markup(glyph_sheet(specs))


def caption(unit: str, spec: UnitSpec) -> str:
    """What stands below a counter, which shows its size already: '24 Inf' for 24 Inf XX, '2 Rif (3-6)' for a second 2.

    A long name may be broken where one would part it, and the strengths behind a name never are.
    """
    words = [word for word in unit.split(" ") if word != spec.size]
    return " ".join(_broken(word) for word in words) or unit


def parted(unit: str) -> str:
    """A unit's whole name, whose long words may be broken where one would part them."""
    return " ".join(_broken(word) for word in unit.split(" "))


@lru_cache(maxsize=4096)
def _broken(word: str) -> str:
    if len(word) > LONG:
        return SYLLABLE.sub(rf"\1{SOFT_HYPHEN}", word)
    return word.replace("-", UNBROKEN_HYPHEN) if word[:1] == "(" else word


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
