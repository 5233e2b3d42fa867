"""What a refusal or a price must not cite: a clause that has no part in it would send the player the wrong way."""

import pytest

from forcepool.engine.events import Transferred
from tests.support.table import Table

ARMOUR = """
turn: Jul 1 42
player: Axis
fronts: {centre: {theatre: east}}
pools: {front/centre: {German: {inf: 20, arm: 20}}}
units:
  1 Pz II: {spec: 3-10 Pz II, at: eliminated front/centre, nation: German}
  6 Pz XX: {spec: 12-10 Pz XX (5-8), at: eliminated front/centre, nation: German}
"""


def behind_the_price(unit: str) -> set[str]:
    """The clauses behind what a unit costs to buy back."""
    done = Table(ARMOUR).do("replace", unit=unit, pay_from="front/centre")
    paid = [event for event in done.entry.events if isinstance(event, Transferred) and event.kind in ("inf", "arm")]
    assert paid
    return {clause for event in paid for clause in event.because.split()}


@pytest.mark.clause("52.D.1.a/5")
def test_the_chart_of_mixed_costs_stands_behind_a_mixed_price_and_no_pure_one() -> None:
    assert "52.D.1.a/5" in behind_the_price("6 Pz XX")
    assert "52.D.1.a/5" not in behind_the_price("1 Pz II")


EMPIRE = """
turn: Jul 1 42
player: Allied
fronts: {africa: {theatre: med}}
pools: {front/africa: {New Zealander: {inf: 3}, British: {POINTS}}}
units: {1 Inf X: {spec: 4-8 Inf X, at: eliminated front/africa, nation: New Zealander}}
"""


@pytest.mark.clause("52.D.3.b.ii/1")
def test_a_nation_short_of_infantry_is_told_of_the_others_only_where_they_hold_some() -> None:
    clauses = {
        points: Table(EMPIRE.replace("POINTS", points)).refused("replace", unit="1 Inf X", pay_from="front/africa")
        for points in ("inf: 20", "arm: 20")
    }
    assert "52.D.3.b.ii/1" in clauses["inf: 20"].clauses
    assert "52.D.3.b.ii/1" not in clauses["arm: 20"].clauses


MOUNTAINS = """
turn: Jul 1 42
player: Axis
fronts: {centre: {theatre: east}}
pools: {front/centre: {German: {inf: 20}}, national/Germany: {German: {inf: 20}}}
mds: {iii: {country: Germany, activity: inactive}}
units:
  1 Mtn III: {spec: 2-6 Mtn III, at: eliminated national/Germany, nation: German}
  2 SS Mtn III: {spec: 2-6 SS Mtn III, at: eliminated national/Germany, nation: German}
"""


@pytest.mark.clause("52.A.10.a/2")
def test_several_types_are_told_to_add_up_only_where_there_are_several() -> None:
    for unit, several in (("1 Mtn III", False), ("2 SS Mtn III", True)):
        done = Table(MOUNTAINS).do("replace", unit=unit, pay_from="national/Germany", track="md/iii")
        clauses = {clause for event in done.entry.events for clause in event.because.split()}
        assert "52.A.11/21" in clauses
        assert ("52.A.10.a/2" in clauses) is several


FACTORIES = """
turn: Aug 3 41
player: Soviet
phase: initial
campaign: {invasion: Jun 4 41}
places:
  Gorki: {md: Moscow, producing: yes, oil_line: no, out_of_supply: 9}
  Tula: {md: Moscow, producing: yes}
charts: {soviet_factories: {Gorki: {arm: 3}, Tula: {arm: 1}}}
"""


@pytest.mark.clause("52.D.2.c.3/10")
def test_only_a_factory_in_want_is_told_to_make_half() -> None:
    done = Table(FACTORIES).do("advance")
    made = {event.says: event.because for event in done.entry.events if isinstance(event, Transferred)}
    assert made == {
        "Gorki: 1 × 3 arm × ½ for want of coal or oil": "52.D.2.b/1 52.D.2.c.3/10 52.D.2.c/1",
        "Tula: 1 × 1 arm": "52.D.2.b/1 52.D.2.c/1",
    }
