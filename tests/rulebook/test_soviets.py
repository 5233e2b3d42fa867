"""52.D.2 and 52.J.2: what cases cannot say of the Soviets: effects on the map, lists, and that no point is lost."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from forcepool import games
from forcepool.engine.agenda import DUE, agenda
from forcepool.engine.beginning import begin
from forcepool.engine.campaign import Campaign
from forcepool.engine.desk import Advance, Declare
from forcepool.engine.journal import MemoryJournal
from forcepool.engine.ledger import imbalance
from forcepool.engine.options import options
from forcepool.engine.state import to_bytes
from forcepool.engine.verdicts import Refusal
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml
from forcepool.games.europa.replacements.soviet.energy import ordinal
from forcepool.games.europa.replacements.soviet.energy_damage import RollDamage

EAST = """
turn: Jun 4 41
player: Soviet
phase: initial
campaign: {invasion: Jun 4 41}
mds:
  Moscow: {country: Soviet Union, front: East}
  Kharkov: {country: Soviet Union, front: East}
  Leningrad: {country: Soviet Union, front: East}
  Siberian: {off_map: yes, front: East}
places:
  Moscow: {md: Moscow, city_size: full, producing: yes}
  Kharkov: {md: Kharkov, city_size: full, producing: yes}
  Stalino: {md: Kharkov, city_size: dot}
  Leningrad: {md: Leningrad, city_size: full, producing: yes, isolated: supply, factories: 2}
  Baku: {owner: Soviet}
charts:
  soviet_replacements:
    - {city: Moscow, inf: 4}
    - {city: Kharkov, inf: 3}
    - {city: Leningrad, inf: 7/2}
    - {md: Siberian, inf: 2}
  soviet_factories:
    Moscow: {arm: 3, art: 1}
    Kharkov: {arm: 2}
    Leningrad: {arm: 1/2, art: 1/3}
  soviet_volunteers: [{md: Moscow, vol: 2}]
units:
  1 Inf XX: {spec: 3-6 Inf XX, nation: Soviet, at: track md/siberian Jul 1 41}
  2 Tk X: {spec: 3-2-8 Tk X, nation: Soviet, at: eliminated md/moscow}
"""


def campaign(text: str = EAST) -> Campaign:
    game = games.game("europa")
    set_up = game.set_up(read_yaml(text, "east.yaml"), ())
    journal = MemoryJournal()
    begin(journal, game="europa", title="east", ruleset="test", world=set_up.world, state=set_up.state)
    return Campaign(journal, games.build_world)


def play_to(east: Campaign, turn: str, player: str, phase: str) -> None:
    wanted = f"{turn}, {player} {phase} phase"
    for _ in range(500):
        if east.world.when(east.state) == wanted:
            return
        east.do(Advance())
    raise AssertionError(f"{wanted} never came")


def effects(east: Campaign, unit: str) -> Iterator[str]:
    for shows in east.world.game.shows:
        for effect in shows(east.world, east.state, east.state.units[unit]):
            yield f"{effect.clause} {effect.text}"


@pytest.mark.clause("52.D.2.d.v/3")
def test_a_unit_of_an_off_map_md_may_move_on_the_turn_it_appears_and_that_is_shown_for_that_turn_only() -> None:
    east = campaign()
    assert not list(effects(east, "1 Inf XX"))
    play_to(east, "Jul 1 41", "Soviet", "movement")
    assert list(effects(east, "1 Inf XX")) == ["52.D.2.d.v/3 is in no reserve and may move this turn"]
    play_to(east, "Jul 2 41", "Soviet", "movement")
    assert not list(effects(east, "1 Inf XX"))


@pytest.mark.clause("52.D.2.d.v/3")
def test_played_the_other_way_it_moves_only_if_movement_is_still_to_come() -> None:
    east = campaign(EAST + "house_rules: {off-map-arrival: replacement-phase}\n")
    play_to(east, "Jul 1 41", "Soviet", "combat")
    assert not list(effects(east, "1 Inf XX"))
    play_to(east, "Jul 1 41", "Soviet", "exploitation")
    assert list(effects(east, "1 Inf XX")) == ["52.D.2.d.v/3 is in no reserve; moves if movement is to come"]


@pytest.mark.clause("52.D.2.b/1", "52.D.2.c.1/1", "52.D.2.d.ii/1")
def test_half_a_year_of_receipts_conserves_every_point_and_gives_the_same_state_each_time() -> None:
    one, other = campaign(), campaign()
    for east in (one, other):
        play_to(east, "Jan 1 42", "Soviet", "replacement")
        assert imbalance(east.state.balances.items()) == {}
    assert to_bytes(one.state) == to_bytes(other.state)
    receipts = 13  # turns 1 and 3 of July to December, and Jan 1
    assert one.state.balance("md/moscow", "Soviet Union", "inf") == 4 * receipts
    assert one.state.balance("city/leningrad", "Soviet Union", "inf") == Fraction(7, 2) * receipts
    assert one.state.balance("factory/leningrad", "Soviet Union", "art") == 2 * Fraction(1, 3) * receipts
    assert one.state.balance("general/armour", "Soviet Union", "arm") == 5 * receipts


@pytest.mark.clause("52.D.2.d.i/5", "52.D.2.c.3/11")
def test_the_fall_of_kharkov_and_stalino_costs_the_md_its_points_and_the_factories_their_coal() -> None:
    east = campaign()
    play_to(east, "Oct 1 41", "Soviet", "combat")
    assert east.state.balance("md/kharkov", "Soviet Union", "inf") == 21
    play_to(east, "Oct 2 41", "Axis", "combat")
    for city in ("Kharkov", "Stalino"):
        east.do(Declare(fact="owner", about=city, value="Axis"))
    assert east.state.balance("md/kharkov", "Soviet Union", "inf") == 0
    assert east.state.balance("sink/lost", "Soviet Union", "inf") == 21
    play_to(east, "Oct 2 41", "Soviet", "reinforcement")
    assert any("Moscow: 1st turn out of supply (no coal line)" in item.text for item in agenda(east.world, east.state))
    play_to(east, "Oct 3 41", "Axis", "initial")
    due = [item.command for item in agenda(east.world, east.state) if item.kind == DUE]
    assert due == [RollDamage(source="Kharkov"), RollDamage(source="Stalino")]
    east.do(RollDamage(source="Kharkov"), seat="Axis", rolls=(3,))
    assert [item.command for item in agenda(east.world, east.state) if item.kind == DUE] == [
        RollDamage(source="Stalino")
    ]


@pytest.mark.clause("52.D.2.c/1")
def test_the_options_of_a_tank_brigade_are_open_from_the_general_pool_and_closed_from_an_md() -> None:
    east = campaign()
    play_to(east, "Jul 1 41", "Soviet", "replacement")
    found = {
        getattr(each.command, "pay_from", ""): each.open
        for each in options(east.world, east.state, east.state.units["2 Tk X"])
        if getattr(each.command, "track", "") == ""
    }
    assert found["general/armour"] is True
    assert found["md/moscow"] is False


@pytest.mark.clause("52.D.2.c.3/11")
def test_only_the_captor_rolls_for_a_captured_source() -> None:
    east = campaign()
    play_to(east, "Jul 1 41", "Axis", "combat")
    east.do(Declare(fact="owner", about="Baku", value="Axis"))
    play_to(east, "Jul 2 41", "Axis", "initial")
    with pytest.raises(ValueError, match="it is Axis's"):
        east.do(RollDamage(source="Baku"), seat="Soviet", rolls=(3,))
    again = east.do(RollDamage(source="Moscow"), seat="Soviet", rolls=(3,))
    assert isinstance(again, Refusal)


def test_declaring_the_same_owner_again_is_no_recapture() -> None:
    east = campaign()
    east.do(Declare(fact="owner", about="Baku", value="Soviet"))
    assert east.state.mark("place/Baku", "taken_on") is None
    assert east.state.mark("place/Baku", "damage_due") is None


def test_taking_back_a_declaration_of_owner_leaves_no_debt() -> None:
    east = campaign()
    east.do(Declare(fact="owner", about="Kharkov", value="Axis"))
    east.undo()
    assert east.state.mark("place/Kharkov", "owner") is None
    assert east.state.mark("place/Kharkov", "damage_due") is None


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("{city: Moscow, inf: 4}", "{city: Moskau, inf: 4}", "there is no place 'Moskau'"),
        ("{city: Moscow, inf: 4}", "{city: Moscow, inf: 4, from: Jox 1 41}", "there is no month 'Jox'"),
        ("{city: Moscow, inf: 4}", "{inf: 4}", "a line names either a city or an off-map MD"),
        ("{city: Moscow, inf: 4}", "{city: Moscow, md: Siberian, inf: 4}", "a line names either a city or an off-map"),
        ("{md: Siberian, inf: 2}", "{md: Siberia, inf: 2}", "there is no pool 'md/siberia'"),
        ("[{md: Moscow, vol: 2}]", "[{md: Moskau, vol: 2}]", "there is no pool 'md/moskau'"),
        ("Kharkov: {arm: 2}", "Charkow: {arm: 2}", "there is no place 'Charkow'"),
    ],
)
def test_a_chart_that_names_what_does_not_exist_is_told_at_set_up_with_its_line(
    right: str, wrong: str, says: str
) -> None:
    assert right in EAST
    with pytest.raises(BadFile, match=says) as told:
        campaign(EAST.replace(right, wrong))
    assert str(told.value).startswith("east.yaml:")


@pytest.mark.parametrize(
    ("number", "words"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (22, "22nd")]
)
def test_turns_are_counted_in_words_a_player_reads(number: int, words: str) -> None:
    assert ordinal(number) == words
