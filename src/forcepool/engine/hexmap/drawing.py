"""A map as its file draws it: rows of letters for the hexes, places by name, railways and roads by where they go."""

from msgspec import Struct

NO_HEX = "-"
"""The letter where a sheet has no hex."""
UNMARKED = "."
"""The letter of hexes that belong to no area, or to no side."""

CITY_CLASSES = ("town", "reference", "dot", "partial", "full")
"""What a settlement is, the smallest first."""
LINES = ("rail", "road", "river")
LOW_COLUMNS = ("even", "odd")


class Terrain(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A kind of terrain: its name, and whether it is water, which no line over land crosses."""

    name: str
    water: bool = False


USUAL_TERRAIN = {
    ".": Terrain("clear"),
    "w": Terrain("woods"),
    "f": Terrain("forest"),
    "r": Terrain("rough"),
    "m": Terrain("mountain"),
    "s": Terrain("swamp"),
    "d": Terrain("desert"),
    "~": Terrain("sea", water=True),
    "=": Terrain("lake", water=True),
}
"""The letters a map need not explain."""


class AreaOnMap(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a letter of the rows of areas stands for: an MD, a front, a theatre or a sea."""

    md: str = ""
    front: str = ""
    theatre: str = ""
    sea: str = ""

    def named(self) -> list[tuple[str, str]]:
        """Those of them that are given, by kind."""
        kinds = (("md", self.md), ("front", self.front), ("theatre", self.theatre), ("sea", self.sea))
        return [(kind, name) for kind, name in kinds if name]


class Sheet(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One numbered sheet: a row of letters for each row of hexes."""

    terrain: str
    areas: str = ""
    owners: str = ""
    at: tuple[int, int] = (0, 0)
    """The columns to its left and the rows above it on the whole map."""
    first: str = "0101"
    """The number of the hex in its upper left corner."""


class PlaceOnMap(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A named hex and what lies in it."""

    hex: str
    city: str = ""
    """One of the classes of settlement."""
    port: str = ""
    """'yes', or what kind of port it is."""
    airbase: int = 0
    """The capacity of its airbase."""


class Drawing(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The whole map."""

    sheets: dict[str, Sheet]
    map: str = ""
    """Its title."""
    illustrative: bool = False
    low_columns: str = "even"
    """The columns that sit half a hex lower than their neighbours."""
    terrain: dict[str, Terrain | str] = {}
    """What the letters of the sheets stand for, beside the usual ones; a bare word is a kind of land."""
    areas: dict[str, AreaOnMap] = {}
    owners: dict[str, str] = {}
    places: dict[str, PlaceOnMap] = {}
    lines: dict[str, tuple[str, ...]] = {}
    """Railways, roads and rivers, each as the places and hexes it joins: 'Minsk - Orsha - Smolensk'."""
    hexsides: tuple[str, ...] = ()
    """Pairs of neighbouring hexes between which nothing passes."""


def rows_of(text: str) -> list[str]:
    """The rows of letters of a sheet."""
    return text.rstrip("\n").split("\n") if text.strip() else []


def stops_of(line: str) -> list[str]:
    """The places and hexes a line joins, in order."""
    return [stop.strip() for stop in line.split(" - ")]
