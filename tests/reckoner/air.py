"""The air replacement cycle: ARPs received and lost, repairs and replacements, combat results and boxes (28)."""

from fractions import Fraction

from forcepool.engine.events import Marked, Moved
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from tests.reckoner import counters, ground, months
from tests.reckoner.desk import NOTHING, Desk, Receipts, add
from tests.reckoner.record import Line, NotReckoned, Step

INCOME, LAPSED, PRICE, BOX, ARRIVAL = "ARPs received", "ARPs lost", "air prices", "air boxes", "air arrivals"
ARP = "arp"
LADDER = ("eliminated", "ineffective", "aborted", "damaged", "inoperative", "flown", "operative")
"""28.D.1.b/2: from the worst to the best; half an ARP a step."""
WORSE = {"damaged": "aborted", "ineffective": "eliminated"}
"""28.D.1.b/4: the box a result may be taken to instead, for half an ARP."""


class AirBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        if step.name == "advance":
            self.receive(step)
            self.lapse(step)
            self.delay(step)
        if step.name in ("declare", "take-hexes"):
            self.captured(step)
        unit = self.table.units.get(str(step.order.get("unit", "")))
        if unit is None:
            return
        match step.name:
            case "repair-air":
                self.rebuild(step, unit, self.scenario.number("air_repair"), "air_repair_time")
            case "replace-air":
                self.rebuild(step, unit, self.price(unit), "air_replacement_time")
            case "raise-air-status":
                self.raise_status(step, unit)
            case "settle-air-result":
                self.settle(step, unit)
            case "regroup-air":
                self.regroup(step, unit)
            case _:
                pass

    def pay(self, step: Step, what: str, ours: Fraction) -> None:
        events = [event for event in step.transfers(to="sink/spent") if event.kind == ARP]
        self.desk.compare(PRICE, step, what, ours, sum((event.amount for event in events), NOTHING))
        self.desk.account_for(events)

    # ------------------------------------------------------------------------------- income and lapse

    def nation(self, named: str) -> str:
        nations = self.scenario.nations
        return next((each for each in nations if named in (each, nations[each].get("adjective"))), named)

    def receive(self, step: Step) -> None:
        """28.D/1: in the reinforcement phase that begins an air cycle, the first of a month."""
        began = self.desk.begins(step, "reinforcement")
        if began is None:
            return
        ours: Receipts = {}
        for line in self.scenario.charts.get("air_replacements", []):
            nation = self.nation(line["nation"])
            player = self.scenario.player(began)
            if self.side(nation) != player or not self.in_force(line, began.turn):
                continue
            if months.fallen(self.scenario, self.table, player, nation):
                continue  # 52.D.3/1 as ruled
            add(ours, nation, f"theatre/{line['theatre'].casefold()}", ARP, Fraction(line["arps"]))
        events = step.transfers(frm="source/air order of battle")
        got = self.desk.gathered(events)
        if ours or got:
            self.desk.compare(INCOME, step, self.scenario.player(began), ours, got)
        self.desk.account_for(events)

    def side(self, nation: str) -> str:
        return str(self.table.mark(f"nation/{nation}", "sides_with") or counters.side(self.scenario, nation))

    def in_force(self, line: Line, turn: int) -> bool:
        parse = self.scenario.calendar.parse
        return (
            self.scenario.week(turn) == 1
            and turn >= parse(line["turn"]).turn
            and ("until" not in line or not line["until"] or turn <= parse(line["until"]).turn)
        )

    def lapse(self, step: Step) -> None:
        """28.D.list.5: a cycle lasts until its player's first turn of the next month; beyond three all is lost."""
        turn = self.desk.turn_begins(step)
        ours: dict[tuple[str, str], Fraction] = {}
        if turn is not None and self.scenario.week(turn.turn) == 1:
            kept = self.scenario.number("arps_kept")
            for (pool, nation, kind), held in self.table.pools.items():
                ends = kind == ARP and pool.startswith("theatre/") and self.side(nation) == self.scenario.player(turn)
                if ends and held > kept:
                    ours[nation, pool] = held - kept
        events = [event for event in step.transfers(to="sink/lost") if event.kind == ARP]
        got = {(event.nation, event.frm): event.amount for event in events}
        if ours or got:
            self.desk.compare(LAPSED, step, "beyond three", ours, got)
        self.desk.account_for(events)

    def delay(self, step: Step) -> None:
        """28.C/9: as its owner's reinforcement phase ends, what did not enter waits for the next turn."""
        clock = self.table.clock
        ours: dict[str, list[Place]] = {}
        if self.scenario.phase(clock) == "reinforcement":
            for unit in self.table.units.values():
                due = unit.place.kind == "reinforcements" and unit.place.due == clock.turn and "air" in unit.spec.traits
                if due and self.side(unit.spec.nation) == self.scenario.player(clock):
                    ours[unit.id] = [Place("reinforcements", unit.place.of, clock.turn + 1)]
        got = {
            name: places
            for name, places in step.moves.items()
            if name in self.table.units
            and "air" in self.table.units[name].spec.traits
            and {place.kind for place in (self.table.units[name].place, *places)} == {"reinforcements"}
        }
        if ours or got:
            self.desk.compare(ARRIVAL, step, "delayed", ours, got)
        self.desk.account_for_units(step, *got)

    # ------------------------------------------------------------------------------- repair and results

    def price(self, unit: Unit) -> Fraction:
        """28.D.1: by type."""
        lines: list[Line] = self.scenario.charts["air_prices"]
        return next(Fraction(line["arps"]) for line in lines if unit.spec.type in line["types"])

    def rebuild(self, step: Step, unit: Unit, price: Fraction, time: str) -> None:
        """It goes on the track of the front whose box it lay in, to arrive so many turns later (28.D.1/2, /4)."""
        self.pay(step, f"{step.name} {unit.id}", price)
        clock, side = self.table.clock, self.side(unit.spec.nation)
        # 28.D.list.5/2: before his first turn of a month a player still spends in the cycle, and turn, that ends.
        early = clock.player < self.scenario.players.index(side)
        ours = Place("track", unit.place.of, clock.turn - early + self.scenario.turns(time))
        self.desk.compare(ARRIVAL, step, f"{step.name} {unit.id}", [ours], step.moves.get(unit.id))
        self.desk.account_for_units(step, unit.id)

    def raise_status(self, step: Step, unit: Unit) -> None:
        """28.D.list.1: half an ARP a level; extended counts as flown."""
        now = same(self.table.mark(f"unit/{unit.id}", "air_status") or "operative")
        after = next(
            (same(e.value) for e in step.entry.events if isinstance(e, Marked) and e.mark == "air_status"), "operative"
        )
        levels = LADDER.index(after) - LADDER.index(now)
        self.pay(step, f"{step.name} {unit.id}", levels * self.scenario.number("status_rise"))

    def settle(self, step: Step, unit: Unit) -> None:
        """28.D.1.b: paid for step by step, borne, or taken worse for half an ARP back."""
        result, to = str(self.table.mark(f"unit/{unit.id}", "air_result")), same(step.order["to"])
        levels = LADDER.index(to) - LADDER.index(result)
        back = self.scenario.number("worse_result") if WORSE.get(result) == to else NOTHING
        if result == "damaged" and to == "eliminated":
            self.desk.leave(PRICE, "a result taken two boxes worse")
            return
        returned = step.transfers(frm="source/returned ARPs")
        self.pay(step, f"{result} to {to} {unit.id}", max(0, levels) * self.scenario.number("combat_level"))
        self.desk.compare(PRICE, step, f"{unit.id} gives", back, sum((event.amount for event in returned), NOTHING))
        self.desk.account_for(returned)
        if to in ("aborted", "eliminated"):
            try:
                ours = [Place(to, self.box(unit, to))]
            except NotReckoned as why:
                self.desk.leave(BOX, str(why))
            else:
                self.desk.compare(BOX, step, f"{unit.id} {result}", ours, step.moves.get(unit.id))
        self.desk.account_for_units(step, unit.id)

    def captured(self, step: Step) -> None:
        """28.B: from the box of a captured MD aborted units go to the ELIMINATED BOX of the front."""
        for name, places in step.moves.items():
            unit = self.table.units[name]
            if unit.place.kind == "aborted":
                self.desk.compare(BOX, step, f"captured {name}", [Place("eliminated", self.front(unit))], places)
                self.desk.account_for_units(step, name)

    def front(self, unit: Unit) -> str:
        """The front of the box that a unit lies in."""
        chain = list(ground.upward(self.scenario, unit.place.of))
        return ground.chart_in(self.scenario, self.table, chain, unit.spec.nation, by_mds=False)

    def box(self, unit: Unit, to: str) -> str:
        """28.B: aborted units lie in the box of the MD they were based in, if it is their side's, others by front."""
        if to == "aborted":
            area = ground.around(self.scenario, unit.place.of)[0]
            if self.side(unit.spec.nation) in ground.sides_of(self.scenario, self.table, area):
                return area
        return ground.own_front(self.scenario, self.table, unit)

    def regroup(self, step: Step, unit: Unit) -> None:
        """28.A: of two alike one is eliminated, the other comes as a reinforcement now; no ARPs."""
        other = self.table.units[step.order["other"]]
        kinds = sorted(place.kind for each in (unit, other) for place in step.moves.get(each.id, []))
        self.desk.compare(BOX, step, f"regroup {unit.id}", ["eliminated", "reinforcements"], kinds)
        fronts = {event.to.of for event in step.entry.events if isinstance(event, Moved)}
        ours = {self.front(each) for each in (unit, other)}
        self.desk.compare(BOX, step, f"regroup {unit.id} at", ours, fronts)
        self.desk.account_for_units(step, unit.id, other.id)


def same(status: object) -> str:
    """28.D.list.1/1: extended is priced as flown."""
    return "flown" if status == "extended" else str(status)
