"""What can be wrong with a campaign's file, in one sentence with the remedy."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forcepool.files.disk import is_the_disks
from forcepool.store.condition import disk_fails_to_read, disk_is_gone, plain_code

ROOM = 1 << 20
"""Bytes without which a failed write is put down to a full disk."""
_COPY = "go back to a copy of the file, or import its last export into a new one"


class CampaignFileError(Exception):
    """The file cannot be used; the message says why and what to do."""


class CampaignMoved(CampaignFileError):
    """The file under the campaign's name is no longer the one that was opened; nothing was recorded."""


class CampaignOverwritten(CampaignMoved):
    """Another campaign, or an older copy of this one, was written into the very file that was opened."""


class DiskFailed(CampaignFileError):
    """The disk is full or failing; nothing was recorded, and it says nothing against the file."""


class CampaignBusy(CampaignFileError):
    """Another program has held the file for too long; nothing was recorded."""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Whatever SQLite complains of inside is told in a player's words."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(path, error) from error
    except OSError as error:
        if not is_the_disks(error):
            raise
        raise failed(path) from error
    except UnicodeDecodeError as error:
        # SQLite repeats in its message what it found in the file, and that may be no text at all.
        raise damaged(path, "it holds letters that are none") from error


def explain(path: Path, error: sqlite3.Error) -> CampaignFileError:
    """The sentence for one of SQLite's errors."""
    match plain_code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED | sqlite3.SQLITE_PROTOCOL:
            if disk_is_gone(path):
                # A lock that a dead disk does not give looks like one that another has.
                return failed(path)
            return busy(path)
        case sqlite3.SQLITE_NOTADB if not disk_fails_to_read(path):
            return not_ours(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            if may_be_written(path):
                return failed(path)
            return CampaignFileError(
                f"{path} cannot be opened for writing; make sure that neither it nor its folder is write-protected"
            )
        case sqlite3.SQLITE_FULL:
            return full(path)
        case sqlite3.SQLITE_IOERR | sqlite3.SQLITE_NOTADB:
            return failed(path)
        case sqlite3.SQLITE_CORRUPT if disk_fails_to_read(path):
            # A page that the disk did not give is reported like one that is damaged.
            return failed(path)
        case _:
            return damaged(path, str(error))


def failed(path: Path) -> DiskFailed:
    """The disk would not: because it is full, or because it is failing."""
    if _is_full(path):
        return full(path)
    return DiskFailed(
        f"the disk did not take or give what was asked of {path}, and nothing of it was recorded; try again, and if it "
        "happens again copy the file to another disk"
    )


def unsure(path: Path) -> DiskFailed:
    """The disk failed in the moment in which it was recorded, and fails still: nobody can know now."""
    why = "is full" if _is_full(path) else "failed"
    return DiskFailed(
        f"the disk {why} just while this was being recorded in {path}, so it may be there or not: once the disk is "
        "well again, look at the campaign before you repeat it"
    )


def busy(path: Path) -> CampaignBusy:
    return CampaignBusy(
        f"{path} is being written by another program and nothing of yours was recorded; try again in a moment"
    )


def full(path: Path) -> DiskFailed:
    return DiskFailed(
        f"the disk is full and nothing was recorded in {path}; the campaign is as it was: free some space and repeat"
    )


def may_be_written(path: Path) -> bool:
    """Whether neither the file nor its folder is write-protected."""
    return os.access(path.parent, os.W_OK) and (os.access(path, os.W_OK) or not os.path.lexists(path))


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < ROOM
    except OSError:
        return False


def not_ours(path: Path) -> CampaignFileError:
    return CampaignFileError(f"{path} is not a forcepool campaign; choose a file made with 'forcepool new'")


def damaged(path: Path, what: str) -> CampaignFileError:
    return CampaignFileError(f"{path} is damaged ({what}); {_COPY}")
