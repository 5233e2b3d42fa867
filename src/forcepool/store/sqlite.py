"""The journal in one SQLite file: entries are only ever added, and what was acknowledged is on the disk."""

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence

from forcepool.engine.journal import GENESIS, Conflict, Damaged, Sealed, seal
from forcepool.store import schema
from forcepool.store.errors import CampaignFileError, damaged
from forcepool.store.file import CampaignFile
from forcepool.store.subjects import subjects

PAGE = 1000
"""Entries fetched at a time: no reader holds the file for long."""

NEWEST_KEPT = 10
OLDER_KEPT = 10
"""The newest ten snapshots are kept, and of the older ones every tenth."""

INDEXED_TOGETHER = 100
"""Entries that go into the index at a time: one by one they would make each append half as slow again."""

_COMPRESSION = 1
_NO_END = 1 << 62


class SqliteJournal(CampaignFile):
    """A campaign's journal in its file."""

    # --------------------------------------------------------------------------------------- the journal

    def head(self) -> tuple[int, str]:
        """Number and hash of the last entry, as noted when it was written."""
        return self._head()[:2]

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

    def read(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        """Entries from start up to, not including, stop; Damaged at one that is not as it was sealed."""
        start = max(start, 1)
        # Taken first: what others write in the meantime is not missed, only not promised.
        last, _ = self.head()
        stop = _NO_END if stop is None else stop
        previous, expected = ("", start - 1) if start > 1 else (GENESIS, 1)
        if start < stop:
            for sealed in self.stored(expected, stop):
                if sealed.seq != expected:
                    raise Damaged(expected, "is missing")
                if expected >= start:
                    if seal(previous, sealed.seq, sealed.body) != sealed:
                        raise Damaged(expected, "was changed: its hash does not fit its text and the entry before it")
                    yield sealed
                previous, expected = sealed.hash, expected + 1
            if expected <= min(last, stop - 1):
                raise Damaged(expected, "is missing")

    def stored(self, start: int = 1, stop: int | None = None) -> Iterator[Sealed]:
        """Entries as they stand in the file, whether or not they fit together."""
        query = "SELECT seq, body, hash FROM entry WHERE seq >= ? AND seq < ? ORDER BY seq LIMIT ?"
        stop = _NO_END if stop is None else stop
        while start < stop:
            rows = self._rows(query, start, stop, PAGE)
            for seq, body, digest in rows:
                # A damaged file can hold anything anywhere; going backwards would never end.
                if not isinstance(seq, int) or seq < start:
                    raise Damaged(start, "is out of order in the file")
                start = seq + 1
                yield Sealed(
                    seq,
                    body if isinstance(body, bytes) else repr(body).encode(),
                    digest if isinstance(digest, str) else repr(digest),
                )
            if len(rows) < PAGE:
                return

    # ----------------------------------------------------------------------------------------- snapshots

    def snapshot_before(self, seq: int) -> tuple[int, bytes] | None:
        """The newest sound snapshot taken at or before an entry; damaged ones are passed over."""
        for at in self._snapshots(seq):
            data = self._snapshot(at)
            if data is not None:
                return at, data
        return None

    def damaged_snapshots(self) -> list[int]:
        """The entries whose snapshots cannot be used."""
        # Twice: what the disk did not give just now is no damage.
        return sorted(at for at in self._snapshots() if self._snapshot(at) is None is self._snapshot(at))

    def keep_snapshot(self, seq: int, data: bytes) -> None:
        """Keep a snapshot if that can be done now: without one the campaign only opens more slowly."""
        body = zlib.compress(data, _COMPRESSION)
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
                drop = [(number,) for number in numbers[:-NEWEST_KEPT] if number % OLDER_KEPT]
                db.executemany("DELETE FROM snapshot WHERE number = ?", drop)
        except CampaignFileError:
            # The entry itself is safe already: an error here would tell the player that it is not.
            return

    def drop_snapshot(self, seq: int) -> None:
        """Throw a snapshot away; the journal holds all that is in it."""
        with self._writing() as db:
            db.execute("DELETE FROM snapshot WHERE seq = ?", (seq,))

    def _snapshots(self, last: int = _NO_END) -> list[int]:
        try:
            rows = self._rows("SELECT seq FROM snapshot WHERE seq <= ? ORDER BY seq DESC", last)
        except CampaignFileError:
            return []
        return [at for (at,) in rows if isinstance(at, int) and at <= last]

    def _snapshot(self, seq: int) -> bytes | None:
        try:
            [(digest, body)] = self._rows("SELECT digest, body FROM snapshot WHERE seq = ?", seq)
            if isinstance(body, bytes) and digest == self._snapshot_digest(seq, body):
                return zlib.decompress(body)
        except (CampaignFileError, ValueError, zlib.error):
            pass
        return None

    def _snapshot_digest(self, seq: int, body: bytes) -> str | None:
        """Ties a snapshot to its entry, so that it serves no other journal and no other moment."""
        rows = self._rows("SELECT hash FROM entry WHERE seq = ?", seq)
        return hashlib.sha256(f"{seq} {rows[0][0]} ".encode() + body).hexdigest() if rows else None

    # --------------------------------------------------------------------------------- seeds of the dice

    def keep_seed(self, seq: int, seed: bytes) -> None:
        """Keep the secret seed that an entry has promised."""
        with self._writing() as db:
            db.execute("INSERT OR REPLACE INTO secret VALUES (?, ?)", (seq, seed))

    def seeds(self) -> dict[int, bytes]:
        """The secret seeds by the entries that promised them."""
        rows = self._rows("SELECT seq, seed FROM secret ORDER BY seq")
        return {seq: seed for seq, seed in rows if isinstance(seq, int) and isinstance(seed, bytes)}

    # --------------------------------------------------------------------------------- what is about what

    def entries_about(self, subject: str) -> Iterator[int]:
        """The numbers of the entries about a unit, a pool or a clause, in order."""
        query = "SELECT seq FROM subject WHERE subject = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
        head, _, indexed = self._head()
        last = 0
        while rows := self._rows(query, subject, last, indexed, PAGE):
            for (seq,) in rows:
                if not isinstance(seq, int) or seq <= last:
                    raise damaged(self.path, "its index is out of order")
                last = seq
                yield seq
        for sealed in self.stored(indexed + 1, head + 1):
            if subject in subjects(sealed.body):
                yield sealed.seq

    def indexed(self) -> int:
        """The last entry that is in the index; later ones are looked through when asked."""
        return self._head()[2]

    def index_rows(self) -> Iterator[tuple[object, ...]]:
        """The whole index as it stands in the file: subjects and entries."""
        query = "SELECT subject, seq FROM subject WHERE (subject, seq) > (?, ?) ORDER BY subject, seq LIMIT ?"
        last: tuple[object, ...] = ("", 0)
        while rows := self._rows(query, *last, PAGE):
            if not all(isinstance(subject, str) and isinstance(seq, int) for subject, seq in rows) or rows[-1] <= last:
                raise damaged(self.path, "its index is out of order")
            yield from rows
            last = rows[-1]

    def rebuild_index(self) -> None:
        """Make the index again from the entries."""
        with self._writing() as db:
            db.execute("DROP TABLE IF EXISTS subject")
            db.execute(schema.SUBJECTS)
            _index(db, self.stored())
            db.execute("UPDATE head SET indexed = seq")


def _index(db: sqlite3.Connection, entries: Iterable[Sealed]) -> None:
    found: dict[str, list[int]] = {}
    for each in entries:
        for subject in subjects(each.body):
            found.setdefault(subject, []).append(each.seq)
    # A subject's numbers go in together: for a long import that is three times as fast as row by row.
    rows = ((subject, json.dumps(found[subject])) for subject in sorted(found))
    db.executemany("INSERT OR IGNORE INTO subject SELECT ?, value FROM json_each(?)", rows)
