"""The journal put to today's rules: every command judged again on the state it met, with the dice it rolled."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, describe
from forcepool.engine.decide import Decision, decide
from forcepool.engine.desk import check_whose_phase
from forcepool.engine.dice import Roll, RollNeeded
from forcepool.engine.events import Event, Overruled, Rolled
from forcepool.engine.history import History
from forcepool.engine.journal import Entry, read_entry
from forcepool.engine.state import State, evolve, restore
from forcepool.store.replay import Progress

MOST_TOLD = 3
"""Events named of those that differ."""


class Otherwise(Struct, frozen=True):
    """An entry that today's rules would decide otherwise."""

    entry: int
    when: str
    order: str
    what: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"entry {self.entry}, {self.when}, {self.order}: {self.what}"


def decided_otherwise(
    campaign: Campaign, *, first: int = 2, last: int | None = None, progress: Progress | None = None
) -> Iterator[Otherwise]:
    """Where today's rules decide otherwise than the journal has it, entry by entry; undone entries are judged too."""
    head = campaign.seq if last is None else min(last, campaign.seq)
    state, history = restore(campaign.beginning.state).copy(), History()
    for entry in campaign.entries(stop=head + 1):
        history.take(entry)
        if entry.undo or entry.redo:
            state = _without_the_undone(campaign, history, entry.n)
        elif entry.events:
            found = _judged_again(campaign, state, entry) if entry.n >= first else None
            if found is not None:
                yield found
            evolve(state, entry.events)
        if progress is not None:
            progress(entry.n, head)


def _without_the_undone(campaign: Campaign, history: History, last: int) -> State:
    state = restore(campaign.beginning.state).copy()
    for entry in map(read_entry, campaign.journal.read(2, last + 1)):
        if history.counts(entry):
            evolve(state, entry.events)
    return state


def _judged_again(campaign: Campaign, state: State, entry: Entry) -> Otherwise | None:
    world = campaign.world
    when = world.sequence.describe(world.calendar, entry.at)
    try:
        command = world.read_command(bytes(entry.do))
    except msgspec.ValidationError as error:
        return Otherwise(entry.n, when, "an order of another version", f"can no longer be read: {error}")
    rolls = [Roll(each.sides, each.result, each.by_hand) for each in entry.events if isinstance(each, Rolled)]
    note = next((each.note for each in entry.events if isinstance(each, Overruled)), "")
    try:
        check_whose_phase(world, state, command, entry.seat, campaign.beginning.seats)
        outcome = decide(world, state, command, entry.seat, rolls, note)
    except (BadCommand, RollNeeded) as error:
        return Otherwise(entry.n, when, describe(command), f"is now an error: {error}")
    if not isinstance(outcome, Decision):
        reasons = "; ".join(f"{each.clause} {each}" for each in outcome.reasons)
        return Otherwise(entry.n, when, describe(command), f"is now refused: {reasons}", tuple(outcome.clauses))
    if codec.encode(outcome.events) == codec.encode(entry.events):
        return None
    what, clauses = _difference(outcome.events, list(entry.events))
    return Otherwise(entry.n, when, describe(command), what, clauses)


def _difference(today: list[Event], then: list[Event]) -> tuple[str, tuple[str, ...]]:
    """What came of it then and does not now, and the other way round; the clauses behind that."""
    now, was = ({codec.encode(each).decode(): each for each in events} for events in (today, then))
    gained, missing = ([key for key in ours if key not in theirs] for ours, theirs in ((now, was), (was, now)))
    if not gained and not missing:
        return "the same events come in another order", ()
    parts = []
    for word, keys in (("now also", gained), ("no longer", missing)):
        if keys:
            parts.append(f"{word} {'; '.join(keys[:MOST_TOLD])}{' …' if keys[MOST_TOLD:] else ''}")
    cited = " ".join((now | was)[key].because for key in (*gained, *missing)).split()
    return ", ".join(parts), tuple(dict.fromkeys(cited))
