"""A campaign: the journal extends, undo and redo are entries, other seats are asked, dice are promised."""

from typing import Any

import pytest

from forcepool import games
from forcepool.engine import dice
from forcepool.engine.campaign import SNAPSHOT_EVERY, Campaign, ConsentNeeded, Done, NothingToUndo
from forcepool.engine.command import BadCommand
from forcepool.engine.journal import Conflict, Damaged, MemoryJournal, check_chain
from forcepool.engine.state import to_bytes
from tests.support.table import Table

REBUILD: dict[str, Any] = {"unit": "24 Inf XX", "pay_from": "front/centre"}


def test_a_command_is_carried_out_and_journalled_with_what_it_did() -> None:
    table = Table()
    done = table.do("rebuild-cadre", **REBUILD)
    assert table.unit("24 Inf XX").step == "full"
    assert table.holds("front/centre", "inf") == 6
    assert table.campaign.seq == done.entry.n == 2
    assert [type(event).__name__ for event in done.entry.events] == ["Transferred", "Became", "Marked"]
    assert list(check_chain(table.journal.read())) == []


def test_the_journal_alone_gives_the_state_again() -> None:
    table = Table()
    table.do("rebuild-cadre", **REBUILD)
    table.campaign.undo()
    table.do("rebuild-remnant", unit="76 Inf XX", pay_from="front/centre")
    table.do("advance")
    again = Campaign(table.journal, games.build_world)
    assert to_bytes(again.state) == to_bytes(table.campaign.state)
    assert again.history == table.campaign.history


def test_what_was_just_written_or_taken_in_is_not_fetched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    other = Campaign(table.journal, games.build_world)
    for text in "abc":
        table.do("note", text=text)
    other.refresh()
    before = [list(each.sealed(2, 4)) for each in (table.campaign, other)]
    assert before[0] == before[1] == list(table.journal.read(2, 4))
    assert [entry.n for entry in other.entries(3)] == [3, 4]
    monkeypatch.setattr(table.journal, "read", lambda *_: pytest.fail("it is at hand"))
    assert [list(each.sealed(2, 4)) for each in (table.campaign, other)] == before
    assert [entry.n for entry in table.campaign.entries(3)] == [3, 4]
    monkeypatch.undo()
    table.do("note", text="d")
    assert [entry.n for entry in other.entries(4, 6)] == [4, 5], "what another wrote since is fetched"


def test_undo_takes_the_last_command_back_and_redo_brings_it_again() -> None:
    table = Table()
    before = to_bytes(table.campaign.state)
    table.do("rebuild-cadre", **REBUILD)
    after = to_bytes(table.campaign.state)
    table.campaign.undo()
    assert to_bytes(table.campaign.state) == before
    table.campaign.redo()
    assert to_bytes(table.campaign.state) == after
    assert table.campaign.seq == 4, "undo and redo are entries, nothing is erased"


def test_undo_goes_back_one_command_at_a_time_past_earlier_undos() -> None:
    table = Table()
    states = [to_bytes(table.campaign.state)]
    for text in "abc":
        table.do("note", text=text)
        table.do("correct-points", pool="front/centre", nation="Germany", kind="inf", amount="1", note=text)
        states.append(to_bytes(table.campaign.state))
    for expected in (states[2], states[2], states[1], states[1], states[0], states[0]):
        table.campaign.undo()
        if expected is not None:
            assert to_bytes(table.campaign.state) == expected
    with pytest.raises(NothingToUndo, match="no command left to undo"):
        table.campaign.undo()


def test_undo_to_here_takes_back_everything_from_that_entry_on() -> None:
    table = Table()
    before = to_bytes(table.campaign.state)
    first = table.do("rebuild-cadre", **REBUILD).entry.n
    table.do("advance")
    table.do("advance")
    entry = table.campaign.undo(to=first)
    assert not isinstance(entry, ConsentNeeded)
    assert entry.undo == [first, first + 1, first + 2]
    assert to_bytes(table.campaign.state) == before


@pytest.mark.parametrize("to", [0, 1, 99])
def test_undo_to_an_entry_that_cannot_be_undone_says_so(to: int) -> None:
    table = Table()
    table.do("advance")
    with pytest.raises(NothingToUndo, match=f"entry {to} cannot be undone"):
        table.campaign.undo(to=to)


def test_a_new_command_after_an_undo_ends_the_chance_to_redo() -> None:
    table = Table()
    table.do("rebuild-cadre", **REBUILD)
    table.campaign.undo()
    table.do("advance")
    with pytest.raises(NothingToUndo, match="nothing to redo"):
        table.campaign.redo()


def test_several_undos_are_redone_in_turn() -> None:
    table = Table()
    table.do("rebuild-cadre", **REBUILD)
    one = to_bytes(table.campaign.state)
    table.do("advance")
    two = to_bytes(table.campaign.state)
    table.campaign.undo()
    table.campaign.undo()
    table.campaign.redo()
    assert to_bytes(table.campaign.state) == one
    table.campaign.redo()
    assert to_bytes(table.campaign.state) == two


def test_a_refusal_leaves_no_entry() -> None:
    table = Table()
    refusal = table.refused("rebuild-cadre", unit="24 Inf XX", pay_from="front/centre", mix="11 inf")
    assert refusal.reasons
    assert table.campaign.seq == 1


def test_the_second_of_two_writers_is_told_and_nothing_is_lost() -> None:
    table = Table()
    other = Campaign(table.journal, games.build_world)
    table.do("rebuild-cadre", **REBUILD)
    with pytest.raises(Conflict, match="entry 2 was written by someone else"):
        other.do(table.command("advance"))
    assert other.refresh() == 1
    assert isinstance(other.do(table.command("advance")), Done)
    assert table.campaign.refresh() == 1
    assert to_bytes(other.state) == to_bytes(table.campaign.state)


def test_what_others_undo_reaches_an_open_campaign() -> None:
    table = Table()
    table.do("rebuild-cadre", **REBUILD)
    other = Campaign(table.journal, games.build_world)
    other.undo()
    table.campaign.refresh()
    assert to_bytes(table.campaign.state) == to_bytes(other.state)
    assert table.holds("front/centre", "inf") == 10


def test_another_sides_action_is_undone_only_with_its_consent() -> None:
    table = Table(seats=("Axis", "Soviet"))
    table.do("rebuild-cadre", seat="Axis", **REBUILD)
    table.do("note", seat="Soviet", text="passes")
    asked = table.campaign.undo(to=2, seat="Axis")
    assert isinstance(asked, ConsentNeeded)
    assert asked.seats == ("Soviet",)
    assert table.unit("24 Inf XX").step == "full", "nothing is undone before they consent"
    with pytest.raises(NothingToUndo, match="another seat must consent"):
        table.campaign.consent(seat="Axis")
    table.campaign.consent(seat="Soviet")
    assert table.unit("24 Inf XX").step == "cadre"


def test_an_asked_undo_lapses_when_play_goes_on() -> None:
    table = Table(seats=("Axis", "Soviet"))
    table.do("note", seat="Soviet", text="passes")
    table.campaign.undo(seat="Axis")
    table.do("note", seat="Soviet", text="no")
    with pytest.raises(NothingToUndo, match="nobody has asked"):
        table.campaign.consent(seat="Soviet")


def test_with_three_seats_all_the_concerned_must_consent() -> None:
    table = Table(seats=("Allied", "Axis", "Soviet"))
    for seat in ("Allied", "Soviet"):
        table.do("note", seat=seat, text="passes")
    asked = table.campaign.undo(to=2, seat="Axis")
    assert isinstance(asked, ConsentNeeded)
    assert asked.seats == ("Allied", "Soviet")
    waiting = table.campaign.consent(seat="Soviet")
    assert isinstance(waiting, ConsentNeeded)
    assert waiting.seats == ("Allied",)
    assert not isinstance(table.campaign.consent(seat="Allied"), ConsentNeeded)
    assert 2 in table.campaign.history.undone


def test_ones_own_last_action_needs_nobodys_consent() -> None:
    table = Table(seats=("Axis", "Soviet"))
    table.do("rebuild-cadre", seat="Axis", **REBUILD)
    assert not isinstance(table.campaign.undo(seat="Axis"), ConsentNeeded)


def test_a_seat_may_not_give_the_other_sides_commands() -> None:
    table = Table(seats=("Axis", "Soviet"))
    with pytest.raises(BadCommand, match="Soviet may not give this command: it is Axis's"):
        table.give("rebuild-cadre", seat="Soviet", **REBUILD)


def test_a_seat_ends_the_phases_of_its_own_player_turn_only() -> None:
    table = Table(seats=("Axis", "Soviet"))
    assert table.campaign.world.phasing(table.campaign.state) == "Axis"
    with pytest.raises(BadCommand, match="it is Axis's player-turn: only Axis ends its phases"):
        table.give("advance", seat="Soviet")
    table.do("advance", seat="Axis")
    assert Table(seats=()).do("advance")


def test_opening_from_a_snapshot_gives_the_same_state_and_history() -> None:
    table = Table()
    table.do("rebuild-cadre", **REBUILD)
    table.campaign.undo()
    table.campaign.keep_snapshot()
    table.do("advance")
    again = Campaign(table.journal, games.build_world)
    assert to_bytes(again.state) == to_bytes(table.campaign.state)
    assert again.history.undone == {2}
    table.campaign.undo()
    again.refresh()
    assert to_bytes(again.state) == to_bytes(table.campaign.state)


def test_undo_reaches_back_behind_a_snapshot() -> None:
    table = Table()
    before = to_bytes(table.campaign.state)
    table.do("rebuild-cadre", **REBUILD)
    table.campaign.keep_snapshot()
    table.do("advance")
    table.campaign.undo(to=2)
    assert to_bytes(table.campaign.state) == before
    assert to_bytes(Campaign(table.journal, games.build_world).state) == before


def test_snapshots_come_by_themselves() -> None:
    table = Table()
    for _ in range(SNAPSHOT_EVERY):
        table.do("note", text="x")
    assert isinstance(table.journal, MemoryJournal)
    assert list(table.journal.snapshots) == []
    table.do("note", text="y")
    assert list(table.journal.snapshots) == [SNAPSHOT_EVERY + 1], "the next entry brings it, and vouches for it"


def test_a_journal_without_a_beginning_or_with_a_hole_is_named() -> None:
    with pytest.raises(Damaged, match="entry 1 is missing"):
        Campaign(MemoryJournal(), games.build_world)
    table = Table()
    for text in "abc":
        table.do("note", text=text)
    assert isinstance(table.journal, MemoryJournal)
    del table.journal.entries[2]
    with pytest.raises(Damaged, match="entry 3 is missing"):
        Campaign(table.journal, games.build_world)


def test_the_seed_is_promised_in_the_first_entry() -> None:
    seed = bytes(32)
    table = Table(seed=seed)
    assert table.campaign.beginning.dice == dice.commitment(seed)
    assert Table().campaign.beginning.dice == "", "dice from the table promise nothing"


def test_undo_steps_over_earlier_undos_between_commands() -> None:
    table = Table()
    start = to_bytes(table.campaign.state)
    for amount in ("1", "2"):
        table.do("correct-points", pool="front/centre", nation="Germany", kind="inf", amount=amount, note="x")
    table.campaign.undo()
    table.do("correct-points", pool="front/centre", nation="Germany", kind="inf", amount="4", note="x")
    table.campaign.undo()
    assert table.holds("front/centre", "inf") == 11
    table.campaign.undo()
    assert to_bytes(table.campaign.state) == start


def test_an_asked_undo_survives_a_snapshot() -> None:
    table = Table(seats=("Axis", "Soviet"))
    table.do("note", seat="Soviet", text="passes")
    table.campaign.undo(seat="Axis")
    table.campaign.keep_snapshot()
    again = Campaign(table.journal, games.build_world)
    again.consent(seat="Soviet")
    assert again.history.undone == {2}


def test_a_snapshot_that_cannot_be_read_is_passed_over() -> None:
    table = Table()
    table.do("rebuild-cadre", **REBUILD)
    table.campaign.keep_snapshot()
    table.do("advance")
    table.journal.keep_snapshot(table.campaign.seq, b"[]")
    assert to_bytes(Campaign(table.journal, games.build_world).state) == to_bytes(table.campaign.state)
