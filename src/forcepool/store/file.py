"""A campaign's file while it is open: what is written together is recorded together or not at all, and in no other."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from types import TracebackType
from typing import Self

from forcepool.files.disk import is_the_disks
from forcepool.store import schema
from forcepool.store.condition import THOROUGH, disk_fails_to_read
from forcepool.store.errors import (
    CampaignFileError,
    CampaignMoved,
    CampaignOverwritten,
    busy,
    damaged,
    explained,
    failed,
    not_ours,
    unsure,
)
from forcepool.store.log import put_aside_if_not_ours
from forcepool.store.place import Ends, Place

TRIES = 5


class CampaignFile:
    """An open file. Threads may share one; programs open one each."""

    def __init__(self, path: Path, db: sqlite3.Connection, *, read_only: bool = False) -> None:
        self.path, self._db, self._lock, self.read_only = path, db, RLock(), read_only
        self._place = Place(path, self._first_seal(), self._ends)
        with suppress(CampaignFileError):
            # How far the file's own entries go, before anyone can put an older copy over it.
            self._place.check()
        self._unmerged = False
        self._reading_room: TemporaryDirectory[str] | None = None

    # ------------------------------------------------------------------------------- opening and closing

    @classmethod
    def create(cls, path: Path | str) -> Self:
        """A new file without an entry; a file that is there already is left alone."""
        path = Path(path)
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o666))
        except FileExistsError:
            raise CampaignFileError(f"{path} exists already; choose another name or move it away first") from None
        except (OSError, ValueError) as error:
            raise _cannot(path, "made", error, "choose another folder") from None
        return cls._connected(path, new=True)

    @classmethod
    def open(cls, path: Path | str, *, wait: float | None = None) -> Self:
        """An existing file; CampaignFileError says what is wrong with one that is none.

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
    def _for_reading(cls, path: Path) -> Self:
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
    def _read_only(cls, path: Path, stands_in: Path) -> Self:
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
    def _connected(cls, path: Path, *, new: bool, wait: float | None = None) -> Self:
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

    @property
    def to_merge(self) -> bool:
        """Whether something lies in the log that is not in the file yet."""
        return self._unmerged and not self.read_only

    def merge(self) -> None:
        """Take the log into the file itself, so that a copy of the file holds everything; not while others write."""
        if not self.to_merge:
            return
        with self._lock, suppress(sqlite3.Error):
            self._place.check()
            busy = self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            self._unmerged = bool(busy)

    def backup_to(self, path: Path, *, in_passing: bool = False) -> None:
        """A sound copy of everything recorded up to now, while others go on writing.

        One made in passing, to be sent on and thrown away, is not held until the disk has it: orders wait for the disk.
        """
        with self._lock, explained(path):
            copy = sqlite3.connect(path, isolation_level=None)
            try:
                if in_passing:
                    copy.execute("PRAGMA synchronous = OFF")
                self._db.backup(copy)
                copy.execute("PRAGMA journal_mode = DELETE")
            finally:
                copy.close()

    def __enter__(self) -> Self:
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
            self._unmerged = True
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

    @contextmanager
    def held(self) -> Iterator[None]:
        """Inside, nobody writes, and all that was recorded lies in the file itself."""
        with self._lock, explained(self.path):
            if self.read_only:
                yield
                return
            for _ in range(TRIES):
                self._place.check()
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
                self._db.execute("BEGIN IMMEDIATE")
                if not _has_log(self.path):
                    break
                # Someone has written in between, or reads still what was there before.
                self._roll_back()
            else:
                raise busy(self.path)
            try:
                yield
            finally:
                self._roll_back()

    def _first_seal(self) -> str:
        found = self._rows("SELECT hash FROM entry WHERE seq = 1")
        return str(found[0][0]) if found else ""

    def _ends(self) -> Ends:
        return Ends(self._first_seal(), self._head()[0])

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._lock, explained(self.path):
            return self._db.execute(query, values).fetchall()

    def _head(self) -> tuple[int, str, int]:
        """Number and hash of the last entry, and the last entry that the index of subjects knows."""
        match self._rows("SELECT seq, hash, indexed FROM head"):
            case [(int(seq), str(digest), int(indexed))]:
                return seq, digest, indexed
        raise damaged(self.path, "it does not say where its journal ends")

    def file_damage(self) -> list[str]:
        """What SQLite finds wrong in the file itself."""
        found = [str(text) for (text,) in self._rows(f"PRAGMA {THOROUGH}") if text != "ok"]
        if found and disk_fails_to_read(self.path, THOROUGH):
            # What the disk did not give just now is no damage.
            raise failed(self.path)
        return found


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
