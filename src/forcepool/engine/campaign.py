"""A campaign at the table: the journal, the state it adds up to, and the acts that extend it."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine import codec, dice
from forcepool.engine.answers import watched
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.cup import Cup, SharesNeeded
from forcepool.engine.decide import Decision, decide
from forcepool.engine.desk import check_whose_phase
from forcepool.engine.events import AnyEvent, Rolled
from forcepool.engine.history import History
from forcepool.engine.journal import (
    CHANGED,
    Damaged,
    Entry,
    Journal,
    Sealed,
    read_beginning,
    read_entry,
    seal,
)
from forcepool.engine.kept import digest, pack, unpack
from forcepool.engine.state import State, evolve, restore
from forcepool.engine.verdicts import Refusal
from forcepool.engine.world import World

SNAPSHOT_EVERY = 1000
"""Entries between snapshots: opening replays fewer than this."""
LATEST = 100
"""Entries that are at hand as they were written or taken in: what is news is looked for among these after each."""


class NothingToUndo(Exception):
    """There is no command left to undo, or none to redo."""


class ConsentNeeded(Struct, frozen=True):
    """The undo was asked for and waits for these seats."""

    entries: tuple[int, ...]
    seats: tuple[str, ...]
    why: str


class Done(Struct, frozen=True):
    """A command that was carried out and recorded."""

    entry: Entry
    decision: Decision


WorldBuilder = Callable[[str, bytes], World]


class Campaign:
    """One campaign being played. Several may be open on the same journal; whoever writes second is told."""

    def __init__(
        self, journal: Journal, build: WorldBuilder, seed: bytes = b"", *, secrets: Iterable[bytes] = ()
    ) -> None:
        """`seed` is the campaign's own secret for its dice; more secrets may be kept here, of others or for later."""
        self.journal = journal
        self.before_writing: Callable[[Entry], None] | None = None
        """Asked before an entry is written; whoever keeps the campaign may have a reason against it, and raise it."""
        self.beginning = read_beginning(journal)
        self.world = build(self.beginning.game, bytes(self.beginning.world))
        if self.beginning.rulings and self.world is not None:
            self.world.keep_rulings(self.beginning.rulings)
        self.cup = Cup(journal, (seed, *secrets), self.beginning.format)
        self.history, self.state, self.seq = self._newest_snapshot()
        self._snapshot_at = self.seq
        self._latest: deque[Sealed] = deque(maxlen=LATEST)
        self.hash = next(self.journal.read(self.seq, self.seq + 1)).hash
        self.refresh()

    # ------------------------------------------------------------------------------------------ opening

    def _newest_snapshot(self) -> tuple[History, State, int]:
        limit = self.journal.head()[0]
        while (kept := self.journal.snapshot_before(limit)) is not None:
            try:
                if self._vouched(*kept):
                    return (*unpack(*kept), kept[0])
            except Damaged:
                pass
            # A snapshot only saves time: an older one, or the journal itself, gives the same state.
            limit = kept[0] - 1
        return self._first_history(), restore(self.beginning.state), 1

    def _first_history(self) -> History:
        return History(promises={dice.CAMPAIGN: self.beginning.dice} if self.beginning.dice else {})

    def _vouched(self, seq: int, data: bytes) -> bool:
        """Whether the journal itself holds the snapshot's hash: whoever can write the file could write any other."""
        after = next(self.journal.read(seq + 1, seq + 2), None)
        return after is not None and read_entry(after).kept == digest(data)

    def refresh(self) -> int:
        """Take in what has been written since; returns how many entries."""
        start, stop = self.seq, self.journal.head()[0] + 1
        touched = _undone_and_redone(self.journal.read(start + 1, stop))
        undone = self.history.undone ^ touched
        entries: Iterable[Sealed] = self.journal.read(start + 1, stop)
        rebuilt = None
        if touched and min(touched) <= start:
            # All is read before anything is taken in: a disk that fails must not leave an undo half done.
            entries, rebuilt = list(entries), self.state_after(stop - 1, undone)
        for sealed in entries:
            if sealed.seq != self.seq + 1:
                raise Damaged(self.seq + 1, "is missing")
            if seal(self.hash, sealed.seq, sealed.body).hash != sealed.hash:
                raise Damaged(sealed.seq, CHANGED)
            entry = read_entry(sealed)
            self.history.take(entry)
            self.seq, self.hash = sealed.seq, sealed.hash
            self._latest.append(sealed)
            if entry.events and entry.n not in undone:
                _carry_out(self.state, entry)
        if rebuilt is not None:
            self.state = rebuilt
        return self.seq - start

    def state_after(self, seq: int, undone: Collection[int] | None = None) -> State:
        """The state once entry `seq` was carried out, leaving out what has been undone since."""
        undone = self.history.undone if undone is None else undone
        state, start = restore(self.beginning.state), 1
        limit = seq
        while (kept := self.journal.snapshot_before(limit)) is not None:
            if self._vouched(*kept):
                history, saved = unpack(*kept)
                if history.undone == {each for each in undone if each <= kept[0]}:
                    state, start = saved, kept[0]
                    break
            limit = kept[0] - 1
        for sealed in self.journal.read(start + 1, seq + 1):
            entry = read_entry(sealed)
            if entry.events and entry.n not in undone:
                _carry_out(state, entry)
        return state

    # ------------------------------------------------------------------------------------------- playing

    def do(
        self,
        command: Command,
        *,
        seat: str = "",
        by: str = "",
        override: str = "",
        rolls: Sequence[int] = (),
        when: str = "",
    ) -> Done | Refusal:
        """Judge a command and, if it passes, record it. `rolls` are results of real dice, in order."""
        decision = self.judge(command, seat=seat, override=override, rolls=rolls)
        return decision if isinstance(decision, Refusal) else self.record(decision, seat=seat, by=by, when=when)

    def record(
        self, decision: Decision, *, seat: str = "", by: str = "", when: str = "", answers: int = 0, group: int = 0
    ) -> Done:
        """Write down what was decided of the campaign as it stands; Conflict if it no longer stands so."""
        allowed = decision.allowed
        entry = Entry(
            n=self.seq + 1,
            at=self.state.clock,
            seat=seat,
            by=by,
            when=when,
            do=decision.command,
            allowed=[clause for each in allowed for clause in each.because.split()] if allowed else [],
            events=cast(list[AnyEvent], decision.events),
            shares=decision.shares,
            answers=answers,
            group=group,
        )
        entry = self.write(entry)
        evolve(self.state, decision.events)
        return Done(entry, decision)

    def judge(
        self,
        command: Command,
        *,
        seat: str = "",
        override: str = "",
        rolls: Sequence[int] = (),
        shares: Mapping[str, str] | None = None,
    ) -> Decision | Refusal:
        """What would come of a command. Dice not entered by hand come from everybody's shares in them: of the secrets
        kept here, and those that others have given for this order. SharesNeeded when one is missing."""
        check_whose_phase(self.world, self.state, command, seat, self.beginning.seats)
        given = [dice.Roll(0, result, True) for result in rolls] if rolls else []
        everybodys: dict[str, str] = {}
        while True:
            try:
                decision = decide(self.world, watched(self.world, self.state), command, seat, given, override)
            except dice.RollNeeded as need:
                if not self.history.promises:
                    raise
                everybodys = everybodys or self._shares(command, shares or {})
                given.append(dice.Roll(need.sides, dice.roll(everybodys, len(given) + 1, need.sides)))
                continue
            return replace(decision, shares=everybodys) if everybodys and isinstance(decision, Decision) else decision

    def _shares(self, command: Command, others: Mapping[str, str]) -> dict[str, str]:
        """Everybody's share in the dice of an order."""
        promises = self.history.promises
        found = {who: share for who, share in others.items() if who in promises} | self.own_shares(command)
        missing = tuple(sorted(promises.keys() - found.keys()))
        if missing:
            raise SharesNeeded(missing)
        return found

    def own_shares(self, command: Command) -> dict[str, str]:
        """The shares in an order's dice of the secrets that are kept here."""
        bound = self.cup.bound_to(self.history, self.state.clock, command)
        return {who: dice.share(secret, bound) for who, secret in self.cup.at_hand(self.history.promises).items()}

    @property
    def can_roll(self) -> bool:
        """Whether the program can roll right here: all who have a part in the dice keep their secrets in this place."""
        return self.rolls_itself and not self.cup.missing(self.history.promises)

    @property
    def rolls_itself(self) -> bool:
        """Whether the program rolls: someone has promised a secret for the dice. Else they are the table's."""
        return bool(self.history.promises)

    def attempt(
        self, command: Command, *, seat: str = "", override: str = "", rolls: Sequence[int] = ()
    ) -> Decision | Refusal:
        """What would come of a command. The program's dice stay in the cup: trying must not tell how they will fall."""
        check_whose_phase(self.world, self.state, command, seat, self.beginning.seats)
        given = [dice.Roll(0, result, True) for result in rolls]
        return decide(self.world, watched(self.world, self.state), command, seat, given, override)

    def write(self, entry: Entry) -> Entry:
        """Seal the entry, keep it, and follow the journal by it."""
        if self.before_writing is not None:
            self.before_writing(entry)
        kept = pack(self.state, self.history) if self.seq - self._snapshot_at >= SNAPSHOT_EVERY else b""
        if kept:
            entry = replace(entry, kept=digest(kept))
        sealed = seal(self.hash, entry.n, codec.encode(entry))
        self.journal.append((sealed,))
        if kept:
            self.journal.keep_snapshot(self.seq, kept)
            self._snapshot_at = self.seq
        self.history.take(entry)
        self.seq, self.hash = entry.n, sealed.hash
        self._latest.append(sealed)
        return entry

    def keep_snapshot(self) -> None:
        """Have the state as it is now saved with the next entry, so that opening need not replay what came before."""
        self._snapshot_at = self.seq - SNAPSHOT_EVERY

    def keep_vouched_snapshots(self) -> None:
        """Make the snapshots again that the journal holds the hashes of, such as after it was brought in as text."""
        history = self._first_history()
        for sealed in self.journal.read(2, self.seq + 1):
            entry = read_entry(sealed)
            if entry.kept:
                kept = pack(self.state_after(entry.n - 1, history.undone), history)
                # Of another version's making it may differ in a letter, and then nobody vouches for it.
                if digest(kept) == entry.kept:
                    self.journal.keep_snapshot(entry.n - 1, kept)
            history.take(entry)

    # -------------------------------------------------------------------------------------- undo and redo

    def undo(
        self, *, to: int | None = None, seat: str = "", when: str = "", seats: Sequence[str] = ()
    ) -> Entry | ConsentNeeded:
        """Undo the last command, or everything from entry `to` on. Other seats are asked where they are concerned.

        `seats` are those taken now, besides the ones the campaign was begun with.
        """
        return self.undo_these(self.undoable(to), seat=seat, when=when, seats=seats)

    def undo_these(
        self, entries: Sequence[Entry], *, seat: str = "", when: str = "", seats: Sequence[str] = ()
    ) -> Entry | ConsentNeeded:
        """Undo what `undoable` found."""
        concerned, why = self._concerned(entries, seat, seats)
        numbers = [entry.n for entry in entries]
        if concerned:
            # Asking again for what was asked a moment ago is no news, and would only fill the journal.
            if numbers != self.history.asked or self.history.agreed != [seat]:
                self.write(Entry(n=self.seq + 1, at=self.state.clock, seat=seat, when=when, asks=numbers))
            return ConsentNeeded(tuple(numbers), concerned, why)
        return self._record_undo(numbers, seat, when)

    def consent(self, *, seat: str, when: str = "", seats: Sequence[str] = ()) -> Entry | ConsentNeeded:
        """Agree to the undo another seat has asked for; the last seat to agree brings it about."""
        asked, agreed = self.history.asked, self.history.agreed
        if not asked:
            raise NothingToUndo("nobody has asked to undo anything")
        if seat in agreed:
            raise NothingToUndo(f"{seat} has agreed to this undo already; another seat must consent")
        entries = [read_entry(next(self.journal.read(seq, seq + 1))) for seq in asked]
        concerned, why = self._concerned(entries, agreed[0], seats)
        waiting = tuple(each for each in concerned if each not in (*agreed, seat))
        if waiting:
            self.write(Entry(n=self.seq + 1, at=self.state.clock, seat=seat, when=when, asks=asked))
            return ConsentNeeded(tuple(asked), waiting, why)
        return self._record_undo(asked, seat, when)

    def _record_undo(self, numbers: list[int], seat: str, when: str) -> Entry:
        entry = Entry(n=self.seq + 1, at=self.state.clock, seat=seat, when=when, undo=numbers)
        # Worked out first: once it is recorded, nothing may fail that would leave the state as it was.
        state = self.state_after(self.seq, self.history.undone | set(numbers))
        self.write(entry)
        self.state = state
        return entry

    def redo(self, *, seat: str = "", when: str = "") -> Entry:
        """Bring back what was last undone, if nothing was played since."""
        if not self.history.redoable:
            raise NothingToUndo("there is nothing to redo: no undo came last")
        group = self.history.redoable[-1]
        entry = Entry(n=self.seq + 1, at=self.state.clock, seat=seat, when=when, redo=group)
        wanted = set(group)
        again = [each for each in self.entries(min(wanted), max(wanted) + 1) if each.n in wanted]
        self.write(entry)
        for each in again:
            evolve(self.state, each.events)
        return entry

    def undoable(self, to: int | None = None) -> list[Entry]:
        """What an undo of the last command, or of everything from entry `to` on, would undo."""
        first = self._last_command() if to is None else to
        if first <= 1 or first > self.seq:
            raise NothingToUndo("there is no command left to undo" if to is None else f"entry {to} cannot be undone")
        found = [entry for entry in map(read_entry, self.journal.read(first)) if self.history.counts(entry)]
        if not found:
            raise NothingToUndo(f"nothing from entry {first} on is left to undo")
        return found

    def _last_command(self) -> int:
        """The last entry that is a command and counts, or the first given with it; undos and redos lie between."""
        for seq in range(self.history.last, 1, -1):
            entry = read_entry(next(self.journal.read(seq, seq + 1)))
            if self.history.counts(entry):
                return entry.group or seq
        return 1

    def _concerned(self, entries: Sequence[Entry], seat: str, taken: Sequence[str]) -> tuple[tuple[str, ...], str]:
        # Whoever has a seat now is asked, however the campaign was begun.
        seats = {*self.beginning.seats, *taken}
        others = {entry.seat for entry in entries if entry.seat and entry.seat != seat}
        why = f"it would undo what {' and '.join(sorted(others))} did" if others else ""
        if seats and any(isinstance(event, Rolled) for entry in entries for event in entry.events):
            others |= {each for each in seats if each != seat}
            why = why or "it would undo a die roll"
        return (tuple(sorted(others)), why) if seats else ((), "")

    def entries(self, start: int = 2, stop: int | None = None) -> Iterator[Entry]:
        """The journal after its beginning, as entries."""
        return map(read_entry, self.sealed(max(start, 2), stop))

    def sealed(self, start: int, stop: int | None = None) -> Iterator[Sealed]:
        """Entries as they are sealed; those that were just written or taken in need not be fetched."""
        latest = self._latest
        if not latest or start < latest[0].seq or (stop or 0) > self.seq + 1:
            return self.journal.read(start, stop)
        return iter([each for each in latest if start <= each.seq and (stop is None or each.seq < stop)])


def _undone_and_redone(entries: Iterator[Sealed]) -> set[int]:
    """The entries whose standing these change, an odd number of times each.

    An undo followed by its redo leaves an entry as it was. Looking for the words spares decoding the rest: inside a
    text they would stand with their quotes escaped.
    """
    touched: set[int] = set()
    for sealed in entries:
        if b'"undo":[' in sealed.body or b'"redo":[' in sealed.body:
            entry = read_entry(sealed)
            touched ^= {*entry.undo, *entry.redo}
    return touched


def _carry_out(state: State, entry: Entry) -> None:
    """What an entry of the journal did; Damaged for one that the program cannot have written."""
    try:
        evolve(state, entry.events)
    except KeyError as error:
        raise Damaged(entry.n, f"is about {error}, which is not in the campaign") from None


__all__ = ["BadCommand", "Campaign", "ConsentNeeded", "Done", "NothingToUndo"]
