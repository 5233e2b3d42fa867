"""Losses: the box a lost unit goes to, and what it counts as (52.A.4, 52.A.9.b, 52.F.1, 52.F.2)."""

from fractions import Fraction

import msgspec

from forcepool.engine.events import Moved, Raised
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from forcepool.engine.units import CADRE, FULL
from tests.reckoner import counters, ground, pockets
from tests.reckoner.record import Amounts, NotReckoned, Scenario, Step, Table

COMBAT, SUPPLY = "combat", "supply"
FOUGHT = ("", "combat", "overrun")
"""52.F/1: causes of loss that earn special replacements."""


class Loss(msgspec.Struct, frozen=True):
    """What one loss adds to the losses of its nation."""

    nation: str
    chart: str
    isolated: str
    points: Amounts
    infantry: str = "inf"
    """What its infantry RPs are called: African and colonial French have their own (52.D.3.c)."""
    traced: str = ""
    """The store of the Soviet city that an isolated unit traced an LOC to (52.J.2.d)."""


def isolation(scenario: Scenario, table: Table, step: Step, unit: Unit) -> str:
    """As the order says, else as declared for the unit; what the map alone shows is read off the account it took."""
    told = step.order.get("isolated", "")
    if told:
        return "" if told == "no" else str(told)
    declared = table.mark(f"unit/{unit.id}", "isolated")
    if declared:
        return "" if declared == "no" else str(declared)
    if scenario.map:
        for kind in (COMBAT, SUPPLY):
            if step.transfers(to=f"losses/{kind}-isolated/"):
                return kind
        # What counts for nothing leaves no trace but its box.
        if any(place.kind == "isolated" for places in step.moves.values() for place in places):
            return SUPPLY
    return ""


def box(scenario: Scenario, table: Table, unit: Unit, isolated: str) -> Place:
    """Where an eliminated unit goes; when it is due matters only for those on the track."""
    nation = f"national/{unit.spec.nation}"
    if around := pockets.auxiliary(scenario, table, unit):
        return Place("eliminated", around)  # 52.F.4.b/5
    if isolated == SUPPLY:
        return Place("isolated", nation)  # 52.A.4/1, 52.F.2/6
    chart = ground.own_chart(scenario, table, unit)
    if isolated == COMBAT:  # 52.F.2/4
        return Place(
            "eliminated", ground.theatre(scenario, chart), table.clock.turn + scenario.turns("combat_isolated_time")
        )
    return Place("eliminated", chart)  # 52.F.4.a/1


def went(step: Step, unit: str) -> Place | None:
    """Where the journal put it, or its substitute (52.H.1/1)."""
    for event in step.entry.events:
        if isinstance(event, Raised):
            return event.at
    moves = [event.to for event in step.entry.events if isinstance(event, Moved) and event.unit == unit]
    return moves[-1] if moves else None


def loss(scenario: Scenario, table: Table, step: Step, unit: Unit) -> Loss:
    """What a loss counts: the difference of replacement cost, in the kinds it costs (52.F.1/2, /5, /9)."""
    for word in ("loc", "casualties", "ordered", "front"):
        if step.order.get(word):
            raise NotReckoned(f"a loss with '{word}'")
    to = step.order.get("to", "eliminated")
    around = pockets.auxiliary(scenario, table, unit)
    isolated = "" if around else isolation(scenario, table, step, unit)
    before = counters.worth(scenario, unit.spec, unit.step)
    after = Fraction(0) if to == "eliminated" else counters.worth(scenario, unit.spec, to)
    points = counters.split(before - after, counters.lost_kinds(scenario, unit.spec))
    infantry = counters.infantry(scenario, unit.spec)
    if step.order.get("cause", "") not in FOUGHT:
        points = {}  # 52.F/1, 52.F.2/2, /7
    traced = line_to(scenario, step) if isolated else ""
    chart = around or ground.own_chart(scenario, table, unit)
    return Loss(unit.spec.nation, chart, isolated, points, infantry, traced)


def line_to(scenario: Scenario, step: Step) -> str:
    """Whether an LOC led to a city is for the map to say, and read off the account the loss was put to."""
    stores = {event.to.removeprefix("losses/") for event in step.transfers(to="losses/city/")}
    return stores.pop() if stores and scenario.map else ""


def averted(scenario: Scenario, step: Step, unit: Unit) -> Amounts:
    """What is paid to keep a unit as it is: so many points, or down to the step it would have come to (52.F.4.a/3)."""
    if step.order.get("ordered"):
        raise NotReckoned("casualties in an order of their own")
    if step.order.get("points"):
        amount = Fraction(step.order["points"])
    else:
        to = step.order.get("to") or (CADRE if unit.step == FULL and unit.spec.has(CADRE) else "eliminated")
        left = Fraction(0) if to == "eliminated" else counters.worth(scenario, unit.spec, to)
        amount = counters.worth(scenario, unit.spec, unit.step) - left
    return counters.split(amount, counters.kinds(scenario, unit.spec))


def is_fragile(scenario: Scenario, unit: Unit) -> bool:
    """52.H.2: it gives nothing, unless its owner has it counted and puts it one box lower."""
    return counters.first_line(scenario, "fragile_units", unit.spec) is not None
