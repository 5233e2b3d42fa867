"""The second reckoner: reads a journal and reckons anew, from the clauses alone, what the engine wrote into it."""

from forcepool.engine.events import AnyEvent, Moved, Overruled, PhaseBegan, Transferred
from forcepool.engine.journal import Journal
from tests.reckoner import counters, ground, losses, months, prices, specials
from tests.reckoner.air import ARP, AirBook
from tests.reckoner.boxes import BoxBook
from tests.reckoner.ceilings import CeilingBook
from tests.reckoner.contingents import ContingentBook
from tests.reckoner.cutoff import CutOffBook
from tests.reckoner.desk import Desk
from tests.reckoner.disruptions import DisruptionBook
from tests.reckoner.entries import EntryBook
from tests.reckoner.gifts import GiftBook
from tests.reckoner.pockets import PocketBook
from tests.reckoner.record import NotReckoned, Scenario, Step, Table, opened, steps
from tests.reckoner.refits import RefitBook
from tests.reckoner.reserves import ReserveBook
from tests.reckoner.soviets import SovietBook
from tests.reckoner.substitutes import SubstituteBook
from tests.reckoner.tally import Tally

BOOKS = (
    AirBook,
    BoxBook,
    CeilingBook,
    ContingentBook,
    CutOffBook,
    DisruptionBook,
    EntryBook,
    GiftBook,
    PocketBook,
    RefitBook,
    ReserveBook,
    SovietBook,
    SubstituteBook,
)
BOX, LOSS, SPECIAL, PRICE, ARRIVAL = "boxes", "losses", "special replacements", "prices", "arrivals"
RECEIPT, ALLOWANCE, TRANSIT = "receipts", "limited allowances", "points in transit"


class Reckoner:
    def __init__(self, scenario: Scenario, table: Table) -> None:
        self.desk = Desk(scenario, table)
        self.scenario, self.table, self.tally = scenario, table, self.desk.tally
        self.books = tuple(book(self.desk) for book in BOOKS)
        self.lost: list[losses.Loss] = []
        self.fragile: dict[str, losses.Loss] = {}
        self.unsure: dict[str, str] = {}
        """Nations with a loss since their last count that was not reckoned, and why."""

    def read(self, step: Step) -> None:
        """One entry: reckon first, then let it happen."""
        overruled = any(isinstance(event, Overruled) for event in step.entry.events)
        if step.name == "lose":
            self.lose(step, overruled=overruled)
        elif step.name == "count-fragile" and step.order["unit"] in self.fragile:
            self.lost.append(self.fragile.pop(step.order["unit"]))
        elif step.name == "pay-casualties":
            self.pay_casualties(step)
        elif step.name in prices.PRICED:
            self.buy(step, overruled=overruled)
        elif step.name == "advance":
            self.count(step)
            self.receive(step)
            self.allow(step)
        for book in self.books:
            book.read(step)
        for event in step.entry.events:
            self.table.happened(event)
            self.carry(step, event)
        self.desk.close(step)

    def lose(self, step: Step, *, overruled: bool) -> None:
        unit = self.table.units[step.order["unit"]]
        self.desk.account_for_units(step, *step.moves, unit.id)
        try:
            if overruled:
                raise NotReckoned("overruled")
            loss = losses.loss(self.scenario, self.table, step, unit)
            if step.order.get("to", "eliminated") == "eliminated":
                box, went = losses.box(self.scenario, self.table, unit, loss.isolated), losses.went(step, unit.id)
                # The due turn of a unit set aside is the engine's own note; the clause asks for one on the track only.
                if went is not None and not box.due:
                    went = type(went)(went.kind, went.of)
                self.tally.compare(BOX, step.entry.n, unit.id, box, went)
        except NotReckoned as why:
            self.tally.leave(BOX, str(why))
            self.unsure[unit.spec.nation] = str(why)
            return
        if losses.is_fragile(self.scenario, unit):
            self.fragile[unit.id] = loss
            return
        self.lost.append(loss)
        self.tally.compare(
            LOSS, step.entry.n, unit.id, sum(loss.points.values()), sum(step.amounts(to="losses/").values())
        )

    def pay_casualties(self, step: Step) -> None:
        """52.F.4.a/3: the loss averted is paid in the unit's kinds, and counts as the loss would have (52.H.2.a/1)."""
        unit = self.table.units[step.order["unit"]]
        spent = step.transfers(to="sink/spent")
        self.desk.account_for(spent)
        try:
            points = losses.averted(self.scenario, step, unit)
            chart = step.order.get("front") or ground.own_chart(self.scenario, self.table, unit)
            isolated = "" if chart.startswith("local/") else losses.isolation(self.scenario, self.table, step, unit)
        except NotReckoned as why:
            self.tally.leave(PRICE, str(why))
            self.unsure[unit.spec.nation] = str(why)
            return
        self.tally.compare(PRICE, step.entry.n, f"casualties of {unit.id}", points, step.amounts(to="sink/spent"))
        if losses.is_fragile(self.scenario, unit):
            return
        # 52.D.1.a/7: unlisted c/m units give infantry alone, paid for or lost.
        counted = counters.split(sum(points.values(), specials.NOTHING), counters.lost_kinds(self.scenario, unit.spec))
        self.lost.append(losses.Loss(unit.spec.nation, chart, isolated, counted))

    def count(self, step: Step) -> None:
        """The friendly player-turn ends: the losses since the last are counted (52.F.1/3)."""
        clock = self.table.clock
        began = [event.clock for event in step.entry.events if isinstance(event, PhaseBegan)]
        if not began or (began[0].player, began[0].turn) == (clock.player, clock.turn):
            return
        player = self.scenario.players[clock.player]
        got: specials.Receipts = {}
        for event in step.transfers(frm="source/special-replacements"):
            key = (event.nation, event.to, event.kind)
            got[key] = got.get(key, specials.NOTHING) + event.amount
        self.desk.account_for(step.transfers(frm="source/special-replacements"))
        mine = [each for each in self.lost if counters.side(self.scenario, each.nation) == player]
        self.lost = [each for each in self.lost if each not in mine]
        ours = specials.received(self.scenario, mine, clock.turn, {pool for _, pool, _ in got})
        for nation in sorted({key[0] for key in (*got, *ours)}):
            if why := self.unsure.pop(nation, ""):
                self.tally.leave(SPECIAL, why)
                continue
            self.tally.compare(
                SPECIAL,
                step.entry.n,
                nation,
                {key: amount for key, amount in ours.items() if key[0] == nation},
                {key: amount for key, amount in got.items() if key[0] == nation},
            )

    def receive(self, step: Step) -> None:
        """A reinforcement phase begins: what the chart gives (52.D)."""
        began = [event.clock for event in step.entry.events if isinstance(event, PhaseBegan)]
        if not began or self.scenario.phases[began[-1].phase] != "reinforcement":
            return
        player = self.scenario.players[began[-1].player]
        self.desk.account_for(step.transfers(frm="source/chart"))
        listed = {line["nation"] for line in self.scenario.charts.get("receipts", [])}
        got: months.Receipts = {}
        for event in step.transfers(frm="source/chart"):
            if event.nation in listed:
                key = (event.nation, event.to, event.kind)
                got[key] = got.get(key, specials.NOTHING) + event.amount
        try:
            ours = months.charted(self.scenario, self.table, player, began[-1].turn)
        except NotReckoned as why:
            self.tally.leave(RECEIPT, str(why))
            return
        if ours or got:
            self.tally.compare(RECEIPT, step.entry.n, player, ours, got)

    def allow(self, step: Step) -> None:
        """A month begins for a player: a month's unused allowance is saved, the rest lapses (52.A.10/3)."""
        began = [event.clock for event in step.entry.events if isinstance(event, PhaseBegan)]
        if not began or (began[-1].player, began[-1].turn) == (self.table.clock.player, self.table.clock.turn):
            return
        player = self.scenario.players[began[-1].player]
        self.desk.account_for((*step.transfers(frm="limited"), *step.transfers(to="limited")))
        for (nation, category), ours in months.allowances(self.scenario, self.table, player, began[-1].turn).items():
            held = self.table.pools["limited", nation, category]
            for event in step.transfers():
                if (event.nation, event.kind) == (nation, category):
                    held += event.amount * ((event.to == "limited") - (event.frm == "limited"))
            self.tally.compare(ALLOWANCE, step.entry.n, f"{nation} {category}", ours, held)

    def carry(self, step: Step, event: AnyEvent) -> None:
        """Points on their way are usable from the owner's next turn on, and not before (52.F.4.a/5)."""
        if not isinstance(event, Transferred):
            return
        clock = self.table.clock
        if "due/" in (event.to[:4], event.frm[:4]):
            self.desk.account_for([event])
        what = f"{event.amount} {event.kind} {event.nation}"
        if event.to.startswith("due/"):
            due = int(event.to.split("/")[1])
            # 51.B.14/5: what a reorganization brings takes two turns; all else is there next turn.
            wait = self.scenario.turns("reorganized_wait") if step.name == "convert" else 1
            self.tally.compare(TRANSIT, step.entry.n, f"{what} sent", clock.turn + wait, due)
        if event.frm.startswith("due/") and not event.to.startswith("due/"):
            now = (clock.turn, self.scenario.players[clock.player])
            due = int(event.frm.split("/")[1])
            # 28.D.list.4/2: ARPs on the game turn after; all else in its owner's turn.
            owner = self.scenario.players[0] if event.kind == ARP else counters.side(self.scenario, event.nation)
            self.tally.compare(TRANSIT, step.entry.n, f"{what} usable", (due, owner), now)

    def buy(self, step: Step, *, overruled: bool) -> None:
        unit = self.table.units[step.order["unit"]]
        back = step.name in prices.PAYS_BACK
        self.desk.account_for(step.transfers(frm="source/recovered") if back else step.transfers(to="sink/spent"))
        self.desk.account_for_units(step, unit.id)
        try:
            if overruled:
                raise NotReckoned("overruled")
            price, time = prices.price_of(self.scenario, self.table, unit, step.order)
            limited = prices.limited_res(self.scenario, self.table, unit, step.order)
        except NotReckoned as why:
            self.tally.leave(PRICE, str(why))
            return
        paid = step.amounts(frm="source/recovered") if back else step.amounts(to="sink/spent")
        if step.order.get("mix"):
            lawful, paid = prices.mixed(self.scenario, unit, price, step.transfers(to="sink/spent"))
            self.tally.compare(PRICE, step.entry.n, f"mix for {unit.id}", True, lawful)
        self.tally.compare(PRICE, step.entry.n, f"{step.name} {unit.id}", price | limited, paid)
        if time:
            due = [event.to.due for event in step.entry.events if isinstance(event, Moved) and event.unit == unit.id]
            self.tally.compare(ARRIVAL, step.entry.n, f"{step.name} {unit.id}", [self.table.clock.turn + time], due)


def reckon(journal: Journal) -> Tally:
    reckoner = Reckoner(*opened(journal))
    for step in steps(journal):
        reckoner.read(step)
    return reckoner.tally
