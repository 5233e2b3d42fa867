"""The whole journal played again from its beginning, with every event checked against the state it met."""

from collections.abc import Callable, Iterator
from itertools import islice

import msgspec

from forcepool.engine import codec, dice
from forcepool.engine.calendar import Clock
from forcepool.engine.cup import binding, promises_bound
from forcepool.engine.events import Became, Event, Moved, Raised, Rolled, Transferred
from forcepool.engine.history import History
from forcepool.engine.journal import Beginning, Entry, Journal, read_entry
from forcepool.engine.kept import Kept
from forcepool.engine.ledger import imbalance
from forcepool.engine.points import show_points
from forcepool.engine.state import State, evolve, restore, to_bytes
from forcepool.store.seeds import known_secrets

Misfit = tuple[int, str]
"""An entry's number and what is wrong with it."""
Progress = Callable[[int, int], None]
"""Told how many entries are done, of how many."""

EVERY = 200
RECENT = 25
"""Undoing goes back to one of the last states set aside, so that it need not start from the beginning."""

_kept = codec.decoder(Kept)


class Replay:
    """A journal being played again. No snapshot is trusted: each is compared with the state at its entry."""

    def __init__(self, journal: Journal, beginning: Beginning, seeds: dict[int, bytes]) -> None:
        self.journal, self.beginning = journal, beginning
        self.state = self._first()
        self.history = History(promises={dice.CAMPAIGN: beginning.dice} if beginning.dice else {})
        self.dice = self.sealed_dice = self.dice_by_hand = 0
        self._secrets = known_secrets(journal, seeds.values())
        self._seal = next(iter(journal.read(1, 2))).hash
        self._by_entry = beginning.format == 1
        """Whether dice may still follow from the number of their entry, as they did in the first format."""
        self._given: dict[tuple[Clock, bytes], list[int]] = {}
        self._set_aside: list[tuple[int, frozenset[int], State]] = []
        self._raised: dict[int, list[str]] = {}
        self._snapshots = _snapshots(journal)

    def run(self, most: int, progress: Progress | None = None) -> Iterator[Misfit]:
        """Play everything; what does not fit is told, up to a number."""
        return islice(self._run(progress), most)

    def _run(self, progress: Progress | None) -> Iterator[Misfit]:
        last = self.journal.head()[0]
        ids = {unit.id for unit in self.beginning.state.units}
        if len(ids) != len(self.beginning.state.units):
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
            if progress is not None:
                progress(entry.n, last)
        yield from self._conserved(self.history.last)
        raised = (names for n, names in self._raised.items() if n not in self.history.undone)
        if set(self.state.units) != ids.union(*raised):
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
            self._raised[entry.n] = [event.unit for event in entry.events if isinstance(event, Raised)]

    # -------------------------------------------------------------------------------------------- events

    def _carry_out(self, entry: Entry) -> Iterator[Misfit]:
        for event in entry.events:
            wrong = _misfit(self.state, event)
            if wrong:
                yield entry.n, wrong
            else:
                evolve(self.state, (event,))

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
        if entry.promises and (wrong := self._unfit_promises(entry)):
            return wrong
        if entry.message and (entry.events or entry.undo or entry.redo or entry.asks or entry.waits or entry.promises):
            return "is a message, and does something besides"
        return ""

    def _unfit_promises(self, entry: Entry) -> str:
        """What is wrong with a promise: nobody makes one for another side, nor leaves the dice to one side alone."""
        seats = self.beginning.seats
        if entry.seat in seats and any(who in seats and who != entry.seat for who in entry.promises):
            return "promises a part in the dice for another side"
        left = {who for who, digest in (self.history.promises | entry.promises).items() if digest}
        if entry.promises.get(dice.CAMPAIGN) == "" and not {*seats} <= left:
            return "takes the campaign's own part out of the dice before every side has one"
        return ""

    # ---------------------------------------------------------------------------------------------- dice

    def _fits_dice(self, entry: Entry) -> Iterator[Misfit]:
        rolled = [event for event in entry.events if isinstance(event, Rolled)]
        for event in rolled:
            if not 1 <= event.result <= event.sides:
                yield entry.n, f"has a d{event.sides} that shows {event.result}"
        by_program = [(number, event) for number, event in enumerate(rolled, 1) if not event.by_hand]
        self.dice_by_hand += len(rolled) - len(by_program)
        if not by_program:
            return
        wrong = self._unfit_shares(entry) if entry.shares or not self._by_entry else ""
        if wrong:
            yield entry.n, wrong
            return
        self._by_entry = self._by_entry and not entry.shares
        promised = self.history.promises
        known = all(digest in self._secrets for digest in promised.values())
        for number, event in by_program:
            if not entry.shares and not known:
                self.sealed_dice += 1
            elif self._face(entry, number, event.sides) != event.result:
                yield entry.n, f"says its die {number} shows {event.result}, which does not follow from the seed"
            elif known:
                self.dice += 1
            else:
                self.sealed_dice += 1

    def _face(self, entry: Entry, number: int, sides: int) -> int:
        if entry.shares:
            return dice.roll(entry.shares, number, sides)
        seed = self._secrets[self.history.promises[dice.CAMPAIGN]]
        return dice.roll_by_entry(seed, entry.n, number, sides)

    def _unfit_shares(self, entry: Entry) -> str:
        """What is wrong with the shares in a roll: they are those of all who have a part, each from its secret."""
        promises = self.history.promises
        if not promises:
            return "rolled a die although no seed was promised"
        if lacking := sorted(promises.keys() ^ entry.shares.keys()):
            return f"rolled a die without the right shares: see {' and '.join(lacking)}"
        given = self._given.setdefault((entry.at, bytes(entry.do)), [])
        again = sum(n not in self.history.undone for n in given)
        given.append(entry.n)
        bound = binding(
            self._seal, entry.at, bytes(entry.do), again, promises_bound(self.beginning.format, self.history)
        )
        for who, digest in sorted(promises.items()):
            secret = self._secrets.get(digest)
            if secret is not None and dice.share(secret, bound) != entry.shares[who]:
                return f"has a share of {who} in its dice that does not follow from the secret that was promised"
        return ""

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
