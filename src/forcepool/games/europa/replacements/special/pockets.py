"""52.F.4.b and 52.F.2/3  What is in a pocket, and what becomes of it: relieved, dissolved, or lost."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import kept, subject_key, unit_key
from forcepool.engine.ledger import LOST, Account
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.facts import NOT_ISOLATED, EuropaFacts
from forcepool.games.europa.ground.placing import ARMY_OR_HIGHER, RETURNS, is_disrupted
from forcepool.games.europa.ground.soviet_pools import own_pool
from forcepool.games.europa.ground.tallies import COUNTED, SUPPLY, UNISOLATED, as_infantry, retally
from forcepool.games.europa.replacements.special.special import SPECIAL
from forcepool.games.europa.world import (
    DISRUPTED,
    DUE,
    ELIMINATED,
    FORMING,
    ISOLATED,
    LOCAL,
    NATIONAL,
    REINFORCEMENT_TRACK,
    EuropaWorld,
)
from forcepool.rulebook.citations import computed

POCKET, FORTIFICATION, ISLAND = KINDS = ("pocket", "fortification", "island")
AUXILIARY, OF_FRONT, OF_SIDE, CUT_OFF = "auxiliary", "auxiliary_front", "auxiliary_side", "auxiliary_cut_off"
FORMED, BEFORE_PLAY = "auxiliary_pools_formed", "auxiliary_before_play"

DISSOLVING = switch(
    "auxiliary-dissolved",
    "52.F.4.b/6",
    "what becomes of the points when an auxiliary pool is dissolved or loses its HQ",
    tenth="a tenth of them goes to the nation's pool as infantry",
    full="all of them go to the nation's pool",
    afresh="the losses behind them are reckoned afresh at a tenth, as infantry",
    lost="they are lost",
)
LAST_UNIT = switch(
    "last-unit-lost",
    "52.F.2/3",
    "what becomes of an auxiliary pool's points when the HQ that is lost was its last unit",
    lost="all are lost",
    dissolved="the pool is dissolved as if others were left",
)
LAST_DISRUPTED = switch(
    "last-unit-disrupted",
    "52.G/2",
    "what becomes of a pocket's pool when the last unit in it is disrupted",
    dissolved="it is dissolved: the disrupted units and the points are isolated losses",
    lost="it falls as with its last unit lost: all the points are lost",
)
ISLANDS = switch(
    "auxiliary-island",
    "52.F.4.b/8",
    "whether an island's pool ends when its units are no longer isolated",
    ends="it does",
    stays="an island keeps its pool for the whole game",
)


# ------------------------------------------------------------------------------------------- what is where


def pool_of(pocket: str) -> str:
    return LOCAL + pocket.strip().casefold()


def units_in(world: EuropaWorld, state: State, pool: str) -> list[Unit]:
    """The units on the map that were declared to be in the pocket, in order."""
    facts = world.facts(state)
    found = []
    for on in sorted(state.marked.get("pocket", ())):
        unit = state.units.get(on.removeprefix("unit/"))
        if unit is not None and unit.place.kind == HEX and pool_of(facts.of_unit(unit, "pocket")) == pool:
            found.append(unit)
    return found


def still_inside(world: EuropaWorld, state: State, pool: str) -> list[Unit]:
    """The units in the pocket that are isolated still; a fortress or an island keeps all of its own."""
    units = units_in(world, state, pool)
    if is_formed(world, state, pool) in (FORTIFICATION, ISLAND):
        return units
    return [each for each in units if any_isolated(world, state, [each])]


def pocket_around(world: EuropaWorld, state: State, unit: Unit) -> str:
    """The local pool of the pocket, fortification or island that a unit is in still; empty elsewhere."""
    name = world.facts(state).of_unit(unit, "pocket")
    pool = pool_of(name) if name else ""
    return pool if pool and unit in still_inside(world, state, pool) else ""


def pool_around(world: EuropaWorld, state: State, unit: Unit) -> str:
    """As `pocket_around`, where the pool is an auxiliary one."""
    pool = pocket_around(world, state, unit)
    return pool if pool and is_formed(world, state, pool) else ""


def is_formed(world: EuropaWorld, state: State, pool: str) -> str:
    """'pocket', 'fortification' or 'island' when the pool was declared, else nothing."""
    return str(world.facts(state).of_area(pool, AUXILIARY) or "")


def front_around(world: EuropaWorld, state: State, pool: str) -> str:
    """The front an auxiliary pool was formed in."""
    return str(world.facts(state).of_area(pool, OF_FRONT) or "")


def is_army_hq(world: EuropaWorld, unit: Unit) -> bool:
    return _is_an_army_hqs(world, unit.spec)


def _is_an_army_hqs(world: EuropaWorld, spec: UnitSpec) -> bool:
    return world.has_role(spec, "hq") and spec.size in ARMY_OR_HIGHER


@kept
def army_hqs(world: EuropaWorld, facts: EuropaFacts) -> tuple[str, ...]:
    """The names of all army HQs there are, in order."""
    return tuple(name for name, spec in facts.state.specs() if _is_an_army_hqs(world, spec))


def any_isolated(world: EuropaWorld, state: State, units: list[Unit]) -> bool:
    facts = world.facts(state)
    return any(facts.isolated(unit) != NOT_ISOLATED for unit in units)


def formed_pools(world: EuropaWorld, state: State) -> list[str]:
    """Every auxiliary pool there is, in order."""
    return sorted(on.removeprefix("area/") for on in state.marked.get(AUXILIARY, ()))


def held(state: State, pool: str) -> list[tuple[Account, Fraction]]:
    """The points in the pool, those that will be, and those disrupted that would have come back to it."""
    return [
        (account, amount)
        for account, amount in sorted(state.balances.items())
        if amount and (account.pool == pool or _is_to_come(account, pool) or _disrupted_of(account, pool))
    ]


def _is_to_come(account: Account, pool: str) -> bool:
    return account.pool.startswith(DUE) and account.pool.endswith(f"/{pool}")


def _disrupted_of(account: Account, pool: str) -> bool:
    return account.pool.startswith(DISRUPTED) and account.pool.endswith(f"/{pool}")


# ------------------------------------------------------------------------------------------- relief and fall


def _cleared(state: State, pool: str, because: str) -> Iterator[Event]:
    """The pool is one no more, and the losses once counted in it are forgotten."""
    on = subject_key("area", pool)
    for mark in (AUXILIARY, OF_FRONT, OF_SIDE, CUT_OFF, BEFORE_PLAY):
        if state.mark(on, mark) is not None:
            yield Marked(on=on, mark=mark, because=because)
    kept = f"{COUNTED}/{pool}"
    for account, amount in sorted(state.balances.items()):
        if account.pool == kept and amount:
            yield Transferred(amount=amount, kind=account.kind, nation=account.nation, frm=kept, to=COUNTED)


def lying_in(state: State, pool: str) -> Iterator[Unit]:
    """Units in the pool's box or on its track."""
    for unit in state.units_in_order():
        if unit.place.of == pool and unit.place.kind in (ELIMINATED, TRACK, FORMING, REINFORCEMENT_TRACK):
            yield unit


@computed("52.F.4.b/8")
def relieved(world: EuropaWorld, state: State, pool: str, front: str, because: str) -> Iterator[Event]:
    """Everything in the pool joins its front at once."""
    for account, amount in held(state, pool):
        whose = front
        if not _disrupted_of(account, pool):
            whose = own_pool(world, state, front, account.nation, account.kind)
        to = account.pool.removesuffix(pool) + whose
        yield Transferred(
            amount=amount,
            kind=account.kind,
            nation=account.nation,
            frm=account.pool,
            to=to,
            because=because,
            says="the pocket is relieved",
        )
    for unit in lying_in(state, pool):
        to_place = Place(unit.place.kind, front, unit.place.due)
        yield Moved(unit=unit.id, frm=unit.place, to=to_place, because=because, says="the pocket is relieved")
    yield from retally(state, pool, UNISOLATED, front, because)
    if is_formed(world, state, pool) == POCKET:
        for unit in units_in(world, state, pool):
            yield Marked(on=unit_key(unit.id), mark="pocket", because=because, says="the pocket is relieved")
    yield from _cleared(state, pool, because)


@computed("52.F.4.b/6")
def dissolved(world: EuropaWorld, state: State, pool: str, ruling: str, because: str) -> Iterator[Event]:
    """The units in the pool go to the ELIMINATED ISOLATED BOX, and little of the points is saved."""
    saved: dict[tuple[str, str], Fraction] = {}
    for account, amount in held(state, pool):
        full = ruling == "full"
        yield Transferred(
            amount=amount,
            kind=account.kind,
            nation=account.nation,
            frm=account.pool,
            to=NATIONAL + account.nation if full else LOST,
            because=because,
            says="the auxiliary pool is dissolved",
        )
        if ruling == "tenth":
            key = account.nation, as_infantry(world, state, account.kind)
            saved[key] = saved.get(key, Fraction(0)) + amount
    if ruling == "afresh":
        for account, amount in sorted(state.balances.items()):
            if account.pool == f"{COUNTED}/{pool}" and amount:
                key = account.nation, as_infantry(world, state, account.kind)
                saved[key] = saved.get(key, Fraction(0)) + amount
    rate = world.numbers["dissolved_rate"]
    for (nation, kind), amount in sorted(saved.items()):
        yield Transferred(
            amount=amount * rate,
            kind=kind,
            nation=nation,
            frm=SPECIAL,
            to=NATIONAL + nation,
            because=because,
            says=f"{show_points(amount)} × {show_points(rate)} = {show_points(amount * rate)}, as isolated losses",
        )
    yield from _to_the_isolated_box(world, state, pool, because)


@computed("52.F.2/3")
def fallen(world: EuropaWorld, state: State, pool: str) -> Iterator[Event]:
    """With its last unit a pocket loses all the points saved in it."""
    for account, amount in held(state, pool):
        yield Transferred(
            amount=amount,
            kind=account.kind,
            nation=account.nation,
            frm=account.pool,
            to=LOST,
            because="52.F.2/3",
            says="the last unit of the pocket is lost",
        )
    yield from _to_the_isolated_box(world, state, pool, "52.F.2/3")


def _to_the_isolated_box(world: EuropaWorld, state: State, pool: str, because: str) -> Iterator[Event]:
    for unit in lying_in(state, pool):
        to = Place(ISOLATED, NATIONAL + unit.spec.nation)
        yield Moved(unit=unit.id, frm=unit.place, to=to, because=because)
        if is_disrupted(state, unit):
            yield Marked(on=unit_key(unit.id), mark=RETURNS, because=because, says="its pocket is no more")
    front = front_around(world, state, pool) or pool
    yield from retally(state, pool, SUPPLY, front, because)
    yield from _cleared(state, pool, because)


def is_relieved(world: EuropaWorld, state: State, pool: str) -> bool:
    """Whether units that were cut off when the pool was formed, or since, are isolated no more."""
    facts = world.facts(state)
    if facts.of_area(pool, CUT_OFF) is not True:
        return False
    kept = is_formed(world, state, pool) == ISLAND and world.ruling(state, ISLANDS.key) == "stays"
    units = units_in(world, state, pool)
    return bool(units) and not kept and not any_isolated(world, state, units)
