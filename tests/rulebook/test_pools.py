"""52.A.1, 52.A.12, 52.B and 52.F.4.a  Pools and boxes: what cases cannot say."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from forcepool.engine.command import BadCommand
from forcepool.engine.desk import CorrectPoints
from forcepool.engine.events import Moved, Transferred
from forcepool.engine.ledger import imbalance
from forcepool.engine.wording import event_in_words
from forcepool.games.europa.ground import sources, transport
from forcepool.games.europa.ground.pools import charts, on_the_way, read_amounts
from forcepool.games.europa.replacements.general.placement import candidates
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

GIVEN = """
turn: Jul 1 41
fronts: {North: {theatre: East}, Centre: {theatre: East}, South: {theatre: East}}
places:
  Riga: {front: North, city: yes, owner: Axis}
  Minsk: {front: Centre, city: yes, owner: Axis}
  Sydney: {designated_port: yes}
pools:
  national/Germany: {German: {inf: 10, arm: 2}}
  theatre/east: {German: {inf: 3}, Rumanian: {inf: 1}}
  capacity/axis: {German: {rail: 10}}
units:
  4 Inf XX: {spec: 8-6 Inf XX (3-6), at: eliminated front/north, nation: German}
  5 Inf XX: {spec: 8-6 Inf XX (3-6), at: isolated Germany, nation: German}
  6 Inf III: {spec: 2-6 Inf III, at: track front/centre Jul 1 41, nation: German}
"""


@pytest.fixture
def table() -> Table:
    return Table(GIVEN)


def world_of(table: Table) -> EuropaWorld:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return world


@pytest.mark.clause("52.F.4.a/1")
def test_a_theatre_with_three_fronts_has_four_charts(table: Table) -> None:
    assert charts(world_of(table)) == ["front/centre", "front/north", "front/south", "theatre/east"]


@pytest.mark.clause("52.B/8")
def test_a_commonwealth_country_draws_on_designated_ports(table: Table) -> None:
    world = world_of(table)
    facts = world.facts(table.campaign.state)
    assert sources.listed(world, facts, "Australia") == ["Sydney"]
    assert sources.line_for(world, facts, "Canada").clause == "52.B/8"


@pytest.mark.clause("52.B/10")
def test_a_soviet_contingent_draws_on_the_sources_of_the_soviet_union(table: Table) -> None:
    world, state = world_of(table), table.campaign.state
    assert sources.power_behind(world, state, "Czechoslovakia") == "Soviet Union"
    assert sources.power_behind(world, state, "Rumania") == "Rumania"


def test_points_and_units_are_conserved_by_every_way_of_moving_them(table: Table) -> None:
    for name, fields in (
        ("transfer-points", {"pool": "national/Germany", "into": "theatre/east", "points": "4 inf, 1/2 arm"}),
        ("transfer-points", {"pool": "theatre/east", "into": "front/north", "points": "5 inf", "nation": "German"}),
        ("recover", {"unit": "4 Inf XX"}),
        ("scrap", {"unit": "5 Inf XX"}),
        ("place", {"unit": "6 Inf III", "at": "Minsk"}),
    ):
        table.do(name, **fields)
        assert imbalance(table.campaign.state.balances.items()) == {}
    assert len(table.campaign.state.units) == 3


def test_a_moved_point_is_in_one_account_only_until_it_is_usable(table: Table) -> None:
    table.do("transfer-points", pool="national/Germany", into="theatre/east", points="4 inf")
    turn = table.campaign.state.clock.turn
    assert list(on_the_way(table.campaign.state)) == [(turn + 1, "theatre/east", "Germany", "inf", Fraction(4))]
    table.do("transfer-points", pool="theatre/east", into="front/north", points="3/2 inf", nation="German")
    assert [(pool, amount) for _, pool, _, _, amount in on_the_way(table.campaign.state)] == [
        ("front/north", Fraction(3, 2)),
        ("theatre/east", Fraction(5, 2)),
    ]


def test_a_pool_with_the_points_of_two_nations_asks_whose_are_meant(table: Table) -> None:
    with pytest.raises(BadCommand, match="say whose points with nation="):
        table.do("transfer-points", pool="theatre/east", into="front/north", points="1 inf")


@pytest.mark.parametrize("text", ["", "inf", "4", "x inf", "4 gold", "0 inf", "-1 inf", "1 inf,"])
def test_what_is_no_amount_of_points_is_said_so(table: Table, text: str) -> None:
    with pytest.raises(BadCommand):
        read_amounts(world_of(table), text)


def test_the_same_kind_twice_adds_up(table: Table) -> None:
    assert read_amounts(world_of(table), "1/2 inf, 3 inf") == {"inf": Fraction(7, 2)}


def test_an_unknown_means_of_transport_is_said_so(table: Table) -> None:
    with pytest.raises(BadCommand, match="by= is rail, supply-rail, air or naval, not 'camel'"):
        table.do("transfer-points", pool="national/Germany", into="theatre/east", points="1 inf", by="camel")


def test_the_enemy_gives_no_orders_to_a_pool(table: Table) -> None:
    with pytest.raises(BadCommand, match="Axis"):
        table.do("transfer-points", seat="Soviet", pool="national/Germany", into="theatre/east", points="1 inf")


@pytest.mark.clause("52.A.1/10")
def test_capacity_nobody_counts_is_still_on_record() -> None:
    table = Table(GIVEN.replace("  capacity/axis: {German: {rail: 10}}\n", ""))
    done = table.do("transfer-points", pool="national/Germany", into="theatre/east", points="7/2 inf", by="naval")
    used = [event for event in done.entry.events if isinstance(event, Transferred) and event.to == transport.USED]
    assert [(event.amount, event.kind, event.frm) for event in used] == [(Fraction(7, 2), "naval", transport.GIVEN)]
    assert transport.left(world_of(table), table.campaign.state, "Germany", "naval") is None


def test_the_lines_between_two_pools_are_those_below_what_they_share(table: Table) -> None:
    world = world_of(table)
    assert transport.links(world, "front/north", "front/south") == ["front/north", "front/south"]
    assert transport.links(world, "national/Germany", "front/north") == ["front/north", "theatre/east"]
    assert transport.links(world, "theatre/east", "front/north") == ["front/north"]


def test_the_hexes_offered_for_an_arrival_are_those_of_its_front(table: Table) -> None:
    state = table.campaign.state
    assert candidates(world_of(table), state, state.units["6 Inf III"]) == ["Minsk"]


@pytest.mark.clause("52.A.4/4")
def test_the_sub_box_is_named_by_its_week(table: Table) -> None:
    table.do("correct-points", pool="national/Germany", nation="Germany", kind="inf", amount="1", note="enough")
    done = table.do("leave-isolated-box", unit="5 Inf XX")
    moved = [event for event in done.entry.events if isinstance(event, Moved)]
    assert moved[0].says == "in the week 1 sub-box, available Aug 1 41"


def test_points_on_their_way_are_shown_by_pool_and_turn(table: Table) -> None:
    done = table.do("transfer-points", pool="national/Germany", into="theatre/east", points="4 inf")
    moved = [event for event in done.entry.events if isinstance(event, Transferred) and event.kind == "inf"]
    assert event_in_words(world_of(table), moved[0]).startswith(
        "4 inf of Germany: national/Germany → theatre/east from Jul 2 41"
    )


@pytest.mark.clause("52.A.12/1", "52.A.5/1")
def test_what_is_on_its_way_is_waited_for_until_its_owner_has_his_turn_or_phase() -> None:
    given = """
turn: Aug 1 41
players: [Axis, Soviet]
mds: {Moscow: {country: Soviet Union}, Orel: {country: Soviet Union}}
places: {Moscow: {md: Moscow, city: yes, owner: Soviet}, Orel: {md: Orel, city: yes, owner: Soviet}}
units: {149 Rif XX: {spec: 3-6 Rif XX (1-6), nation: Soviet, at: eliminated md/moscow Aug 2 41}}
"""
    table = Table(given)
    sequence, calendar = world_of(table).sequence, world_of(table).calendar
    for order, fields, when in (
        ("transfer-unit", {"into": "md/orel"}, "Aug 2 41, Soviet initial phase"),
        ("recover", {}, "Aug 2 41, Soviet replacement phase"),
    ):
        until = table.refused(order, unit="149 Rif XX", **fields).reasons[0].ways[0].until
        assert until is not None
        assert sequence.describe(calendar, until) == when


def test_a_balance_is_put_right_by_some_amount() -> None:
    table = Table("pools: {front/west: {German: {inf: 3}}}")
    order = CorrectPoints(pool="front/west", nation="German", kind="inf", amount="0", note="miscounted")
    with pytest.raises(BadCommand, match="say by how much"):
        table.campaign.do(order)
    table.campaign.do(replace(order, amount="-1/2"))
    assert table.campaign.state.balance("front/west", "Germany", "inf") == Fraction(5, 2)
