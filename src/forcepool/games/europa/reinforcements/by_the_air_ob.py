"""28.E to 28.G  Lines of the order of battle in words that air units leave or change by: rule 28 carries them out."""

from fractions import Fraction

from forcepool.engine.ledger import Account
from forcepool.engine.state import State, Unit
from forcepool.engine.units import FULL, UnitSpec
from forcepool.games.europa.reinforcements.named_boxes import box_named
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.aircraft import AIR
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed

ARP = "arp"
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


@computed("51.B.20/3", "28.D.1/3")
def arps_for(world: EuropaWorld, spec: UnitSpec) -> Fraction:
    """What replacing an air unit costs, in ARPs."""
    return next((row.arps for row in world.chart("air_prices") if spec.type in row.types), Fraction(0))


def arp_pool(world: EuropaWorld, state: State, area: str, nation: str) -> str:
    """The pool that keeps a nation's ARPs around an area: the nearest that has had some, else the theatre's."""
    around = world.line_of(area)
    return next((each for each in around if Account(each, nation, ARP) in state.balances), around[-1])


def _one_for_one(world: EuropaWorld, entry: Entry) -> bool:
    """An air unit becomes another; several into one, or a forming one, is nothing that rule 28 knows."""
    if len(entry.items) != 1 or len(entry.results) != 1 or entry.cost or entry.yields:
        return False
    (old,), (new,) = entry.items, entry.results
    flies = new.spec is not None and world.has_role(new.spec, AIR)
    return flies and old.count == new.count and new.state in ("", FULL)
