"""A campaign's file: what it refuses, what it keeps, and what it says when it is not what it should be."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import GENESIS, Conflict, Damaged, seal
from forcepool.store import schema
from forcepool.store.errors import CampaignBusy, CampaignFileError
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.stored import INDEXED_TOGETHER
from forcepool.store.subjects import subjects
from forcepool.store.verify import verify
from tests.store.test_journal_contract import sealed
from tests.support import ring


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteJournal]:
    made = SqliteJournal.create(tmp_path / "journal")
    yield made
    made.close()


def spoil(path: Path, *statements: str) -> None:
    """Change a file behind the program's back."""
    with closing(sqlite3.connect(path)) as db, db:
        for statement in statements:
            db.execute(statement)


def test_an_existing_file_is_never_overwritten(tmp_path: Path) -> None:
    there = tmp_path / "mine.txt"
    there.write_text("precious")
    with pytest.raises(CampaignFileError, match="exists already"):
        SqliteJournal.create(there)
    assert there.read_text() == "precious"


def test_a_file_in_no_folder_cannot_be_made(tmp_path: Path) -> None:
    with pytest.raises(CampaignFileError, match="cannot be made"):
        SqliteJournal.create(tmp_path / "nowhere" / "journal")


def test_a_file_that_is_not_there_is_said_to_be_missing_and_not_made(tmp_path: Path) -> None:
    with pytest.raises(CampaignFileError, match="there is no file"):
        SqliteJournal.open(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [b"", b"Dear Hans,\n", b"SQLite format 3\0 and then nonsense", bytes(5000)])
def test_a_file_of_another_kind_is_not_a_campaign(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "letter"
    path.write_bytes(content)
    with pytest.raises(CampaignFileError, match=r"is not a forcepool campaign|is damaged"):
        SqliteJournal.open(path)
    assert path.read_bytes() == content


def test_a_folder_is_not_a_campaign(tmp_path: Path) -> None:
    with pytest.raises(CampaignFileError, match="is not a forcepool campaign"):
        SqliteJournal.open(tmp_path)


def test_a_database_of_another_program_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    spoil(path, "CREATE TABLE entry (seq)")
    before = path.read_bytes()
    with pytest.raises(CampaignFileError, match="is not a forcepool campaign"):
        SqliteJournal.open(path)
    assert path.read_bytes() == before


def test_a_file_of_a_newer_program_asks_for_that_program(path: Path) -> None:
    spoil(path, f"PRAGMA user_version = {schema.FORMAT + 1}")
    with pytest.raises(CampaignFileError, match="newer forcepool"):
        SqliteJournal.open(path)


def test_a_file_of_an_older_format_is_brought_up_to_date(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE later (one);\nCREATE TABLE last (one);\n")
    )
    monkeypatch.setattr(schema, "FORMAT", len(schema.MIGRATIONS))
    with SqliteJournal.open(path) as journal:
        assert journal._rows("SELECT * FROM later, last") == []
        assert journal.head()[0] == 1
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (len(schema.MIGRATIONS),)


def test_a_step_to_a_newer_format_that_fails_leaves_the_old_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(
            schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE later (one);\nCREATE TABLE later (one);\n")
        )
        patch.setattr(schema, "FORMAT", len(schema.MIGRATIONS))
        with pytest.raises(CampaignFileError):
            SqliteJournal.open(path)
    with SqliteJournal.open(path) as journal:
        assert journal._rows("SELECT name FROM sqlite_master WHERE name = 'later'") == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entry SET body = x'00' WHERE seq = 1",
        "UPDATE entry SET seq = 2",
        "DELETE FROM entry",
        "INSERT OR REPLACE INTO entry VALUES (1, 'hash', x'00')",
    ],
)
def test_no_entry_can_be_changed_even_by_another_program(path: Path, statement: str) -> None:
    with pytest.raises(sqlite3.IntegrityError, match="an entry of the journal is never"):
        spoil(path, statement)


def test_an_entry_sealed_to_another_head_is_not_taken(journal: SqliteJournal) -> None:
    journal.append(sealed(2))
    with pytest.raises(Conflict), journal:
        journal.append(sealed(1, first=3, previous=GENESIS))


def test_a_row_of_entries_is_taken_whole_or_not_at_all(journal: SqliteJournal) -> None:
    entries = sealed(3)
    with journal:
        with pytest.raises(Conflict):
            journal.append([*entries[:2], seal(GENESIS, 3, b"{}")])
        assert journal.head() == (0, GENESIS)
        assert list(journal.read()) == []
        journal.append([])
        journal.append(entries)
        assert journal.head() == (3, entries[-1].hash)


def test_a_writer_who_waits_too_long_is_told_and_nothing_is_recorded(
    path: Path, sit_down: Callable[[], Campaign], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "WAIT_SECONDS", 0)
    campaign = sit_down()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CampaignBusy, match="try again"):
        ring.play(campaign, 1)
    assert [each.seq for each in campaign.journal.read()] == [1]
    other.execute("ROLLBACK")
    other.close()
    ring.play(campaign, 1)
    assert campaign.journal.head()[0] == 2
    assert campaign.journal.snapshot_before(2) is None


def test_closing_leaves_one_file(path: Path, sit_down: Callable[[], Campaign]) -> None:
    one, two = sit_down(), sit_down()
    ring.play(one, 0)
    two.refresh()
    one.journal.close()
    two.journal.close()
    assert list(path.parent.iterdir()) == [path]
    with closing(SqliteJournal.open(path)) as journal:
        assert journal.head()[0] == 2


def test_a_changed_entry_is_never_read_as_if_it_were_sound(path: Path, sit_down: Callable[[], Campaign]) -> None:
    campaign = sit_down()
    for number in range(6):
        ring.play(campaign, number)
    campaign.journal.close()
    spoil(path, "DROP TRIGGER entry_is_not_changed", "UPDATE entry SET body = replace(body, 'A', 'B') WHERE seq = 2")
    with SqliteJournal.open(path) as journal:
        with pytest.raises(Damaged, match="entry 2 was changed"):
            list(journal.read())
        assert [each.seq for each in journal.read(4)] == [4, 5, 6, 7]


def test_a_missing_entry_is_named(path: Path, sit_down: Callable[[], Campaign]) -> None:
    campaign = sit_down()
    for number in range(6):
        ring.play(campaign, number)
    campaign.journal.close()
    spoil(path, "DROP TRIGGER entry_is_not_removed", "DELETE FROM entry WHERE seq = 4")
    with SqliteJournal.open(path) as journal:
        for start in (1, 3, 4, 5):
            with pytest.raises(Damaged, match="entry 4 is missing"):
                list(journal.read(start))
        assert [each.seq for each in journal.read(6)] == [6, 7]


# -------------------------------------------------------------------------------------------- snapshots


def test_the_newest_ten_snapshots_stay_and_of_the_older_every_tenth(journal: SqliteJournal) -> None:
    journal.append(sealed(40))
    for seq in range(1, 36):
        journal.keep_snapshot(seq, b"state")
    with journal:
        assert journal._snapshots() == [*range(35, 25, -1), 20, 10]


def test_a_snapshot_of_an_entry_that_is_not_there_is_not_kept(journal: SqliteJournal) -> None:
    journal.append(sealed(2))
    journal.keep_snapshot(3, b"state")
    with journal:
        assert journal.snapshot_before(3) is None


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE snapshot SET body = x'00' WHERE seq = 5",
        "UPDATE snapshot SET body = 'text' WHERE seq = 5",
        "UPDATE snapshot SET digest = '' WHERE seq = 5",
        "UPDATE snapshot SET body = (SELECT body FROM snapshot WHERE seq = 3) WHERE seq = 5",
        "UPDATE snapshot SET seq = 6 WHERE seq = 5",
    ],
)
def test_a_damaged_snapshot_is_passed_over(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal"
    with SqliteJournal.create(path) as journal:
        journal.append(sealed(7))
        journal.keep_snapshot(3, b"state 3")
        journal.keep_snapshot(5, b"state 5")
        assert journal.snapshot_before(7) == (5, b"state 5")
        assert journal.damaged_snapshots() == []
    spoil(path, damage)
    with SqliteJournal.open(path) as journal:
        assert journal.snapshot_before(7) == (3, b"state 3")
        assert len(journal.damaged_snapshots()) == 1


# ------------------------------------------------------------------------------------ what is about what


def test_entries_are_found_by_the_unit_pool_and_clause_they_are_about(sit_down: Callable[[], Campaign]) -> None:
    campaign = sit_down()
    campaign.do(ring.RebuildUnit(unit="3", pool="B"))  # 2
    campaign.do(ring.Tell(unit="3", text="rests"))  # 3
    campaign.do(ring.RebuildUnit(unit="4", pool="A"))  # 4
    campaign.do(ring.RebuildUnit(unit="3", pool="A"), override="agreed")  # 5: not in the box, so overruled
    journal = campaign.journal
    assert isinstance(journal, SqliteJournal)
    assert list(journal.entries_about("unit/3")) == [2, 3, 5]
    assert list(journal.entries_about("unit/4")) == [4]
    assert list(journal.entries_about("pool/A")) == [4, 5]
    assert list(journal.entries_about("pool/sink/spent")) == [2, 4, 5]
    assert list(journal.entries_about("clause/ring.1")) == [2, 4, 5]
    assert list(journal.entries_about("unit/5")) == []


def test_what_let_a_command_pass_is_indexed_too(journal: SqliteJournal) -> None:
    body = b'{"n":1,"allowed":["x.1"],"events":[{"event":"overruled","clauses":["x.2"],"note":""}]}'
    with journal:
        journal.append([seal(GENESIS, 1, body)])
        assert list(journal.entries_about("clause/x.1")) == [1]
        assert list(journal.entries_about("clause/x.2")) == [1]


def indexed_by_hand(journal: SqliteJournal, subject: str) -> list[int]:
    return [each.seq for each in journal.read() if subject in subjects(each.body)]


@pytest.mark.parametrize("count", [INDEXED_TOGETHER - 2, INDEXED_TOGETHER - 1, INDEXED_TOGETHER, 2 * INDEXED_TOGETHER])
def test_entries_are_found_before_and_after_they_go_into_the_index(
    sit_down: Callable[[], Campaign], count: int
) -> None:
    campaign = sit_down()
    for number in range(count):
        ring.play(campaign, number)
    journal = campaign.journal
    assert isinstance(journal, SqliteJournal)
    assert journal.indexed() == (count + 1) // INDEXED_TOGETHER * INDEXED_TOGETHER
    for subject in ("unit/2", "pool/B", "clause/ring.4"):
        found = list(journal.entries_about(subject))
        assert found == indexed_by_hand(journal, subject)
        assert len(found) >= 10


@pytest.mark.parametrize("damage", ["DROP TABLE subject", "UPDATE head SET indexed = 1", "UPDATE head SET indexed = 0"])
def test_a_lost_or_short_index_loses_no_entry_and_is_made_again(
    path: Path, sit_down: Callable[[], Campaign], damage: str
) -> None:
    campaign = sit_down()
    for number in range(INDEXED_TOGETHER + 20):
        ring.play(campaign, number)
    campaign.journal.close()
    if "head" in damage:
        spoil(path, "DELETE FROM subject")
    spoil(path, damage)
    campaign = sit_down()
    journal = campaign.journal
    assert isinstance(journal, SqliteJournal)
    for _ in range(2):
        assert list(journal.entries_about("unit/2")) == indexed_by_hand(journal, "unit/2")
        ring.play(campaign, 2)
    assert journal.indexed() >= INDEXED_TOGETHER
    assert verify(journal).findings == ()
