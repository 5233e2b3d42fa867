"""28.D item 5  The end of an air cycle: three ARPs a pool are kept, the rest is lost."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import subject_key
from forcepool.engine.ledger import LOST
from forcepool.engine.points import show_points
from forcepool.engine.state import State
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.arps import MARKER_PAID, MARKERS, RARE, coming_to, excess, holdings, moves
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import SIDES_WITH
from forcepool.games.europa.ground.pools import usable_from
from forcepool.games.europa.replacements.general.receipts import HAD_ITS_POINTS, joins_late
from forcepool.games.europa.world import EuropaWorld


def lapse(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As an air cycle ends three ARPs a pool are kept, the rest is lost, and the counts of rare codes start afresh."""
    facts = world.facts(state)
    for side in cycle.ending_now(world, state):
        for pool, nation, balance in holdings(world, state, side):
            # The old side of a nation that changed sides has ended its cycle and begun the next.
            if not facts.of_nation(nation, HAD_ITS_POINTS):
                yield from _keep(world, state, pool, nation, balance)
        for mark in RARE:
            for on in sorted(state.marked.get(mark, ())):
                nation = on.partition("/")[2]
                if world.side_now(state, nation) == side and not facts.of_nation(nation, HAD_ITS_POINTS):
                    yield _afresh(on, mark)


def ends_as_it_joins(q: Any) -> Iterator[Event]:
    """The cycle of a nation that joins a side whose next one has begun ends with that."""
    if not q.world.calendar.is_first_of_month(q.state.clock.turn) or not joins_late(q):
        return
    world, state, nation = q.world, q.state, q.on.removeprefix(subject_key("nation", ""))
    for pool, whose, balance in holdings(world, state, world.side_now(state, nation)):
        if whose == nation:
            yield from _keep(world, state, pool, nation, balance)
    yield from (_afresh(q.on, mark) for mark in RARE if q.on in state.marked.get(mark, ()))


def _afresh(on: str, mark: str) -> Event:
    return Marked(on=on, mark=mark, because="28.D.1.a/1", says="a new air cycle")


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
CHAPTER = Chapter(heading="28.D", ends=(lapse,), declared={SIDES_WITH: (ends_as_it_joins,)})
