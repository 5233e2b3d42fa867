"""49.A.1  A plan of reserve changes: what each would cost, one after the other, and whether the rules would let it."""

import json
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine import codec
from forcepool.engine.command import Command
from forcepool.engine.decide import Decision, decide
from forcepool.engine.ledger import Account
from forcepool.engine.sentence import Told
from forcepool.engine.state import State, Unit, evolve
from forcepool.games.europa.facts import NO_RESERVE, OPERATIONAL, STRATEGIC
from forcepool.games.europa.reserves import accounts
from forcepool.games.europa.reserves.changes import Changing
from forcepool.games.europa.reserves.entering import EnterReserve
from forcepool.games.europa.reserves.leaving import LeaveReserve
from forcepool.games.europa.reserves.mediterranean import MSR
from forcepool.games.europa.reserves.quotes import (
    IN,
    INTO_MEDITERRANEAN,
    INTO_STRATEGIC,
    OUT,
    Line,
    Quote,
    change_of,
    quote_changes,
)
from forcepool.games.europa.reserves.strategic import EnterStrategicReserve, LeaveStrategicReserve
from forcepool.games.europa.world import EuropaWorld

WISHES = {
    IN: "into operational reserve",
    OUT: "out of reserve",
    INTO_STRATEGIC: "into strategic reserve",
    INTO_MEDITERRANEAN: "into the Mediterranean reserve",
}
SeesUnit = Callable[[Unit], bool]
SeesAccount = Callable[[Account], bool]


class Wish(Struct, frozen=True):
    """A unit, and what one would like to do with it: in, out, strategic or mediterranean."""

    unit: str
    change: str


class Obstacle(Struct, frozen=True):
    """Why a change would be refused."""

    clause: str
    sentence: str


class PlannedChange(Struct, frozen=True):
    """One change of a plan, with its price and the ready order."""

    unit: str
    change: str
    """'into operational reserve'."""
    payer: str
    depot: str
    size: str
    """'3 RE, ×2 armour, counts 6'."""
    size_clauses: tuple[str, ...]
    charge: str
    """'2 at ×1, 1 at ×2 = 4'."""
    free_by: str
    """The clause that makes it free."""
    cost: Fraction
    order: dict[str, Any]
    obstacles: tuple[Obstacle, ...] = ()


class PlanTotal(Struct, frozen=True):
    """What a plan takes from a country's points."""

    nation: str
    track: str
    cost: Fraction
    have: Fraction
    left: Fraction


class ReservePlan(Struct, frozen=True):
    """Changes one after the other."""

    changes: tuple[PlannedChange, ...]
    totals: tuple[PlanTotal, ...]
    total: Fraction

    @property
    def passes(self) -> bool:
        """Whether the rules would let all of it."""
        return not any(each.obstacles for each in self.changes)


class WhatIf(Struct, frozen=True):
    """What a list of wishes would cost: in the order given, and at the cheapest."""

    given: ReservePlan
    cheapest: ReservePlan
    saves: Fraction
    done: tuple[Wish, ...]
    """Wishes that are so already."""
    unknown: tuple[str, ...]
    """Names of no unit that can be seen."""


def what_if(
    world: EuropaWorld,
    state: State,
    wishes: Iterable[Wish],
    *,
    sees: SeesUnit = lambda unit: True,
    holds: SeesAccount = lambda account: True,
) -> WhatIf:
    """The price of wishes before any is carried out; nothing is spent, and what one may not see is not priced."""
    changes: dict[str, Changing] = {}
    done, unknown = [], []
    for wish in wishes:
        q = _question(world, state, wish, sees, holds)
        if q is None:
            unknown.append(wish.unit)
        elif _is_so(q, wish):
            done.append(wish)
        else:
            changes.setdefault(q.unit.id, q)
    given = best = ReservePlan((), (), Fraction(0))
    if changes:
        quoted, cheapest = quote_changes(world, state, [q.command for q in changes.values()])
        given = best = _plan(world, state, changes, quoted)
        # For the same points another order may be the lawful one (49.A.1/2).
        if cheapest.total < quoted.total or not given.passes:
            best = _plan(world, state, changes, cheapest)
    return WhatIf(given, best, given.total - best.total, tuple(done), tuple(unknown))


def _question(world: EuropaWorld, state: State, wish: Wish, sees: SeesUnit, holds: SeesAccount) -> Changing | None:
    """The change a wish comes to; None for a unit, or for points that would pay, which may not be seen."""
    unit = state.units.get(wish.unit)
    if unit is None or wish.change not in WISHES or not sees(unit):
        return None
    command = change_of(world, state, unit, wish.change)
    q = command.question(world, state, command)
    assert isinstance(q, Changing)
    return q if holds(Account(q.track, q.payer, accounts.OR)) else None


def _is_so(q: Changing, wish: Wish) -> bool:
    if wish.change == OUT:
        return q.reserve == NO_RESERVE
    if wish.change == IN:
        return q.reserve == OPERATIONAL
    return q.reserve == STRATEGIC and q.facts.is_so(q.unit, MSR) == (wish.change == INTO_MEDITERRANEAN)


# ------------------------------------------------------------------------------------------------- a plan


def _plan(world: EuropaWorld, state: State, changes: dict[str, Changing], quoted: Quote) -> ReservePlan:
    """The lines of a quote with their orders, each tried after those before it."""
    costs: dict[tuple[str, str], Fraction] = {}
    for line in quoted.lines:
        q = changes[line.unit]
        costs[q.payer, q.track] = costs.get((q.payer, q.track), Fraction(0)) + line.cost
    orders = [_order(world, state, changes[line.unit].command, line.depot) for line in quoted.lines]
    lines = [_planned(changes[line.unit], line, order) for line, order in zip(quoted.lines, orders, strict=True)]
    tried = _tried(world, state, orders)
    return ReservePlan(
        tuple(replace(line, obstacles=obstacles) for line, obstacles in zip(lines, tried, strict=True)),
        tuple(_total(state, *key, cost) for key, cost in sorted(costs.items())),
        quoted.total,
    )


def _total(state: State, nation: str, track: str, cost: Fraction) -> PlanTotal:
    have = accounts.left(state, track, nation)
    return PlanTotal(nation, track, cost, have, have - cost)


def _planned(q: Changing, line: Line, order: Command) -> PlannedChange:
    return PlannedChange(
        unit=line.unit,
        change=_in_words(order),
        payer=q.payer,
        depot=line.depot,
        size=q.size.working,
        size_clauses=tuple(q.size.because.split()),
        charge=line.working,
        free_by=q.waived,
        cost=line.cost,
        order=order_data(order),
    )


def _in_words(command: Command) -> str:
    if isinstance(command, EnterStrategicReserve):
        return WISHES[INTO_MEDITERRANEAN if command.mediterranean else INTO_STRATEGIC]
    return WISHES[IN if isinstance(command, EnterReserve) else OUT]


def _order(world: EuropaWorld, state: State, command: Command, depot: str) -> Command:
    """The change charged to a depot; out of the Strategic Reserve Box, into the depot's MD or the first at home."""
    if isinstance(command, LeaveStrategicReserve):
        offered = LeaveStrategicReserve.offers(world, state, state.units[command.unit])
        ways = [each.into for each in offered if isinstance(each, LeaveStrategicReserve)]
        near = world.spot(depot).area if depot else ""
        return replace(command, depot=depot, into=near if near in ways else next(iter(ways), ""))
    assert isinstance(command, EnterReserve | LeaveReserve | EnterStrategicReserve)
    return replace(command, depot=depot)


def _tried(world: EuropaWorld, state: State, orders: Sequence[Command]) -> list[tuple[Obstacle, ...]]:
    """What stands in the way of each order when those before it that pass have been carried out."""
    now = state.copy()
    found: list[tuple[Obstacle, ...]] = []
    for order in orders:
        try:
            outcome = decide(world, now, order)
        except Told as error:
            found.append((Obstacle("", error.sentence),))
            continue
        if isinstance(outcome, Decision):
            evolve(now, outcome.events)
            found.append(())
        else:
            found.append(tuple(Obstacle(each.clause, each.whole) for each in outcome.reasons))
    return found


def order_data(command: Command) -> dict[str, Any]:
    """An order as forms and programs send it back."""
    data: dict[str, Any] = json.loads(codec.encode(command))
    return data
