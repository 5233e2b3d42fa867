"""The journal: an append-only chain of entries, each sealed to the one before it by hash."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from msgspec import Raw, Struct

from forcepool.engine import codec
from forcepool.engine.calendar import Clock
from forcepool.engine.events import AnyEvent
from forcepool.engine.state import Snapshot

GENESIS = "0" * 64
"""What the first entry is sealed to."""


CHANGED = "was changed: its hash does not fit its text and the entry before it"


class Sealed(Struct, frozen=True, gc=False):
    """An entry as it is kept: its number, its bytes, and the hash that seals it to the one before."""

    seq: int
    body: bytes
    hash: str


if TYPE_CHECKING:
    CommandBytes = Any
else:
    CommandBytes = Raw


class Waiting(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """An order that is carried out once the seats concerned have agreed to it."""

    seat: str
    """Whose order it is."""
    by: str = ""
    do: CommandBytes
    override: str = ""
    rolls: list[int] = []
    """Dice entered from the table."""
    shares: dict[str, str] = {}
    """Shares in its dice that are there already."""
    seats: list[str]
    """Those who must agree."""
    agreed: list[str] = []
    why: str = ""


class Message(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one seat writes to others."""

    text: str
    to: str = ""
    """A side, or the referee; empty for everybody."""


class Entry(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One act of one seat: a command with what it did, an undo, a redo, the asking for one, or a message."""

    n: int
    at: Clock
    seat: str = ""
    by: str = ""
    """Whoever sat there, where several share a side."""
    when: str = ""
    do: CommandBytes = Raw(b"null")
    """The command; bytes when read back, since only few readers need it decoded."""
    allowed: list[str] = []
    """Clauses whose exceptions let it pass."""
    events: list[AnyEvent] = []
    undo: list[int] = []
    redo: list[int] = []
    asks: list[int] = []
    """Entries this seat wishes undone, waiting for the seats concerned."""
    seed: str = ""
    """The first format's word for the campaign's own promise."""
    promises: dict[str, str] = {}
    """By whoever has a part in the dice, the hash of the secret in use from now on; empty: it has none any more."""
    told: dict[str, str] = {}
    """Secrets that are opened, so that anyone can check what was rolled with them."""
    shares: dict[str, str] = {}
    """Everybody's share in the dice of this order."""
    waits: Waiting | None = None
    """An order that others must agree to first."""
    agrees: int = 0
    """The waiting order this seat agrees to, while others are still asked."""
    declines: int = 0
    """The waiting order that is not to be carried out."""
    answers: int = 0
    """The waiting order that this entry carries out."""
    kept: str = ""
    """The hash of the snapshot taken just before this entry: no other is believed."""
    group: int = 0
    """The first of several entries that were given in one go: one undo takes them all back."""
    message: Message | None = None
    """What is said to others: it touches nothing, and is not undone."""


class Beginning(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The first entry: all that the campaign rests on."""

    n: int = 1
    format: int = 1
    """3 from when dice are bound to the promises in force too; 2 where they were bound to orders alone; 1 where they
    followed from the number of the entry."""
    game: str
    title: str
    ruleset: str
    """The version of the rules and of the rulebook it was begun with."""
    world: Raw
    """The scenario's charts, map and calendar, in the game's own shape."""
    state: Snapshot
    seats: list[str] = []
    """Sides played by different people; empty when one person plays them all."""
    dice: str = ""
    """The hash of the campaign's own secret; empty when dice are entered from the table."""
    when: str = ""
    rulings: dict[str, str] = {}
    """How every ruling was played by default when it began; a later rulebook's other default does not change it."""
    tries: str = ""
    """Of a what-if: the first seal of the campaign it was branched from. Nothing that is done in it counts."""
    after: int = 0
    """Of a what-if: the campaign's last entry when it was branched off."""


entry_decoder = codec.decoder(Entry)
beginning_decoder = codec.decoder(Beginning)


class Conflict(Exception):
    """Somebody else wrote first."""

    def __init__(self, seq: int) -> None:
        super().__init__(
            f"entry {seq} was written by someone else in the meantime; nothing of yours was recorded. "
            "Look at the campaign again, then repeat the command"
        )
        self.seq = seq


class Damaged(Exception):
    """The journal does not hold together; the message names the entry."""

    def __init__(self, seq: int, what: str) -> None:
        super().__init__(f"entry {seq} {what}")
        self.seq = seq


class Journal(Protocol):
    """Where entries are kept. Appending is the only way to change one."""

    def head(self) -> tuple[int, str]:
        """Number and hash of the last entry; (0, GENESIS) when empty."""
        ...

    def append(self, entries: Sequence[Sealed]) -> None:
        """Keep entries that follow the head, all or none; raises Conflict when another got there first."""
        ...

    def read(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        """Entries from start up to, not including, stop."""
        ...

    def snapshot_before(self, seq: int) -> tuple[int, bytes] | None:
        """The newest snapshot taken at or before an entry."""
        ...

    def keep_snapshot(self, seq: int, data: bytes) -> None: ...

    def close(self) -> None: ...


def seal(previous: str, seq: int, body: bytes) -> Sealed:
    return Sealed(seq, body, hashlib.sha256(previous.encode() + body).hexdigest())


def read_entry(sealed: Sealed) -> Entry:
    """The entry's contents, or Damaged."""
    try:
        entry: Entry = entry_decoder.decode(sealed.body)
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError, ZeroDivisionError) as error:
        raise Damaged(sealed.seq, f"cannot be read: {error}") from None
    if entry.n != sealed.seq:
        raise Damaged(sealed.seq, f"says it is number {entry.n}")
    return entry


def read_beginning(journal: Journal) -> Beginning:
    for sealed in journal.read(1, 2):
        if seal(GENESIS, 1, sealed.body).hash != sealed.hash:
            raise Damaged(1, CHANGED)
        try:
            beginning: Beginning = beginning_decoder.decode(sealed.body)
        except (msgspec.DecodeError, msgspec.ValidationError, ValueError, ZeroDivisionError) as error:
            raise Damaged(1, f"cannot be read: {error}") from None
        return beginning
    raise Damaged(1, "is missing: the campaign has no beginning")


def check_chain(entries: Iterator[Sealed], previous: str = GENESIS, first: int = 1) -> Iterator[Damaged]:
    """Every place where the chain is broken: changed, missing or out of order."""
    expected = first
    for sealed in entries:
        if sealed.seq != expected:
            yield Damaged(expected, "is missing" if sealed.seq > expected else "is out of order")
            expected = sealed.seq
        if hashlib.sha256(previous.encode() + sealed.body).hexdigest() != sealed.hash:
            yield Damaged(sealed.seq, CHANGED)
        expected += 1
        previous = sealed.hash


class MemoryJournal:
    """A journal that lasts as long as the program: for cases, what-ifs and benchmarks."""

    def __init__(self) -> None:
        self.entries: list[Sealed] = []
        self.snapshots: dict[int, bytes] = {}

    def head(self) -> tuple[int, str]:
        return (len(self.entries), self.entries[-1].hash) if self.entries else (0, GENESIS)

    def append(self, entries: Sequence[Sealed]) -> None:
        if entries and entries[0].seq != len(self.entries) + 1:
            raise Conflict(entries[0].seq)
        self.entries.extend(entries)

    def read(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        return iter(self.entries[start - 1 : None if stop is None else stop - 1])

    def snapshot_before(self, seq: int) -> tuple[int, bytes] | None:
        best = max((each for each in self.snapshots if each <= seq), default=None)
        return None if best is None else (best, self.snapshots[best])

    def keep_snapshot(self, seq: int, data: bytes) -> None:
        self.snapshots[seq] = data

    def close(self) -> None:
        """Nothing to close."""
