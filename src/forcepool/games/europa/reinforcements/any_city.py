"""51.A.5  Units that the order of battle lists for any city."""

from forcepool.engine.state import State, Unit
from forcepool.games.europa.ground.placing import is_disrupted
from forcepool.games.europa.reinforcements.entries import entry_of
from forcepool.games.europa.reinforcements.listed_places import spec_of_place
from forcepool.games.europa.world import EuropaWorld


def comes_to_any_city(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether the order of battle lists a unit for any city, of which one takes one such unit."""
    entry = None if is_disrupted(state, unit) else entry_of(world, state, unit)
    place = spec_of_place(entry) if entry is not None else None
    return place is not None and place.kind == "any_city"
