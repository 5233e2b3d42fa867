"""The whole journal played again from its beginning, with every event checked against the state it met."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from forcepool.engine import codec, dice
from forcepool.engine.campaign import Kept
from forcepool.engine.events import Became, Event, Moved, Raised, Rolled, Transferred
from forcepool.engine.history import History
from forcepool.engine.journal import Beginning, Entry, Journal, read_entry
from forcepool.engine.ledger import imbalance
from forcepool.engine.points import show_points
from forcepool.engine.state import State, evolve, restore, to_bytes
from forcepool.store.seeds import keeps

Misfit = tuple[int, str]
"""An entry's number and what is wrong with it."""

EVERY = 200
RECENT = 25
"""Undoing goes back to one of the last states set aside, so that it need not start from the beginning."""

_kept = codec.decoder(Kept)


class Replay:
    """A journal being played again. No snapshot is trusted: each is compared with the state at its entry."""

    def __init__(self, journal: Journal, beginning: Beginning, seeds: dict[int, bytes]) -> None:
        self.journal, self.beginning, self.seeds = journal, beginning, seeds
        self.state, self.history = self._first(), History()
        self.dice = self.sealed_dice = 0
        self._promise, self._seed = beginning.dice, seeds.get(1, b"")
        self._set_aside: list[tuple[int, frozenset[int], State]] = []
        self._ids = {unit.id for unit in beginning.state.units}
        self._snapshots = _snapshots(journal)

    def run(self, most: int) -> Iterator[Misfit]:
        """Play everything; what does not fit is told, up to a number."""
        return islice(self._run(), most)

    def _run(self) -> Iterator[Misfit]:
        if len(self._ids) != len(self.beginning.state.units):
            yield 1, "has two units of the same name"
        yield from self._conserved(1)
        yield from self._same_snapshot(1)
        for sealed in self.journal.read(2):
            entry = read_entry(sealed)
            yield from self._take(entry)
            if entry.n in self._snapshots:
                yield from self._same_snapshot(entry.n)
                yield from self._conserved(entry.n)
            if entry.n % EVERY == 0:
                aside = (entry.n, frozenset(self.history.undone), self.state.copy())
                self._set_aside = [*self._set_aside[1 - RECENT :], aside]
        yield from self._conserved(self.history.last)
        if set(self.state.units) != self._ids:
            yield self.history.last, "leaves other units than the campaign began with and raised"

    def _first(self) -> State:
        # A copy: the state restored shares its markers with what it was restored from.
        return restore(self.beginning.state).copy()

    def _take(self, entry: Entry) -> Iterator[Misfit]:
        if entry.at != self.state.clock:
            yield entry.n, "was not made at the time it says"
        yield from self._fits_dice(entry)
        wrong = self._unfit(entry)
        if wrong:
            yield entry.n, wrong
            return
        self.history.take(entry)
        if entry.undo:
            self.state = self._rewound()
        for seq in sorted(entry.redo):
            yield from self._carry_out(read_entry(next(self.journal.read(seq, seq + 1))))
        if not entry.undo and not entry.redo:
            yield from self._carry_out(entry)
        if entry.seed:
            self._promise, self._seed = entry.seed, self.seeds.get(entry.n, b"")

    # -------------------------------------------------------------------------------------------- events

    def _carry_out(self, entry: Entry) -> Iterator[Misfit]:
        for event in entry.events:
            wrong = _misfit(self.state, event)
            if wrong:
                yield entry.n, wrong
            else:
                evolve(self.state, (event,))
            if isinstance(event, Raised):
                self._ids.add(event.unit)

    def _rewound(self) -> State:
        """The state without what has been undone."""
        undone = self.history.undone
        state, start = self._first(), 1
        for seq, then, saved in reversed(self._set_aside):
            if seq <= self.history.last and then == {each for each in undone if each <= seq}:
                state, start = saved.copy(), seq
                break
        for entry in map(read_entry, self.journal.read(start + 1, self.history.last + 1)):
            if self.history.counts(entry):
                evolve(state, (event for event in entry.events if _misfit(state, event) == ""))
        return state

    def _unfit(self, entry: Entry) -> str:
        """Why an undo or redo cannot have been made here; empty when it can."""
        for number in (*entry.undo, *entry.asks):
            if not 1 < number < entry.n or number in self.history.undone:
                return f"undoes entry {number}, which cannot be undone"
        if entry.redo and (not self.history.redoable or entry.redo != self.history.redoable[-1]):
            return "brings back what was not undone last"
        return ""

    # ---------------------------------------------------------------------------------------------- dice

    def _fits_dice(self, entry: Entry) -> Iterator[Misfit]:
        rolled = (event for event in entry.events if isinstance(event, Rolled))
        for number, event in enumerate(rolled, 1):
            if not 1 <= event.result <= event.sides:
                yield entry.n, f"has a d{event.sides} that shows {event.result}"
            elif event.by_hand:
                continue
            elif not self._promise:
                yield entry.n, "rolled a die although no seed was promised"
            elif not keeps(self._promise, self._seed):
                self.sealed_dice += 1
            elif dice.roll(self._seed, entry.n, number, event.sides) != event.result:
                yield entry.n, f"says its die {number} shows {event.result}, which does not follow from the seed"
            else:
                self.dice += 1

    # -------------------------------------------------------------------------------- points and snapshots

    def _conserved(self, seq: int) -> Iterator[Misfit]:
        for (nation, kind), total in imbalance(self.state.balances.items()).items():
            yield seq, f"leaves {show_points(total)} {nation} {kind} that came from nowhere"

    def _same_snapshot(self, seq: int) -> Iterator[Misfit]:
        data = self._snapshots.get(seq)
        if data is None:
            return
        try:
            kept: Kept = _kept.decode(data)
        except (msgspec.MsgspecError, ValueError, ZeroDivisionError):
            yield seq, "has a snapshot that cannot be read"
            return
        history = self.history
        if (set(kept.undone), kept.redoable, kept.last) != (history.undone, history.redoable, history.last):
            yield seq, "has a snapshot that has other entries undone"
        elif codec.encode(kept.state) != to_bytes(self.state):
            yield seq, "has a snapshot that is not the state at that entry"


def _snapshots(journal: Journal) -> dict[int, bytes]:
    found: dict[int, bytes] = {}
    last = journal.head()[0]
    while kept := journal.snapshot_before(last):
        found[kept[0]] = kept[1]
        last = kept[0] - 1
    return found


def _misfit(state: State, event: Event) -> str:
    """Why an event cannot have happened in this state; empty when it can."""
    match event:
        case Moved() | Became() if event.unit not in state.units:
            return f"is about {event.unit}, which is not in the campaign"
        case Moved() if state.units[event.unit].place != event.frm:
            return f"moves {event.unit} from where it is not"
        case Became() if state.units[event.unit].step != event.was:
            return f"changes {event.unit} from a step it is not at"
        case Raised() if event.unit in state.units:
            return f"raises {event.unit}, which is in the campaign already"
        case Transferred() if event.amount < 0:
            return "transfers less than nothing"
        case _:
            return ""
