"""Chances: how much more or less than foreseen an account may hold, for all the dice that fall on the way.

Each roll is tried with every face. What a roll leaves in an account is then carried along: where the rules take a share
of what is there, such as half of what was not used, that part of them is asked again for every amount there might be.
So the spread is exact as long as accounts do not hang on each other's dice and there are few amounts to tell apart.
What else a die decides is not followed.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.branch import Branch
from forcepool.engine.decide import Decision
from forcepool.engine.desk import Advance, Stage, stages
from forcepool.engine.events import Event, Rolled, Transferred
from forcepool.engine.ledger import NOTHING, Account, is_pool
from forcepool.engine.state import State, evolve

CERTAIN = Fraction(1)
MOST_AMOUNTS = 200
"""Amounts that an account may come to and are told apart: up to here a spread is exact."""

CHANCE = "source/chance"
Likely = list[tuple[Fraction, Fraction]]
"""Amounts, each with how likely it is."""
Spread = Mapping[Fraction, Fraction]
"""How likely each amount is, that an account holds more than foreseen, or less."""


class Chance(Struct, frozen=True):
    """Dice that fall on the way."""

    turn: int
    clause: str
    why: str
    outcomes: tuple[tuple[Fraction, Mapping[Account, Fraction]], ...]
    """How likely each outcome is, and what accounts then have more or less than foreseen."""


class Chances:
    """Looks at quiet play, and keeps what dice may have made of every account."""

    def __init__(self) -> None:
        self.rolls: list[Chance] = []
        self.spreads: dict[Account, Spread] = {}
        self.ended: dict[Account, Spread] = {}
        """As they were when the last phase ended."""

    def look(self, branch: Branch, decision: Decision) -> None:
        rolled = next((event for event in decision.events if isinstance(event, Rolled)), None)
        if rolled is not None:
            self._roll(branch, decision, rolled)
        elif isinstance(decision.command, Advance):
            self.ended = dict(self.spreads)
            if any(self._hang_on(decision.events)):
                self._carry_along(branch)

    def _roll(self, branch: Branch, decision: Decision, rolled: Rolled) -> None:
        foreseen, found = booked(decision.events), dict[tuple[tuple[Account, Fraction], ...], Fraction]()
        for likely, each in branch.outcomes(decision.command):
            got = booked(each.events) if isinstance(each, Decision) else {}
            changed = tuple(_differs(got, foreseen).items())
            found[changed] = found.get(changed, NOTHING) + likely
        outcomes = tuple((likely, dict(changed)) for changed, likely in sorted(found.items()))
        self.rolls.append(Chance(int(branch.state.clock.turn), rolled.because, rolled.says, outcomes))
        for account in sorted({key for changed in found for key, _ in changed}):
            more = [(changed.get(account, NOTHING), likely) for likely, changed in outcomes]
            self._becomes(account, sums(self.spreads.get(account, {NOTHING: CERTAIN}), more))

    def _hang_on(self, events: Iterable[Event]) -> Iterator[Account]:
        """The accounts whose amount is not certain that something takes from, or puts into."""
        for account in booked(events):
            if account in self.spreads:
                yield account

    def _carry_along(self, branch: Branch) -> None:
        state = branch.state.copy()
        for stage in stages(branch.world, state):
            if stage.part is None:
                self.ended = dict(self.spreads)
            self._ask_again(branch, state, stage)

    def _ask_again(self, branch: Branch, state: State, stage: Stage) -> None:
        """What a part of the rules does, for every amount that each of the accounts it touches might hold."""
        if stage.part is None:
            return
        foreseen, stays, goes = booked(stage.events), dict[Account, Spread](), list[tuple[Account, Likely]]()
        for account in self._hang_on(stage.events):
            found = [
                (likely, more, _differs(booked(stage.part(branch.world, _with(state, account, more))), foreseen))
                for more, likely in self.spreads[account].items()
            ]
            here = [(more + differs.get(account, NOTHING), likely) for likely, more, differs in found]
            stays[account] = sums({NOTHING: CERTAIN}, here)
            elsewhere = sorted({key for _, _, differs in found for key in differs} - {account})
            goes += [(key, [(each.get(key, NOTHING), likely) for likely, _, each in found]) for key in elsewhere]
        for account, spread in stays.items():
            self._becomes(account, spread)
        # What an account passes on makes the next one uncertain, as points do that come off the track.
        for account, more in goes:
            self._becomes(account, sums(self.spreads.get(account, {NOTHING: CERTAIN}), more))

    def _becomes(self, account: Account, spread: Spread) -> None:
        if len(spread) > 1:
            self.spreads[account] = spread
        else:
            self.spreads.pop(account, None)


def _with(state: State, account: Account, more: Fraction) -> State:
    """The same, but for what one account holds."""
    given = Transferred(amount=more, kind=account.kind, nation=account.nation, frm=CHANCE, to=account.pool)
    return evolve(state.copy(), (given,))


def _differs(got: Mapping[Account, Fraction], foreseen: Mapping[Account, Fraction]) -> dict[Account, Fraction]:
    """What pools have more or less than foreseen."""
    differs = {key: got.get(key, NOTHING) - foreseen.get(key, NOTHING) for key in sorted({*got, *foreseen})}
    return {key: amount for key, amount in differs.items() if amount and is_pool(key.pool)}


def booked(events: Iterable[Event]) -> dict[Account, Fraction]:
    """What events change in each account."""
    found: dict[Account, Fraction] = {}
    for event in events:
        if isinstance(event, Transferred):
            for name, amount in ((event.frm, -event.amount), (event.to, event.amount)):
                account = Account(name, event.nation, event.kind)
                found[account] = found.get(account, NOTHING) + amount
    return found


def sums(spread: Spread, more: Iterable[tuple[Fraction, Fraction]]) -> Spread:
    """Every sum of what was, and what comes to it, with how likely each is."""
    added, found = tuple(more), dict[Fraction, Fraction]()
    for amount, likely in spread.items():
        for change, chance in added:
            total = amount + change
            found[total] = found.get(total, NOTHING) + likely * chance
    return _fewer(dict(sorted(found.items())))


def _fewer(spread: dict[Fraction, Fraction]) -> Spread:
    """No more amounts than anyone looks at: unlikely ones are told as the likeliest of their neighbours."""
    if len(spread) <= MOST_AMOUNTS:
        return spread
    found, near, together = dict[Fraction, Fraction](), list[Fraction](), NOTHING
    for amount in spread:
        near.append(amount)
        together += spread[amount]
        if together * MOST_AMOUNTS >= CERTAIN:
            found[max(near, key=spread.__getitem__)] = together
            near, together = [], NOTHING
    if near:
        found[max(near, key=spread.__getitem__)] = together
    return found
