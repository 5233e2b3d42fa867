"""49.B.4  Victory points for strategic reserve: what a scenario pays for staying, and takes for leaving."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.events import Event, Transferred
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import STRATEGIC
from forcepool.games.europa.reserves.accounts import VICTORY, VP
from forcepool.games.europa.reserves.changes import Changing, reserve_of
from forcepool.games.europa.reserves.depots import last_moment_of_a_turn
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed


class VpRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a scenario pays for an RE kept in strategic reserve each month, and takes for one that leaves."""

    nations: tuple[str, ...] = ()
    held: Fraction = Fraction(0)
    leaving: Fraction = Fraction(0)


@computed("49.B.4/1", "49.B.4/2")
def vps(world: EuropaWorld, nation: str) -> VpRow:
    """What the scenario says of a nation's strategic reserve; nothing unless it says so."""
    rows = (row for row in world.chart("strategic_vps") if not row.nations or nation in row.nations)
    return next(rows, VpRow())


def lost_by_leaving(q: Changing) -> Iterator[Event]:
    """What a unit costs that leaves strategic reserve."""
    cost = vps(q.world, q.unit.spec.nation).leaving * q.world.res(q.unit.spec, q.unit.step)
    if cost:
        yield Transferred(
            amount=cost,
            kind=VP,
            nation=q.unit.spec.nation,
            frm=VICTORY,
            to="sink/victory",
            because="49.B.4/2",
            says=f"{q.unit} left strategic reserve",
        )


def paid_for_staying(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a month ends, what the scenario pays for the REs in strategic reserve."""
    last = world.calendar.is_last_of_month(state.clock.turn) and last_moment_of_a_turn(world, state)
    if not last or not world.chart("strategic_vps"):
        return
    facts = world.facts(state)
    for unit in state.units_in_order():
        if reserve_of(facts, unit) != STRATEGIC:
            continue
        amount = vps(world, unit.spec.nation).held * world.res(unit.spec, unit.step)
        if amount:
            yield Transferred(
                amount=amount,
                kind=VP,
                nation=unit.spec.nation,
                frm="source/victory",
                to=VICTORY,
                because="49.B.4/1",
                says=f"{unit} in strategic reserve",
            )


CHAPTER = Chapter(heading="49.B.4", ends=(paid_for_staying,), charts={"strategic_vps": tuple[VpRow, ...]})
