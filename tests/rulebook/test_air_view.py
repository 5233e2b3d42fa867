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


CHANNEL = """
turn: May 2 41
player: Axis
phase: reinforcement
players: [Axis, Soviet]
theatres: {West: {}, Reich: {}, Interior: {country: Soviet Union}}
fronts: {Channel: {theatre: West}}
mds: {Berlin: {theatre: Reich, country: Germany}}
places:
  Lille: {front: Channel, airbase: yes, owner: Axis, airbase_capacity: 9}
  Moscow: {front: theatre/interior, airbase: yes, owner: Soviet}
pools:
  front/channel: {German: {arp: 4}}
  theatre/west: {German: {arp: 2}}
  theatre/reich: {German: {arp: -1/2}}
  theatre/interior: {Soviet: {arp: 6}}
  air-owed/front/channel: {German: {arp: 1}}
nations: {Germany: {rare_bvx: 2}, Rumania: {rare_cfmt: 1}}
units:
  Emil: {spec: 6F6 Me109E 1/14, at: aborted md/berlin, nation: German}
  Franz: {spec: 6F6 Me109E 1/14, at: aborted md/berlin, nation: German}
  Otto: {spec: 4B5 He111H 4-5X/24, at: eliminated front/channel, nation: German}
  Karl: {spec: 4B5 He111H 4-5X/24, at: Lille, nation: German}
  Odd: {spec: 4Z5 Kite 4-5/24, at: eliminated front/channel, nation: German}
  Stuka: {spec: 2D4 Ju87B 5/10, at: Lille, air_status: inoperative, nation: German}
  Flo: {spec: 2D4 Ju87B 5/10, at: Lille, air_status: flown, nation: German}
  Ext: {spec: 2D4 Ju87B 5/10, at: Lille, air_status: extended, nation: German}
  Back: {spec: 6F6 Me109E 1/14, at: track front/channel May 4 41, nation: German}
  Gone: {spec: 6F6 Me109E 1/14, at: out of play, nation: German}
  Iar: {spec: 5F6 IAR80 1/14, at: Lille, nation: Rumanian}
  Yak: {spec: 6F6 Yak1 1/14, at: Moscow, nation: Soviet}
charts:
  air_ob:
    - {turn: May 1 41, nation: German, does: withdraw, theatre: West, type: D, count: 2}
    - {turn: May 2 41, nation: German, does: convert, theatre: West, model: He111H, spec: 4B5 Ju88A 4-5/24}
    - {turn: May 3 41, nation: German, does: withdraw, theatre: West, code: X}
    - {turn: May 4 41, nation: German, does: withdraw, theatre: Reich}
    - {turn: Jun 1 41, nation: German, does: transfer, theatre: West, to: Malta, type: F}
    - {turn: Jun 1 41, nation: Soviet, does: arrive, theatre: Interior, spec: 6F6 Yak1 1/14, count: 2}
"""


@pytest.fixture
def channel() -> Table:
    return Table(CHANNEL)


def forward(table: Table, turn: str, side: str, phase: str) -> None:
    """Play on to a phase."""
    while table.campaign.world.when(table.campaign.state) != f"{turn}, {side} {phase} phase":
        table.do("advance")


@pytest.mark.clause("28/2")
def test_each_side_has_its_own_clock_and_its_next_steps_in_their_order(channel: Table) -> None:
    def steps(side: str) -> list[tuple[str, bool]]:
        clock = next(each for each in seen(channel).clocks if each.side == side)
        return [(each.when, each.now) for each in clock.steps]

    assert steps("Axis") == [
        ("May 2 41, Axis reinforcement phase", True),
        ("May 2 41, Axis replacement phase", False),
        ("May 4 41, Axis exploitation phase", False),
    ]
    channel.do("convert-air", unit="Karl")
    channel.do("withdraw-air", unit="Ext")
    channel.do("withdraw-air", unit="Flo")
    forward(channel, "May 2 41", "Axis", "exploitation")
    assert steps("Axis") == [
        ("May 3 41, Axis reinforcement phase", False),
        ("May 3 41, Axis replacement phase", False),
        ("May 4 41, Axis exploitation phase", False),
    ]
    assert steps("Soviet") == [
        ("May 2 41, Soviet reinforcement phase", False),
        ("May 2 41, Soviet replacement phase", False),
        ("May 4 41, Soviet exploitation phase", False),
    ]
    axis, soviet = seen(channel).clocks
    assert row(axis.turn, soviet.turn) == (2, 1)
    forward(channel, "May 2 41", "Soviet", "movement")
    assert [row(each.turn, each.of, each.last) for each in seen(channel).clocks] == [(2, 4, "May 4 41")] * 2


@pytest.mark.clause("28.D.list.4/3")
def test_what_is_on_its_way_lapses_with_the_rest_and_the_end_of_the_cycle_sets_the_half_aside() -> None:
    table = Table(CHANNEL.partition("charts:")[0].replace("turn: May 2 41", "turn: May 4 41"))
    table.do("transfer-arps", pool="theatre/west", into="theatre/reich", arps="2")
    west, reich = pool(table, "theatre/west"), pool(table, "theatre/reich")
    assert row(west.arps, west.coming, west.lapses, west.marker) == (0, 0, 0, False)
    assert row(reich.arps, reich.coming, reich.lapses, reich.marker, reich.left) == (Fraction(-1, 2), 2, 0, True, 0)
    before = pool(table, "front/channel")
    assert row(before.arps, before.owed, before.ceiling, before.left, before.lapses, before.unbound) == (
        *(4, 1, Fraction(3, 2), Fraction(3, 2), 1),
        False,
    )
    assert row(pool(table, "theatre/interior").unbound, pool(table, "theatre/interior").lapses) == (False, 3)
    forward(table, "May 4 41", "Axis", "exploitation")
    after, (axis, _) = pool(table, "front/channel"), seen(table).clocks
    assert row(after.unbound, after.left, axis.ending) == (True, 3, True)
    assert next((each.when, each.now) for each in axis.steps) == ("May 4 41, Axis exploitation phase", True)


@pytest.mark.clause("28.F/1", "28.E/3")
def test_a_line_names_what_it_asks_for_and_is_gone_once_it_is_done(channel: Table) -> None:
    def lines() -> list[tuple[str, str, str, int, int, str, tuple[str, ...]]]:
        return [(e.when, e.what, e.where, e.left, e.count, e.state, e.units) for e in seen(channel).orders]

    later = [
        ("May 3 41", "code X", "West", 1, 1, "later", ()),
        ("May 4 41", "any air unit", "Reich", 1, 1, "later", ()),
        ("Jun 1 41", "type F", "West → Malta", 1, 1, "later", ()),
        ("Jun 1 41", "6F6 Yak1 1/14", "Interior", 2, 2, "later", ()),
    ]
    conversion = ("May 2 41", "He111H → 4B5 Ju88A 4-5/24", "West", 1, 1, "due", ("Karl",))
    assert lines() == [
        ("May 1 41", "type D", "West", 2, 2, "late", ("Ext", "Flo", "Stuka")),
        conversion,
        *later,
    ]
    channel.do("withdraw-air", unit="Ext")
    assert lines()[0] == ("May 1 41", "type D", "West", 1, 2, "late", ("Flo", "Stuka"))
    channel.do("withdraw-air", unit="Flo")
    assert lines() == [conversion, *later]
    channel.do("convert-air", unit="Karl")
    assert lines() == later


@pytest.mark.clause("28.D.1/1", "28.D.list.1/1")
def test_every_unit_lies_on_the_shelf_of_its_chart_with_its_price_and_what_it_is_for(channel: Table) -> None:
    found = {
        box.key: [
            (shelf.area, unit.unit, unit.price, unit.clauses[:1], unit.due, unit.pairs)
            for shelf in box.shelves
            for unit in shelf.units
        ]
        for box in seen(channel).boxes
    }
    half = Fraction(1, 2)
    assert found == {
        "operative": [
            ("front/channel", "Iar", None, (), "", 0),
            ("front/channel", "Karl", None, (), "", 0),
            ("theatre/interior", "Yak", None, (), "", 0),
        ],
        "flown": [("front/channel", "Flo", half, ("28.D.list.1/1",), "", 0)],
        "extended": [("front/channel", "Ext", half, ("28.D.list.1/1",), "", 0)],
        "inoperative": [("front/channel", "Stuka", 1, ("28.D.list.1/1",), "", 0)],
        "aborted": [
            ("theatre/reich", "Emil", 1, ("28.D.1/1",), "", 1),
            ("theatre/reich", "Franz", 1, ("28.D.1/1",), "", 1),
        ],
        "eliminated": [
            ("front/channel", "Odd", None, (), "", 0),
            ("front/channel", "Otto", 3, ("28.D.1.list.c/1",), "", 0),
        ],
        "track": [("front/channel", "Back", None, (), "May 4 41", 0)],
    }
    assert [row(box.key, box.count) for box in seen(channel).boxes][:2] == [("operative", 3), ("flown", 1)]


def test_rare_codes_are_counted_for_each_force_that_has_them_or_has_spent_on_them(channel: Table) -> None:
    assert [row(each.nation, each.codes, each.spent, each.left, each.waiting) for each in seen(channel).rare] == [
        ("Germany", ("B", "V", "X"), 2, 1, 1),
        ("Rumania", ("C", "F", "M", "T"), 1, 5, 0),
    ]
    hidden = seen(channel, holds=lambda account: account.pool != "national/Rumania").rare
    assert [each.nation for each in hidden] == ["Germany"]
