"""Draws the map of the demonstration scenario, and its places, from a table of true coordinates.

Latitude and longitude are laid out by Lambert's conformal conic projection, with standard parallels at 46° and 62°
north and the meridian 38° east in the middle, then on hexes of 16 miles. Coasts are drawn with a broad brush, an MD
reaches half-way to the cities of the next: it is a map to show rules on, illustrative, and that of no published game.

    python -m tools.east1941.geography           writes the map and the places of the scenario
    python -m tools.east1941.geography --check   says whether they are as this would write them
"""

import csv
import sys
from collections.abc import Iterator
from math import atan, atan2, cos, degrees, hypot, log, pi, radians, sin, sqrt, tan
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
SCENARIOS = HERE.parent.parent / "src" / "forcepool" / "scenarios"
MAP, SCENARIO = SCENARIOS / "east-1941.map", SCENARIOS / "east-1941.yaml"
BEGIN, END = "# places, as tools/east1941/geography.py writes them\n", "# end of the places\n"

EARTH = 6371.0
KM = 16 * 1.609344
"""From the middle of a hex to the middle of the next: 16 miles."""
PARALLELS, MIDDLE = (46.0, 62.0), (54.0, 38.0)
MARGIN = 4
SHEETS = (2, 2)
"""Sheets side by side, and one above the other."""

# The district of a city says in which front and theatre it lies, and who owns it when the war begins.
DISTRICTS = {
    "Leningrad": ("L", "North", "Soviet"),
    "Baltic": ("B", "North", "Soviet"),
    "Western": ("W", "Centre", "Soviet"),
    "Moscow": ("M", "Centre", "Soviet"),
    "Orel": ("O", "Centre", "Soviet"),
    "Kiev": ("K", "South", "Soviet"),
    "Odessa": ("D", "South", "Soviet"),
    "Kharkov": ("H", "South", "Soviet"),
    "Arkhangelsk": ("A", "", "Soviet"),
    "Volga": ("V", "", "Soviet"),
    "North-Caucasus": ("N", "", "Soviet"),
    "Transcaucasus": ("T", "", "Soviet"),
    "Urals": ("U", "", "Soviet"),
    "Wehrkreis-I": ("e", "North", "Axis"),
    "General-Government": ("g", "Centre", "Axis"),
    "Lublin-Cracow": ("l", "South", "Axis"),
    "Rumania": ("r", "South", "Axis"),
    "Hungary": ("h", "South", "Axis"),
    "Slovakia": ("s", "South", "Axis"),
    "Finland": ("f", "Lapland", "Axis"),
}

# ------------------------------------------------------------------------------------ coasts, marshes, mountains

Ring = tuple[tuple[float, float], ...]
"""Corners of an outline, in degrees north and east."""

BALTIC: Ring = (
    *((54.40, 18.80), (54.50, 19.70), (54.95, 20.00), (54.95, 20.60), (55.30, 20.95), (55.70, 21.02)),
    *((56.50, 20.95), (57.00, 21.35), (57.55, 21.60), (57.75, 22.60), (57.25, 23.15), (57.10, 23.60)),
    *((57.15, 24.15), (57.60, 24.30), (58.25, 24.35), (58.55, 23.70), (59.00, 23.40), (59.35, 24.00)),
    *((59.60, 24.70), (59.65, 25.80), (59.55, 27.00), (59.60, 28.00), (59.80, 28.60), (60.00, 29.60)),
    *((60.15, 29.50), (60.40, 28.50), (60.45, 27.50), (60.30, 26.20), (60.02, 25.00), (59.85, 23.30)),
    *((60.10, 22.10), (60.45, 21.60), (60.90, 21.30), (61.50, 21.50), (62.50, 21.20), (63.20, 21.80)),
    *((64.00, 23.50), (64.80, 24.50), (65.05, 25.00), (65.70, 24.70), (65.80, 24.10), (65.70, 22.50)),
    *((65.00, 21.50), (64.00, 20.80), (63.20, 19.00), (62.00, 17.50), (60.60, 17.30), (59.50, 19.00)),
    *((58.50, 17.50), (56.50, 16.50), (54.60, 17.00)),
)
NORTHERN: Ring = (
    *((66.95, 33.00), (66.55, 33.60), (66.00, 34.70), (65.00, 34.90), (64.40, 34.90), (63.95, 37.00)),
    *((64.00, 38.00), (64.60, 37.60), (65.10, 38.50), (64.80, 40.10), (65.40, 39.80), (66.10, 41.00)),
    *((66.50, 42.00), (66.20, 43.50), (67.00, 44.20), (68.20, 44.00), (68.60, 43.30), (68.00, 46.50)),
    *((67.00, 46.50), (68.50, 50.00), (68.30, 54.00), (68.80, 57.00), (68.80, 60.50), (69.50, 61.00)),
    *((69.50, 67.00), (73.00, 67.00), (73.00, 25.00), (70.80, 28.00), (69.90, 31.00), (69.45, 33.00)),
    *((69.20, 35.50), (68.00, 39.50), (67.20, 41.00), (66.40, 40.60), (66.20, 38.50), (66.65, 35.00)),
)
BLACK: Ring = (
    *((44.10, 28.95), (45.00, 29.75), (45.60, 29.85), (46.00, 30.50), (46.35, 30.95), (46.50, 31.40)),
    *((46.45, 31.90), (46.10, 32.30), (46.00, 33.30), (45.30, 32.60), (45.10, 33.40), (44.65, 33.30)),
    *((44.30, 33.80), (44.60, 34.50), (44.95, 35.30), (44.95, 36.40), (44.90, 37.10), (44.55, 37.70)),
    *((44.20, 38.60), (43.50, 39.80), (42.90, 41.00), (42.20, 41.50), (41.65, 41.35), (41.20, 40.80)),
    *((41.00, 39.50), (41.10, 37.50), (41.50, 36.20), (42.00, 35.00), (41.90, 33.00), (41.30, 31.30)),
    *((41.20, 29.20), (42.00, 28.00), (42.60, 27.60), (43.30, 28.10)),
)
AZOV: Ring = (
    *((45.50, 36.55), (45.55, 35.20), (46.10, 34.95), (46.40, 35.40), (46.70, 36.70), (46.92, 37.50)),
    *((47.05, 38.50), (47.05, 39.10), (46.80, 38.40), (46.40, 38.00), (46.00, 37.85), (45.60, 37.50)),
)
CASPIAN: Ring = (
    *((45.90, 48.30), (46.40, 49.70), (46.90, 51.00), (46.70, 53.00), (45.20, 52.80), (44.60, 50.40)),
    *((43.20, 51.30), (42.00, 52.50), (40.50, 52.90), (39.50, 53.30), (37.00, 54.00), (37.00, 50.00)),
    *((38.50, 49.00), (39.30, 49.50), (40.10, 50.10), (40.60, 50.50), (41.20, 49.25), (42.20, 48.20)),
    *((43.00, 47.60), (44.00, 47.50), (45.00, 47.20)),
)
LADOGA: Ring = ((60.05, 31.05), (60.05, 32.00), (60.60, 32.75), (61.25, 32.65), (61.50, 31.40), (61.10, 30.10))
ONEGA: Ring = ((61.05, 35.60), (61.75, 34.95), (62.50, 35.10), (62.60, 35.80), (61.60, 36.30), (60.95, 36.10))
PEIPUS: Ring = ((58.00, 27.60), (58.95, 27.20), (58.90, 27.80), (58.10, 27.85))
PRIPET: Ring = ((51.35, 25.10), (52.60, 24.90), (52.85, 27.50), (52.40, 29.70), (51.40, 29.50), (51.10, 27.00))
CARPATHIANS: Ring = (
    *((49.40, 20.00), (49.30, 22.30), (48.70, 24.20), (47.60, 25.60), (46.20, 26.50), (45.50, 26.30)),
    *((45.30, 24.50), (45.70, 25.80), (47.20, 25.10), (48.30, 23.60), (48.90, 21.90), (49.00, 20.20)),
)
CAUCASUS: Ring = (
    *((44.10, 39.30), (43.60, 41.50), (43.00, 44.00), (42.20, 46.50), (41.20, 48.50), (41.60, 46.70)),
    *((42.40, 44.20), (42.90, 41.80), (43.50, 40.00)),
)
URALS: Ring = ((60.50, 58.70), (66.00, 61.00), (66.00, 63.00), (60.50, 60.00), (55.00, 59.50), (55.00, 58.00))
TAIGA: Ring = ((57.50, 30.00), (60.20, 27.00), (66.50, 27.00), (66.50, 60.00), (57.50, 56.00), (56.80, 44.00))
BRYANSK_WOODS: Ring = ((52.40, 33.60), (54.00, 33.50), (54.10, 35.00), (52.50, 34.70))

NOT_IN_PLAY: tuple[Ring, ...] = (
    # Sweden and Norway, the Balkans, Turkey, Persia, and the steppe beyond the Caspian.
    ((59.00, 0.00), (59.00, 18.50), (66.00, 20.00), (75.00, 20.00), (75.00, 0.00)),
    ((43.60, 15.00), (43.60, 28.60), (41.40, 31.00), (41.40, 40.50), (39.50, 43.80), (30.00, 43.80), (30.00, 15.00)),
    (
        *((54.00, 12.00), (56.50, 16.60), (58.50, 17.60), (60.60, 17.40), (63.20, 19.10), (64.00, 20.90)),
        *((65.65, 22.60), (65.85, 24.10), (68.50, 23.40), (69.00, 28.50), (69.70, 30.80), (73.00, 31.00)),
        (73.00, 5.00),
    ),
    ((44.60, 21.50), (43.70, 24.50), (44.00, 27.00), (43.75, 28.70), (41.00, 29.00), (36.00, 29.00), (36.00, 15.00)),
    ((46.00, 15.00), (45.80, 20.50), (44.60, 21.50), (40.00, 15.00)),
    ((41.20, 28.50), (42.10, 33.00), (41.00, 39.50), (41.50, 41.60), (41.10, 43.50), (39.70, 44.60), (35.00, 44.60)),
    ((39.80, 44.60), (38.80, 46.50), (39.60, 48.20), (38.40, 48.90), (35.00, 52.00), (35.00, 44.00)),
    ((50.80, 51.50), (50.80, 56.00), (52.00, 62.00), (52.00, 70.00), (35.00, 70.00), (35.00, 52.00), (46.80, 50.80)),
)
TERRAIN: tuple[tuple[str, Ring], ...] = (
    *(("~", ring) for ring in (BALTIC, NORTHERN, BLACK, AZOV, CASPIAN)),
    *(("=", ring) for ring in (LADOGA, ONEGA, PEIPUS)),
    ("s", PRIPET),
    *(("m", ring) for ring in (CARPATHIANS, CAUCASUS)),
    ("r", URALS),
    ("f", BRYANSK_WOODS),
    ("w", TAIGA),
)
WATER = "~="


def inside(ring: Ring, north: float, east: float) -> bool:
    """Whether a point lies within an outline: a ray from it crosses the outline an odd number of times."""
    found = False
    for (a, b), (c, d) in zip(ring, (*ring[1:], ring[0]), strict=True):
        if (a > north) != (c > north) and east < (d - b) * (north - a) / (c - a) + b:
            found = not found
    return found


# ---------------------------------------------------------------------------------------------- the projection


class Cone(NamedTuple):
    """The constants of the projection."""

    n: float
    f: float
    middle: float


def _t(north: float) -> float:
    return tan(pi / 4 + radians(north) / 2)


def _cone() -> Cone:
    first, second = PARALLELS
    n = log(cos(radians(first)) / cos(radians(second))) / log(_t(second) / _t(first))
    f = cos(radians(first)) * _t(first) ** n / n
    return Cone(n, f, EARTH * f / _t(MIDDLE[0]) ** n)


CONE = _cone()


def project(north: float, east: float) -> tuple[float, float]:
    """Kilometres east and south of the middle of the map."""
    rho = EARTH * CONE.f / _t(north) ** CONE.n
    theta = CONE.n * radians(east - MIDDLE[1])
    return rho * sin(theta), rho * cos(theta) - CONE.middle


def unproject(x: float, y: float) -> tuple[float, float]:
    """Degrees north and east of a point on the map: the projection turned round."""
    rho, theta = hypot(x, y + CONE.middle), atan2(x, y + CONE.middle)
    north = 2 * atan((EARTH * CONE.f / rho) ** (1 / CONE.n)) - pi / 2
    return degrees(north), MIDDLE[1] + degrees(theta) / CONE.n


# --------------------------------------------------------------------------------------------------- the grid


class City(NamedTuple):
    """A line of the table."""

    name: str
    at: tuple[float, float] | None
    md: str
    size: str
    owner: str
    also: dict[str, str]


def cities() -> list[City]:
    """The table, in its order."""
    lines = [line for line in (HERE / "cities.csv").read_text("utf-8").splitlines() if line and line[0] != "#"]
    found = []
    for name, north, east, md, size, owner, also in csv.reader(lines):
        words = dict([*word.split(":"), ""][:2] for word in also.split())
        found.append(City(name, (float(north), float(east)) if north else None, md, size, owner, words))
    return found


class Grid(NamedTuple):
    """Where the upper left corner lies, and how many hexes there are each way."""

    left: float
    top: float
    columns: int
    rows: int

    def centre(self, column: int, row: int) -> tuple[float, float]:
        """The middle of a hex, counted from 0; every second column sits half a hex lower."""
        return self.left + column * KM * sqrt(3) / 2, self.top + (row + column % 2 / 2) * KM

    def hex_at(self, north: float, east: float) -> tuple[int, int]:
        """The hex whose middle is nearest."""
        x, y = project(north, east)
        column, row = round((x - self.left) / (KM * sqrt(3) / 2)), round((y - self.top) / KM)
        near = [(c, r) for c in (column - 1, column, column + 1) for r in (row - 1, row, row + 1)]
        return min(near, key=lambda each: hypot(self.centre(*each)[0] - x, self.centre(*each)[1] - y))

    def sheet_size(self) -> tuple[int, int]:
        return -(-self.columns // SHEETS[0]), -(-self.rows // SHEETS[1])

    def name(self, column: int, row: int) -> str:
        """'3:1204': the sheet, the column and the row on it, counted from 1."""
        width, height = self.sheet_size()
        sheet = row // height * SHEETS[0] + column // width + 1
        return f"{sheet}:{column % width + 1:02}{row % height + 1:02}"


def grid(table: list[City]) -> Grid:
    """A grid that holds all cities, with a margin around them."""
    points = [project(*city.at) for city in table if city.at]
    left, top = min(x for x, _ in points) - MARGIN * KM, min(y for _, y in points) - MARGIN * KM
    width, height = max(x for x, _ in points) - left, max(y for _, y in points) - top
    return Grid(left, top, round(width / (KM * sqrt(3) / 2)) + MARGIN, round(height / KM) + MARGIN)


def drawn(table: list[City], on: Grid) -> tuple[list[str], list[str], list[str]]:
    """The rows of terrain, areas and owners of the whole map; the hex of a city is always land."""
    held = {on.hex_at(*city.at): city for city in table if city.at}
    at = [(on.centre(*place), city) for place, city in held.items()]
    terrain, areas, owners = [], [], []
    for row in range(on.rows):
        cells = [_cell(on, column, row, held.get((column, row)), at) for column in range(on.columns)]
        terrain.append("".join(cell[0] for cell in cells))
        areas.append("".join(cell[1] for cell in cells))
        owners.append("".join(cell[2] for cell in cells))
    return terrain, areas, owners


def surroundings(table: list[City], on: Grid) -> dict[str, list[str]]:
    """The hexes that fall with each place: those of land that lie nearer to it than to any other."""
    at = [(on.centre(*on.hex_at(*city.at)), city.name) for city in table if city.at]
    terrain, *_ = drawn(table, on)
    found: dict[str, list[str]] = {name: [] for _, name in at}
    for row, letters in enumerate(terrain):
        for column, letter in enumerate(letters):
            if letter not in f"{WATER}-":
                x, y = on.centre(column, row)
                nearest = min(at, key=lambda each: hypot(each[0][0] - x, each[0][1] - y))[1]
                found[nearest].append(on.name(column, row))
    return found


def _cell(
    on: Grid, column: int, row: int, city: City | None, at: list[tuple[tuple[float, float], City]]
) -> tuple[str, str, str]:
    x, y = on.centre(column, row)
    north, east = unproject(x, y)
    ground = next((letter for letter, ring in TERRAIN if inside(ring, north, east)), ".")
    if city is None and ground not in WATER and any(inside(ring, north, east) for ring in NOT_IN_PLAY):
        return "-", ".", "."
    if city is not None and ground in WATER:
        ground = "."
    if ground in WATER:
        return ground, ".", "."
    nearest = city or min(at, key=lambda each: hypot(each[0][0] - x, each[0][1] - y))[1]
    letter, _, owner = DISTRICTS[nearest.md]
    return ground, letter, owner[0].lower()


# --------------------------------------------------------------------------------------------------- the files


def map_text(table: list[City], on: Grid) -> str:
    """The map file."""
    return "\n".join(
        [
            "# The East in 1941, ILLUSTRATIVE: cities at their true places, coasts and borders with a broad brush.",
            "# Written by tools/east1941/geography.py from cities.csv and railways.txt; change those, not this.",
            "map: The East, 1941",
            "illustrative: yes",
            "low_columns: even",
            "",
            "areas:",
            *(_area(md) for md in DISTRICTS),
            "owners: {a: Axis, s: Soviet}",
            "",
            "sheets:",
            *_sheets(table, on),
            "",
            "places:",
            *(_on_the_map(city, on) for city in table if city.at),
            "",
            "lines:",
            "  rail:",
            *(f"    - {line}" for line in railways()),
            "",
        ]
    )


def railways() -> list[str]:
    lines = (HERE / "railways.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


def _area(md: str) -> str:
    letter, front, _ = DISTRICTS[md]
    return f"  {letter}: {{md: {md}{f', front: {front}' if front else ''}, theatre: East}}"


def _sheets(table: list[City], on: Grid) -> Iterator[str]:
    width, height = on.sheet_size()
    layers = dict(zip(("terrain", "areas", "owners"), drawn(table, on), strict=True))
    for down in range(SHEETS[1]):
        for across in range(SHEETS[0]):
            yield f'  "{down * SHEETS[0] + across + 1}":'
            yield f"    at: [{across * width}, {down * height}]"
            for layer, rows in layers.items():
                yield f"    {layer}: |"
                for row in rows[down * height : (down + 1) * height]:
                    yield f"      {row[across * width : (across + 1) * width]}"


def _on_the_map(city: City, on: Grid) -> str:
    assert city.at is not None
    size = "reference" if city.size == "fortress" else city.size
    words = [f"hex: {on.name(*on.hex_at(*city.at))}", f"city: {size}"]
    words += ["port: yes"] if "port" in city.also else []
    words += [f"airbase: {city.also['airbase']}"] if "airbase" in city.also else []
    return f"  {city.name}: {{{', '.join(words)}}}"


def places_text(table: list[City]) -> str:
    """What the scenario says of places beyond the map: sources, depots, factories, and those that lie off the map."""
    lines = [f"  {city.name}: {{{', '.join(words)}}}" for city in table if (words := list(_beyond_the_map(city)))]
    return "\n".join([f"{BEGIN}places:", *lines, END])


def _beyond_the_map(city: City) -> Iterator[str]:
    if city.at is None:
        yield f"md: {city.md}, city: yes, city_size: {city.size}, owner: {city.owner}"
        if "airbase" in city.also:
            yield f"airbase: yes, airbase_capacity: {city.also['airbase']}"
    elif city.size == "fortress":
        yield "city_size: fortress"
    nations = {"": "Soviet", **{word: word for word in city.also.values() if word and not word.isdigit()}}
    for word, fact in (("replacement", "replacement_city"), ("capital", "capital")):
        if word in city.also:
            yield f"{fact}: {nations[city.also[word]]}"
    if "depot" in city.also:
        yield f"depot: yes, depot_of: {nations[city.also['depot']]}"
    if "source" in city.also:
        yield f"supply_source: {city.owner}"
    if "factories" in city.also:
        yield f"factories: {city.also['factories']}, producing: yes"


def with_places(scenario: str, places: str) -> str:
    """The scenario with its places written anew."""
    before, begin, rest = scenario.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{SCENARIO.name}: the lines around the places are gone; put them back:\n{BEGIN}{END}")
    return before + places + after


def main() -> None:
    table = cities()
    on = grid(table)
    held: dict[tuple[int, int], str] = {}
    for city in table:
        if city.at and (other := held.setdefault(on.hex_at(*city.at), city.name)) != city.name:
            raise SystemExit(f"{city.name} and {other} share a hex; leave one of them out of cities.csv")
    wanted = {MAP: map_text(table, on), SCENARIO: with_places(SCENARIO.read_text("utf-8"), places_text(table))}
    for path, text in wanted.items():
        if "--check" in sys.argv:
            if not path.is_file() or path.read_text("utf-8") != text:
                raise SystemExit(f"{path.name} is not what cities.csv gives; run make demo-map")
        else:
            path.write_text(text, "utf-8", newline="\n")
    print(f"{sum(bool(city.at) for city in table)} places on {on.columns} by {on.rows} hexes")


if __name__ == "__main__":
    main()
