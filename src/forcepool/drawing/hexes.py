"""Hexes as shapes: the borders of regions and the course of lines, each as one short path of an SVG picture.

A region of a thousand hexes is drawn by its border alone, so that a map of many sheets stays light.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

Cell = tuple[int, int]
"""A hex by its column and row."""
Point = tuple[int, int]
Edge = tuple[Point, Point]

HALF_WIDTH, HALF_HEIGHT = 7, 12
"""A step between corners, across and down; a hex is four of the one wide and two of the other high."""
COLUMN, ROW = 3 * HALF_WIDTH, 2 * HALF_HEIGHT
CORNERS = ((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0))
"""Around the middle, clockwise; side 0 (north) runs from the first to the second."""
SIDES = range(6)
OPPOSITE = tuple((side + 3) % 6 for side in SIDES)


class Lattice:
    """How the columns of a map lie: every other one sits half a hex lower."""

    def __init__(self, low_columns: str) -> None:
        self._low = 0 if low_columns == "even" else 1
        self.around = tuple(_around(parity == self._low) for parity in (0, 1))
        """By whether the column is even or odd: how many columns and rows on the neighbours lie, side by side."""

    def is_low(self, column: int) -> bool:
        return column % 2 == self._low

    def middle(self, cell: Cell) -> Point:
        """The middle of a hex, in steps between corners."""
        column, row = cell
        return 3 * column + 2, 2 * row + 1 + self.is_low(column)

    def at(self, cell: Cell) -> Point:
        """The middle of a hex on the picture."""
        x, y = self.middle(cell)
        return x * HALF_WIDTH, y * HALF_HEIGHT

    def beyond(self, cell: Cell, side: int) -> Cell:
        """The hex across a side."""
        across, down = self.around[cell[0] & 1][side]
        return cell[0] + across, cell[1] + down

    def side(self, cell: Cell, side: int) -> Edge:
        """One side of a hex, from corner to corner, clockwise."""
        x, y = self.middle(cell)
        (x1, y1), (x2, y2) = CORNERS[side], CORNERS[(side + 1) % 6]
        return (x + x1, y + y1), (x + x2, y + y2)

    def border(self, cells: Collection[Cell]) -> Iterator[Edge]:
        """The sides of a region that lead out of it."""
        for cell in cells:
            column, row = cell
            for side, (across, down) in enumerate(self.around[column & 1]):
                if (column + across, row + down) not in cells:
                    yield self.side(cell, side)

    def between(self, kinds: Mapping[Cell, str]) -> Iterator[Edge]:
        """The sides between hexes of two kinds, each once; hexes of no kind have no border."""
        for cell, kind in kinds.items():
            column, row = cell
            if kind:
                for side, (across, down) in enumerate(self.around[column & 1]):
                    if "" < kinds.get((column + across, row + down), "") < kind:
                        yield self.side(cell, side)

    def region(self, cells: Collection[Cell]) -> str:
        """A region as one path, holes and islands included."""
        return path(self.border(cells))

    def smooth_region(self, cells: Collection[Cell]) -> str:
        """A region as one path without the corners of its hexes."""
        return "".join(_rounded(points) for points in _stretches(self.border(cells)))

    def through(self, sides: Iterable[tuple[Cell, Iterable[int]]]) -> str:
        """Lines that run from the middle of a hex across its sides to the next, such as railways, as one path."""
        steps: dict[Point, list[Point]] = {}
        for cell, crossed in sides:
            for side in crossed:
                steps.setdefault(self.middle(cell), []).append(self.middle(self.beyond(cell, side)))
        return _walked(steps)

    def line(self, cells: Iterable[Cell]) -> str:
        """One line through the middles of hexes."""
        return _written([self.middle(cell) for cell in cells])

    def lines(self, ways: Iterable[Sequence[Cell]]) -> str:
        """Many lines through the middles of hexes; what they have in common is drawn once."""
        return net((self.middle(one), self.middle(other)) for way in ways for one, other in pairwise(way))


def _around(low: bool) -> tuple[Cell, ...]:
    """How far off the six neighbours of a hex are, for a column that sits low or high."""
    up = 0 if low else -1
    return (0, -1), (1, up), (1, up + 1), (0, 1), (-1, up + 1), (-1, up)


def path(edges: Iterable[Edge]) -> str:
    """Edges joined end to end; those that come back to where they began are closed."""
    parts = []
    for points in _stretches(edges):
        closed = points[0] == points[-1]
        parts.append(_written(points[:-1] if closed else points) + ("z" if closed else ""))
    return "".join(parts)


def _stretches(edges: Iterable[Edge]) -> Iterator[list[Point]]:
    """Edges joined end to end, corner by corner; one that comes back ends where it began."""
    ahead = dict(edges)
    ends = set(ahead.values())
    # Where a border is open, its pieces begin at a corner that no other leads to.
    for start in [*(corner for corner in ahead if corner not in ends), *ahead]:
        if start not in ahead:
            continue
        points = [start]
        while (after := ahead.pop(points[-1], None)) is not None:
            points.append(after)
        yield points


def _rounded(points: list[Point]) -> str:
    """A closed border as a curve from the middle of each side to the next, which only nears the corners."""
    corners = [(x * HALF_WIDTH, y * HALF_HEIGHT) for x, y in points[:-1]]
    middles = [((x + u) // 2, (y + v) // 2) for (x, y), (u, v) in zip(corners, (*corners[1:], corners[0]), strict=True)]
    x, y = middles[-1]
    parts = [f"M{x} {y}"]
    for corner, to in zip(corners, middles, strict=True):
        parts.append(f"q{corner[0] - x} {corner[1] - y} {to[0] - x} {to[1] - y}")
        x, y = to
    return "".join(parts) + "z"


def net(edges: Iterable[Edge]) -> str:
    """Edges that meet as they like, such as the borders of many areas, each drawn once."""
    steps: dict[Point, list[Point]] = {}
    for one, other in edges:
        steps.setdefault(one, []).append(other)
        steps.setdefault(other, []).append(one)
    return _walked(steps)


def _walked(steps: dict[Point, list[Point]]) -> str:
    """A net of lines, each stretch of it walked once."""
    left = {frozenset((one, other)) for one, others in steps.items() for other in others}
    parts = []
    for start in sorted(steps):
        while any(frozenset((start, other)) in left for other in steps[start]):
            points = [start]
            while True:
                here = points[-1]
                after = next((each for each in steps.get(here, ()) if frozenset((here, each)) in left), None)
                if after is None:
                    break
                left.discard(frozenset((here, after)))
                points.append(after)
            parts.append(_written(points))
    return "".join(parts)


def _written(points: list[Point]) -> str:
    """Points as the letters and numbers of a path; steps in one direction are one step."""
    if not points:
        return ""
    first = points[0]
    turns: list[tuple[tuple[int, int], int]] = []
    for here, there in pairwise(points):
        step = (there[0] - here[0], there[1] - here[1])
        if turns and turns[-1][0] == step:
            turns[-1] = (step, turns[-1][1] + 1)
        else:
            turns.append((step, 1))
    said = " ".join(f"{x * times * HALF_WIDTH} {y * times * HALF_HEIGHT}" for (x, y), times in turns)
    return f"M{first[0] * HALF_WIDTH} {first[1] * HALF_HEIGHT}" + (f"l{said}" if said else "")
