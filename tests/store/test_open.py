"""Beginning and opening a campaign: nothing half made, nothing lost, and the dice as promised."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from forcepool.engine import campaign as engine_campaign
from forcepool.engine import codec, dice
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.cup import SharesNeeded
from forcepool.engine.journal import Conflict, Damaged, Entry, seal
from forcepool.engine.state import to_bytes
from forcepool.store import sqlite
from forcepool.store.errors import CampaignFileError, CampaignMoved
from forcepool.store.open import (
    campaign_file,
    copy_campaign,
    create_campaign,
    import_campaign,
    new_file,
    now,
    open_campaign,
)
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.textfile import export_text
from forcepool.store.verify import verify
from tests.store.test_sqlite import spoil
from tests.support import ring


def create(path: Path, seed: bytes | None = None) -> None:
    create_campaign(path, game="ring", title="ring", ruleset="test", world=b"{}", state=ring.opening(), seed=seed)


def test_a_campaign_opens_as_it_was_left(path: Path) -> None:
    with campaign_file(path, ring.build) as campaign:
        for number in range(30):
            ring.play(campaign, number)
        campaign.undo()
        left = to_bytes(campaign.state)
    with campaign_file(path, ring.build) as campaign:
        assert to_bytes(campaign.state) == left
        assert campaign.seq == 32
    assert list(path.parent.iterdir()) == [path]


def test_a_campaign_brought_in_as_text_has_its_snapshots_again(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine_campaign, "SNAPSHOT_EVERY", 10)
    with campaign_file(path, ring.build) as campaign:
        for number in range(25):
            ring.play(campaign, number)
            if number == 7:
                campaign.undo()
        left, text = to_bytes(campaign.state), list(export_text(campaign.journal))
        saved = campaign.journal.snapshot_before(campaign.seq)
    copy = tmp_path / "copy.fp"
    import_campaign(text, copy, build=ring.build)
    with campaign_file(copy, ring.build) as campaign:
        assert saved is not None
        assert campaign.journal.snapshot_before(campaign.seq) == saved
        assert to_bytes(campaign.state) == left
        assert verify(campaign.journal).sound


def test_a_new_campaign_promises_its_own_secret_seed(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    create(one)
    create(two)
    with campaign_file(one, ring.build) as first, campaign_file(two, ring.build) as second:
        [one_seed], [two_seed] = (each.cup.at_hand(each.history.promises).values() for each in (first, second))
        assert len(one_seed) == 32
        assert one_seed != two_seed
        assert first.beginning.dice == dice.commitment(one_seed)
        assert isinstance(first.do(ring.Toss(unit="1")), Done)


def test_with_an_empty_seed_the_dice_stay_on_the_table(tmp_path: Path) -> None:
    create(tmp_path / "one", seed=b"")
    with campaign_file(tmp_path / "one", ring.build) as campaign:
        assert campaign.beginning.dice == ""
        with pytest.raises(dice.RollNeeded):
            campaign.do(ring.Toss(unit="1"))
        assert isinstance(campaign.do(ring.Toss(unit="1"), rolls=[6]), Done)


@pytest.mark.parametrize("damage", ["DELETE FROM secret", "UPDATE secret SET seed = x'00'"])
def test_a_seed_that_is_lost_or_not_the_one_promised_is_not_used(path: Path, damage: str) -> None:
    spoil(path, damage)
    with campaign_file(path, ring.build) as campaign:
        assert not campaign.can_roll
        with pytest.raises(SharesNeeded, match="needs the share of campaign, which is not kept here"):
            campaign.do(ring.Toss(unit="1"))


@pytest.mark.parametrize("known", [True, False])
def test_once_a_new_seed_is_promised_the_old_one_is_not_used(path: Path, known: bool) -> None:
    with campaign_file(path, ring.build) as campaign:
        journal = campaign.journal
        assert isinstance(journal, SqliteJournal)
        entry = Entry(n=2, at=campaign.state.clock, seed=dice.commitment(b"new"))
        journal.append([seal(journal.head()[1], 2, codec.encode(entry))])
        if known:
            journal.keep_seed(2, b"new")
    with campaign_file(path, ring.build) as campaign:
        assert campaign.can_roll is known
        assert campaign.cup.at_hand(campaign.history.promises) == ({"campaign": b"new"} if known else {})


def test_a_file_appears_only_once_it_is_whole(tmp_path: Path) -> None:
    def interrupted() -> None:
        with new_file(tmp_path / "one") as journal:
            ring.begin_ring(journal)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


def test_a_name_taken_in_the_meantime_is_respected(tmp_path: Path) -> None:
    path = tmp_path / "one"

    def overtaken() -> None:
        with new_file(path) as journal:
            ring.begin_ring(journal)
            path.write_text("mine")

    with pytest.raises(CampaignFileError, match="exists already"):
        overtaken()
    assert path.read_text() == "mine"
    with pytest.raises(CampaignFileError, match="exists already"):
        create(path)
    with pytest.raises(CampaignFileError, match="there is no folder"):
        create(tmp_path / "none" / "one")
    assert list(tmp_path.iterdir()) == [path]


def test_where_files_cannot_be_linked_they_are_renamed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_links(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr("os.link", no_links)
    create(tmp_path / "one")
    assert [each.name for each in tmp_path.iterdir()] == ["one"]
    open_campaign(tmp_path / "one", ring.build).journal.close()


def test_a_file_without_a_beginning_is_told_so(tmp_path: Path) -> None:
    SqliteJournal.create(tmp_path / "one").close()
    with pytest.raises(Damaged, match="entry 1"):
        open_campaign(tmp_path / "one", ring.build)


def test_a_journal_whose_end_was_cut_off_does_not_open(path: Path) -> None:
    with campaign_file(path, ring.build) as campaign:
        for number in range(5):
            ring.play(campaign, number)
    spoil(path, "DROP TRIGGER entry_is_not_removed", "DELETE FROM entry WHERE seq = 6")
    with pytest.raises(Damaged, match="entry 6 is missing"):
        open_campaign(path, ring.build)


def test_a_journal_that_ends_otherwise_than_was_noted_does_not_open(path: Path) -> None:
    spoil(path, "UPDATE head SET hash = 'another'")
    with pytest.raises(Damaged, match="cut off or changed"):
        open_campaign(path, ring.build)


def test_opening_replays_only_what_came_after_the_last_snapshot(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_campaign, "SNAPSHOT_EVERY", 10)
    monkeypatch.setattr(sqlite, "INDEXED_TOGETHER", 10)
    with campaign_file(path, ring.build) as campaign:
        for number in range(47):
            ring.play(campaign, number)
    read: list[int] = []
    stored = SqliteJournal.stored

    def counting(self: SqliteJournal, start: int = 1, stop: int | None = None) -> object:
        for each in stored(self, start, stop):
            read.append(each.seq)
            yield each

    monkeypatch.setattr(SqliteJournal, "stored", counting)
    with campaign_file(path, ring.build):
        assert sorted(set(read)) == [1, *range(40, 49)]


def test_a_snapshot_of_another_version_does_not_stop_the_campaign(path: Path) -> None:
    with campaign_file(path, ring.build) as campaign:
        for number in range(9):
            ring.play(campaign, number)
        campaign.journal.keep_snapshot(4, b"[]")
        campaign.keep_snapshot()
        campaign.journal.keep_snapshot(9, b'{"another":"shape"}')
        assert isinstance(campaign.journal, SqliteJournal)
        campaign.journal.drop_snapshot(10)
        left = to_bytes(campaign.state)
    with campaign_file(path, ring.build) as campaign:
        assert to_bytes(campaign.state) == left


def test_the_second_of_two_players_is_told_and_loses_nothing(sit_down: Callable[[], Campaign]) -> None:
    one, two = sit_down(), sit_down()
    one.do(ring.Tell(unit="1", text="mine"))
    with pytest.raises(Conflict, match="entry 2 was written by someone else"):
        two.do(ring.Tell(unit="1", text="yours"))
    assert two.state.mark("unit/1", "told") is None
    two.refresh()
    assert two.seq == 2
    two.do(ring.Tell(unit="2", text="yours"))
    one.refresh()
    assert to_bytes(one.state) == to_bytes(two.state)
    assert one.seq == 3


def test_times_are_noted_in_utc_to_the_second() -> None:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", now())


# -------------------------------------------------------------------------------- disks that take nothing more


def test_a_write_protected_campaign_is_read_and_not_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    with campaign_file(path, ring.build) as campaign:
        assert verify(campaign.journal).sound
        assert next(campaign.entries(), None) is None
        with pytest.raises(CampaignFileError, match="is write-protected; copy it"):
            ring.play(campaign, 0)
    assert list(path.parent.iterdir()) == [path]


def test_a_draft_whose_log_could_not_be_merged_gets_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SqliteJournal, "file_damage", lambda _: ["row 3 missing"])
    with pytest.raises(CampaignFileError, match="the disk did not take or give what was asked of"):
        create(tmp_path / "one")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_replaced_is_not_written_into(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    create(other, seed=b"")
    with campaign_file(path, ring.build) as campaign:
        ring.play(campaign, 0)
        os.replace(other, path)
        with pytest.raises(CampaignMoved, match="was replaced by another file; nothing of yours was recorded"):
            ring.play(campaign, 1)
    with campaign_file(path, ring.build) as campaign:
        assert (campaign.seq, campaign.beginning.dice) == (1, "")


def test_what_was_recorded_goes_with_a_file_that_is_moved_away_and_replaced(path: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    create(other, seed=b"")
    with campaign_file(path, ring.build) as campaign:
        for number in range(5):
            ring.play(campaign, number)
        recorded = campaign.seq
        path.rename(tmp_path / "moved")
        os.replace(other, path)
    with campaign_file(path, ring.build) as campaign:
        assert (campaign.seq, campaign.beginning.dice) == (1, "")
    with campaign_file(tmp_path / "moved", ring.build) as campaign:
        assert campaign.seq == recorded
        assert verify(campaign.journal).sound


def test_a_merge_cut_off_after_any_page_loses_nothing(path: Path, tmp_path: Path) -> None:
    with campaign_file(path, ring.build) as campaign:
        for number in range(90):
            ring.play(campaign, number)
        recorded, seal = campaign.seq, campaign.hash
        file, log = path.read_bytes(), Path(f"{path}-wal").read_bytes()
    size = int.from_bytes(log[8:12], "big")
    frames = [log[at : at + 24 + size] for at in range(32, len(log), 24 + size)]
    assert len({frame[8:16] for frame in frames}) == 1, "the log was begun again: play less"
    newest = {int.from_bytes(frame[:4], "big"): frame[24:] for frame in frames}
    assert len(newest) > 10
    for merged in range(len(newest) + 1):
        half = bytearray(file)
        for page in sorted(newest)[:merged]:
            half[(page - 1) * size : page * size] = newest[page]
        cut = tmp_path / f"cut-{merged}"
        cut.write_bytes(half)
        Path(f"{cut}-wal").write_bytes(log)
        for _ in range(2):
            with SqliteJournal.open(cut) as journal:
                journal.check_place()
                assert journal.head() == (recorded, seal)
        assert not journal_files_beside(cut)


def journal_files_beside(path: Path) -> list[Path]:
    return sorted(path.parent.glob(f"{path.name}-*"))


def test_an_older_copy_put_over_the_file_is_noticed(path: Path, tmp_path: Path) -> None:
    older = path.read_bytes()
    with campaign_file(path, ring.build) as campaign:
        assert isinstance(campaign.journal, SqliteJournal)
        ring.play(campaign, 0)
        campaign.journal.merge()
        campaign.journal.check_place()
        path.write_bytes(older)
        with pytest.raises(CampaignMoved, match="another campaign or an older copy"):
            ring.play(campaign, 1)
    with campaign_file(path, ring.build) as campaign:
        assert campaign.seq == 1


def test_a_copy_taken_while_it_is_played_is_sound_and_holds_everything(path: Path, tmp_path: Path) -> None:
    with campaign_file(path, ring.build) as campaign:
        for number in range(5):
            ring.play(campaign, number)
        report = copy_campaign(path, tmp_path / "copy")
        assert (report.sound, report.entries, report.head) == (True, campaign.seq, campaign.hash)
