"""The map made ready for searching: terrain, areas, owners, railways and roads by hex."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from forcepool.engine.hexmap.drawing import (
    NO_HEX,
    UNMARKED,
    USUAL_TERRAIN,
    AreaOnMap,
    Drawing,
    PlaceOnMap,
    Terrain,
    rows_of,
    stops_of,
)
from forcepool.engine.hexmap.grid import ALL_SIDES, DIRECTIONS, BadHex, Grid, opposite

NOWHERE = AreaOnMap()


class Stop(Struct, frozen=True):
    """A step of a railway, road or river that cannot be drawn: where it is named, and why not."""

    kind: str
    line: int
    why: str


class HexMap:
    """One map: what its file draws, by hex."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self.grid = grid = Grid(drawing)
        given = {letter: Terrain(kind) if isinstance(kind, str) else kind for letter, kind in drawing.terrain.items()}
        self.letters = {**USUAL_TERRAIN, **given}
        self.terrain = self._laid("terrain", NO_HEX)
        self.areas = self._laid("areas", UNMARKED)
        self.owners = self._laid("owners", UNMARKED)
        self.hexes = list(grid.hexes())
        water = bytes(letter in self._waters() for letter in range(256))
        self.on_map = bytearray(sheet >= 0 for sheet in grid.on_sheet)
        self.land = bytearray(
            there and not wet for there, wet in zip(self.on_map, self.terrain.translate(water), strict=True)
        )
        """1 for every hex one can walk into."""
        self.places: dict[str, int] = {}
        self.named: dict[int, str] = {}
        self._found: dict[str, int] = {}
        """Names and labels that were looked up before."""
        for name, place in drawing.places.items():
            self.name(name, self.grid.find(place.hex))
        self.faults: list[Stop] = []
        self.lines = {kind: self._drawn(kind) for kind in ("rail", "road", "river")}
        """For each hex, the sides that a railway, road or river crosses."""
        self.beside: dict[int, tuple[int, ...]] = {}
        """The land hexes one can step into from a hex, noted when first asked for."""
        self.passable = self._passable()
        """For each hex, the sides that can be crossed at all."""

    # ------------------------------------------------------------------------------------ what is where

    def _laid(self, layer: str, blank: str) -> bytearray:
        """One layer of letters of all sheets; where two sheets show the same hex, the first by name counts."""
        found = bytearray(blank.encode()) * self.grid.size
        for number, (_, sheet) in reversed(list(enumerate(self.grid.sheets))):
            for down, row in enumerate(rows_of(getattr(sheet, layer))):
                start = self.grid.origins[number] + down * self.grid.width
                letters = row.encode("ascii")
                if NO_HEX in row:
                    under = found[start : start + len(letters)]
                    no_hex = ord(NO_HEX)
                    letters = bytes(b if a == no_hex else a for a, b in zip(letters, under, strict=True))
                found[start : start + len(letters)] = letters
        return found

    def _waters(self) -> set[int]:
        return {ord(letter) for letter, terrain in self.letters.items() if terrain.water}

    def name(self, name: str, index: int) -> None:
        """Call a hex by a name; the first name a hex is given is the one it is shown by."""
        self.places[name.casefold()] = index
        self._found.clear()
        self.named.setdefault(index, name)

    def find(self, text: str) -> int:
        """The hex of a place's name or a label, or BadHex."""
        found = self._found.get(text)
        if found is None:
            found = self.places.get(text.strip().casefold())
            found = self._found[text] = self.grid.find(text) if found is None else found
        return found

    def called(self, index: int) -> str:
        """The name of the place in a hex, else its label."""
        return self.named.get(index) or self.grid.label(index)

    def place(self, index: int) -> PlaceOnMap | None:
        """What the map draws in a named hex."""
        name = self.named.get(index)
        return self.drawing.places.get(name) if name is not None else None

    def terrain_at(self, index: int) -> Terrain:
        return self.letters[chr(self.terrain[index])]

    def area_at(self, index: int) -> AreaOnMap:
        return self.drawing.areas.get(chr(self.areas[index]), NOWHERE)

    def owner_at(self, index: int) -> str:
        """The side that owns a hex as the campaign begins."""
        return self.drawing.owners.get(chr(self.owners[index]), "")

    def has(self, kind: str, index: int) -> bool:
        """Whether a railway, road or river touches a hex."""
        return bool(self.lines[kind][index])

    def edges(self, index: int) -> list[str]:
        """The edges of its sheet that a hex lies on, where no other sheet goes on: '24A north'."""
        wide, on_map = self.grid.width, self.on_map
        if on_map[index - wide] and on_map[index + 1] and on_map[index + wide] and on_map[index - 1]:
            return []
        number = self.grid.on_sheet[index]
        name, sheet = self.grid.sheets[number]
        down, across = divmod(index - self.grid.origins[number], wide)
        rows = rows_of(sheet.terrain)
        outermost = {
            "north": (down == 0, index - wide),
            "east": (across == len(rows[down]) - 1, index + 1),
            "south": (down == len(rows) - 1, index + wide),
            "west": (across == 0, index - 1),
        }
        return [f"{name} {side}" for side, (last, beyond) in outermost.items() if last and not on_map[beyond]]

    # ------------------------------------------------------------------------------ lines and hexsides

    def _drawn(self, kind: str) -> bytearray:
        sides = bytearray(self.grid.size)
        for number, text in enumerate(self.drawing.lines.get(kind, ())):
            try:
                for one, other in self._steps(stops_of(text), dry=kind != "river"):
                    side = self.grid.direction(one, other)
                    sides[one] |= 1 << side
                    sides[other] |= 1 << opposite(side)
            except BadHex as error:
                self.faults.append(Stop(kind, number, str(error)))
        return sides

    def _steps(self, stops: list[str], *, dry: bool) -> Iterator[tuple[int, int]]:
        """The pairs of neighbours a line goes through."""
        here = self.find(stops[0])
        for frm, to in pairwise(stops):
            for hex_ in self.grid.straight(here, self.find(to), self.land if dry else self.on_map):
                if not self.on_map[hex_]:
                    raise BadHex(f"from {frm} to {to} it leaves the map; name a hex in between")
                if dry and not self.land[hex_]:
                    wet = f"{self.terrain_at(hex_).name} at {self.grid.label(hex_)}"
                    raise BadHex(f"from {frm} to {to} it crosses {wet}; name a hex in between")
                yield here, hex_
                here = hex_

    def _passable(self) -> bytearray:
        sides = bytearray((ALL_SIDES,)) * self.grid.size
        for number, text in enumerate(self.drawing.hexsides):
            try:
                one, other = (self.find(stop) for stop in stops_of(text))
                side = self.grid.direction(one, other)
            except BadHex as error:
                self.faults.append(Stop("hexsides", number, str(error)))
            except ValueError:
                self.faults.append(Stop("hexsides", number, f"'{text}' is not two hexes that touch"))
            else:
                sides[one] &= ~(1 << side)
                sides[other] &= ~(1 << opposite(side))
        for kind in ("rail", "road"):
            # A bridge or a strait crossing that the map draws carries its railway or road.
            drawn = self.lines[kind]
            for index in self.hexes if any(drawn) else ():
                sides[index] |= drawn[index]
        return sides

    def sides(self, index: int) -> list[int]:
        """The neighbours one can cross into from a hex, water or not."""
        crossed = self.passable[index]
        steps = self.grid.steps[index & 1]
        return [
            index + steps[side]
            for side in DIRECTIONS
            if crossed >> side & 1 and self.grid.on_sheet[index + steps[side]] >= 0
        ]
