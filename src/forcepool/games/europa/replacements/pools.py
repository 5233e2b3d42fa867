"""Points that are on their way, and what has been used up this month: shared by every heading that moves points."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import BadCommand
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import subject_key
from forcepool.engine.points import parse_points, store_points
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.world import EuropaWorld

DUE = "due/"


def usable_from(turn: int, pool: str) -> str:
    """The account of points that will be in a pool, and usable, from a turn on: points on the track, as it were."""
    return f"{DUE}{turn}/{pool}"


def on_the_way(state: State) -> Iterator[tuple[int, str, str, str, Fraction]]:
    """Points not yet usable: the turn, the pool, the nation, the kind and how many, in order."""
    for account, balance in sorted(state.balances.items()):
        if balance and account.pool.startswith(DUE):
            turn, _, pool = account.pool.removeprefix(DUE).partition("/")
            yield int(turn), pool, account.nation, account.kind, balance


def release(world: World, state: State) -> Iterator[Event]:
    """At the start of their owner's player-turn, points whose turn has come are usable."""
    if state.clock.phase != 0:
        return
    for turn, pool, nation, kind, amount in on_the_way(state):
        if turn <= state.clock.turn and world.side_of(nation) == world.phasing(state):
            yield Transferred(
                amount=amount, kind=kind, nation=nation, frm=usable_from(turn, pool), to=pool, says="now usable"
            )


def used(world: EuropaWorld, state: State, nation: str, what: str) -> Fraction:
    """How much of a monthly allowance a nation has used; `what` is a fact on nations that lasts a month."""
    return parse_points(str(world.facts(state).of_nation(nation, what) or 0))


def use(world: EuropaWorld, state: State, nation: str, what: str, amount: Fraction, because: str = "") -> Event:
    """The event that counts another use of a monthly allowance."""
    if world.fact(what) is None:
        raise BadCommand(f"there is no monthly allowance '{what}'")
    total = used(world, state, nation, what) + amount
    return Marked(on=subject_key("nation", nation), mark=what, value=store_points(total), because=because)


CHAPTER = Chapter(heading="52.F.4.a", happens=(release,))
