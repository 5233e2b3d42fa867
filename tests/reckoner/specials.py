"""Special replacements at the end of each friendly player-turn (52.F.1, 52.F.2, 52.F.5)."""

from collections import defaultdict
from fractions import Fraction

from tests.reckoner import counters
from tests.reckoner.losses import COMBAT, SUPPLY, Loss
from tests.reckoner.pockets import LOCAL
from tests.reckoner.record import Line, Scenario

NOTHING = Fraction(0)
GENERAL = {"arm": "general/armour", "art": "general/artillery"}

Receipts = dict[tuple[str, str, str], Fraction]
"""Points by nation, pool and kind."""


def rate(scenario: Scenario, nation: str, turn: int) -> Fraction:
    """52.F.5: by country; the first line that speaks of the nation or its side."""
    own = counters.side(scenario, nation)
    lines: list[Line] = scenario.charts["special_rates"]
    for line in lines:
        if (
            nation in line.get("nations", [nation])
            and own in line.get("sides", [own])
            and not ("after" in line and turn < scenario.date(line["after"]))
        ):
            return Fraction(line["rate"])
    raise LookupError(nation)


def pool(scenario: Scenario, each: Loss, kind: str) -> str:
    """52.F.4.a/2 by front; 52.F.5/3 the Soviets' national and general pools; 52.F.2/1 the nation's if cut off."""
    if each.chart.startswith(LOCAL):
        return each.chart  # 52.F.4.b/5
    if counters.side(scenario, each.nation) == "Soviet":
        return GENERAL.get(kind, f"national/{each.nation}")
    return f"national/{each.nation}" if each.isolated == SUPPLY else each.chart


def of_a_city(scenario: Scenario, store: str, kind: str, stores: set[str]) -> str:
    """52.J.2.d/2: a city that is cut off keeps them; an open one's go to its MD, and guns and tanks to all.

    Which it is only the map shows, and it is read off what was written down: whether the store got anything.
    """
    if store in stores:
        return store
    areas = {f"city/{name.casefold()}": str(spot["area"]) for name, spot in scenario.spots.items()}
    return GENERAL.get(kind, areas[store])


def received(scenario: Scenario, losses: list[Loss], turn: int, stores: set[str]) -> Receipts:
    """What the losses of a player-turn bring; `stores` are those of cities that got some of it."""
    found: Receipts = defaultdict(Fraction)
    rates = {COMBAT: scenario.number("combat_isolated_rate"), SUPPLY: scenario.number("supply_isolated_rate")}
    for each in losses:
        for kind, amount in each.points.items():
            if each.traced:  # 52.J.2.d: at the normal rate, to the city.
                city = of_a_city(scenario, each.traced, kind, stores)
                found[each.nation, city, kind] += amount * rate(scenario, each.nation, turn)
                continue
            got = each.infantry if each.isolated else kind
            part = rates.get(each.isolated) or rate(scenario, each.nation, turn)
            found[each.nation, pool(scenario, each, got), got] += amount * part
    return {key: amount for key, amount in found.items() if amount}
