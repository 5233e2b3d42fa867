"""28.D  Air replacement points: their pools, their receipt, what is owed, what is moved, and what lapses."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.engine.agenda import DUE as NOW_DUE
from forcepool.engine.agenda import LAPSES, NEWS, Item
from forcepool.engine.command import BadCommand
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import POINTS, Fact, subject_key
from forcepool.engine.ledger import SPENT, Account
from forcepool.engine.points import show_counted
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.question import Air
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import SIDES_WITH
from forcepool.games.europa.ground.pools import REINFORCEMENT, on_the_way, usable_from
from forcepool.games.europa.ground.purchase import Purchase, Spends
from forcepool.games.europa.replacements.allied.fallen import has_fallen
from forcepool.games.europa.replacements.general.receipts import HAD_ITS_POINTS, JOINING, joined, joins_late
from forcepool.games.europa.replacements.general.transfers import TransferPoints
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

ARP = "arp"
OWED, MARKER = "air-owed/", "air-marker/"
AIR_OB, OBLIGATION, RETURNED, MARKERS = (
    "source/air order of battle",
    "source/air obligations",
    "source/returned ARPs",
    "source/ARP markers",
)
RARE = ("rare_bvx", "rare_cfmt")
MARKER_PAID = switch(
    "air-marker",
    "28.D.1.b/5",
    "how a -1/2 ARP marker is paid off",
    first_half="by the first half ARP that comes into the pool, whenever that is",
    end_of_cycle="it is dropped at the end of the air cycle",
    next_income="it reduces the next regular income and nothing else",
)


class AirReplacements(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of an Air OB: the ARPs a theatre receives at the start of the cycle of a turn, or of several cycles."""

    nation: str
    theatre: str
    arps: Fraction
    turn: str
    until: str = ""
    """The last turn for which the line holds, where it holds for more than one cycle."""


def pool_key(pool: str, nation: str) -> str:
    """What is counted of one national force's ARPs in one theatre."""
    return f"air-pool/{pool} {nation}"


COMMON_POOL = switch(
    "air-pools",
    "28.D/2",
    "whether the ARPs of a national force lie in pools by theatre",
    theatre="each theatre has its own pool, which serves its own units",
    nation="they are one common pool: those of any theatre serve the force's units wherever they are",
)


def pool_of(world: EuropaWorld, state: State, area: str, nation: str) -> str:
    """The pool that serves an area: the nearest that has had ARPs, else the theatre's; by house rule any that has."""
    around = list(world.line_of(area))
    served = (each for each in around if Account(each, nation, ARP) in state.balances)
    near = next(served, around[-1] if around else "")
    if world.ruling(state, COMMON_POOL.key) == "theatre" or state.balance(near, nation, ARP) > 0:
        return near
    of_it = [each for each in state.balances if (each.nation, each.kind) == (nation, ARP)]
    held = [(state.balance(each.pool, nation, ARP), each.pool) for each in of_it]
    fullest = max((each for each in held if each[1] in world.areas), default=(Fraction(0), ""))
    return fullest[1] if fullest[0] > 0 else near


def owed(state: State, pool: str, nation: str) -> Fraction:
    return state.balance(OWED + pool, nation, ARP)


def has_marker(state: State, pool: str, nation: str) -> bool:
    """Whether a -1/2 ARP marker lies in the pool."""
    return state.balance(pool, nation, ARP) < 0 or state.balance(MARKER + pool, nation, ARP) > 0


def holdings(world: EuropaWorld, state: State, side: str) -> Iterator[tuple[str, str, Fraction]]:
    """Every theatre pool and national force of a side that holds, expects or owes ARPs, in order."""
    coming = {Account(pool, nation, kind) for _, pool, nation, kind, _ in on_the_way(state)}
    for account in sorted({each for each in (*coming, *state.balances) if each.kind == ARP}):
        if account.pool in world.areas and world.side_now(state, account.nation) == side:
            yield account.pool, account.nation, state.balance(account.pool, account.nation, ARP)


def coming_to(state: State, pool: str, nation: str) -> list[tuple[int, Fraction]]:
    """The ARPs on their way to a pool, by the turn from which they can be used."""
    return [
        (turn, arps) for turn, to, whose, kind, arps in on_the_way(state) if (to, whose, kind) == (pool, nation, ARP)
    ]


def moves(amount: Fraction, nation: str, frm: str, to: str, because: str, says: str = "") -> Transferred:
    return Transferred(amount=amount, kind=ARP, nation=nation, frm=frm, to=to, because=because, says=says)


# ------------------------------------------------------------------------------------------------- receipt


@computed("28/5", "28.D/1", "28.D/2")
def listed(world: EuropaWorld, state: State, side: str, of: int | None = None) -> Iterator[tuple[str, str, Fraction]]:
    """What the Air OBs list for the cycle that begins, or for the one asked for: theatre, force and ARPs."""
    per_month = world.calendar.turns_per_month
    this = state.clock.turn // per_month if of is None else of
    for row in world.chart("air_replacements"):
        nation = world.nation_named(row.nation)
        first = world.calendar.parse(row.turn).turn // per_month
        last = world.calendar.parse(row.until).turn // per_month if row.until else first
        if first <= this <= last and world.side_now(state, nation) == side and not has_fallen(world, state, nation):
            yield world.pool_named(row.theatre), nation, row.arps


def receive(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the first reinforcement phase of a cycle begins, the ARPs of the Air OBs come in."""
    if world.phase(state) != REINFORCEMENT or not world.chart("air_replacements") or not cycle.begins_now(world, state):
        return
    facts = world.facts(state)
    for side in sides_on_turn(world, state):
        for pool, nation, amount in listed(world, state, side):
            if not facts.of_nation(nation, HAD_ITS_POINTS):
                yield from _comes_in(state, pool, nation, amount, "start of the air cycle")


def received_as_it_joins(q: Any) -> Iterator[Event]:
    """A nation that changes sides has a cycle's ARPs from one side, as it has its RPs."""
    if q.world.calendar.is_first_of_month(q.state.clock.turn) and joins_late(q):
        after, nation = joined(q), q.on.removeprefix(subject_key("nation", ""))
        for pool, whose, amount in listed(q.world, after, q.world.side_now(after, nation)):
            if whose == nation:
                yield from _comes_in(after, pool, nation, amount, JOINING)


def _comes_in(state: State, pool: str, nation: str, amount: Fraction, says: str) -> Iterator[Event]:
    yield moves(amount, nation, AIR_OB, pool, "28.D/1 28.D/2 28/5", says)
    marker = min(amount, state.balance(MARKER + pool, nation, ARP))
    if marker:
        yield moves(marker, nation, pool, SPENT, "28.D.1.b/5", "the -½ ARP marker")
        yield moves(marker, nation, MARKER + pool, MARKERS, "28.D.1.b/5")


def sides_on_turn(world: EuropaWorld, state: State) -> list[str]:
    return [side for side in sorted(set(world.sides.values())) if world.has_the_turn(state, side)]


def release(world: EuropaWorld, state: State) -> Iterator[Event]:
    """ARPs moved to another theatre can be used from the next game turn on, whoever's player-turn comes first."""
    for turn, pool, nation, kind, amount in on_the_way(state):
        if kind == ARP and turn <= state.clock.turn:
            yield moves(amount, nation, usable_from(turn, pool), pool, "28.D.list.4/2 28.D.list.4/3", "now usable")


# --------------------------------------------------------------------------------------------- obligations


def meet(state: State, pool: str, nation: str, arrived: Fraction = Fraction(0)) -> Iterator[Event]:
    """What a pool holds, with what has just come in, goes to what it owes first."""
    held = state.balance(pool, nation, ARP) + arrived
    paid = min(owed(state, pool, nation), held)
    if paid > 0:
        yield moves(paid, nation, pool, SPENT, "28.F/4 28.F/2", "met an obligation")
        yield moves(paid, nation, OWED + pool, OBLIGATION, "28.F/4")


def meet_all(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a player-turn or a reinforcement phase begins, ARPs that have come in meet what is owed."""
    if state.clock.phase and world.phase(state) != REINFORCEMENT:
        return
    for account, balance in sorted(state.balances.items()):
        if balance > 0 and account.pool.startswith(OWED):
            yield from meet(state, account.pool.removeprefix(OWED), account.nation)


def due(state: State, pool: str, nation: str, amount: Fraction, because: str) -> Iterator[Event]:
    """ARPs that must be paid: at once as far as they go, the rest becomes an obligation."""
    paid = max(Fraction(0), min(amount, state.balance(pool, nation, ARP)))
    if paid:
        yield moves(paid, nation, pool, SPENT, f"{because} 28.F/2", "for a withdrawal")
    if amount > paid:
        yield moves(amount - paid, nation, OBLIGATION, OWED + pool, f"{because} 28.F/3", "still owed")


@computed("28.D.list.5/1", "28.D.list.4/3")
def excess(world: EuropaWorld, state: State, pool: str, nation: str) -> Fraction:
    """What a pool holds beyond the three it may keep, ARPs on their way to it included."""
    coming = sum((arps for _, arps in coming_to(state, pool, nation)), Fraction(0))
    total = state.balance(pool, nation, ARP) + coming
    return max(Fraction(0), total - world.numbers["arps_kept"])


# ------------------------------------------------------------------------------------------- nothing else


@rule("28.D/4")
def arps_move_by_their_own_rule(q: Air) -> Verdict:
    """ARPs are spent, moved and saved as rule 28.D says, and in no other way."""
    if ARP not in q.command.points.split() and f"{ARP}," not in q.command.points:
        return YES
    return no("ARPs do not move between pools as RPs do", remedy="send two at most to another theatre (transfer-arps)")


@rule("28.D/3")
def arps_serve_air_units_only(q: Purchase) -> Verdict:
    """ARPs pay for nothing on the ground."""
    if all(part.kind != ARP for part in q.parts):
        return YES
    return no("ARPs serve air units only", remedy="pay in RPs")


# -------------------------------------------------------------------------------------------------- agenda


def reminders(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The clock of the air cycle, what is owed, and what will lapse."""
    for side in sorted(set(world.sides.values())):
        held = list(holdings(world, state, side))
        if held:
            yield from _reminders(world, state, side, held)


def _reminders(world: EuropaWorld, state: State, side: str, held: list[tuple[str, str, Fraction]]) -> Iterator[Item]:
    last = world.turn_name(cycle.last_turn_of_cycle(world, state, side))
    kept, ending = world.numbers["arps_kept"], cycle.at_end_of_cycle(world, state, side)
    when = "the air cycle ends now" if ending else f"the air cycle ends with {last}"
    yield Item(NEWS, f"{when}; each pool keeps {show_counted(kept, 'ARP')}", "28/2", side)
    for pool, nation, balance in held:
        over, debt = excess(world, state, pool, nation), owed(state, pool, nation)
        if over:
            text = f"{the_pool(pool)}: {show_counted(over, 'ARP')} of {nation} will lapse unless spent; {when}"
            yield Item(LAPSES, text, "28.D.list.5/3", side)
        if balance < 0:
            yield Item(NEWS, f"{the_pool(pool)}: a -½ ARP marker of {nation} lies in the pool", "28.D.1.b/5", side)
        if debt:
            text = f"{the_pool(pool)}: {nation} owes {show_counted(debt, 'ARP')} for withdrawals, before any other use"
            yield Item(NOW_DUE, text, "28.F/3", side)


def counted(nation: str) -> str:
    """Where the ARPs a national force has spent on rare codes are counted."""
    return subject_key("nation", nation)


def check_receipts(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A line that names no nation, theatre or turn of the scenario is found when the campaign begins."""
    for row in world.chart("air_replacements"):
        world.nation_named(row.nation)
        world.calendar.parse(row.turn)
        if row.until:
            world.calendar.parse(row.until)
        if world.pool_named(row.theatre) not in world.areas:
            raise BadCommand(f"air_replacements: the scenario has no theatre or front '{row.theatre}'")
    yield from ()


CHAPTER = Chapter(
    heading="28.D",
    facts=(
        *(
            Fact(mark, ("nation",), f"the ARPs spent this air cycle on codes {mark[5:].upper()}", "0", POINTS)
            for mark in RARE
        ),
    ),
    guards={
        TransferPoints: (arps_move_by_their_own_rule,),
        Spends: (arps_serve_air_units_only,),
    },
    switches=(MARKER_PAID, COMMON_POOL),
    opening=(check_receipts,),
    happens=(receive, release, meet_all),
    declared={SIDES_WITH: (received_as_it_joins,)},
    due=(reminders,),
    charts={"air_replacements": tuple[AirReplacements, ...]},
    points=(ARP,),
    pools=(OWED.rstrip("/"), MARKER.rstrip("/")),
)
