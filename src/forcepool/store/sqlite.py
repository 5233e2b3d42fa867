"""The journal in one SQLite file: entries are only ever added, and what was acknowledged is on the disk."""

import hashlib
import json
import os
import shutil
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from types import TracebackType

from forcepool.engine.journal import GENESIS, Conflict, Damaged, Sealed, seal
from forcepool.files.disk import is_the_disks
from forcepool.store import schema
from forcepool.store.errors import (
    CampaignFileError,
    CampaignMoved,
    CampaignOverwritten,
    damaged,
    disk_fails_to_read,
    explained,
    failed,
    not_ours,
    unsure,
)
from forcepool.store.log import put_aside_if_not_ours
from forcepool.store.place import Ends, Place
from forcepool.store.subjects import subjects

PAGE = 1000
"""Entries fetched at a time: no reader holds the file for long."""

NEWEST_KEPT = 10
OLDER_KEPT = 10
"""The newest ten snapshots are kept, and of the older ones every tenth."""

INDEXED_TOGETHER = 100
"""Entries that go into the index at a time: one by one they would make each append half as slow again."""

_COMPRESSION = 1
_NO_END = 1 << 62


class SqliteJournal:
    """A campaign's journal in a file. Threads may share one; programs open one each."""

    def __init__(self, path: Path, db: sqlite3.Connection, *, read_only: bool = False) -> None:
        self.path, self._db, self._lock, self.read_only = path, db, RLock(), read_only
        self._place = Place(path, self._first_seal(), self._ends)
        with suppress(CampaignFileError):
            # How far the file's own entries go, before anyone can put an older copy over it.
            self._place.check()
        self._to_merge = False
        self._reading_room: TemporaryDirectory[str] | None = None

    # ------------------------------------------------------------------------------- opening and closing

    @classmethod
    def create(cls, path: Path | str) -> "SqliteJournal":
        """An empty journal in a new file; a file that is there already is left alone."""
        path = Path(path)
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666))
        except FileExistsError:
            raise CampaignFileError(f"{path} exists already; choose another name or move it away first") from None
        except (OSError, ValueError) as error:
            raise _cannot(path, "made", error, "choose another folder") from None
        return cls._connected(path, new=True)

    @classmethod
    def open(cls, path: Path | str, *, wait: float | None = None) -> "SqliteJournal":
        """The journal in an existing file; CampaignFileError says what is wrong with one that is none.

        `wait` is how many seconds a writer waits for another program.
        """
        path = Path(path)
        try:
            there, size = path.is_file(), path.stat().st_size
        except FileNotFoundError:
            raise CampaignFileError(f"there is no file {path}; check the name, or begin with 'forcepool new'") from None
        except (OSError, ValueError) as error:
            raise _cannot(path, "opened", error, "check the name") from None
        if not there or not size:
            raise not_ours(path)
        return cls._for_reading(path) if _write_protected(path) else cls._connected(path, new=False, wait=wait)

    @classmethod
    def _for_reading(cls, path: Path) -> "SqliteJournal":
        """A file that nobody can write: it is read as it stands, or with its log from a copy that is thrown away."""
        if not _has_log(path):
            return cls._read_only(path, path)
        room = TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True)
        try:
            copy = Path(room.name, "campaign")
            with explained(path):
                for ending in ("", "-wal"):
                    shutil.copyfile(f"{path}{ending}", f"{copy}{ending}")
                schema.merge_log(copy)
            journal = cls._read_only(path, copy)
        except BaseException:
            room.cleanup()
            raise
        journal._reading_room = room
        return journal

    @classmethod
    def _read_only(cls, path: Path, stands_in: Path) -> "SqliteJournal":
        with explained(path):
            db = schema.connect_for_reading(stands_in)
            try:
                if schema.check_format(db, path) < schema.FORMAT:
                    raise CampaignFileError(
                        f"{path} is of an older forcepool and write-protected; copy it to where it can be written first"
                    )
                return cls(path, db, read_only=True)
            except BaseException:
                db.close()
                raise

    @classmethod
    def _connected(cls, path: Path, *, new: bool, wait: float | None = None) -> "SqliteJournal":
        with explained(path):
            put_aside_if_not_ours(path)
            db = schema.connect(path, schema.WAIT_SECONDS if wait is None else wait)
            try:
                old = new or schema.check_format(db, path) < schema.FORMAT
                schema.prepare(db)
                if old:
                    schema.migrate(db)
                schema.restore_index(db)
                return cls(path, db)
            except BaseException:
                db.close()
                raise

    def close(self) -> None:
        """Close the file; the last to close it leaves nothing beside it."""
        with self._lock, explained(self.path):
            self._let_go_of_the_log()
            self._db.close()
            if self._reading_room is not None:
                self._reading_room.cleanup()

    def _let_go_of_the_log(self) -> None:
        """Whoever closes a file last merges its log; into a file that is not the one that was opened nothing may go."""
        try:
            if not self.read_only:
                self._place.check()
        except CampaignOverwritten:
            # What this log changes is no longer there; left behind, it would be merged into what is there now.
            with suppress(OSError):
                os.truncate(f"{self.path}-wal", 0)
        except CampaignMoved:
            # The file is open still, wherever it lies now: the log goes into it, and not into the one in its place.
            with suppress(sqlite3.Error):
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except CampaignFileError:
            # It cannot be read; closing changes nothing in it that opening it again would not.
            pass

    def check_place(self) -> None:
        """CampaignMoved when the file under this name is no longer the one that was opened."""
        with self._lock:
            self._place.check()

    def merge(self) -> None:
        """Take the log into the file itself, so that a copy of the file holds everything; not while others write."""
        if not self._to_merge or self.read_only:
            return
        with self._lock, suppress(sqlite3.Error):
            self._place.check()
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._to_merge = bool(busy)

    def backup_to(self, path: Path) -> None:
        """A sound copy of everything recorded up to now, while others go on writing."""
        with self._lock, explained(path):
            copy = sqlite3.connect(path, isolation_level=None)
            try:
                self._db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()

    def __enter__(self) -> "SqliteJournal":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """All that happens inside is recorded together or not at all."""
        if self.read_only:
            raise CampaignFileError(
                f"{self.path} is write-protected; copy it to where it can be written, and play there"
            )
        with self._lock, explained(self.path):
            if self._inside():
                yield self._db
                return
            self._place.check()
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._roll_back()
                raise
            self._commit()
            self._to_merge = True
            try:
                # Before anyone is told: what went into a file that is gone is not recorded.
                self._place.check()
            except CampaignMoved:
                raise
            except CampaignFileError:
                # It is recorded; that the disk does not tell just now where the file is does not undo it.
                pass

    def _commit(self) -> None:
        """Record it; if the disk fails in this moment, see to it that it is not recorded, or say that it may be."""
        try:
            self._db.execute("COMMIT")
        except sqlite3.Error as error:
            self._roll_back()
            # What was written of it lies in the log still, and the next to open the file would take it for good.
            if not self._written_over():
                raise unsure(self.path) from error
            raise

    def _written_over(self) -> bool:
        """Whether the end of the log could be taken by a change that changes nothing."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            # There and back: what stays the same from the start SQLite does not write.
            self._db.execute("UPDATE head SET indexed = indexed + 1")
            self._db.execute("UPDATE head SET indexed = indexed - 1")
            self._db.execute("COMMIT")
        except sqlite3.Error:
            self._roll_back()
            return False
        return True

    def _roll_back(self) -> None:
        if self._db.in_transaction:
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")

    def _inside(self) -> bool:
        """Whether what is written now is recorded together with what came before and comes after it."""
        with self._lock:
            return self._db.in_transaction

    @contextmanager
    def together(self) -> Iterator[None]:
        """All entries and seeds that are kept inside are recorded together or not at all."""
        with self._writing():
            yield

    def _first_seal(self) -> str:
        found = self._rows("SELECT hash FROM entry WHERE seq = 1")
        return str(found[0][0]) if found else ""

    def _ends(self) -> Ends:
        return Ends(self._first_seal(), self._head()[0])

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._lock, explained(self.path):
            return self._db.execute(query, values).fetchall()

    # --------------------------------------------------------------------------------------- the journal

    def head(self) -> tuple[int, str]:
        """Number and hash of the last entry, as noted when it was written."""
        return self._head()[:2]

    def _head(self) -> tuple[int, str, int]:
        """Number and hash of the last entry, and the last entry that the index of subjects knows."""
        match self._rows("SELECT seq, hash, indexed FROM head"):
            case [(int(seq), str(digest), int(indexed))]:
                return seq, digest, indexed
        raise damaged(self.path, "it does not say where its journal ends")

    def append(self, entries: Sequence[Sealed]) -> None:
        """Keep entries that follow the head, all or none; they are on the disk when this returns."""
        if not entries:
            return
        with self._writing() as db:
            seq, previous, indexed = self._head()
            for entry in entries:
                seq += 1
                if entry.seq != seq or seal(previous, seq, entry.body).hash != entry.hash:
                    raise Conflict(entry.seq)
                previous = entry.hash
            db.executemany("INSERT INTO entry VALUES (?, ?, ?)", ((each.seq, each.hash, each.body) for each in entries))
            if seq - indexed >= INDEXED_TOGETHER:
                _index(db, entries if indexed == entries[0].seq - 1 else self.stored(indexed + 1))
                indexed = seq
            db.execute("UPDATE head SET seq = ?, hash = ?, indexed = ?", (seq, previous, indexed))

    def read(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        """Entries from start up to, not including, stop; Damaged at one that is not as it was sealed."""
        start = max(start, 1)
        # Taken first: what others write in the meantime is not missed, only not promised.
        last, _ = self.head()
        stop = _NO_END if stop is None else stop
        previous, expected = ("", start - 1) if start > 1 else (GENESIS, 1)
        if start < stop:
            for sealed in self.stored(expected, stop):
                if sealed.seq != expected:
                    raise Damaged(expected, "is missing")
                if expected >= start:
                    if seal(previous, sealed.seq, sealed.body) != sealed:
                        raise Damaged(expected, "was changed: its hash does not fit its text and the entry before it")
                    yield sealed
                previous, expected = sealed.hash, expected + 1
            if expected <= min(last, stop - 1):
                raise Damaged(expected, "is missing")

    def stored(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        """Entries as they stand in the file, whether or not they fit together."""
        query = "SELECT seq, body, hash FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT ?"
        stop = _NO_END if stop is None else stop
        while start < stop:
            rows = self._rows(query, start, stop, PAGE)
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

    def file_damage(self) -> list[str]:
        """What SQLite finds wrong in the file itself."""
        found = [str(text) for (text,) in self._rows("PRAGMA integrity_check") if text != "ok"]
        if found and disk_fails_to_read(self.path):
            # What the disk did not give just now is no damage.
            raise failed(self.path)
        return found

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

    def keep_snapshot(self, seq: int, data: bytes) -> None:
        """Keep a snapshot if that can be done now: without one the campaign only opens more slowly."""
        body = zlib.compress(data, _COMPRESSION)
        if self._inside():
            return
        try:
            with self._writing() as db:
                digest = self._snapshot_digest(seq, body)
                if digest is None:
                    return
                db.execute("DELETE FROM snapshot WHERE seq = ?", (seq,))
                db.execute("INSERT INTO snapshot (seq, digest, body) VALUES (?, ?, ?)", (seq, digest, body))
                numbers = [number for (number,) in db.execute("SELECT number FROM snapshot ORDER BY number")]
                drop = [(number,) for number in numbers[:-NEWEST_KEPT] if number % OLDER_KEPT]
                db.executemany("DELETE FROM snapshot WHERE number = ?", drop)
        except CampaignFileError:
            # The entry itself is safe already: an error here would tell the player that it is not.
            return

    def drop_snapshot(self, seq: int) -> None:
        """Throw a snapshot away; the journal holds all that is in it."""
        with self._writing() as db:
            db.execute("DELETE FROM snapshot WHERE seq = ?", (seq,))

    def _snapshots(self, last: int = _NO_END) -> list[int]:
        try:
            rows = self._rows("SELECT seq FROM snapshot WHERE seq <= ? ORDER BY seq DESC", last)
        except CampaignFileError:
            return []
        return [at for (at,) in rows if isinstance(at, int) and at <= last]

    def _snapshot(self, seq: int) -> bytes | None:
        try:
            [(digest, body)] = self._rows("SELECT digest, body FROM snapshot WHERE seq = ?", seq)
            if isinstance(body, bytes) and digest == self._snapshot_digest(seq, body):
                return zlib.decompress(body)
        except (CampaignFileError, ValueError, zlib.error):
            pass
        return None

    def _snapshot_digest(self, seq: int, body: bytes) -> str | None:
        """Ties a snapshot to its entry, so that it serves no other journal and no other moment."""
        rows = self._rows("SELECT hash FROM entry WHERE seq = ?", seq)
        return hashlib.sha256(f"{seq} {rows[0][0]} ".encode() + body).hexdigest() if rows else None

    # --------------------------------------------------------------------------------- seeds of the dice

    def keep_seed(self, seq: int, seed: bytes) -> None:
        """Keep the secret seed that an entry has promised."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO secret VALUES (?, ?)", (seq, seed))

    def seeds(self) -> dict[int, bytes]:
        """The secret seeds by the entries that promised them."""
        rows = self._rows("SELECT seq, seed FROM secret ORDER BY seq")
        return {seq: seed for seq, seed in rows if isinstance(seq, int) and isinstance(seed, bytes)}

    # --------------------------------------------------------------------------------- what is about what

    def entries_about(self, subject: str) -> Iterator[int]:
        """The numbers of the entries about a unit, a pool or a clause, in order."""
        query = "SELECT seq FROM subject WHERE subject = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
        head, _, indexed = self._head()
        last = 0
        while rows := self._rows(query, subject, last, indexed, PAGE):
            for (seq,) in rows:
                if not isinstance(seq, int) or seq <= last:
                    raise damaged(self.path, "its index is out of order")
                last = seq
                yield seq
        for sealed in self.stored(indexed + 1, head + 1):
            if subject in subjects(sealed.body):
                yield sealed.seq

    def indexed(self) -> int:
        """The last entry that is in the index; later ones are looked through when asked."""
        return self._head()[2]

    def index_rows(self) -> Iterator[tuple[object, ...]]:
        """The whole index as it stands in the file: subjects and entries."""
        query = "SELECT subject, seq FROM subject WHERE (subject, seq) > (?, ?) ORDER BY subject, seq LIMIT ?"
        last: tuple[object, ...] = ("", 0)
        while rows := self._rows(query, *last, PAGE):
            if not all(isinstance(subject, str) and isinstance(seq, int) for subject, seq in rows) or rows[-1] <= last:
                raise damaged(self.path, "its index is out of order")
            yield from rows
            last = rows[-1]

    def rebuild_index(self) -> None:
        """Make the index again from the entries."""
        with self._writing() as db:
            db.execute("DROP TABLE IF EXISTS subject")
            db.execute(schema.SUBJECTS)
            _index(db, self.stored())
            db.execute("UPDATE head SET indexed = seq")


def _index(db: sqlite3.Connection, entries: Iterable[Sealed]) -> None:
    found: dict[str, list[int]] = {}
    for each in entries:
        for subject in subjects(each.body):
            found.setdefault(subject, []).append(each.seq)
    # A subject's numbers go in together: for a long import that is three times as fast as row by row.
    rows = ((subject, json.dumps(found[subject])) for subject in sorted(found))
    db.executemany("INSERT OR IGNORE INTO subject SELECT ?, value FROM json_each(?)", rows)


def _write_protected(path: Path) -> bool:
    """Whether the file or its folder cannot be written."""
    return not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK))


def _has_log(path: Path) -> bool:
    log = Path(f"{path}-wal")
    return log.exists() and log.stat().st_size > 0


def _cannot(path: Path, what: str, error: OSError | ValueError, hint: str) -> CampaignFileError:
    if isinstance(error, OSError) and is_the_disks(error):
        return failed(path)
    reason = (getattr(error, "strerror", None) or str(error)).lower()
    return CampaignFileError(f"{path} cannot be {what}: {reason}; {hint}")
