"""What a map tells whoever asks: the line that was traced, and the hexes to draw."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from forcepool.engine.hexmap.grid import BadHex

if TYPE_CHECKING:
    from forcepool.engine.state import State
    from forcepool.engine.world import World


class Traced(Struct, frozen=True, omit_defaults=True):
    """A line from a hex to what it seeks, or the hexes that stop it; `says` tells it in a sentence."""

    kind: str
    found: bool
    says: str
    path: tuple[str, ...] = ()
    """The hexes of the line, from where it was asked to where it ends."""
    blocked: tuple[str, ...] = ()
    """The closed hexes it came up against, where there is no line."""


class LineKind(Struct, frozen=True):
    """A kind of line that can be asked for: its name, the clauses that rest on it, and whose own affair it is."""

    name: str
    clauses: tuple[str, ...] = ()
    side: str = ""
    """The only side, beside those who see all, that has such lines traced; any where it is empty."""


class OutlineHex(Struct, frozen=True, omit_defaults=True):
    """One hex to draw; `column` and `row` place it, and a low column sits half a hex lower."""

    hex: str
    column: int
    row: int
    terrain: str
    name: str = ""
    city: str = ""
    port: str = ""
    airbase: int = 0
    area: str = ""
    sea: str = ""
    owner: str = ""
    rail: tuple[int, ...] = ()
    """The sides a railway crosses, 0 for north and on clockwise."""
    road: tuple[int, ...] = ()
    river: tuple[int, ...] = ()
    closed: tuple[int, ...] = ()
    """The sides that nothing crosses."""


class Outline(Struct, frozen=True):
    """The whole map as it stands now."""

    title: str
    low_columns: str
    columns: int
    rows: int
    hexes: tuple[OutlineHex, ...]


Traces = Callable[[Any, "State", str, str, str], Traced]
"""A game's answer: the world, the state, the kind of line, from where, and to where if that is asked."""
Draws = Callable[[Any, "State"], Outline]


def trace(world: "World", state: "State", kind: str, frm: str, to: str = "") -> Traced:
    """The line of a kind from a hex, a place or a unit, as things stand; BadHex if that cannot be asked."""
    if world.game.traces is None or not world.has_map:
        raise BadHex("this campaign has no map to trace on; its scenario names none with 'map:'")
    return world.game.traces(world, state, kind, frm, to)


def outline(world: "World", state: "State") -> Outline:
    """Every hex of the map with its terrain, places, railways, areas and owners, ready to be drawn."""
    if world.game.draws is None or not world.has_map:
        raise BadHex("this campaign has no map to draw; its scenario names none with 'map:'")
    return world.game.draws(world, state)
