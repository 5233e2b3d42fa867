"""52.D.1.b/4 and 52.D.3.a/3  Units that are not replaced once they are lost."""

from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.unit_types import Described, fits


class NeverReplaced(Described, frozen=True):
    """A kind of unit that stays eliminated."""

    side: str
    what: str
    clause: str


@rule("52.D.1.b/4")
def axis_unit_may_be_replaced(q: Purchase) -> Verdict:
    """Some Axis units are never replaced."""
    return _may_be_replaced(q, "Axis")


@rule("52.D.3.a/3")
def allied_unit_may_be_replaced(q: Purchase) -> Verdict:
    """Some Allied units are never replaced."""
    return _may_be_replaced(q, "Allied")


def _may_be_replaced(q: Purchase, side: str) -> Verdict:
    if q.side != side:
        return YES
    for row in q.world.chart("never_replaced"):
        if row.side == side and fits(row, q.unit.spec):
            return no(f"{q.unit} is {row.what}, which is never replaced")
    return YES
