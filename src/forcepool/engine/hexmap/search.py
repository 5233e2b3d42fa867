"""The search for a line from hex to hex: the shortest one there is, or what stands in its way."""

from array import array
from collections.abc import Iterable, Iterator

from msgspec import Struct

from forcepool.engine.hexmap.grid import Moves

Sides = bytes | bytearray
"""For each hex, the sides that may be crossed."""
Hexes = bytes | bytearray
"""1 for each hex that belongs to a set."""

UNSEEN = -1


class Reach(Struct, frozen=True):
    """Everything that lines from some hexes reach: for each hex the step back, and the hexes in the order found."""

    back: "array[int]"
    """The hex before it; its own number for a start, UNSEEN for what was not reached."""
    order: list[int]

    def __contains__(self, index: int) -> bool:
        return self.back[index] != UNSEEN

    def steps(self, index: int) -> int:
        """How many steps off a hex is that is reached."""
        return len(self.path(index)) - 1

    def path(self, index: int) -> list[int]:
        """The line from a hex back to where the search began."""
        found = [index]
        while (before := self.back[found[-1]]) != found[-1]:
            found.append(before)
        return found


def reach(
    moves: Moves,
    sides: Sides,
    free: Hexes,
    starts: Iterable[int],
    *,
    goals: Hexes | None = None,
    most: int | None = None,
) -> Reach:
    """All hexes within `most` steps of the starts, through free hexes; a search with goals ends at the first it meets.

    A start need not be free itself: whoever stands in a hex traces out of it.
    """
    back = array("i", (UNSEEN,)) * len(free)
    order: list[int] = []
    for start in starts:
        if back[start] == UNSEEN:
            back[start] = start
            order.append(start)
    if goals is not None and any(goals[start] for start in order):
        return Reach(back, order)
    ring, steps = [*order], 0
    while ring and (most is None or steps < most):
        beyond: list[int] = []
        for index in ring:
            for step in moves[index & 1][sides[index]]:
                other = index + step
                if free[other] and back[other] == UNSEEN:
                    back[other] = index
                    beyond.append(other)
                    if goals is not None and goals[other]:
                        return Reach(back, order + beyond)
        order += beyond
        ring, steps = beyond, steps + 1
    return Reach(back, order)


def first_goal(found: Reach, goals: Hexes) -> int:
    """The goal a search met first, or UNSEEN."""
    return next((index for index in found.order if goals[index]), UNSEEN)


def in_the_way(moves: Moves, sides: Sides, found: Reach, closed: Hexes) -> Iterator[int]:
    """The closed hexes that a search came up against, each once, in order."""
    seen = {
        index + step
        for index in found.order
        for step in moves[index & 1][sides[index]]
        if closed[index + step] and found.back[index + step] == UNSEEN
    }
    return iter(sorted(seen))
