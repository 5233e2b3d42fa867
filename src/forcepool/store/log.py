"""The log beside a campaign's file: one that was left by another file is put aside, never merged into this one."""

import itertools
import os
import secrets
import sqlite3
import time
from contextlib import suppress
from pathlib import Path

from forcepool.engine.journal import Sealed, seal
from forcepool.store.condition import ALONE, WITH_LOG, is_whole, looked_at, plain_code

TRIES, PAUSE = 3, 0.05
"""Another program may be merging or beginning its log at the very moment: then it is looked at again."""
SPOILT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""What SQLite says of a file with a log that is not its own."""


def put_aside_if_not_ours(path: Path) -> None:
    """After a crash someone may have put a copy, or another campaign, in the place of the file that the log is of.

    Merged into that one, the log would spoil it, and what is in the log would be lost as well. It is kept under a name
    of its own, so that whoever has the file it belongs to can still put the two together.
    """
    log = Path(f"{path}-wal")
    for attempt in range(TRIES):
        if not _size(log):
            return
        try:
            log.read_bytes()
            end = _end(path, ALONE)
            if end is None or _goes_on(path, end) or not is_whole(path):
                return
        except (OSError, sqlite3.Error):
            return
        if attempt + 1 < TRIES:
            time.sleep(PAUSE)
    with suppress(FileNotFoundError):
        os.rename(log, path.with_name(f"{path.name}.{secrets.token_hex(4)}.log"))
        os.unlink(f"{path}-shm")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _end(path: Path, how: str) -> Sealed | None:
    """The last entry in the file alone; None where there is none, or where only the log can tell."""
    entries = _entries(path, how, "SELECT seq, body, hash FROM entry WHERE seq = (SELECT seq FROM head)")
    return entries[0] if entries else None


def _goes_on(path: Path, end: Sealed) -> bool:
    """Whether with the log the journal goes on from where it ends without it, each entry sealed to the one before.

    All of it is asked at once: someone may be writing, and between two looks the journal would have gone on.
    """
    ends_there = "(SELECT max(seq) FROM entry) = (SELECT seq FROM head)"
    query = f"SELECT seq, body, hash FROM entry WHERE seq >= ? AND {ends_there} ORDER BY seq"
    entries = _entries(path, WITH_LOG, query, end.seq)
    if not entries or entries[0] != end:
        return False
    return all(seal(one.hash, one.seq + 1, next_.body) == next_ for one, next_ in itertools.pairwise(entries))


def _entries(path: Path, how: str, query: str, *values: object) -> list[Sealed]:
    try:
        db = looked_at(path, how)
        try:
            return [Sealed(seq, bytes(body), str(digest)) for seq, body, digest in db.execute(query, values)]
        finally:
            db.close()
    except sqlite3.Error as error:
        if plain_code(error) in SPOILT:
            return []
        # A disk that is full or failing says nothing about whose log it is.
        raise
    except (UnicodeDecodeError, TypeError):
        return []
