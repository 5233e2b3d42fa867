"""28.F/2  What the withdrawals still to be made will cost: those ARPs serve no other purpose first."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.places import TRACK
from forcepool.engine.state import State, Unit
from forcepool.games.europa.air.arps import ARP, COMMON_POOL, owed, pool_of
from forcepool.games.europa.air.orders import (
    IN_PLAY,
    ORDER,
    TRANSFER,
    WITHDRAW,
    Listed,
    area_named,
    candidates,
    has_lines,
    leaves,
    left,
    open_lines,
)
from forcepool.games.europa.air.prices import Bill, repairing, replacing
from forcepool.games.europa.air.question import ABORTED, area_of
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.tallies import air_force_of
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


@computed("28.F/3", "28.D/2")
def pool_billed(world: EuropaWorld, state: State, line: Listed, unit: Unit) -> str:
    """The pool that pays for a unit withdrawn: that of the theatre listed, else of the unit's own.

    Where only fronts of that theatre have ARPs it is the unit's front, else the one that holds most.
    """
    nation, own = air_force_of(unit.spec), area_of(world, world.facts(state), unit)
    listed = area_named(world, line.order.theatre) or own
    pool, served = pool_of(world, state, listed, nation), _pools_of(world, state, nation)
    if pool in served or world.ruling(state, COMMON_POOL.key) != "theatre":
        return pool
    if listed in (around := world.line_of(own)) and (near := next((each for each in around if each in served), "")):
        return near
    inside = sorted(each for each in served if listed in world.line_of(each))
    return max(inside, key=lambda each: state.balance(each, nation, ARP), default=pool)


def _pools_of(world: EuropaWorld, state: State, nation: str) -> set[str]:
    """The theatres and fronts that have had ARPs of a nation, or are listed for some."""
    rows = (row for row in world.chart("air_replacements") if world.nation_named(row.nation) == nation)
    had = {each.pool for each in state.balances if (each.nation, each.kind) == (nation, ARP)}
    return {*(world.pool_named(row.theatre) for row in rows), *(had & set(world.areas))}


@computed("28.F/2")
def kept_for_withdrawals(world: EuropaWorld, state: State, pool: str, nation: str) -> tuple[Fraction, str]:
    """The ARPs of a pool that withdrawals of this phase will take, and the first unit they are for."""
    total, first = Fraction(0), ""
    if world.phase(state) != REINFORCEMENT or not has_lines(world, state):
        return total, first
    for line, unit, how in to_withdraw(world, state):
        bill = price_of(world, unit, how)
        if bill is None or air_force_of(unit.spec) != nation:
            continue
        if pool_billed(world, state, line, unit) == pool:
            total, first = total + bill.arps, first or unit.id
    return total, first


def spoken_for(world: EuropaWorld, state: State, pool: str, nation: str) -> Fraction:
    """What a pool owes for withdrawals already made, and will owe for those of this phase."""
    return owed(state, pool, nation) + kept_for_withdrawals(world, state, pool, nation)[0]
