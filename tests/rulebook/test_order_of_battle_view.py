"""51  How the order of battle stands: each entry with its state, what is in its way, and the order that is ready."""

import pytest

from forcepool.engine.command import describe
from forcepool.games.europa.reinforcements.view import EntryView, order_of_battle
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

GIVEN = """
turn: May 1 42
player: Axis
phase: initial
players: [Axis, Soviet]
fronts: {Centre: {}}
theatres: {Southeast: {in_play: no}}
mds: {X: {}}
places:
  Minsk: {front: Centre, city: yes, owner: Axis}
  Orel: {md: X, city: yes, owner: Soviet}
pools: {front/centre: {German: {inf: 1}}}
units:
  1 Inf XX: {spec: 8-6 Inf XX, at: Minsk, nation: German}
  2 Inf XX: {spec: 8-6 Inf XX, at: Minsk, nation: German}
  3 Inf III: {spec: 3-6 Inf III, at: Minsk, nation: German}
  4 Inf III: {spec: 3-6 Inf III, at: Minsk, nation: German, isolated: supply}
  5 Pz XX: {spec: 12-10 Pz XX, at: Minsk, nation: German, isolated: supply}
  6 Mtn III: {spec: 2-6 Mtn III, at: Minsk, nation: German}
ob: |
  German, front Centre
  May 1 42
  Withdraw 2x 8-6 Inf XX
  Withdraw 1x 12-10 Pz XX
  Withdraw 1x 9-9 Cav XX
  Upgrade 1x 3-6 Inf III → 1x 4-6 Inf III for 2 inf
  Upgrade 1x 2-6 Mtn III → 1x 3-6 Mtn III for 1 inf
  Forming 1x 7-6 Inf XX 9 in MD X full Jul 1 42
  Reinforce 1x 7-6 Inf XX 10 at Minsk
  Reinforce 1x 7-6 Inf XX 11 at Minsk given Southeast in play
  May 2 42
  Reinforce 1x 7-6 Inf XX 12 at Minsk
  Soviet
  May 1 42
  Reinforce 1x 4-6 Rif XX 13 at Orel
"""


@pytest.fixture
def table() -> Table:
    return Table(GIVEN)


def listed(table: Table, side: str = "") -> list[EntryView]:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return list(order_of_battle(world, table.campaign.state, side=side))


def states(table: Table) -> list[str]:
    return [each.state for each in listed(table)]


def test_before_its_phase_what_can_be_done_is_open_and_what_is_in_the_way_is_pending(table: Table) -> None:
    assert states(table) == [
        *("open", "pending", "pending", "pending", "open"),
        *("pending", "open", "void", "future", "open"),
    ]
    reasons = [(each.reason_clause, each.reason.partition("phase")[2]) for each in listed(table)[:5]]
    waits, more = ". Wait for the Axis reinforcement phase", "; and more stands in its way"
    assert reasons == [
        *(("51.B.19/1", waits), ("51.B.19/1", more), ("51.A.10/1", "")),
        *(("51.B.18/3", more), ("51.B.18/3", waits)),
    ]
    assert [each.order for each in listed(table)] == [None] * 10


def test_in_its_phase_each_has_the_order_that_is_ready_and_then_is_done(table: Table) -> None:
    table.do("advance")
    assert states(table) == [
        *("open", "pending", "pending", "pending", "open"),
        *("pending", "done", "void", "future", "open"),
    ]
    found = listed(table)
    orders = [describe(each.order) if each.order else "" for each in found]
    assert orders[0].startswith('withdraw entry=may-1-42-german-withdraw-1 unit="1 Inf XX"')
    assert 'unit="6 Mtn III"' in orders[4]
    assert [place for place, order in enumerate(orders) if order] == [0, 4]
    clauses = [each.reason_clause for each in found]
    assert clauses == ["", "51.B.19/2", "51.A.10/1", "51.B.18/1", "", "51.B.7/2", "", "", "", ""]
    assert [(each.done, each.needed) for each in found[:2]] == [(0, 2), (0, 1)]
    table.do("withdraw", entry=found[0].key, unit="1 Inf XX")
    first = listed(table)[0]
    assert (first.state, first.done, first.needed) == ("part done", 1, 2)
    table.do("withdraw", entry=found[0].key, unit="2 Inf XX")
    assert (listed(table)[0].state, listed(table)[0].order, listed(table)[0].done) == ("done", None, 2)


def test_each_line_tells_its_words_its_turn_and_whose_it_is(table: Table) -> None:
    first, last = listed(table)[0], listed(table)[-1]
    assert (first.text, first.verb, first.clause, first.when, first.nation, first.side, first.duty) == (
        *("Withdraw 2x 8-6 Inf XX", "withdraw", "51.B.19/1", "May 1 42", "Germany", "Axis"),
        True,
    )
    assert [each.duty for each in listed(table)][2:6] == [True, False, False, True]
    assert (last.nation, last.side, last.duty) == ("Soviet Union", "Soviet", True)


def test_a_side_is_shown_its_own_lines(table: Table) -> None:
    assert [each.side for each in listed(table, "Soviet")] == ["Soviet"]
    assert len(listed(table, "Axis")) == 9
    assert len(listed(table)) == 10
