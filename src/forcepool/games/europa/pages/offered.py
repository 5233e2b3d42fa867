"""What stands on the board beyond the checklist: each air unit that ARPs would bring back, ready to be paid for."""

from collections.abc import Iterator

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.state import State
from forcepool.games.europa.agenda import first_open
from forcepool.games.europa.air.purse import in_boxes
from forcepool.games.europa.air.rebuilding import RepairAir, ReplaceAir
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
        found = first_open(world, state, RepairAir, unit) or first_open(world, state, ReplaceAir, unit)
        if found is not None:
            yield Item(OPEN, f"{unit} comes back for ARPs", CLAUSE, side, command=found[0])


OFFERED = (air_units,)
