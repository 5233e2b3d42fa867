"""51.B.17, 51.B.19, 51.E.3.f and g  Where units leave play from, what is held for it, and what goes for a cadre."""

from collections.abc import Iterator

from forcepool.engine.game import Effect
from forcepool.engine.places import HEX, Place
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL
from forcepool.games.europa.ground.placing import STRATEGIC_BOX
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.lines_served import lines_left
from forcepool.games.europa.reinforcements.listed_places import areas_of
from forcepool.games.europa.reinforcements.named_boxes import BALKANS, SOUTHERN_FRANCE, box_named
from forcepool.games.europa.reinforcements.sites import HOLDING
from forcepool.games.europa.replacements.soviet.soviet_placement import OFF_MAP
from forcepool.games.europa.world import ELIMINATED, ISOLATED, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed, shown

IN_PLAY = (HEX, HOLDING, OFF_MAP, STRATEGIC_BOX)
POOL = (ELIMINATED, ISOLATED)
HELD = {BALKANS: ("51.E.3.f/1",), SOUTHERN_FRANCE: ("51.E.3.g/3",)}
"""The boxes whose units are out of their owner's hands, and the clause by which they are."""


def may_stand_in(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> Item | None:
    """Where a cadre is to be withdrawn, the line that a full-strength division with that cadre answers to."""
    if entries.verb_of(entry) != "withdraw" or unit.step != FULL:
        return None
    for item in (each for each in lines_left(state, entry) if each.spec):
        assert item.spec is not None
        if (
            entries.strength_listed(item) == (unit.spec.cadre, CADRE)
            and unit.spec.nation == entries.nationality(world, entry, item)
            and entries.same_kind(item.spec, unit.spec)
        ):
            return item
    return None


def is_sequestered(unit: Unit) -> bool:
    return unit.place == Place(HOLDING, SOUTHERN_FRANCE)


@computed("51.E.3.f/1", "51.E.3.g/3")
def stands_where_it_leaves_from(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> bool:
    """What is away in the Balkans or sequestered leaves its box by an entry that names it, and by no other."""
    box = box_named(entry.source)
    held = unit.place.of if unit.place.kind == HOLDING and unit.place.of in HELD else ""
    return held == box and (bool(box) or _is_in_the_theatre_left(world, state, entry, unit))


@computed("51.B.17/1")
def _is_in_the_theatre_left(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> bool:
    """Forces are transferred from one theatre to another: those of a third, where the map tells, do not go."""
    leaves = areas_of(world, entry.source or entry.section) if entry.verb == "transfer" else ()
    around = world.areas_of(unit, state) if unit.place.kind in (HEX, OFF_MAP, ELIMINATED) else ()
    known = [area for area in around if area in world.areas]
    return not known or not any(area in world.areas for area in leaves) or any(area in leaves for area in known)


@shown("51.E.3.g/3")
def is_held(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """Sequestered forces are held for their withdrawal and not used meanwhile."""
    if is_sequestered(unit):
        yield Effect("held for its withdrawal: may not be used", "51.E.3.g/3")
