"""Which region, zone or chart of a module is which place of a campaign, and which is the pile of the dead."""

import re
from collections.abc import Iterable

from msgspec import Struct

from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import Told
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.vassal.campaign.counters import one_line
from forcepool.vassal.campaign.units import words_of
from forcepool.vassal.grids import RegionGrid, ZonedGrid
from forcepool.vassal.module import Module

LOST, WAITING = "lost", "waiting"
TRACKS = ("track", "tracks", "reinforcements", "holding", "reserve", "reserves", "arrivals", "forming")
DEAD = ("dead", "eliminated", "killed", "destroyed", "casualties", "losses", "pow", "pows", "graveyard")
ISOLATED = ("isolated", "pow", "pows", "surrendered", "prisoners")
SIGNS = re.compile(r"[^\w ]+")


class Lost(Struct, frozen=True):
    """A pile of the dead: a unit that comes to lie there is lost; the fields say how."""

    fields: tuple[str, ...] = ()


class Waiting(Struct, frozen=True):
    """A track or a box in which units wait, each for its own turn: which, forcepool knows better."""


Laid = Place | Lost | Waiting
"""What a part of a map means to the campaign."""


def read_place(world: World, text: str) -> Laid:
    """What the match file says: 'Minsk', 'eliminated front/centre', 'waiting', 'lost', 'lost isolated=supply'."""
    if text.strip().casefold() == WAITING:
        return Waiting()
    word, *fields = text.split()
    if word.casefold() == LOST and all("=" in each for each in fields):
        return Lost(tuple(fields))
    return world.parse_place(text)


class Gazetteer:
    """The places of a campaign by name."""

    def __init__(self, world: World, state: State) -> None:
        self.world = world
        self.named = {_bare(name): name for name in (*state.stacks, *world.places())}

    def propose(self, key: str) -> str:
        """The place a part of a map most likely is; nothing if none is."""
        on, _, inside = key.partition(": ")
        words = words_of(f"{on} {inside}")
        if any(word in DEAD for word in words):
            isolated = any(word in ISOLATED for word in words) and "isolated" in self._loses
            return f"{LOST} isolated=supply" if isolated else LOST
        if name := self.named.get(_bare(inside)):
            return name
        if any(word in TRACKS for word in words):
            return WAITING
        board, _, last = inside.rpartition(" ")
        if name := self.named.get(_bare(last)):
            return name
        # On a map of several boards a sheet and its hex: '2:1803'.
        return self._hex(f"{board.rpartition(' ')[2]}:{last}") if board else self._hex(last)

    @property
    def _loses(self) -> tuple[str, ...]:
        loses = self.world.game.loses
        return loses.__struct_fields__ if loses else ()

    def _hex(self, cell: str) -> str:
        """A hex by its number, in a campaign whose map has it."""
        if not self.world.has_map or not any(sign.isdigit() for sign in cell):
            return ""
        try:
            place = self.world.parse_place(cell)
        except (Told, ValueError):
            return ""
        return place.of if place.kind == HEX else ""


def named_parts(module: Module | None) -> Iterable[str]:
    """Every region and zone of a module, as the match file calls them."""
    for on in module.maps.values() if module else ():
        for board in on.boards.values():
            grid = board.grid
            zones = grid.zones if isinstance(grid, ZonedGrid) else ()
            for around, inside in ((zone.name, zone.grid) for zone in zones):
                regions = inside.regions if isinstance(inside, RegionGrid) else (("", (0, 0)),)
                yield from (_key(on.name, around, region) for region, _ in regions)
            background = grid.around if isinstance(grid, ZonedGrid) else grid
            if isinstance(background, RegionGrid):
                yield from (_key(on.name, "", region) for region, _ in background.regions)


def _key(on: str, zone: str, region: str) -> str:
    inside = " ".join(one_line(each) for each in (zone, region) if each)
    return f"{one_line(on)}: {inside}"


def _bare(name: str) -> str:
    return SIGNS.sub(" ", name.casefold()).strip()
