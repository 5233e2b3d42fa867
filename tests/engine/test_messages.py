"""Messages: entries that touch nothing, sealed like all others, passed over by undo, redo and the dice."""

import pytest
from msgspec.structs import replace

from forcepool import games
from forcepool.engine import codec
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand
from forcepool.engine.events import Noted
from forcepool.engine.journal import Entry, Message, check_chain, seal
from forcepool.engine.messages import LONGEST_MESSAGE, as_read_by, may_read, say
from forcepool.engine.state import to_bytes
from forcepool.store.replay import Replay
from forcepool.store.subjects import MESSAGE, subjects
from tests.support.table import Table

REBUILD = {"unit": "24 Inf XX", "pay_from": "front/centre"}


def test_a_message_changes_nothing_and_undo_and_redo_pass_over_it() -> None:
    table = Table()
    campaign = table.campaign
    before = to_bytes(campaign.state)
    table.do("rebuild-cadre", **REBUILD)
    after = to_bytes(campaign.state)
    entry = say(campaign, "shall I take that back?", to="Soviet", seat="Axis", by="Anna")
    assert (entry.n, to_bytes(campaign.state)) == (3, after)
    undone = campaign.undo()
    assert isinstance(undone, Entry)
    assert undone.undo == [2]
    assert to_bytes(campaign.state) == before
    say(campaign, "done", seat="Axis")
    campaign.redo()
    assert to_bytes(campaign.state) == after
    assert list(check_chain(table.journal.read())) == []
    assert list(Replay(table.journal, campaign.beginning, {}).run(5)) == []
    again = Campaign(table.journal, games.build_world)
    assert to_bytes(again.state) == after
    assert again.history == campaign.history


def test_what_was_asked_for_before_a_message_still_waits() -> None:
    table = Table()
    table.do("rebuild-cadre", **REBUILD)
    table.campaign.write(Entry(n=3, at=table.campaign.state.clock, seat="Soviet", asks=[2]))
    say(table.campaign, "why?", seat="Axis")
    assert table.campaign.history.asked == [2]


@pytest.mark.parametrize(
    ("to", "readers"),
    [("", {"", "Axis", "Soviet"}), ("Soviet", {"Axis", "Soviet"}), ("Axis", {"Axis"}), ("referee", {"Axis"})],
)
def test_who_reads_it(to: str, readers: set[str]) -> None:
    entry = say(Table().campaign, "24 Inf XX is at Minsk", to=to, seat="Axis")
    assert {side for side in ("", "Axis", "Soviet") if may_read(entry, side)} == readers
    for side in ("", "Axis", "Soviet"):
        assert (b"Minsk" in codec.encode(as_read_by(entry, side))) == (side in readers)


def test_what_the_host_writes_to_a_side_nobody_without_a_side_reads() -> None:
    entry = say(Table().campaign, "hush", to="Axis")
    assert not may_read(entry, "")


def test_words_are_kept_in_lines_without_signs_that_are_none() -> None:
    entry = say(Table().campaign, "  one\r\ntwo\x02\x03\x1b[31m\tthree\u202e ")
    assert entry.message is not None
    assert entry.message.text == "one\ntwo[31m three"


@pytest.mark.parametrize("text", ["", " \n ", "\x02", "x" * (LONGEST_MESSAGE + 1)])
def test_nothing_and_too_much_is_not_taken(text: str) -> None:
    campaign = Table().campaign
    with pytest.raises(BadCommand):
        say(campaign, text)
    with pytest.raises(BadCommand, match="no 'Nobody' to write to"):
        say(campaign, "hello", to="Nobody")
    assert campaign.seq == 1
    say(campaign, "x" * LONGEST_MESSAGE)


def test_a_message_that_does_something_is_found_out() -> None:
    table = Table()
    clock = table.campaign.state.clock
    entry = Entry(n=2, at=clock, message=Message(text="hello"), events=[Noted(text="hidden")])
    table.journal.append([seal(table.campaign.hash, 2, codec.encode(entry))])
    [(number, wrong)] = Replay(table.journal, table.campaign.beginning, {}).run(5)
    assert (number, wrong) == (2, "is a message, and does something besides")


def test_the_index_knows_messages() -> None:
    entry = say(Table().campaign, "hello")
    assert subjects(codec.encode(entry)) == {MESSAGE}
    assert subjects(codec.encode(replace(entry, message=None))) == set()
