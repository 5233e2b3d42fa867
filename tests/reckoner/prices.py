"""What it costs to replace and to rebuild (52.A.2, 52.A.3, 52.A.4 to 6, 52.A.9, 52.A.11), and when the unit comes."""

from fractions import Fraction

from forcepool.engine.events import Transferred
from forcepool.engine.state import Unit
from forcepool.engine.units import CADRE, FULL, REMNANT
from tests.reckoner import counters, ground
from tests.reckoner.record import Amounts, Line, NotReckoned, Scenario, Table

VOLUNTEERS = "vol"
Price = tuple[Amounts, int]
"""Points by kind, and the turns until it arrives; nought where it stays on the map."""


def replaced(scenario: Scenario, table: Table, unit: Unit, order: Line) -> Price:
    """An eliminated unit comes back as its cadre, or whole if it has none (52.A.9.a, 52.A.3)."""
    spec, turn = unit.spec, table.clock.turn
    step = comes_back_as(table, unit, order)
    strength = counters.worth(scenario, spec, step)
    lines = counters.limited_lines(scenario, spec, turn)
    change = Fraction(0)
    if step == CADRE and any("category" in line for line in lines):
        change += scenario.number("limited_cadre_surcharge")  # 52.A.11/25
    if step == CADRE and at_home(scenario, unit, order):
        change -= scenario.number("home_reduction")  # 52.A.9.a/5
    price = counters.split(strength * (1 + change), counters.kinds(scenario, spec))
    if order.get("reduced"):
        price = reduced(scenario, price, strength)
    if counters.plays_role(scenario, spec, "militia") and counters.side(scenario, spec.nation) == "Soviet":
        return {VOLUNTEERS: sum(price.values(), Fraction(0))}, scenario.turns("militia_time")  # 52.J.2.b/1, 52.D.2/11
    return price, building_time(scenario, unit, step, lines, reduced=bool(order.get("reduced")))


def comes_back_as(table: Table, unit: Unit, order: Line) -> str:
    """As asked for; else as its cadre, where units are not bought whole (52.A.3/2)."""
    whole = table.switches.get("rebuilt-whole") == "whole"
    return str(order.get("to") or (CADRE if unit.spec.has(CADRE) and not whole else FULL))


def at_home(scenario: Scenario, unit: Unit, order: Line) -> bool:
    """52.A.9.a/5: it arrives in its home country, paid there or by the nation."""
    track = order.get("track") or order["pay_from"]
    if track.startswith(("general/", "factory/", "city/")):
        return True  # 52.D.2.c/2 as ruled: it arrives at a factory, and all of them lie at home.
    if track not in scenario.areas:
        raise NotReckoned(f"the track of {track.partition('/')[0]}/")
    # Whatever lies within the track's area is at home as well: from a theatre's track it may arrive in any front of it.
    # A theatre of no country and with no place of its own is its fronts and MDs.
    areas = [track, *ground.below(scenario, track)]
    itself = country_of(scenario, track) or not track.startswith("theatre/") or holds_places(scenario, track)
    lands = areas if itself or len(areas) == 1 else areas[1:]
    return all(country_of(scenario, area) == unit.spec.nation for area in lands)


def holds_places(scenario: Scenario, area: str) -> bool:
    return any(spot.get("area") == area for spot in scenario.spots.values())


def country_of(scenario: Scenario, area: str) -> str:
    return next((c for each in ground.upward(scenario, area) if (c := scenario.areas[each].get("country"))), "")


def reduced(scenario: Scenario, price: Amounts, strength: Fraction) -> Amounts:
    """52.A.2/6: 30 % of the strength bought off the infantry, never below nothing."""
    cheaper = {
        kind: max(Fraction(0), amount - scenario.number("reduced_rate") * strength)
        if kind.startswith("inf")
        else amount
        for kind, amount in price.items()
    }
    return {kind: amount for kind, amount in cheaper.items() if amount}


def building_time(scenario: Scenario, unit: Unit, step: str, lines: list[Line], *, reduced: bool) -> int:
    """Four turns, longer for limited types (52.A.10.a), their cadres twice the extra; twice at the reduced rate.

    A fanatical unit that its nation's list does not name takes longer without being a limited one (52.A.11/22).
    """
    row = counters.own_row(scenario, unit.spec)
    normal = scenario.turns("replacement_time")
    if row is not None:
        extra = int(row.get("extra_turns", 0))
    else:
        extra = sum(int(line.get("turns", 0)) for line in lines)
        if not extra and any(line.get("other") for line in lines):
            extra = scenario.turns("limited_other_turns")  # 52.A.11/24
    time = normal + extra
    if step == CADRE and row is None and any("category" in line for line in lines):
        time = max(normal, scenario.turns("limited_cadre_factor") * extra)  # 52.A.10.a/5
    return time * scenario.turns("reduced_time_factor") if reduced else time  # 52.A.2/8


def limited_res(scenario: Scenario, table: Table, unit: Unit, order: Line) -> Amounts:
    """The limited REs used up besides (52.A.10, 52.A.10.b): the size received, or half the difference of a rebuild."""
    spec = unit.spec
    lines = {
        line["category"]: line
        for line in counters.limited_lines(scenario, spec, table.clock.turn)
        if "category" in line
    }
    found: Amounts = {}
    for category, line in lines.items():
        if line.get("counts"):
            raise NotReckoned(f"limited REs by {line['counts']}")
        listed = counters.allowance(scenario, spec.nation, category)
        if order["command"] == "replace":
            step = comes_back_as(table, unit, order)
            size = counters.res(scenario, spec, step)
        elif order["command"] == "rebuild-cadre":
            size = counters.res(scenario, spec, FULL) - counters.res(scenario, spec, CADRE)
            if not listed.get("whole_rebuild"):
                size *= scenario.number("limited_rebuild_share")
        else:
            continue
        if listed.get("counts") == "units":
            if order["command"] != "replace":
                raise NotReckoned("a rebuild where units are counted")
            size = Fraction(1)
        found[category] = size * Fraction(line.get("share", 1))
    return found


def rebuilt(scenario: Scenario, unit: Unit, order: Line, frm: str, to: str) -> Price:
    """On the map: the difference of the two steps (52.A.9.c/2, 52.A.9.d/2); at the reduced rate off it, four turns."""
    spec = unit.spec
    before = counters.worth(scenario, spec, frm) if spec.strength(frm).split else spec.strength(frm).points
    strength = counters.worth(scenario, spec, to) - before
    price = counters.split(strength, counters.kinds(scenario, spec))
    if order.get("reduced"):
        return reduced(scenario, price, strength), scenario.turns("reduced_rebuild_time")  # 52.A.2/9
    return price, 0


def price_of(scenario: Scenario, table: Table, unit: Unit, order: Line) -> Price:
    full, infantry = counters.worth(scenario, unit.spec, FULL), counters.infantry(scenario, unit.spec)
    match order["command"]:
        case "replace":
            return replaced(scenario, table, unit, order)
        case "rebuild-cadre":
            return rebuilt(scenario, unit, order, CADRE, FULL)
        case "rebuild-remnant":
            return rebuilt(scenario, unit, order, REMNANT, CADRE)
        case "leave-isolated-box":  # 52.A.4/2, /3
            return {infantry: full * scenario.number("isolated_price")}, scenario.turns("isolated_time")
        case "recover":  # 52.A.5/2
            return {infantry: full * scenario.number("recovery_rate")}, scenario.turns("recovery_time")
        case "scrap":  # 52.A.6/4
            return {infantry: full * scenario.number("scrap_rate")}, 0
        case other:
            raise NotReckoned(f"the price of {other}")


PRICED = ("replace", "rebuild-cadre", "rebuild-remnant", "leave-isolated-box", "recover", "scrap")
PAYS_BACK = ("recover", "scrap")


def mixed(scenario: Scenario, unit: Unit, price: Amounts, paid: list[Transferred]) -> tuple[bool, Amounts]:
    """Whether a payment in several infantry kinds is one the rules allow, and what it comes to in the unit's own."""
    own = counters.infantry(scenario, unit.spec)
    by_nation: Amounts = {}
    by_kind: Amounts = {}
    total: Amounts = {}
    for event in paid:
        infantry = event.kind.startswith("inf") or event.kind == VOLUNTEERS
        total[own if infantry else event.kind] = total.get(own if infantry else event.kind, Fraction(0)) + event.amount
        if infantry:
            by_nation[event.nation] = by_nation.get(event.nation, Fraction(0)) + event.amount
            by_kind[event.kind] = by_kind.get(event.kind, Fraction(0)) + event.amount
    lawful = True
    for line in scenario.charts["empire"]:
        if line["nation"] == unit.spec.nation and unit.spec.force in line.get("forces", [unit.spec.force]):
            # 52.D.3.b: so many British points at most for each of its own.
            most = by_nation.get(unit.spec.nation, Fraction(0)) * Fraction(line.get("share", 0))
            helped = sum((amount for nation, amount in by_nation.items() if nation != unit.spec.nation), Fraction(0))
            lawful = lawful and helped <= most
            break
    if own != "inf":
        lawful = lawful and by_kind.get(own, Fraction(0)) * 2 >= sum(by_kind.values())  # 52.D.3.c
    return lawful, total
