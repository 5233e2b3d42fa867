"""What every book of the reckoner works with: the charts, the table, the tally, and which events are accounted for."""

from collections.abc import Iterable
from fractions import Fraction

from forcepool.engine.calendar import Clock
from forcepool.engine.events import AnyEvent, Became, Moved, Raised, Transferred
from tests.reckoner.record import Scenario, Step, Table
from tests.reckoner.tally import Tally

Receipts = dict[tuple[str, str, str], Fraction]
"""Points by nation, pool and kind."""
NOTHING = Fraction(0)
CAPACITY = ("source/capacity", "capacity/")
"""Room on trains and ships, which is no replacement point; what is said of it is not reckoned here."""
BOOKKEEPING = ("losses/", "sink/counted", "received/")
"""Where points are noted on their way; what comes of them is reckoned, not the notes."""


class Desk:
    def __init__(self, scenario: Scenario, table: Table) -> None:
        self.scenario, self.table, self.tally = scenario, table, Tally()
        self._accounted: set[int] = set()

    def compare(self, heading: str, step: Step, what: str, ours: object, journal: object) -> None:
        self.tally.compare(heading, step.entry.n, what, ours, journal)

    def leave(self, heading: str, why: str) -> None:
        self.tally.leave(heading, why)

    def account_for(self, events: Iterable[AnyEvent]) -> None:
        """These events of the entry have been reckoned, or told why not."""
        self._accounted.update(id(event) for event in events)

    def account_for_units(self, step: Step, *units: str) -> None:
        kinds = (Moved, Became, Raised)
        self.account_for(event for event in step.entry.events if isinstance(event, kinds) and event.unit in units)

    def close(self, step: Step) -> None:
        """What no book has reckoned is not passed over in silence."""
        for event in step.entry.events:
            if isinstance(event, Transferred):
                if any(pool.startswith((*CAPACITY, *BOOKKEEPING)) for pool in (event.frm, event.to)):
                    continue
                way = f"{event.frm.partition('/')[0]} to {event.to.partition('/')[0]}"
            elif isinstance(event, Moved):
                way = f"{event.frm.kind} to {event.to.kind}"
            elif isinstance(event, Became | Raised):
                way = type(event).__name__.lower()
            else:
                continue
            if id(event) not in self._accounted:
                self.leave("whatever else happened", f"{step.name}: {way} {event.because}")
        self._accounted.clear()

    # --------------------------------------------------------------------------------------- moments

    def begins(self, step: Step, phase: str) -> Clock | None:
        """The clock of a phase of this name that begins with the entry."""
        return next((clock for clock in step.began if self.scenario.phase(clock) == phase), None)

    def turn_begins(self, step: Step) -> Clock | None:
        """The first phase of a player-turn that begins with the entry."""
        now = (self.table.clock.turn, self.table.clock.player)
        return next((clock for clock in step.began if (clock.turn, clock.player) != now), None)

    def gathered(self, events: Iterable[Transferred]) -> Receipts:
        """What came into each pool."""
        found: Receipts = {}
        for event in events:
            key = (event.nation, event.to, event.kind)
            found[key] = found.get(key, NOTHING) + event.amount
        return {key: amount for key, amount in found.items() if amount}


def add(receipts: Receipts, nation: str, pool: str, kind: str, amount: Fraction) -> None:
    if amount:
        receipts[nation, pool, kind] = receipts.get((nation, pool, kind), NOTHING) + amount
