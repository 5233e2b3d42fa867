"""A forecast: what comes, lapses, arrives and stays undone, turn by turn, if nobody does more than is due.

It is the campaign itself, played on quietly on a branch; no number in it is worked out a second time. Dice fall in the
middle on the way, and beside it each is tried with all its faces, so that what they may bring more or less is exact.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.branch import Branch
from forcepool.engine.events import Moved, PhaseBegan, Raised, Transferred
from forcepool.engine.ledger import LOST, NOTHING, SINK, Account, is_pool
from forcepool.engine.places import Place
from forcepool.engine.standing import COUNT
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.planner.chances import Chance, Chances, Spread, booked, sums
from forcepool.planner.quiet import Passed, Step, Undone, play_on

COMES, LAPSES, GOES, MOVES = "comes", "lapses", "goes", "moves"
LAPSED = (LOST, f"{SINK}lapsed")


class Change(Struct, frozen=True):
    """Points that come into a pool or leave it."""

    turn: int
    what: str
    account: Account
    """The pool they come into, or leave; of points that move, the one they leave."""
    amount: Fraction
    because: str = ""
    says: str = ""
    into: str = ""
    """Where points that move go."""
    usable: int = 0
    """The turn from which what comes may be spent; 0 for at once."""


class Arrival(Struct, frozen=True):
    """A unit that comes into play, or into the campaign."""

    turn: int
    unit: str
    nation: str
    at: Place
    frm: Place | None = None
    because: str = ""


class Leaving(Struct, frozen=True):
    """A unit that leaves where it stands on the map because that is due."""

    turn: int
    unit: str
    nation: str
    frm: Place
    to: Place
    because: str = ""


class Forecast(Struct, frozen=True):
    """What quiet play comes to."""

    turns: tuple[int, ...]
    """The turns looked at; the first is the one that is on."""
    holds: Mapping[Account, tuple[Fraction, ...]]
    """What each pool and allowance holds as each of these turns ends."""
    changes: tuple[Change, ...]
    arrivals: tuple[Arrival, ...]
    leaving: tuple[Leaving, ...]
    undone: tuple[Undone, ...]
    passed: tuple[Passed, ...]
    chances: tuple[Chance, ...]
    spreads: tuple[Mapping[Account, Spread], ...]
    """As each turn ends, what dice may have added to an account, or taken away; what is certain is not named."""
    fans: Mapping[Account, tuple[tuple[Fraction, ...], ...]] = {}
    """With losses on the way: what each pool holds as each turn ends, at each of the bands; see `planner.fans`."""
    runs: int = 0
    """How often it was played on for that."""


def forecast(
    world: World,
    state: State,
    turns: int,
    *,
    only: Collection[str] = (),
    progress: Callable[[int, int], None] = lambda turn, of: None,
) -> Forecast:
    """Look ahead: the rest of this turn, and so many more. With `only`, as those sides know it."""
    looker = Looker(Branch(world, state))
    first = state.clock.turn
    for seen in play_on(looker.branch, turns + 1, only=only, looks=looker.chances.look):
        if isinstance(seen, Undone):
            looker.undone.append(seen)
        elif isinstance(seen, Passed):
            looker.passed.append(seen)
        else:
            looker.take(seen)
            progress(looker.branch.state.clock.turn - first, turns + 1)
    return looker.told(range(first, first + turns + 1))


class Looker:
    """Follows quiet play, and sorts what it brings."""

    def __init__(self, branch: Branch) -> None:
        self.branch, self.turn = branch, int(branch.state.clock.turn)
        self.holds: dict[int, dict[Account, Fraction]] = {}
        self.changes: list[Change] = []
        self.arrivals: list[Arrival] = []
        self.leaving: list[Leaving] = []
        self.undone: list[Undone] = []
        self.passed: list[Passed] = []
        self.chances = Chances()
        self.spreads: dict[int, Mapping[Account, Spread]] = {}
        self._last = _holdings(branch.world, branch.state)

    def take(self, step: Step) -> None:
        for event in step.events:
            if isinstance(event, PhaseBegan):
                if event.clock.turn != self.turn:
                    self.holds[self.turn], self.spreads[self.turn] = dict(self._last), self._by_pool()
                    self.turn = int(event.clock.turn)
            elif isinstance(event, Transferred):
                self._book(event)
                self.changes += self._change(event)
            elif isinstance(event, Moved | Raised):
                self.arrivals += self._arrival(event)
                self.leaving += self._leaving(event)

    def _book(self, event: Transferred) -> None:
        for account, amount in booked((event,)).items():
            pool = _pool_of(self.branch.world, account.pool)
            if pool:
                key = Account(pool, account.nation, account.kind)
                self._last[key] = self._last.get(key, NOTHING) + amount

    def _by_pool(self) -> dict[Account, Spread]:
        """How certain the pools are, with what is on its way to them."""
        found: dict[Account, Spread] = {}
        for account, spread in sorted(self.chances.ended.items()):
            pool = _pool_of(self.branch.world, account.pool)
            if pool:
                key = Account(pool, account.nation, account.kind)
                found[key] = sums(found[key], spread.items()) if key in found else spread
        return found

    def _change(self, event: Transferred) -> Iterator[Change]:
        world = self.branch.world
        frm, to = _pool_of(world, event.frm), _pool_of(world, event.to)
        of = (event.nation, event.kind)
        if to and not frm:
            usable = world.standing(event.to).usable
            yield Change(self.turn, COMES, Account(to, *of), event.amount, event.because, event.says, usable=usable)
        elif frm and not to:
            what = LAPSES if event.to in LAPSED else GOES
            yield Change(self.turn, what, Account(frm, *of), event.amount, event.because, event.says)
        elif frm != to:
            yield Change(self.turn, MOVES, Account(frm, *of), event.amount, event.because, event.says, to)

    def _arrival(self, event: Moved | Raised) -> Iterator[Arrival]:
        if isinstance(event, Raised):
            yield Arrival(self.turn, event.unit, event.spec.nation, event.at, None, event.because)
        elif self.branch.world.in_play(event.to) and not self.branch.world.in_play(event.frm):
            nation = self.branch.state.units[event.unit].spec.nation
            yield Arrival(self.turn, event.unit, nation, event.to, event.frm, event.because)

    def _leaving(self, event: Moved | Raised) -> Iterator[Leaving]:
        if isinstance(event, Moved) and event.frm.on_map:
            nation = self.branch.state.units[event.unit].spec.nation
            yield Leaving(self.turn, event.unit, nation, event.frm, event.to, event.because)

    def told(self, turns: Iterable[int]) -> Forecast:
        turns = tuple(turns)
        # A campaign that comes to its end before has no turns after that.
        seen = tuple(each for each in turns if each in self.holds)
        accounts = sorted({account for each in self.holds.values() for account in each})
        return Forecast(
            seen,
            {each: tuple(self.holds[turn].get(each, NOTHING) for turn in seen) for each in accounts},
            tuple(self.changes),
            tuple(self.arrivals),
            tuple(self.leaving),
            tuple(self.undone),
            tuple(self.passed),
            tuple(self.chances.rolls),
            tuple(self.spreads[turn] for turn in seen),
        )


def _pool_of(world: World, name: str) -> str:
    """The pool or allowance that an account is part of; empty for sources, sinks and the rules' own books."""
    if not is_pool(name):
        return ""
    standing = world.standing(name)
    if standing.what == COUNT:
        return ""
    # Points on their way may be on their way to what is still to be allotted.
    return standing.becomes or world.standing(standing.pool).becomes or standing.pool


def _holdings(world: World, state: State) -> dict[Account, Fraction]:
    found: dict[Account, Fraction] = {}
    for account, balance in sorted(state.balances.items()):
        pool = _pool_of(world, account.pool)
        if pool:
            key = Account(pool, account.nation, account.kind)
            found[key] = found.get(key, NOTHING) + balance
    return found
