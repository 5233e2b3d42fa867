"""Names on a picture: each where it lies on nothing else, the greatest first; left out where there is no room.

How wide letters are depends on the reader's fonts: the widths here are those of the widest in common use.
"""

from collections.abc import Hashable, Iterable, Mapping

from msgspec import Struct

Box = tuple[int, int, int, int]
"""Left, top, right and bottom of something on the picture."""
NARROW, WIDE = frozenset("fijlrtI1.,:;'-() "), frozenset("mwMW@%")
WIDTHS = {"narrow": 42, "wide": 100, "capital": 78, "other": 63}
"""Hundredths of the height of a letter."""
BOLD, SPACED = 114, 8
"""Bold letters beside others, and the room between the small capitals of an area, in hundredths."""


class Style(Struct, frozen=True):
    """How a name is written: its size, and whether in bold or in spaced small capitals."""

    size: int
    bold: bool = False
    capitals: bool = False

    def width(self, words: str) -> int:
        """The room that words take, rather too much than too little."""
        hundredths = sum(self._letter(each) for each in words)
        return (hundredths * (BOLD if self.bold else 100) // 100 * self.size + 99) // 100

    def _letter(self, letter: str) -> int:
        if self.capitals:
            return (WIDTHS["capital"] if letter != " " else WIDTHS["narrow"]) + SPACED
        kind = (
            "narrow" if letter in NARROW else "wide" if letter in WIDE else "capital" if letter.isupper() else "other"
        )
        return WIDTHS[kind]

    def box(self, words: str, spot: "Spot", lines_below: int = 0) -> Box:
        """The room that words take at a spot, with smaller lines below them."""
        width = self.width(words)
        left = spot.x - {"start": 0, "end": width}.get(spot.anchor, width // 2)
        return left, spot.y - self.size * 19 // 20, left + width, spot.y + self.size * (6 + 21 * lines_below) // 20


class Spot(Struct, frozen=True):
    """Where a name may stand: the foot of its middle, or of its beginning or end."""

    x: int
    y: int
    anchor: str = ""


class Room:
    """What is taken of a picture; names stay within its frame."""

    def __init__(self, within: Box, things: Mapping[Hashable, Box]) -> None:
        self._within, self._things = within, dict(things)

    def place(self, spots: Iterable[tuple[Spot, Box]], own: Hashable = None) -> Spot | None:
        """Take the first spot whose box lies on nothing, but for the thing that is named; None if there is none."""
        others = [box for thing, box in self._things.items() if thing != own]
        for spot, box in spots:
            if _inside(box, self._within) and not any(meet(box, other) for other in others):
                self._things["name", len(self._things)] = box
                return spot
        return None


def meet(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def around(x: int, y: int, half: int) -> Box:
    """The room that a thing takes in each direction from its middle."""
    return x - half, y - half, x + half, y + half


def moved_into(box: Box, within: Box) -> tuple[int, int]:
    """How far a box must be moved across and down to lie within a frame."""
    across = max(within[0] - box[0], 0) or min(within[2] - box[2], 0)
    down = max(within[1] - box[1], 0) or min(within[3] - box[3], 0)
    return across, down


def _inside(box: Box, within: Box) -> bool:
    return within[0] <= box[0] and within[1] <= box[1] and box[2] <= within[2] and box[3] <= within[3]
