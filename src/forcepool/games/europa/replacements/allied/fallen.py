"""52.D.3/1  Nations that have lost every city of their own: whether they still receive what the charts list."""

from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.sources import CAPITAL, CITIES, PLACES
from forcepool.games.europa.mapfacts.positions import camp_of
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

IN_EXILE = "in_exile"
FALLEN = switch(
    "fallen-nations",
    "52.D.3/1",
    "what a nation receives that has lost every city of its own",
    nothing="nothing, until it holds one again or its government is declared to be in exile",
    as_charted="what the charts list, whoever holds its cities",
)


def cities_of_its_own(world: EuropaWorld, facts: EuropaFacts, nation: str) -> list[str]:
    """The replacement cities and the capital of a nation that the scenario lists."""
    return sorted({place for kind in (CITIES, CAPITAL) for place in PLACES[kind](world, facts, nation)})


@computed("52.D.3/1")
def has_fallen(world: EuropaWorld, state: State, nation: str) -> bool:
    """Whether all the cities of a nation that a scenario lists are its enemies', and it has no government in exile."""
    facts = world.facts(state)
    cities = cities_of_its_own(world, facts, nation)
    if not cities or facts.of_nation(nation, IN_EXILE) is True:
        return False
    friends = ("", *camp_of(world, world.side_now(state, nation)))
    lost = all(facts.owner(city) not in friends for city in cities)
    return lost and world.ruling(state, FALLEN.key) == "nothing"


CHAPTER = Chapter(heading="52.D.3", switches=(FALLEN,))
