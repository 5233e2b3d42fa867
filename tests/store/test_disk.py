"""A disk that is full or failing, files put in place of others, programs cut off: each has broken something once."""

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import Sealed
from forcepool.engine.state import to_bytes
from forcepool.files.disk import ABANDONED, whole_text
from forcepool.store import errors, log
from forcepool.store.errors import CampaignFileError, CampaignOverwritten, DiskFailed
from forcepool.store.open import campaign_file, copy_campaign, create_campaign, restore_campaign
from forcepool.store.shares import keep_share, share_file, shares_beside
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.verify import verify
from tests.support import ring


def create(path: Path, seed: bytes = ring.SEED) -> None:
    create_campaign(path, game="ring", title=path.stem, ruleset="", world=b"{}", state=ring.opening(), seed=seed)


def play(path: Path, times: int) -> int:
    with campaign_file(path, ring.build) as campaign:
        for _ in range(times):
            ring.play(campaign, campaign.seq)
        return campaign.seq


def crashed(path: Path, times: int, tmp_path: Path) -> int:
    """Play on, and leave file and log as a program does that is cut off."""
    cut = tmp_path / "cut"
    with campaign_file(path, ring.build) as campaign:
        for _ in range(times):
            ring.play(campaign, campaign.seq)
        for ending in ("", "-wal"):
            shutil.copyfile(f"{path}{ending}", f"{cut}{ending}")
        last = campaign.seq
    for ending in ("", "-wal"):
        shutil.move(f"{cut}{ending}", f"{path}{ending}")
    assert Path(f"{path}-wal").stat().st_size
    return last


def sound(path: Path) -> int:
    """The entries of a campaign, which must be sound."""
    with SqliteJournal.open(path) as journal:
        report = verify(journal)
    assert report.sound, report.findings
    return report.entries


def logs_aside(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}.*.log"))


# ------------------------------------------------------------------------- a log that another file has left


def test_the_log_of_a_crash_is_merged_into_its_own_file(path: Path, tmp_path: Path) -> None:
    last = crashed(path, 5, tmp_path)
    assert sound(path) == last
    assert not logs_aside(path)


def test_the_log_of_a_crash_goes_into_no_other_campaign(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    create(other, seed=b"another seed")
    others = play(other, 7)
    last = crashed(path, 5, tmp_path)
    moved = tmp_path / "moved"
    path.rename(moved)
    shutil.copyfile(other, path)
    assert sound(path) == others
    [left] = logs_aside(path)
    # Whoever has the file that the log belongs to puts the two together again.
    left.rename(f"{moved}-wal")
    assert sound(moved) == last


def test_the_log_of_a_crash_goes_into_no_older_copy(path: Path, tmp_path: Path) -> None:
    play(path, 3)
    older = tmp_path / "older"
    shutil.copyfile(path, older)
    play(path, 40)
    crashed(path, 5, tmp_path)
    shutil.copyfile(older, path)
    assert sound(path) == 4
    assert len(logs_aside(path)) == 1


def test_the_log_of_a_crash_goes_into_no_newer_copy(path: Path, tmp_path: Path) -> None:
    crashed(path, 2, tmp_path)
    left = Path(f"{path}-wal").read_bytes()
    newest = play(path, 30)
    Path(f"{path}-wal").write_bytes(left)
    assert sound(path) == newest
    assert len(logs_aside(path)) == 1


def test_an_older_copy_put_over_a_file_just_opened_is_noticed(path: Path, tmp_path: Path) -> None:
    older = path.read_bytes()
    play(path, 5)
    with campaign_file(path, ring.build) as campaign:
        path.write_bytes(older)
        with pytest.raises(CampaignOverwritten):
            ring.play(campaign, campaign.seq)
    assert sound(path) == 1


# -------------------------------------------------------------------------------------- a disk that fails


def test_where_the_disk_does_not_tell_what_was_recorded_stays_recorded(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stat, asked = os.stat, 0

    def failing(*args: Any, **options: Any) -> os.stat_result:
        nonlocal asked
        asked += 1
        if asked > 1:
            raise OSError(errno.EIO, "Input/output error")
        return stat(*args, **options)

    with campaign_file(path, ring.build) as campaign:
        with monkeypatch.context() as failure:
            failure.setattr(os, "stat", failing)
            ring.play(campaign, campaign.seq)
        assert campaign.seq == 2
        with monkeypatch.context() as failure:
            failure.setattr(os, "stat", failing)
            with pytest.raises(DiskFailed, match="the disk did not take or give"):
                ring.play(campaign, campaign.seq)
    assert sound(path) == 2


@pytest.mark.parametrize("what", ["undo", "redo", "refresh"])
def test_a_disk_that_fails_to_read_leaves_no_undo_half_done(
    sit_down: Callable[[], Campaign], path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """At whichever read it fails: the undo is told as done and is done, or neither."""
    ours, theirs = sit_down(), sit_down()
    rows, left, failures = SqliteJournal._rows, 0, 0

    def failing(self: SqliteJournal, *query: Any) -> list[tuple[object, ...]]:
        nonlocal left
        left -= 1
        if left < 0:
            raise errors.busy(path)
        return rows(self, *query)

    for reads in range(40):
        ours.refresh()
        ring.play(ours, ours.seq)
        if what != "undo":
            theirs.refresh()
            ours.undo()
        before, left = ours.seq, reads
        with monkeypatch.context() as failure:
            failure.setattr(SqliteJournal, "_rows", failing)
            try:
                theirs.refresh() if what == "refresh" else getattr(ours, what)()
            except CampaignFileError:
                failures += 1
                assert ours.seq == before
        for each in (ours, theirs):
            each.refresh()
            with campaign_file(path, ring.build) as fresh:
                assert (each.seq, to_bytes(each.state)) == (fresh.seq, to_bytes(fresh.state))
    assert 0 < failures < 40


class Failing:
    """A connection that does not take some statements."""

    def __init__(self, db: sqlite3.Connection, times: int) -> None:
        self.db, self.times = db, times

    def __getattr__(self, name: str) -> Any:
        return getattr(self.db, name)

    def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
        if statement == "COMMIT" and self.times:
            self.times -= 1
            error = sqlite3.OperationalError("disk I/O error")
            error.sqlite_errorcode = sqlite3.SQLITE_IOERR
            raise error
        return self.db.execute(statement, *values)


@pytest.mark.parametrize(
    ("times", "says"), [(1, "nothing of it was recorded; try again"), (2, "it may be there or not")]
)
def test_a_disk_that_fails_while_recording_is_told_as_surely_as_one_can(
    path: Path, monkeypatch: pytest.MonkeyPatch, times: int, says: str
) -> None:
    with campaign_file(path, ring.build) as campaign:
        assert isinstance(campaign.journal, SqliteJournal)
        monkeypatch.setattr(campaign.journal, "_db", Failing(campaign.journal._db, times))
        with pytest.raises(DiskFailed, match=says):
            ring.play(campaign, campaign.seq)
    assert sound(path) == 1


def test_what_the_disk_did_not_give_once_is_no_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    error = sqlite3.DatabaseError("database disk image is malformed")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    assert "the disk did not take or give" in str(errors.explain(path, error))
    error.sqlite_errorcode = sqlite3.SQLITE_CANTOPEN
    assert "the disk did not take or give" in str(errors.explain(path, error))
    path.write_bytes(path.read_bytes()[:5000])
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    assert "go back to a copy" in str(errors.explain(path, error))

    with SqliteJournal.open(path.parent / fresh(path)) as journal:
        monkeypatch.setattr(SqliteJournal, "_rows", lambda *_: [("Page 7: unable to get the page",)])
        with pytest.raises(DiskFailed):
            journal.file_damage()
        monkeypatch.undo()


def fresh(path: Path) -> str:
    create(path.with_name("fresh"))
    return "fresh"


def test_a_lock_that_cannot_be_had_is_another_programs(path: Path) -> None:
    error = sqlite3.OperationalError("locking protocol")
    error.sqlite_errorcode = sqlite3.SQLITE_PROTOCOL
    assert "is being written by another program" in str(errors.explain(path, error))


def test_a_lock_that_a_dead_disk_does_not_give_is_the_disks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_: Any, **__: Any) -> os.stat_result:
        raise OSError(errno.EIO, "Input/output error")

    error = sqlite3.OperationalError("database is locked")
    error.sqlite_errorcode = sqlite3.SQLITE_BUSY
    monkeypatch.setattr(os, "stat", failing)
    assert "the disk did not take or give" in str(errors.explain(path, error))


def test_an_index_that_is_damaged_is_not_put_down_to_the_disk(path: Path) -> None:
    """A quick look passes over it; the second look must be as thorough as the first."""
    db = sqlite3.connect(path)
    page = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'sqlite_autoindex_snapshot_1'").fetchone()[0]
    size = db.execute("PRAGMA page_size").fetchone()[0]
    db.close()
    with SqliteJournal.open(path) as journal:
        journal.keep_snapshot(1, b"a snapshot")
    data = bytearray(path.read_bytes())
    # The number of cells of the index's only page.
    data[(page - 1) * size + 3 : (page - 1) * size + 5] = b"\0\0"
    path.write_bytes(data)
    with SqliteJournal.open(path) as journal:
        assert "wrong # of entries" in " ".join(journal.file_damage())
        assert not verify(journal).sound


# ------------------------------------------------------------------------------------ nothing by halves


def test_a_text_that_cannot_be_finished_leaves_nothing(tmp_path: Path) -> None:
    def half() -> None:
        with whole_text(tmp_path / "text") as text:
            text.write("half")
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(OSError, match="No space"):
        half()
    assert list(tmp_path.iterdir()) == []


def test_drafts_of_someone_who_was_cut_off_are_cleared_away_later(path: Path, tmp_path: Path) -> None:
    old, young, ours_not = (tmp_path / name for name in ("x.fp.0123abcd.new", "x.fp.0123abce.new-wal", "x.new"))
    for each in (old, young, ours_not):
        each.write_text("")
    for each in (old, ours_not):
        os.utime(each, (time.time() - 2 * ABANDONED,) * 2)
    copy_campaign(path, tmp_path / "copy")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["copy", path.name, "x.fp.0123abce.new-wal", "x.new"]


def test_a_restore_that_fails_at_the_last_step_changes_nothing(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_campaign(path, tmp_path / "older")
    last = play(path, 5)

    def failing(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as failure:
        failure.setattr(os, "replace", failing)
        with pytest.raises(DiskFailed):
            restore_campaign(tmp_path / "older", path, tmp_path / "aside")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["aside", "older", path.name]
    assert sound(path) == last
    restore_campaign(tmp_path / "older", path, tmp_path / "aside 2")
    assert (sound(path), sound(tmp_path / "aside 2")) == (1, last)


def test_a_secret_that_was_half_written_spoils_no_other(tmp_path: Path) -> None:
    campaign = tmp_path / "east.fp"
    first, second = b"1" * 32, b"2" * 32
    keep_share(campaign, "Axis", first)
    file = share_file(campaign, "Axis")
    file.write_text(file.read_text() + "aabbc")
    keep_share(campaign, "Axis", second)
    assert {first, second} <= set(shares_beside(campaign))
    assert file.stat().st_mode & 0o77 == 0


def test_a_secret_is_not_written_where_nobody_looks_for_it(tmp_path: Path) -> None:
    campaign = tmp_path / "east.fp"
    keep_share(campaign, "Österreich", b"1" * 32)
    assert list(shares_beside(campaign)) == [b"1" * 32]
    share_file(campaign, "Axis").write_text("someone's shopping list")
    with pytest.raises(CampaignFileError, match="move it away first"):
        keep_share(campaign, "Axis", b"2" * 32)


def test_a_promise_is_recorded_together_with_its_secret(path: Path) -> None:
    def promise() -> None:
        with campaign_file(path, ring.build) as campaign:
            assert isinstance(campaign.journal, SqliteJournal)
            with campaign.journal.together():
                ring.play(campaign, campaign.seq)
                raise errors.full(path)

    with pytest.raises(DiskFailed):
        promise()
    assert sound(path) == 1


# --------------------------------------------------------------------------------------- write-protected


def test_a_write_protected_campaign_is_read_with_its_log(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    last = crashed(path, 5, tmp_path)
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    monkeypatch.setattr(os, "access", lambda *_: False)
    with campaign_file(path, ring.build) as campaign:
        assert campaign.seq == last
        assert verify(campaign.journal).sound
        with pytest.raises(CampaignFileError, match="is write-protected; copy it"):
            ring.play(campaign, campaign.seq)
    assert {each: each.read_bytes() for each in tmp_path.iterdir()} == before


def test_two_programs_and_a_log_keep_each_others_entries(sit_down: Callable[[], Campaign], path: Path) -> None:
    one = sit_down()
    ring.play(one, one.seq)
    two = sit_down()
    ring.play(two, two.seq)
    assert two.seq == 3
    assert not logs_aside(path)


def test_the_log_of_one_who_writes_without_a_pause_stays(
    sit_down: Callable[[], Campaign], path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between any two looks at it the journal has gone on."""
    one = sit_down()
    ring.play(one, one.seq)
    look = log._entries

    def while_he_plays(*asked: Any) -> list[Sealed]:
        found = look(*asked)
        ring.play(one, one.seq)
        return found

    with monkeypatch.context() as playing:
        playing.setattr(log, "_entries", while_he_plays)
        log.put_aside_if_not_ours(path)
    assert one.seq > 2, "he did play"
    assert not logs_aside(path)
    ring.play(one, one.seq)
    two = sit_down()
    assert two.seq == one.seq


def test_a_disk_that_fails_puts_no_log_aside(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    last = crashed(path, 5, tmp_path)

    def failing(*_: object) -> bool:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as failure:
        failure.setattr(log, "_goes_on", failing)
        log.put_aside_if_not_ours(path)
    assert not logs_aside(path)
    assert sound(path) == last
