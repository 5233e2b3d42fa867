"""How far points lie from the enemy, so that what is proposed first is what a player would think of first."""

from collections import Counter
from collections.abc import Iterable

from forcepool.engine.facts import kept
from forcepool.engine.state import State
from forcepool.games.eastern_front.facts import LAND, EasternFacts
from forcepool.games.eastern_front.world import AXIS, SOVIET, EasternWorld, is_factory, on_the_map

FAR = 99
"""A point that no line joins to the enemy's."""


def front_distances(world: EasternWorld, state: State, side: str) -> dict[str, int]:
    """How many lines over land each point lies from the nearest that the enemy of a side controls."""
    return _distances(world, world.facts(state), side)


@kept
def _distances(world: EasternWorld, facts: EasternFacts, side: str) -> dict[str, int]:
    enemy = AXIS if side == SOVIET else SOVIET
    found = {point: 0 for point in sorted(world.points) if facts.control(point) == enemy}
    queue = list(found)
    for here in queue:
        for line, there in world.next_to(here):
            if there not in found and there in world.points and world.line_kind(line).by == LAND:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def behind_the_front(world: EasternWorld, state: State, nation: str, points: Iterable[str]) -> list[str]:
    """Points in the order one would choose them for fresh troops of a nation.

    Not in the country of an ally who enters there himself; not next to the enemy; near the front; and of several as
    near, where most troops of its side stand, there and one line away.
    """
    side = world.side_now(state, nation)
    away, massed = front_distances(world, state, side), _massed(world, state, side)
    guests = _lands_of_allies(world, nation)

    def wanted(point: str) -> tuple[bool, bool, int, int, str]:
        near = {there for line, there in world.next_to(point) if world.line_kind(line).by == LAND}
        troops = sum(massed.get(each, 0) for each in {point, *near})
        return world.point(point).country in guests, away.get(point, FAR) < 2, away.get(point, FAR), -troops, point

    return sorted(points, key=wanted)


def _lands_of_allies(world: EasternWorld, nation: str) -> frozenset[str]:
    """The countries of others whose own units enter at points of their own there."""
    return frozenset(each for each, its in world.profile.nations.items() if its.entry.points and each != nation)


def _massed(world: EasternWorld, state: State, side: str) -> Counter[str]:
    """How many units of a side stand at each point; factories are no troops."""
    troops = (unit for unit in state.units.values() if on_the_map(unit) and not is_factory(unit))
    return Counter(unit.place.of for unit in troops if world.side_now(state, unit.spec.nation) == side)


def out_of_reach(world: EasternWorld, state: State, side: str, points: Iterable[str]) -> list[str]:
    """Points in the order one would choose them for a factory: the farthest from the enemy first."""
    away = front_distances(world, state, side)
    return sorted(points, key=lambda point: (-away.get(point, FAR), point))
