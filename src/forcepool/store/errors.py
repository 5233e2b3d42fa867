"""What can be wrong with a campaign's file, in one sentence with the remedy."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOM = 1 << 20
"""Bytes without which a failed write is put down to a full disk."""
_COPY = "go back to a copy of the file, or import its last export into a new one"


class CampaignFileError(Exception):
    """The file cannot be used; the message says why and what to do."""


class CampaignMoved(CampaignFileError):
    """The file under the campaign's name is no longer the one that was opened; nothing was recorded."""


class CampaignOverwritten(CampaignMoved):
    """Another campaign, or an older copy of this one, was written into the very file that was opened."""


class CampaignBusy(CampaignFileError):
    """Another program has held the file for too long; nothing was recorded."""


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Whatever SQLite complains of inside is told in a player's words."""
    try:
        yield
    except sqlite3.Error as error:
        raise explain(path, error) from error
    except UnicodeDecodeError as error:
        # SQLite repeats in its message what it found in the file, and that may be no text at all.
        raise damaged(path, "it holds letters that are none") from error


def explain(path: Path, error: sqlite3.Error) -> CampaignFileError:
    """The sentence for one of SQLite's errors."""
    # Detailed codes carry the plain one in their last byte.
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return CampaignBusy(
                f"{path} is being written by another program and nothing of yours was recorded; try again in a moment"
            )
        case sqlite3.SQLITE_NOTADB:
            return not_ours(path)
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return CampaignFileError(
                f"{path} cannot be opened for writing; make sure that neither it nor its folder is write-protected"
            )
        case sqlite3.SQLITE_FULL:
            return full(path)
        case sqlite3.SQLITE_IOERR:
            if _is_full(path):
                return full(path)
            return CampaignFileError(
                f"the disk did not take what was to be written to {path}, and nothing of it was recorded; try again, "
                "and if it happens again copy the file to another disk"
            )
        case _:
            return damaged(path, str(error))


def full(path: Path) -> CampaignFileError:
    return CampaignFileError(
        f"the disk is full and nothing was recorded in {path}; the campaign is as it was: free some space and repeat"
    )


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < ROOM
    except OSError:
        return False


def not_ours(path: Path) -> CampaignFileError:
    return CampaignFileError(f"{path} is not a forcepool campaign; choose a file made with 'forcepool new'")


def damaged(path: Path, what: str) -> CampaignFileError:
    return CampaignFileError(f"{path} is damaged ({what}); {_COPY}")
