"""Everything that lines reach, found for all hexes at once: a set of hexes is one number, with a bit for each.

Most who ask want to know only whether a hex is reached, or how far off it is. A line itself is searched for where one
is shown.
"""

from collections.abc import Iterable, Iterator
from functools import cached_property

from forcepool.engine.hexmap.grid import DIRECTIONS, Grid
from forcepool.engine.hexmap.search import Hexes, Reach, Sides, reach

HexSet = int
"""A bit for each hex of a set."""
_DIGITS = bytes(b"01"[min(each, 1)] for each in range(256))
_NUMBERS = bytes(each == ord("1") for each in range(256))


def hex_set(hexes: Hexes) -> HexSet:
    """A row of noughts and ones as a set."""
    return int(hexes.translate(_DIGITS)[::-1], 2)


def row_of(found: HexSet, size: int) -> bytes:
    """A set as a row of noughts and ones."""
    return f"{found:0{size}b}".encode()[::-1].translate(_NUMBERS)


def set_of(indices: Iterable[int], size: int) -> HexSet:
    row = bytearray(size)
    for index in indices:
        row[index] = 1
    return hex_set(row)


class Ways:
    """The sides that may be crossed out of each hex, so that all hexes of a set can step over them together."""

    def __init__(self, grid: Grid, sides: Sides) -> None:
        self.moves, self.sides, self.size = grid.moves, sides, grid.size
        self._steps = tuple(self._ready(grid))

    def _ready(self, grid: Grid) -> Iterator[tuple[int, HexSet]]:
        """How far off the neighbour on each side is, and the hexes that may step there."""
        pairs = (self.size + 1) // 2
        for parity, column in enumerate((bytes((1, 0)) * pairs, bytes((0, 1)) * pairs)):
            here = hex_set(column[: self.size])
            for side in DIRECTIONS:
                opened = hex_set(self.sides.translate(bytes(each >> side & 1 for each in range(256)))) & here
                if opened:
                    yield grid.steps[parity][side], opened

    def beyond(self, hexes: HexSet) -> HexSet:
        """All hexes one step from those of a set."""
        found = 0
        for step, opened in self._steps:
            leaving = hexes & opened
            if leaving:
                found |= leaving << step if step > 0 else leaving >> -step
        return found

    def rings(self, free: HexSet, starts: HexSet, most: int | None = None) -> Iterator[HexSet]:
        """The starts, then the free hexes one step off, two steps off and so on."""
        left, ring, steps = free & ~starts, starts, 0
        while ring:
            yield ring
            if most is not None and steps >= most:
                return
            ring = self.beyond(ring) & left
            left ^= ring
            steps += 1

    def within(self, free: HexSet, starts: HexSet, most: int | None = None) -> HexSet:
        """All that lines from some hexes reach."""
        found = 0
        for ring in self.rings(free, starts, most):
            found |= ring
        return found


class Spread:
    """What lines from some hexes reach through free ones, ring by ring."""

    def __init__(self, ways: Ways, free: Hexes, starts: Iterable[int], most: int | None = None) -> None:
        self.starts, self.most, self._ways, self._free = tuple(starts), most, ways, free
        self.rings = tuple(ways.rings(hex_set(free), set_of(self.starts, ways.size), most))

    def __eq__(self, other: object) -> bool:
        # Lines that reach the same in the same steps are the same, whatever else was free beside them.
        return isinstance(other, Spread) and (self.starts, self.rings) == (other.starts, other.rings)

    __hash__ = None  # type: ignore[assignment]

    @cached_property
    def row(self) -> bytes:
        """1 for each hex that is reached."""
        found = 0
        for ring in self.rings:
            found |= ring
        return row_of(found, self._ways.size)

    def __contains__(self, index: int) -> bool:
        return bool(self.row[index])

    def steps(self, index: int) -> int:
        """How many steps off a hex is that is reached."""
        return next(steps for steps, ring in enumerate(self.rings) if ring >> index & 1)

    @cached_property
    def _lines(self) -> Reach:
        return reach(self._ways.moves, self._ways.sides, self._free, self.starts, most=self.most)

    def path(self, index: int) -> list[int]:
        """The line from a hex back to where it began."""
        return self._lines.path(index)

    @property
    def hexes(self) -> list[int]:
        """All that is reached, in the order of their numbers."""
        return [index for index, there in enumerate(self.row) if there]
