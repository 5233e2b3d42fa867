"""The outlook of a plan: the moments at which a side can give orders, and how points flow from one to the next."""

from collections.abc import Callable, Iterable

from msgspec import Struct

from forcepool.engine.branch import Branch
from forcepool.engine.calendar import Clock
from forcepool.engine.events import Event, Transferred
from forcepool.engine.ledger import Account, is_pool
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.planner.deals import planned
from forcepool.planner.early import bring_in
from forcepool.planner.quiet import Step, play_on

Progress = Callable[[int, int], None]


class Moment(Struct, frozen=True):
    """A phase in which orders of the plan can be given, as it is when nobody has done more than is due, and taken at
    once what comes by itself as it ends."""

    at: Clock
    state: State
    before: tuple[Transferred, ...]
    """How points moved since the moment before."""


class Outlook(Struct, frozen=True):
    """What a plan can reckon with."""

    side: str
    moments: tuple[Moment, ...]
    after: tuple[Transferred, ...]
    """How points move after the last of them."""
    end: State

    @property
    def accounts(self) -> frozenset[Account]:
        """Every account that holds something at some moment."""
        seen = {account for moment in self.moments for account in moment.state.balances if is_pool(account.pool)}
        for event in (*self.after, *(event for moment in self.moments for event in moment.before)):
            seen |= {Account(pool, event.nation, event.kind) for pool in (event.frm, event.to) if is_pool(pool)}
        return frozenset(seen)


def is_moment(world: World, state: State, side: str) -> bool:
    """Whether a side can give orders of a plan now."""
    phase = world.phase(state)
    return world.phasing(state) == side and any(phase in phases for phases in planned(world).values())


def outlook(world: World, state: State, side: str, turns: int, progress: Progress = lambda turn, of: None) -> Outlook:
    """Play on quietly, to the end of the turn that lies so many turns ahead. The other side does nothing: a plan knows
    no more than its side does."""
    branch = Branch(world, state)
    moments: list[Moment] = []
    since: list[Transferred] = []
    first = state.clock.turn

    def look(branch: Branch) -> Iterable[Step]:
        if is_moment(world, branch.state, side):
            for step in bring_in(branch, side):
                since.extend(_points(step.events))
            moments.append(Moment(branch.state.clock, branch.state.copy(), tuple(since)))
            since.clear()
        return ()

    for seen in play_on(branch, turns + 1, only=(side,), acts=look):
        if isinstance(seen, Step):
            since += _points(seen.events)
            progress(branch.state.clock.turn - first, turns + 1)
    return Outlook(side, tuple(moments), tuple(since), branch.state)


def _points(events: Iterable[Event]) -> list[Transferred]:
    return [event for event in events if isinstance(event, Transferred)]
