"""51.A  The places worth asking about for a reinforcement that is due."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from forcepool.engine.facts import kept
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import ARMY_OR_HIGHER
from forcepool.games.europa.mapfacts.notable import at_the_edge, spoken_of, with_something
from forcepool.games.europa.reinforcements import by_side, sites
from forcepool.games.europa.reinforcements.listed_places import lies_in, spec_of_place
from forcepool.games.europa.world import LOCAL, EuropaWorld
from forcepool.orderofbattle.model import PlaceSpec

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.appearing import Appearing


def worth_asking(q: "Appearing") -> Iterable[str]:
    """The hexes that a reinforcement might appear in. On a map thousands have changed hands or are held by somebody;
    but Axis and Soviet units come to places with something in them, to an army HQ, to a map edge or where it says."""
    world, unit = q.world, q.unit
    if q.side not in (sites.AXIS, sites.SOVIET) or (q.returns and unit.place.of.startswith(LOCAL)):
        return spoken_of(world, q.facts)
    notable = _notable(world, q.facts)
    if q.returns:
        return notable
    place = spec_of_place(q.entry)
    if q.entry.arrival == by_side.EMBARKED or (place is not None and place.kind == "theatre_border"):
        return spoken_of(world, q.facts)
    if place is not None and (place.kind in sites.NAMED or place.hexes):
        named = {world.hex_name(name) for name in (*place.names, *place.hexes)}
        there = (name for name in spoken_of(world, q.facts) if name in named or world.spot(name).hex in named)
        return {*notable, *there}
    return notable if place is None else _notable_in(world, q.facts, place)


@kept
def _notable_in(world: EuropaWorld, facts: EuropaFacts, place: PlaceSpec) -> frozenset[str]:
    """Those that lie in the place an entry names: for all the units that are listed for it."""
    return frozenset(name for name in _notable(world, facts) if lies_in(world, name, place))


@kept
def _notable(world: EuropaWorld, facts: EuropaFacts) -> frozenset[str]:
    """The hexes that have something in them, on an edge of the map, or with an army HQ."""
    units = facts.state.units
    return (
        with_something(world, facts)
        | at_the_edge(world, facts)
        | frozenset(
            name
            for name, stack in facts.state.stacks.items()
            if any(_is_army_hq(world, units[each].spec) for each in stack)
        )
    )


def _is_army_hq(world: EuropaWorld, spec: UnitSpec) -> bool:
    return spec.size in ARMY_OR_HIGHER and world.has_role(spec, "hq")
