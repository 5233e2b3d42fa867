"""Hears from the database what other workers write, on a thread and a connection of its own."""

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from forcepool.store.errors import CampaignFileError
from forcepool.store.pg_link import connect

BACK = "back"
"""What is heard when the connection is there again: anything may have happened meanwhile."""
BEAT = 5.0
"""Seconds of silence after which the connection is tried."""
LISTENS, AGAIN = 0.5, 0.5


class Ear:
    """Listens on a channel until it is closed, and comes back by itself when the connection breaks."""

    def __init__(self, url: str, channel: str, heard: Callable[[str], None]) -> None:
        self._url, self._channel, self._heard = url, channel, heard
        self.hears = False
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="listening to the database")
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        self._thread.join(2 * LISTENS + 1)

    def _run(self) -> None:
        import psycopg

        while not self._closed.is_set():
            with suppress(CampaignFileError, psycopg.Error):
                self._listen()
            self.hears = False
            self._closed.wait(AGAIN)

    def _listen(self) -> None:
        with connect(self._url, BEAT) as db:
            db.execute(f"listen {self._channel}".encode())
            self.hears = True
            self._heard(BACK)
            quiet_since = time.monotonic()
            while not self._closed.is_set():
                for note in db.notifies(timeout=LISTENS, stop_after=1):
                    self._heard(note.payload)
                    quiet_since = time.monotonic()
                if time.monotonic() > quiet_since + BEAT:
                    # A network that swallows everything is as silent as players who think.
                    db.execute("select 1")
                    quiet_since = time.monotonic()
