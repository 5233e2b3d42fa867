"""What every store of journals gives, whether in a file or in a database."""

import hashlib
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

from forcepool.engine.journal import CHANGED, GENESIS, Damaged, Sealed, seal
from forcepool.store.errors import CampaignFileError
from forcepool.store.subjects import subjects

PAGE = 1000
"""Entries fetched at a time: no reader holds the store for long."""
NEWEST_KEPT = 10
OLDER_KEPT = 10
"""The newest ten snapshots are kept, and of the older ones every tenth."""
INDEXED_TOGETHER = 100
"""Entries that go into the index at a time: one by one they would make each append half as slow again."""
NO_END = 1 << 62
_COMPRESSION = 1


class StoredJournal(ABC):
    """A campaign's journal as it is kept: entries, snapshots, the secrets of its dice, and what is about what."""

    read_only = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None: ...

    # --------------------------------------------------------------------------------------- the journal

    def head(self) -> tuple[int, str]:
        """Number and hash of the last entry, as noted when it was written."""
        return self._head()[:2]

    @abstractmethod
    def append(self, entries: Sequence[Sealed]) -> None:
        """Keep entries that follow the head, all or none; they are on the disk when this returns."""

    def read(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        """Entries from start up to, not including, stop; Damaged at one that is not as it was sealed."""
        start = max(start, 1)
        # Taken first: what others write in the meantime is not missed, only not promised.
        last, _ = self.head()
        stop = NO_END if stop is None else stop
        previous, expected = ("", start - 1) if start > 1 else (GENESIS, 1)
        if start < stop:
            for sealed in self.stored(expected, stop):
                if sealed.seq != expected:
                    raise Damaged(expected, "is missing")
                if expected >= start:
                    if seal(previous, sealed.seq, sealed.body) != sealed:
                        raise Damaged(expected, CHANGED)
                    yield sealed
                previous, expected = sealed.hash, expected + 1
            if expected <= min(last, stop - 1):
                raise Damaged(expected, "is missing")

    def stored(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        """Entries as they stand in the store, whether or not they fit together."""
        stop = NO_END if stop is None else stop
        while start < stop:
            rows = self._entries(start, stop)
            for seq, body, digest in rows:
                # A damaged file can hold anything anywhere; going backwards would never end.
                if not isinstance(seq, int) or seq < start:
                    raise Damaged(start, "is out of order in the file")
                start = seq + 1
                yield Sealed(
                    seq,
                    body if isinstance(body, bytes) else repr(body).encode(),
                    digest if isinstance(digest, str) else repr(digest),
                )
            if len(rows) < PAGE:
                return

    @abstractmethod
    def together(self) -> AbstractContextManager[None]:
        """All entries and seeds that are kept inside are recorded together or not at all."""

    @abstractmethod
    def _head(self) -> tuple[int, str, int]:
        """Number and hash of the last entry, and the last entry that the index of subjects knows."""

    @abstractmethod
    def _entries(self, start: int, stop: int) -> list[tuple[object, ...]]:
        """A page of entries: number, body, hash."""

    # ----------------------------------------------------------------------------------------- snapshots

    def snapshot_before(self, seq: int) -> tuple[int, bytes] | None:
        """The newest sound snapshot taken at or before an entry; damaged ones are passed over."""
        for at in self._snapshots(seq):
            data = self._snapshot(at)
            if data is not None:
                return at, data
        return None

    def damaged_snapshots(self) -> list[int]:
        """The entries whose snapshots cannot be used."""
        # Twice: what the disk did not give just now is no damage.
        return sorted(at for at in self._snapshots() if self._snapshot(at) is None is self._snapshot(at))

    @abstractmethod
    def keep_snapshot(self, seq: int, data: bytes) -> None:
        """Keep a snapshot if that can be done now: without one the campaign only opens more slowly."""

    @abstractmethod
    def drop_snapshot(self, seq: int) -> None:
        """Throw a snapshot away; the journal holds all that is in it."""

    @abstractmethod
    def _kept_snapshots(self, last: int) -> list[tuple[object, ...]]:
        """The entries that have snapshots, the newest first."""

    @abstractmethod
    def _kept_snapshot(self, seq: int) -> list[tuple[object, ...]]:
        """A snapshot's digest and body."""

    def _snapshots(self, last: int = NO_END) -> list[int]:
        try:
            rows = self._kept_snapshots(last)
        except CampaignFileError:
            return []
        return [at for (at,) in rows if isinstance(at, int) and at <= last]

    def _snapshot(self, seq: int) -> bytes | None:
        try:
            [(digest, body)] = self._kept_snapshot(seq)
            if isinstance(body, bytes) and digest == self._snapshot_digest(seq, body):
                return zlib.decompress(body)
        except (CampaignFileError, ValueError, zlib.error):
            pass
        return None

    def _snapshot_digest(self, seq: int, body: bytes) -> str | None:
        """Ties a snapshot to its entry, so that it serves no other journal and no other moment."""
        digest = self._hash_of(seq)
        return hashlib.sha256(f"{seq} {digest} ".encode() + body).hexdigest() if digest is not None else None

    @abstractmethod
    def _hash_of(self, seq: int) -> object:
        """The hash that an entry was kept with; None where there is no such entry."""

    # --------------------------------------------------------------------------------- seeds of the dice

    @abstractmethod
    def keep_seed(self, seq: int, seed: bytes) -> None:
        """Keep the secret seed that an entry has promised."""

    @abstractmethod
    def seeds(self) -> dict[int, bytes]:
        """The secret seeds by the entries that promised them."""

    # --------------------------------------------------------------------------------- what is about what

    def entries_about(self, subject: str) -> Iterator[int]:
        """The numbers of the entries about a unit, a pool or a clause, in order."""
        head, _, indexed = self._head()
        last = 0
        while rows := self._indexed_about(subject, last, indexed):
            for (seq,) in rows:
                if not isinstance(seq, int) or seq <= last:
                    raise self._spoilt("its index is out of order")
                last = seq
                yield seq
        for sealed in self.stored(indexed + 1, head + 1):
            if subject in subjects(sealed.body):
                yield sealed.seq

    def indexed(self) -> int:
        """The last entry that is in the index; later ones are looked through when asked."""
        return self._head()[2]

    @abstractmethod
    def _indexed_about(self, subject: str, after: int, last: int) -> list[tuple[object, ...]]:
        """A page of the numbers of entries about a subject."""

    @abstractmethod
    def index_rows(self) -> Iterator[tuple[object, ...]]:
        """The whole index as it stands: subjects and entries."""

    def index_key(self, subject: str) -> str:
        """A subject as the index has it."""
        return subject

    @abstractmethod
    def rebuild_index(self) -> None:
        """Make the index again from the entries."""

    # -------------------------------------------------------------------------------------- its condition

    @property
    def to_merge(self) -> bool:
        """Whether something lies in a log beside the campaign's file."""
        return False

    def merge(self) -> None:
        """Take the log into the file itself, so that a copy of the file holds everything; not while others write."""
        return

    def check_place(self) -> None:
        """CampaignMoved when what lies under this name is no longer what was opened."""
        return

    @abstractmethod
    def file_damage(self) -> list[str]:
        """What the store itself finds wrong."""

    @abstractmethod
    def backup_to(self, path: Path, *, in_passing: bool = False) -> None:
        """A sound copy of everything recorded up to now as a file, while others go on writing.

        One made in passing, to be sent on and thrown away, is not held until the disk has it: orders wait for the disk.
        """

    @abstractmethod
    def _spoilt(self, what: str) -> CampaignFileError:
        """What to say of a store that does not hold what it should."""


def compressed(data: bytes) -> bytes:
    """A snapshot as it is kept."""
    return zlib.compress(data, _COMPRESSION)


def outdated(numbers: Sequence[int]) -> list[int]:
    """Of the numbers of all snapshots, those that need no longer be kept."""
    return [number for number in numbers[:-NEWEST_KEPT] if number % OLDER_KEPT]
