"""The hexes worth asking about: on a map thousands have changed hands or are held, and few have something in them."""

from forcepool.engine.facts import kept, place_key
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.mapfacts.edges import edge_hexes
from forcepool.games.europa.world import EuropaWorld

TAKEN = frozenset(("owner", "taken_on", "taken_from"))
"""What is said of any hex that an army went through."""


@kept
def spoken_of(world: EuropaWorld, facts: EuropaFacts) -> frozenset[str]:
    """All hexes that something was said of or somebody stands in."""
    state = facts.state
    said = {on.removeprefix("place/") for on in state.marks if on.startswith("place/")}
    return frozenset(filter(world.knows_place, said)) | frozenset(state.stacks)


@kept
def with_something(world: EuropaWorld, facts: EuropaFacts) -> frozenset[str]:
    """The hexes of which more was said than that they changed hands: cities, ports, railway towns."""
    told = (fact.name for fact in world.game.facts if "place" in fact.on and fact.name not in TAKEN)
    return frozenset(place for name in told for place in facts.places_with(name))


@kept
def at_the_edge(world: EuropaWorld, facts: EuropaFacts) -> frozenset[str]:
    """The hexes on an edge of the map that something was said of or somebody stands in."""
    state, edges = facts.state, {name for names in edge_hexes(world).values() for name in names}
    return frozenset(name for name in edges if name in state.stacks or place_key(name) in state.marks)
