"""The factories of the second game at a glance: what may still be begun, and when each produces next."""

import pytest

from forcepool.engine.sentence import plain
from forcepool.engine.verdicts import Refusal
from forcepool.games.eastern_front.composites import Form
from forcepool.games.eastern_front.works_status import WorksStatuses, works_statuses
from forcepool.games.eastern_front.world import EasternWorld
from tests.support.any_game import Seat, sit_down

WORKS = """
turn: {turn}
player: {player}
capacity: {{Soviet: 3}}
points: {{Kharkov: {{country: Soviet}}, Gorki: {{country: Soviet}}}}
factories:
  Tank Kharkov: {{kind: tank, at: Kharkov, months: odd}}
  Tank A: {{kind: tank, letter: A, months: odd}}
  Tank B: {{kind: tank, letter: B, months: even}}
"""


def at(turn: str, player: str = "Soviet") -> Seat:
    return sit_down("eastern_front", WORKS.format(turn=turn, player=player))


def glance(seat: Seat) -> WorksStatuses:
    world = seat.campaign.world
    assert isinstance(world, EasternWorld)
    return works_statuses(world, seat.campaign.state)


def next_of(seat: Seat, name: str) -> str:
    return next(each.next for each in glance(seat).factories if each.unit.id == name)


def needs_of(seat: Seat, kind: str) -> tuple[str, ...]:
    return next(each.needs for each in glance(seat).recipes if each.kind == kind)


def since_of(seat: Seat, kind: str) -> str:
    return next(each.since for each in glance(seat).recipes if each.kind == kind)


@pytest.mark.parametrize(
    ("turn", "left"), [("Apr 41", 0), ("Jul 41", 1), ("Aug 41", 0), ("Feb 42", 0), ("Jul 43", 1), ("Oct 43", 0)]
)
def test_a_factory_may_be_begun_in_the_turns_of_expansion_only(turn: str, left: int) -> None:
    assert glance(at(turn)).choices_left == left


def test_the_months_in_which_a_factory_produces_are_named() -> None:
    months = {each.unit.id: each.months for each in glance(at("Jul 41")).factories}
    assert months["Tank Kharkov"] == ("Jan", "Mar", "May", "Jul", "Sep", "Nov")
    assert months["Tank B"] == ("Feb", "Apr", "Jun", "Aug", "Oct", "Dec")


def test_once_begun_or_passed_there_is_no_choice_left_in_the_quarter() -> None:
    begun = at("Jan 42")
    begun.do("choose-factory", unit="Tank A")
    assert glance(begun).choices_left == 0
    passed = at("Jan 42")
    passed.do("advance")
    assert glance(passed).choices_left == 0


def test_before_the_game_there_is_one_choice_and_one_more_where_it_begins_in_a_quarter() -> None:
    for turn, left in (("Jun 41", 1), ("Jul 41", 2), ("Oct 41", 1)):
        seat = at(turn, player="Axis")
        assert glance(seat).choices_left == left
    seat = at("Jun 41", player="Axis")
    seat.do("choose-first-factory", unit="Tank A")
    assert glance(seat).choices_left == 0


def test_where_opportunities_accumulate_all_that_are_left_are_told() -> None:
    seat = at("Jan 42")
    seat.do("house-rule", rule="expansion-passed", option="accumulates")
    # The one before the game, July, October and January.
    assert glance(seat).choices_left == 4
    seat.do("choose-factory", unit="Tank A")
    assert glance(seat).choices_left == 3


def test_a_factory_that_has_produced_is_next_due_in_its_following_month() -> None:
    seat = at("Jul 41")
    assert next_of(seat, "Tank Kharkov") == "Jul 41"
    seat.do("produce", unit="Tank Kharkov")
    assert next_of(seat, "Tank Kharkov") == "Sep 41"


def test_a_month_whose_phase_is_over_is_not_the_next() -> None:
    seat = at("Jul 41")
    seat.do("advance")
    assert next_of(seat, "Tank Kharkov") == "Sep 41"


@pytest.mark.clause("EF.moving/20")
def test_an_entrained_factory_produces_after_the_phase_in_which_it_can_arrive() -> None:
    seat = at("Jul 41")
    seat.do("entrain", unit="Tank Kharkov")
    # It moves in August and is ready from September.
    assert next_of(seat, "Tank Kharkov") == "Sep 41"
    even = at("Aug 41")
    even.do("entrain", unit="Tank Kharkov")
    # It arrives in September, which is too late for that month.
    assert next_of(even, "Tank Kharkov") == "Nov 41"


def test_a_factory_on_the_turn_track_is_told_by_the_turn_it_is_deployed() -> None:
    seat = at("Jan 42")
    seat.do("choose-factory", unit="Tank A")
    assert (next_of(seat, "Tank A"), next_of(seat, "Tank B")) == ("May 42", "")
    other = at("Apr 42")
    other.do("choose-factory", unit="Tank A")
    assert next_of(other, "Tank A") == "Jul 42"


def test_recipes_and_dates_are_told_as_the_group_reads_them() -> None:
    seat = at("Jan 42")
    assert (since_of(seat, "tank army"), needs_of(seat, "parachute corps")) == ("Jun 42", ("infantry army",))
    seat.do("house-rule", rule="tank-armies", option="july-1942")
    seat.do("house-rule", rule="parachute-recipe", option="any")
    assert since_of(seat, "tank army") == "Jul 42"
    assert needs_of(seat, "parachute corps") == ("guards infantry army or infantry army or shock army",)
    assert needs_of(seat, "guards tank army") == ("tank army", "infantry army")


def test_composite_units_in_play_are_listed_and_a_recipe_has_the_ways_of_its_one_free_counter() -> None:
    given = (
        WORKS.format(turn="Jan 43", player="Soviet")
        + """
units:
  1 Shock Army: {spec: 2-4 Shock XXXX, at: Gorki}
  2 Shock Army: {spec: 2-4 Shock XXXX, at: unused}
  3 Army: {spec: 1-4 Inf XXXX, at: Gorki}
  4 Art XX: {spec: 1-4 Art XX, at: Gorki}
"""
    )
    seen = glance(sit_down("eastern_front", given))
    assert [each.unit.id for each in seen.composites] == ["1 Shock Army"]
    shock = next(each for each in seen.recipes if each.kind == "shock army")
    assert (shock.counters, [each.open for each in shock.ways]) == (("2 Shock Army",), [True])


@pytest.mark.clause("EF.moving/1")
def test_a_captured_factory_is_no_longer_shown_as_entrained() -> None:
    seat = at("Jul 41")
    seat.do("entrain", unit="Tank Kharkov")
    assert _news_of(seat, "Tank Kharkov") == ("on the map", "entrained")
    seat.do("declare", fact="control", about="Kharkov", value="Axis")
    assert _news_of(seat, "Tank Kharkov") == ("destroyed", "")


def _news_of(seat: Seat, name: str) -> tuple[str, str]:
    return next((each.state, each.news) for each in glance(seat).factories if each.unit.id == name)


ARMIES = """
turn: Jan 43
points: {Moscow: {country: Soviet}, Stalingrad: {country: Soviet}}
units:
  1 Tk Army: {spec: 2-6 Tk XXXX, at: Moscow}
  3 Tk Army: {spec: 2-6 Tk XXXX, at: Moscow}
  2 Tk Army: {spec: 2-6 Tk XXXX, at: Stalingrad}
  24 Army: {spec: 1-4 Inf XXXX, at: Moscow}
  16 Army: {spec: 1-4 Inf XXXX, at: Stalingrad}
  1 Gds Tk Army: {spec: 2-6 Gds Tk XXXX, at: unused}
  2 Gds Tk Army: {spec: 2-6 Gds Tk XXXX, at: unused}
  5 Gds Tk Army: {spec: 2-6 Gds Tk XXXX, at: unused}
"""


@pytest.mark.clause("EF.composite/31")
def test_each_tank_army_has_the_first_guards_counter_whose_number_it_may_take() -> None:
    seen = glance(sit_down("eastern_front", ARMIES))
    guards = next(each for each in seen.recipes if each.kind == "guards tank army")
    ways = {tuple(way.command.components): way.command.unit for way in guards.ways if isinstance(way.command, Form)}
    assert ways == {
        ("1 Tk Army", "24 Army"): "1 Gds Tk Army",
        ("24 Army", "3 Tk Army"): "5 Gds Tk Army",
        ("16 Army", "2 Tk Army"): "2 Gds Tk Army",
    }
    assert all(way.open for way in guards.ways)


PORTS = """
turn: Jul 41
capacity: {Soviet: 3}
points:
  Odessa: {country: Soviet}
  Batumi: {country: Soviet}
  Kharkov: {country: Soviet}
  Voronezh: {country: Soviet}
  Kiev: {country: Soviet}
lines:
  Black Sea: {ends: [Odessa, Batumi], kind: sea}
  Kharkov-Voronezh: {ends: [Kharkov, Voronezh]}
factories:
  Tank Odessa: {kind: tank, at: Odessa, months: even, entrained: Jun 41}
  Tank Kharkov: {kind: tank, at: Kharkov, months: even, entrained: Jun 41}
  Tank Kiev: {kind: tank, at: Kiev, months: even, entrained: Jun 41}
units: {1 Tk XXX: {spec: 1-6 Tk XXX, at: dead}}
"""


@pytest.mark.clause("EF.moving/16", "EF.moving/20")
def test_an_entrained_factory_produces_after_it_can_arrive_by_the_way_there_is() -> None:
    seat = sit_down("eastern_front", PORTS)
    # By rail in July; by sea in August at the earliest, and so not before October; with no way out, nobody knows.
    assert next_of(seat, "Tank Kharkov") == "Aug 41"
    assert next_of(seat, "Tank Odessa") == "Oct 41"
    assert next_of(seat, "Tank Kiev") == ""
    seat.do("declare", fact="blocked", about="Kharkov-Voronezh", value=True)
    refused = seat.give("replace", unit="1 Tk XXX", at="Kiev")
    assert isinstance(refused, Refusal)
    assert any("ait for Oct 41, when Tank Odessa produces" in plain(reason.whole) for reason in refused.reasons)
