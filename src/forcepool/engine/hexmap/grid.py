"""Where hexes lie: sheets laid beside each other on one grid, neighbours across their edges, and distances.

A hex is a number: its place in the rows of the whole map, with a rim of nothing around it so that no search can run
over the edge. The rows have an even length, so that the number alone tells whether a column is even.
"""

from array import array
from collections.abc import Iterator

from forcepool.engine.hexmap.drawing import NO_HEX, Drawing, Sheet, rows_of
from forcepool.engine.sentence import Told

NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST = range(6)
DIRECTIONS = (NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST)
SLANTS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""The way to each neighbour in slanted coordinates, in which straight lines are straight."""
ALL_SIDES = 0b111111
MOST_HEXES = 4_000_000
"""The room the grid may take; sheets placed too far apart would fill the memory with nothing."""

Moves = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]
"""The steps out of a hex of an even and of an odd column, by the sides that are open."""


class BadHex(Told):
    """A hex that is not on the map."""


def opposite(direction: int) -> int:
    return (direction + 3) % 6


class Grid:
    """The hexes of all sheets in one coordinate system."""

    def __init__(self, drawing: Drawing) -> None:
        # In the order of their names: the journal keeps no other.
        self.sheets = sorted(drawing.sheets.items())
        sizes = [(len(rows_of(sheet.terrain)), max(map(len, rows_of(sheet.terrain)))) for _, sheet in self.sheets]
        left = min(sheet.at[0] for _, sheet in self.sheets)
        top = min(sheet.at[1] for _, sheet in self.sheets)
        columns = max(sheet.at[0] + wide for (_, sheet), (_, wide) in zip(self.sheets, sizes, strict=True)) - left
        rows = max(sheet.at[1] + high for (_, sheet), (high, _) in zip(self.sheets, sizes, strict=True)) - top
        # Column 1 of a sheet that is not moved aside keeps its odd number, whatever lies to its left.
        self.shift = 1 - left + left % 2
        self.drop = 1 - top
        wide = columns + left % 2 + 2
        self.width = wide + wide % 2
        self.size = self.width * (rows + 2)
        if self.size > MOST_HEXES:
            raise BadHex("the sheets lie too far apart to be one map; look at their 'at'")
        self.low = 0 if drawing.low_columns == "even" else 1
        self.steps = (self._steps(0), self._steps(1))
        self.moves: Moves = (_moves(self.steps[0]), _moves(self.steps[1]))
        self.on_sheet = array("h", [-1]) * self.size
        self.origins: list[int] = []
        for number, (_, sheet) in enumerate(self.sheets):
            self._lay(number, sheet)

    def _steps(self, parity: int) -> tuple[int, ...]:
        """How far off the six neighbours of a hex are, in the order of the directions."""
        wide, down = self.width, parity == self.low
        east, west = (1, -1) if down else (1 - wide, -1 - wide)
        return (-wide, east, east + wide, wide, west + wide, west)

    def _lay(self, number: int, sheet: Sheet) -> None:
        column, row = sheet.at
        origin = (row + self.drop) * self.width + column + self.shift
        self.origins.append(origin)
        for down, letters in enumerate(rows_of(sheet.terrain)):
            start = origin + down * self.width
            for across, letter in enumerate(letters):
                if letter != NO_HEX and self.on_sheet[start + across] < 0:
                    self.on_sheet[start + across] = number

    # -------------------------------------------------------------------------------------- names

    def hexes(self) -> Iterator[int]:
        """Every hex of the map, row by row."""
        return (index for index, sheet in enumerate(self.on_sheet) if sheet >= 0)

    def label(self, index: int) -> str:
        """'9A:1506': the sheet and the number printed in the hex."""
        number = self.on_sheet[index]
        name, sheet = self.sheets[number]
        row, column = divmod(index, self.width)
        top, left = divmod(self.origins[number], self.width)
        return f"{name}:{column - left + int(sheet.first[:2]):02d}{row - top + int(sheet.first[2:]):02d}"

    def find(self, text: str) -> int:
        """The hex of a label, or BadHex in a sentence; with one sheet the number alone will do."""
        name, colon, digits = text.strip().partition(":")
        if not colon and len(self.sheets) == 1:
            name, digits = self.sheets[0][0], name
        if not (len(digits) == 4 and digits.isascii() and digits.isdigit()):
            raise BadHex(f"'{text}' is no hex; write the sheet and four digits, such as {self._example()}")
        for number, (known, sheet) in enumerate(self.sheets):
            if known.casefold() == name.casefold():
                return self._on(number, sheet, digits, text)
        raise BadHex(f"there is no sheet '{name}'; the sheets are {', '.join(name for name, _ in self.sheets)}")

    def _on(self, number: int, sheet: Sheet, digits: str, text: str) -> int:
        across, down = int(digits[:2]) - int(sheet.first[:2]), int(digits[2:]) - int(sheet.first[2:])
        rows = rows_of(sheet.terrain)
        if 0 <= down < len(rows) and 0 <= across < len(rows[down]) and rows[down][across] != NO_HEX:
            return self.origins[number] + down * self.width + across
        raise BadHex(f"there is no hex {text} on the map")

    def _example(self) -> str:
        return self.label(next(self.hexes()))

    # ------------------------------------------------------------------------ neighbours and distances

    def neighbours(self, index: int) -> list[int]:
        """The hexes next to one, clockwise from the north."""
        return [index + step for step in self.steps[index & 1] if self.on_sheet[index + step] >= 0]

    def direction(self, frm: int, to: int) -> int:
        """The side of a hex that a neighbour lies on, or ValueError when they do not touch."""
        return self.steps[frm & 1].index(to - frm)

    def axial(self, index: int) -> tuple[int, int]:
        """A hex as two slanted coordinates, in which straight lines are straight."""
        row, column = divmod(index, self.width)
        return column, row - (column + (self.low == 0)) // 2

    def distance(self, one: int, other: int) -> int:
        """The hexes from one to another, as the crow flies."""
        (q1, r1), (q2, r2) = self.axial(one), self.axial(other)
        across, along = q1 - q2, r1 - r2
        return max(abs(across), abs(along), abs(across + along))

    def straight(self, frm: int, to: int, free: bytes | bytearray) -> Iterator[int]:
        """The hexes of the straightest line between two, without the first; it keeps to the free ones while it can."""
        (q0, r0), (q1, r1) = self.axial(frm), self.axial(to)
        here, q, r = frm, q0, r0
        while here != to:
            far = max(abs(q - q1), abs(r - r1), abs(q - q1 + r - r1))
            nearer = []
            for step, (across, along) in zip(self.steps[here & 1], SLANTS, strict=True):
                q2, r2 = q + across, r + along
                if max(abs(q2 - q1), abs(r2 - r1), abs(q2 - q1 + r2 - r1)) < far:
                    # How far it lies beside the line comes after whether it is free.
                    astray = abs((q2 - q0) * (r1 - r0) - (r2 - r0) * (q1 - q0))
                    nearer.append((not free[here + step], astray, here + step, q2, r2))
            _, _, here, q, r = min(nearer)
            yield here


def _moves(steps: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """For each set of open sides, the steps through them."""
    return tuple(tuple(steps[side] for side in DIRECTIONS if sides >> side & 1) for sides in range(ALL_SIDES + 1))
