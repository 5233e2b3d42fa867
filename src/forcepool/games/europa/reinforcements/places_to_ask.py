"""51.A  The places worth asking about for a reinforcement that is due."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from forcepool.engine.facts import kept
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import ARMY_OR_HIGHER
from forcepool.games.europa.mapfacts.edges import edge_hexes
from forcepool.games.europa.reinforcements import by_side, sites
from forcepool.games.europa.reinforcements.listed_places import spec_of_place
from forcepool.games.europa.world import LOCAL, EuropaWorld

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.appearing import Appearing


def worth_asking(q: "Appearing") -> Iterable[str]:
    """The hexes that a reinforcement might appear in. On a map thousands have changed hands or are held by somebody;
    but Axis and Soviet units come to places with something in them, to an army HQ, to a map edge or where it says."""
    world, unit = q.world, q.unit
    spoken_of, notable = _hexes(world, q.facts)
    if q.side not in (sites.AXIS, sites.SOVIET) or (q.returns and unit.place.of.startswith(LOCAL)):
        return spoken_of
    if q.returns:
        return notable
    place = spec_of_place(q.entry)
    if q.entry.arrival == by_side.EMBARKED or (place is not None and place.kind == "theatre_border"):
        return spoken_of
    if place is not None and (place.kind in sites.NAMED or place.hexes):
        named = {world.hex_name(name) for name in (*place.names, *place.hexes)}
        return {*notable, *(name for name in spoken_of if name in named or world.spot(name).hex in named)}
    return notable


TAKEN = frozenset(("owner", "taken_on", "taken_from"))
"""What is said of any hex that an army went through."""


@kept
def _hexes(world: EuropaWorld, facts: EuropaFacts) -> tuple[frozenset[str], frozenset[str]]:
    """All hexes that something was said of or somebody stands in, and those of them that have something in them."""
    state, edges = facts.state, {name for names in edge_hexes(world).values() for name in names}
    said = {on.removeprefix("place/"): marks for on, marks in state.marks.items() if on.startswith("place/")}
    said = {name: marks for name, marks in said.items() if world.knows_place(name)}
    notable = {name for name, marks in said.items() if name in edges or not marks.keys() <= TAKEN}
    for name, stack in state.stacks.items():
        units = (state.units[each].spec for each in stack)
        if name in edges or any(spec.size in ARMY_OR_HIGHER and world.has_role(spec, "hq") for spec in units):
            notable.add(name)
    return frozenset(said) | frozenset(state.stacks), frozenset(notable)
