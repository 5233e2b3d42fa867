"""German infantry cadres from 1942 on: made a 5-7-6 where they stand, or refitted off the map (52.J.1.a)."""

from fractions import Fraction

from forcepool.engine.events import Became, Raised
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from forcepool.engine.units import CADRE, FULL
from tests.reckoner import counters, ground
from tests.reckoner.desk import Desk
from tests.reckoner.record import Step

REFIT = "refits"
NEW_MODEL = (Fraction(5), Fraction(7), Fraction(6))


class RefitBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        if step.name not in ("reorganise", "refit"):
            return
        unit = self.table.units[step.order["unit"]]
        self.may_be(step, unit)
        if step.name == "reorganise":
            self.reorganise(step, unit)
        else:
            self.refit(step, unit)
        self.desk.account_for(step.transfers(to="sink/spent"))
        self.desk.account_for_units(step, *step.moves, unit.id)

    def may_be(self, step: Step, unit: Unit) -> None:
        """52.J.1.a/1, /2: from Jan 1 42, a cadre of three or more, anywhere but in an inactive MD."""
        cadre = unit.spec.strength(CADRE).points
        area = ground.district(self.scenario, self.table, unit)
        lawful = (
            self.table.clock.turn >= self.scenario.date("german_reorganisation")
            and unit.spec.nation == "Germany"
            and unit.step == CADRE
            and cadre >= self.scenario.number("reorganised_cadre")
            and self.table.mark(f"area/{area}", "activity") != "inactive"
        )
        self.desk.compare(REFIT, step, f"{unit.id} may", True, lawful)

    def reorganise(self, step: Step, unit: Unit) -> None:
        """52.J.1.a/3: six, the average of 5 and 7, less the cadre; the new counter stands in its hex."""
        attack, defence, _ = NEW_MODEL
        price = (attack + defence) / 2 - unit.spec.strength(CADRE).points
        self.desk.compare(REFIT, step, f"{unit.id} costs", {"inf": price}, step.amounts(to="sink/spent"))
        new = [event for event in step.entry.events if isinstance(event, Raised)]
        shown = [(e.spec.full.attack, e.spec.full.defence, e.spec.full.movement, e.at, e.step) for e in new]
        self.desk.compare(REFIT, step, f"{unit.id} becomes", [(*NEW_MODEL, unit.place, FULL)], shown)
        self.desk.compare(REFIT, step, f"{unit.id} leaves", ["out"], [place.kind for place in step.moves[unit.id]])

    def refit(self, step: Step, unit: Unit) -> None:
        """52.J.1.a/4, /5: the whole difference, and four turns on the track of its front."""
        price = counters.worth(self.scenario, unit.spec, FULL) - counters.worth(self.scenario, unit.spec, CADRE)
        self.desk.compare(REFIT, step, f"{unit.id} costs", {"inf": price}, step.amounts(to="sink/spent"))
        turn = self.table.clock.turn + self.scenario.turns("reorganised_time")
        ours = [Place("track", ground.own_front(self.scenario, self.table, unit), turn)]
        self.desk.compare(REFIT, step, f"{unit.id} comes back", ours, step.moves.get(unit.id))
        steps = [event.step for event in step.entry.events if isinstance(event, Became)]
        self.desk.compare(REFIT, step, f"{unit.id} is then", [FULL], steps)
