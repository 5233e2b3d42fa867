"""52.A.1 and 52.F.4.a  How a pool that is short comes by more: what is on its way, and the nearest pool that has it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import pairwise

from forcepool.engine.decide import permits
from forcepool.engine.facts import kept
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool, the_pools
from forcepool.engine.verdicts import Remedy, Way
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground import transport
from forcepool.games.europa.ground.pools import (
    charts,
    waiting_for,
    write_amounts,
)
from forcepool.games.europa.ground.purchase import holders
from forcepool.games.europa.ground.transport import RAIL
from forcepool.games.europa.question import EuropaQuestion, in_a_later, turns_on
from forcepool.games.europa.replacements.general.transfers import (
    STEPS,
    PointsMoving,
    TransferPoints,
    over_what_lies_above,
)
from forcepool.games.europa.world import NATIONAL, EuropaWorld


def those_on_the_way(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> Iterator[Remedy]:
    """What is already on its way to a pool, if it will be enough."""
    coming = Fraction(0)
    for turn, whose_, what, amount, _ in sorted(waiting_for(q.state, pool)):
        if (whose_, what) == (nation, kind):
            coming += amount
            if coming >= missing:
                words = (
                    f"wait until {q.world.turn_name(turn)}, when {show_points(coming)} {kind} on their way are there"
                )
                yield in_a_later(q, turn, words)
                return


def by_transfer(q: EuropaQuestion, pool: str, nation: str, kind: str, missing: Fraction) -> Iterator[Remedy]:
    """Points moved from the nearest pool that has them: in how many steps, and usable when."""
    if any(True for _ in those_on_the_way(q, pool, nation, kind, missing)):
        return
    steps = route(q.world, q.facts, pool, nation, kind, missing)
    if not steps:
        return
    usable = q.state.clock.turn + int(q.world.numbers["moved_points_wait"])
    over = [step.into for step in steps[:-1]]
    how = f" over {the_pools(over, ' and ')} ({len(steps)} steps)" if over else ""
    way = f" by {steps[0].by}" if steps[0].by != RAIL else ""
    what = f"move {show_points(missing)} {kind} from {the_pool(steps[0].pool)}{how}{way}"
    until = turns_on(q, usable - q.state.clock.turn)
    yield Remedy(f"{what} and spend them on {q.world.turn_name(usable)}", Way(first=steps, until=until))


@kept
def route(
    world: EuropaWorld, facts: EuropaFacts, into: str, nation: str, kind: str, missing: Fraction
) -> tuple[TransferPoints, ...]:
    """The orders that bring points to a pool from the nearest one that has so many; none where no way is open now."""
    if not world.has_the_turn(facts.state, world.side_now(facts.state, nation)):
        return ()
    lines = [
        (line, held, pool)
        for pool, held in holders(world, facts, nation, kind)
        if held >= missing and pool != into and (line := _line(world, facts, pool, into, nation))
    ]
    for line, _, _ in sorted(lines, key=lambda each: (len(each[0]), -each[1], each[2])):
        if steps := _steps(world, facts, line, nation, {kind: missing}):
            return steps
    return ()


def _line(world: EuropaWorld, facts: EuropaFacts, origin: str, into: str, nation: str) -> list[str]:
    """The pools that points pass on their way, both ends among them; none where no step leads out of one of them."""
    national, ruling = NATIONAL + nation, world.ruling(facts.state, STEPS.key)
    if not all(each == national or each in charts(world) for each in (origin, into)):
        return []
    if ruling == "any-pool":
        return [origin, into]
    line = over_what_lies_above(world, facts, origin, into, nation)
    return line if ruling != "one-step" or len(line) == len((origin, into)) else []


def _steps(
    world: EuropaWorld, facts: EuropaFacts, line: list[str], nation: str, amounts: Mapping[str, Fraction]
) -> tuple[TransferPoints, ...]:
    """An order for each step, by the first way that is open and has room left after the steps before it."""
    state, used = facts.state, dict.fromkeys(transport.WAYS, Fraction(0))
    steps: list[TransferPoints] = []
    for origin, into in pairwise(line):
        for way in transport.WAYS:
            order = TransferPoints(pool=origin, into=into, points=write_amounts(amounts), nation=nation, by=way)
            q = PointsMoving(world, state, order)
            free = transport.left(world, state, nation, way)
            room = free is None or used[way] + q.load <= free
            # What comes in by the step before can go on: only the first pool must hold it now.
            if room and permits(q, () if steps else order.needs, order.guards(q)):
                used[way] += q.load
                steps.append(order)
                break
        else:
            return ()
    return tuple(steps)


CHAPTER = Chapter(heading="52.A.1", fills=(those_on_the_way, by_transfer))
