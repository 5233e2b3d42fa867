"""51.B  The places an entry of the order of battle speaks of, as areas and hexes of the campaign."""

from collections.abc import Container

from forcepool.engine.facts import kept
from forcepool.engine.sentence import the_places, the_pools
from forcepool.engine.state import State
from forcepool.games.europa.facts import EuropaFacts
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


# ------------------------------------------------------------------------------------- places the enemy holds


@kept
def owned_cities(world: EuropaWorld, facts: EuropaFacts, area: str, side: str) -> tuple[list[str], list[str]]:
    """The cities of an area, and those of them that a side owns."""
    cities = [name for name, spot in world.spots.items() if area in world.line_of(spot.area) and facts.is_city(name)]
    return cities, [name for name in cities if facts.owner(name) in ("", side)]


def is_lost(world: EuropaWorld, state: State, area: str, side: str, taken: Container[str] = ()) -> bool:
    """Whether a side has lost every city of an area, those just taken too; one with no known city is not lost."""
    cities, owned = owned_cities(world, world.facts(state), area, side)
    return bool(cities) and all(name in taken for name in owned)


def places_lost(world: EuropaWorld, state: State, place: PlaceSpec | None, side: str) -> str:
    """The cities or areas of a place, where all of them are the enemy's; empty if one is not."""
    if place is None:
        return ""
    if place.kind == "city":
        facts, cities = world.facts(state), [world.hex_name(name) for name in place.names]
        taken = all(facts.owner(name) not in ("", side) for name in cities)
        return f"{the_places(cities, ' and ')} {'is' if len(cities) == 1 else 'are'} the enemy's" if taken else ""
    areas = [area for area in areas_of(world, place) if area in world.areas]
    if areas and all(is_lost(world, state, area, side) for area in areas):
        return f"every city of {the_pools(areas, ' and ')} is the enemy's"
    return ""
