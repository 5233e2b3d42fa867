"""52.D.1, 52.I.2 and the charts of receipts: what cases cannot say."""

from fractions import Fraction

import pytest

from forcepool.engine.command import BadCommand
from forcepool.engine.game import Effect
from forcepool.engine.units import UnitSpec
from forcepool.files.problems import BadFile
from forcepool.games.europa.replacements.axis.axis import enters_in_reserve
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.unit_strings import parse_unit
from tests.support.table import Table

GIVEN = """
turn: Jul 1 42
fronts: {South: {}}
places: {Odessa: {front: South, city: yes, owner: Axis}}
units:
  1 Inf X: {spec: 4-6 Inf X, at: track front/south Jul 1 42, nation: Rumanian}
  44 Trng II: {spec: 0-1-5 Trng II, at: Odessa, nation: German}
  45 Trng II: {spec: 0-1-5 Trng II, at: Odessa, nation: Italian}
  46 Trng II: {spec: 0-1-5 Trng II, at: eliminated front/south, nation: German}
"""


def shown(table: Table, unit: str) -> list[Effect]:
    world, state = table.campaign.world, table.campaign.state
    return [effect for part in world.game.shows for effect in part(world, state, state.units[unit])]


@pytest.mark.clause("52.I.2/1")
def test_training_units_on_the_map_may_fight_and_only_foreign_ones_pay_for_it() -> None:
    table = Table(GIVEN)
    (german,) = [each.text for each in shown(table, "44 Trng II") if each.clause == "52.I.2/1"]
    (italian,) = [each.text for each in shown(table, "45 Trng II") if each.clause == "52.I.2/1"]
    assert german == "may be used in combat as other units are"
    assert italian.startswith(german)
    assert "52.I.2.b" in italian
    assert not [each for each in shown(table, "46 Trng II") if each.clause == "52.I.2/1"]


@pytest.mark.clause("52.D.1/9")
def test_national_reserve_status_shows_on_the_unit_that_has_it() -> None:
    table = Table(GIVEN)
    assert Effect("is in national reserve status", "52.D.1/9") not in shown(table, "1 Inf X")
    table.do("place", unit="1 Inf X", at="Odessa")
    assert Effect("is in national reserve status", "52.D.1/9") in shown(table, "1 Inf X")


@pytest.mark.clause("52.D.1/9")
def test_the_reserve_never_has_less_than_its_share() -> None:
    half = [enters_in_reserve(Fraction(1, 2), before) for before in range(6)]
    assert half == [True, False, True, False, True, False]
    third = [enters_in_reserve(Fraction(1, 3), before) for before in range(6)]
    assert third == [True, False, False, True, False, False]


def test_a_misspelt_line_of_the_chart_is_told_in_a_sentence() -> None:
    chart = "charts: {receipts: [{nation: %s, points: {%s: 1}}]}"
    with pytest.raises(BadFile, match="there is no nation 'Germny'; did you mean Germany"):
        Table(GIVEN + chart % ("Germny", "inf"))
    with pytest.raises(BadFile, match="receipts of Germany: there are no 'cannon' points"):
        Table(GIVEN + chart % ("Germany", "cannon"))
    with pytest.raises(BadFile, match="there is no turn 5 of a month; a month has 4 turns"):
        Table(GIVEN + "charts: {receipts: [{nation: Germany, points: {inf: 1}, weeks: [1, 5]}]}")


@pytest.mark.clause("52.C/1")
def test_a_chart_that_gives_a_nation_points_it_does_not_have_is_told_in_a_sentence() -> None:
    with pytest.raises(BadFile, match="receipts of Germany: receives no 'art' points; its kinds are inf, arm"):
        Table("charts: {receipts: [{nation: Germany, points: {art: 3}}]}")


@pytest.mark.parametrize("mix", ["-1 inf of Germany", "0 inf of Germany", "x inf of Germany"])
def test_a_mix_that_pays_nothing_is_no_payment(mix: str) -> None:
    table = Table(
        "pools: {front/south: {Hungarian: {inf: 4}}}\nunits: {1 Inf X: {spec: 4-6 Inf X, at: eliminated front/south}}"
    )
    with pytest.raises(BadCommand, match=r"pays nothing|no part of a payment"):
        table.give("replace", unit="1 Inf X", pay_from="front/south", mix=mix)
    assert table.holds("front/south", "inf", "Hungary") == 4


def spec(text: str, nation: str = "Germany") -> UnitSpec:
    parsed = parse_unit(text).spec
    return type(parsed)(full=parsed.full, type=parsed.type, size=parsed.size, nation=nation)


@pytest.mark.parametrize(
    ("unit", "nation", "clause"),
    [
        ("1-8 Flmpz II", "Germany", "52.D.1.a/1"),
        ("2-8 Eng Tk II", "Hungary", "52.D.1.a/1"),
        ("6-10 Pz X", "Germany", "52.D.1.a/2"),
        ("7-10 Pz X", "Germany", "52.D.1.a/4"),
        ("7-10 Pz X", "Rumania", "52.D.1.a/2"),
        ("7-10 Pz III", "Germany", "52.D.1.a/2"),
        ("0-12 Truck I", "Italy", "52.D.1.a/3"),
        ("9-10 SS Pz XX", "Germany", "52.D.1.a/4"),
        ("9-10 SS PzG XX", "Germany", "52.D.1.a/4"),
        ("2-10 AG II", "Germany", "52.D.1.a/4"),
        ("1-10 Rec II", "Italy", "52.D.1.a/6"),
        ("1-10 Mot AT II", "Germany", "52.D.1.a/6"),
        ("1-6 AT II", "Germany", "52.D.1.a/8"),
        ("2-6 Art III", "Germany", "52.D.1.a/8"),
        ("7-6 Inf XX", "Finland", "52.D.1.a/8"),
    ],
)
def test_every_axis_unit_falls_under_one_line(unit: str, nation: str, clause: str) -> None:
    world = Table(GIVEN).campaign.world
    assert isinstance(world, EuropaWorld)
    row = world.cost_line(spec(unit, nation))
    assert row is not None
    assert row.clause == clause
    assert sum(world.shares(spec(unit, nation)).values()) == 1


@pytest.mark.clause("52.D.1.a/2", "52.D.1.a/4")
def test_brigades_that_differ_only_in_strength_are_priced_apart() -> None:
    table = Table(
        "pools: {front/centre: {German: {arm: 19/2, inf: 7/2}}}\n"
        "units:\n"
        "  6 Pz X: {spec: 6-10 Pz X, at: eliminated front/centre}\n"
        "  7 Pz X: {spec: 7-10 Pz X, at: eliminated front/centre}\n"
    )
    table.do("replace", unit="6 Pz X", pay_from="front/centre")
    table.do("replace", unit="7 Pz X", pay_from="front/centre")
    assert table.holds("front/centre", "arm") == 0
    assert table.holds("front/centre", "inf") == 0
