"""49  How the reserves of both sides stand on one page: countries, tracks, depots, groups, and who may be chosen."""

from fractions import Fraction
from typing import Any

import pytest

from forcepool.games.europa.reserves.view import MediterraneanReserve, Reserves, candidates, reserves
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

BOTH = """
turn: May 1 42
player: Soviet
phase: reinforcement
nations: {Germany: {base_number: 3}}
theatres: {East: {}, Reich: {}, Interior: {}}
mds:
  iii: {country: Germany, theatre: reich, activity: inactive}
  iv: {country: Germany, theatre: reich, activity: semi-active}
  moscow: {country: Soviet Union, theatre: interior, activity: active, friendly_hq: yes}
  lublin: {theatre: east}
places:
  Berlin: {md: iii, city: yes, depot: yes, owner: Axis}
  Dresden: {md: iv, city: yes, depot: yes, owner: Axis, or_multiplier: 2}
  Moscow: {md: moscow, city: yes, depot: yes, owner: Soviet}
  Lublin: {md: lublin, city: yes, owner: Axis}
pools:
  reserve/operational: {German: {or: 20}, Rumanian: {or: 1}}
  national/Germany: {Hungarian: {inf: 3}}
units:
  1 Inf XX: {spec: 7-6 Inf XX, at: Lublin, nation: German}
  2 Inf XX: {spec: 7-6 Inf XX, at: Lublin, nation: German, reserve: operational}
  3 Inf X: {spec: 2-6 Inf X, at: Berlin, nation: German, reserve: operational}
  4 Inf X: {spec: 2-6 Inf X, at: Berlin, nation: German, reserve: operational}
  5 Inf XX: {spec: 7-6 Inf XX, at: eliminated front/x, nation: German}
  6 Rif XX: {spec: 4-6 Rif XX, at: Moscow, nation: Soviet}
  7 Inf XX: {spec: 4-6 Inf XX, at: Lublin, nation: Hungarian}
  Emil: {spec: 6F6 Me109E 1/14, at: Berlin, nation: German}
"""
DELTA = """
turn: Sep 1 40
player: Allied
phase: reinforcement
campaign: {italy_at_war: yes}
nations: {Britain: {base_number: 3}}
theatres: {Middle East: {}}
mds:
  egypt: {theatre: middle east, country: Egypt, activity: semi-active, mediterranean: yes, middle_east: yes}
places:
  Alexandria: {md: egypt, city: yes, depot: yes, depot_of: British, delta_or_palestine: yes, owner: Allied}
  Siwa: {md: egypt, town: yes, owner: Allied}
pools: {reserve/mediterranean: {British: {or: 8}}}
units:
  4 Ind Inf XX: {spec: 5-8 Inf XX, at: Alexandria, nation: Indian}
  5 Inf X: {spec: 2-8 Inf X, at: Siwa, nation: British}
  6 Inf X: {spec: 2-8 Inf X, at: forming md/egypt Dec 1 40, nation: British}
  16 Inf X: {spec: 4-8 Inf X, at: Alexandria, nation: British, reserve: strategic, mediterranean_reserve: yes}
  17 Inf X: {spec: 2-6 Inf X, at: Alexandria, nation: Italian}
"""


def seen(table: Table) -> Reserves:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return reserves(world, table.campaign.state)


def ways(table: Table) -> list[tuple[str, str, tuple[str, ...]]]:
    world = table.campaign.world
    assert isinstance(world, EuropaWorld)
    return [(each.unit, each.reserve, each.ways) for each in candidates(world, table.campaign.state)]


def row(*values: Any) -> tuple[Any, ...]:
    """Numbers side by side, so that whole ones may be written as such."""
    return values


@pytest.fixture
def both() -> Table:
    return Table(BOTH)


def test_countries_with_depots_or_points_are_listed_the_phasing_sides_first(both: Table) -> None:
    soviet, germany, rumania = seen(both).nations
    assert [each.nation for each in (soviet, germany, rumania)] == ["Soviet Union", "Germany", "Rumania"]
    assert (soviet.base, soviet.may_roll) == (None, {"command": "roll-deployment", "nation": "Soviet Union"})
    assert (soviet.why_not, germany.why_not) == ("", "")
    assert (germany.base, germany.may_roll) == (3, None)
    assert (rumania.base, rumania.may_roll) == (None, None)
    assert rumania.why_not.startswith("it is May 1 42, Soviet reinforcement phase")
    assert [each.modifier for each in soviet.modifiers] == [-1]
    assert germany.modifiers == ()
    assert [each.modifier for each in rumania.modifiers] == [-2]


def test_each_track_tells_its_points_and_what_a_number_of_one_would_bring(both: Table) -> None:
    soviet, germany, rumania = ([row(t.points, t.brings) for t in each.tracks] for each in seen(both).nations)
    assert soviet == [(0, "1 × (1 active × 2) = 2")]
    assert germany == [(20, "1 × (1 semi-active × 1 + 1 inactive × ½) = 1½")]
    assert rumania == [(1, "")]


@pytest.mark.clause("49.A.1.a.list2.ii/1")
def test_a_depot_used_on_an_earlier_turn_begins_one_above_its_box(both: Table) -> None:
    depots = seen(both).nations[1].depots
    assert [row(d.depot, d.area, d.activity, d.stored, d.used, d.multiplier, d.room) for d in depots] == [
        ("Berlin", "md/iii", "inactive", 0, 0, 1, 3),
        ("Dresden", "md/iv", "semi-active", 2, 0, 3, 3),
    ]
    # Before it has rolled, a country's bands are shown one RE wide.
    assert [row(d.multiplier, d.room) for d in seen(both).nations[0].depots] == [(1, 1)]


def test_operational_reserve_is_told_theatre_by_theatre_with_its_res(both: Table) -> None:
    assert [row(g.key, g.area, g.res, tuple(u.unit for u in g.units)) for g in seen(both).groups] == [
        ("0-theatre-east", "theatre/east", 3, ("2 Inf XX",)),
        ("0-theatre-reich", "theatre/reich", 2, ("3 Inf X", "4 Inf X")),
    ]
    abroad, home = (group.units[0] for group in seen(both).groups)
    assert (home.kind, home.brings) == ("inf", Fraction(3, 100))
    assert row(abroad.res, home.res) == (3, 1)
    # What it would count for when it leaves.
    assert (abroad.size, home.size) == ("3 RE, ×½ leaving in an active MD or the battle zone, counts 1½", "1 RE")


def test_what_is_at_home_may_go_into_strategic_reserve_too_and_what_flies_or_is_dead_into_none(both: Table) -> None:
    assert ways(both) == [
        ("2 Inf XX", "operational", ("out",)),
        ("3 Inf X", "operational", ("out", "strategic")),
        ("4 Inf X", "operational", ("out", "strategic")),
        ("1 Inf XX", "none", ("in",)),
        ("6 Rif XX", "none", ("in", "strategic")),
        # A Hungarian division has no depot of its own and uses those of Germany.
        ("7 Inf XX", "none", ("in",)),
    ]


def test_the_mediterranean_reserve_takes_what_stands_in_the_delta_or_forms(both: Table) -> None:
    table = Table(DELTA)
    assert ways(table) == [
        ("16 Inf X", "strategic", ("out",)),
        ("6 Inf X", "operational", ("strategic", "mediterranean")),
        ("4 Ind Inf XX", "none", ("in", "mediterranean")),
        ("5 Inf X", "none", ("in",)),
    ]
    assert ways(both)[0] == ("2 Inf XX", "operational", ("out",))
    assert [row(g.key, g.res, tuple(u.unit for u in g.units)) for g in seen(table).groups] == [
        ("1", 1, ("6 Inf X",)),
        ("3", 1, ("16 Inf X",)),
    ]
    assert [row(t.account, t.points) for t in seen(table).nations[0].tracks] == [
        ("reserve/operational", 0),
        ("reserve/mediterranean", 8),
    ]


def test_before_italy_is_at_war_nobody_is_offered_the_mediterranean_reserve() -> None:
    assert ways(Table(DELTA.replace("campaign: {italy_at_war: yes}", "campaign: {}"))) == [
        ("16 Inf X", "strategic", ("out",)),
        ("6 Inf X", "operational", ("strategic",)),
        ("4 Ind Inf XX", "none", ("in",)),
        ("5 Inf X", "none", ("in",)),
    ]


def mediterranean(given: str) -> MediterraneanReserve:
    found = seen(Table(given)).mediterranean
    assert found is not None
    return found


def test_before_italians_enter_nothing_is_missing_from_the_mediterranean_reserve() -> None:
    quiet, entered = (
        mediterranean(DELTA),
        mediterranean(DELTA.replace("at_war: yes", "at_war: yes, italians_entered: yes")),
    )
    assert row(quiet.minimum_res, quiet.res, quiet.missing_res, quiet.vps_a_month) == (0, 1, 0, 0)
    assert row(entered.minimum_res, entered.missing_res, entered.missing_hqs, entered.vps_a_month) == (6, 5, 2, 5)
    assert row(quiet.minimum_hqs, quiet.missing_hqs, entered.minimum_hqs, entered.hqs) == (0, 0, 2, 0)
    assert (quiet.on_credit, quiet.overdrawn) == (False, False)


def test_with_one_account_the_reserve_shows_the_points_of_the_common_track() -> None:
    given = DELTA.replace(
        "phase: reinforcement", "phase: reinforcement\nhouse_rules: {mediterranean-account: one-account}"
    )
    assert (
        mediterranean(
            given.replace("reserve/mediterranean: {British: {or: 8}}", "reserve/operational: {British: {or: 5}}")
        ).points
        == 5
    )
