"""What the cases cannot say of limited units and the costs table: what is shown, and how units are told apart."""

from pathlib import Path
from typing import Any

import pytest

from forcepool import games
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.options import options
from forcepool.files.yamltext import read_yaml
from forcepool.games.europa.replacements.limited.building_times import counts_as_forming
from forcepool.games.europa.replacements.limited.limited_types import plain_types
from forcepool.games.europa.unit_types import Described, fits
from forcepool.orderofbattle.unit_strings import parse_unit
from tests.support.table import Table


def table(text: str) -> Campaign:
    """A campaign from the words of a scenario."""
    game = games.game("europa")
    set_up = game.set_up(read_yaml(text, Path(__file__).name), ())
    journal = MemoryJournal()
    begin(journal, game="europa", title="a table", ruleset="test", world=set_up.world, state=set_up.state)
    return Campaign(journal, games.build_world)


def shown_on(campaign: Campaign, unit: str) -> dict[str, str]:
    """What is shown on a unit, by clause."""
    world, state = campaign.world, campaign.state
    return {
        effect.clause: effect.text for shows in world.game.shows for effect in shows(world, state, state.units[unit])
    }


def types(words: str, nation: str = "Germany") -> set[str]:
    campaign: Any = table("turn: Jul 1 42")
    spec: Any = parse_unit(words).spec
    return set(plain_types(campaign.world, campaign.state, spec.__class__(**{**_fields(spec), "nation": nation})))


def _fields(spec: Any) -> dict[str, Any]:
    return {name: getattr(spec, name) for name in spec.__struct_fields__}


DECLARED = """
turn: Jul 1 42
nations:
  German: {not_limited: [air-droppable, mountain, amphibious]}
units:
  7 Para XX: {spec: 7-6 Para XX (3-6), at: Orel, nation: German}
  1 Mtn XX: {spec: 7-6 Mtn XX (3-6), at: Orel, nation: German}
  1 Mar III: {spec: 2-8 Mar III, at: Orel, nation: German}
  1 Para Cmdo II: {spec: 1-8 Para Cmdo II, at: Orel, nation: German}
  1 Alpini XX: {spec: 5-6 Alpini XX (2-6), at: Orel, nation: Italian}
"""


@pytest.mark.clause("52.A.8.a/5", "52.A.8.a/6", "52.A.8.a/7")
def test_units_of_a_declared_type_count_as_less() -> None:
    campaign = table(DECLARED)
    assert shown_on(campaign, "7 Para XX")["52.A.8.a/5"] == "counts as parachute-infantry"
    assert shown_on(campaign, "1 Mtn XX")["52.A.8.a/6"] == "counts as light infantry"
    assert shown_on(campaign, "1 Mar III")["52.A.8.a/7"] == "counts as infantry"


@pytest.mark.clause("52.A.8.a/4")
def test_a_parachute_commando_stays_air_droppable_and_another_nation_is_not_bound() -> None:
    campaign = table(DECLARED)
    assert "52.A.8.a/5" not in shown_on(campaign, "1 Para Cmdo II")
    assert "52.A.8.a/6" not in shown_on(campaign, "1 Alpini XX")


@pytest.mark.clause("52.A.8.b/2")
def test_restored_mountain_troops_are_mountain_troops_again_even_those_cut_off() -> None:
    campaign = table(
        """
turn: Jul 1 42
phase: reinforcement
nations: {German: {not_limited: [mountain]}}
units: {1 Mtn XX: {spec: 7-6 Mtn XX (3-6), at: Orel, nation: German, isolated: supply}}
"""
    )
    assert "52.A.8.a/6" in shown_on(campaign, "1 Mtn XX")
    commands = {each.__struct_config__.tag: each for each in campaign.world.game.commands}
    campaign.do(commands["restore-limited-status"](nation="German", type="mountain"))
    assert "52.A.8.a/6" not in shown_on(campaign, "1 Mtn XX")


WAITING = """
turn: Jul 1 41
units:
  fourteen: {spec: 1-8 Para Cmdo II, at: track front/west Oct 3 41, nation: German}
  ten: {spec: 1-8 Cmdo II, at: track front/west Sep 3 41, nation: German}
  nine: {spec: 1-8 Cmdo II, at: track front/west Sep 2 41, nation: German}
  eight: {spec: 1-8 Para II, at: forming front/west Sep 1 41, nation: German}
  band: {spec: 0-1-5 Partisan II, at: forming front/west Sep 1 41, nation: Soviet}
  depot: {spec: 0-3-0 Major Depot III, at: track front/west Sep 1 41, nation: German}
  home: {spec: 0-3-0 Major Depot III, at: Berlin, nation: German}
"""


@pytest.mark.clause("52.A.10.a/6")
@pytest.mark.parametrize(
    ("unit", "marker"),
    [
        ("fourteen", "'+8 Turn' marker on track position 6"),
        ("ten", "'+4 Turn' marker on track position 6"),
        ("nine", "'+4 Turn' marker on track position 5"),
        ("eight", None),
        ("home", None),
    ],
)
def test_a_wait_of_more_than_two_cycles_is_shown_by_a_marker(unit: str, marker: str | None) -> None:
    assert shown_on(table(WAITING), unit).get("52.A.10.a/6") == marker


@pytest.mark.clause("52.A.10.a/4")
def test_a_unit_on_the_forming_track_is_as_good_as_in_the_forming_box_and_a_partisan_is_not() -> None:
    campaign = table(WAITING)
    units = campaign.state.units
    assert [name for name in sorted(units) if counts_as_forming(units[name])] == ["eight"]
    assert "Forming Box" in shown_on(campaign, "eight")["52.A.10.a/4"]
    assert "52.A.10.a/4" not in shown_on(campaign, "band")
    assert "52.A.10.a/4" not in shown_on(campaign, "ten")


@pytest.mark.clause("52.A.11/15")
def test_a_major_depot_on_its_way_is_placed_as_a_0_1_r() -> None:
    campaign = table(WAITING)
    assert shown_on(campaign, "depot")["52.A.11/15"] == "is placed as a 0-1-R"
    assert "52.A.11/15" not in shown_on(campaign, "home")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("7-6 Inf XX (3-6)", set()),
        ("7-6 Mtn XX (3-6)", {"mountain"}),
        ("7-6 SS Mtn XX (3-6)", {"fanatical", "mountain"}),
        ("1-8 Para Cmdo II", {"air-droppable", "commando"}),
        ("1-8 Para-Inf II", set()),
        ("1-8 Eng Tk II", {"engineer", "specialized armour"}),
        ("1-8 Eng II", {"combat engineer"}),
        ("1-8 Cons Eng II", set()),
        ("2-10 Lt Arm X", set()),
        ("3-8 Rkt Art III", {"artillery"}),
        ("3-8 Mot AA III", set()),
        ("1-6 Inf HQ XX", {"divisional HQ"}),
        ("1-6 Inf HQ XXXX", set()),
        ("3-8 Cav XX", set()),
    ],
)
@pytest.mark.clause("52.A.8/1")
def test_a_german_unit_is_limited_by_what_its_counter_says(words: str, found: set[str]) -> None:
    assert types(words) == found


@pytest.mark.clause("52.A.8/1")
def test_each_side_has_its_own_list() -> None:
    assert types("3-8 Cav XX", "Soviet Union") == {"cavalry"}
    assert types("3-8 Art III", "Soviet Union") == set()
    assert types("3-8 Art III", "Rumania") == {"artillery"}
    assert types("3-8 Art III", "Britain") == set()


def test_a_description_without_words_or_traits_fits_by_size_and_nation_alone() -> None:
    spec = parse_unit("7-6 Inf XX").spec
    assert fits(Described(sizes=("XX",)), spec)
    assert not fits(Described(sizes=("III",)), spec)
    assert not fits(Described(nations=("Italy",)), spec)
    assert not fits(Described(words=("In",)), spec)


def test_the_ways_of_a_limited_cadre_are_listed_open_or_closed() -> None:
    campaign = table(
        """
turn: Jul 2 42
pools: {front/centre: {German: {inf: 4}}, limited: {German: {mountain: 0}}}
units:
  1 Mtn XX: {spec: 7-6 Mtn XX (3-6), at: Orel, as: cadre}
  1 Mtn Trng III: {spec: 0-1-6 Mtn Trng III, at: Orel}
"""
    )
    found = {
        (each.command.__struct_config__.tag, getattr(each.command, "pay_from", "")): each
        for each in options(campaign.world, campaign.state, campaign.state.units["1 Mtn XX"])
    }
    assert found["train-cadre", "front/centre"].open
    assert {clause for reason in found["rebuild-cadre", "front/centre"].reasons for clause in reason.clauses} >= {
        "52.D.1.b.iv/1",
        "52.A.10.b/1",
    }


def test_the_soviets_begin_a_month_with_what_their_list_gives() -> None:
    table = Table(
        "turn: Aug 2 41\ncampaign: {invasion: Jun 4 41}\n"
        "units: {1 Rifle XX: {spec: 4-6 Rifle XX, nation: Soviet, at: Moscow}}\n"
    )
    monthly = {"cavalry": 6, "political": 1, "engineer": 1, "mountain": 3, "divisional-hq": 1, "specialized-armour": 1}
    assert {kind: table.holds("limited", kind, "Soviet Union") for kind in monthly} == monthly


TWO_TYPES = """
turn: Jul 1 42
player: Axis
mds: {iii: {country: Germany, activity: inactive}}
pools: {national/Germany: {German: {inf: 9}}, limited: {German: {mountain: 0, air-droppable: 0}}}
units:
  1 Mtn III: {spec: 2-6 Mtn III, nation: German, at: eliminated national/Germany}
  1 Para Mtn III: {spec: 2-6 Para Mtn III, nation: German, at: eliminated national/Germany}
"""


@pytest.mark.clause("52.D.1.b/3")
def test_a_refusal_cites_the_rule_of_combined_types_only_for_a_unit_of_two() -> None:
    campaign = Table(TWO_TYPES)
    one = campaign.refused("replace", unit="1 Mtn III", pay_from="national/Germany", track="md/iii")
    two = campaign.refused("replace", unit="1 Para Mtn III", pay_from="national/Germany", track="md/iii")
    assert "52.D.1.b/3" not in one.clauses
    assert "52.D.1.b/3" in two.clauses
