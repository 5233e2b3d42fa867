"""Divisions that come back as another, and divisions formed of smaller units (52.H.1, 51.B.6, 51.B.14, 51.B.18)."""

from fractions import Fraction

from forcepool.engine.events import Raised
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from forcepool.engine.units import FULL, UnitSpec
from tests.reckoner import counters, ground
from tests.reckoner.desk import NOTHING, Desk
from tests.reckoner.prices import mixed
from tests.reckoner.record import Line, NotReckoned, Step

WHO, PRICE, FORMED = "substitutes", "prices", "divisions formed"


class SubstituteBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        unit = self.table.units.get(str(step.order.get("unit", "")))
        if unit is None:
            return
        if step.name == "lose" and step.order.get("to", "eliminated") == "eliminated":
            self.stand_in(step, unit)
        elif step.name == "rebuild-substitute":
            self.rebuild(step, unit)
        elif step.name == "form-division":
            self.form(step, unit)
        elif step.name == "convert":
            self.pay_for_it(step, unit)

    def line(self, unit: Unit) -> Line | None:
        """The line of the chart in force for a counter."""
        turn = self.table.clock.turn
        for line in self.scenario.charts.get("substitutions", []):
            past = line.get("until") and turn > self.scenario.date(line["until"])
            early = line.get("since") and turn < self.scenario.date(line["since"])
            if not past and not early and counters.fits(self.scenario, line, unit.spec):
                return dict(line)
        return None

    def stand_in(self, step: Step, unit: Unit) -> None:
        """52.H.1/1: its substitute goes into the pool in its place; which, the chart says."""
        raised = [event for event in step.entry.events if isinstance(event, Raised)]
        line = self.line(unit)
        if line is not None or raised:
            ours = [line["substitute"]] if line else []
            self.desk.compare(WHO, step, unit.id, ours, [printed(event.spec) for event in raised])

    def rebuild(self, step: Step, unit: Unit) -> None:
        """52.H.1/2, /3: for its substitute's strength less the cadre's, in the substitute's kinds, where it stood."""
        raised = [event for event in step.entry.events if isinstance(event, Raised)]
        line, spent = self.line(unit), step.transfers(to="sink/spent")
        self.desk.account_for(spent)
        self.desk.account_for_units(step, unit.id, *(event.unit for event in raised))
        if line is None or not raised:
            self.desk.leave(WHO, "a rebuild without a line of the chart")
            return
        spec = raised[0].spec
        self.desk.compare(WHO, step, unit.id, line["substitute"], printed(spec))
        strength = counters.worth(self.scenario, spec, FULL) - unit.spec.strength(unit.step).points
        price = counters.split(max(NOTHING, strength), counters.kinds(self.scenario, spec))
        paid = [event for event in spent if event.frm != "limited"]
        _, got = mixed(self.scenario, unit, price, paid)
        if step.order.get("reduced"):
            self.desk.leave(PRICE, "a substitute at the reduced rate")
        else:
            self.desk.compare(PRICE, step, f"{step.name} {unit.id}", price, got)
            self.desk.compare(WHO, step, f"{unit.id} where it stood", unit.place, raised[0].at)

    def form(self, step: Step, unit: Unit) -> None:
        """51.B.6/14, /15: units worth at least the division go to the box of losses, and it stands in their hex."""
        named = step.order["units"]
        given = [self.table.units[name.strip()] for name in (named if isinstance(named, list) else named.split(","))]
        at = step.order.get("strength") or FULL
        worth = sum((counters.worth(self.scenario, each.spec, each.step) for each in given), NOTHING)
        needed = counters.worth(self.scenario, unit.spec, at)
        self.desk.compare(FORMED, step, f"{unit.id} for {worth}", True, worth >= needed)
        self.desk.compare(FORMED, step, unit.id, [given[0].place], step.moves.get(unit.id))
        for each in given:
            try:
                ours = [Place("eliminated", ground.own_chart(self.scenario, self.table, each))]
                self.desk.compare(FORMED, step, each.id, ours, step.moves.get(each.id))
            except NotReckoned as why:
                self.desk.leave(FORMED, str(why))
        self.desk.account_for_units(step, unit.id, *(each.id for each in given))

    def pay_for_it(self, step: Step, unit: Unit) -> None:
        """51.B.18/1: an upgrade costs what its entry lists; what a reorganization brings comes two turns later."""
        spent = step.transfers(to="sink/spent")
        self.desk.account_for(spent)
        entries: list[Line] = self.scenario.charts.get("ob", [])
        entry = next((each for each in entries if each["key"] == step.order.get("entry")), {})
        cost = {kind: Fraction(amount) for kind, amount in (entry.get("cost") or {}).items()}
        if spent or cost:
            got: dict[str, Fraction] = {}
            for event in spent:
                got[event.kind] = got.get(event.kind, NOTHING) + event.amount
            self.desk.compare(PRICE, step, f"upgrade of {unit.id}", cost, got)


def printed(spec: UnitSpec) -> str:
    """A counter as it is written in a chart."""
    cadre = f" ({spec.cadre})" if spec.cadre is not None else ""
    return f"{spec.full} {spec.type} {spec.size}{cadre}"
