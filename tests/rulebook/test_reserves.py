"""49  What a case cannot say: effects shown on units, quotes, and options."""

from fractions import Fraction

import pytest

from forcepool.engine.events import Marked, Noted
from forcepool.games.europa.reserves.changes import theatre_totals
from forcepool.games.europa.reserves.deployment import carried
from forcepool.games.europa.reserves.depots import Depot, charge
from forcepool.games.europa.reserves.quotes import quote
from forcepool.games.europa.reserves.status import rail_size
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

GIVEN = """
turn: May 1 41
phase: reinforcement
nations: {Germany: {base_number: 2}}
mds:
  iii: {country: Germany, theatre: reich, activity: inactive}
  iv: {country: Germany, theatre: reich, activity: inactive}
places:
  Berlin: {md: iii, city: yes, depot: yes}
  Dresden: {md: iv, city: yes, depot: yes}
pools: {reserve/operational: {German: {or: 40}}}
units:
  1 Inf XX: {spec: 7-6 Inf XX, at: Berlin, nation: German}
  2 Inf XX: {spec: 7-6 Inf XX, at: Berlin, nation: German, depots: [Berlin, Dresden]}
  3 Inf XX: {spec: 7-6 Inf XX, at: Berlin, nation: German, reserve: operational}
  4 Inf XX: {spec: 7-6 Inf XX, at: forming md/iii Aug 1 41, nation: German}
  5 Inf XX: {spec: 7-6 Inf XX, at: forming md/iii Aug 1 41, nation: German, reserve: strategic}
  6 Inf XX: {spec: 7-6 Inf XX, at: strategic national/Germany, nation: German, reserve: strategic}
"""


@pytest.fixture
def table() -> Table:
    return Table(GIVEN)


def world_of(table: Table) -> EuropaWorld:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return world


def reich(table: Table) -> Fraction:
    """The Axis REs in operational reserve in the theatre."""
    world = world_of(table)
    return theatre_totals(world, world.facts(table.campaign.state))["theatre/reich", "Axis"]


def shown(table: Table, name: str) -> set[str]:
    world, unit = world_of(table), table.unit(name)
    return {effect.clause for shows in world.game.shows for effect in shows(world, table.campaign.state, unit)}


@pytest.mark.clause("49.A.2.a/1", "49.A.2.b/1", "49.A.2.b/2", "49.A.2.c/1", "49.A.2.c/2", "49.A.2.f/1", "49.A.2.g/1")
def test_a_unit_in_operational_reserve_shows_what_it_may_and_may_not_do(table: Table) -> None:
    effects = {"49.A.2.a/1", "49.A.2.b/1", "49.A.2.b/2", "49.A.2.c/1", "49.A.2.c/2", "49.A.2.f/1", "49.A.2.g/1"}
    assert effects <= shown(table, "3 Inf XX")
    assert not effects & shown(table, "1 Inf XX")
    table.do("leave-reserve", unit="3 Inf XX")
    assert not effects & shown(table, "3 Inf XX")


@pytest.mark.clause("49.A.2.b/2")
def test_a_three_re_division_in_operational_reserve_takes_six_res_of_rail(table: Table) -> None:
    world = world_of(table)
    facts = world.facts(table.campaign.state)
    assert rail_size(world, facts, table.unit("3 Inf XX")) == 6
    assert rail_size(world, facts, table.unit("1 Inf XX")) == 3


@pytest.mark.clause("49.A/5", "49.B.1.3/3")
def test_a_forming_unit_shows_the_reserve_it_is_in(table: Table) -> None:
    assert "49.A/5" in shown(table, "4 Inf XX")
    assert "49.B.1.3/3" not in shown(table, "4 Inf XX")
    assert "49.B.1.3/3" in shown(table, "5 Inf XX")
    assert "49.A/5" not in shown(table, "5 Inf XX")


@pytest.mark.clause("49.A/3", "49.A/4")
def test_the_theatre_counts_what_lies_on_the_map_and_in_the_forming_box(table: Table) -> None:
    assert reich(table) == 6
    table.do("enter-reserve", unit="1 Inf XX")
    assert reich(table) == 9


def test_the_working_of_a_charge_reads_as_one_would_say_it() -> None:
    assert charge(Depot(), Fraction(3), 2).working == "2 at ×1, 1 at ×2 = 4"
    assert charge(Depot(), Fraction(0), 2).working == "free"
    assert charge(Depot(), Fraction(3, 2), 1).working == "1 at ×1, ½ at ×2 = 2"


@pytest.mark.clause("49.A.1.a/8")
def test_a_quote_finds_that_the_second_division_is_cheaper_at_the_fresh_depot(table: Table) -> None:
    given, best = quote(world_of(table), table.campaign.state, ["1 Inf XX", "2 Inf XX"])
    assert [line.cost for line in given.lines] == [4, 8]
    assert given.total == 12
    assert best.total == 8
    assert {line.unit: line.depot for line in best.lines} == {"1 Inf XX": "Berlin", "2 Inf XX": "Dresden"}
    assert table.holds("reserve/operational", "or") == 40


def test_a_quote_prices_leaving_strategic_reserve_at_twice_the_size(table: Table) -> None:
    given, _ = quote(world_of(table), table.campaign.state, ["6 Inf XX", "3 Inf XX"])
    assert [line.cost for line in given.lines] == [12, 4 + 4 + 5]


def test_a_quote_is_what_the_commands_then_charge(table: Table) -> None:
    given, _ = quote(world_of(table), table.campaign.state, ["1 Inf XX", "3 Inf XX"])
    table.do("enter-reserve", unit="1 Inf XX")
    table.do("leave-reserve", unit="3 Inf XX")
    assert table.holds("reserve/operational", "or") == 40 - given.total


def test_quote_reserves_notes_both_orders_and_changes_nothing_else(table: Table) -> None:
    done = table.do("quote-reserves", units=["1 Inf XX", "2 Inf XX"])
    texts = [event.text for event in done.entry.events if isinstance(event, Noted)]
    assert [text.partition(":")[0] for text in texts] == ["in this order", "cheapest"]
    assert "12 in all" in texts[0]
    assert "8 in all" in texts[1]
    assert len(texts) == len(done.entry.events)


@pytest.mark.clause("49.A.1.a.list2.i/3")
def test_the_options_offer_every_depot_a_unit_can_trace_to(table: Table) -> None:
    found = [(choice.command.depot, dict(choice.cost)) for choice in table.choices("enter-reserve", "2 Inf XX")]  # type: ignore[attr-defined]
    assert found == [("Berlin", {"or": Fraction(4)}), ("Dresden", {"or": Fraction(4)})]


@pytest.mark.clause("49.A.1.b.i/1")
def test_points_left_over_are_halved_exactly() -> None:
    half = Fraction(1, 2)
    assert carried(Fraction(7), half, "halved") == Fraction(7, 2)
    assert carried(Fraction(-6), half, "halved") == -3
    assert carried(Fraction(83, 2), half, "halved") == Fraction(83, 4)


MONTH = """
turn: May 2 41
phase: reinforcement
nations: {Bulgaria: {neutral: yes}}
mds:
  lublin: {country: Germany, activity: semi-active}
  sofia: {country: Bulgaria, activity: semi-active}
  ankara: {country: Turkey, activity: semi-active}
places:
  Lublin: {md: lublin, city: yes, depot: yes, owner: Axis}
  Sofia: {md: sofia, city: yes, depot: yes}
  Ankara: {md: ankara, city: yes, depot: yes}
units:
  8 Inf XX: {spec: 7-6 Inf XX, at: Lublin, nation: German, reserve: operational}
  1 Bul XX: {spec: 5-6 Inf XX, at: Sofia, nation: Bulgarian, reserve: operational}
"""


@pytest.mark.clause("49.A.1.a/1", "49/1")
@pytest.mark.parametrize(("nation", "waits"), [("Germany", "Jun 1 41"), ("Bulgaria", ""), ("Turkey", "")])
def test_a_nation_at_war_rolls_in_the_next_month_and_a_neutral_is_told_no_month(nation: str, waits: str) -> None:
    table = Table(MONTH)
    (reason,) = [
        each for each in table.refused("roll-deployment", nation=nation).reasons if each.clause == "49.A.1.a/1"
    ]
    world = table.campaign.world
    assert [world.turn_name(way.until.turn) if way.until else "" for way in reason.ways] == [waits] * bool(waits)


@pytest.mark.clause("49.A.1.a/2")
@pytest.mark.parametrize(
    ("unit", "says"),
    [
        ("8 Inf XX", ["declare its base number", "roll for the deployment of Germany on Jun 1 41"]),
        ("1 Bul XX", []),
    ],
)
def test_who_is_at_war_may_wait_for_the_roll_and_a_neutral_may_not(unit: str, says: list[str]) -> None:
    (reason,) = [
        each for each in Table(MONTH).refused("leave-reserve", unit=unit).reasons if each.clause == "49.A.1.a/2"
    ]
    assert reason.remedy == ", or ".join(says)


@pytest.mark.clause("49.A.1.e.i/1", "49.A.1.c.vi/1")
def test_in_the_enemys_turn_a_unit_that_nothing_activates_is_refused_for_the_phase_alone() -> None:
    soviet_turn = GIVEN.replace("phase: reinforcement", "player: Soviet\nphase: combat").replace("or: 40", "or: 4")
    table = Table(soviet_turn)
    assert [each.clause for each in table.refused("leave-reserve", unit="3 Inf XX").reasons] == ["49.A.1.e.i/1"]
    activated = table.refused("leave-reserve", unit="3 Inf XX", by="reaction").reasons
    # It counts six REs: two at the multiplier 1, two at 2 and two at 3.
    assert {each.clause: each.need for each in activated}["49.A.1.a/10"] == 12


@pytest.mark.clause("49.A.1.a.list2.ii/1")
def test_as_a_turn_ends_the_log_says_at_what_multiplier_the_depots_next_turn_of_use_begins(table: Table) -> None:
    table.do("enter-reserve", unit="1 Inf XX")
    turn = table.campaign.state.clock.turn
    while table.campaign.state.clock.turn == turn:
        table.do("advance")
    events = [event for entry in table.campaign.entries() for event in entry.events]
    kept = [event for event in events if isinstance(event, Marked) and event.mark == "or_multiplier"]
    assert [(event.value, event.says) for event in kept] == [(2, "its next turn of use this month begins at ×3")]
