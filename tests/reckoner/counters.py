"""What a counter is by the charts: its worth in replacement points, of which kinds, and its limited types."""

from fractions import Fraction

from forcepool.engine.units import FULL, REMNANT, UnitSpec
from tests.reckoner.record import Amounts, Line, NotReckoned, Scenario

NOTHING = Fraction(0)


def says(text: str, word: str) -> bool:
    """Whether a word, or a run of words, stands in the type on a counter."""
    return f" {word} " in f" {text} "


def side(scenario: Scenario, nation: str) -> str:
    return str(scenario.nations[nation]["side"])


def plays_role(scenario: Scenario, spec: UnitSpec, role: str) -> bool:
    return role in spec.traits or any(says(spec.type, word) for word in scenario.roles[role])


def fits(scenario: Scenario, line: Line, spec: UnitSpec) -> bool:
    """Whether a line of a chart is about this counter: all it names must hold, of words and traits one."""
    named = [*line.get("words", ()), *line.get("traits", ())]
    return (
        spec.nation in line.get("nations", [spec.nation])
        and side(scenario, spec.nation) in line.get("sides", [side(scenario, spec.nation)])
        and spec.type in line.get("types", [spec.type])
        and spec.size in line.get("sizes", [spec.size])
        and str(spec.full) in line.get("strengths", [str(spec.full)])
        and ("attack_from" not in line or spec.full.attack >= Fraction(line["attack_from"]))
        and ("role" not in line or plays_role(scenario, spec, line["role"]))
        and (not named or any(says(spec.type, word) or word in spec.traits for word in named))
        and not any(says(spec.type, word) or word in spec.traits for word in line.get("unless", ()))
    )


def first_line(scenario: Scenario, chart: str, spec: UnitSpec) -> Line | None:
    lines: list[Line] = scenario.charts.get(chart, [])
    return next((line for line in lines if fits(scenario, line, spec)), None)


# ------------------------------------------------------------------------------------------------ worth


def res(scenario: Scenario, spec: UnitSpec, step: str) -> Fraction:
    """Its size in REs at a step."""
    size = scenario.sizes[spec.size]
    if step == FULL:
        return spec.re if spec.re is not None else Fraction(size["re"])
    if step == REMNANT and size.get("remnant_re"):
        return Fraction(size["remnant_re"])
    if spec.cadre_re is not None:
        return spec.cadre_re
    return Fraction(size.get("reduced_re") or size["re"])


def worth(scenario: Scenario, spec: UnitSpec, step: str) -> Fraction:
    """The strength points a step is priced by: 52.A.3, the average of 52.A.3/4, the row of 52.A.11/1 for 0-0."""
    row = own_row(scenario, spec)
    if row is not None and (step == FULL or row.get("also_cadre")):
        return Fraction(row["each"])
    side, attack = spec.strength(step), scenario.number("attack_share")
    points = side.attack * attack + side.defence * (1 - attack)
    return points or scenario.number("no_strength_per_re") * res(scenario, spec, step)


def own_row(scenario: Scenario, spec: UnitSpec) -> Line | None:
    """The line of the REPLACEMENT COSTS TABLE with a price of its own: HQs, trucks, depots (52.A.11/3 to /8, /15)."""
    row = first_line(scenario, "replacement_costs", spec)
    if row is not None and "per" in row:
        raise NotReckoned(f"a price by the {row['per']}")
    return row


def kinds(scenario: Scenario, spec: UnitSpec) -> Amounts:
    """How its price is split among inf, arm and art (52.C/7, 52.D.1.a, 52.D.2.a)."""
    row = own_row(scenario, spec)
    if row is not None:
        motorised = plays_role(scenario, spec, "c/m")
        kind = ("arm" if motorised else "inf") if row["kind"] == "its arm" else row["kind"]
        return {kind: Fraction(1)}
    if side(scenario, spec.nation) == "Soviet":
        return {soviet_kind(scenario, spec): Fraction(1)}
    line = first_line(scenario, "rp_costs", spec)
    shares = {kind: Fraction(share) for kind, share in (line["shares"] if line else {"inf": 1}).items()}
    return {infantry(scenario, spec) if kind == "inf" else kind: share for kind, share in shares.items()}


def infantry(scenario: Scenario, spec: UnitSpec) -> str:
    """The kind of infantry RP of its force: African and colonial French have their own (52.D.3.c)."""
    for line in scenario.charts.get("force_infantry", []):
        if spec.nation in line["nations"] and spec.force in line["forces"]:
            return str(line["kind"])
    return "inf"


def soviet_kind(scenario: Scenario, spec: UnitSpec) -> str:
    """52.D.2.a: c/m takes armour, but rockets, and guns without wheels of their own, take artillery."""
    if plays_role(scenario, spec, "rocket"):
        return "art"
    if plays_role(scenario, spec, "c/m"):
        return "arm"
    guns = ("anti-aircraft", "anti-tank", "artillery")
    return "art" if any(plays_role(scenario, spec, role) for role in guns) else "inf"


def lost_kinds(scenario: Scenario, spec: UnitSpec) -> Amounts:
    """The kinds its loss counts as: those it costs, but an unlisted c/m unit gives infantry alone (52.D.1.a/7)."""
    if side(scenario, spec.nation) == "Axis" and own_row(scenario, spec) is None:
        line = first_line(scenario, "rp_costs", spec)
        if line is not None and line["clause"] == "52.D.1.a/6":
            return {"inf": Fraction(1)}
    return kinds(scenario, spec)


def split(amount: Fraction, shares: Amounts) -> Amounts:
    return {kind: amount * share for kind, share in shares.items() if amount * share}


# ----------------------------------------------------------------------------------------------- limited


def limited_lines(scenario: Scenario, spec: UnitSpec, turn: int) -> list[Line]:
    """The limited types it is of, as far as its nation's list names them (52.D.1.b, 52.D.2.f, 52.D.3.a)."""
    own = side(scenario, spec.nation)
    listed = {
        line["category"]
        for line in scenario.charts["limited_replacements"]
        if line["side"] == own
        and spec.nation in line.get("only", [spec.nation])
        and not (line.get("first_winter") and turn >= scenario.date("first_winter_thaw"))
    }
    return [
        line
        for line in scenario.charts["limited_types"]
        if fits(scenario, line, spec) and (line.get("always") or line.get("category") in listed)
    ]


def allowance(scenario: Scenario, nation: str, category: str) -> Line:
    """The line of its side's list for a category."""
    own = side(scenario, nation)
    lines: list[Line] = scenario.charts["limited_replacements"]
    return next(line for line in lines if line["side"] == own and line["category"] == category)
