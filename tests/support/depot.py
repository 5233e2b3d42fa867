"""A tiny game for tests of plans: units come back in two steps, from two pools that fill, lapse and are limited.

Its clauses are its own, so that playing it proves nothing about the rules of a real game.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from random import Random
from typing import Any

from msgspec.structs import replace

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.calendar import Calendar, Clock, Sequence, Turn
from forcepool.engine.command import Command, Question
from forcepool.engine.desk import Advance
from forcepool.engine.events import Became, Event, Moved, Transferred
from forcepool.engine.game import Carries, Game, Habit
from forcepool.engine.ledger import SETUP, SPENT, Account
from forcepool.engine.places import TRACK, Place, at_hex, on_track
from forcepool.engine.points import parse_points, store_points
from forcepool.engine.standing import ALLOWANCE, COMING, Standing
from forcepool.engine.state import State, Unit, add_unit
from forcepool.engine.units import CADRE, FULL, Strength, UnitSpec
from forcepool.engine.verdicts import YES, Verdict, no
from forcepool.engine.world import World
from tests.support.ring import house_rule, no_scenarios

DEAD = Place("dead", "Red")
POOLS = ("north", "south")
MONTHLY, CARTS, COMES = "monthly", "carts", "due/"
LAPSED = "sink/lapsed"
FIRST = Turn(1941 * 48)
KIND = "inf"


class Depot(World):
    """Red rebuilds, Blue looks on."""

    def __init__(self, receipts: Mapping[tuple[str, int], Fraction], cap: Fraction, rooms: int) -> None:
        sequence = Sequence(players=("Red", "Blue"), phases=("supply", "replacement"))
        super().__init__(GAME, Calendar(turns_per_month=4), sequence, {"Red": "Red", "Blue": "Blue"})
        self.receipts, self.cap, self.rooms = receipts, cap, rooms

    def standing(self, account: str) -> Standing:
        if account.startswith(COMES):
            _, turn, pool = account.split("/")
            return Standing(pool, COMING, int(turn))
        return Standing(account, ALLOWANCE) if account in (MONTHLY, CARTS) else Standing(account)


def price(unit: Unit) -> Fraction:
    """The dead cost what their cadre is worth, cadres half of what they gain."""
    full = unit.spec.full.points
    return unit.spec.strength(CADRE).points if unit.place == DEAD else (full - unit.spec.strength(CADRE).points) / 2


def serves(unit: Unit, pool: str) -> bool:
    return unit.spec.force in ("", pool)


@house_rule("depot.1")
def in_own_phase(q: Any) -> Verdict:
    return YES if (q.world.phasing(q.state), q.world.phase(q.state)) == ("Red", "replacement") else no("not now")


@house_rule("depot.2")
def can_pay(q: Any) -> Verdict:
    have, need = q.state.balance(q.command.pool, "Red", KIND), price(q.unit)
    if not serves(q.unit, q.command.pool):
        return no(f"{q.command.pool} does not serve it")
    return YES if have >= need else no("too few points", have=have, need=need)


@house_rule("depot.3")
def is_within_the_month(q: Any) -> Verdict:
    have = q.state.balance(MONTHLY, "Red", "units")
    return YES if have >= 1 else no("no more this month", have=have, need=Fraction(1))


@house_rule("depot.4")
def is_dead(q: Any) -> Verdict:
    return YES if q.unit.place == DEAD else no("it is not dead")


@house_rule("depot.5")
def is_a_cadre_on_the_map(q: Any) -> Verdict:
    return YES if q.unit.place.on_map and q.unit.step == CADRE else no("it is no cadre on the map")


@house_rule("depot.6")
def there_is_room(q: Any) -> Verdict:
    there = len(list(q.state.stack(q.command.at)))
    return YES if there < q.world.rooms else no("there is no room")


class Replace(Command, tag="replace", frozen=True):
    """Bring a dead unit back as a cadre, a turn later."""

    unit: str
    pool: str
    requires = (in_own_phase, is_dead, can_pay)

    def effects(self, q: Question) -> Iterator[Event]:
        yield Transferred(amount=price(q.unit), kind=KIND, nation="Red", frm=self.pool, to=SPENT)
        yield Became(unit=q.unit.id, was=q.unit.step, step=CADRE)
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=on_track("Red", q.state.clock.turn + 1))

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place == DEAD:
            yield from (cls(unit=unit.id, pool=pool) for pool in POOLS if serves(unit, pool))


class RebuildCadre(Command, tag="rebuild-cadre", frozen=True):
    """Make a cadre full where it stands; so many a month."""

    unit: str
    pool: str
    requires = (in_own_phase, is_a_cadre_on_the_map, can_pay, is_within_the_month)

    def effects(self, q: Question) -> Iterator[Event]:
        yield Transferred(amount=price(q.unit), kind=KIND, nation="Red", frm=self.pool, to=SPENT)
        yield Transferred(amount=Fraction(1), kind="units", nation="Red", frm=MONTHLY, to=SPENT)
        yield Became(unit=q.unit.id, was=CADRE, step=FULL)

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.on_map and unit.step == CADRE:
            yield from (cls(unit=unit.id, pool=pool) for pool in POOLS if serves(unit, pool))


class Sending(Question):
    """Points on the road."""

    @property
    def amount(self) -> Fraction:
        return parse_points(self.command.points.split()[0])


@house_rule("depot.7")
def can_be_sent(q: Any) -> Verdict:
    have, carts = q.state.balance(q.command.pool, "Red", KIND), q.state.balance(CARTS, "Red", "carts")
    return YES if q.amount <= have and q.amount / 2 <= carts else no("too much", have=have, need=q.amount)


class Send(Command, tag="send", frozen=True):
    """Send points from one pool to the other: there next turn, two to a cart."""

    pool: str
    into: str
    points: str
    question = Sending
    requires = (in_own_phase, can_be_sent)

    def effects(self, q: Any) -> Iterator[Event]:
        to = f"{COMES}{q.state.clock.turn + 1}/{self.into}"
        yield Transferred(amount=q.amount, kind=KIND, nation="Red", frm=self.pool, to=to)
        yield Transferred(amount=q.amount / 2, kind="carts", nation="Red", frm=CARTS, to=SPENT)

    @classmethod
    def offers_to_side(cls, world: World, state: State, side: str) -> Iterator[Command]:
        for pool, into in (POOLS, POOLS[::-1]) if side == "Red" else ():
            if have := state.balance(pool, "Red", KIND):
                yield cls(pool=pool, into=into, points=f"{have} {KIND}")


class PlaceUnit(Command, tag="place", frozen=True):
    """Put what has arrived on the map."""

    unit: str
    at: str
    requires = (in_own_phase, there_is_room)

    def effects(self, q: Question) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(self.at))

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == TRACK and unit.place.due <= state.clock.turn:
            yield from (cls(unit=unit.id, at=f"hex {number}") for number in range(3))


def comes(world: Any, state: State) -> Iterator[Event]:
    """As Red's turn begins, what is above the cap lapses, and receipts come."""
    if (world.phasing(state), world.phase(state)) != ("Red", "supply"):
        return
    for account, amount in sorted(state.balances.items()):
        if amount and account.pool.startswith(COMES) and world.standing(account.pool).usable <= state.clock.turn:
            to = world.standing(account.pool).pool
            yield Transferred(amount=amount, kind=KIND, nation="Red", frm=account.pool, to=to)
    have = state.balance("south", "Red", KIND)
    if have > world.cap:
        yield Transferred(amount=have - world.cap, kind=KIND, nation="Red", frm="south", to=LAPSED)
    for pool in POOLS:
        amount = world.receipts.get((pool, state.clock.turn))
        if amount:
            yield Transferred(amount=amount, kind=KIND, nation="Red", frm="source/rear", to=pool)


def due(world: Any, state: State) -> Iterator[Item]:
    if (world.phasing(state), world.phase(state)) == ("Red", "replacement"):
        for unit in state.units_in_order():
            for order in PlaceUnit.offers(world, state, unit):
                if isinstance(order, PlaceUnit) and len(list(state.stack(order.at))) < world.rooms:
                    yield Item(DUE, f"place {unit.id}", "depot.6", "Red", order)
                    break


def nobody(data: bytes) -> World:
    raise NotImplementedError("the depot is not read from a file")


PHASE = ("replacement",)
GAME = Game(
    name="depot",
    title="The depot",
    commands=(Replace, RebuildCadre, PlaceUnit, Send, Advance),
    carries=Carries(
        Send,
        reads=lambda world, order: {KIND: parse_points(order.points.split()[0])},
        writes=lambda order, amounts: replace(order, points=f"{store_points(amounts.get(KIND, Fraction(0)))} {KIND}"),
    ),
    build=nobody,
    set_up=no_scenarios,
    happens=(comes,),
    agenda=(due,),
    due=(due,),
    habits={
        "replace": Habit(PHASE, 1, planned=True),
        "rebuild-cadre": Habit(PHASE, 1, planned=True),
        "place": Habit(PHASE, 1),
    },
)


def some_campaign(seed: int, units: int, turns: int) -> tuple[Depot, State]:
    """A campaign left to chance: dead units and cadres of a few kinds, few points, some of which lapse."""
    random = Random(seed)

    def points(most: int) -> Fraction:
        return Fraction(random.randint(0, most * 6), 6)

    receipts = {(pool, FIRST + turn): points(3) for pool in POOLS for turn in range(1, turns + 1)}
    world = Depot(receipts, points(4), random.randint(1, 3))
    state = State(clock=Clock(FIRST, 0, 1))
    for number in range(units):
        full = random.randint(3, 8)
        cadre = random.randint(1, full - 1)
        spec = UnitSpec(
            full=Strength(full, full, 6),
            cadre=Strength(cadre, cadre, 6),
            type="Inf",
            size="XX",
            nation="Red",
            force=random.choice(("", *POOLS)),
        )
        dead = random.random() < 0.6
        add_unit(state, Unit(f"{number} Inf XX", spec, DEAD if dead else at_hex("front"), FULL if dead else CADRE))
    held = {Account(pool, "Red", KIND): points(6) for pool in POOLS}
    state.balances = {**held, Account(MONTHLY, "Red", "units"): Fraction(random.randint(1, units))}
    for account, amount in list(state.balances.items()):
        source = Account(SETUP, "Red", account.kind)
        state.balances[source] = state.balances.get(source, Fraction(0)) - amount
    return world, state


def begun(**held: int) -> tuple[Depot, State]:
    """Two dead divisions of 6 (cadre 2) and a cadre of 8 (4), with so many points in the pools and 9 rebuilds."""
    world = Depot({}, Fraction(100), rooms=3)
    state = State(clock=Clock(FIRST, 0, 1))
    for name, full, cadre, dead in (("1 Inf XX", 6, 2, True), ("2 Inf XX", 6, 2, True), ("3 Pz XX", 8, 4, False)):
        spec = UnitSpec(
            full=Strength(full, full, 6),
            cadre=Strength(cadre, cadre, 6),
            type=name.split()[1],
            size="XX",
            nation="Red",
        )
        add_unit(state, Unit(name, spec, DEAD if dead else at_hex("front"), FULL if dead else CADRE))
    state.balances = {Account(pool, "Red", KIND): Fraction(held.get(pool, 0)) for pool in POOLS}
    state.balances[Account(MONTHLY, "Red", "units")] = Fraction(held.get("monthly", 9))
    return world, state
