"""51.B  The places an entry of the order of battle speaks of, as areas and hexes of the campaign."""

from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry, PlaceSpec


def spec_of_place(entry: Entry) -> PlaceSpec | None:
    """Where an entry happens: its own place, else the theatre or front it stands under; of a FORMING BOX its MD."""
    if entry.place is not None and entry.place.kind == "box" and entry.place.names == ("forming",):
        return entry.place.inside or entry.section
    return entry.place or entry.section


def areas_of(world: EuropaWorld, place: PlaceSpec | None) -> tuple[str, ...]:
    """The MDs, fronts or theatres a place speaks of, by the names of the pools."""
    if place is None:
        return ()
    if place.kind in ("md", "multi_md"):
        return tuple(f"md/{name.casefold()}" for name in place.names)
    if place.kind in ("theatre", "command", "front"):
        return tuple(f"{place.kind}/{name.casefold()}" for name in place.names)
    if place.kind == "country":
        return of_countries(world, place.names)
    if place.kind == "area":
        return (*_called(world, place.names), *of_countries(world, place.names))
    return areas_of(world, place.inside)


def _called(world: EuropaWorld, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(area for name in names for area in world.areas if area.partition("/")[2] == name.casefold())


def is_within(world: EuropaWorld, area: str, names: tuple[str, ...]) -> bool:
    """Whether an area lies in a country, the nearest around it being its own, or in an area of that name."""
    return area in of_countries(world, names) or any(each in _called(world, names) for each in world.line_of(area))


def of_countries(world: EuropaWorld, names: tuple[str, ...]) -> tuple[str, ...]:
    folded = [name.casefold() for name in names]
    return tuple(area for area in sorted(world.areas) if world.country_of(area).casefold() in folded)


def lies_in(world: EuropaWorld, hex_name: str, place: PlaceSpec | None) -> bool:
    """Whether a hex lies in a place and in all that is around it; nobody is asked where the scenario does not say."""
    around, areas = world.spot(hex_name).area, areas_of(world, place)
    outside = place is not None and areas and around and not _holds(world, place, areas, around)
    return not outside and (place is None or place.inside is None or lies_in(world, hex_name, place.inside))


def _holds(world: EuropaWorld, place: PlaceSpec, areas: tuple[str, ...], around: str) -> bool:
    if place.kind in ("country", "area"):
        return is_within(world, around, place.names)
    return any(area in areas for area in world.line_of(around))
