"""The hexes on the edges of the map, where forces from outside come on."""

from collections.abc import Iterable

from forcepool.engine.facts import fixed
from forcepool.games.europa.world import EuropaWorld


def on_edges(world: EuropaWorld, edges: Iterable[str]) -> set[str]:
    """The hexes on some edges, such as '24A north', or '24A' for all of a sheet's; none in a campaign without a map."""
    known = edge_hexes(world)
    wanted = tuple(edges)
    return {name for edge, names in known.items() for name in names if edge in wanted or edge.split()[0] in wanted}


@fixed
def edge_hexes(world: EuropaWorld) -> dict[str, list[str]]:
    """The hexes on each edge, by its name."""
    found: dict[str, list[str]] = {}
    hexes = world.hexes
    for index in hexes.hexes if hexes is not None else ():
        assert hexes is not None
        for edge in hexes.edges(index):
            found.setdefault(edge, []).append(hexes.called(index))
    return found
