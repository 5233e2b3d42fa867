"""51.B.11 and 51.C.1.a  Which unit a release means: the one it names, at whatever strength it is by now."""

from collections.abc import Iterable

from forcepool.engine.state import State, Unit
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed


@computed("51.B.11/1", "51.C.1.a/1")
def may_be_released(world: EuropaWorld, state: State, entry: Entry, item: Item, unit: Unit) -> bool:
    """A unit of the kind listed, though it was formed as a cadre or has become one since."""
    if entries.is_meant(world, state, entry, item, unit):
        return True
    bound = entries.identification_binds(world, state, entry, item)
    return entries.could_be(world, entry, item, unit) and (not bound or entries.bears(unit, item.designations))


def at_its_strength_first(
    world: EuropaWorld, state: State, entry: Entry, item: Item, units: Iterable[Unit]
) -> list[Unit]:
    """The units a release could mean, those of the strength listed before those that have lost some of it."""
    meant = (unit for unit in units if may_be_released(world, state, entry, item, unit))
    return sorted(meant, key=lambda unit: not entries.is_meant(world, state, entry, item, unit))
