"""What a scenario takes from its map: the areas, the named places, and what lies in them as the campaign begins."""

from collections.abc import Iterator, Mapping
from itertools import pairwise

from msgspec.structs import replace

from forcepool.engine.events import Value
from forcepool.engine.hexmap.drawing import AreaOnMap, Drawing
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.hexmap.reading import read_map, read_map_file
from forcepool.files.problems import Problem
from forcepool.files.yamltext import Document, Path
from forcepool.games.europa.atlas import Spot, area_on_map
from forcepool.games.europa.world import Area

TOWN = "town"
NO = "no"


def map_named(given: str | Drawing | None, document: Document, path: Path) -> Drawing | None:
    """The map a scenario draws itself, or the map file it names; BadFile with everything wrong in it."""
    if not given:
        return None
    return read_map_file(given, document, path) if isinstance(given, str) else read_map(document, path)


def add_areas(drawing: Drawing, areas: dict[str, Area]) -> None:
    """The MDs, fronts and theatres the map draws, each within the next; what the scenario says of them stands."""
    for on_map in drawing.areas.values():
        line = list(_line(on_map))
        for area in line:
            areas.setdefault(area, Area())
        for inner, outer in pairwise(line):
            if not areas[inner].within:
                areas[inner] = replace(areas[inner], within=outer)


def _line(on_map: AreaOnMap) -> Iterator[str]:
    for kind, name in on_map.named():
        if kind != "sea":
            yield f"{kind}/{name.casefold()}"


def add_spots(drawing: Drawing, spots: dict[str, Spot], document: Document, path: Path) -> tuple[HexMap, list[Problem]]:
    """The places of the map among the scenario's; where both know one, the scenario adds to what the map says."""
    hexes, problems = HexMap(drawing), []
    for name in drawing.places:
        spots.setdefault(name, Spot())
    folded: dict[str, str] = {}
    for name, spot in spots.items():
        where = drawing.places[name].hex if name in drawing.places else spot.hex
        if name.casefold() in folded:
            problems.append(document.problem((*path, name), f"'{name}' and '{folded[name.casefold()]}' are one place"))
        folded[name.casefold()] = name
        if not where:
            continue
        try:
            index = hexes.find(where)
            if spot.hex and hexes.find(spot.hex) != index:
                raise BadHex(f"the map has {name} in {where}, not in {spot.hex}")
            other = hexes.named.get(index, name)
            if other != name:
                raise BadHex(f"{where} is {other} already; give each place its own hex")
        except BadHex as error:
            problems.append(document.problem((*path, name), str(error)))
            continue
        hexes.name(name, index)
        spots[name] = Spot(area=spot.area or area_on_map(hexes, index), hex=hexes.grid.label(index))
    return hexes, problems


def drawn_facts(hexes: HexMap, spots: Mapping[str, Spot]) -> Iterator[tuple[str, str, Value]]:
    """What the map says of each named place: the place, the fact and its value."""
    for name, spot in sorted(spots.items()):
        if not spot.hex:
            continue
        index = hexes.find(spot.hex)
        if owner := hexes.owner_at(index):
            yield name, "owner", owner
        place = hexes.place(index)
        if place is None:
            continue
        if place.city:
            yield name, "town" if place.city == TOWN else "city", True
            yield name, "city_size", place.city
        if place.port and place.port != NO:
            yield name, "port", True
        if place.airbase:
            yield name, "airbase", True
            yield name, "airbase_capacity", place.airbase
