"""Dice nobody steers: bound to the order, from everybody's secrets, checked by anyone afterwards."""

import pytest

from forcepool.engine import consent
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.cup import SharesNeeded
from forcepool.engine.dice import CAMPAIGN, commitment
from forcepool.engine.events import Rolled
from forcepool.engine.journal import MemoryJournal, read_entry
from forcepool.store.verify import verify
from tests.support import ring

OTHERS = {"A": b"the secret of side A", "B": b"the secret of side B"}


def toss(campaign: Campaign, unit: str = "1", dice: int = 5) -> list[int]:
    done = campaign.do(ring.Toss(unit=unit, dice=dice))
    assert isinstance(done, Done)
    return [event.result for event in done.entry.events if isinstance(event, Rolled)]


def test_what_was_written_before_does_not_change_a_roll() -> None:
    plain, noted = (ring.start(MemoryJournal(), units=8) for _ in range(2))
    ring.play(noted, 0)
    rolls = [toss(each) for each in (plain, noted)]
    assert rolls[0] == rolls[1]


def test_an_order_undone_and_given_again_rolls_the_same() -> None:
    campaign = ring.start(MemoryJournal())
    first = toss(campaign)
    campaign.undo()
    assert toss(campaign) == first
    assert verify(campaign.journal, seeds={1: ring.SEED}).sound


def test_the_same_order_given_twice_rolls_anew_each_time() -> None:
    campaign = ring.start(MemoryJournal())
    rolls = [tuple(toss(campaign, dice=8)) for _ in range(4)]
    assert len(set(rolls)) == 4
    assert verify(campaign.journal, seeds={1: ring.SEED}).dice == 32


def test_a_roll_needs_the_share_of_everyone_who_promised_one() -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    consent.promise(campaign, OTHERS, seat="A")
    assert sorted(read_entry(journal.entries[-1]).promises) == ["A", "B"]
    toss(campaign)
    assert sorted(read_entry(journal.entries[-1]).shares) == ["A", "B", CAMPAIGN]
    at_a = Campaign(journal, ring.build, ring.SEED, secrets=[OTHERS["A"]])
    with pytest.raises(SharesNeeded) as need:
        at_a.do(ring.Toss(unit="2"))
    assert need.value.holders == ("B",)
    report = verify(journal, seeds={1: ring.SEED})
    assert (report.sound, report.dice, report.sealed_dice) == (True, 0, 5)


def test_two_sides_by_file_each_gives_a_share_and_the_last_one_has_it_carried_out() -> None:
    journal = MemoryJournal()
    begun = ring.start(journal)
    consent.promise(begun, OTHERS)
    order = ring.Toss(unit="3", dice=4)
    at_a = Campaign(journal, ring.build, ring.SEED, secrets=[OTHERS["A"]])
    with pytest.raises(SharesNeeded) as need:
        at_a.judge(order, seat="A")
    asked = consent.ask_for_shares(at_a, order, need.value, seat="A")
    assert asked.seats == ("B",)
    at_b = Campaign(journal, ring.build, secrets=[OTHERS["B"]])
    assert list(consent.waiting_for(at_b, "B")) == [asked.entry]
    done = consent.agree(at_b, asked.entry, seat="B")
    assert isinstance(done, Done)
    assert (done.entry.seat, done.entry.answers) == ("A", asked.entry)
    assert at_b.history.waiting == {}
    with_all = Campaign(journal, ring.build, ring.SEED, secrets=list(OTHERS.values()))
    assert sorted(done.entry.shares) == ["A", "B", CAMPAIGN]
    told = consent.tell(with_all, {who: b"fresh " + secret for who, secret in OTHERS.items()})
    assert told.told == {who: secret.hex() for who, secret in OTHERS.items()}
    assert told.promises["A"] == commitment(b"fresh " + OTHERS["A"])
    assert verify(journal, seeds={1: ring.SEED}).dice == 4


def test_an_order_that_waits_lapses_with_its_phase_and_is_not_done_twice() -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    consent.promise(campaign, OTHERS)
    at_a = Campaign(journal, ring.build, ring.SEED, secrets=[OTHERS["A"]])
    asked = consent.ask_for_shares(at_a, ring.Toss(unit="3"), SharesNeeded(("B",)), seat="A")
    campaign.refresh()
    consent.agree(campaign, asked.entry, seat="B")
    with pytest.raises(consent.NothingWaits):
        consent.agree(campaign, asked.entry, seat="B")


def test_a_snapshot_the_journal_does_not_vouch_for_is_not_believed() -> None:
    journal = MemoryJournal()
    campaign = ring.start(journal)
    campaign.keep_snapshot()
    for number in range(6):
        ring.play(campaign, number)
    [(seq, data)] = journal.snapshots.items()
    balances = dict(campaign.state.balances)
    assert Campaign(journal, ring.build).state.balances == balances
    journal.snapshots[seq] = data.replace(b'"1000"', b'"1450"')
    assert journal.snapshots[seq] != data
    assert Campaign(journal, ring.build).state.balances == balances
