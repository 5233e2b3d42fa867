"""28.F/2  What the withdrawals still to be made will cost: those ARPs serve no other purpose first."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.places import TRACK
from forcepool.engine.state import State, Unit
from forcepool.games.europa.air.arps import owed, pool_of
from forcepool.games.europa.air.orders import (
    IN_PLAY,
    ORDER,
    TRANSFER,
    WITHDRAW,
    Listed,
    candidates,
    has_lines,
    leaves,
    left,
    open_lines,
    paid_in,
)
from forcepool.games.europa.air.prices import Bill, repairing, replacing
from forcepool.games.europa.air.question import ABORTED
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed


def due_withdrawals(world: EuropaWorld, state: State) -> Iterator[Listed]:
    """The withdrawals the phasing side still has to make, transfers to commands of others among them."""
    for line in open_lines(world, state, WITHDRAW, TRANSFER):
        his = world.has_the_turn(state, world.side_now(state, line.nation))
        if his and (line.order.does == WITHDRAW or leaves(world, state, line)):
            yield line


def price_of(world: EuropaWorld, unit: Unit, how: str) -> Bill | None:
    """What repairing or replacing a withdrawn unit would have cost; nothing in play, nothing if it is paid for."""
    if unit.place.kind == TRACK or how == IN_PLAY:
        return None
    return repairing(world, unit) if how == ABORTED else replacing(world, unit)


def inline(world: EuropaWorld, state: State, line: Listed, taken: set[str]) -> list[tuple[str, Unit]]:
    """The units a line would take, in the order they must go, but for those that another line takes."""
    found = candidates(world, state, line)
    return [(how, unit) for how in ORDER for unit in found.get(how, ()) if unit.id not in taken]


def to_withdraw(world: EuropaWorld, state: State) -> Iterator[tuple[Listed, Unit, str]]:
    """Line by line, the units that would go for the withdrawals of this reinforcement phase, and how they stand."""
    taken: set[str] = set()
    for line in due_withdrawals(world, state):
        for how, unit in inline(world, state, line, taken)[: left(state, line)]:
            taken.add(unit.id)
            yield line, unit, how


@computed("28.F/2")
def kept_for_withdrawals(world: EuropaWorld, state: State, pool: str, nation: str) -> tuple[Fraction, str]:
    """The ARPs of a pool that withdrawals of this phase will take, and the first unit they are for."""
    total, first = Fraction(0), ""
    if world.phase(state) != REINFORCEMENT or not has_lines(world, state):
        return total, first
    for line, unit, how in to_withdraw(world, state):
        bill = price_of(world, unit, how)
        if bill is None or line.nation != nation:
            continue
        if pool_of(world, state, paid_in(world, state, line, unit), nation) == pool:
            total, first = total + bill.arps, first or unit.id
    return total, first


def spoken_for(world: EuropaWorld, state: State, pool: str, nation: str) -> Fraction:
    """What a pool owes for withdrawals already made, and will owe for those of this phase."""
    return owed(state, pool, nation) + kept_for_withdrawals(world, state, pool, nation)[0]
