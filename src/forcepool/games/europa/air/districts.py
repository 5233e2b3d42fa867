"""28.B  Military district capture: its aborted air units are lost."""

from collections.abc import Callable, Iterator
from typing import Any

from forcepool.engine.events import Event, Moved
from forcepool.engine.facts import place_key, subject_key
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import Unit, evolve
from forcepool.games.europa.air.question import ABORTED, air_units, eliminated_box, is_airbase
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import SIDES_WITH, EuropaFacts
from forcepool.games.europa.ground.ownership import owners_then
from forcepool.games.europa.mapfacts.going_over import takes_its_land_along
from forcepool.games.europa.replacements.general.receipts import joined
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed


@computed("28.B/1")
def is_captured(world: EuropaWorld, facts: EuropaFacts, area: str, side: str, owner: Callable[[str], str]) -> bool:
    """Whether the enemy owns every city and airbase of an MD, or of a front whose box is kept for the whole of it."""
    places = [name for name, spot in world.spots.items() if spot.area and area in world.line_of(spot.area)]
    counted = [name for name in places if _is_city(facts, name) or is_airbase(facts, name)]
    owners = {owner(name) for name in counted}
    return bool(owners) and not owners & {"", side}


def _is_city(facts: EuropaFacts, name: str) -> bool:
    """A city and no town, whichever of the two facts tells of it."""
    return facts.is_city(name)


def lose_the_aborted(q: Any) -> Iterator[Event]:
    """The moment the last city or airbase falls, the aborted units of the MD are eliminated; the track is safe."""
    world, facts = q.world, q.world.facts(q.state)
    around = set(world.line_of(world.spot(q.on.removeprefix(place_key(""))).area))
    for unit in air_units(world, q.state):
        if unit.place.kind != ABORTED or unit.place.of not in around:
            continue
        side = world.side_now(q.state, unit.spec.nation)
        if is_captured(world, facts, unit.place.of, side, owners_then(q)):
            yield _eliminated(world, unit)


def left_behind(q: Any) -> Iterator[Event]:
    """A country that goes over takes its cities and airbases along: to a former friend they have fallen."""
    world, after = q.world, joined(q)
    evolve(after, takes_its_land_along(q))
    before, then = world.facts(q.state), world.facts(after)
    for unit in air_units(world, after):
        area, side = unit.place.of, world.side_now(after, unit.spec.nation)
        if unit.place.kind != ABORTED or subject_key("nation", unit.spec.nation) == q.on:
            continue
        is_lost, was_lost = (is_captured(world, facts, area, side, facts.owner) for facts in (then, before))
        if is_lost and not was_lost:
            yield _eliminated(world, unit)


def _eliminated(world: EuropaWorld, unit: Unit) -> Event:
    box, says = eliminated_box(world, unit.place.of), f"{the_pool(unit.place.of)} is captured"
    return Moved(unit=unit.id, frm=unit.place, to=box, because="28.B/1", says=says)


CHAPTER = Chapter(heading="28.B", declared={"owner": (lose_the_aborted,), SIDES_WITH: (left_behind,)})
