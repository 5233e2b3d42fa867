"""28  How the air cycle stands: its clock, what may be spent, who waits in which box, and what the Air OB asks."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from forcepool.engine.ledger import Account
from forcepool.engine.state import Unit
from forcepool.games.europa.air.view import AirCycle, ArpPool, air
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

GIVEN = """
turn: May 1 41
player: Axis
phase: replacement
theatres: {West: {}, Reich: {}}
places: {Lille: {front: theatre/west, airbase: yes, owner: Axis, airbase_capacity: 6}}
pools: {theatre/west: {German: {arp: 7}}, theatre/reich: {German: {arp: 1/2}}}
units:
  Emil: {spec: 6F6 Me109E 1/14, at: aborted theatre/west, nation: German}
  Franz: {spec: 6F6 Me109E 1/14, at: aborted theatre/west, nation: German}
  Otto: {spec: 4B5 He111H 4-5X/24, at: eliminated theatre/west, nation: German}
  Stuka: {spec: 2D4 Ju87B 5/10, at: Lille, air_status: inoperative, nation: German}
  Hans: {spec: 6F6 Me109E 1/14, at: Lille, nation: German}
charts:
  air_replacements:
    - {nation: German, theatre: West, arps: 9, turn: Jun 1 41}
  air_ob:
    - {turn: May 1 41, nation: German, does: withdraw, theatre: West, type: F}
    - {turn: Jun 2 41, nation: German, does: arrive, theatre: Reich, spec: 7F8 Me109F 2/12, count: 2}
"""


def seen(
    table: Table,
    sees: Callable[[Unit], bool] = lambda unit: True,
    holds: Callable[[Account], bool] = lambda account: True,
) -> AirCycle:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return air(world, table.campaign.state, sees=sees, holds=holds)


def row(*values: Any) -> tuple[Any, ...]:
    """Numbers side by side, so that whole ones may be written as such."""
    return values


@pytest.fixture
def table() -> Table:
    return Table(GIVEN)


def pool(table: Table, name: str) -> ArpPool:
    return next(each for each in seen(table).pools if each.pool == name)


@pytest.mark.clause("28/2")
def test_the_clock_tells_the_turn_of_the_cycle_and_when_it_ends(table: Table) -> None:
    axis = next(each for each in seen(table).clocks if each.side == "Axis")
    assert row(axis.turn, axis.of, axis.last, axis.ending) == (1, 4, "May 4 41", False)
    assert [each.now for each in axis.steps] == [True, False, False]
    assert [row(each.pool, each.arps) for each in axis.coming] == [("theatre/west", 9)]
    fourth = seen(Table(GIVEN.replace("turn: May 1 41\nplayer", "turn: May 4 41\nplayer"))).clocks[0]
    assert row(fourth.turn, fourth.ending) == (4, False)


@pytest.mark.clause("28.D.list.3/1")
def test_a_replacement_phase_may_spend_half_the_pool_and_what_it_spent_counts(table: Table) -> None:
    before = pool(table, "theatre/west")
    assert row(before.arps, before.ceiling, before.spent, before.left) == (7, Fraction(7, 2), 0, Fraction(7, 2))
    table.do("repair-air", unit="Emil")
    after = pool(table, "theatre/west")
    assert row(after.arps, after.ceiling, after.spent, after.left) == (6, Fraction(7, 2), 1, Fraction(5, 2))


@pytest.mark.clause("28.D.list.3/1")
def test_a_house_rule_that_rounds_the_half_rounds_it_here_too() -> None:
    table = Table(GIVEN)
    table.do("house-rule", rule="air-half-pool", option="round-down")
    assert pool(table, "theatre/west").ceiling == 3


@pytest.mark.clause("28.D.list.5/1")
def test_what_is_beyond_three_lapses_and_three_do_not(table: Table) -> None:
    assert pool(table, "theatre/west").lapses == 4
    assert pool(table, "theatre/reich").lapses == 0
    assert pool(Table(GIVEN.replace("arp: 7", "arp: 3")), "theatre/west").lapses == 0


@pytest.mark.clause("28.D.1/1", "28.D.1.list.c/1")
def test_the_boxes_show_who_waits_and_what_each_costs(table: Table) -> None:
    boxes = {box.key: [unit for shelf in box.shelves for unit in shelf.units] for box in seen(table).boxes}
    assert {key: [unit.unit for unit in units] for key, units in boxes.items()} == {
        "operative": ["Hans"],
        "inoperative": ["Stuka"],
        "aborted": ["Emil", "Franz"],
        "eliminated": ["Otto"],
    }
    prices = {unit.unit: unit.price for units in boxes.values() for unit in units}
    assert prices == {"Hans": None, "Stuka": 1, "Emil": 1, "Franz": 1, "Otto": 3}
    assert [unit.pairs for unit in boxes["aborted"]] == [1, 1]


@pytest.mark.clause("28.D.1.a.i/1", "28.D.1.a/2")
def test_rare_codes_show_what_the_cycle_still_allows(table: Table) -> None:
    (before,) = seen(table).rare
    assert row(before.codes, before.spent, before.left, before.waiting) == (("B", "V", "X"), 0, 3, 1)
    table.do("replace-air", unit="Otto")
    (after,) = seen(table).rare
    assert row(after.spent, after.left, after.waiting) == (3, 0, 0)


def test_the_air_ob_shows_what_is_due_with_those_it_would_take_and_what_is_to_come(table: Table) -> None:
    withdrawal, arrival = seen(table).orders
    assert row(withdrawal.state, withdrawal.units[0], withdrawal.left) == ("due", "Hans", 1)
    assert set(withdrawal.units) == {"Hans", "Emil", "Franz"}
    assert row(arrival.state, arrival.units, arrival.count) == ("later", (), 2)
    late = seen(Table(GIVEN.replace("turn: May 1 41\nplayer", "turn: May 2 41\nplayer"))).orders[0]
    assert late.state == "late"


@pytest.mark.clause("28.F/3")
def test_arps_owed_are_shown_and_are_not_there_to_spend() -> None:
    given = GIVEN.replace("phase: replacement", "phase: reinforcement").replace("arp: 7", "arp: 1/2")
    table = Table(given.replace("Hans: {spec: 6F6 Me109E 1/14, at: Lille", "Hans: {spec: 2D4 Ju87B 5/10, at: Lille"))
    table.do("withdraw-air", unit="Emil")
    west = pool(table, "theatre/west")
    assert row(west.owed, west.left) == (Fraction(1, 2), 0)


def test_what_a_seat_may_not_see_is_not_there(table: Table) -> None:
    nothing = seen(table, sees=lambda unit: False, holds=lambda account: False)
    assert row(nothing.pools, nothing.boxes, nothing.rare, nothing.orders, nothing.clocks) == ((), (), (), (), ())
    west = seen(table, sees=lambda unit: False, holds=lambda account: account.pool == "theatre/west")
    assert [each.pool for each in west.pools] == ["theatre/west"]
    assert [(each.does, each.units) for each in west.orders] == [("withdraw", ())]
