"""52.D.2.b and 52.D.2.c.3: what the page of the Soviet factories tells, worked out by hand from the clauses."""

from fractions import Fraction

import pytest

from forcepool.games.europa.replacements.soviet.factory_status import (
    FactoryStatus,
    FactoryStatuses,
    factory_statuses,
    has_factories,
)
from forcepool.games.europa.world import EuropaWorld
from tests.rulebook.test_soviets import campaign

WINTER = """
turn: Feb 2 42
player: Soviet
phase: initial
campaign: {invasion: Jun 4 41}
mds:
  Moscow: {country: Soviet Union}
  Kharkov: {country: Soviet Union}
  Leningrad: {country: Soviet Union}
  Urals: {country: Soviet Union, off_map: yes}
places:
  Moscow: {md: Moscow, city_size: full, owner: Soviet, producing: yes, factories: 2, coal_line: yes}
  Kharkov: {md: Kharkov, city_size: full, owner: Axis, producing: yes, isolated: supply}
  Stalino: {md: Kharkov, city_size: dot, owner: Soviet}
  Voroshilovgrad: {md: Kharkov, city_size: dot, owner: Soviet, damage: 4}
  Artemovsk: {md: Kharkov, city_size: dot, owner: Soviet, damage: 2, destroyed: yes}
  Gorlovka: {md: Kharkov, city_size: dot, owner: Soviet, destroyed: yes}
  Makeyevka: {md: Kharkov, city_size: dot, owner: Soviet, damage_due: yes}
  Leningrad: {md: Leningrad, owner: Soviet, producing: yes, isolated: supply, coal_line: no, out_of_supply: 7}
  Gorki: {md: Moscow, owner: Soviet}
  Omsk: {md: Urals, producing: yes, out_of_supply: 6, oil_line: no}
pools: {factory/leningrad: {Soviet: {arm: 3/2}}}
charts:
  soviet_factories:
    Moscow: {arm: 3, art: 1}
    Kharkov: {arm: 2}
    Leningrad: {arm: 1/2, art: 1/3}
    Gorki: {arm: 1, weeks: [2]}
    Omsk: {arm: 5, art: 1}
"""

PEACE = """
turn: Dec 2 40
player: Soviet
phase: initial
mds: {Moscow: {country: Soviet Union}}
places: {Moscow: {md: Moscow, city_size: full, owner: Soviet, producing: yes}}
charts: {soviet_factories: {Moscow: {arm: 3, weeks: [1]}}}
"""


def told(text: str) -> FactoryStatuses:
    begun = campaign(text)
    assert isinstance(begun.world, EuropaWorld)
    assert has_factories(begun.world)
    return factory_statuses(begun.world, begun.state)


@pytest.fixture
def winter() -> dict[str, FactoryStatus]:
    return {each.place: each for each in told(WINTER).factories}


def test_each_factory_makes_its_rate_by_its_number_and_half_of_it_from_the_seventh_turn_of_want(
    winter: dict[str, FactoryStatus],
) -> None:
    assert winter["Moscow"].makes == {"arm": 6, "art": 2}
    assert winter["Leningrad"].makes == {"arm": Fraction(1, 4), "art": Fraction(1, 6)}
    assert winter["Leningrad"].at_best == {"arm": Fraction(1, 2), "art": Fraction(1, 3)}
    assert winter["Omsk"].makes == {"arm": 5, "art": 1}
    assert winter["Gorki"].makes == winter["Kharkov"].makes == {}
    assert winter["Kharkov"].at_best == {"arm": 2}
    assert [winter[place].turns_out for place in ("Leningrad", "Omsk", "Moscow")] == [7, 6, 0]
    assert winter["Moscow"].grace == 6


def test_a_factory_works_that_produces_in_soviet_hands_and_only_a_soviet_one_is_cut_off(
    winter: dict[str, FactoryStatus],
) -> None:
    assert {place for place, each in winter.items() if each.works} == {"Moscow", "Leningrad", "Omsk"}
    assert {place for place, each in winter.items() if each.cut_off} == {"Leningrad"}
    assert winter["Leningrad"].store == {"arm": Fraction(3, 2)}


def test_the_next_production_turn_is_the_first_or_third_of_a_month_or_the_factorys_own(
    winter: dict[str, FactoryStatus],
) -> None:
    assert winter["Moscow"].next == "Feb 3 42"
    assert winter["Gorki"].next == "Feb 2 42"


def test_lines_say_whether_they_are_open_and_why(winter: dict[str, FactoryStatus]) -> None:
    lines = {place: [(line.kind, line.open, line.says) for line in each.lines] for place, each in winter.items()}
    assert lines["Moscow"] == [("coal", True, "as declared: yes"), ("oil", True, "nobody has said otherwise")]
    assert lines["Leningrad"][0] == ("coal", False, "as declared: no")
    assert lines["Omsk"][1] == ("oil", False, "as declared: no")
    assert lines["Kharkov"] == lines["Gorki"] == []


@pytest.mark.clause("52.D.2.c.3/4", "52.D.2.c.3/5")
def test_sources_say_whether_they_work_and_why_not() -> None:
    found = told(WINTER)
    assert {each.place: (each.works, each.says) for each in found.sources if each.kind == "coal"} == {
        "Artemovsk": (False, "destroyed, repaired in 2"),
        "Gorlovka": (False, "destroyed"),
        "Kharkov": (False, "not in Soviet hands"),
        "Makeyevka": (False, "its damage is still to be rolled"),
        "Stalino": (True, "works"),
        "Voroshilovgrad": (False, "damaged, marker 4"),
        "Vorkuta": (True, "works"),
    }
    # Leningrad is cut off and sends nothing; Moscow and Omsk do.
    assert found.makes == {"arm": 11, "art": 3}
    assert found.invaded
    assert found.paid


def test_before_the_invasion_vorkuta_gives_nothing_and_the_next_turn_is_the_month_after() -> None:
    found = told(PEACE)
    assert not found.invaded
    assert [(each.works, each.says) for each in found.sources if each.place == "Vorkuta"] == [
        (False, "from Jan 1 42 on")
    ]
    assert found.factories[0].next == "Jan 1 41"
