"""Is the file under a campaign's name still the one that was opened? Nothing is acknowledged into another."""

import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from forcepool.store.condition import ALONE, is_whole, looked_at
from forcepool.store.errors import CampaignMoved, CampaignOverwritten, failed

TRIES, PAUSE = 5, 0.05
"""Another program may be merging its log into the file at the very moment: then the file is looked at again."""


class Ends(NamedTuple):
    """Where a journal begins and ends."""

    first: str
    """The seal of the first entry; empty when there is none yet."""
    seq: int
    """The number of the last."""


class Place:
    """What is known of a file since it was opened: which file it is, and how far its own entries went."""

    def __init__(self, path: Path, first: str, with_log: Callable[[], Ends]) -> None:
        self.path, self._with_log = path, with_log
        found = os.stat(path)
        self._file = (found.st_dev, found.st_ino)
        self._mark = (0, 0)
        self._known = Ends(first, 0)

    def check(self) -> None:
        """CampaignMoved when the file was removed, moved away or replaced, CampaignOverwritten when written over."""
        try:
            now = os.stat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            raise CampaignMoved(f"{self.path} is no longer there: it was moved or removed; {_AGAIN}") from None
        except OSError:
            raise failed(self.path) from None
        if (now.st_dev, now.st_ino) != self._file:
            raise CampaignMoved(f"{self.path} was replaced by another file; {_AGAIN}")
        mark = (now.st_size, now.st_mtime_ns)
        if mark != self._mark:
            self._look_inside()
            self._mark = mark

    def _look_inside(self) -> None:
        """The file was written: by merging a log, or by someone who put another campaign or an older copy over it."""
        for attempt in range(TRIES):
            alone = ends_without_log(self.path)
            if alone and self._follows(alone):
                self._known = Ends(alone.first or self._known.first, alone.seq)
                return
            if attempt + 1 < TRIES:
                time.sleep(PAUSE)
        # A merge that was cut off leaves a file which only its log makes whole: then it is still ours. Whoever
        # takes such a file for another's and throws the log away has lost what was acknowledged.
        if (alone and is_whole(self.path)) or not self._follows(self._with_log()):
            raise CampaignOverwritten(f"{self.path} was written over with another campaign or an older copy; {_AGAIN}")

    def _follows(self, found: Ends) -> bool:
        """Whether this is the campaign that was opened, no older than it was; what is in the log may be missing."""
        if not self._known.first and found.first:
            self._known = Ends(self._with_log().first, self._known.seq)
        return found.seq >= self._known.seq and found.first in ("", self._known.first)


_AGAIN = "nothing of yours was recorded. Look at the campaign again"


def ends_without_log(path: Path) -> Ends | None:
    """Where the journal ends in the file alone; None when that cannot be read."""
    try:
        db = looked_at(path, ALONE)
    except sqlite3.Error:
        return None
    try:
        if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
            return Ends("", 0)
        last = db.execute("SELECT seq FROM head").fetchone()
        first = db.execute("SELECT hash FROM entry WHERE seq = 1").fetchone() or ("",)
    except (sqlite3.Error, UnicodeDecodeError):
        return None
    finally:
        db.close()
    return Ends(first[0], last[0]) if last and isinstance(first[0], str) and isinstance(last[0], int) else None
