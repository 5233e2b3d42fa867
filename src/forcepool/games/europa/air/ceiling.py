"""28.D item 3  Half the pool: how much a replacement phase may spend on units from the boxes."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import NUMBER, PLAYER_TURN, POINTS, Fact
from forcepool.engine.points import parse_points, show_counted, show_points, store_points
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.tally import Tally
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule, yes
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.arps import ARP, holdings, owed, pool_key, sides_on_turn
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.question import in_phase_of, next_turn
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

if TYPE_CHECKING:
    from forcepool.games.europa.air.spending import Spending

HALF = switch(
    "air-half-pool",
    "28.D.list.3/1",
    "what the share of ARPs that may be spent is taken of, when, and what it binds",
    replacement_phase="the share of what the pool holds as the replacement phase begins, for repairs and replacements",
    reinforcement_phase="the share of what the pool held as the reinforcement phase began",
    every_arp="every ARP spent in the phase counts, status rises too",
    all_theatres="the share of what all theatres of the national force hold together",
    round_up="the share, rounded up to a whole ARP",
    round_down="the share, rounded down to a whole ARP",
)
ONE_UNIT = switch(
    "air-one-unit",
    "28.D.list.3/2",
    "the one unit that may always be rebuilt",
    way_round="a way round a share that is too small: the share or one unit, whichever is more",
    on_top="one unit and the share besides",
    per_player="one unit a player and phase, whatever the number of his pools",
)
SPENT = Tally("arps_on_boxes", "air-pool", "the ARPs spent on units from the boxes this phase", PLAYER_TURN)
RISES = Tally("arps_on_rises", "air-pool", "the ARPs spent on status rises this phase", PLAYER_TURN)
UNITS, DEAREST, AT_START = "air_units_rebuilt", "dearest_air_unit", "arps_at_start"


def _pools(q: "Spending") -> list[str]:
    """The pools that are looked at together."""
    if q.switch(HALF.key) != "all-theatres":
        return [q.payer]
    return [pool for pool, nation, _ in holdings(q.world, q.state, q.side) if nation == q.force]


def _spent(q: "Spending", tally: Tally) -> Fraction:
    return sum((tally.so_far(q.facts, pool_key(pool, q.force)) for pool in _pools(q)), Fraction(0))


def _total(q: "Spending") -> Fraction:
    """The ARPs half of which may be spent: what the phase began with, obligations taken off."""
    return sum((_at_start(q, pool) for pool in _pools(q)), Fraction(0))


def _at_start(q: "Spending", pool: str) -> Fraction:
    """As noted when the phase began; before that, or where nothing was noted, what the pool holds now."""
    noted = q.facts.declared(pool_key(pool, q.force), AT_START)
    if noted is not None and (cycle.in_own_replacement_phase(q) or q.switch(HALF.key) == "reinforcement-phase"):
        return parse_points(str(noted))
    return q.state.balance(pool, q.force, ARP) - owed(q.state, pool, q.force)


@computed("28.D.list.3/1")
def ceiling(q: "Spending") -> Fraction:
    """Exactly half, unless the house rule rounds it."""
    half = _total(q) * q.world.numbers["arps_share"]
    rounded = {"round-up": ceil, "round-down": floor}.get(q.switch(HALF.key))
    return Fraction(rounded(half)) if rounded else half


def spent_under_it(q: "Spending") -> Fraction:
    """What this phase has spent that counts against the half."""
    return _spent(q, SPENT) + (_spent(q, RISES) if q.switch(HALF.key) == "every-arp" else Fraction(0))


@rule("28.D.list.3/1", "28.D.list.3/2", "28.D.list.5/2")
def half_the_pool(q: "Spending") -> Verdict:
    """A replacement phase may spend half the pool on units from the boxes; one unit is always allowed."""
    if not _is_bound(q):
        return YES
    if cycle.at_end_of_cycle(q.world, q.state, q.side):
        return yes("28.D.list.5/2", "the end of the air cycle")
    spent = spent_under_it(q)
    limit, total = ceiling(q), spent + q.bill.arps
    if total <= limit:
        return YES
    if _from_a_box(q) and _as_the_one_unit(q, spent, limit):
        return yes("28.D.list.3/2", "one unit is always allowed")
    share = q.world.numbers["arps_share"]
    part = "half" if share == Fraction(1, 2) else show_points(share)
    return no(
        f"{show_counted(spent, 'ARP')} spent this phase, with {q.unit} {show_points(total)}; {part} of "
        f"{show_points(_total(q))} is {show_points(limit)}",
        remedy=_next_phase(q),
        also=("28.D.list.3/2",) if _from_a_box(q) else (),
        have=total,
        need=limit,
    )


def _next_phase(q: "Spending") -> Remedy:
    """In the next phase a unit from the boxes is the first again; at the end of the cycle all may be spent."""
    words = f"wait for the next {q.world.phase_called(REPLACEMENT)}, or the end of the air cycle"
    if not _from_a_box(q):
        return Remedy(words)
    now = cycle.in_own_replacement_phase(q)
    return next_turn(q, words) if now else in_phase_of(q, q.state.clock.turn, REPLACEMENT, words)


def _from_a_box(q: "Spending") -> bool:
    return not q.unit.place.on_map


def _is_bound(q: "Spending") -> bool:
    return _from_a_box(q) or (cycle.in_own_replacement_phase(q) and q.switch(HALF.key) == "every-arp")


@computed("28.D.list.3/2")
def _as_the_one_unit(q: "Spending", spent: Fraction, limit: Fraction) -> bool:
    """Whether this is the one unit that may be rebuilt in spite of the ceiling."""
    ruling = q.switch(ONE_UNIT.key)
    if ruling == "on-top":
        dearest = max([q.bill.arps, *(q.facts.points(pool_key(p, q.force), DEAREST) for p in _pools(q))])
        return spent + q.bill.arps - dearest <= limit
    if ruling == "per-player":
        return not any(_units(q, pool, nation) for pool, nation, _ in holdings(q.world, q.state, q.side))
    return not any(_units(q, pool, q.force) for pool in _pools(q))


def _units(q: "Spending", pool: str, nation: str) -> int:
    return int(str(q.facts.value(pool_key(pool, nation), UNITS)))


def tally(q: "Spending", arps: Fraction, *, rebuilt: bool = True) -> Iterator[Event]:
    """Count what a replacement phase spends, on units from the boxes and on rises."""
    if not cycle.in_own_replacement_phase(q):
        return
    on = pool_key(q.payer, q.force)
    yield (SPENT if rebuilt else RISES).counts(q.facts, on, arps, "28.D.list.3/1")
    if rebuilt:
        dearest = max(arps, q.facts.points(on, DEAREST))
        yield Marked(on=on, mark=UNITS, value=_units(q, q.payer, q.force) + 1, because="28.D.list.3/2")
        yield Marked(on=on, mark=DEAREST, value=store_points(dearest), because="28.D.list.3/2")


def note_the_start(world: EuropaWorld, state: State) -> Iterator[Event]:
    """What each pool holds, obligations taken off, as the phase begins whose start the house rule looks at."""
    phase = REINFORCEMENT if world.ruling(state, HALF.key) == "reinforcement-phase" else REPLACEMENT
    if world.phase(state) != phase:
        return
    for side in sides_on_turn(world, state):
        for pool, nation, balance in holdings(world, state, side):
            free = max(Fraction(0), balance - owed(state, pool, nation))
            on, value = pool_key(pool, nation), store_points(free)
            if free or state.mark(on, AT_START):
                yield Marked(on=on, mark=AT_START, value=value, because="28.D.list.3/1")


def _kept(name: str, about: str, default: str | int = "0", takes: str = POINTS) -> Fact:
    return Fact(name, ("air-pool",), about, default, takes, lasts=PLAYER_TURN, by_hand=False)


CHAPTER = Chapter(
    heading="28.D",
    facts=(
        SPENT.fact,
        RISES.fact,
        _kept(UNITS, "the air units rebuilt this phase", 0, NUMBER),
        _kept(DEAREST, "the dearest air unit rebuilt this phase"),
        _kept(AT_START, "the ARPs held as the phase began"),
    ),
    switches=(HALF, ONE_UNIT),
    opening=(note_the_start,),
    happens=(note_the_start,),
)
