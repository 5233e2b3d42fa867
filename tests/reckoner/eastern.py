"""The second game reckoned anew: receipts of the turn track, factories, and when units come (Eastern Front rules)."""

import json
from fractions import Fraction

from forcepool.engine.events import AnyEvent, Moved, PhaseBegan, Transferred
from forcepool.engine.journal import Journal, read_beginning
from forcepool.engine.state import Unit
from tests.reckoner.record import Amounts, Line, Step, Table, steps
from tests.reckoner.tally import Tally

TRACK, PRODUCTION, FACTORY, PRICE, ARRIVAL, LOST = (
    "turn track",
    "production",
    "factories",
    "prices",
    "arrivals",
    "lost factories",
)
EXPANSION_MONTHS = (1, 4, 7, 10)
AHEAD = 3
SOVIET = "Soviet Union"


class EasternReckoner:
    def __init__(self, world: Line, table: Table) -> None:
        self.world, self.table, self.tally = world, table, Tally()
        self.nations: dict[str, Line] = world["profile"]["nations"]
        self.players: list[str] = world["profile"]["players"]
        self.works: dict[str, Line] = world["works"]
        self.produced: set[str] = set()

    def read(self, step: Step) -> None:
        n, order = step.entry.n, step.order
        unit = self.table.units.get(str(order.get("unit", "")))
        if step.name in ("replace", "take-siberian", "draw-reserve") and unit is not None:
            # EF.replacements/4, EF.reinforcements/20: one symbol of its own sort brings back one unit.
            self.tally.compare(PRICE, n, unit.id, {self.symbol(unit): Fraction(1)}, self.spent(step))
        if step.name == "place-reinforcement" and unit is not None:
            self.tally.compare(ARRIVAL, n, unit.id, True, unit.place.due <= self.table.clock.turn)
        if step.name in ("choose-factory", "deploy-factory") and unit is not None:
            self.expand(step, unit)
        if step.name == "declare" and order.get("fact") == "control":
            self.fall(step)
        if step.name == "advance":
            self.advance(step)
        for event in step.entry.events:
            self.produce(n, event)
            self.table.happened(event)

    def symbol(self, unit: Unit) -> str:
        for kind in self.world["profile"]["kinds"].values():
            if unit.spec.type in kind["types"] and unit.spec.size in kind["sizes"]:
                return str(kind.get("symbol", ""))
        return ""

    def spent(self, step: Step) -> Amounts:
        return {kind: amount for kind, amount in step.amounts(to="sink/spent").items() if kind != "moves"}

    def expand(self, step: Step, unit: Unit) -> None:
        """EF.expansion: four months a year, three turns ahead, the letters of each sort in order."""
        turn = self.table.clock.turn
        if step.name == "deploy-factory":
            self.tally.compare(FACTORY, step.entry.n, f"{unit.id} deployed", True, turn >= unit.place.due)
            return
        due = [event.to.due for event in step.entry.events if isinstance(event, Moved) and event.unit == unit.id]
        self.tally.compare(FACTORY, step.entry.n, f"{unit.id} due", [turn + AHEAD], due)
        self.tally.compare(FACTORY, step.entry.n, f"{unit.id} chosen", True, turn % 12 + 1 in EXPANSION_MONTHS)
        unused = [
            work["letter"]
            for name, work in self.works.items()
            if work["kind"] == self.works[unit.id]["kind"]
            and "letter" in work
            and self.table.units[name].place.kind == "unused"
        ]
        self.tally.compare(FACTORY, step.entry.n, f"{unit.id} letter", min(unused), self.works[unit.id]["letter"])

    def fall(self, step: Step) -> None:
        """EF.moving/1: factories on a point that the Axis comes to control are destroyed for good."""
        if step.order["value"] != "Axis":
            return
        there = {name for name in self.works if self.table.units[name].place.of == step.order["about"]}
        gone = {e.unit for e in step.entry.events if isinstance(e, Moved) and e.to.kind == "destroyed"}
        if there or gone:
            self.tally.compare(LOST, step.entry.n, step.order["about"], there, gone)

    def can_produce(self, name: str) -> bool:
        """On the map or in Siberia, not entrained, in one of its months, and not on the turn its journey ended."""
        unit, work, turn = self.table.units[name], self.works[name], self.table.clock.turn
        return (
            unit.place.kind in ("hex", "siberia")
            and not work.get("native")
            and turn % 12 + 1 in work["months"]
            and self.table.mark(f"unit/{name}", "entrained") is None
            and self.table.mark(f"unit/{name}", "arrived") != turn
        )

    def produce(self, n: int, event: AnyEvent) -> None:
        """EF.expansion/9: one point of its sort in a production month, once."""
        if isinstance(event, Transferred) and event.frm == "source/factories":
            name = event.says
            ours = (self.can_produce(name) and name not in self.produced, Fraction(1), self.works[name]["kind"])
            self.tally.compare(PRODUCTION, n, name, ours, (True, event.amount, event.kind))
            self.produced.add(name)

    def advance(self, step: Step) -> None:
        clock = self.table.clock
        began = [event.clock for event in step.entry.events if isinstance(event, PhaseBegan)]
        if self.players[clock.player] == "Soviet" and clock.phase == 0:
            now = {event.says for event in step.transfers(frm="source/factories")}
            able = {name for name in self.works if self.can_produce(name)}
            self.tally.compare(PRODUCTION, step.entry.n, "left idle", set(), able - self.produced - now)
        if began and began[-1].phase == 0:
            self.receive(step, self.players[began[-1].player], began[-1].turn)
            self.produced = set()

    def receive(self, step: Step, player: str, turn: int) -> None:
        """What the track and the schedules give as a player's turn begins (EF.replacements/1, EF.reinforcements/12)."""
        ours: dict[tuple[str, str, str], Fraction] = {}
        charts: list[tuple[str, str, Line]] = [
            ("replacements", nation, lines) for nation, lines in self.world["replacements"].items()
        ]
        charts += [("siberia", SOVIET, self.world["track"]), ("reserves", SOVIET, self.world["reserves"])]
        for pool, nation, lines in charts:
            if self.nations[nation]["side"] != player:
                continue
            if self.lost_its_entry(nation):
                self.tally.leave(TRACK, "a nation whose entry point or capital was lost")
                return
            for kind, amount in lines.get(str(turn), {}).items():
                ours[pool, nation, kind] = Fraction(amount)
        got: dict[tuple[str, str, str], Fraction] = {}
        for event in step.transfers(frm="source/"):
            if event.to in ("replacements", "siberia", "reserves") and event.frm != "source/factories":
                got[event.to, event.nation, event.kind] = event.amount
        if ours or got:
            self.tally.compare(TRACK, step.entry.n, player, ours, got)

    def lost_its_entry(self, nation: str) -> bool:
        points = [*self.nations[nation]["entry"].get("points", []), self.nations[nation].get("capital", "")]
        own = self.nations[nation]["side"]
        return any(self.table.mark(f"place/{point}", "control") not in (None, own) for point in points if point)


def reckon(journal: Journal) -> Tally:
    beginning = read_beginning(journal)
    reckoner = EasternReckoner(json.loads(bytes(beginning.world)), Table(beginning))
    for step in steps(journal):
        reckoner.read(step)
    return reckoner.tally
