"""What stands on the board beyond the checklist: each air unit that ARPs would bring back, ready to be paid for."""

from collections.abc import Iterator

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.options import foreseen
from forcepool.engine.sentence import the_unit
from forcepool.engine.state import State, Unit
from forcepool.games.europa.air.purse import in_boxes
from forcepool.games.europa.air.spending import RepairAir, ReplaceAir
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.world import EuropaWorld

CLAUSE = "28.D.list.3/1"
"""Of the line that says how much may be spent on them."""


def air_units(world: EuropaWorld, state: State) -> Iterator[Item]:
    """In the replacement phase, the units in the boxes for which a pool has the ARPs."""
    if world.phase(state) != REPLACEMENT:
        return
    side = world.phasing(state)
    for unit in sorted(in_boxes(world, state, side), key=lambda each: each.id):
        order = _open(world, state, unit)
        if order is not None:
            yield Item(OPEN, f"{the_unit(unit.id)} comes back for ARPs", CLAUSE, side, command=order)


def _open(world: EuropaWorld, state: State, unit: Unit) -> Command | None:
    """The first order that would bring it back now."""
    for kind in (RepairAir, ReplaceAir):
        for order in kind.offers(world, state, unit):
            try:
                if foreseen(world, state, order) is not None:
                    return order
            except BadCommand:
                continue
    return None


OFFERED = (air_units,)
