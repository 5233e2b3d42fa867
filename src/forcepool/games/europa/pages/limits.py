"""How much more a place takes in this turn, for the sheet on which arrivals are placed."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from forcepool.engine.facts import place_key
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.state import State, Unit
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import PLACED
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.soviet.soviet_factories import number_of, producing
from forcepool.games.europa.world import EuropaWorld


def room_left(world: EuropaWorld, state: State, place: str) -> Iterator[tuple[str, str]]:
    """What a place has taken of what it takes a turn, each with its clause; nothing for one that took none yet."""
    facts = world.facts(state)
    names = facts.value(place_key(place), PLACED)
    placed = [state.units[each] for each in names if each in state.units] if isinstance(names, list | tuple) else []
    units = [each for each in placed if not world.has_role(each.spec, "air")]
    if not units:
        return
    taken = sum((world.res(each.spec, each.step) for each in units), Fraction(0))
    yield _told(taken, world.numbers["placed_in_a_hex"], "replacements"), "52.A.7/1"
    if place in producing(world, state):
        limit = world.numbers["factory_res"] * number_of(world, state, place)
        for kinds, res in sorted(_by_pool(world, facts, units).items()):
            yield _told(res, limit, f"what {' and '.join(kinds)} points paid for at its factories"), "52.D.2.c/3"


def _by_pool(world: EuropaWorld, facts: EuropaFacts, units: Iterable[Unit]) -> dict[tuple[str, ...], Fraction]:
    """The REs that have come from each pool, which the kinds of point that pay for a unit tell."""
    found: dict[tuple[str, ...], Fraction] = {}
    for unit in units:
        kinds = tuple(sorted(costs_table.worth(world, facts, unit).amounts))
        found[kinds] = found.get(kinds, Fraction(0)) + world.res(unit.spec, unit.step)
    return found


def _told(taken: Fraction, limit: Fraction, what: str) -> str:
    left = max(limit - taken, Fraction(0))
    rest = f"room for {show_points(left)} more" if left else "no room for more"
    return f"{show_points(taken)} of {show_counted(limit, 'RE')} of {what}, {rest}"


ROOM_LEFT = (room_left,)
