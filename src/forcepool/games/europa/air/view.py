"""Rule 28 as a page shows it: the clock of the cycle, ARPs and their ceiling, the boxes, rare codes and the Air OB."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.calendar import Clock
from forcepool.engine.ledger import Account
from forcepool.engine.places import HEX, OUT, TRACK
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.games.europa.air import arps, ceiling, cycle, spending
from forcepool.games.europa.air.ob_view import AirOrderLine, SeesAccount, SeesUnit, order_lines
from forcepool.games.europa.air.prices import Bill, repairing, replacing
from forcepool.games.europa.air.purse import Purse
from forcepool.games.europa.air.question import (
    ABORTED,
    ANTI_SHIPPING,
    OPERATIVE,
    WITHDRAWN,
    air_units,
    area_of,
    chart_of,
    status_of,
)
from forcepool.games.europa.air.regrouping import pairs_with
from forcepool.games.europa.air.status import EXTENDED, FLOWN, RaiseAirStatus
from forcepool.games.europa.ground.placing import INOPERATIVE
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.world import ELIMINATED, NATIONAL, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.aircraft import codes_of

BOXES = {
    OPERATIVE: ("Operative", "28.D.list.1/1"),
    FLOWN: ("Flown", "28.D.list.1/1"),
    EXTENDED: ("Extended", "28.D.list.1/1"),
    INOPERATIVE: ("Inoperative", "28.D.list.1/1"),
    ABORTED: ("Aborted", "28.D.1/1"),
    ELIMINATED: ("Eliminated", "28.D.1/3"),
    TRACK: ("Coming back", "28.D.1/5"),
    REINFORCEMENT_TRACK: ("Reinforcements", "28.C/1"),
    ANTI_SHIPPING: ("Anti-shipping", "28.C/8"),
    WITHDRAWN: ("Withdrawn", "28.F/1"),
}
"""Status on the map first, then the boxes, with the clause that speaks of each."""


class AirIncome(Struct, frozen=True):
    """ARPs that an Air OB lists for a cycle."""

    pool: str
    nation: str
    arps: Fraction


class AirStep(Struct, frozen=True):
    """What comes next in the cycle."""

    when: str
    what: str
    clauses: tuple[str, ...]
    now: bool


class AirClock(Struct, frozen=True):
    """Where a side is in its air cycle."""

    side: str
    turn: int
    """Which turn of the cycle, from 1."""
    of: int
    last: str
    """The turn the cycle ends with."""
    ending: bool
    steps: tuple[AirStep, ...]
    coming: tuple[AirIncome, ...]
    """What the next cycle brings."""


class ArpPool(Struct, frozen=True):
    """The ARPs of a national force in a theatre: what may be spent, what is owed, and what will lapse."""

    pool: str
    nation: str
    side: str
    arps: Fraction
    owed: Fraction
    """For withdrawals, before any other use."""
    marker: bool
    """Whether a -1/2 ARP marker lies in it."""
    ceiling: Fraction
    """What a replacement phase may spend on units from the boxes."""
    spent: Fraction
    """What of it this phase has spent."""
    left: Fraction
    unbound: bool
    """At the end of the cycle the ceiling no longer holds."""
    lapses: Fraction
    """What is beyond the ARPs that outlast the cycle."""
    coming: Fraction
    """On the way from another theatre."""


class RareLine(Struct, frozen=True):
    """What a national force has spent on rare codes this cycle."""

    nation: str
    side: str
    codes: tuple[str, ...]
    spent: Fraction
    limit: Fraction
    left: Fraction
    waiting: int
    """Units with such a code that are aborted or eliminated."""
    clause: str


class AirUnit(Struct, frozen=True):
    """An air unit, its status, and what the next step up costs."""

    unit: str
    nation: str
    side: str
    type: str
    codes: tuple[str, ...]
    where: str
    due: str
    price: Fraction | None
    working: str
    clauses: tuple[str, ...]
    pairs: int
    """Aborted units it could regroup with."""


class AirShelf(Struct, frozen=True):
    """The part of a box that belongs to one front or theatre."""

    area: str
    units: tuple[AirUnit, ...]


class AirBox(Struct, frozen=True):
    """The air units of one status."""

    key: str
    title: str
    clause: str
    count: int
    shelves: tuple[AirShelf, ...]


class AirCycle(Struct, frozen=True):
    """All of rule 28 at one moment, as far as it may be seen."""

    when: str
    clocks: tuple[AirClock, ...]
    pools: tuple[ArpPool, ...]
    rare: tuple[RareLine, ...]
    boxes: tuple[AirBox, ...]
    orders: tuple[AirOrderLine, ...]
    kept: Fraction
    """ARPs a pool keeps as a cycle ends."""


def air(
    world: EuropaWorld,
    state: State,
    *,
    sees: SeesUnit = lambda unit: True,
    holds: SeesAccount = lambda account: True,
) -> AirCycle:
    """The air cycle of those units and points that may be seen."""
    units = [unit for unit in air_units(world, state) if sees(unit) and unit.place.kind != OUT]
    pools = tuple(arp_pools(world, state, holds))
    lines = tuple(order_lines(world, state, sees, holds))
    sides = {world.side_now(state, unit.spec.nation) for unit in units}
    sides |= {each.side for each in pools} | {each.side for each in lines}
    return AirCycle(
        when=world.when(state),
        clocks=tuple(_clock(world, state, side, holds) for side in world.sequence.players if side in sides),
        pools=pools,
        rare=tuple(_rare(world, state, units, holds)),
        boxes=_boxes(world, state, units),
        orders=lines,
        kept=world.numbers["arps_kept"],
    )


# ----------------------------------------------------------------------------------------------- the clock


def _clock(world: EuropaWorld, state: State, side: str, holds: SeesAccount) -> AirClock:
    number, last = cycle.cycle_of(world, state, side), cycle.last_turn_of_cycle(world, state, side)
    per_cycle = world.calendar.turns_per_month
    own_turn = state.clock.turn - (state.clock.player < cycle.seat_of(world, side))
    return AirClock(
        side=side,
        turn=own_turn - number * per_cycle + 1,
        of=per_cycle,
        last=world.turn_name(last),
        ending=cycle.at_end_of_cycle(world, state, side),
        steps=tuple(_steps(world, state, side)),
        coming=tuple(
            AirIncome(pool, nation, amount)
            for pool, nation, amount in arps.listed(world, state, side, number + 1)
            if holds(Account(pool, nation, arps.ARP))
        ),
    )


def _steps(world: EuropaWorld, state: State, side: str) -> Iterator[AirStep]:
    """The phases in which something can be done next, and the end of the cycle, in their order."""
    number, seat = world.numbers, cycle.seat_of(world, side)
    last = cycle.last_turn_of_cycle(world, state, side)
    ends = Clock(last, seat, len(world.sequence.phases_of(seat)) - 1)
    ending = cycle.at_end_of_cycle(world, state, side)
    sent, kept = show_points(number["arps_transferred"]), show_points(number["arps_kept"])
    share = "half" if number["arps_share"] == Fraction(1, 2) else show_points(number["arps_share"])
    found = [
        (
            _next(world, state, seat, REINFORCEMENT),
            f"Place what arrives, regroup, convert, withdraw; up to {sent} ARPs a pool go to another theatre",
            ("28/3", "28.D.list.4/1"),
        ),
        (
            _next(world, state, seat, REPLACEMENT),
            f"Repair and replace from the boxes, with {share} of each pool or for one unit",
            ("28/4", "28.D.list.3/1", "28.D.list.3/2"),
        ),
        (
            state.clock if ending else ends,
            f"Repair and replace without the usual limit: what a pool then has beyond {kept} ARPs is lost",
            ("28.D.list.5/2", "28.D.list.5/3"),
        ),
    ]
    for clock, what, clauses in sorted(found, key=lambda step: (step[0].turn, step[0].player, step[0].phase)):
        when = world.sequence.describe(world.calendar, clock)
        yield AirStep(when, what, clauses, now=clock == state.clock)


def _next(world: EuropaWorld, state: State, seat: int, phase: str) -> Clock:
    """The next such phase of a player, this one included."""
    clock, order = state.clock, world.order_of_phases(state)
    while clock.player != seat or world.sequence.phase_at(clock) != phase:
        clock = world.sequence.next(clock, order)
    return clock


# ---------------------------------------------------------------------------------------------------- ARPs


def arp_pools(world: EuropaWorld, state: State, holds: SeesAccount) -> Iterator[ArpPool]:
    """Every pool of ARPs that may be seen, side by side."""
    for side in world.sequence.players:
        for pool, nation, balance in arps.holdings(world, state, side):
            if holds(Account(pool, nation, arps.ARP)):
                yield _arp_pool(world, state, side, pool, nation, balance)


def _arp_pool(world: EuropaWorld, state: State, side: str, pool: str, nation: str, balance: Fraction) -> ArpPool:
    q, owed = Purse(world, state, pool, nation), arps.owed(state, pool, nation)
    limit, spent = max(Fraction(0), ceiling.ceiling(q)), ceiling.spent_under_it(q)
    coming = [amount for _, amount in arps.coming_to(state, pool, nation)]
    unbound, free = cycle.at_end_of_cycle(world, state, side), max(Fraction(0), balance - owed)
    return ArpPool(
        pool=pool,
        nation=nation,
        side=side,
        arps=balance,
        owed=owed,
        marker=arps.has_marker(state, pool, nation),
        ceiling=limit,
        spent=spent,
        left=free if unbound else min(free, max(Fraction(0), limit - spent)),
        unbound=unbound,
        lapses=arps.excess(world, state, pool, nation),
        coming=sum(coming, Fraction(0)),
    )


def _rare(world: EuropaWorld, state: State, units: list[Unit], holds: SeesAccount) -> Iterator[RareLine]:
    """The counts of rare codes of each national force that has air units."""
    facts = world.facts(state)
    for nation in sorted({air_force_of(unit.spec) for unit in units}):
        if not holds(Account(NATIONAL + nation, nation, arps.ARP)):
            continue
        for row in world.chart("rare_codes"):
            of_it = (unit for unit in units if air_force_of(unit.spec) == nation)
            rare = [unit for unit in of_it if set(codes_of(unit.spec)) & set(row.codes)]
            spent = facts.points(arps.counted(nation), row.counted)
            if rare or spent:
                waiting = sum(unit.place.kind in (ABORTED, ELIMINATED) for unit in rare)
                side, left = world.side_now(state, nation), max(Fraction(0), row.arps - spent)
                yield RareLine(nation, side, row.codes, spent, row.arps, left, waiting, row.clause)


# --------------------------------------------------------------------------------------------------- boxes


def _boxes(world: EuropaWorld, state: State, units: list[Unit]) -> tuple[AirBox, ...]:
    facts = world.facts(state)
    found: dict[str, dict[str, list[Unit]]] = {}
    for unit in units:
        key = status_of(facts, unit) if unit.place.kind == HEX else unit.place.kind
        found.setdefault(key, {}).setdefault(chart_of(world, area_of(world, facts, unit)), []).append(unit)
    listed = [key for key in BOXES if key in found] + sorted(set(found) - set(BOXES))
    return tuple(_box(world, state, key, found[key]) for key in listed)


def _box(world: EuropaWorld, state: State, key: str, by_area: dict[str, list[Unit]]) -> AirBox:
    title, clause = BOXES.get(key, (key.capitalize(), ""))
    shelves = tuple(
        AirShelf(area, tuple(air_unit(world, state, unit) for unit in by_area[area])) for area in sorted(by_area)
    )
    return AirBox(key, title, clause, sum(len(shelf.units) for shelf in shelves), shelves)


def air_unit(world: EuropaWorld, state: State, unit: Unit) -> AirUnit:
    """An air unit with the price of its next step up."""
    bill = _bill(world, state, unit)
    return AirUnit(
        unit=unit.id,
        nation=unit.spec.nation,
        side=world.side_now(state, unit.spec.nation),
        type=unit.spec.type,
        codes=codes_of(unit.spec),
        where=world.show_place(unit.place),
        due=world.turn_name(unit.place.due) if unit.place.due else "",
        price=bill.arps if bill else None,
        working=bill.working if bill else "",
        clauses=tuple(bill.because.split()) if bill else (),
        pairs=len(pairs_with(world, state, unit)) if unit.place.kind == ABORTED else 0,
    )


def _bill(world: EuropaWorld, state: State, unit: Unit) -> Bill | None:
    """What brings it up to operative, or back from its box; nothing for a type without a price."""
    if unit.place.kind == ABORTED:
        return repairing(world, unit)
    if unit.place.kind == ELIMINATED:
        priced = any(unit.spec.type in row.types for row in world.chart("air_prices"))
        return replacing(world, unit) if priced else None
    if unit.place.kind == HEX and status_of(world.facts(state), unit) != OPERATIVE:
        command = RaiseAirStatus(unit=unit.id)
        return command.bill(spending.Spending(world, state, command))
    return None
