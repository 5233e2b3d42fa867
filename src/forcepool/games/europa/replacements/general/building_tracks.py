"""52.A.2  The tracks a nation's own points build on: of inactive areas that are not lost, the nearest first."""

from forcepool.engine.facts import fixed, kept
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import Remedy
from forcepool.games.europa import homes
from forcepool.games.europa.facts import INACTIVE, EuropaFacts
from forcepool.games.europa.ground.pools import is_not_yours, is_the_enemys
from forcepool.games.europa.ground.purchase import Purchase, has_points
from forcepool.games.europa.question import instead
from forcepool.games.europa.world import NATIONAL, THEATRE, EuropaWorld
from forcepool.rulebook.citations import computed

LOST_DISTRICT = switch(
    "lost-district",
    "52.A.2/1",
    "whether units are bought onto the track of an area of one's own whose every city the enemy owns",
    closed="no: the area counts as lost",
    open="yes: the track is off the map, and an army HQ or a city retaken by then lets the unit in",
)


def tracks(world: EuropaWorld, facts: EuropaFacts, box: str, nation: str) -> tuple[str, ...]:
    """The areas on whose tracks national points build for a unit of that box; what stands first is proposed."""
    return tuple(each for each in serving(world, facts, box, nation) if _builds(world, facts, each, nation))


@kept
def serving(world: EuropaWorld, facts: EuropaFacts, box: str, nation: str) -> tuple[str, ...]:
    """The areas that may serve a nation: its box's, those at home, those of its theatre, each by how near they lie."""
    start = [box] if box in world.areas else [each for each in world.pools if homes.is_home(world, each, nation)]
    theatres, steps = {world.theatre_of(each) for each in start}, _steps_from(world, facts, start)
    near = sorted(
        world.pools,
        key=lambda area: (
            area != box,
            not homes.is_home(world, area, nation),
            world.theatre_of(area) not in theatres,
            steps.get(area, len(world.areas)),
        ),
    )
    return tuple(area for area in near if world.could_serve(facts.state, area, nation))


def _steps_from(world: EuropaWorld, facts: EuropaFacts, start: list[str]) -> dict[str, int]:
    """How many areas lie between, by what is said to lie next to what."""
    steps = dict.fromkeys(start, 0)
    reached = list(start)
    for area in reached:
        for other in homes.adjacent_to(world, facts, area):
            if other not in steps:
                steps[other] = steps[area] + 1
                reached.append(other)
    return steps


@kept
def _builds(world: EuropaWorld, facts: EuropaFacts, area: str, nation: str) -> bool:
    front = not area.startswith(THEATRE) or _has_no_fronts(world, area)
    return front and facts.activity(area) == INACTIVE and not is_lost(world, facts, area, nation)


@fixed
def _has_no_fronts(world: EuropaWorld, theatre: str) -> bool:
    """Whether a theatre is divided into neither fronts nor MDs, so that it has the only track there is."""
    return not any(theatre in world.line_of(each)[1:] for each in world.areas)


@kept
def tracks_in(world: EuropaWorld, facts: EuropaFacts, area: str, nation: str) -> tuple[str, ...]:
    """The MDs and fronts in an area on whose tracks its points may build; none while it has no points."""
    if not has_points(world, facts, area, nation):
        return ()
    within = (each for each in world.pools if each in world.areas and area in world.line_of(each)[1:])
    return tuple(each for each in within if takes_in(world, facts, each, nation))


def takes_in(world: EuropaWorld, facts: EuropaFacts, area: str, nation: str) -> bool:
    """Whether the track of an area is open to a nation, and not lost."""
    return homes.takes_in(world, facts, area, nation) and not is_lost(world, facts, area, nation)


@computed("52.A.2/1")
def is_lost(world: EuropaWorld, facts: EuropaFacts, area: str, nation: str) -> bool:
    """Whether nothing is bought onto a track since the enemy owns every city of the area."""
    ruled = world.ruling(facts.state, LOST_DISTRICT.key)
    return ruled == "closed" and homes.has_lost_its_cities(world, facts, area, nation)


def has_own_track(world: EuropaWorld, pool: str, nation: str) -> bool:
    """Whether a national pool is that of a contingent, whose points build on a track of its own."""
    return pool == NATIONAL + nation and world.profile.nations[nation].own_track


def is_closed(q: Purchase, area: str) -> str:
    """Why nothing of the nation's waits on the track of an area, in a sentence; empty if it may."""
    if area.startswith(NATIONAL) and not has_own_track(q.world, area, q.nation):
        return f"{the_pool(area)} has no track for {q.unit}"
    if is_the_enemys(q, area):
        return is_not_yours(q, area)
    if is_lost(q.world, q.facts, area, q.nation):
        return f"every city of {the_pool(area)} is the enemy's, so that it counts as lost"
    if area.startswith(THEATRE) and not _has_no_fronts(q.world, area):
        return f"{the_pool(area)} is divided, and units build on the tracks of its fronts and MDs"
    return ""


def on_an_inactive_track(q: Purchase) -> list[Remedy]:
    """To name the track of an inactive area that is open to the nation; nothing where there is none."""
    box = homes.home_of(q.world, q.facts, q.unit) if q.unit.place.on_map else q.unit.place.of
    found = next(iter(tracks(q.world, q.facts, box, q.nation)), "")
    said = f"name the track of an inactive area, such as {the_field('track', found)}"
    return [instead(q, said, track=found)] if found else []
