"""28.D item 5  The end of an air cycle: three ARPs a pool are kept, the rest is lost."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.events import Event, Marked
from forcepool.engine.ledger import LOST
from forcepool.engine.points import show_points
from forcepool.engine.state import State
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.arps import MARKER_PAID, MARKERS, RARE, coming_to, excess, holdings, moves
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import usable_from
from forcepool.games.europa.world import EuropaWorld


def lapse(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As an air cycle ends three ARPs a pool are kept, the rest is lost, and the counts of rare codes start afresh."""
    for side in cycle.ending_now(world, state):
        for pool, nation, balance in holdings(world, state, side):
            yield from _keep(world, state, pool, nation, balance)
        for mark in RARE:
            for on in sorted(state.marked.get(mark, ())):
                if world.side_now(state, on.partition("/")[2]) == side:
                    yield Marked(on=on, mark=mark, because="28.D.1.a/1", says="a new air cycle")


def _keep(world: EuropaWorld, state: State, pool: str, nation: str, balance: Fraction) -> Iterator[Event]:
    if balance < 0 and world.ruling(state, MARKER_PAID.key) == "end-of-cycle":
        yield moves(-balance, nation, MARKERS, pool, "28.D.1.b/5", "the -½ ARP marker is dropped")
        return
    over = excess(world, state, pool, nation)
    says = f"{show_points(world.numbers['arps_kept'])} ARPs kept"
    now = min(over, max(Fraction(0), balance))
    if now:
        yield moves(now, nation, pool, LOST, "28.D.list.5/3", says)
    rest = over - now
    for turn, amount in coming_to(state, pool, nation):
        lost = min(rest, amount)
        rest -= lost
        if lost:
            yield moves(lost, nation, usable_from(turn, pool), LOST, "28.D.list.5/3 28.D.list.4/3", says)


# What combat results nobody has settled give back is in the pool before it is looked at.
CHAPTER = Chapter(heading="28.D", ends=(lapse,))
