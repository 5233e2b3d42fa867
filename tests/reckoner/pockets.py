"""Auxiliary pools of pockets: what lies in them, and what becomes of it when they end (52.F.4.b, 52.F.2/3)."""

from fractions import Fraction

from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from tests.reckoner import counters
from tests.reckoner.desk import NOTHING, Desk
from tests.reckoner.record import Scenario, Step, Table

POCKET = "auxiliary pools"
LOCAL = "local/"
ARMIES = ("XXXX", "XXXXX")


def local_pool(table: Table, unit: Unit) -> str:
    """The pool of the pocket a unit is declared to be cut off in, whether it is an auxiliary one or not."""
    pocket = table.mark(f"unit/{unit.id}", "pocket")
    return f"{LOCAL}{str(pocket).casefold()}" if pocket else ""


def auxiliary(scenario: Scenario, table: Table, unit: Unit) -> str:
    """52.F.4.b/5: the auxiliary pool that a loss of this unit is counted in; its last HQ takes the pool with it."""
    pool = local_pool(table, unit)
    kind = table.mark(f"area/{pool}", "auxiliary") if pool else None
    return pool if kind and not (kind == "pocket" and is_last_hq(scenario, table, unit, pool)) else ""


def is_last_hq(scenario: Scenario, table: Table, unit: Unit, pool: str) -> bool:
    """52.F.4.b/4: an army's or front's HQ, and no other in the pocket."""
    inside = (each for each in table.units.values() if each.place.on_map and local_pool(table, each) == pool)
    hqs = [each.id for each in inside if counters.says(each.spec.type, "HQ") and each.spec.size in ARMIES]
    return hqs == [unit.id]


class PocketBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        if step.name == "dissolve-auxiliary-pool":
            self.end(step, str(step.order["pool"]))
        elif step.name == "lose" and step.order.get("to", "eliminated") == "eliminated":
            unit = self.table.units[step.order["unit"]]
            pool = local_pool(self.table, unit)
            kept = pool and self.table.mark(f"area/{pool}", "auxiliary") in ("fortification", "island")
            # What is said not to have been isolated was in no pocket any more.
            if not pool or (step.order.get("isolated") == "no" and not kept):
                return
            if self.table.mark(f"area/{pool}", "auxiliary") == "pocket" and is_last_hq(
                self.scenario, self.table, unit, pool
            ):
                self.end(step, pool)
            elif self.is_last_unit(unit, pool):
                self.lose_all(step, pool)

    def is_last_unit(self, unit: Unit, pool: str) -> bool:
        units = self.table.units.values()
        return [each.id for each in units if each.place.on_map and local_pool(self.table, each) == pool] == [unit.id]

    def held(self, pool: str) -> dict[str, Fraction]:
        """What a pocket has saved, by nation."""
        found: dict[str, Fraction] = {}
        for (account, nation, _), amount in self.table.pools.items():
            if account == pool and amount:
                found[nation] = found.get(nation, NOTHING) + amount
        return found

    def end(self, step: Step, pool: str) -> None:
        """52.F.4.b/6, /7: its RPs shrink to a tenth in the national pool, its units lie among the isolated."""
        gone = step.transfers(frm=pool)
        come = [event for event in step.transfers(frm="source/special-replacements") if "52.F.4.b" in event.because]
        part = self.scenario.number("supply_isolated_rate")
        ours = {(nation, f"national/{nation}", "inf"): held * part for nation, held in self.held(pool).items()}
        self.desk.compare(POCKET, step, f"{pool} gives", ours, self.desk.gathered(come))
        lying = [each for each in self.table.units.values() if each.place == Place("eliminated", pool)]
        boxes = {each.id: [Place("isolated", f"national/{each.spec.nation}")] for each in lying}
        self.desk.compare(POCKET, step, f"{pool} units", boxes, {name: step.moves.get(name) for name in boxes})
        self.desk.account_for((*gone, *come))
        self.desk.account_for_units(step, *boxes)

    def lose_all(self, step: Step, pool: str) -> None:
        """52.F.2/3: with its last unit all that a pocket has saved is lost."""
        gone = step.transfers(frm=pool, to="sink/lost")
        found: dict[str, Fraction] = {}
        for event in gone:
            found[event.nation] = found.get(event.nation, NOTHING) + event.amount
        self.desk.compare(POCKET, step, f"{pool} loses", self.held(pool), found)
        self.desk.account_for(gone)
