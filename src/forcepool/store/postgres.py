"""The journal in a PostgreSQL database: entries are only ever added, and what was acknowledged is on its disk."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

from forcepool.engine.journal import Conflict, Sealed, seal
from forcepool.store.address import named_in_database
from forcepool.store.errors import CampaignFileError, CampaignMoved
from forcepool.store.pg_link import Link
from forcepool.store.pg_schema import migrate
from forcepool.store.stored import INDEXED_TOGETHER, PAGE, StoredJournal, compressed, outdated
from forcepool.store.subjects import subjects

CHANNEL = "forcepool"
"""On which workers tell one another what has changed."""
LONGEST_SUBJECT = 300
"""Letters of a subject in the index; of longer ones a hash stands for the rest."""
_LAST = (1 << 31) - 1
_APPEND = f"""
with moved as (
    update campaign set seq = %s, hash = %s, touched = now()
    where id = %s and seq = %s and hash = %s returning id, name, seq, indexed),
written as (
    insert into entry (campaign, seq, hash, body)
    select moved.id, each.seq, each.hash, each.body
    from moved, unnest(%s::integer[], %s::text[], %s::bytea[]) as each (seq, hash, body) returning 1)
select indexed, (select count(*) from written), pg_notify('{CHANNEL}', 'entry ' || seq || ' ' || name) from moved
"""


class PostgresJournal(StoredJournal):
    """A campaign's journal in the database. Several may share one link; programs have one each."""

    def __init__(self, link: Link, campaign: int, name: str, *, owns_link: bool = False) -> None:
        self.link, self.campaign, self.name, self._owns_link = link, campaign, name, owns_link
        self._known: tuple[int, str] | None = None
        """Where the journal ended when it was last looked at."""
        self._newest: Sealed | None = None

    @classmethod
    def open(cls, where: str) -> Self:
        """An existing campaign: 'postgresql://host/club#east'."""
        url, name = named_in_database(where)
        link = Link(url)
        try:
            migrate(link)
            return cls.on(link, name, owns_link=True)
        except BaseException:
            link.close()
            raise

    @classmethod
    def on(cls, link: Link, name: str, *, owns_link: bool = False) -> Self:
        """The campaign of a name, on a link that is there already."""
        found = link.rows("select id from campaign where name = %s", _clean(name))
        if not found:
            raise CampaignFileError(f"there is no campaign '{name}' in the database {link.where}; check the name")
        return cls(link, found[0][0], name, owns_link=owns_link)

    def close(self) -> None:
        if self._owns_link:
            self.link.close()

    # --------------------------------------------------------------------------------------- the journal

    def append(self, entries: Sequence[Sealed]) -> None:
        """Keep entries that follow the head, all or none; they are on the database's disk when this returns."""
        if not entries:
            return
        seq, previous = self._follows(entries) or self._conflict(entries[0].seq)
        last = entries[-1]
        numbers, hashes, bodies = zip(*((each.seq, each.hash, each.body) for each in entries), strict=True)
        values = (last.seq, last.hash, self.campaign, seq, previous, list(numbers), list(hashes), list(bodies))
        rows = self.link.write(_APPEND, values, self._landed(last))
        if rows is not None and not rows:
            self._known = None
            raise Conflict(entries[0].seq)
        self._newest = last
        self._known = (last.seq, last.hash)
        if rows and last.seq - rows[0][0] >= INDEXED_TOGETHER and not self.link.inside:
            with suppress(CampaignFileError):
                # The entry is safe already, and the index can be made again.
                self._index_from(rows[0][0])

    def _follows(self, entries: Sequence[Sealed]) -> tuple[int, str] | None:
        """The head that entries follow: as it was last seen, or as it is."""
        if self._known is not None and _fits(self._known, entries):
            return self._known
        head = self.head()
        return head if _fits(head, entries) else None

    def _conflict(self, seq: int) -> tuple[int, str]:
        raise Conflict(seq)

    def _landed(self, last: Sealed) -> Callable[[], bool]:
        return lambda: self._hash_of(last.seq) == last.hash

    @contextmanager
    def together(self) -> Iterator[None]:
        self._newest = None
        before = self._known

        def landed() -> bool:
            return self._newest is not None and self._landed(self._newest)()

        try:
            with self.link.transaction(landed):
                yield
        except BaseException:
            self._known = before
            raise

    def _head(self) -> tuple[int, str, int]:
        rows = self.link.rows("select seq, hash, indexed from campaign where id = %s", self.campaign)
        if not rows:
            raise CampaignMoved(f"'{self.name}' is no longer in the database; look at the campaigns again")
        seq, digest, indexed = rows[0]
        self._known = (seq, digest)
        return seq, digest, indexed

    def _entries(self, start: int, stop: int) -> list[tuple[object, ...]]:
        query = "select seq, body, hash from entry where campaign = %s and seq >= %s and seq < %s order by seq limit %s"
        return self.link.rows(query, self.campaign, min(start, _LAST), min(stop, _LAST), PAGE)

    # ----------------------------------------------------------------------------------------- snapshots

    def keep_snapshot(self, seq: int, data: bytes) -> None:
        body = compressed(data)
        if self.link.inside:
            return
        with suppress(CampaignFileError), self.link.transaction():
            digest = self._snapshot_digest(seq, body)
            if digest is None:
                return
            self.link.rows("delete from snapshot where campaign = %s and seq = %s", self.campaign, seq)
            insert = (
                "insert into snapshot (campaign, number, seq, digest, body) select %s, "
                "coalesce((select max(number) from snapshot where campaign = %s), 0) + 1, %s, %s, %s"
            )
            self.link.rows(insert, self.campaign, self.campaign, seq, digest, body)
            rows = self.link.rows("select number from snapshot where campaign = %s order by number", self.campaign)
            drop = "delete from snapshot where campaign = %s and number = any(%s)"
            self.link.rows(drop, self.campaign, outdated([number for (number,) in rows]))

    def drop_snapshot(self, seq: int) -> None:
        self.link.rows("delete from snapshot where campaign = %s and seq = %s", self.campaign, seq)

    def _kept_snapshots(self, last: int) -> list[tuple[object, ...]]:
        query = "select seq from snapshot where campaign = %s and seq <= %s order by seq desc"
        return self.link.rows(query, self.campaign, min(last, _LAST))

    def _kept_snapshot(self, seq: int) -> list[tuple[object, ...]]:
        query = "select digest, body from snapshot where campaign = %s and seq = %s"
        return self.link.rows(query, self.campaign, seq)

    def _hash_of(self, seq: int) -> object:
        rows = self.link.rows("select hash from entry where campaign = %s and seq = %s", self.campaign, seq)
        return rows[0][0] if rows else None

    # --------------------------------------------------------------------------------- seeds of the dice

    def keep_seed(self, seq: int, seed: bytes) -> None:
        query = (
            "insert into seed (campaign, seq, seed) values (%s, %s, %s) "
            "on conflict (campaign, seq) do update set seed = excluded.seed"
        )
        self.link.write(query, (self.campaign, seq, seed), lambda: self.seeds().get(seq) == seed)

    def seeds(self) -> dict[int, bytes]:
        rows = self.link.rows("select seq, seed from seed where campaign = %s order by seq", self.campaign)
        return dict(rows)

    # --------------------------------------------------------------------------------- what is about what

    def _indexed_about(self, subject: str, after: int, last: int) -> list[tuple[object, ...]]:
        query = (
            "select seq from subject where campaign = %s and subject = %s and seq > %s and seq <= %s "
            "order by seq limit %s"
        )
        return self.link.rows(query, self.campaign, indexed_as(subject), after, last, PAGE)

    def index_rows(self) -> Iterator[tuple[object, ...]]:
        query = (
            "select subject, seq from subject where campaign = %s and (subject, seq) > (%s, %s) "
            "order by subject, seq limit %s"
        )
        last: tuple[object, ...] = ("", 0)
        while rows := self.link.rows(query, self.campaign, *last, PAGE):
            yield from rows
            last = rows[-1]

    def rebuild_index(self) -> None:
        with self.link.transaction():
            self.link.rows("delete from subject where campaign = %s", self.campaign)
            self._index_from(0)

    def index_key(self, subject: str) -> str:
        return indexed_as(subject)

    def _index_from(self, before: int) -> None:
        with self.link.transaction():
            head, _ = self.head()
            about: list[str] = []
            numbers: list[int] = []
            for each in self.stored(before + 1, head + 1):
                found = sorted(map(indexed_as, subjects(each.body)))
                about += found
                numbers += [each.seq] * len(found)
            query = (
                "insert into subject (campaign, subject, seq) select %s, each.subject, each.seq "
                "from unnest(%s::text[], %s::integer[]) as each (subject, seq) on conflict do nothing"
            )
            self.link.rows(query, self.campaign, about, numbers)
            # Whoever wrote meanwhile has his entries looked through until the next time.
            self.link.rows("update campaign set indexed = greatest(indexed, %s) where id = %s", head, self.campaign)

    # -------------------------------------------------------------------------------------- its condition

    def file_damage(self) -> list[str]:
        """Nothing: whether its files are sound is the database's own affair, and the chain tells the rest."""
        return []

    def backup_to(self, path: Path, *, in_passing: bool = False) -> None:
        from forcepool.store.moving import copy_journal
        from forcepool.store.sqlite import SqliteJournal

        with SqliteJournal.create(path) as copy:
            copy_journal(self, copy)

    def _spoilt(self, what: str) -> CampaignFileError:
        return CampaignFileError(f"'{self.name}' in the database {self.link.where} is damaged ({what})")


def indexed_as(subject: str) -> str:
    """A subject as the index has it: without what the database cannot keep, and not too long for it."""
    if len(subject) > LONGEST_SUBJECT:
        subject = subject[:LONGEST_SUBJECT] + hashlib.sha256(subject.encode(errors="replace")).hexdigest()
    return _clean(subject)


def _clean(text: str) -> str:
    return text.replace("\0", "\ufffd")


def _fits(head: tuple[int, str], entries: Sequence[Sealed]) -> bool:
    seq, previous = head
    for entry in entries:
        seq += 1
        if entry.seq != seq or seal(previous, seq, entry.body).hash != entry.hash:
            return False
        previous = entry.hash
    return True
