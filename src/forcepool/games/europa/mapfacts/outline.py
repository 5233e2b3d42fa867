"""The map as it stands now, hex by hex, for whoever draws it."""

from forcepool.engine.facts import place_key
from forcepool.engine.hexmap.drawing import PlaceOnMap
from forcepool.engine.hexmap.grid import ALL_SIDES, DIRECTIONS
from forcepool.engine.hexmap.tracing import Outline, OutlineHex
from forcepool.engine.state import State
from forcepool.games.europa.atlas import area_on_map
from forcepool.games.europa.mapfacts.positions import hexes_of
from forcepool.games.europa.world import EuropaWorld

NOTHING = PlaceOnMap("")


def outline(world: EuropaWorld, state: State) -> Outline:
    """Every hex with its terrain, places, railways, area and present owner."""
    hexes, facts = hexes_of(world), world.facts(state)
    left = min(index % hexes.grid.width for index in hexes.hexes)
    top = min(index // hexes.grid.width for index in hexes.hexes)
    changed = {on for on in state.marked.get("owner", ()) if on.startswith(place_key(""))}
    found = []
    for index in hexes.hexes:
        row, column = divmod(index, hexes.grid.width)
        label, name = hexes.grid.label(index), hexes.named.get(index, "")
        place = hexes.place(index) or NOTHING
        key = place_key(name or label)
        found.append(
            OutlineHex(
                hex=label,
                column=column - left,
                row=row - top,
                terrain=hexes.terrain_at(index).name,
                name=name,
                city=place.city,
                port=place.port,
                airbase=place.airbase,
                area=world.spot(name).area if name else area_on_map(hexes, index),
                sea=hexes.area_at(index).sea,
                owner=facts.owner(name or label) if key in changed else hexes.owner_at(index),
                rail=_sides(hexes.lines["rail"][index]),
                road=_sides(hexes.lines["road"][index]),
                river=_sides(hexes.lines["river"][index]),
                closed=_sides(ALL_SIDES & ~hexes.passable[index]),
            )
        )
    low = ("even", "odd")[(left + hexes.grid.low) % 2]
    return Outline(
        title=hexes.drawing.map,
        low_columns=low,
        columns=1 + max(each.column for each in found),
        rows=1 + max(each.row for each in found),
        hexes=tuple(found),
    )


_SIDES = tuple(tuple(side for side in DIRECTIONS if sides >> side & 1) for sides in range(ALL_SIDES + 1))


def _sides(sides: int) -> tuple[int, ...]:
    return _SIDES[sides]
