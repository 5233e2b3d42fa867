"""A forecast as players read it: turn by turn what comes, lapses and arrives, and what every pool will hold."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.ledger import NOTHING
from forcepool.engine.places import Place
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import plain
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.planner.chances import Spread
from forcepool.planner.fans import BANDS
from forcepool.planner.forecast import COMES, GOES, LAPSES, MOVES, Arrival, Change, Forecast, Leaving
from forcepool.planner.quiet import Passed, Undone
from forcepool.views.names import amounts_in_words, kind_in_words, natural, pool_in_words, pool_order
from forcepool.views.pools import Amount, kind_order
from forcepool.views.said import told

FEW = 3
"""Pools alike that are listed one by one."""
MOSTLY = Fraction(9, 10)
"""How likely the range is that is told beside a number that hangs on dice."""


class PoolChange(Struct, frozen=True):
    """What one pool gets or loses in a turn, for one nation."""

    pool: str
    title: str
    nation: str
    side: str
    amounts: tuple[Amount, ...]
    clauses: tuple[str, ...]
    why: tuple[str, ...]
    """The workings, one for each receipt."""
    into: str = ""

    def __str__(self) -> str:
        amounts = amounts_in_words({each.kind: each.points for each in self.amounts})
        whose = "" if self.nation in self.title else f" of {self.nation}"
        return f"{self.title}: {amounts}{whose}{f' to {self.into}' if self.into else ''}"


class Comes(Struct, frozen=True):
    """A unit on its way onto the map, or new on a track or in a box."""

    unit: str
    nation: str
    side: str
    where: str
    clauses: tuple[str, ...]
    on_map: bool


class Leaves(Struct, frozen=True):
    """A unit that leaves where it stands on the map."""

    unit: str
    nation: str
    side: str
    frm: str
    to: str
    clauses: tuple[str, ...]
    on_map: bool
    """Whether it stays on the map."""

    @property
    def where(self) -> str:
        return f"{self.frm} to {self.to}" if self.on_map else f"{self.frm}, then {self.to}"


class NotTaken(Struct, frozen=True):
    """What may be done from a turn on, or is lost with it if nobody does: one of these."""

    side: str
    when: str
    clause: str
    texts: tuple[str, ...]


class NotDone(Struct, frozen=True):
    """What will be due and cannot be done."""

    side: str
    when: str
    clause: str
    text: str


class TurnAhead(Struct, frozen=True):
    """What quiet play brings in one turn."""

    turn: int
    name: str
    comes: tuple[PoolChange, ...]
    lapses: tuple[PoolChange, ...]
    goes: tuple[PoolChange, ...]
    moves: tuple[PoolChange, ...]
    arrives: tuple[Comes, ...]
    leaves: tuple[Leaves, ...]
    undone: tuple[NotDone, ...]
    not_taken: tuple[NotTaken, ...]
    """What is lost if nobody does it."""
    opens: tuple[NotTaken, ...]
    """What may be done, could not in the turn before, and can wait."""

    @property
    def empty(self) -> bool:
        points = self.comes or self.lapses or self.goes or self.moves
        return not (points or self.arrives or self.leaves or self.undone or self.not_taken or self.opens)


class PoolAhead(Struct, frozen=True):
    """What a pool holds of one kind as each turn ends, if nothing is spent."""

    pool: str
    title: str
    nation: str
    side: str
    kind: str
    holds: tuple[Fraction, ...]
    least: tuple[Fraction, ...]
    most: tuple[Fraction, ...]
    """Between which amounts it lies nine times in ten, where dice decide; else the amount itself."""
    fan: tuple[tuple[Fraction, ...], ...] = ()
    """With losses on the way, turn by turn: what it holds at most in each band of the runs."""

    @property
    def certain(self) -> bool:
        return self.least == self.most

    @property
    def width(self) -> Fraction:
        """How far apart the least and the most are in the end, by dice or by losses where they were drawn."""
        if not self.holds:
            return NOTHING
        return self.fan[-1][-1] - self.fan[-1][0] if self.fan else self.most[-1] - self.least[-1]


class Ahead(Struct, frozen=True):
    """The whole forecast."""

    now: str
    turns: tuple[TurnAhead, ...]
    pools: tuple[PoolAhead, ...]
    rolls: int
    """The dice on the way."""
    losses: str = ""
    """How losses were drawn, in words; nothing where there are none."""
    runs: int = 0
    """How often it was played on with them."""
    bands: tuple[Fraction, ...] = ()
    """The part of the runs that each line of a fan stands for."""


def alike(changes: Iterable[PoolChange]) -> list[tuple[PoolChange, ...]]:
    """Those of many pools of one level and nation together."""
    found: dict[tuple[str, str], list[PoolChange]] = {}
    for each in changes:
        found.setdefault((each.pool.partition("/")[0], each.nation), []).append(each)
    return [
        part
        for together in found.values()
        for part in ([tuple(together)] if len(together) > FEW else [(each,) for each in together])
    ]


def together(changes: Sequence[PoolChange]) -> str:
    """'16 MDs of Soviet Union: 34½ inf (MD Moscow 5¼ inf, MD Urals 3½ inf, …)', the greatest first."""
    if len(changes) == 1:
        return str(changes[0])
    sums: dict[str, Fraction] = {}
    for change in changes:
        for each in change.amounts:
            kind = kind_in_words(each.kind)
            sums[kind] = sums.get(kind, NOTHING) + each.points
    ordered = sorted(changes, key=lambda change: -sum(each.points for each in change.amounts))
    named = ", ".join(
        f"{each.title} {show_amounts({kind_in_words(part.kind): part.points for part in each.amounts})}"
        for each in ordered[:FEW]
    )
    level = changes[0].title.partition(" ")[0]
    return f"{len(changes)} {level}s of {changes[0].nation}: {show_amounts(sums)} ({named}, …)"


def ahead(world: World, state: State, found: Forecast, *, side: str = "", losses: str = "") -> Ahead:
    """A forecast in words, for all sides or one; `losses` says how they were drawn."""
    return replace(_Words(world, state, side).ahead(found), losses=losses)


class _Words:
    """How things are called in a campaign, and whose they are."""

    def __init__(self, world: World, state: State, side: str) -> None:
        self.world, self.state, self.side = world, state, side

    def ahead(self, found: Forecast) -> Ahead:
        turns = tuple(self.turn(found, turn) for turn in found.turns)
        bands = BANDS if found.runs else ()
        return Ahead(
            self.world.when(self.state),
            turns,
            tuple(self.pools(found)),
            len(found.chances),
            runs=found.runs,
            bands=bands,
        )

    def of(self, nation: str) -> str:
        return self.world.side_now(self.state, nation)

    def theirs(self, nation: str) -> bool:
        return self.side in ("", self.of(nation))

    def turn(self, found: Forecast, turn: int) -> TurnAhead:
        changes = [each for each in found.changes if each.turn == turn and self.theirs(each.account.nation)]
        arrivals = [each for each in found.arrivals if each.turn == turn and self.theirs(each.nation)]
        leaving = [each for each in found.leaving if each.turn == turn and self.theirs(each.nation)]
        undone = [each for each in found.undone if each.at.turn == turn and self.side in ("", each.side)]
        passed = [each for each in found.passed if self.side in ("", each.side)]
        lost = [each for each in passed if each.lost and each.at.turn == turn]
        opens = _opening(passed, turn) if turn != found.turns[0] else []
        comes, lapses, goes, moves = (
            self.changes(each for each in changes if each.what == what) for what in (COMES, LAPSES, GOES, MOVES)
        )
        return TurnAhead(
            turn,
            self.world.turn_name(turn),
            comes,
            lapses,
            goes,
            moves,
            tuple(self.arrival(each) for each in sorted(_last(arrivals), key=_order)),
            tuple(self.leaving(each) for each in sorted(journeys(leaving), key=_leaving_order)),
            self.not_done(undone),
            self.not_taken(lost),
            self.not_taken(opens),
        )

    def not_done(self, undone: Iterable[Undone]) -> tuple[NotDone, ...]:
        """What stays undone in a turn, each once, however many of its phases it is due in."""
        found: dict[tuple[str, str, str], NotDone] = {}
        for each in undone:
            if said := told(plain(each.sentence)):
                when = self.world.sequence.describe(self.world.calendar, each.at)
                found.setdefault((each.side, each.clause, said), NotDone(each.side, when, each.clause, said))
        return tuple(found.values())

    def not_taken(self, passed: Iterable[Passed]) -> tuple[NotTaken, ...]:
        """What may be done under one clause together, since one thing may be done instead of the other."""
        found: dict[tuple[str, str], NotTaken] = {}
        for each in passed:
            if said := told(plain(each.sentence)):
                when = self.world.sequence.describe(self.world.calendar, each.at)
                so_far = found.setdefault((each.side, each.clause), NotTaken(each.side, when, each.clause, ()))
                texts = tuple(dict.fromkeys((*so_far.texts, said)))
                found[each.side, each.clause] = replace(so_far, texts=texts)
        return tuple(found.values())

    def changes(self, changes: Iterable[Change]) -> tuple[PoolChange, ...]:
        """The changes of one kind, pool by pool."""
        pools: dict[tuple[str, str, str], list[Change]] = {}
        for each in changes:
            pools.setdefault((each.account.pool, each.account.nation, each.into), []).append(each)
        listed = sorted(pools.items(), key=lambda pool: (pool_order(pool[0][0]), pool[0][1:]))
        return tuple(self.change(*key, each) for key, each in listed)

    def change(self, pool: str, nation: str, into: str, changes: list[Change]) -> PoolChange:
        amounts: dict[str, Fraction] = {}
        for each in changes:
            amounts[each.account.kind] = amounts.get(each.account.kind, NOTHING) + each.amount
        return PoolChange(
            pool,
            pool_in_words(pool),
            nation,
            self.of(nation),
            tuple(Amount(kind, amounts[kind], show_points(amounts[kind])) for kind in sorted(amounts, key=kind_order)),
            tuple(dict.fromkeys(clause for each in changes for clause in each.because.split())),
            tuple(dict.fromkeys(told(each.says) for each in changes if each.says)),
            pool_in_words(into) if into else "",
        )

    def arrival(self, arrival: Arrival) -> Comes:
        clauses = tuple(arrival.because.split())
        where = told(self.world.show_place(_here(arrival.at)))
        return Comes(
            arrival.unit, arrival.nation, self.of(arrival.nation), where, clauses, self.world.in_play(arrival.at)
        )

    def leaving(self, each: Leaving) -> Leaves:
        frm, to = (told(self.world.show_place(_here(place))) for place in (each.frm, each.to))
        clauses = tuple(each.because.split())
        return Leaves(each.unit, each.nation, self.of(each.nation), frm, to, clauses, self.world.in_play(each.to))

    def pools(self, found: Forecast) -> Iterable[PoolAhead]:
        for account in sorted({*found.holds, *found.fans}, key=lambda each: (pool_order(each.pool), each)):
            holds = found.holds.get(account, (NOTHING,) * len(found.turns))
            fan = found.fans.get(account, ())
            if not self.theirs(account.nation) or not (any(holds) or any(map(any, fan))):
                continue
            ranges = [mostly(spreads.get(account, {NOTHING: Fraction(1)})) for spreads in found.spreads]
            yield PoolAhead(
                account.pool,
                pool_in_words(account.pool),
                account.nation,
                self.of(account.nation),
                account.kind,
                holds,
                tuple(held + low for held, (low, _) in zip(holds, ranges, strict=True)),
                tuple(held + high for held, (_, high) in zip(holds, ranges, strict=True)),
                fan,
            )


def _here(place: Place) -> Place:
    """A place on the track without its turn, where the turn is told already."""
    return Place(place.kind, place.of)


def _last(arrivals: Iterable[Arrival]) -> Iterable[Arrival]:
    """Of a unit that comes on a track and goes on from there in the same turn, where it ends up."""
    return {each.unit: each for each in arrivals}.values()


def _order(arrival: Arrival) -> tuple[bool, str, tuple[tuple[int, str], ...]]:
    return not arrival.at.on_map, arrival.nation, natural(arrival.unit)


def journeys(leaving: Iterable[Leaving]) -> list[Leaving]:
    """Of a unit that is moved on in the same turn, from where it stood to where it ends up."""
    found: dict[str, Leaving] = {}
    for each in leaving:
        found[each.unit] = replace(each, frm=found[each.unit].frm) if each.unit in found else each
    return [each for each in found.values() if each.frm != each.to]


def _opening(passed: Sequence[Passed], turn: int) -> list[Passed]:
    """What may be done in a turn and could not in the one before."""
    before = {(each.side, each.clause, each.sentence) for each in passed if each.at.turn == turn - 1}
    now = (each for each in passed if not each.lost and each.at.turn == turn)
    return [each for each in now if (each.side, each.clause, each.sentence) not in before]


def _leaving_order(each: Leaving) -> tuple[str, tuple[tuple[int, str], ...]]:
    return each.nation, natural(each.unit)


def mostly(spread: Spread) -> tuple[Fraction, Fraction]:
    """The narrowest range from the middle outward that holds nine cases in ten: as much is left out above as below."""
    amounts = sorted(spread)
    tail = (1 - MOSTLY) / 2
    low, below = 0, NOTHING
    while below + spread[amounts[low]] <= tail:
        below += spread[amounts[low]]
        low += 1
    high, above = len(amounts) - 1, NOTHING
    while above + spread[amounts[high]] <= tail:
        above += spread[amounts[high]]
        high -= 1
    return amounts[low], amounts[high]
