"""49.A.3 and 49.B.3  Replacement points from reserves, worked out in week 4 and usable on turn 1."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import subject_key
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import ACTIVE, INACTIVE, SEMI_ACTIVE, SIDES_WITH, STRATEGIC, EuropaFacts
from forcepool.games.europa.ground.placing import STRATEGIC_BOX
from forcepool.games.europa.ground.pools import REINFORCEMENT, received, usable_from
from forcepool.games.europa.ground.soviet_pools import ARM, ART, GENERAL_POOLS, SOVIET, SOVIET_UNION, lies_in
from forcepool.games.europa.ground.standing import NATIONAL_RESERVE
from forcepool.games.europa.ground.tallies import counted_as, pool_where_it_stood
from forcepool.games.europa.replacements.general.receipts import HAD_ITS_POINTS, joined, joins_late
from forcepool.games.europa.replacements.special.special import rate_for, soviet_pool
from forcepool.games.europa.reserves.changes import LEFT, in_any_reserve, is_forming, reserve_of
from forcepool.games.europa.reserves.deployment import activity_of
from forcepool.games.europa.reserves.mediterranean import stopped
from forcepool.games.europa.reserves.sizes import district_of, has_armour_symbol
from forcepool.games.europa.reserves.strategic import RESERVE_MD
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

GENERATED = "source/reserves"

POOL = switch(
    "reserve-rp-pool",
    "49.A.3/3",
    "which pool the replacement points of reserves go to",
    nation="the nation's; Soviet armour and artillery to the general pools",
    front="that of the front the unit is in, for the Soviets of the MD",
)

DIVISORS = {
    INACTIVE: ("generation_inactive", "49.A.3.a/1"),
    SEMI_ACTIVE: ("generation_semi_active", "49.A.3.b/1"),
    ACTIVE: ("generation_active", "49.A.3.c/1"),
}


class Group(NamedTuple):
    """Units whose points are worked out alike."""

    nation: str
    pool: str
    kind: str
    level: str
    doubled: bool


# ---------------------------------------------------------------------------------------------- one unit


@computed("49.A.3/4")
def value_of(world: EuropaWorld, unit: Unit) -> Fraction:
    """RE size plus the average of attack and defence, of the counter as it lies."""
    return training_size(world, unit.spec, unit.step) + unit.spec.strength(unit.step).points


@computed("49.A.3/6")
def training_size(world: EuropaWorld, spec: UnitSpec, step: str) -> Fraction:
    """The RE size, which counts double for a training unit."""
    res = world.res(spec, step)
    return res * world.numbers["training_re_factor"] if world.has_role(spec, "training") else res


@meets_one_of("49.A.3/8", "49.A.3/9", "49.A.3/10")
def kind_of(world: EuropaWorld, state: State, spec: UnitSpec) -> str:
    """Armour for a unit with an armour symbol, artillery for Soviet artillery, infantry of its force for the rest."""
    if has_armour_symbol(world, spec):
        kind, clause = ARM, "49.A.3/8"
    elif world.side_now(state, spec.nation) == SOVIET and world.has_role(spec, "artillery"):
        kind, clause = ART, "49.A.3/9"
    else:
        kind, clause = world.infantry_of(spec), "49.A.3/10"
    heard(clause, COMPUTED)
    return kind


@computed("49.A.3/2")
def is_well_placed(facts: EuropaFacts, unit: Unit) -> bool:
    """In a town or city; a box counts as a city."""
    if unit.place.on_map:
        return facts.is_settlement(unit.place.of)
    return unit.place.kind == STRATEGIC_BOX or is_forming(unit)


@computed("49.A.1.e/2")
def stayed(facts: EuropaFacts, unit: Unit) -> bool:
    """Whether a unit has not left a reserve earlier in the month."""
    return not facts.of_unit(unit, LEFT)


def md_of(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> str:
    """The MD a unit is in, in an enemy's its own front; for the Strategic Reserve Box the one it left."""
    if unit.place.kind == STRATEGIC_BOX:
        return facts.of_unit(unit, RESERVE_MD)
    return district_of(world, facts, unit)


@computed("51.C.1/5")
def is_free(facts: EuropaFacts, unit: Unit) -> bool:
    """Whether a unit is in no national reserve, which brings nothing whatever other reserve it is put in."""
    return not facts.is_so(unit, NATIONAL_RESERVE)


def generates(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether a unit in reserve brings replacement points now."""
    facts = world.facts(state)
    return (
        in_any_reserve(facts, unit)
        and not world.has_role(unit.spec, "air")
        and is_free(facts, unit)
        and is_well_placed(facts, unit)
        and stayed(facts, unit)
        and not stopped(world, state, unit)
    )


# ------------------------------------------------------------------------------------------------- pools


@computed("49.A.3/3")
def pool_for(world: EuropaWorld, state: State, unit: Unit, kind: str) -> str:
    """The nation's pool; by a house rule that of the front, and Soviet armour and artillery in the general pools."""
    nation, whose, facts = unit.spec.nation, counted_as(unit.spec), world.facts(state)
    soviet = world.side_now(state, nation) == SOVIET
    if world.ruling(state, POOL.key) == "front" and (md := md_of(world, facts, unit)):
        return lies_in(world, state, pool_where_it_stood(world, state, md, nation), whose, kind)[0]
    return soviet_pool(world, state, nation, kind) if soviet else NATIONAL + whose


def group_of(world: EuropaWorld, state: State, unit: Unit) -> Group:
    facts = world.facts(state)
    kind = kind_of(world, state, unit.spec)
    md = md_of(world, facts, unit)
    # Of a unit that a scenario sets up in the Strategic Reserve Box nobody knows an MD; no part of the rear is quieter.
    level = activity_of(world, facts, md) if md or unit.place.kind != STRATEGIC_BOX else INACTIVE
    pool = pool_for(world, state, unit, kind)
    return Group(counted_as(unit.spec), pool, kind, level, reserve_of(facts, unit) == STRATEGIC)


@meets_one_of(*(clause for _, clause in DIVISORS.values()))
@computed("49.A.3/5", "49.A.3/11")
def points(world: EuropaWorld, state: State, group: Group, value: Fraction) -> tuple[Fraction, str]:
    """Value times the special replacement rate, divided by the number of the MD's activity."""
    number, clause = DIVISORS[group.level]
    heard(clause, COMPUTED)
    divisor, (rate, _) = world.numbers[number], rate_for(world, state, group.nation)
    amount = value * rate / divisor
    says = f"{show_points(value)} × {show_points(rate)} / {show_points(divisor)}"
    if group.doubled:
        amount, says = twice(world, amount), f"{says} × {show_points(world.numbers['strategic_rps'])}"
    return amount, f"{says} = {show_points(amount)}"


@computed("49.B.3/1")
def twice(world: EuropaWorld, amount: Fraction) -> Fraction:
    """Strategic reserve brings twice the points."""
    return amount * world.numbers["strategic_rps"]


# ---------------------------------------------------------------------------------------------- each month


def generate(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the reinforcement phase of week 4 begins, before any change, the reserves of its player bring their points."""
    if world.phase(state) != REINFORCEMENT or not _is_in_the_week(world, state):
        return
    facts = world.facts(state)

    def has_its_phase(nation: str) -> bool:
        paid = facts.of_nation(nation, HAD_ITS_POINTS)
        return not paid and world.has_the_turn(state, world.side_now(state, nation))

    yield from _brought(world, state, has_its_phase)


@computed("49.A.3/1")
def generated_as_it_joins(q: Any) -> Iterator[Event]:
    """The reserves of a nation that changes sides in week 4 bring points once, whichever side is first."""
    if _is_in_the_week(q.world, q.state) and joins_late(q):
        yield from _brought(q.world, joined(q), lambda nation: subject_key("nation", nation) == q.on)


def _is_in_the_week(world: EuropaWorld, state: State) -> bool:
    return world.calendar.week(state.clock.turn) == world.numbers["generation_week"]


def _brought(world: EuropaWorld, state: State, counts: Callable[[str], bool]) -> Iterator[Event]:
    groups: dict[Group, tuple[Fraction, int]] = {}
    for unit in state.units_in_order():
        if counts(unit.spec.nation) and generates(world, state, unit):
            group = group_of(world, state, unit)
            value, units = groups.get(group, (Fraction(0), 0))
            groups[group] = (value + value_of(world, unit), units + 1)
    for group, (value, units) in sorted(groups.items()):
        yield from _received(world, state, group, value, units)


def _received(world: EuropaWorld, state: State, group: Group, value: Fraction, units: int) -> Iterator[Event]:
    amount, working = points(world, state, group, value)
    if not amount:
        return
    why = f"49.A.3/1 49.A.3/3 49.A.3/5 {DIVISORS[group.level][1]}{' 49.B.3/1' if group.doubled else ''}"
    reserve = STRATEGIC if group.doubled else "operational"
    yield Transferred(
        amount=amount,
        kind=group.kind,
        nation=SOVIET_UNION if group.pool in GENERAL_POOLS.values() else group.nation,
        frm=GENERATED,
        to=usable_from(world.calendar.next_month(state.clock.turn), received(group.pool)),
        because=why,
        says=f"{units} units in {reserve} reserve, {group.level} MDs: {working}",
    )


CHAPTER = Chapter(
    heading="49.A.3",
    switches=(POOL,),
    happens=(generate,),
    declared={SIDES_WITH: (generated_as_it_joins,)},
)
