"""A connection to the database that comes back by itself, and finds out what became of what it was writing."""

import selectors
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from forcepool.store.address import shown
from forcepool.store.errors import CampaignFileError
from forcepool.store.pg_errors import DatabaseLost, NoDriver, is_lost, lost, told, unreachable, unsure

if TYPE_CHECKING:
    import psycopg

SCHEMA = "forcepool"
CONNECTING = 3
"""Seconds for which a connection is waited for."""
ANSWERING = 10.0
"""Seconds in which a server's database must answer: meanwhile its other players wait too."""
WORKING = 600.0
"""The same for a program of its own, such as one that takes in a long journal."""
REVIVING = 3.0
"""Seconds for which whoever was recording something waits to find out what became of it."""
PROBING, PAUSE = 0.3, 0.1
SESSION = (
    f"set search_path = {SCHEMA}; set synchronous_commit = on; set lock_timeout = '10s'; "
    "set idle_in_transaction_session_timeout = '60s'; set client_min_messages = warning"
)
_OF_OURS = "select pid, backend_start from pg_stat_activity where pid = pg_backend_pid()"
_END_IT = "select pg_terminate_backend(pid, 5000) from pg_stat_activity where pid = %s and backend_start = %s"
WAITS: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)
Row = tuple[Any, ...]


def connect(url: str, patience: float) -> "psycopg.Connection[Row]":
    """A new connection, or in a sentence why there is none."""
    try:
        import psycopg
    except ImportError:
        raise NoDriver from None
    try:
        db = _patient(patience).connect(
            url,
            autocommit=True,
            connect_timeout=CONNECTING,
            application_name="forcepool",
            keepalives_idle=10,
            keepalives_interval=5,
            keepalives_count=3,
            tcp_user_timeout=10_000,
        )
    except psycopg.Error as error:
        raise unreachable(shown(url), error) from None
    except (UnicodeError, ValueError):
        raise CampaignFileError(f"{shown(url)} is no address of a database") from None
    try:
        db.execute(SESSION)
    except psycopg.Error as error:
        db.close()
        raise unreachable(shown(url), error) from None
    return db


def _patient(seconds: float) -> "type[psycopg.Connection[Row]]":
    """Connections that give up when no answer comes: a network that swallows everything says nothing at all."""
    import psycopg
    from psycopg.waiting import Ready

    class Patient(psycopg.Connection[Row]):
        def wait(self, gen: Any, interval: float = 0.0, timeout: float | None = None) -> Any:
            """Go on with a request whenever the socket is ready for it, but not for ever."""
            if timeout is not None:
                # Whoever listens for news has a patience of his own.
                return super().wait(gen, timeout=timeout)
            try:
                wants = next(gen)
                while True:
                    with WAITS() as waiting:
                        # Reading and writing are numbered alike on both sides.
                        waiting.register(self.pgconn.socket, int(wants))
                        found = waiting.select(seconds)
                    if not found:
                        self.pgconn.finish()
                        raise psycopg.OperationalError("no answer came in time")
                    wants = gen.send(Ready(found[0][1]))
            except StopIteration as end:
                return end.value

    return Patient


class Link:
    """One connection that threads may share; each statement stands for itself unless it is in a transaction."""

    def __init__(self, url: str, *, serves: bool = False, patience: float = 0.0) -> None:
        """A link that serves others does not make them wait for a database that is gone: it looks for it meanwhile."""
        self.url, self.where, self.serves = url, shown(url), serves
        self.patience = patience or (ANSWERING if serves else WORKING)
        self._lock = threading.RLock()
        self._db: psycopg.Connection[Row] | None = None
        self._ours: Row = (0, None)
        self._inside = False
        self._gone: CampaignFileError | None = None
        """Why there is no connection, while it is being looked for."""
        self._closed = threading.Event()
        with self._lock:
            self._connect()

    # ------------------------------------------------------------------------------------------ statements

    def rows(self, query: str, *values: object) -> list[Row]:
        """What a query finds; asked again once if the connection is found to be gone."""
        with self._lock:
            try:
                return self._execute(query, values)
            except DatabaseLost:
                if self._inside or self._gone is not None:
                    raise
                self._revive()
                return self._execute(query, values)

    def write(
        self, query: str, values: Sequence[object] = (), landed: Callable[[], bool] | None = None
    ) -> list[Row] | None:
        """Record something by one statement. `landed` looks whether it is recorded, for when the connection breaks.

        None where the statement's own answer was lost, and it is recorded all the same.
        """
        with self._lock:
            if self._inside or landed is None:
                return self._execute(query, values)
            self._live()
            try:
                return self._execute(query, values)
            except DatabaseLost:
                if self._is_there(landed):
                    return None
            # It is certain now that nothing of it was recorded.
            try:
                return self._execute(query, values)
            except DatabaseLost:
                if self._is_there(landed):
                    return None
                raise

    @contextmanager
    def transaction(self, landed: Callable[[], bool] | None = None) -> Iterator[None]:
        """All that is written inside is recorded together or not at all; one inside another goes with it."""
        with self._lock:
            if self._inside:
                yield
                return
            self.rows("begin")
            self._inside = True
            try:
                yield
            except BaseException:
                self._inside = False
                if self._db is not None:
                    with suppress(CampaignFileError):
                        self._execute("rollback", ())
                raise
            self._inside = False
            try:
                self._execute("commit", ())
            except DatabaseLost:
                if landed is None:
                    raise unsure(self.where) from None
                if not self._is_there(landed):
                    raise

    @property
    def inside(self) -> bool:
        return self._inside

    def close(self) -> None:
        self._closed.set()
        with self._lock:
            self._drop()

    # ------------------------------------------------------------------------------------------ the connection

    def _execute(self, query: str, values: Sequence[object]) -> list[Row]:
        import psycopg

        db = self._live()
        try:
            cursor = db.execute(query.encode(), values or None)
            return cursor.fetchall() if cursor.description else [(cursor.rowcount,)] if cursor.rowcount >= 0 else []
        except psycopg.Error as error:
            if is_lost(error) or db.closed:
                self._drop()
                raise lost(self.where) from None
            raise told(self.where, error) from error

    def _live(self) -> "psycopg.Connection[Row]":
        if self._gone is not None:
            raise self._gone
        if self._db is None:
            if self._inside:
                raise lost(self.where)
            self._connect()
        assert self._db is not None
        return self._db

    def _connect(self) -> None:
        try:
            self._take(connect(self.url, self.patience))
        except CampaignFileError as error:
            self._look_for_it(error)
            raise

    def _take(self, db: "psycopg.Connection[Row]") -> None:
        import psycopg

        try:
            found = db.execute(_OF_OURS).fetchone()
        except psycopg.Error as error:
            db.close()
            raise unreachable(self.where, error) from None
        self._db, self._ours, self._gone = db, found or (0, None), None

    def _drop(self) -> None:
        if self._db is not None:
            self._db.close()
            self._db = None

    def _revive(self) -> None:
        """Connect anew, waiting a moment for a database that is just starting again."""
        until = time.monotonic() + (REVIVING if self.serves else 5 * REVIVING)
        self._drop()
        while True:
            try:
                self._take(connect(self.url, self.patience))
                return
            except DatabaseLost as error:
                if time.monotonic() > until:
                    self._look_for_it(error)
                    raise
                time.sleep(PAUSE)

    def _is_there(self, landed: Callable[[], bool]) -> bool:
        """Whether what was being recorded when the connection broke is recorded; unsure where nobody can tell.

        What the old connection was doing is brought to its end first: else it might still be recorded afterwards.
        """
        before = self._ours
        try:
            self._revive()
            if not all(ended for (ended,) in self._execute(_END_IT, before)):
                raise unsure(self.where)
            return landed()
        except DatabaseLost:
            raise unsure(self.where) from None

    def _look_for_it(self, why: CampaignFileError) -> None:
        """Beside everything else: whoever asks meanwhile is told at once."""
        if self.serves and self._gone is None and not self._closed.is_set():
            self._gone = why
            threading.Thread(target=self._looking, daemon=True, name="looking for the database").start()

    def _looking(self) -> None:
        while not self._closed.wait(PROBING):
            with suppress(CampaignFileError):
                db = connect(self.url, self.patience)
                with self._lock:
                    if self._closed.is_set():
                        db.close()
                        return
                    self._take(db)
                return
