"""The tables of a campaign's file, and how files of older formats are brought up to date."""

import sqlite3
from pathlib import Path

from forcepool.store.errors import CampaignFileError, damaged, not_ours

APPLICATION_ID = int.from_bytes(b"FPOL", "big")
"""Marks an SQLite file as a forcepool campaign."""

WAIT_SECONDS: float = 10
"""How long a writer waits for another before it gives up."""

_FIRST = """
CREATE TABLE entry (seq INTEGER PRIMARY KEY, hash TEXT NOT NULL, body BLOB NOT NULL);
CREATE TRIGGER entry_is_not_replaced BEFORE INSERT ON entry
WHEN EXISTS (SELECT 1 FROM entry WHERE seq = NEW.seq)
BEGIN SELECT RAISE(ABORT, 'an entry of the journal is never replaced'); END;
CREATE TRIGGER entry_is_not_changed BEFORE UPDATE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry of the journal is never changed'); END;
CREATE TRIGGER entry_is_not_removed BEFORE DELETE ON entry
BEGIN SELECT RAISE(ABORT, 'an entry of the journal is never removed'); END;
CREATE TABLE head (
    one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL, indexed INTEGER NOT NULL
);
INSERT INTO head VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000', 0);
CREATE TABLE snapshot (
    number INTEGER PRIMARY KEY, seq INTEGER NOT NULL UNIQUE, digest TEXT NOT NULL, body BLOB NOT NULL
);
CREATE TABLE secret (seq INTEGER PRIMARY KEY, seed BLOB NOT NULL);
"""

MIGRATIONS = (_FIRST,)
"""What brings a file from one format to the next; a format once published is never edited."""

FORMAT = len(MIGRATIONS)

SUBJECTS = """
CREATE TABLE IF NOT EXISTS subject (subject TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (subject, seq))
WITHOUT ROWID
"""
"""Which entries are about what: worked out from the entries, so it may be lost and made again."""


def connect(path: Path, wait: float) -> sqlite3.Connection:
    """A connection that begins and ends transactions only where the code says so."""
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=rw",
        uri=True,
        timeout=wait,
        isolation_level=None,
        check_same_thread=False,
    )


def connect_for_reading(path: Path) -> sqlite3.Connection:
    """A connection to a file that nobody writes, such as one on a write-protected disk."""
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None, check_same_thread=False
    )


def merge_log(path: Path) -> None:
    """Take the log into a file that nobody else has open."""
    db = connect(path, 0)
    try:
        db.execute("PRAGMA journal_mode = DELETE")
    finally:
        db.close()


def check_format(db: sqlite3.Connection, path: Path) -> int:
    """The format of the file, which must be ours and not newer than this program."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise not_ours(path)
    found: int = db.execute("PRAGMA user_version").fetchone()[0]
    if found > FORMAT:
        raise CampaignFileError(
            f"{path} was written by a newer forcepool (format {found}, this one knows up to {FORMAT}); "
            "install the newest forcepool"
        )
    if found < 0:
        raise damaged(path, f"format {found}")
    return found


def prepare(db: sqlite3.Connection) -> None:
    """What every connection needs: an answer is given only once the entry is safely on the disk."""
    db.execute("PRAGMA synchronous = FULL")
    db.execute("PRAGMA trusted_schema = OFF")
    db.execute("PRAGMA cell_size_check = ON")
    if db.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        db.execute("PRAGMA journal_mode = WAL")


def migrate(db: sqlite3.Connection) -> None:
    """Bring the file to today's format, step by step, all or nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        found: int = db.execute("PRAGMA user_version").fetchone()[0]
        for step in MIGRATIONS[found:]:
            for statement in _statements(step):
                db.execute(statement)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute(f"PRAGMA user_version = {FORMAT}")
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def restore_index(db: sqlite3.Connection) -> None:
    """An index that is gone is begun again; the next entries fill it."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'subject'").fetchone():
        db.execute("BEGIN IMMEDIATE")
        db.execute(SUBJECTS)
        db.execute("UPDATE head SET indexed = 0")
        db.execute("COMMIT")


def _statements(script: str) -> list[str]:
    """The statements of a script one by one: executescript would end the transaction first."""
    found, text = [], ""
    for line in script.splitlines():
        text += line + "\n"
        if sqlite3.complete_statement(text):
            found.append(text)
            text = ""
    return found
