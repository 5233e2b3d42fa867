"""28.E to 28.G  Lines of the order of battle in words that air units leave or change by: rule 28 carries them out."""

from forcepool.engine.state import Unit
from forcepool.engine.units import FULL
from forcepool.games.europa.reinforcements.named_boxes import box_named
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.aircraft import AIR
from forcepool.orderofbattle.model import Entry, Item

LEAVES, CONVERTS = ("withdraw", "transfer"), "convert"


def is_for_rule_28(world: EuropaWorld, entry: Entry, item: Item) -> bool:
    """Whether the units of a line go as the Air OB's do; what goes into a box of rule 51's own stays with that."""
    if item.spec is None or item.how_many or not world.has_role(item.spec, AIR):
        return False
    if entry.verb == CONVERTS:
        return _one_for_one(world, entry)
    return entry.verb in LEAVES and not box_named(entry.place) and not box_named(entry.source)


def is_all_for_rule_28(world: EuropaWorld, entry: Entry) -> bool:
    """Whether nothing of an entry is left to rule 51."""
    return bool(entry.items) and all(is_for_rule_28(world, entry, item) for item in entry.items)


def goes_by_rule_28(world: EuropaWorld, entry: Entry, unit: Unit) -> bool:
    """Whether an entry takes a unit as the Air OB does."""
    return world.has_role(unit.spec, AIR) and any(is_for_rule_28(world, entry, item) for item in entry.items)


def _one_for_one(world: EuropaWorld, entry: Entry) -> bool:
    """An air unit becomes another; several into one, or a forming one, is nothing that rule 28 knows."""
    if len(entry.items) != 1 or len(entry.results) != 1 or entry.cost or entry.yields:
        return False
    (old,), (new,) = entry.items, entry.results
    flies = new.spec is not None and world.has_role(new.spec, AIR)
    return flies and old.count == new.count and new.state in ("", FULL)
