"""EF.replacements/6 and EF.composite/5: the edges that Siberia lies behind, and its supply."""

from typing import TYPE_CHECKING

from forcepool.engine.state import State
from forcepool.engine.switches import switch

if TYPE_CHECKING:
    from forcepool.games.eastern_front.world import EasternWorld

OWNER = "Soviet Union"

SIBERIAN_EDGES = switch(
    "siberian-edges",
    "EF.replacements/6",
    "the edges by which Siberian replacements enter",
    east="the eastern edge only",
    east_and_southeast="the eastern and southeastern edges alike",
)
SIBERIAN_SUPPLY = switch(
    "siberian-supply",
    "EF.composite/5",
    "whether units in Siberia are in supply",
    always="always",
    open_line="only while a line from the eastern edge is open",
)


def siberian_edges(world: "EasternWorld", state: State) -> tuple[str, ...]:
    """The edges of the map that Siberia lies behind, as the group plays it."""
    wide = world.ruling(state, SIBERIAN_EDGES.key) == "east-and-southeast"
    return world.profile.nations[OWNER].entry.edges if wide else world.profile.siberian_edges


def needs_an_open_line(world: "EasternWorld", state: State) -> bool:
    """Whether Siberia is supplied only while a line leads out of it, as the group plays it."""
    return world.ruling(state, SIBERIAN_SUPPLY.key) == "open-line"
