"""How far points lie from the enemy, so that what is proposed first is what a player would think of first."""

from collections.abc import Iterable

from forcepool.engine.facts import kept
from forcepool.engine.state import State
from forcepool.games.eastern_front.facts import LAND, EasternFacts
from forcepool.games.eastern_front.world import AXIS, SOVIET, EasternWorld

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


def behind_the_front(world: EasternWorld, state: State, side: str, points: Iterable[str]) -> list[str]:
    """Points in the order one would choose them for fresh troops: near the front, but not next to the enemy."""
    away = front_distances(world, state, side)
    return sorted(points, key=lambda point: (away.get(point, FAR) < 2, away.get(point, FAR), point))


def out_of_reach(world: EasternWorld, state: State, side: str, points: Iterable[str]) -> list[str]:
    """Points in the order one would choose them for a factory: the farthest from the enemy first."""
    away = front_distances(world, state, side)
    return sorted(points, key=lambda point: (-away.get(point, FAR), point))
