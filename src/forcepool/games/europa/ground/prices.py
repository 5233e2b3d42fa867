"""52.A.2, 52.A.3 and 52.A.9: what a step of strength costs, by kind of RP, with the working."""

from collections.abc import Callable, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.ledger import NOTHING, Price
from forcepool.engine.points import show_points
from forcepool.engine.units import CADRE, FULL, REMNANT, UnitSpec
from forcepool.games.europa.switches import HOME_AND_NATIONAL, REDUCED_RATE
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

INF = "inf"
Ruling = Callable[[str], str]
"""How this campaign plays a switch, by its key."""


class Worth(Struct, frozen=True):
    """What a unit or a step is worth in RPs, by kind, with the working and the clause that says so."""

    amounts: Mapping[str, Fraction]
    working: str
    clause: str

    @property
    def total(self) -> Fraction:
        return sum(self.amounts.values(), NOTHING)


@computed("52.A.3/4", "52.A.11/2")
def strength_of(world: EuropaWorld, spec: UnitSpec, step: str) -> Fraction:
    """A unit's strength for every price and percentage: of unequal attack and defence what the rules weigh them at."""
    side = spec.strength(step)
    if not side.split:
        return side.points
    share = world.numbers.get("attack_share")
    if share is None:
        # A campaign that was begun before there was such a number takes the average.
        return side.points
    return side.attack * share + side.defence * (1 - share)


@computed("52.A.9.a/4", "52.A.9/2", "52.A.11/14")
def eliminated_to_cadre(world: EuropaWorld, spec: UnitSpec) -> tuple[Fraction, str]:
    """An eliminated unit comes back as a cadre for the cadre's strength."""
    strength = strength_of(world, spec, CADRE)
    return strength, f"cadre {show_points(strength)}"


@computed("52.A.3/1")
def eliminated_to_full(world: EuropaWorld, spec: UnitSpec) -> tuple[Fraction, str]:
    """A unit without a cadre comes back whole, a point for a point."""
    strength = strength_of(world, spec, FULL)
    return strength, f"strength {show_points(strength)}"


@computed("52.A.9.c/2", "52.A.9/2")
def remnant_to_cadre(world: EuropaWorld, spec: UnitSpec) -> tuple[Fraction, str]:
    """A remnant becomes a cadre for the difference of strength."""
    return _difference(world, spec, CADRE, REMNANT)


@computed("52.A.9.d/2", "52.A.9/2")
def cadre_to_full(world: EuropaWorld, spec: UnitSpec) -> tuple[Fraction, str]:
    """A cadre becomes full strength for the difference of strength."""
    return _difference(world, spec, FULL, CADRE)


def _difference(world: EuropaWorld, spec: UnitSpec, higher: str, lower: str) -> tuple[Fraction, str]:
    above, below = strength_of(world, spec, higher), strength_of(world, spec, lower)
    return above - below, f"{higher} {show_points(above)} − {lower} {show_points(below)}"


def price(
    world: EuropaWorld,
    spec: UnitSpec,
    bought: tuple[Fraction, str],
    clause: str,
    *,
    ruling: Ruling,
    at_home: bool = False,
    reduced: bool = False,
    amounts: Mapping[str, Fraction] | None = None,
) -> Price:
    """The strength bought, divided into kinds of RP unless a chart does, less what home and reduced rate save."""
    strength, working = bought
    because = [clause]
    if reduced and at_home and ruling(HOME_AND_NATIONAL.key) == "one-only":
        either = (
            price(world, spec, bought, clause, ruling=ruling, reduced=True, amounts=amounts),
            price(world, spec, bought, clause, ruling=ruling, at_home=True, amounts=amounts),
        )
        return min(either, key=lambda each: each.total)
    full = dict(amounts or {kind: strength * share for kind, share in world.shares(spec).items()})
    amounts = full
    if at_home:
        amounts = less_at_home(world, amounts)
        working += f", {_percent(world.numbers['home_reduction'])} less at home"
        because.append("52.A.9.a/5")
    if reduced:
        compound = at_home and ruling(HOME_AND_NATIONAL.key) == "compound"
        saving = reduced_saving(world, amounts if compound else full, ruling)
        amounts = {kind: max(Fraction(0), amount - saving.get(kind, 0)) for kind, amount in amounts.items()}
        working += f", {_percent(world.numbers['reduced_rate'])} less at the reduced rate"
        because.append("52.A.2/6")
        if at_home:
            because.append("52.A.9.a/6")
    return Price({kind: amount for kind, amount in amounts.items() if amount}, working, " ".join(because))


@computed("52.A.9.a/5", "52.A.11/27")
def less_at_home(world: EuropaWorld, amounts: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Each kind of RP a tenth less."""
    return {kind: amount * (1 - world.numbers["home_reduction"]) for kind, amount in amounts.items()}


@computed("52.A.2/6", "52.A.11/10")
def reduced_saving(world: EuropaWorld, amounts: Mapping[str, Fraction], ruling: Ruling) -> dict[str, Fraction]:
    """What the reduced rate saves of each kind of RP."""
    rate, comes_off = world.numbers["reduced_rate"], ruling(REDUCED_RATE.key)
    if comes_off == "each-type":
        return {kind: amount * rate for kind, amount in amounts.items()}
    parts = [amount for kind, amount in amounts.items() if kind == INF or comes_off != "inf-only"]
    return {INF: sum(parts, Fraction(0)) * rate}


IN_THE_TABLE = {
    "52.A.2/6": "52.A.11/10",
    "52.A.4/2": "52.A.11/9",
    "52.A.9.a/4": "52.A.11/14",
    "52.A.9.a/5": "52.A.11/27",
}
"""Rows of the REPLACEMENT COSTS TABLE that say again what a rule says: one may look a price up under either."""
MEASURED = {"52.A.3/1": (FULL,), "52.A.9.a/4": (CADRE,), "52.A.9.c/2": (CADRE, REMNANT), "52.A.9.d/2": (FULL, CADRE)}
"""Whose strengths a price is reckoned from."""


def clauses_behind(spec: UnitSpec, because: str) -> tuple[str, ...]:
    """All a price rests on: its rules, their rows in the table, and the average of strengths that differ."""
    rules = because.split()
    rows = [IN_THE_TABLE[each] for each in rules if each in IN_THE_TABLE]
    measured = [spec.strength(step) for each in rules for step in MEASURED.get(each, ()) if spec.has(step)]
    averaged = ("52.A.3/4", "52.A.11/2") if any(side.split for side in measured) else ()
    return (*rules, *rows, *averaged)


def _percent(rate: Fraction) -> str:
    return f"{show_points(rate * 100)} %"
