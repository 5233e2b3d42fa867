"""28.D  What each pool of ARPs may still spend on units from the boxes this phase."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import lazy
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.games.europa.air import cycle, spending
from forcepool.games.europa.air.arps import COMMON_POOL, holdings, owed
from forcepool.games.europa.air.ceiling import ceiling, spent_under_it
from forcepool.games.europa.air.question import ABORTED, is_air
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.world import ELIMINATED, EuropaWorld


class Purse(spending.Spending):
    """A pool of ARPs by itself, with no unit yet to spend them on."""

    def __init__(self, world: EuropaWorld, state: State, pool: str, nation: str) -> None:
        super().__init__(world, state, None)
        self._pool, self._nation = pool, nation

    @lazy
    def payer(self) -> str:
        return self._pool

    @lazy
    def nation(self) -> str:
        return self._nation


def in_boxes(world: EuropaWorld, state: State, side: str) -> Iterator[Unit]:
    """A side's air units that were aborted or eliminated."""
    for unit in (*state.units_at(ABORTED), *state.units_at(ELIMINATED)):
        if is_air(world, unit) and world.side_now(state, unit.spec.nation) == side:
            yield unit


def allowance(world: EuropaWorld, state: State) -> Iterator[Item]:
    """In the replacement phase, what each pool that has units in the boxes may still spend on them."""
    side = world.phasing(state)
    if world.phase(state) != REPLACEMENT or cycle.at_end_of_cycle(world, state, side):
        return
    held = list(holdings(world, state, side))
    waiting = {
        (world.theatre_of(unit.place.of), air_force_of(unit.spec)) for unit in in_boxes(world, state, side) if held
    }
    shared = world.ruling(state, spending.FORCES.key) == "side"
    common = world.ruling(state, COMMON_POOL.key) == "nation"
    for pool, nation, balance in held:
        if not any(
            (common or where == world.theatre_of(pool)) and (whose == nation or shared) for where, whose in waiting
        ):
            continue
        q = Purse(world, state, pool, nation)
        free = balance - owed(state, pool, nation)
        left = min(free, ceiling(q) - spent_under_it(q))
        if left > Fraction(0):
            text = (
                f"{the_pool(pool)}: {show_points(left)} of {show_counted(free, 'ARP')} of {nation} may go to units "
                "from the boxes"
            )
            yield Item(OPEN, text, "28.D.list.3/1", side)


CHAPTER = Chapter(heading="28.D", agenda=(allowance,))
