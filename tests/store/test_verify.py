"""Verify finds whatever was changed, lost or reordered, and names the entry."""

import random
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from forcepool.engine import campaign as engine_campaign
from forcepool.engine import codec, dice
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign
from forcepool.engine.events import AnyEvent, Became, Moved, Raised, Rolled, Transferred
from forcepool.engine.journal import Entry, MemoryJournal, Sealed, read_entry, seal
from forcepool.engine.ledger import Account
from forcepool.engine.places import Place
from forcepool.engine.state import from_bytes, to_bytes
from forcepool.store import sqlite
from forcepool.store.open import campaign_file
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.verify import Finding, chain, describe, repair, verify
from tests.store.test_sqlite import spoil
from tests.support import ring

SEEDS = {1: ring.SEED}


class Doctored(MemoryJournal):
    """A journal that says it ends at one entry, whatever it holds."""

    def __init__(self, entries: list[Sealed], end: tuple[int, str]) -> None:
        super().__init__()
        self.entries, self.end = entries, end

    def head(self) -> tuple[int, str]:
        return self.end


@pytest.fixture(scope="module")
def played() -> MemoryJournal:
    """A hundred entries of everything, with undos and redos."""
    journal = MemoryJournal()
    campaign = ring.start(journal)
    for number in range(70):
        ring.play(campaign, number)
        if number % 9 == 4:
            campaign.undo()
        if number % 18 == 4:
            campaign.redo()
        if number % 11 == 5 and campaign.history.last > 5:
            campaign.undo(to=campaign.history.last - 2)
        if number == 40:
            campaign.do(ring.Raise(name="new"))
    while campaign.seq < 100:
        ring.play(campaign, campaign.seq)
    return journal


def findings(entries: list[Sealed], journal: MemoryJournal) -> list[Finding]:
    return list(chain(Doctored(entries, journal.head())))


def reseal(journal: MemoryJournal, number: int, **changes: object) -> MemoryJournal:
    """The journal as a cheat with the program would have written it: changed, and every hash made again."""
    return resealed(journal, number, codec.encode(replace(read_entry(journal.entries[number - 1]), **changes)))


def resealed(journal: MemoryJournal, number: int, body: bytes) -> MemoryJournal:
    made = MemoryJournal()
    for each in journal.entries:
        made.append([seal(made.head()[1], each.seq, body if each.seq == number else each.body)])
    return made


def with_event(journal: MemoryJournal, event: AnyEvent) -> MemoryJournal:
    """The journal with one more entry that holds this event."""
    made = MemoryJournal()
    made.append(journal.entries)
    seq, digest = made.head()
    at = Campaign(journal, ring.build).state.clock
    made.append([seal(digest, seq + 1, codec.encode(Entry(n=seq + 1, at=at, events=[event])))])
    return made


def test_a_sound_journal_has_no_findings_and_its_dice_are_checked(played: MemoryJournal) -> None:
    report = verify(played, seeds=SEEDS)
    assert report.findings == ()
    assert report.sound
    assert (report.entries, report.head) == played.head()
    assert report.dice > 10
    assert report.sealed_dice == 0
    assert describe(report)[-1] == "nothing was changed, lost or reordered"


def test_dice_whose_seed_is_not_known_are_counted_as_not_checked(played: MemoryJournal) -> None:
    report = verify(played)
    assert report.sound
    assert report.dice == 0
    assert report.sealed_dice == verify(played, seeds=SEEDS).dice


# --------------------------------------------------------------------- every byte, every entry, every place


def test_every_changed_byte_of_every_entry_is_found_and_named(played: MemoryJournal) -> None:
    chance = random.Random(52)
    for index, each in enumerate(played.entries):
        entries = [*played.entries]
        for at in range(len(each.body)):
            changed = bytearray(each.body)
            changed[at] ^= chance.randrange(1, 256)
            entries[index] = replace(each, body=bytes(changed))
            assert [found.entry for found in findings(entries, played)] == [each.seq]
        assert not verify(Doctored(entries, played.head())).sound


def test_every_changed_character_of_every_hash_is_found(played: MemoryJournal) -> None:
    for index, each in enumerate(played.entries):
        for at in range(64):
            other = "1" if each.hash[at] == "0" else "0"
            entries = [*played.entries]
            entries[index] = replace(each, hash=each.hash[:at] + other + each.hash[at + 1 :])
            assert each.seq in {found.entry for found in findings(entries, played)}


@pytest.mark.parametrize("other", [-1, 0, 1, 50, 100, 101, 1 << 40])
def test_every_changed_number_is_found(played: MemoryJournal, other: int) -> None:
    for index, each in enumerate(played.entries):
        if other != each.seq:
            entries = [*played.entries]
            entries[index] = replace(each, seq=other)
            assert findings(entries, played) != []


def test_every_missing_entry_is_found_and_named(played: MemoryJournal) -> None:
    for index, each in enumerate(played.entries):
        entries = [*played.entries[:index], *played.entries[index + 1 :]]
        assert each.seq in {found.entry for found in findings(entries, played)}


def test_a_cut_off_end_is_found_wherever_the_cut_is(played: MemoryJournal) -> None:
    for left in range(100):
        [found] = findings(played.entries[:left], played)
        assert found.entry == left + 1
        assert "is missing" in found.what


def test_two_entries_that_changed_places_are_found(played: MemoryJournal) -> None:
    for index in range(99):
        entries = [*played.entries]
        entries[index], entries[index + 1] = entries[index + 1], entries[index]
        assert findings(entries, played) != []
        renumbered = [replace(each, seq=seq) for seq, each in enumerate(entries, 1)]
        assert findings(renumbered, played) != []


def test_an_entry_added_at_the_end_behind_the_programs_back_is_found(played: MemoryJournal) -> None:
    seq, digest = played.head()
    entries = [*played.entries, seal(digest, seq + 1, b"{}")]
    assert [found.entry for found in findings(entries, played)] == [101]


# --------------------------------------------------------------------------- sealed, but it cannot have been


def test_an_entry_that_cannot_be_read_is_named(played: MemoryJournal) -> None:
    [found] = verify(resealed(played, 7, b'{"n":7}')).findings
    assert found.entry == 7
    assert "cannot be read" in found.what


def test_an_entry_that_bears_another_number_is_named(played: MemoryJournal) -> None:
    assert verify(reseal(played, 7, n=8)).findings[0].entry == 7


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Moved(unit="9", frm=ring.BOX, to=ring.BOX), "is about 9, which is not in the campaign"),
        (Moved(unit="1", frm=Place("hex", "Kiev"), to=ring.BOX), "moves 1 from where it is not"),
        (Became(unit="9", was="full", step="cadre"), "is about 9, which is not in the campaign"),
        (Became(unit="1", was="remnant", step="cadre"), "changes 1 from a step it is not at"),
        (Raised(unit="1", spec=ring.SPEC, at=ring.BOX), "raises 1, which is in the campaign already"),
        (
            Transferred(amount=Fraction(-1, 4), kind="inf", nation="German", frm="A", to="B"),
            "transfers less than nothing",
        ),
        (Rolled(sides=6, result=7, by_hand=True), "has a d6 that shows 7"),
        (Rolled(sides=6, result=0, by_hand=True), "has a d6 that shows 0"),
    ],
)
def test_an_event_that_cannot_have_happened_is_named(played: MemoryJournal, event: AnyEvent, says: str) -> None:
    assert verify(with_event(played, event)).findings == (Finding(101, says),)


@pytest.mark.parametrize(
    "event",
    [
        Raised(unit="9", spec=ring.SPEC, at=ring.BOX),
        Transferred(amount=Fraction(1, 4), kind="inf", nation="German", frm="A", to="B"),
        Rolled(sides=6, result=6, by_hand=True),
        Rolled(sides=6, result=1, by_hand=True),
    ],
)
def test_an_event_that_can_have_happened_is_not(played: MemoryJournal, event: AnyEvent) -> None:
    assert verify(with_event(played, event)).findings == ()


@pytest.mark.parametrize("changes", [{"undo": [200]}, {"undo": [1]}, {"asks": [101]}, {"redo": [5]}])
def test_an_undo_of_what_cannot_be_undone_is_named(played: MemoryJournal, changes: dict[str, list[int]]) -> None:
    assert {found.entry for found in verify(reseal(played, 100, events=[], **changes)).findings} == {100}


def test_an_entry_made_at_another_time_than_it_says_is_named(played: MemoryJournal) -> None:
    at = read_entry(played.entries[29]).at
    assert 30 in {found.entry for found in verify(reseal(played, 30, at=replace(at, turn=at.turn + 1))).findings}


def test_points_from_nowhere_are_found() -> None:
    journal = MemoryJournal()
    state = ring.opening()
    state.balances[Account("A", "German", "inf")] += Fraction(1, 12)
    begin(journal, game="ring", title="", ruleset="", world=b"{}", state=state)
    assert Finding(1, "leaves 1/12 German inf that came from nowhere") in verify(journal).findings


def test_a_die_changed_by_one_who_could_make_the_hashes_again_is_named(played: MemoryJournal) -> None:
    for sealed in played.entries[1:]:
        entry = read_entry(sealed)
        dice_at = [at for at, event in enumerate(entry.events) if isinstance(event, Rolled)]
        for number, at in enumerate(dice_at, 1):
            event = entry.events[at]
            assert isinstance(event, Rolled)
            assert event.result == dice.roll(entry.shares, number, 6)
        if dice_at:
            events = [*entry.events]
            event = events[dice_at[-1]]
            assert isinstance(event, Rolled)
            events[dice_at[-1]] = replace(event, result=event.result % 6 + 1)
            cheated = reseal(played, entry.n, events=events)
            assert entry.n in {found.entry for found in verify(cheated).findings}


def test_a_share_changed_with_its_die_is_found_once_the_secret_is_told(played: MemoryJournal) -> None:
    entry = next(each for each in map(read_entry, played.entries[1:]) if each.shares)
    shares = {"campaign": "ab" * 32}
    rolled = [event for event in entry.events if isinstance(event, Rolled)]
    faces = {id(event): dice.roll(shares, number, 6) for number, event in enumerate(rolled, 1)}
    events = [replace(event, result=faces[id(event)]) if isinstance(event, Rolled) else event for event in entry.events]
    cheated = reseal(played, entry.n, events=events, shares=shares)
    assert all("dice" not in found.what for found in verify(cheated).findings), "nobody can tell before"
    found = [each for each in verify(cheated, seeds=SEEDS).findings if each.entry == entry.n]
    assert "has a share of campaign in its dice that does not follow from the secret" in found[0].what


def test_shares_of_others_than_have_a_part_in_the_dice_are_named(played: MemoryJournal) -> None:
    entry = next(each for each in map(read_entry, played.entries[1:]) if each.shares)
    cheated = reseal(played, entry.n, shares=entry.shares | {"Axis": "00"})
    assert any("without the right shares: see Axis" in each.what for each in verify(cheated).findings)


def test_a_die_the_program_rolled_without_a_seed_is_named() -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal, seed=b"")
    campaign.history.promises = {"campaign": dice.commitment(ring.SEED)}
    campaign.cup.put_in(ring.SEED)
    campaign.do(ring.Toss(unit="1"))
    assert verify(journal).findings == (Finding(2, "rolled a die although no seed was promised"),)


def test_a_seed_other_than_the_one_promised_is_named(played: MemoryJournal) -> None:
    report = verify(played, seeds={1: b"another"})
    assert [found.entry for found in report.findings] == [1]
    assert "promised another seed" in report.findings[0].what


def test_after_a_new_seed_was_promised_dice_follow_from_it() -> None:
    journal, other = MemoryJournal(), b"another"
    campaign = ring.start(journal)
    campaign.do(ring.Toss(unit="1", dice=5))
    seq, digest = journal.head()
    entry = Entry(n=seq + 1, at=campaign.state.clock, seed=dice.commitment(other))
    journal.append([seal(digest, seq + 1, codec.encode(entry))])
    campaign = Campaign(journal, ring.build, other)
    campaign.do(ring.Toss(unit="2", dice=5))
    assert verify(journal, seeds={1: ring.SEED, 3: other}) == replace(verify(journal), dice=10, sealed_dice=0)
    assert verify(journal, seeds={1: ring.SEED}).sealed_dice == 5


def test_a_snapshot_that_is_not_the_state_is_named(played: MemoryJournal) -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    for number in range(20):
        ring.play(campaign, number)
        if number in (4, 9, 14):
            campaign.keep_snapshot()
    assert verify(journal).sound
    wrong = journal.snapshots[11].replace(b'"A","German","inf"],"', b'"A","German","inf"],"1')
    assert wrong != journal.snapshots[11]
    journal.snapshots[11] = wrong
    assert verify(journal).findings == (Finding(11, "has a snapshot that is not the state at that entry"),)


def test_a_snapshot_that_has_other_entries_undone_is_named() -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    for number in range(4):
        ring.play(campaign, number)
    campaign.undo()
    campaign.keep_snapshot()
    campaign.redo()
    assert verify(journal).sound
    assert b",[5],[[5]],4,[],[]," in journal.snapshots[6]
    journal.snapshots[6] = journal.snapshots[6].replace(b",[5],[[5]],4,", b",[5],[],4,")
    assert verify(journal).findings == (Finding(6, "has a snapshot that has other entries undone"),)


def test_two_units_of_one_name_at_the_beginning_are_found() -> None:
    journal = MemoryJournal()
    ring.begin_ring(journal)
    body = journal.entries[0].body.replace(b'{"id":"1"', b'{"id":"0"')
    assert verify(resealed(journal, 1, body)).findings == (Finding(1, "has two units of the same name"),)


def test_a_campaign_that_opens_to_another_state_is_found(
    played: MemoryJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Forgetful(Campaign):
        def refresh(self) -> int:
            count = super().refresh()
            self.state.units.pop("1")
            return count

    monkeypatch.setattr("forcepool.store.verify.Campaign", Forgetful)
    [found] = verify(played).findings
    assert found.entry == 100
    assert "another state on opening" in found.what


def test_undoing_far_back_gives_the_same_state_as_playing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("forcepool.store.replay.EVERY", 5)
    monkeypatch.setattr("forcepool.store.replay.RECENT", 3)
    monkeypatch.setattr(engine_campaign, "SNAPSHOT_EVERY", 7)
    journal = MemoryJournal()
    campaign = ring.start(journal)
    chance = random.Random(7)
    for number in range(200):
        ring.play(campaign, number)
        if chance.random() < 0.2 and campaign.history.last > 3:
            campaign.undo(to=chance.randrange(max(2, campaign.history.last - 30), campaign.history.last + 1))
            if chance.random() < 0.3:
                campaign.redo()
    report = verify(journal, seeds=SEEDS)
    assert report.findings == ()
    assert to_bytes(from_bytes(to_bytes(campaign.state))) == to_bytes(campaign.state)


# --------------------------------------------------------------------------------------------- real files


@pytest.fixture
def file(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign of forty entries with snapshots."""
    monkeypatch.setattr(engine_campaign, "SNAPSHOT_EVERY", 9)
    monkeypatch.setattr(sqlite, "INDEXED_TOGETHER", 10)
    with campaign_file(path, ring.build) as campaign:
        for number in range(39):
            ring.play(campaign, number)
    return path


def examine(path: Path) -> tuple[Finding, ...]:
    with SqliteJournal.open(path) as journal:
        return verify(journal).findings


UNLOCK = (
    "DROP TRIGGER entry_is_not_changed",
    "DROP TRIGGER entry_is_not_removed",
    "DROP TRIGGER entry_is_not_replaced",
)


def test_a_sound_file_has_no_findings(file: Path) -> None:
    assert examine(file) == ()
    with SqliteJournal.open(file) as journal:
        assert verify(journal).dice > 5


@pytest.mark.parametrize(
    ("damage", "entry"),
    [
        ("UPDATE entry SET body = replace(body, 'told', 'tolD') WHERE seq = 4", 4),
        ("UPDATE entry SET body = CAST(body AS TEXT) WHERE seq = 40", 40),
        ("UPDATE entry SET hash = upper(hash) WHERE seq = 9", 9),
        ("UPDATE entry SET hash = x'00' WHERE seq = 9", 9),
        ("DELETE FROM entry WHERE seq = 1", 1),
        ("DELETE FROM entry WHERE seq = 20", 20),
        ("DELETE FROM entry WHERE seq = 40", 40),
        ("DELETE FROM entry WHERE seq > 30", 31),
        ("DELETE FROM entry", 1),
        ("INSERT INTO entry SELECT 41, hash, body FROM entry WHERE seq = 40", 41),
        ("UPDATE entry SET seq = 50 WHERE seq = 40", 40),
        ("UPDATE entry SET seq = seq + 1000", 1),
        ("UPDATE head SET seq = 39", 40),
        ("UPDATE head SET hash = (SELECT hash FROM entry WHERE seq = 39)", 40),
        ("UPDATE secret SET seed = x'1234'", 1),
        ("UPDATE subject SET subject = 'unit/77' WHERE seq = 13 AND subject LIKE 'clause/%'", 13),
        ("DELETE FROM subject WHERE seq = 22", 22),
        ("UPDATE snapshot SET body = x'00' WHERE seq = (SELECT max(seq) FROM snapshot)", 37),
    ],
)
def test_what_was_done_to_a_file_is_found_and_named(file: Path, damage: str, entry: int) -> None:
    spoil(file, *UNLOCK, damage)
    assert entry in {found.entry for found in examine(file)}


@pytest.mark.parametrize("damage", ["DELETE FROM head", "DROP TABLE head", "DROP TABLE entry", "DROP TABLE snapshot"])
def test_a_file_that_lacks_a_part_is_reported_and_not_a_crash(file: Path, damage: str) -> None:
    with SqliteJournal.open(file) as journal:
        spoil(file, damage)
        report = verify(journal)
    assert report.sound == (damage == "DROP TABLE snapshot")


@pytest.mark.parametrize("damage", ["INSERT INTO subject VALUES ('unit/1', 4000)", "UPDATE head SET indexed = 41"])
def test_an_index_that_goes_beyond_the_journal_is_found(file: Path, damage: str) -> None:
    spoil(file, damage)
    assert [found.entry for found in examine(file)] == [0]


def test_a_repair_makes_the_index_and_drops_bad_snapshots_and_touches_no_entry(file: Path) -> None:
    spoil(file, "DELETE FROM subject WHERE seq % 2", "UPDATE snapshot SET digest = '' WHERE seq > 20")
    assert len(examine(file)) > 5
    with SqliteJournal.open(file) as journal:
        before = list(journal.read())
        repair(journal)
        assert verify(journal).findings == ()
        assert list(journal.read()) == before


def test_bytes_changed_in_the_file_itself_are_found(file: Path, tmp_path: Path) -> None:
    with SqliteJournal.open(file) as journal:
        entries = list(journal.read())
    content = file.read_bytes()
    chance = random.Random(1)
    copy = tmp_path / "copy"
    for each in chance.sample(entries, 20):
        at = content.index(each.body) + chance.randrange(len(each.body))
        copy.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        assert [found.entry for found in examine(copy)] == [each.seq]
