"""What any journal promises, whether it is kept in memory, in a file or in a database."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import count
from pathlib import Path

import pytest

from forcepool.engine.journal import GENESIS, Conflict, Journal, MemoryJournal, Sealed, seal
from forcepool.store.database import new_in_database
from forcepool.store.postgres import PostgresJournal
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.stored import PAGE

NAMES = count(1)


@contextmanager
def in_database(url: str) -> Iterator[Journal]:
    """A journal in a database, as one gets it on opening a campaign that has no entry yet."""
    where = f"{url}#contract {next(NAMES)}"
    with new_in_database(where):
        pass
    with PostgresJournal.open(where) as journal:
        yield journal


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    made: dict[str, Callable[[], AbstractContextManager[Journal]]] = {
        "memory": lambda: nullcontext(MemoryJournal()),
        "sqlite": lambda: SqliteJournal.create(tmp_path / "journal"),
        "postgres": lambda: in_database(request.getfixturevalue("database")),
    }
    with made[request.param]() as journal:
        yield journal


def sealed(count: int, first: int = 1, previous: str = GENESIS) -> list[Sealed]:
    found: list[Sealed] = []
    for seq in range(first, first + count):
        found.append(seal(found[-1].hash if found else previous, seq, f'{{"n":{seq},"was":"½"}}'.encode()))
    return found


def test_an_empty_journal_has_no_entries_and_a_head_of_zeros(journal: Journal) -> None:
    assert journal.head() == (0, GENESIS)
    assert list(journal.read()) == []
    assert journal.snapshot_before(10) is None


def test_what_was_appended_is_read_back_byte_for_byte(journal: Journal) -> None:
    entries = sealed(5)
    journal.append(entries[:1])
    journal.append(entries[1:])
    assert list(journal.read()) == entries
    assert journal.head() == (5, entries[-1].hash)


def test_reading_starts_at_the_first_number_and_stops_before_the_second(journal: Journal) -> None:
    journal.append(sealed(5))
    assert [each.seq for each in journal.read(2, 4)] == [2, 3]
    assert [each.seq for each in journal.read(5)] == [5]
    assert [each.seq for each in journal.read(6)] == []
    assert [each.seq for each in journal.read(3, 3)] == []
    assert [each.seq for each in journal.read(4, 100)] == [4, 5]


@pytest.mark.parametrize("count", [PAGE - 1, PAGE, PAGE + 1, 2 * PAGE])
def test_long_journals_are_read_whole(journal: Journal, count: int) -> None:
    entries = sealed(count)
    journal.append(entries)
    assert list(journal.read()) == entries


def test_the_second_to_write_an_entry_is_told_and_changes_nothing(journal: Journal) -> None:
    mine, yours = sealed(2), [seal(GENESIS, 1, b'{"n":1}')]
    journal.append(mine)
    with pytest.raises(Conflict) as told:
        journal.append(yours)
    assert told.value.seq == 1
    assert list(journal.read()) == mine
    assert journal.head() == (2, mine[-1].hash)


def test_an_entry_that_leaves_a_gap_is_not_taken(journal: Journal) -> None:
    entries = sealed(3)
    journal.append(entries[:1])
    with pytest.raises(Conflict):
        journal.append(entries[2:])
    assert list(journal.read()) == entries[:1]


def test_an_append_while_reading_does_not_disturb_the_reader(journal: Journal) -> None:
    entries = sealed(4)
    journal.append(entries[:3])
    reader = journal.read(1, 4)
    first = next(reader)
    journal.append(entries[3:])
    assert [first, *reader] == entries[:3]


def test_the_newest_snapshot_not_after_an_entry_is_given(journal: Journal) -> None:
    journal.append(sealed(9))
    for seq in (2, 5, 8):
        journal.keep_snapshot(seq, f"state {seq}".encode())
    assert journal.snapshot_before(1) is None
    assert journal.snapshot_before(2) == (2, b"state 2")
    assert journal.snapshot_before(4) == (2, b"state 2")
    assert journal.snapshot_before(5) == (5, b"state 5")
    assert journal.snapshot_before(100) == (8, b"state 8")


def test_a_snapshot_taken_again_replaces_the_first(journal: Journal) -> None:
    journal.append(sealed(2))
    journal.keep_snapshot(2, b"old")
    journal.keep_snapshot(2, b"new")
    assert journal.snapshot_before(2) == (2, b"new")
