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

from tools.east1941.coasts import NOT_IN_PLAY, TERRAIN, WATER, inside

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
    "Karelia": ("k", "Lapland", "Soviet"),
    "Baltic": ("B", "North", "Soviet"),
    "Western": ("W", "Centre", "Soviet"),
    "Moscow": ("M", "Centre", "Soviet"),
    "Orel": ("O", "Centre", "Soviet"),
    "Kiev": ("K", "South", "Soviet"),
    "Odessa": ("D", "South", "Soviet"),
    "Kharkov": ("H", "South", "Soviet"),
    "Arkhangelsk": ("A", "", "Soviet"),
    "Volga": ("V", "", "Soviet"),
    "North-Caucasus": ("N", "South", "Soviet"),
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
            "# Written by tools/east1941/geography.py from cities.csv, railways.txt and rivers.txt: change those.",
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
            "  # Illustrative, drawn only: see rivers.txt.",
            "  river:",
            *(f"    - {line}" for line in rivers(on)),
            "",
        ]
    )


def railways() -> list[str]:
    lines = (HERE / "railways.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and line[0] != "#"]


def rivers(on: Grid) -> list[str]:
    """Each river by the hexes it runs through, as far as they are on the map."""
    lines = (HERE / "rivers.txt").read_text("utf-8").splitlines()
    found = []
    for line in lines:
        if line and line[0] != "#":
            points = (point.split() for point in line.partition(": ")[2].split(", "))
            hexes = (on.hex_at(float(north), float(east)) for north, east in points)
            on_it = [on.name(*each) for each in hexes if 0 <= each[0] < on.columns and 0 <= each[1] < on.rows]
            found.append(" - ".join(dict.fromkeys(on_it)))
    return [each for each in found if " - " in each]


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
