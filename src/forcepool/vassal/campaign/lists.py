"""What must lie otherwise in VASSAL, as forcepool has it: to be printed and gone through with the module open."""

from collections.abc import Iterator

from msgspec import Struct

from forcepool.engine.state import State, Unit
from forcepool.engine.world import World
from forcepool.vassal.campaign.news import Lies, Read, compare
from forcepool.vassal.campaign.places import DEAD, Lost, Waiting
from forcepool.vassal.campaign.units import words_of
from forcepool.views.names import in_words, natural


class ToPut(Struct, frozen=True):
    """One counter to be put right."""

    unit: Unit
    where: str
    """Where it belongs, in a player's words."""
    now: str
    """Where it lies and what it shows."""


def to_put(world: World, state: State, read: Read) -> Iterator[ToPut]:
    """The counters that lie elsewhere or show another step, in order of name; what cannot be told is left out."""
    for unit_id, lies in sorted(read.lies.items(), key=lambda each: natural(each[0])):
        unit = state.units[unit_id]
        if compare(unit, lies) or _waits(world, unit, lies) or (not lies.at and unit.place.on_map):
            shows = f", {lies.step}" if lies.step else ""
            now = f"{lies.at}{shows}" if lies.at else "on no map"
            yield ToPut(unit, in_words(world.show_place(unit.place)), now)


def _waits(world: World, unit: Unit, lies: Lies) -> bool:
    """Whether it lies among the dead and is on its way back, or waits where it should lie among the dead."""
    box = words_of(world.game.box_names.get(unit.place.kind, ""))
    if isinstance(lies.place, Lost):
        return "track" in box
    return isinstance(lies.place, Waiting) and any(word in DEAD for word in box)
