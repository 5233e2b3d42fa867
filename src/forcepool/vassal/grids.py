"""Where on a board a point lies: the number of the hex, the nearest region, the zone around it."""

import re
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from forcepool.vassal.markup import Element
from forcepool.vassal.pictures import Size
from forcepool.vassal.sequence import number

Point = tuple[int, int]
_DECIMAL = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,20})?")
HALF = Fraction(1, 2)
HEX_HEIGHT = Fraction(64)
HEX_WIDTH = Fraction("55.42562584220407")
"""What VASSAL takes where a module does not say."""
WIDTH_TO_HEIGHT = HEX_WIDTH / HEX_HEIGHT


@dataclass(frozen=True, slots=True)
class Place:
    """A point in words: the zone and the cell it lies in, as far as the board has them."""

    zone: str = ""
    cell: str = ""
    """The number of the hex, or the region."""
    board: str = ""
    """The board, on a map that has several: each may have a hex of that number."""

    def __bool__(self) -> bool:
        return bool(self.zone or self.cell)


NO_PLACE = Place()


@dataclass(frozen=True, slots=True)
class Numbering:
    """How the hexes or squares of a grid are numbered."""

    across_first: bool = True
    separator: str = ""
    letters: tuple[bool, bool] = (False, False)
    leading: tuple[int, int] = (1, 1)
    offsets: tuple[int, int] = (1, 1)
    descends: tuple[bool, bool] = (False, False)
    stagger: bool = True
    format: str = ""

    def name(self, column: int, row: int) -> str:
        parts = [self._part(0, column), self._part(1, row)]
        joined = self.separator.join(parts if self.across_first else reversed(parts))
        if not self.format:
            return joined
        return self.format.replace("$gridLocation$", joined).replace("$row$", parts[1]).replace("$column$", parts[0])

    def _part(self, which: int, value: int) -> str:
        value += self.offsets[which]
        sign, size = ("-" if value < 0 else ""), abs(value)
        if self.letters[which]:
            # VASSAL counts A … Z, AA, BB, … ZZ, AAA.
            return sign + chr(65 + size % 26) * min(size // 26 + 1, 20)
        return f"{sign}{size:0{min(self.leading[which], 9) + 1}d}"


@dataclass(frozen=True, slots=True)
class HexGrid:
    """Hexes in columns, or on their sides in rows."""

    width: Fraction
    height: Fraction
    origin: Point
    sideways: bool
    numbering: Numbering | None
    size: Size

    def place(self, at: Point) -> Place:
        if self.numbering is None:
            return NO_PLACE
        across, down = reversed(at) if self.sideways else at
        column = floor((across - self.origin[0]) / self.width + HALF)
        shift = self.height / 2 if column % 2 else 0
        row = floor((down - self.origin[1] - shift) / self.height + HALF)
        return Place(cell=self._name(column, row))

    def _name(self, column: int, row: int) -> str:
        told = self.numbering
        assert told is not None
        odd = column % 2 != 0
        # Rows of a grid on its side run from left to right, so what descends is the other one.
        columns_descend, rows_descend = reversed(told.descends) if self.sideways else told.descends
        if columns_descend:
            column = self._most(1 if self.sideways else 0) - column
        if rows_descend:
            row = self._most(0 if self.sideways else 1) - row
        if told.stagger and odd:
            row += -1 if rows_descend else 1
        return told.name(column, row)

    def _most(self, which: int) -> int:
        # As VASSAL has it: rows are counted by the width of a hex and columns by its height.
        return floor(self.size[which] / (self.width if which else self.height) + HALF)


@dataclass(frozen=True, slots=True)
class SquareGrid:
    """Squares or boxes of one size."""

    width: Fraction
    height: Fraction
    origin: Point
    numbering: Numbering | None
    size: Size

    def place(self, at: Point) -> Place:
        if self.numbering is None:
            return NO_PLACE
        column = floor((at[0] - self.origin[0]) / self.width + HALF)
        row = floor((at[1] - self.origin[1]) / self.height + HALF)
        if self.numbering.descends[0]:
            column = floor(self.size[0] / self.width + HALF) - column
        if self.numbering.descends[1]:
            row = floor(self.size[1] / self.height + HALF) - row
        return Place(cell=self.numbering.name(column, row))


@dataclass(frozen=True, slots=True)
class RegionGrid:
    """Named points: a counter is at the nearest."""

    regions: tuple[tuple[str, Point], ...]

    def place(self, at: Point) -> Place:
        if not self.regions:
            return NO_PLACE
        near = min(self.regions, key=lambda each: (each[1][0] - at[0]) ** 2 + (each[1][1] - at[1]) ** 2)
        return Place(cell=near[0])


@dataclass(frozen=True, slots=True)
class Zone:
    """A part of a board with a name: a box, a track, a country."""

    name: str
    path: tuple[Point, ...]
    grid: "Grid | None"
    parents_grid: bool

    def holds(self, at: Point) -> bool:
        inside, (x, y) = False, at
        for (x1, y1), (x2, y2) in zip(self.path, (*self.path[1:], *self.path[:1]), strict=True):
            if (y1 > y) != (y2 > y) and x < x1 + Fraction((x2 - x1) * (y - y1), y2 - y1):
                inside = not inside
        return inside


@dataclass(frozen=True, slots=True)
class ZonedGrid:
    """Zones, and a grid for what lies in none."""

    zones: tuple[Zone, ...]
    around: "Grid | None"

    def place(self, at: Point) -> Place:
        for zone in self.zones:
            if zone.holds(at):
                grid = self.around if zone.parents_grid else zone.grid
                return Place(zone.name, grid.place(at).cell if grid else "")
        return self.around.place(at) if self.around else NO_PLACE


Grid = HexGrid | SquareGrid | RegionGrid | ZonedGrid
MOST_INSIDE = 4
"""Grids in zones of grids; VASSAL has one such level."""


def read_grid(parent: Element, size: Size, depth: int = 0) -> Grid | None:
    """The grid of a board or a zone, if it has one."""
    for element in parent.children if depth < MOST_INSIDE else ():
        match element.kind:
            case "HexGrid":
                height = _decimal(element.get("dy"), HEX_HEIGHT)
                width = _decimal(element.get("dx"), height * WIDTH_TO_HEIGHT)
                origin = number(element.get("x0")), number(element.get("y0"), 32)
                sideways = element.get("sideways") == "true"
                return HexGrid(width, height, origin, sideways, _numbering(element), size)
            case "SquareGrid":
                width, height = (_decimal(element.get(name), Fraction(48)) for name in ("dx", "dy"))
                origin = number(element.get("x0"), 24), number(element.get("y0"), 24)
                return SquareGrid(width, height, origin, _numbering(element), size)
            case "RegionGrid":
                found = [each for each in element.children if each.kind == "Region"]
                return RegionGrid(
                    tuple(
                        (each.get("name"), (number(each.get("originx")), number(each.get("originy")))) for each in found
                    )
                )
            case "ZonedGrid":
                zones = (each for each in element.children if each.kind == "Zone")
                return ZonedGrid(tuple(_zone(each, size, depth) for each in zones), read_grid(element, size, depth + 1))
    return None


def _zone(element: Element, size: Size, depth: int) -> Zone:
    corners = [each.split(",") for each in element.get("path").split(";") if "," in each]
    path = tuple((number(each[0]), number(each[1])) for each in corners)
    own = element.get("useParentGrid") == "true"
    return Zone(element.get("name"), path, read_grid(element, size, depth + 1), own)


def _numbering(grid: Element) -> Numbering | None:
    told = next((each for each in grid.children if each.kind.endswith("GridNumbering")), None)
    if told is None:
        return None
    return Numbering(
        across_first=not told.get("first", "H").startswith("V"),
        separator=told.get("sep"),
        letters=(told.get("hType", "N").startswith("A"), told.get("vType", "N").startswith("A")),
        leading=(number(told.get("hLeading"), 1), number(told.get("vLeading"), 1)),
        offsets=(number(told.get("hOff"), 1), number(told.get("vOff"), 1)),
        descends=(told.get("hDescend") == "true", told.get("vDescend") == "true"),
        stagger=told.get("stagger", "true") == "true",
        format=told.get("locationFormat", ""),
    )


def _decimal(text: str, otherwise: Fraction) -> Fraction:
    found = Fraction(text) if _DECIMAL.fullmatch(text) else otherwise
    return found if found > 0 else otherwise
