"""What the Soviets receive: cities and MDs, factories, volunteers; and what they lose with a place (52.D.2)."""

from fractions import Fraction

from forcepool.engine.calendar import Clock
from forcepool.engine.events import Marked
from tests.reckoner import ground
from tests.reckoner.desk import NOTHING, Desk, Receipts, add
from tests.reckoner.record import Line, Step

CITIES, FACTORIES, VOLUNTEERS, LAPSED = "soviet cities", "soviet factories", "volunteers", "lapses"
SOVIET, SIDE = "Soviet Union", "Soviet"
CUT_OFF = ("combat", "supply")
GENERAL = {"arm": "general/armour", "art": "general/artillery"}
MAJOR = ("dot", "partial", "full")
"""What counts as a dot or a major city (52.D.2.d.i)."""


class SovietBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        began = self.desk.begins(step, "reinforcement")
        if began is not None and self.scenario.player(began) == SIDE:
            self.receive(step, CITIES, "source/soviet cities", self.cities(step, began))
            self.receive(step, FACTORIES, "source/soviet factories", self.factories(step, began))
            self.receive(step, VOLUNTEERS, "source/volunteers", self.volunteers(began.turn))
        if initial := self.desk.begins(step, "initial"):
            self.relieve(step, initial)
        self.fall(step)

    def receive(self, step: Step, heading: str, source: str, ours: Receipts) -> None:
        events = step.transfers(frm=source)
        got = self.desk.gathered(events)
        if ours or got:
            self.desk.compare(heading, step, SOVIET, ours, got)
        self.desk.account_for(events)

    # ------------------------------------------------------------------------------------ receipts

    @property
    def invasion(self) -> int:
        declared = self.table.mark("campaign", "invasion")
        return int(declared) if isinstance(declared, int) else self.scenario.date("historical_invasion")

    def due_in(self, chart: str, turn: int) -> bool:
        """52.D.2/1, 52.D.2.d/2: from the turn after the invasion, in the weeks of the last line in force."""
        lines: list[Line] = [
            line
            for line in self.scenario.charts.get(chart, [])
            if not line.get("from") or turn >= self.scenario.calendar.parse(line["from"]).turn
        ]
        if turn <= self.invasion or not lines:
            return False
        line = max(lines, key=lambda each: self.scenario.calendar.parse(each["from"]).turn if each.get("from") else 0)
        month = turn // self.scenario.calendar.turns_per_month % 12 + 1
        return self.scenario.week(turn) in line["weeks"] and month in (line.get("months") or [month])

    def cities(self, step: Step, began: Clock) -> Receipts:
        """52.D.2.d: to the pool of the MD, from an isolated city to the city itself; off-map MDs by themselves."""
        ours: Receipts = {}
        if not self.due_in("soviet_intervals", began.turn):
            return ours
        for line in self.scenario.charts.get("soviet_replacements", []):
            if "md" in line:
                add(ours, SOVIET, f"md/{line['md'].casefold()}", "inf", Fraction(line["inf"]))
                continue
            city = line["city"]
            if self.yields(city, began.turn):
                store = f"city/{city.casefold()}"
                pool = store if self.isolated(step, city, "source/soviet cities", store) else self.md(city)
                add(ours, SOVIET, pool, "inf", Fraction(line["inf"]))
        return ours

    def yields(self, city: str, turn: int) -> bool:
        """It is Soviet, and if it was taken back, no sooner than the twelfth turn after (52.D.2.d.iv)."""
        on = f"place/{city}"
        if self.table.mark(on, "owner") != SIDE:
            return False
        taken = self.table.mark(on, "taken_on")
        return not isinstance(taken, int) or turn >= taken + self.scenario.turns("recapture_delay")

    def md(self, place: str) -> str:
        return next(area for area in ground.around(self.scenario, place) if area.startswith("md/"))

    def isolated(self, step: Step, place: str, source: str, store: str) -> bool:
        """As declared; what only the map shows is read off the store that its points went to."""
        declared = self.table.mark(f"place/{place}", "isolated")
        if declared:
            return declared in CUT_OFF
        return bool(self.scenario.map) and bool(step.transfers(frm=source, to=store))

    def factories(self, step: Step, began: Clock) -> Receipts:
        """52.D.2.b, 52.D.2.c: each factory in production gives its rate, half of it after six turns without energy."""
        ours: Receipts = {}
        if not self.due_in("production_turns", began.turn):
            return ours
        for place, rate in self.scenario.charts.get("soviet_factories", {}).items():
            on = f"place/{place}"
            number = self.table.mark(on, "factories") or 0
            if not self.table.mark(on, "producing") or self.table.mark(on, "owner") != SIDE:
                continue
            without = self.marked_by(step, on, "out_of_supply") or 0
            share = (
                self.scenario.number("energy_want") if without > self.scenario.turns("energy_grace") else Fraction(1)
            )
            store = f"factory/{place.casefold()}"
            alone = self.isolated(step, place, "source/soviet factories", store)
            if rate.get("weeks") and self.scenario.week(began.turn) not in rate["weeks"]:
                continue
            for kind, general in GENERAL.items():
                pool = store if alone else general
                add(ours, SOVIET, pool, kind, Fraction(rate.get(kind, 0)) * int(str(number)) * share)
        return ours

    def marked_by(self, step: Step, on: str, mark: str) -> int:
        """A marker as it lies once the entry's own markers are laid."""
        value = self.table.mark(on, mark)
        for event in step.entry.events:
            if isinstance(event, Marked) and (event.on, event.mark) == (on, mark):
                value = event.value
        return value if isinstance(value, int) else 0

    def volunteers(self, turn: int) -> Receipts:
        """52.D.2/8: on the first four even turns, that of the invasion included; a line may be for one of them only."""
        every = self.scenario.turns("volunteer_every")
        even = [each for each in range(self.invasion, turn + 1) if self.scenario.week(each) % every == 0]
        ours: Receipts = {}
        time = len(even)
        if turn in even and time <= self.scenario.turns("volunteer_times"):
            for line in self.scenario.charts.get("soviet_volunteers", []):
                if line.get("time", time) in (time, 0):
                    add(ours, SOVIET, f"md/{line['md'].casefold()}", "vol", Fraction(line["vol"]))
        return ours

    # -------------------------------------------------------------------------------------- lapses

    def fall(self, step: Step) -> None:
        """52.D.2.d.i, 52.D.2.d.ii, 52.D.2.c.1: what lay in a city, a factory or an MD is lost when the Axis has it."""
        taken = [
            event.on.removeprefix("place/")
            for event in step.entry.events
            if isinstance(event, Marked) and event.mark == "owner" and event.value == "Axis"
        ]
        taken = [place for place in taken if place in self.scenario.spots]
        lost = {f"{kind}/{place.casefold()}" for place in taken for kind in ("city", "factory")}
        for place in taken:
            if self.table.mark(f"place/{place}", "owner") == SIDE:
                for md in (area for area in ground.around(self.scenario, place) if area.startswith("md/")):
                    if self.all_taken(md, taken):
                        lost.add(md)
        ours = {
            (pool, kind): -amount
            for (pool, nation, kind), amount in self.table.pools.items()
            if pool in lost and nation == SOVIET and amount > 0
        }
        events = [
            event for event in step.transfers(to="sink/lost") if event.frm.startswith(("md/", "city/", "factory/"))
        ]
        events = [event for event in events if event.nation == SOVIET]
        got: dict[tuple[str, str], Fraction] = {}
        for event in events:
            got[event.frm, event.kind] = got.get((event.frm, event.kind), NOTHING) - event.amount
        if ours or got:
            self.desk.compare(LAPSED, step, ", ".join(taken), ours, got)
        self.desk.account_for(events)

    def all_taken(self, md: str, taken: list[str]) -> bool:
        """The Axis owns all dot and major cities of the MD, of which there are some."""
        inside = [
            name
            for name, spot in self.scenario.spots.items()
            if md in ground.upward(self.scenario, spot["area"])
            and self.table.mark(f"place/{name}", "city_size") in MAJOR
        ]
        return bool(inside) and all(
            name in taken or self.table.mark(f"place/{name}", "owner") == "Axis" for name in inside
        )

    def relieve(self, step: Step, initial: Clock) -> None:
        """52.D.2.c.1/4, 52.D.2.d.ii/1: in a Soviet initial phase the store of an unisolated place joins the pools."""
        events = [
            event
            for event in (*step.transfers(frm="city/"), *step.transfers(frm="factory/"))
            if event.to.startswith(("md/", "general/"))
        ]
        named = {name.casefold(): name for name in self.scenario.spots}
        for event in events:
            place = named[event.frm.partition("/")[2].casefold()]
            # Tanks and guns are in a city's store too, of losses that traced a line to it (52.J.2.d/2).
            pool = GENERAL.get(event.kind, self.md(place))
            ours = (SIDE, pool, self.table.held(event.frm, SOVIET, event.kind))
            self.desk.compare(LAPSED, step, event.frm, ours, (self.scenario.player(initial), event.to, event.amount))
        self.desk.account_for(events)
