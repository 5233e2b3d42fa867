"""Lines added to the order of battle in play: what the journal holds of them, and how they read back."""

import gc

import pytest
from msgspec.structs import replace

from forcepool import games
from forcepool.engine.acts import LONGEST_ACT, act_in_words
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.events import Marked
from forcepool.engine.wording import event_in_words
from forcepool.games.europa.reinforcements.book import LATELY, Book
from forcepool.games.europa.reinforcements.entries import listed
from forcepool.games.europa.reinforcements.view import order_of_battle
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.reading import parse
from forcepool.views.said import LONGEST_SAID, act_said
from tests.support.table import Table

GIVEN = """
turn: Jul 1 41
player: Axis
phase: initial
fronts: {centre: {theatre: east}}
mds: {kiev: {}}
places: {Minsk: {front: centre, city: yes, owner: Axis}}
ob: |
  German
  Jul 2 41
  Reinforce 1x 8-6 Inf XX (3-6) 24 at Minsk
"""
TEXT = """
Jul 2 41
  German, theatre East, front Centre
    Reinforce:
      1x 8-6 Inf XX (3-6) 76 at Minsk            # from the Reich
    Convert 1x 8-6 Inf XX 24 → 1x 9-8 Mot XX 24
  Rumanian
    Withdraw 1x 5-6 Cav XX 1 for 2 inf, return Oct 1 41
Any turn
  German
    Conditional:
      2x 1-5 Sec X 1, 2 in MD Kiev when Kiev falls; note: by rail
"""


def entries_of(made: Table | Campaign) -> tuple[Entry, ...]:
    campaign = made.campaign if isinstance(made, Table) else made
    return listed(campaign.world, campaign.state)  # type: ignore[arg-type]


def said(entry: Entry) -> Entry:
    return replace(entry, key="", line=0)


@pytest.mark.clause("51/2")
def test_every_word_of_the_lines_is_kept() -> None:
    made = Table(GIVEN)
    made.do("add-entries", text=TEXT)
    written = sorted(map(said, parse(TEXT).entries), key=repr)
    # The return that the withdrawal gives the turn of counts as an entry of its own.
    printed = [entry for entry in entries_of(made)[1:] if not entry.key.endswith("-return")]
    assert len(printed) == len(entries_of(made)) - 2
    assert sorted(map(said, printed), key=repr) == written


def test_keys_go_on_where_the_scenario_ends_and_are_never_given_twice() -> None:
    made = Table(GIVEN)
    for number in (76, 35):
        made.do("add-entries", text=f"German\nJul 2 41\nReinforce 1x 8-6 Inf XX {number} at Minsk")
    made.do("remove-entry", entry="jul-2-41-german-reinforce-2")
    made.do("add-entries", text="German\nJul 2 41\nReinforce 1x 8-6 Inf XX 6 at Minsk")
    assert {entry.key: entry.items[0].designations for entry in entries_of(made)} == {
        "jul-2-41-german-reinforce-1": ("24",),
        "jul-2-41-german-reinforce-3": ("35",),
        "jul-2-41-german-reinforce-4": ("6",),
    }


@pytest.mark.clause("51/2")
def test_the_journal_read_anew_has_the_same_order_of_battle() -> None:
    made = Table(GIVEN)
    made.do("add-entries", text=TEXT)
    made.do("remove-entry", entry="jul-2-41-german-reinforce-1")
    again = Campaign(made.journal, games.build_world)
    assert entries_of(again) == entries_of(made)
    made.campaign.undo()
    made.campaign.undo()
    assert [entry.key for entry in entries_of(made)] == ["jul-2-41-german-reinforce-1"]
    assert entries_of(Campaign(made.journal, games.build_world)) == entries_of(made)


def test_what_is_recorded_stands_with_its_own_nation_so_that_no_other_side_reads_it() -> None:
    made = Table(GIVEN)
    text = "Jul 2 41\nGerman\nReinforce 1x 8-6 Inf XX 76\nSoviet\nReinforce 1x 3-6 Rifle XX 1"
    events = made.do("add-entries", text=text).decision.events
    marks = {event.on: str(event.value) for event in events if isinstance(event, Marked)}
    assert sorted(marks) == ["nation/Germany", "nation/Soviet Union"]
    assert "Rifle" not in marks["nation/Germany"]
    assert "Inf" not in marks["nation/Soviet Union"]


def test_the_page_lists_them_and_nothing_is_put_together_twice() -> None:
    made = Table(GIVEN)
    made.do("add-entries", text=TEXT)
    world, state = made.campaign.world, made.campaign.state
    found = order_of_battle(world, state)  # type: ignore[arg-type]
    assert [each.state for each in found] == ["future"] * 6
    assert entries_of(made) is entries_of(made)


def test_a_campaign_that_began_without_an_order_of_battle_may_get_one() -> None:
    made = Table(GIVEN.partition("ob:")[0])
    assert entries_of(made) == ()
    assert isinstance(made.give("add-entries", text=TEXT, seat="Axis"), Done)
    assert len(entries_of(made)) == 5


def test_a_book_of_lines_stays_a_line_in_the_journal() -> None:
    made = Table(GIVEN)
    lines = "".join(f"1x 8-6 Inf XX {number} at Minsk\n" for number in range(100, 200))
    done = made.do("add-entries", text=f"German\nJul 2 41\nReinforce:\n{lines}")
    assert len(act_in_words(done.entry)) == LONGEST_ACT + 2
    assert len(act_said(done.entry)) < LONGEST_SAID + 20
    (event,) = done.decision.events
    assert event_in_words(made.campaign.world, event) == (
        "Germany: 100 entries are added to the order of battle: Jul 2 41, Reinforce 1x 8-6 Inf XX 100 at Minsk · "
        "Jul 2 41, Reinforce 1x 8-6 Inf XX 101 at Minsk · Jul 2 41, Reinforce 1x 8-6 Inf XX 102 at Minsk (and 97 more) "
        "[51/2]"
    )


def test_what_is_kept_does_not_grow_with_the_texts_that_were_tried() -> None:
    made = Table(GIVEN)
    found = made.campaign.world.found
    kept, before = set[int](), _books()
    for number in range(100, 130):
        made.do("add-entries", text=TEXT.replace("(3-6) 76", f"(3-6) {number}"))
        assert len(entries_of(made)) == 6
        made.campaign.undo()
        kept.add(len(found))
    assert len(entries_of(made)) == 1
    assert len(kept) == 1
    assert _books() - before <= LATELY


def _books() -> int:
    gc.collect()
    return sum(isinstance(each, Book) for each in gc.get_objects())
