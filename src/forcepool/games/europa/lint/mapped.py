"""The map: every city of a country on one railway over its side's own ground."""

from collections.abc import Iterator

from forcepool.engine.hexmap.spreading import Ways
from forcepool.engine.lint import Finding
from forcepool.engine.state import State
from forcepool.files.yamltext import Document
from forcepool.games.europa.mapfacts.lines import Net, flood
from forcepool.games.europa.mapfacts.positions import hexes_of, positions
from forcepool.games.europa.reinforcements.sites import is_city
from forcepool.games.europa.world import EuropaWorld

MAP = ("map",)
SHOWN = 4
"""How many cities a sentence names."""


def cities_off_the_railway(world: EuropaWorld, state: State, document: Document) -> Iterator[Finding]:
    """The cities of a country are joined by rail over ground of their own side, as the campaign begins."""
    if not world.has_map:
        return
    for (country, side), cities in sorted(_cities(world, state).items()):
        pieces = sorted(_pieces(world, state, side, cities), key=lambda each: (-len(each), each))
        for piece in pieces[1:]:
            named = ", ".join(piece[:SHOWN]) + (" and others" if len(piece) > SHOWN else "")
            text = f"no railway on {side} ground joins {named} to the other cities of {country}, such as {pieces[0][0]}"
            yield Finding(MAP, text, "draw one, or the country's points and units cannot go there by rail", "52.A.1/4")


def _cities(world: EuropaWorld, state: State) -> dict[tuple[str, str], list[str]]:
    """The cities on the map that lie in a nation's own country and in its side's hands, by country."""
    facts, found = world.facts(state), dict[tuple[str, str], list[str]]()
    for name, spot in sorted(world.spots.items()):
        country = world.country_of(spot.area)
        side = world.side_now(state, country) if country in world.sides else ""
        if side and world.hex_index(name) is not None and facts.owner(name) == side and is_city(facts, name):
            found.setdefault((country, side), []).append(name)
    return found


def _pieces(world: EuropaWorld, state: State, side: str, cities: list[str]) -> Iterator[list[str]]:
    """The cities in groups that railways hold together, enemy units and their zones left aside."""
    hexes, now = hexes_of(world), positions(world, world.facts(state))
    rail = hexes.lines["rail"]
    touched = int.from_bytes(bytes(min(each, 1) for each in rail), "little")
    net = Net(Ways(hexes.grid, rail), now.row(now.owned_by(side) & touched), rail)
    at = {name: index for name in cities if (index := world.hex_index(name)) is not None}
    while at:
        start = next(iter(at.values()))
        reached = {start, *flood(hexes, net, (start,)).order}
        yield sorted(name for name, index in at.items() if index in reached)
        at = {name: index for name, index in at.items() if index not in reached}


LINT = (cities_off_the_railway,)
