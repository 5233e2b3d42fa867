"""Campaigns of a study that differ by their house rules alone, played together as long as that makes no difference.

The first is played to its end. An option that is tried in another notes when a rule first told it from the first one's:
until that turn both campaigns are the same, and the other goes on from there. One that no rule ever told apart is the
first. The rows are those of campaigns played one by one, which tests compare; most rulings come up late or never.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from forcepool.engine.state import State
from forcepool.study.design import Run
from forcepool.study.play import Moment, Row, beginning, begun, play_from

MOST = 40
"""Campaigns that are played together: more would keep others waiting."""
Told = dict[tuple[str, str], int]
"""By ruling and option the turn, counted from nought, in which a rule first told it from what is played."""


class Weighed(str):
    """The option by which a ruling is played, which notes the others that a comparison tells from it."""

    notes: Told
    ruling: str
    others: set[str]
    turns: list[Moment]

    def __eq__(self, other: object) -> bool:
        same = str.__eq__(self, other)
        if self.others:
            self._tell({each for each in self.others if str.__eq__(each, other) is not same})
        return same

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        # Whoever looks it up, or writes it down, may do anything with it.
        self._tell(set(self.others))
        return str.__hash__(self)

    def __str__(self) -> str:
        self._tell(set(self.others))
        return str.__str__(self)

    def __format__(self, how: str) -> str:
        return format(str(self), how)

    def _tell(self, apart: set[str]) -> None:
        for each in apart:
            self.notes[self.ruling, each] = len(self.turns) - 1
        self.others -= apart


def families(wanted: Sequence[Run]) -> Iterator[list[Run]]:
    """The runs that may be played together, in the order in which the first of each is wanted."""
    found: dict[Any, list[Run]] = {}
    for each in wanted:
        found.setdefault(replace(each, house_rules=()), []).append(each)
    for runs in found.values():
        yield from (runs[at : at + MOST] for at in range(0, len(runs), MOST))


def play_together(runs: Sequence[Run]) -> Iterator[tuple[Run, list[Row]]]:
    """The turns of each run of a family."""
    first, *others = runs
    world, state = begun(first)
    notes: Told = {}
    turns: list[Moment] = []
    watched = state.copy()
    watched.switches |= _weighed(first, others, notes, turns)
    # Answers that were kept before would not be worked out again, and nobody would note what they weighed.
    world.keeper = None
    rows = play_from(first, world, beginning(first, watched), turns.append if others else None)
    yield first, rows
    parted = {run: _parted(first, run, notes) for run in others}
    for run, at in parted.items():
        own = begun(run)[1]
        if not _is_alike(own, state):
            at = 0
        if at is None:
            yield run, [replace(each, run=run.name) for each in rows]
            continue
        moment = turns[at] if at else beginning(run, own)
        here = moment.state.copy()
        here.switches = dict(own.switches)
        yield run, play_from(run, world, replace(moment, state=here))


def _weighed(first: Run, others: Sequence[Run], notes: Told, turns: list[Moment]) -> dict[str, Weighed]:
    found = {}
    for ruling, option in first.house_rules:
        tried = {dict(each.house_rules).get(ruling, option) for each in others} - {option}
        if tried:
            played = found[ruling] = Weighed(option)
            played.notes, played.ruling, played.others, played.turns = notes, ruling, tried, turns
    return found


def _is_alike(one: State, other: State) -> bool:
    """Whether two campaigns begin alike but for their house rules, and know of the same ones."""
    return one.switches.keys() == other.switches.keys() and replace(one, switches={}) == replace(other, switches={})


def _parted(first: Run, run: Run, notes: Told) -> int | None:
    """The turn in which a run first goes a way of its own; None if it never does."""
    changed = set(run.house_rules) - set(first.house_rules)
    return min((notes[each] for each in changed if each in notes), default=None)
