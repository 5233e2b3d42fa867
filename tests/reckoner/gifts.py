"""Points that change hands or pools by order: foreign aid, and the way up and down between pools (52.C/5, 52.A.1)."""

from fractions import Fraction

from forcepool.engine.events import Transferred
from tests.reckoner import ground
from tests.reckoner.counters import side
from tests.reckoner.desk import NOTHING, Desk
from tests.reckoner.record import Step

AID, WAY = "foreign aid", "ways of points"


class GiftBook:
    def __init__(self, desk: Desk) -> None:
        self.desk, self.scenario, self.table = desk, desk.scenario, desk.table

    def read(self, step: Step) -> None:
        if step.name == "give-aid":
            self.aid(step)
        elif step.name == "transfer-points":
            self.send(step)

    def aid(self, step: Step) -> None:
        """52.C/5: arm alone; what one gives the other has, all at once."""
        gone, come = step.transfers(to="sink/foreign aid"), step.transfers(frm="source/foreign aid")
        given, taken = total(gone), total(come)
        self.desk.compare(AID, step, f"{step.order['nation']} to {step.order['to']}", given, taken)
        self.desk.compare(AID, step, "kinds", {"arm"}, {event.kind for event in (*gone, *come)})
        self.desk.account_for((*gone, *come))

    def send(self, step: Step) -> None:
        """52.A.1/1 to /3: a step up or down between nation, theatre and front (or a Soviet's MD), no step skipped."""
        events = [event for event in step.transfers() if "capacity" not in event.frm]
        for event in events:
            one, other = pool_of(event.frm), pool_of(event.to)
            self.desk.compare(WAY, step, f"{one} to {other}", True, self.is_a_step(one, other, event.nation))
        self.desk.account_for(events)

    def is_a_step(self, one: str, other: str, nation: str) -> bool:
        return self.above(one, nation) == other or self.above(other, nation) == one

    def above(self, pool: str, nation: str) -> str:
        """The pool one step up; the nation's for a theatre, and for what lies in none, the enemy's or a lost one."""
        if pool not in self.scenario.areas:
            return ""
        around = (area for area in ground.upward(self.scenario, pool) if area != pool and self.serves(area, nation))
        return next(around, "nation")

    def serves(self, area: str, nation: str) -> bool:
        sides, own = ground.sides_of(self.scenario, self.table, area), side(self.scenario, nation)
        return not ground.is_lost(self.scenario, self.table, area, own) and (not sides or own in sides)


def pool_of(account: str) -> str:
    """The pool that an account of points on their way belongs to."""
    if account.startswith("due/"):
        account = account.split("/", 2)[2].removeprefix("moved/").removeprefix("received/")
    return "nation" if account.startswith("national/") else account


def total(events: list[Transferred]) -> Fraction:
    return sum((event.amount for event in events), NOTHING)
