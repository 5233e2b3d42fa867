"""Is the file under a campaign's name still the one that was opened? Nothing is acknowledged into another."""

import os
import sqlite3
import time
from pathlib import Path

from forcepool.store.errors import CampaignMoved

TRIES, PAUSE = 5, 0.05
"""Another program may be merging its log into the file at the very moment: then the file is looked at again."""
UNREADABLE = ("", -1)


class Place:
    """What is known of a file since it was opened: which file it is, and how far its own entries went."""

    def __init__(self, path: Path) -> None:
        self.path = path
        found = os.stat(path)
        self._file = (found.st_dev, found.st_ino)
        self._mark = (0, 0)
        self.first = ""
        """The seal of its first entry, once it has one."""
        self._seq = 0

    def check(self) -> None:
        """CampaignMoved when the file was removed, moved away, replaced or written over."""
        try:
            now = os.stat(self.path)
        except OSError:
            raise CampaignMoved(f"{self.path} is no longer there: it was moved or removed; {_AGAIN}") from None
        if (now.st_dev, now.st_ino) != self._file:
            raise CampaignMoved(f"{self.path} was replaced by another file; {_AGAIN}")
        mark = (now.st_size, now.st_mtime_ns)
        if mark != self._mark:
            self._look_inside()
            self._mark = mark

    def _look_inside(self) -> None:
        """The file was written: by merging a log, or by someone who put another campaign or an older copy over it."""
        for attempt in range(TRIES):
            first, seq = _ends(self.path)
            # As long as all is in the log, there is nothing in the file yet.
            if seq >= self._seq and first == (self.first if seq else ""):
                self._seq = seq
                return
            if attempt + 1 < TRIES:
                time.sleep(PAUSE)
        raise CampaignMoved(f"{self.path} was written over with another campaign or an older copy; {_AGAIN}")


_AGAIN = "nothing of yours was recorded. Look at the campaign again"


def _ends(path: Path) -> tuple[str, int]:
    """The seal of the first entry and the number of the last, in the file alone without its log."""
    try:
        db = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    except sqlite3.Error:
        return UNREADABLE
    try:
        if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
            return "", 0
        last = db.execute("SELECT seq FROM head").fetchone()
        first = db.execute("SELECT hash FROM entry WHERE seq = 1").fetchone() or ("",)
    except (sqlite3.Error, UnicodeDecodeError):
        return UNREADABLE
    finally:
        db.close()
    return (first[0], last[0]) if last and isinstance(first[0], str) and isinstance(last[0], int) else UNREADABLE
