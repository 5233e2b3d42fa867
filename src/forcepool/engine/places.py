"""Where a unit can be: a hex, a box, a slot on a track, or out of play."""

from msgspec import Struct

HEX = "hex"
TRACK = "track"
OUT = "out"


class Place(Struct, frozen=True, array_like=True, order=True, gc=False):
    """One place; every unit is in exactly one at any time."""

    kind: str
    of: str = ""
    """The hex's name, or the pool, front or nation the box or track belongs to."""
    due: int = 0
    """The turn a unit on a track arrives; 0 everywhere else."""

    @property
    def on_map(self) -> bool:
        return self.kind == HEX

    def is_reached(self, turn: int) -> bool:
        """Whether a unit that is on its way here has come by a turn; one that is on no way is here."""
        return self.due <= turn


OUT_OF_PLAY = Place(OUT)


def at_hex(name: str) -> Place:
    return Place(HEX, name)


def on_track(of: str, due: int) -> Place:
    return Place(TRACK, of, due)
