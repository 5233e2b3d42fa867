"""Quiet play: each side does what is due, by the first order that is ready for it, and nothing else.

A forecast is what comes of that. What is due and cannot be done is told, and play goes on without it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator

from msgspec import Struct

from forcepool.engine.agenda import LAPSES, Item, chances, duties
from forcepool.engine.branch import Branch
from forcepool.engine.calendar import Clock
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event
from forcepool.engine.verdicts import No, Refusal

SAME = 20
"""How often one and the same order is given in a phase: a duty may be for several units."""
GOES_ON = "looking ahead"


class Step(Struct, frozen=True):
    """One thing that happens in quiet play."""

    at: Clock
    """When: for the end of a phase, the phase that ends."""
    command: Command
    events: list[Event]


class Undone(Struct, frozen=True):
    """What is due in a phase and is not done when it ends."""

    at: Clock
    side: str
    clause: str
    sentence: str


class Passed(Struct, frozen=True):
    """What might be done in a phase, and is not because nobody does more than is due."""

    at: Clock
    side: str
    clause: str
    sentence: str
    lost: bool
    """Whether it is lost as the phase ends; else it can wait."""


Looks = Callable[[Branch, Decision], None]
"""Who looks at what was decided before it is carried out."""


def nobody(branch: Branch, decision: Decision) -> None:
    """Nobody looks."""


Acts = Callable[[Branch], Iterable[Step]]
"""What somebody does in a phase beside what is due, before it ends."""


def nothing(branch: Branch) -> Iterable[Step]:
    """Nobody does more than is due."""
    return ()


def play_on(
    branch: Branch, turns: int, *, only: Collection[str] = (), looks: Looks = nobody, acts: Acts = nothing
) -> Iterator[Step | Undone | Passed]:
    """Play a number of turns on, phase by phase.

    With `only`, those sides do what is due and the others do nothing: of theirs nothing is known.
    """
    last = branch.state.clock.turn + turns
    while branch.state.clock.turn < last:
        at = branch.state.clock
        yield from _what_is_due(branch, only, looks)
        if given := list(acts(branch)):
            yield from given
            yield from _what_is_due(branch, only, looks)
        yield from (Undone(at, item.side, item.clause, item.sentence) for item in _due(branch, only))
        for item in _chances(branch, only):
            yield Passed(at, item.side, item.clause, item.sentence, item.kind == LAPSES)
        decision = branch.judge(Advance())
        if isinstance(decision, Refusal):
            yield from (Undone(at, _side(branch), no.clause, no.sentence) for no in _not_listed(branch, decision, only))
            decision = branch.judge(Advance(), override=GOES_ON)
        if isinstance(decision, Refusal):
            return
        looks(branch, decision)
        branch.carry_out(decision)
        yield Step(at, Advance(), decision.events)


def _what_is_due(branch: Branch, only: Collection[str], looks: Looks) -> Iterator[Step]:
    tried: set[Command] = set()
    given: Counter[Command] = Counter()
    while fresh := [
        item.command
        for item in _due(branch, only)
        if item.command is not None and item.command not in tried and given[item.command] < SAME
    ]:
        # The whole list before it is asked for again: what one order brings about seldom changes the next.
        for command in dict.fromkeys(fresh):
            tried.add(command)
            at = branch.state.clock
            try:
                decision = branch.judge(command)
            except BadCommand:
                continue
            if isinstance(decision, Decision):
                looks(branch, decision)
                branch.carry_out(decision)
                given[command] += 1
                tried.discard(command)
                yield Step(at, command, decision.events)


def _due(branch: Branch, only: Collection[str]) -> list[Item]:
    return [item for item in duties(branch.world, branch.state) if not only or item.side in ("", *only)]


def _chances(branch: Branch, only: Collection[str]) -> list[Item]:
    return [item for item in chances(branch.world, branch.state) if not only or item.side in ("", *only)]


def _side(branch: Branch) -> str:
    return branch.world.phasing(branch.state)


def _not_listed(branch: Branch, refused: Refusal, only: Collection[str]) -> list[No]:
    """Why a phase cannot end, as far as the checklist has not told it; of a side of which nothing is known, nothing."""
    if only and _side(branch) not in only:
        return []
    listed = {item.clause for item in _due(branch, only)}
    return [no for no in refused.reasons if no.clause not in listed]
