"""The map as it stands now, hex by hex, for whoever draws it."""

from msgspec.structs import replace

from forcepool.engine.facts import fixed, place_key
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
    drawn, facts = _as_drawn(world), world.facts(state)
    hexes = list(drawn.hexes)
    for on in state.marked.get("owner", ()):
        name = on.removeprefix(place_key(""))
        index = _numbers(world).get(name) if on != name else None
        if index is not None:
            hexes[index] = replace(hexes[index], owner=facts.owner(name))
    return replace(drawn, hexes=tuple(hexes))


@fixed
def _numbers(world: EuropaWorld) -> dict[str, int]:
    """Where a hex stands in the outline, by what the rules call it."""
    return {each.name or each.hex: number for number, each in enumerate(_as_drawn(world).hexes)}


@fixed
def _as_drawn(world: EuropaWorld) -> Outline:
    """The map with the owners it was drawn with."""
    hexes = hexes_of(world)
    left = min(index % hexes.grid.width for index in hexes.hexes)
    top = min(index // hexes.grid.width for index in hexes.hexes)
    found = []
    for index in hexes.hexes:
        row, column = divmod(index, hexes.grid.width)
        label, name = hexes.grid.label(index), hexes.named.get(index, "")
        place = hexes.place(index) or NOTHING
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
                owner=hexes.owner_at(index),
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
