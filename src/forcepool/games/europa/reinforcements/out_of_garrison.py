"""51.B.11  A unit that was released from a GARRISON BOX by an order of its own, and not by a line of the OB."""

from forcepool.engine.state import Unit
from forcepool.games.europa.world import REINFORCEMENT_TRACK
from forcepool.orderofbattle.model import Entry, PlaceSpec
from forcepool.rulebook.citations import computed

RELEASED = "released from its garrison"
"""What stands for the key of the entry that brings it."""


@computed("51.B.11/1")
def out_of_garrison(unit: Unit) -> Entry:
    """What stands for a line of the order of battle: it appears in the MD whose garrison it was in."""
    kind, _, name = unit.place.of.partition("/")
    here = PlaceSpec(kind, (name,)) if unit.place.kind == REINFORCEMENT_TRACK else None
    return Entry(key=RELEASED, line=0, verb="release from garrison", place=here)
