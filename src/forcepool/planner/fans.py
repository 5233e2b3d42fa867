"""Fans: a campaign played on many times with losses on the way and dice as they fall, and what its pools then hold.

Each run is the campaign itself, as in a forecast. Of all the runs, a fan tells for every pool and turn what it holds in
a tenth, a quarter, half, three quarters and nine tenths of them at most.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from random import Random

from msgspec.structs import replace

from forcepool.engine.branch import Branch
from forcepool.engine.dice import RollNeeded
from forcepool.engine.ledger import NOTHING, Account
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.planner.forecast import Forecast, Looker, forecast
from forcepool.planner.losses import Attrition, Pattern
from forcepool.planner.quiet import Step, play_on
from forcepool.planner.side_by_side import in_order

BANDS = tuple(Fraction(each, 100) for each in (10, 25, 50, 75, 90))
RUNS = 20

Holds = Mapping[Account, tuple[Fraction, ...]]
Progress = Callable[[int, int], None]


def fanned(
    world: World,
    state: State,
    turns: int,
    pattern: Pattern,
    *,
    only: Collection[str] = (),
    runs: int = RUNS,
    seed: int = 0,
    workers: int = 0,
    progress: Progress = lambda done, of: None,
) -> Forecast:
    """A forecast without losses, and beside it what losses and dice may make of every pool.

    `workers` play it on at a time, as many as there are cores if nobody says; what comes of it is the same.
    """
    found = forecast(world, state, turns, only=only, progress=lambda turn, of: progress(turn, (runs + 1) * of))
    played: list[Holds] = []

    def run(number: int) -> Holds:
        return _run(world, state, turns, pattern, Random(f"{seed} {number}"), only)

    for number, holds in enumerate(in_order(run, range(1, runs + 1), workers), 1):
        played.append(holds)
        progress((number + 1) * (turns + 1), (runs + 1) * (turns + 1))
    # A campaign that comes to its end before has no turns after that.
    count = len(found.turns)
    accounts = sorted({*found.holds, *(account for holds in played for account in holds)})
    fans = {
        account: tuple(bands([_at(holds, account, at) for holds in played]) for at in range(count))
        for account in accounts
    }
    return replace(found, fans=fans, runs=runs)


def _run(
    world: World,
    state: State,
    turns: int,
    pattern: Pattern,
    random: Random,
    only: Collection[str],
) -> Holds:
    def falls(need: RollNeeded) -> int:
        return random.randint(1, need.sides)

    branch, first = Branch(world, state, falls), int(state.clock.turn)
    looker = Looker(branch)
    for step in _with_losses(branch, turns + 1, Attrition(branch, pattern, random), only):
        looker.take(step)
    return looker.told(range(first, first + turns + 1)).holds


def _with_losses(branch: Branch, turns: int, attrition: Attrition, only: Collection[str]) -> Iterator[Step]:
    """Quiet play, but for the losses that come as each phase begins."""
    yield from attrition.strike()
    phase = branch.state.clock
    last = phase.turn + turns
    for step in play_on(branch, turns, only=only):
        if isinstance(step, Step):
            yield step
            if branch.state.clock != phase:
                phase = branch.state.clock
                if phase.turn < last:
                    yield from attrition.strike()


def _at(holds: Holds, account: Account, at: int) -> Fraction:
    held = holds.get(account, ())
    return held[at] if at < len(held) else NOTHING


def bands(amounts: Collection[Fraction]) -> tuple[Fraction, ...]:
    """For each band the least of the amounts that so large a part of them does not exceed."""
    ordered = sorted(amounts)
    return tuple(ordered[max(0, -(-len(ordered) * band // 1) - 1)] for band in BANDS)
