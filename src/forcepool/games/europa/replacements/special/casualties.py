"""52.F.1, 52.D.1.a/7 and 52.D.3.d  What a loss amounts to: strength points, by kind of RP, with the working."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import cycle

from msgspec import Struct

from forcepool.engine.facts import kept
from forcepool.engine.ledger import Price
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL, UnitSpec
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.prices import INF
from forcepool.games.europa.replacements.axis.axis_uses import by_quarters, is_unlisted
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.unit_types import is_of_type
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed, meets_one_of

GONE = "eliminated"
"""What a unit goes down to when it loses its last step."""

MEASURE = switch(
    "loss-measure",
    "52.F.1/2",
    "how the loss of a unit that goes down a step, or is lost below full strength, is measured",
    averaged="every step counts the difference of replacement cost before and after it",
    attack="by attack strength alone",
    full_and_cadre="only full strength to cadre, and whole units eliminated, count at all",
)
UNLISTED = switch(
    "unlisted-losses",
    "52.D.1.a/7",
    "what c/m units without a line on the RP COSTS CHART give back",
    whole="infantry RPs on the whole loss",
    infantry_part="infantry RPs on the three quarters paid in infantry",
    both="armour and infantry RPs, as they were paid",
)


class CasualtyOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """The order in which the points of a loss are taken, over and over: two armour, one infantry."""

    types: tuple[str, ...]
    order: tuple[str, ...]
    clause: str


# ------------------------------------------------------------------------------------------------ how much


@computed("52.F.1/5")
def worth(world: EuropaWorld, state: State, unit: Unit, step: str) -> Fraction:
    """What a unit at a step would cost to replace: the measure of every loss."""
    return costs_table.worth(world, world.facts(state), unit, step).total


@computed("52.F.1/2")
def lost_on_going_down(world: EuropaWorld, state: State, unit: Unit, to: str) -> tuple[Fraction, str]:
    """A unit that goes down a step loses the difference of its replacement costs."""
    above, below = worth(world, state, unit, unit.step), worth(world, state, unit, to)
    return above - below, f"{unit.step} {show_points(above)} − {to} {show_points(below)}"


def strength_lost(world: EuropaWorld, state: State, unit: Unit, to: str) -> tuple[Fraction, str]:
    """The strength points a unit loses from where it stands, and how they are reckoned."""
    measure, was = world.ruling(state, MEASURE.key), unit.step
    if (was, to) not in ((FULL, CADRE), (FULL, GONE)) and measure == "full-and-cadre":
        return Fraction(0), f"{was} to {to} does not count"
    if measure == "attack":
        above = Fraction(unit.spec.strength(was).attack)
        below = Fraction(0) if to == GONE else Fraction(unit.spec.strength(to).attack)
        return above - below, f"attack {show_points(above)} − {show_points(below)}"
    if to != GONE:
        return lost_on_going_down(world, state, unit, to)
    strength = worth(world, state, unit, was)
    return strength, f"{was} {show_points(strength)}"


# --------------------------------------------------------------------------------------------- of which kind


@computed("52.F/2", "52.F.1/8", "52.F.1/9")
def in_its_kinds(world: EuropaWorld, state: State, unit: Unit, strength: Fraction) -> dict[str, Fraction]:
    """A loss divides into armour, infantry and artillery as the whole unit's cost does, at every step alike."""
    full = costs_table.worth(world, world.facts(state), unit)
    if not full.total:
        return {}  # What costs nothing loses nothing.
    return {kind: strength * amount / full.total for kind, amount in full.amounts.items()}


@computed("52.D.1.a/7")
def of_an_unlisted_unit(amounts: Mapping[str, Fraction], ruling: str) -> dict[str, Fraction]:
    """A c/m unit without a line of its own on the chart gives infantry back, never armour."""
    if ruling == "both":
        return dict(amounts)
    return {INF: amounts.get(INF, Fraction(0)) if ruling == "infantry-part" else sum(amounts.values(), Fraction(0))}


Lost = tuple[Fraction, str]
"""Strength points lost, and their working."""


def taken(world: EuropaWorld, state: State, unit: Unit, to: str, *, ordered: bool = False) -> Price:
    """What a unit that goes down to a step, or is lost, loses by kind of RP."""
    return _taken(world, world.facts(state), costs_table.kind_of(world, unit), to, ordered)


@kept
def _taken(world: EuropaWorld, facts: EuropaFacts, unit: Unit, to: str, ordered: bool) -> Price:
    return loss(world, facts.state, unit, strength_lost(world, facts.state, unit, to), ordered=ordered)


def loss(world: EuropaWorld, state: State, unit: Unit, lost: Lost, *, ordered: bool = False) -> Price:
    """A loss by kind of RP, as special replacements are reckoned on it."""
    paid = cost_of_loss(world, state, unit, lost, ordered=ordered)
    if ordered or not is_unlisted(world, state, unit.spec):
        return paid
    amounts = of_an_unlisted_unit(paid.amounts, world.ruling(state, UNLISTED.key))
    return Price(amounts, paid.working, f"{paid.because} 52.D.1.a/7")


def cost_of_loss(world: EuropaWorld, state: State, unit: Unit, lost: Lost, *, ordered: bool = False) -> Price:
    """A loss by kind of RP, as it would have to be paid for."""
    strength, working = lost
    order = casualty_order(world, unit.spec) if ordered else None
    if order is None:
        amounts = in_its_kinds(world, state, unit, strength)
        if is_unlisted(world, state, unit.spec):
            amounts = by_quarters(world, amounts)
        return Price(_some(world.of_its_force(unit.spec, amounts)), working, "52.F.1/5")
    amounts = world.of_its_force(unit.spec, in_order(order.order, strength))
    return Price(amounts, working, f"52.D.3.d/1 {order.clause}")


def _some(amounts: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return {kind: amount for kind, amount in amounts.items() if amount}


@meets_one_of("52.D.3.d.i/1", "52.D.3.d.ii/1", "52.D.3.d.iii/1")
def casualty_order(world: EuropaWorld, spec: UnitSpec) -> CasualtyOrder | None:
    """The order in which a unit of this type may take its losses; none for types the rule does not name."""
    for row in world.chart("casualty_orders"):
        if is_of_type(row.types, spec):
            found: CasualtyOrder = row
            return found
    return None


def in_order(order: tuple[str, ...], strength: Fraction) -> dict[str, Fraction]:
    """The points one by one in the order given, from its start; a last fraction takes the kind it falls on."""
    amounts: dict[str, Fraction] = {}
    for kind in cycle(order):
        if strength <= 0:
            break
        part = min(strength, Fraction(1))
        amounts[kind] = amounts.get(kind, Fraction(0)) + part
        strength -= part
    return amounts


CHAPTER = Chapter(heading="52.F.1", switches=(MEASURE, UNLISTED), charts={"casualty_orders": tuple[CasualtyOrder, ...]})
