"""Contingents: what they borrow of their major power and pay back (52.E), and what they have free once (52.D.1.b)."""

from fractions import Fraction

from forcepool.engine.events import Became, Transferred
from forcepool.engine.places import Place
from forcepool.engine.state import Unit
from forcepool.engine.units import CADRE, FULL
from tests.reckoner import counters
from tests.reckoner.desk import NOTHING, Desk
from tests.reckoner.record import Step

DEBT, FREE = "debts", "free contingents"
MARKER, BORROWED, REPAID = "debt/", "sink/borrowed", "source/repaid"
Owed = dict[tuple[str, str], Fraction]
"""By nation and kind."""


class ContingentBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table
        self.owed: Owed = {}
        self.helped: set[tuple[str, str]] = set()
        """Which unit has been replaced or rebuilt free of charge."""

    def read(self, step: Step) -> None:
        self.borrow(step)
        self.repay(step)
        if step.name in ("replace-contingent", "rebuild-contingent"):
            self.free(step, self.table.units[step.order["unit"]])

    # ------------------------------------------------------------------------------------------- debts

    def borrow(self, step: Step) -> None:
        """52.E/1 to /3: what the major power spent is owed, five of a kind at most; its own goes first."""
        events = step.transfers(frm=MARKER, to=BORROWED)
        for event in events:
            nation, kind, pool = event.nation, event.kind, event.frm.removeprefix(MARKER)
            power = str(self.table.mark(f"nation/{nation}", "contingent") or "")
            spent = [each for each in step.transfers(to="sink/spent") if each.kind == kind]
            lent = sum((each.amount for each in spent if each.nation == power), NOTHING)
            own = sum((each.amount for each in spent if each.nation == nation), NOTHING)
            self.desk.compare(DEBT, step, f"{nation} borrows {kind}", lent, event.amount)
            left = self.table.held(pool, nation, kind) - own
            self.desk.compare(DEBT, step, f"{kind} of its own that {nation} kept back", NOTHING, left)
            self.owed[nation, kind] = self.owed.get((nation, kind), NOTHING) + event.amount
            within = self.owed[nation, kind] <= self.scenario.number("debt_limit")
            self.desk.compare(DEBT, step, f"{nation} owes {self.owed[nation, kind]} {kind}", True, within)
        self.desk.account_for(events)

    def repay(self, step: Step) -> None:
        """52.E/4, /5: of what it receives the debt is paid first, and the lender has it in the marker's front."""
        paid, back = step.transfers(to=MARKER), step.transfers(frm=REPAID)
        ours: Owed = {}
        for (nation, kind), owed in self.owed.items():
            came = sum((each.amount for each in step.transfers(frm="source/") if received(each, nation, kind)), NOTHING)
            if owed and came:
                ours[nation, kind] = min(owed, came)
                self.owed[nation, kind] = owed - ours[nation, kind]
        got: Owed = {}
        for event in paid:
            got[event.nation, event.kind] = got.get((event.nation, event.kind), NOTHING) + event.amount
        if ours or got:
            self.desk.compare(DEBT, step, "paid back", ours, got)
            self.desk.compare(DEBT, step, "to the lender", by_pool(paid, "to"), by_pool(back, "to"))
        self.desk.account_for((*paid, *back))

    # ------------------------------------------------------------------------------------------- once, and free

    def free(self, step: Step, unit: Unit) -> None:
        """52.D.1.b/5, /6: small ones whole, divisions a step, each once, for no points."""
        once = (unit.id, step.name)
        self.desk.compare(FREE, step, f"{unit.id} for the first time", False, once in self.helped)
        self.helped.add(once)
        self.desk.compare(FREE, step, f"{unit.id} costs", [], step.transfers(to="sink/spent"))
        if step.name == "rebuild-contingent":
            steps = [event.step for event in step.entry.events if isinstance(event, Became)]
            self.desk.compare(FREE, step, f"{unit.id} is", ([FULL], []), (steps, step.moves.get(unit.id, [])))
        else:
            small = counters.res(self.scenario, unit.spec, FULL) <= self.scenario.number("small_contingent")
            turn = self.table.clock.turn + self.scenario.turns("replacement_time")
            ours = [Place("track", str(step.order.get("track") or unit.place.of), turn)]
            self.desk.compare(FREE, step, f"{unit.id} comes", ours, step.moves.get(unit.id))
            now = [event.step for event in step.entry.events if isinstance(event, Became)] or [unit.step]
            self.desk.compare(FREE, step, f"{unit.id} comes as", FULL if small else CADRE, now[-1])
        self.desk.account_for_units(step, unit.id)


def received(event: Transferred, nation: str, kind: str) -> bool:
    """Whether these are points that a nation receives, and not some it had and another book moves."""
    return (event.nation, event.kind) == (nation, kind) and not event.frm.startswith((REPAID, "source/capacity"))


def by_pool(events: list[Transferred], end: str) -> dict[tuple[str, str], Fraction]:
    found: dict[tuple[str, str], Fraction] = {}
    for event in events:
        key = (getattr(event, end).removeprefix(MARKER), event.kind)
        found[key] = found.get(key, NOTHING) + event.amount
    return found
