"""52.D.1.a  Which kinds of RP an Axis unit takes: armour, infantry, or a mixture of both."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from forcepool.engine.ledger import Price
from forcepool.engine.points import show_points
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import Verdict, no
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import COMPUTED, computed, heard, meets_one_of

AXIS = "Axis"
QUARTER_RULE = "52.D.1.a/6"
LISTED = "52.D.1.a/5"
PURE_ARMOUR = ("52.D.1.a/1", "52.D.1.a/2", "52.D.1.a/3")
INFANTRY_ALONE = "52.D.1.a/8"
BY_GAME_CHART = "52.A.3/3"

UNLISTED = switch(
    "unlisted-cm",
    "52.D.1.a/6",
    "which c/m units without a line on the AXIS RP COSTS CHART cost a quarter armour and three quarters infantry",
    mixed_types="those of the mixed types or of no type; flammpanzer, tanks and the like pay armour alone",
    every_cm="every c/m unit, flammpanzer, tanks and the like too",
)


def is_unlisted(world: EuropaWorld, state: State, spec: UnitSpec) -> bool:
    """Whether a unit's cost is that of c/m units without a line of their own."""
    row = world.cost_line(spec)
    if row is None or row.clause == QUARTER_RULE:
        return row is not None
    ruled = world.ruling(state, UNLISTED.key)
    return ruled == "every-cm" and row.clause in PURE_ARMOUR and world.has_role(spec, "c/m")


@computed(QUARTER_RULE)
def by_quarters(world: EuropaWorld, amounts: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """A quarter of the cost in armour and three quarters in infantry."""
    shares: Mapping[str, Fraction] = next(row.shares for row in world.chart("rp_costs") if row.clause == QUARTER_RULE)
    total = sum(amounts.values(), Fraction(0))
    return {kind: total * share for kind, share in shares.items()}


@meets_one_of(*PURE_ARMOUR, "52.D.1.a/4", LISTED, QUARTER_RULE, INFANTRY_ALONE)
def by_the_axis_rule(q: Any, price: Price) -> Price:
    """An Axis unit's price with the line that says which RPs it takes."""
    row = q.world.cost_line(q.unit.spec) if q.world.side_of(q.nation) == AXIS and price.amounts else None
    if row is None:
        return price
    if BY_GAME_CHART in price.because:
        return Price(price.amounts, price.working, f"{price.because} {LISTED}")
    if row.clause in PURE_ARMOUR and is_unlisted(q.world, q.state, q.unit.spec):
        amounts = by_quarters(q.world, price.amounts)
        return Price(amounts, f"{price.working}, c/m without a line of its own", f"{price.because} {QUARTER_RULE}")
    if row.clause == INFANTRY_ALONE:
        # The rule of nearly every unit: it would stand behind every price and say nothing.
        heard(row.clause, COMPUTED)
        return price
    mixed = len(row.shares) > 1 and row.clause != QUARTER_RULE
    clauses = dict.fromkeys((row.clause, LISTED) if mixed else (row.clause,))
    return Price(price.amounts, price.working, " ".join((price.because, *clauses)))


def kinds_are_fixed(q: Any, part: Part) -> Verdict | None:
    """No other kind of RP stands for the one an Axis unit takes."""
    if q.side != AXIS or part.nation != q.nation or part.kind == part.instead_of:
        return None
    row = q.world.cost_line(q.unit.spec)
    if row is None:
        return None
    kinds = " and ".join(row.shares)
    return no(
        f"{q.unit} takes {kinds} RPs, and {show_points(part.amount)} {part.kind} cannot stand for {part.instead_of}",
        remedy=f"pay in {part.instead_of} RPs",
        clause=row.clause,
        also=(LISTED,) if len(row.shares) > 1 and row.clause != QUARTER_RULE else (),
    )


CHAPTER = Chapter(heading="52.D.1.a", prices=(by_the_axis_rule,), permits=(kinds_are_fixed,), switches=(UNLISTED,))
