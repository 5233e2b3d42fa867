"""52.D.2  Land that goes over with its country: a nation that changes sides takes its own hexes along."""

from collections.abc import Iterator

from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import place_key, subject_key
from forcepool.engine.state import evolve
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import SIDES_WITH
from forcepool.games.europa.ground.ownership import ITS_OWNERS_ENEMIES, take_off
from forcepool.games.europa.mapfacts.positions import is_ground
from forcepool.games.europa.mapfacts.still_standing import others_at
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

SUPPLY_SOURCE = "supply_source"


@computed("52.D.2/7")
def takes_its_land_along(q: Declaring) -> Iterator[Event]:
    """Its country's hexes that its old side owned are its new side's, but for those where former friends stand; sources
    of supply in them supply the new side.

    Nothing was captured: what the loss of a city brings about does not follow from it.
    """
    world = q.world
    assert isinstance(world, EuropaWorld)
    nation = q.on.removeprefix(subject_key("nation", ""))
    old, new = world.side_now(q.state, nation), str(q.value or world.side_of(nation))
    if old == new:
        return
    facts, after = world.facts(q.state), q.state.copy()
    evolve(after, (Marked(on=q.on, mark=SIDES_WITH, value=q.value),))
    for place in _land_of(world, nation):
        hexes = (place, *facts.parts_of(place))
        staying = (unit for each in hexes for unit in others_at(world, after, each, new) if is_ground(world, unit))
        if facts.owner(place) != old or any(staying):
            continue
        on = place_key(place)
        yield Marked(on=on, mark="owner", value=new, because="52.D.2/7", says=f"it goes over with {nation}")
        if facts.of_place(place, SUPPLY_SOURCE) == old:
            yield Marked(on=on, mark=SUPPLY_SOURCE, value=new, because="52.D.2/7")
        for fact in ITS_OWNERS_ENEMIES:
            yield from take_off(q.state, on, fact, says=f"{fact.replace('_', ' ')} as it was for {old} holds no longer")


def _land_of(world: EuropaWorld, nation: str) -> list[str]:
    """The places and hexes of a nation's country and colonies, in order."""
    names = set(world.spots)
    if world.hexes is not None:
        names |= {world.hexes.called(index) for index in world.hexes.grid.hexes()}
    return sorted(name for name in names if world.power_of(world.spot(name).area) == nation)


CHAPTER = Chapter(heading="map", declared={SIDES_WITH: (takes_its_land_along,)})
