"""Places by name: those the scenario lists, and in a campaign with a map every hex of it."""

from collections.abc import Mapping
from difflib import get_close_matches

from msgspec import Struct

from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.hexmap import HexMap


class Spot(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A place on the map that the rules care about."""

    area: str = ""
    """The MD, else the front, it lies in."""
    hex: str = ""


NOWHERE = Spot()
SHORTEST = 5
"""Letters of a name in which a slip of the pen can be told from another name."""


class Atlas:
    """The named places of a campaign, and its map if it has one."""

    def __init__(self, spots: Mapping[str, Spot], drawing: Drawing | None) -> None:
        self.spots, self.drawing = spots, drawing
        self._names = {name.casefold(): name for name in spots}
        self._hexes: HexMap | None = None
        self._nameless: dict[int, Spot] = {}
        self._indices: dict[str, int | None] = {}
        """Where names lie that were asked about: of the scenario and of the map, never whatever somebody types."""

    @property
    def hexes(self) -> HexMap | None:
        """The hex map, with the scenario's own names on it; None in a campaign that declares what is on the map."""
        if self._hexes is None and self.drawing is not None:
            hexes = HexMap(self.drawing)
            for name, spot in self.spots.items():
                if spot.hex:
                    hexes.name(name, hexes.grid.find(spot.hex))
            self._hexes = hexes
        return self._hexes

    def index(self, name: str) -> int | None:
        """Where a place or hex lies on the map; None without a map, and for what is not on it."""
        if name in self._indices:
            return self._indices[name]
        hexes = self.hexes
        try:
            index = None if hexes is None else hexes.find(name)
        except BadHex:
            index = None
        if index is not None or name in self.spots:
            self._indices[name] = index
        return index

    def spot(self, name: str) -> Spot:
        """What is known of a place: from the scenario, else from the map."""
        found = self.spots.get(name)
        if found is not None:
            return found
        hexes = self.hexes
        if hexes is None:
            return NOWHERE
        index = self.index(name)
        if index is None:
            return NOWHERE
        if index not in self._nameless:
            self._nameless[index] = Spot(area_on_map(hexes, index), hexes.grid.label(index))
        return self._nameless[index]

    def name(self, text: str) -> str:
        """A hex by one name only: that of the place in it, else its sheet and number; other words stay."""
        found = self._names.get(text.casefold())
        if found is not None or self.drawing is None or self.hexes is None:
            return text if found is None else found
        index = self.index(text)
        return text if index is None else self.hexes.called(index)

    def knows(self, name: str) -> bool:
        """Whether a campaign with a map has such a hex; without one, any name will do."""
        return self.drawing is None or name in self.spots or self.index(name) is not None

    def check(self, name: str) -> None:
        """Refuse a hex that the map does not have; without a map, a name that is nearly that of a place."""
        # Names are compared only where one is in doubt: every hex offered to an arriving unit comes by here.
        if name in self.spots or (self.drawing is not None and self.knows(name)):
            return
        close = get_close_matches(name.casefold(), sorted(self._names))
        slips = [each for each in close if _is_a_slip(name.casefold(), each)]
        if self.drawing is None and not slips:
            return
        hint = f"did you mean {self._names[(slips or close)[0]]}?" if close else "name a place or a hex of the map"
        raise BadHex(f"there is no hex '{name}'; {hint}")


def _is_a_slip(name: str, known: str) -> bool:
    """Whether a name is another's with a letter too many, too few or wrong, or two exchanged; digits are no slip."""
    if len(name) < SHORTEST or any(sign.isdigit() for sign in name):
        return False
    if sorted(name) == sorted(known):
        return sum(one != other for one, other in zip(name, known, strict=True)) == 2
    shorter, longer = sorted((name, known), key=len)
    at = next((i for i, (one, other) in enumerate(zip(shorter, longer, strict=False)) if one != other), len(shorter))
    return shorter[at:] == longer[at + 1 :] or (len(name) == len(known) and shorter[at + 1 :] == longer[at + 1 :])


def area_on_map(hexes: HexMap, index: int) -> str:
    """The area a hex lies in: its MD, else its front, else its theatre."""
    named = [(kind, name) for kind, name in hexes.area_at(index).named() if kind != "sea"]
    return f"{named[0][0]}/{named[0][1].casefold()}" if named else ""
