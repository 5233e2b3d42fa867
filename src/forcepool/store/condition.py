"""What condition a file is in, as SQLite sees it. Nothing else may open a campaign that is open in this program.

Closing a file drops all locks that a program has on it, whichever part of it they are from. Another program that then
takes itself for the last would throw the log away, and with it what was acknowledged.
"""

import os
import re
import sqlite3
from pathlib import Path

from forcepool.files.disk import is_the_disks

WITH_LOG, ALONE = "mode=ro", "mode=ro&immutable=1"
"""A file as players have it, and without what its log adds; only the first asks for locks."""
QUICK, THOROUGH = "quick_check", "integrity_check"
PATIENCE = 0.25
"""Seconds that a look waits for another program."""
_UNREAD = re.compile(r"error code=(\d+)")
"""How an examination tells of a page that it did not get."""


def looked_at(path: Path, how: str) -> sqlite3.Connection:
    """A connection that only reads."""
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}", uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
    )


def plain_code(error: Exception) -> int:
    """SQLite's code for an error, 0 for any other: detailed ones carry the plain one in their last byte."""
    found: int = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return found


def is_whole(path: Path) -> bool:
    """Whether the file is sound without its log, which a half-merged one is not."""
    try:
        return _examined(path, ALONE, QUICK) == "ok"
    except (sqlite3.Error, UnicodeDecodeError):
        return False


def disk_fails_to_read(path: Path, check: str = QUICK) -> bool:
    """Whether the file is well and only the disk was not: it cannot be read at all, or reads well at a second look.

    What was found by an examination of indexes too is not refuted by one without them.
    """
    if disk_is_gone(path):
        return True
    # Where a log cannot be opened, as on a write-protected disk, the file itself is looked at.
    for how in (WITH_LOG, ALONE):
        try:
            found = _examined(path, how, check)
        except UnicodeDecodeError:
            return False
        except sqlite3.Error as error:
            if plain_code(error) == sqlite3.SQLITE_CANTOPEN and how == WITH_LOG:
                continue
            return plain_code(error) == sqlite3.SQLITE_IOERR or (
                plain_code(error) == sqlite3.SQLITE_CANTOPEN and os.access(path, os.R_OK)
            )
        unread = _UNREAD.search(found)
        return found == "ok" or (unread is not None and int(unread[1]) & 0xFF == sqlite3.SQLITE_IOERR)
    return False


def disk_is_gone(path: Path) -> bool:
    """Whether the disk does not even tell what lies on it."""
    try:
        os.stat(path)
    except OSError as error:
        return is_the_disks(error)
    return False


def _examined(path: Path, how: str, check: str) -> str:
    """The first thing that SQLite finds wrong, or 'ok'."""
    db = looked_at(path, how)
    try:
        return str(db.execute(f"PRAGMA {check}(1)").fetchone()[0])
    finally:
        db.close()
