"""52.A.11  The REPLACEMENT COSTS TABLE: what a counter costs where its strength does not say it."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from msgspec import field
from msgspec.structs import replace

from forcepool.engine.command import BadCommand
from forcepool.engine.facts import NUMBER, POINTS, Fact, fixed, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.places import HEX, OUT_OF_PLAY
from forcepool.engine.points import parse_points, show_amounts, show_points
from forcepool.engine.sentence import the_field
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL, REMNANT, UnitSpec
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.charts import TO_CADRE, TO_FULL
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground import prices
from forcepool.games.europa.ground.prices import Worth
from forcepool.games.europa.unit_types import Described, fits
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of, shown

COUNTER, RES, CAPACITY, AA_POINT = "counter", "RE", "RE of capacity", "AA point"
ARM = "arm"
BY_ARM = "its arm"
"""Infantry or armour whole, by the arm the unit belongs to; an empty kind is the unit's normal split."""


ZERO_CADRE = switch(
    "zero-cadre",
    "52.A.11/1",
    "what an eliminated unit costs to come back as a cadre of no strength",
    by_size="half a RP for each RE of the cadre, as a unit of no strength",
    free="nothing",
)


class CostLine(Described, frozen=True):
    """A line of the table that prices a counter by something else than its strength."""

    what: str
    each: Fraction
    clause: str
    per: str = COUNTER
    kind: str = ""
    extra_turns: int = 0
    placed_as: str = ""
    """What it is on the map when it arrives, where that is another counter than it was paid for."""
    also_cadre: bool = False
    """Whether the price holds for a counter whose smaller side is the one that arrives."""


class ChartLine(Described, frozen=True):
    """A unit whose price an Axis, Allied or Soviet game chart gives, by kind of RP and step."""

    units: tuple[str, ...] = ()
    """Units by name; left out, those that fit the description."""
    full: dict[str, Fraction] = field(default_factory=dict)
    cadre: dict[str, Fraction] = field(default_factory=dict)
    remnant: dict[str, Fraction] = field(default_factory=dict)
    to_full: dict[str, Fraction] = field(default_factory=dict)
    """What makes its cadre whole, where the chart prices the two steps apart."""


# ------------------------------------------------------------------------------------------- what a unit is worth


def listed(world: EuropaWorld, facts: EuropaFacts, unit: Unit, step: str) -> Worth | None:
    """The price of an eliminated unit by a national game chart or a line of the table; none if strength decides."""
    return (
        charted(world, unit, step) or _by_line(world, facts, unit, step) or _without_strength(world, facts, unit, step)
    )


def worth(world: EuropaWorld, facts: EuropaFacts, unit: Unit, step: str = FULL) -> Worth:
    """What every price and percentage of a unit is taken of."""
    found = listed(world, facts, unit, step)
    if found is not None:
        return found
    strength = prices.strength_of(world, unit.spec, step)
    return Worth(_by_strength(world, unit.spec, step), f"strength {show_points(strength)}", "52.A.3/1")


def _by_strength(world: EuropaWorld, spec: UnitSpec, step: str) -> dict[str, Fraction]:
    """A strength in kinds of RP: what a cadre costs and what makes it whole each in its own."""
    strength = prices.strength_of(world, spec, step)
    if not spec.has(CADRE) or not world.shares_by_stage(spec):
        return {kind: strength * share for kind, share in world.shares(spec).items()}
    if step != FULL:
        return {kind: strength * share for kind, share in world.shares(spec, TO_CADRE).items()}
    cadre = _by_strength(world, spec, CADRE)
    rest = strength - prices.strength_of(world, spec, CADRE)
    return together(cadre, {kind: rest * share for kind, share in world.shares(spec, TO_FULL).items()})


def together(*parts: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Amounts by kind added up."""
    kinds = dict.fromkeys(kind for part in parts for kind in part)
    return {kind: sum((part.get(kind, Fraction(0)) for part in parts), Fraction(0)) for kind in kinds}


@computed("52.A.3/3")
def charted(world: EuropaWorld, unit: Unit, step: str) -> Worth | None:
    """The national game chart is more particular than the table, and the table than the strength."""
    row = _chart_line(world, unit)
    if row is None:
        return None
    amounts: Mapping[str, Fraction] = {FULL: row.full, CADRE: row.cadre, REMNANT: row.remnant}[step]
    if step == FULL and not amounts and row.to_full and unit.spec.has(CADRE):
        amounts = together(row.cadre or _by_strength(world, unit.spec, CADRE), row.to_full)
    return Worth(dict(amounts), f"game chart {show_amounts(amounts)}", "52.A.3/3") if amounts else None


def priced_whole(world: EuropaWorld, unit: Unit) -> bool:
    """Whether a game chart gives a price for which a unit comes back at full strength at once."""
    row = _chart_line(world, unit)
    return row is not None and bool(row.full)


def charted_step(world: EuropaWorld, unit: Unit, goal: str) -> Worth | None:
    """What a step up costs a unit on the map whose chart prices it, or both steps."""
    row = _chart_line(world, unit)
    if row is not None and row.to_full and (unit.step, goal) == (CADRE, FULL):
        return by_the_chart(row)
    above, below = charted(world, unit, goal), charted(world, unit, unit.step)
    if above is None or below is None:
        return None
    amounts = {kind: amount - below.amounts.get(kind, Fraction(0)) for kind, amount in above.amounts.items()}
    return Worth(amounts, f"{above.working} − {show_amounts(below.amounts)}", "52.A.3/3")


@computed("52.C/7")
def by_the_chart(row: ChartLine) -> Worth:
    """The chart's own price from cadre to full strength, in kinds that need not be those of the cadre."""
    return Worth(dict(row.to_full), f"game chart {show_amounts(row.to_full)} from cadre to full", "52.A.3/3")


def stands_for_itself(world: EuropaWorld, unit: Unit) -> bool:
    """Whether a unit may cost what no other of its kind does: a chart names it, or what it carries was declared."""
    named = _named(world)
    if named and unit.id in named:
        return True
    row = line_of(world, unit.spec)
    return row is not None and row.per in (CAPACITY, AA_POINT)


@fixed
def _named(world: EuropaWorld) -> frozenset[str]:
    return frozenset(name for row in world.chart("game_charts") for name in row.units)


def kind_of(world: EuropaWorld, unit: Unit) -> Unit:
    """The unit as far as its price goes: all of a kind are one, so that what one costs need not be found again."""
    return Unit(unit.id if stands_for_itself(world, unit) else "", unit.spec, OUT_OF_PLAY, unit.step)


def _chart_line(world: EuropaWorld, unit: Unit) -> ChartLine | None:
    for row in world.chart("game_charts"):
        if unit.id in row.units if row.units else fits(row, unit.spec):
            found: ChartLine = row
            return found
    return None


@fixed
def line_of(world: EuropaWorld, spec: UnitSpec) -> CostLine | None:
    """The line of the table for counters such as trucks, HQs, depots and position AA."""
    return next((row for row in world.chart("replacement_costs") if fits(row, spec)), None)


def _by_line(world: EuropaWorld, facts: EuropaFacts, unit: Unit, step: str) -> Worth | None:
    row = line_of(world, unit.spec)
    if row is None or not (step == FULL or (step == CADRE and row.also_cadre)):
        return None
    return priced_by(world, facts, unit, row)


@meets_one_of("52.A.11/3", "52.A.11/4", "52.A.11/5", "52.A.11/6", "52.A.11/7", "52.A.11/8", "52.A.11/15")
def priced_by(world: EuropaWorld, facts: EuropaFacts, unit: Unit, row: CostLine) -> Worth:
    """So much a counter, a RE, a RE of capacity or an AA point, in the kind of RP the line names."""
    heard(row.clause, COMPUTED)
    number = _number_of(world, facts, unit, row.per)
    total = row.each * number
    working = row.what if row.per == COUNTER else f"{row.what}, {show_points(row.each)} for each {row.per} of {number}"
    return Worth(_in_kinds(world, unit.spec, row.kind, total), working, row.clause)


def _number_of(world: EuropaWorld, facts: EuropaFacts, unit: Unit, per: str) -> Fraction:
    if per == COUNTER:
        return Fraction(1)
    if per == RES:
        return world.res(unit.spec)
    if per == CAPACITY:
        return capacity(world, facts, unit)
    points = facts.value(unit_key(unit.id), "aa")
    if not isinstance(points, int) or points <= 0:
        raise BadCommand(f"nobody has said how many AA points {unit} has; declare {the_field('fact', 'aa')} for it")
    return Fraction(points)


def capacity(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> Fraction:
    """The REs a movement counter carries: as declared, else its own size."""
    said = facts.value(unit_key(unit.id), "capacity")
    return parse_points(str(said)) if said else world.res(unit.spec)


def _in_kinds(world: EuropaWorld, spec: UnitSpec, kind: str, total: Fraction) -> dict[str, Fraction]:
    if kind and kind != BY_ARM:
        return {kind: total}
    shares = world.shares(spec)
    if kind == BY_ARM:
        # An HQ belongs to the arm of its division or army: 'Pz HQ' to armour as Pz does.
        of_the_hq = (*world.profile.roles.get("hq", ()), *world.profile.hq_sizes)
        arm = " ".join(word for word in spec.type.split() if word not in of_the_hq)
        shares = world.shares(replace(spec, type=arm))
        return {ARM if ARM in shares else next(iter(shares)): total}
    return {each: total * share for each, share in shares.items()}


def _without_strength(world: EuropaWorld, facts: EuropaFacts, unit: Unit, step: str) -> Worth | None:
    if step == REMNANT or not unit.spec.has(step):
        return None
    if prices.strength_of(world, unit.spec, step):
        return None
    free = step == CADRE and world.ruling(facts.state, ZERO_CADRE.key) == "free"
    return None if free else without_strength(world, unit, step)


@computed("52.A.11/1")
def without_strength(world: EuropaWorld, unit: Unit, step: str) -> Worth:
    """A counter with neither attack nor defence costs half a RP for each RE of its size."""
    each, res = world.numbers["no_strength_per_re"], world.res(unit.spec, step)
    working = f"no strength, {show_points(each)} for each of {show_points(res)} RE"
    return Worth(_in_kinds(world, unit.spec, "", each * res), working, "52.A.11/1")


# ------------------------------------------------------------------------------------------------ how it arrives


def extra_turns(world: EuropaWorld, spec: UnitSpec) -> tuple[int, str]:
    """Turns a line of the table adds to the normal time, and its clause."""
    row = line_of(world, spec)
    return (row.extra_turns, row.clause) if row is not None and row.extra_turns else (0, "")


@shown("52.A.11/15")
def arrives_as(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """A major depot is paid for as one counter and placed as another."""
    row = line_of(world, unit.spec)
    if row is not None and row.placed_as and unit.place.due and unit.place.kind != HEX:
        yield Effect(f"is placed as a {row.placed_as}", row.clause)


FACTS = (
    Fact("aa", ("unit",), "its AA points, for position AA", 0, NUMBER),
    Fact("capacity", ("unit", "place"), "the REs a movement counter can carry, or a port takes a turn", None, POINTS),
)

CHAPTER = Chapter(
    heading="52.A.11",
    facts=FACTS,
    switches=(ZERO_CADRE,),
    charts={"replacement_costs": tuple[CostLine, ...], "game_charts": tuple[ChartLine, ...]},
    shows=(arrives_as,),
)
