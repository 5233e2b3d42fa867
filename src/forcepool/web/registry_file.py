"""Where the register of seats is kept, and the usual place for it: a file, and what goes wrong with it in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Protocol

from forcepool.store.condition import disk_fails_to_read, disk_is_gone, plain_code
from forcepool.store.errors import CampaignFileError, failed, full, may_be_written

PATIENCE = 0.25
"""Seconds that a writer waits for another program: meanwhile all others wait too."""

_TABLES = """
create table if not exists secret (value text not null);
create table if not exists invitation (
    id integer primary key, campaign text not null, role text not null, side text not null, front text not null,
    name text not null, digest text not null unique, made text not null, used text not null default '',
    ended text not null default '');
create table if not exists sitting (
    session text not null, campaign text not null, invitation integer not null references invitation (id),
    primary key (session, campaign));
create table if not exists chosen (
    session text not null, campaign text not null, side text not null, primary key (session, campaign));
create table if not exists key (digest text primary key, invitation integer not null references invitation (id));
create table if not exists looked (
    who text not null, campaign text not null, entry integer not null, primary key (who, campaign));
create table if not exists tick (
    who text not null, campaign text not null, moment text not null, item text not null,
    primary key (who, campaign, moment, item));
create table if not exists news (
    who text not null, campaign text not null, moment text not null, known text not null, shown text not null,
    primary key (who, campaign));
create table if not exists plan (
    id integer primary key, who text not null, campaign text not null, entry integer not null, body blob not null,
    followed integer not null default 0);
create table if not exists standing (
    campaign text primary key, state text not null, note text not null, since text not null);
create table if not exists part (campaign text not null, secret blob not null);
create table if not exists hook (
    id integer primary key, invitation integer not null, campaign text not null, url text not null,
    secret text not null);
create table if not exists address (
    invitation integer primary key, mail text not null, wish text not null, problem text not null default '',
    told text not null default '', entry integer not null default 0, queued text not null default '',
    due bigint not null default 0, tries integer not null default 0, sent bigint not null default 0);
create table if not exists letter (
    digest text primary key, kind text not null, mail text not null, invitation integer not null,
    made bigint not null, dead integer not null default 0);
"""


class BadRegistry(CampaignFileError):
    """The register of seats cannot be used; the sentence says what to do."""


class RegistryBusy(CampaignFileError):
    """The register cannot be read or written just now."""


class RegistryPlace(Protocol):
    """Where a register is kept: it is asked in SQL that every place understands, with '?' for each value.

    What replaces is written `on conflict (…) do update`, and numbers stand for yes and no.
    """

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """What a query finds."""
        ...

    def run(self, query: str, *values: object) -> int:
        """Change something; how many rows it was."""
        ...

    def together(self) -> AbstractContextManager[None]:
        """All that is changed inside is kept together or not at all."""
        ...

    def note(self, query: str, *values: object) -> None:
        """Insert one row that may be lost when the power fails: nobody waits for the disk."""
        ...

    def spoilt(self, how: str) -> BadRegistry:
        """What to say of a register that does not hold what it should."""
        ...

    def close(self) -> None: ...


class RegistryFile:
    """The register as a file."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        with self._explained():
            self._db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                self._db.executescript(_TABLES)
                self._db.execute("pragma journal_mode = wal")
                self._db.execute("pragma synchronous = full")
            except BaseException:
                self._db.close()
                raise

    def close(self) -> None:
        self._db.close()

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._explained(), closing(self._db.execute(query, values)) as cursor:
            return cursor.fetchall()

    def run(self, query: str, *values: object) -> int:
        with self._explained(), closing(self._db.execute(query, values)) as cursor:
            return cursor.rowcount

    @contextmanager
    def together(self) -> Iterator[None]:
        """All that is changed inside is kept together or not at all."""
        self.run("begin immediate")
        try:
            yield
            self.run("commit")
        except BaseException:
            if self._db.in_transaction:
                self.run("rollback")
            raise
        finally:
            # Nothing was changed by someone who left early.
            if self._db.in_transaction:
                self.run("rollback")

    def note(self, query: str, *values: object) -> None:
        self.run("pragma synchronous = normal")
        try:
            self.run(query, *values)
        finally:
            self.run("pragma synchronous = full")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Whatever SQLite complains of inside is told in words."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            raise self._wrong(error) from None

    def _wrong(self, error: Exception) -> CampaignFileError:
        """The error to tell. Where the register lies is the host's affair, who is told when it is opened."""
        code = plain_code(error)
        if self._is_the_disks(code):
            why = full(self.path) if code == sqlite3.SQLITE_FULL else failed(self.path)
            return RegistryBusy(str(why).replace(str(self.path), self.path.name))
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR, 0):
            return self.spoilt(str(error))
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN):
            return BadRegistry(f"{self.path.name} cannot be written ({error}); make it and its folder writable")
        return RegistryBusy(f"the register of seats cannot be used just now ({error}); try again in a moment")

    def spoilt(self, how: str) -> BadRegistry:
        return BadRegistry(f"{self.path.name} cannot be used ({how}); move it away and invite everyone anew")

    def _is_the_disks(self, code: int) -> bool:
        match code:
            case sqlite3.SQLITE_FULL | sqlite3.SQLITE_IOERR:
                return True
            case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_NOTADB:
                return disk_fails_to_read(self.path)
            case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN:
                return may_be_written(self.path)
            case _:
                return disk_is_gone(self.path)
