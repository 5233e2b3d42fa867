"""49  What a plan of reserve changes costs before it is made, and how the reserves stand."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from msgspec import json

from forcepool.engine import codec
from forcepool.engine.ledger import Account
from forcepool.engine.state import Unit
from forcepool.games.europa.reserves.plans import WhatIf, Wish, what_if
from forcepool.games.europa.reserves.view import NationReserves, ReserveUnit, candidates, reserves
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

GERMANY = """
turn: May 1 41
phase: reinforcement
nations: {Germany: {base_number: 2}}
mds:
  iii: {country: Germany, theatre: reich, activity: inactive}
  iv: {country: Germany, theatre: reich, activity: inactive}
places:
  Berlin: {md: iii, city: yes, depot: yes}
  Dresden: {md: iv, city: yes, depot: yes}
pools: {reserve/operational: {German: {or: 20}}}
units:
  1 Inf XX: {spec: 7-6 Inf XX, at: Berlin, nation: German}
  2 Inf XX: {spec: 7-6 Inf XX, at: Berlin, nation: German, depots: [Berlin, Dresden]}
  3 Inf XX: {spec: 7-6 Inf XX, at: Berlin, nation: German, reserve: operational}
  4 Inf XX: {spec: 7-6 Inf XX, at: forming md/iii Aug 1 41, nation: German}
  6 Inf XX: {spec: 7-6 Inf XX, at: strategic national/Germany, nation: German, reserve: strategic}
"""
DELTA = """
turn: Sep 1 40
player: Allied
phase: reinforcement
campaign: {italy_at_war: yes, italians_entered: yes}
nations: {Britain: {base_number: 3}}
theatres: {Middle East: {}}
mds:
  egypt: {theatre: middle east, country: Egypt, activity: semi-active, mediterranean: yes, middle_east: yes}
places:
  Alexandria: {md: egypt, city: yes, depot: yes, depot_of: British, delta_or_palestine: yes, owner: Allied}
pools: {reserve/mediterranean: {British: {or: 8}}}
units:
  4 Ind Inf XX: {spec: 5-8 Inf XX, at: Alexandria, nation: British}
  16 Inf X: {spec: 4-8 Inf X, at: Alexandria, nation: British, reserve: strategic, mediterranean_reserve: yes}
"""


def world_of(table: Table) -> EuropaWorld:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return world


def asked(table: Table, *wishes: str, sees: Callable[[Unit], bool] = lambda unit: True) -> WhatIf:
    parted = [Wish(unit, change) for change, _, unit in (wish.partition(" ") for wish in wishes)]
    return what_if(world_of(table), table.campaign.state, parted, sees=sees)


def row(*values: Any) -> tuple[Any, ...]:
    """Numbers side by side, so that whole ones may be written as such."""
    return values


@pytest.fixture
def table() -> Table:
    return Table(GERMANY)


# ----------------------------------------------------------------------------------------------- plans


@pytest.mark.clause("49.A.1.a/8")
def test_a_plan_tells_the_working_of_each_charge_in_the_order_given_and_spends_nothing(table: Table) -> None:
    given = asked(table, "in 1 Inf XX", "in 2 Inf XX").given
    assert [each.charge for each in given.changes] == ["2 at ×1, 1 at ×2 = 4", "1 at ×2, 2 at ×3 = 8"]
    assert [each.cost for each in given.changes] == [4, 8]
    assert row(given.totals[0].have, given.totals[0].left) == (20, 8)
    assert given.passes
    assert table.holds("reserve/operational", "or") == 20


def test_without_a_wish_a_plan_costs_nothing(table: Table) -> None:
    found = asked(table)
    assert row(found.given.total, found.cheapest.total, found.saves) == (0, 0, 0)


@pytest.mark.clause("49.A.1.a/8")
def test_a_quote_tells_of_a_cheaper_order_only_where_there_is_one(table: Table) -> None:
    alone = table.do("quote-reserves", units=["1 Inf XX"]).entry.events
    both = table.do("quote-reserves", units=["1 Inf XX", "2 Inf XX"]).entry.events
    assert (len(alone), len(both)) == (1, 2)


@pytest.mark.clause("49.A.1/2", "49.A.1.a.list2.i/3")
def test_the_cheapest_plan_takes_the_fresh_depot_and_says_what_it_saves(table: Table) -> None:
    found = asked(table, "in 1 Inf XX", "in 2 Inf XX")
    assert found.saves == 4
    assert {each.unit: each.depot for each in found.cheapest.changes} == {"1 Inf XX": "Berlin", "2 Inf XX": "Dresden"}


def test_the_orders_of_a_plan_then_cost_what_it_said() -> None:
    table = Table(GERMANY.replace("or: 20", "or: 40"))
    plan = asked(table, "out 6 Inf XX", "in 2 Inf XX", "out 3 Inf XX").cheapest
    assert plan.passes
    for each in plan.changes:
        fields = dict(each.order)
        table.do(fields.pop("command"), **fields)
    assert table.holds("reserve/operational", "or") == 40 - plan.total


@pytest.mark.clause("49.A.1/2")
def test_strategic_after_operational_is_refused_in_ones_own_order_and_put_first_in_the_cheapest(table: Table) -> None:
    given = asked(table, "in 1 Inf XX", "strategic 2 Inf XX").given
    assert [bool(each.obstacles) for each in given.changes] == [False, True]
    assert "49.A.1/2" in {each.clause for each in given.changes[1].obstacles}
    other = asked(table, "strategic 2 Inf XX", "in 1 Inf XX")
    assert other.given.passes
    assert other.cheapest.passes


@pytest.mark.clause("49.A.1/2")
def test_the_cheapest_plan_has_strategic_changes_first_at_whichever_depot() -> None:
    table = Table(GERMANY.replace("depots: [Berlin, Dresden]", "depots: [Dresden]"))
    plan = asked(table, "in 1 Inf XX", "strategic 2 Inf XX").cheapest
    assert [(each.unit, each.depot) for each in plan.changes] == [("2 Inf XX", "Dresden"), ("1 Inf XX", "Berlin")]
    assert plan.passes


def test_where_two_countries_share_a_depot_the_one_with_the_narrow_bands_goes_first() -> None:
    given = GERMANY.replace("Germany: {base_number: 2}", "Germany: {base_number: 2}, Rumania: {base_number: 6}")
    given = given.replace("mds:\n", "mds:\n  ploesti: {country: Rumania, activity: inactive}\n")
    given = given.replace("places:\n", "places:\n  Ploesti: {md: ploesti, city: yes, depot: yes}\n")
    given = given.replace("{German: {or: 20}}", "{German: {or: 20}, Rumanian: {or: 20}}")
    given = given.replace(
        "units:\n", "units:\n  0 Inf XX: {spec: 4-6 Inf XX, at: Berlin, nation: Rumanian, depots: [Berlin]}\n"
    )
    found = asked(Table(given), "in 0 Inf XX", "in 1 Inf XX")
    # Three at ×1, then 1 at ×2 and 2 at ×3 by bands of two; the other way 2 at ×1, 1 at ×2, then three at ×1.
    assert row(found.given.total, found.cheapest.total, found.saves) == (11, 7, 4)
    assert [each.unit for each in found.cheapest.changes] == ["1 Inf XX", "0 Inf XX"]


@pytest.mark.clause("49.A.1.a/10")
def test_a_plan_that_runs_out_of_points_says_at_which_change(table: Table) -> None:
    plan = asked(table, "in 1 Inf XX", "out 3 Inf XX", "in 2 Inf XX").given
    assert [bool(each.obstacles) for each in plan.changes] == [False, False, True]
    assert plan.changes[2].obstacles[0].clause == "49.A.1.a/10"
    assert plan.totals[0].left < 0


@pytest.mark.clause("49.B.1.6/1", "49.B.1.7/1")
def test_leaving_the_box_counts_double_and_names_an_md_at_home(table: Table) -> None:
    (change,) = asked(table, "out 6 Inf XX").given.changes
    assert "×2 leaving strategic reserve" in change.size
    assert change.order["into"] in ("md/iii", "md/iv")
    assert not change.obstacles


def test_what_is_so_already_is_said_and_not_priced(table: Table) -> None:
    found = asked(table, "out 1 Inf XX", "in 3 Inf XX", "strategic 6 Inf XX", "in 2 Inf XX")
    assert [wish.unit for wish in found.done] == ["1 Inf XX", "3 Inf XX", "6 Inf XX"]
    assert [each.unit for each in found.given.changes] == ["2 Inf XX"]


def test_a_hidden_unit_is_answered_as_one_that_does_not_exist(table: Table) -> None:
    hidden = asked(table, "in 1 Inf XX", "in 99 Inf XX", sees=lambda unit: unit.id != "1 Inf XX")
    assert hidden.unknown == ("1 Inf XX", "99 Inf XX")
    assert not hidden.given.changes


def test_points_that_may_not_be_seen_pay_for_nothing(table: Table) -> None:
    world, state = world_of(table), table.campaign.state
    found = what_if(world, state, [Wish("1 Inf XX", "in")], holds=lambda account: False)
    assert found.unknown == ("1 Inf XX",)


def test_a_unit_named_twice_counts_once(table: Table) -> None:
    assert len(asked(table, "in 1 Inf XX", "strategic 1 Inf XX").given.changes) == 1


# ------------------------------------------------------------------------------------------- how they stand


def nation(table: Table, name: str) -> NationReserves:
    found = reserves(world_of(table), table.campaign.state)
    return next(each for each in found.nations if each.nation == name)


@pytest.mark.clause("49.A.1.a/13", "49.A.1.a.list2.i/1")
def test_a_depot_shows_what_the_next_res_cost(table: Table) -> None:
    berlin = nation(table, "Germany").depots[0]
    assert row(berlin.depot, berlin.used, berlin.multiplier, berlin.room) == ("Berlin", 0, 1, 2)
    table.do("enter-reserve", unit="1 Inf XX")
    berlin = nation(table, "Germany").depots[0]
    assert row(berlin.used, berlin.multiplier, berlin.room) == (3, 2, 1)


def test_a_country_shows_its_number_and_points_and_whether_it_may_roll() -> None:
    table = Table(GERMANY.replace("nations: {Germany: {base_number: 2}}\n", ""))
    before = nation(table, "Germany")
    assert before.base is None
    assert before.may_roll == {"command": "roll-deployment", "nation": "Germany"}
    assert before.tracks[0].brings == "1 × (2 inactive × ½) = 1"
    after = nation(Table(GERMANY), "Germany")
    assert row(after.base, after.may_roll) == (2, None)


def in_group(table: Table, title: str) -> dict[str, ReserveUnit]:
    found = reserves(world_of(table), table.campaign.state)
    return {unit.unit: unit for group in found.groups if group.title == title for unit in group.units}


@pytest.mark.clause("49/1", "49.A/5")
def test_everyone_in_reserve_is_listed_under_it(table: Table) -> None:
    assert set(in_group(table, "Operational reserve")) == {"3 Inf XX"}
    assert set(in_group(table, "Operational reserve, forming")) == {"4 Inf XX"}
    assert set(in_group(table, "Strategic reserve")) == {"6 Inf XX"}


@pytest.mark.clause("49.A.3/5", "49.B.3/1")
def test_a_unit_in_reserve_shows_what_it_brings_and_strategic_reserve_brings_twice(table: Table) -> None:
    operational = in_group(table, "Operational reserve")["3 Inf XX"]
    strategic = in_group(table, "Strategic reserve")["6 Inf XX"]
    assert operational.brings == Fraction(10) * Fraction(1, 2) / 50
    assert strategic.brings == 2 * operational.brings


def test_a_seat_sees_neither_hidden_units_nor_hidden_points(table: Table) -> None:
    world, state = world_of(table), table.campaign.state
    found = reserves(world, state, sees=lambda unit: unit.id == "3 Inf XX", holds=lambda account: False)
    assert found.nations == ()
    assert [unit.unit for group in found.groups for unit in group.units] == ["3 Inf XX"]
    assert candidates(world, state, holds=lambda account: False) == ()


def test_units_may_be_chosen_for_what_makes_sense_for_them(table: Table) -> None:
    ways = {each.unit: each.ways for each in candidates(world_of(table), table.campaign.state)}
    assert ways == {
        "1 Inf XX": ("in", "strategic"),
        "2 Inf XX": ("in", "strategic"),
        "3 Inf XX": ("out", "strategic"),
        "4 Inf XX": ("strategic",),
        "6 Inf XX": ("out",),
    }


# -------------------------------------------------------------------------------------------- the Mediterranean


@pytest.mark.clause("49.B.2/7", "49.B.2/9")
def test_the_mediterranean_reserve_shows_what_it_lacks_and_what_that_costs() -> None:
    table = Table(DELTA)
    found = reserves(world_of(table), table.campaign.state).mediterranean
    assert found is not None
    assert row(found.points, found.minimum_res, found.minimum_hqs, found.res, found.hqs) == (8, 6, 2, 1, 0)
    assert row(found.missing_res, found.missing_hqs, found.vps_a_month) == (5, 2, 5)
    assert set(in_group(table, "Mediterranean strategic reserve")) == {"16 Inf X"}


def test_there_is_none_before_italy_is_at_war_nor_for_those_who_do_not_see_britain() -> None:
    early = Table(DELTA.replace("italy_at_war: yes, ", ""))
    assert reserves(world_of(early), early.campaign.state).mediterranean is None
    table = Table(DELTA)
    assert reserves(world_of(table), table.campaign.state, holds=not_britains).mediterranean is None


def not_britains(account: Account) -> bool:
    return account.nation != "Britain"


@pytest.mark.clause("49.B.2/6")
def test_a_division_enters_the_mediterranean_reserve_with_its_own_points() -> None:
    (change,) = asked(Table(DELTA), "mediterranean 4 Ind Inf XX").given.changes
    assert change.change == "into the Mediterranean reserve"
    assert change.payer == "Britain"
    assert not change.obstacles


def test_all_of_it_is_plain_data(table: Table) -> None:
    found = reserves(world_of(table), table.campaign.state)
    assert json.decode(codec.encode(found))["nations"][0]["tracks"][0]["points"] == "20"
    assert json.decode(codec.encode(asked(table, "in 1 Inf XX")))["given"]["total"] == "4"
