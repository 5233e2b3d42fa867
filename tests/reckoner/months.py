"""What a month brings and takes: charted receipts (52.D), limited allowances and their lapse (52.A.10, 52.D.1.b/2)."""

from fractions import Fraction

from tests.reckoner import counters
from tests.reckoner.record import Line, NotReckoned, Scenario, Table

Receipts = dict[tuple[str, str, str], Fraction]
"""Points by nation, pool and kind."""


def charted(scenario: Scenario, table: Table, player: str, turn: int) -> Receipts:
    """52.D.1/2, 52.D.3/1, 52.D.4: the lines of the chart in force, on the first turn of a month."""
    found: Receipts = {}
    for line in scenario.charts.get("receipts", []):
        nation = line["nation"]
        if (
            counters.side(scenario, nation) != player
            or not in_force(scenario, line, turn)
            or fallen(scenario, table, player, nation)
        ):
            continue
        pool = line.get("pool") or f"national/{nation}"
        if pool.startswith("md/"):
            raise NotReckoned("production of an MD, which hangs on its garrison")
        for kind, amount in line["points"].items():
            key = (nation, f"received/{pool}", kind)
            found[key] = found.get(key, Fraction(0)) + Fraction(amount)
    return found


def in_force(scenario: Scenario, line: Line, turn: int) -> bool:
    calendar = scenario.calendar
    if "turns" in line:
        return turn in [calendar.parse(each).turn for each in line["turns"]]
    return (
        turn % calendar.turns_per_month == 0
        and ("from" not in line or turn >= calendar.parse(line["from"]).turn)
        and ("until" not in line or turn <= calendar.parse(line["until"]).turn)
    )


def fallen(scenario: Scenario, table: Table, player: str, nation: str) -> bool:
    """52.D.3/1: every replacement city and capital of the nation on the map is the enemy's, and it is not in exile."""
    if table.mark(f"nation/{nation}", "in_exile"):
        return False
    called = {nation, scenario.nations[nation].get("adjective")}
    owners = [
        marks.get("owner")
        for on, marks in table.marks.items()
        if on.startswith("place/") and called & {marks.get("replacement_city"), marks.get("capital")}
    ]
    return bool(owners) and player not in owners


def allowances(scenario: Scenario, table: Table, player: str, turn: int) -> dict[tuple[str, str], Fraction]:
    """What each limited account of a player holds as a month begins: a month's worth saved at most, and the new one."""
    if turn % scenario.calendar.turns_per_month:
        return {}
    found: dict[tuple[str, str], Fraction] = {}
    for (pool, nation, category), held in table.pools.items():
        if pool != "limited" or counters.side(scenario, nation) != player:
            continue
        line = counters.allowance(scenario, nation, category)
        if line.get("first_winter") and turn >= scenario.date("first_winter_thaw"):
            continue
        monthly = Fraction(line["monthly"])
        found[nation, category] = min(held, monthly * scenario.turns("limited_months_saved")) + monthly
    return found
