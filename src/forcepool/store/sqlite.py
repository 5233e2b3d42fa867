"""The journal in one SQLite file: entries are only ever added, and what was acknowledged is on the disk."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

from forcepool.engine.journal import Conflict, Sealed, seal
from forcepool.store import schema
from forcepool.store.errors import CampaignFileError, damaged
from forcepool.store.file import CampaignFile
from forcepool.store.stored import INDEXED_TOGETHER, PAGE, StoredJournal, compressed, outdated
from forcepool.store.subjects import subjects


class SqliteJournal(CampaignFile, StoredJournal):
    """A campaign's journal in its file."""

    # --------------------------------------------------------------------------------------- the journal

    def append(self, entries: Sequence[Sealed]) -> None:
        """Keep entries that follow the head, all or none; they are on the disk when this returns."""
        if not entries:
            return
        with self._writing() as db:
            seq, previous, indexed = self._head()
            for entry in entries:
                seq += 1
                if entry.seq != seq or seal(previous, seq, entry.body).hash != entry.hash:
                    raise Conflict(entry.seq)
                previous = entry.hash
            db.executemany("INSERT INTO entry VALUES (?, ?, ?)", ((each.seq, each.hash, each.body) for each in entries))
            if seq - indexed >= INDEXED_TOGETHER:
                _index(db, entries if indexed == entries[0].seq - 1 else self.stored(indexed + 1))
                indexed = seq
            db.execute("UPDATE head SET seq = ?, hash = ?, indexed = ?", (seq, previous, indexed))

    def _entries(self, start: int, stop: int) -> list[tuple[object, ...]]:
        query = "SELECT seq, body, hash FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT ?"
        return self._rows(query, start, stop, PAGE)

    # ----------------------------------------------------------------------------------------- snapshots

    def keep_snapshot(self, seq: int, data: bytes) -> None:
        body = compressed(data)
        if self._inside():
            return
        try:
            with self._writing() as db:
                digest = self._snapshot_digest(seq, body)
                if digest is None:
                    return
                db.execute("DELETE FROM snapshot WHERE seq = ?", (seq,))
                db.execute("INSERT INTO snapshot (seq, digest, body) VALUES (?, ?, ?)", (seq, digest, body))
                numbers = [number for (number,) in db.execute("SELECT number FROM snapshot ORDER BY number")]
                db.executemany("DELETE FROM snapshot WHERE number = ?", ((number,) for number in outdated(numbers)))
        except CampaignFileError:
            # The entry itself is safe already: an error here would tell the player that it is not.
            return

    def drop_snapshot(self, seq: int) -> None:
        with self._writing() as db:
            db.execute("DELETE FROM snapshot WHERE seq = ?", (seq,))

    def _kept_snapshots(self, last: int) -> list[tuple[object, ...]]:
        return self._rows("SELECT seq FROM snapshot WHERE seq <= ? ORDER BY seq DESC", last)

    def _kept_snapshot(self, seq: int) -> list[tuple[object, ...]]:
        return self._rows("SELECT digest, body FROM snapshot WHERE seq = ?", seq)

    def _hash_of(self, seq: int) -> object:
        rows = self._rows("SELECT hash FROM entry WHERE seq = ?", seq)
        return rows[0][0] if rows else None

    # --------------------------------------------------------------------------------- seeds of the dice

    def keep_seed(self, seq: int, seed: bytes) -> None:
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO secret VALUES (?, ?)", (seq, seed))

    def seeds(self) -> dict[int, bytes]:
        rows = self._rows("SELECT seq, seed FROM secret ORDER BY seq")
        return {seq: seed for seq, seed in rows if isinstance(seq, int) and isinstance(seed, bytes)}

    # --------------------------------------------------------------------------------- what is about what

    def _indexed_about(self, subject: str, after: int, last: int) -> list[tuple[object, ...]]:
        query = "SELECT seq FROM subject WHERE subject = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
        return self._rows(query, subject, after, last, PAGE)

    def index_rows(self) -> Iterator[tuple[object, ...]]:
        query = "SELECT subject, seq FROM subject WHERE (subject, seq) > (?, ?) ORDER BY subject, seq LIMIT ?"
        last: tuple[object, ...] = ("", 0)
        while rows := self._rows(query, *last, PAGE):
            if not all(isinstance(subject, str) and isinstance(seq, int) for subject, seq in rows) or rows[-1] <= last:
                raise self._spoilt("its index is out of order")
            yield from rows
            last = rows[-1]

    def rebuild_index(self) -> None:
        with self._writing() as db:
            db.execute("DROP TABLE IF EXISTS subject")
            db.execute(schema.SUBJECTS)
            _index(db, self.stored())
            db.execute("UPDATE head SET indexed = seq")

    def _spoilt(self, what: str) -> CampaignFileError:
        return damaged(self.path, what)


def _index(db: sqlite3.Connection, entries: Iterable[Sealed]) -> None:
    found: dict[str, list[int]] = {}
    for each in entries:
        for subject in subjects(each.body):
            found.setdefault(subject, []).append(each.seq)
    # A subject's numbers go in together: for a long import that is three times as fast as row by row.
    rows = ((subject, json.dumps(found[subject])) for subject in sorted(found))
    db.executemany("INSERT OR IGNORE INTO subject SELECT ?, value FROM json_each(?)", rows)
