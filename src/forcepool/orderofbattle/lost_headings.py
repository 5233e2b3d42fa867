"""Headings that could not be read, or stand before a unit that could not: what becomes of the lines below them."""

import re

from msgspec import Struct

from forcepool.engine.calendar import Calendar
from forcepool.orderofbattle.grammar import BadLine, looks_like_a_turn
from forcepool.orderofbattle.line import Line, read_line

_UNIT = r"(?:(?:any|up to|either|one|two|three)\s+)?\(?\*?[0-9½¼¾⅓⅔]+(?:\s*[xX×]|[^\s,:;]*[-‐‑‒–—−/.][0-9])"
# Words, turns and signs between them, the last colon right before a unit.
_BEFORE = re.compile(rf"(?P<heads>[^\W\d_][^:;(\"“→=]*:(?:[^:;(\"“→=]*[^\W\d_][^:;(\"“→=]*:)*)\s*(?={_UNIT})")
_HOLDS_ITS_LINE_ONLY = ("condition", "place")


class Unread(Struct):
    """A heading that could not be read: what stands under it is held until someone says what it means."""

    text: str
    line: int
    indent: int
    is_turn: bool
    holds: bool = False
    """Whether a line under it is held already."""

    def ends_with(self, indent: int, line: Line) -> bool:
        """Whether a heading closes it: a turn, a nation or a side does, another heading only as its equal."""
        levels = {part.level for part in line.parts}
        if self.is_turn or "turn" in levels:
            return "turn" in levels
        if levels & {"side", "nation"}:
            return True
        return self.holds and indent <= self.indent


def headings_before_units(text: str) -> str:
    """The headings with a colon that stand before the units of a line, as they are written."""
    if found := _BEFORE.match(text):
        return found["heads"].strip()
    first, colon, _ = text.partition(":")
    return f"{first}:" if colon and looks_like_a_turn(first) else ""


def as_read(headings: str, calendar: Calendar) -> Line | None:
    """What such headings say to the lines below them; None if that is not to be known."""
    try:
        line = read_line(headings, calendar)
    except BadLine:
        return None
    if line.fields is not None:
        return None
    return Line(tuple(part for part in line.parts if part.level not in _HOLDS_ITS_LINE_ONLY))
