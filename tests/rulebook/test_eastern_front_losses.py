"""Losses of the second game as players jot them down: which unit, how it was lost, and where a mistake stands."""

import pytest

from forcepool.engine.command import command_name
from forcepool.engine.pasting import Line
from forcepool.engine.sentence import plain
from forcepool.games.eastern_front.loss_lines import read_losses
from forcepool.games.eastern_front.losses import LoseUnit
from forcepool.games.eastern_front.world import EasternWorld
from tests.support.any_game import Seat, sit_down

TABLE = """
turn: Aug 41
phase: combat
points: {Kiev: {country: Soviet}, Odessa: {country: Soviet}}
units:
  3 Army: {spec: 1-4 Inf XXXX, at: Kiev, nation: Soviet}
  10 Army: {spec: 1-4 Inf XXXX, at: Kiev, nation: Soviet}
  Fleet at sea: {spec: 1-4 Inf XXXX, at: Odessa, nation: Soviet}
"""


@pytest.fixture
def seat() -> Seat:
    return sit_down("eastern_front", TABLE)


def lines(seat: Seat, text: str) -> tuple[Line, ...]:
    world = seat.campaign.world
    assert isinstance(world, EasternWorld)
    return read_losses(world, seat.campaign.state, text).lines


def test_the_last_words_tell_how_a_unit_was_lost_unless_they_are_its_name(seat: Seat) -> None:
    found = lines(seat, "3 Army\n10 army isolated\nfleet at sea")
    assert [line.command for line in found] == [
        LoseUnit(unit="3 Army"),
        LoseUnit(unit="10 Army", cause="isolation"),
        LoseUnit(unit="Fleet at sea"),
    ]
    assert all(line.taken and line.events for line in found)


def test_each_loss_has_its_line_and_column_comments_and_gaps_counted(seat: Seat) -> None:
    found = lines(seat, "\ufeff# August\n\n3 Army, , nobody,  10 Army  # by armour\n")
    assert [(line.number, line.column, line.text, line.taken) for line in found] == [
        (3, 1, "3 Army", True),
        (3, 11, "nobody", False),
        (3, 20, "10 Army", True),
    ]


def test_the_same_army_is_not_lost_twice(seat: Seat) -> None:
    first, again = lines(seat, "3 Army\n3 Army")
    assert first.taken
    assert not again.taken
    assert again.clauses or again.problem


def test_what_takes_units_off_the_board_asks_first(seat: Seat) -> None:
    world, state = seat.campaign.world, seat.campaign.state
    offered = {
        command_name(order)
        for each in world.game.commands
        for unit in state.units.values()
        for order in (*each.offers(world, state, unit), *each.offers_to_side(world, state, "Soviet"))
    }
    assert "lose" in offered
    assert {command_name(each) for each in world.game.commands if each.harms} == {"lose", "send-home", "withdraw"}


ARMIES = """
turn: Aug 43
phase: combat
points: {Kiev: {country: Soviet}, Odessa: {country: Soviet}}
units:
  3 Army: {spec: 1-4 Inf XXXX, at: Kiev, nation: Soviet}
  10 Army: {spec: 1-4 Inf XXXX, at: Kiev, nation: Soviet}
  51 Army: {spec: 1-4 Inf XXXX, at: Odessa, nation: Soviet}
  1 Gds Tk Army: {spec: 2-6 Gds Tk XXXX, at: Kiev, nation: Soviet}
  XXIV Pz Corps: {spec: 2-6 Pz XXX, at: Kiev, nation: German}
  I Rum Corps: {spec: 1-4 Inf XXX, at: Odessa, nation: Rumanian}
"""


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("3rd Army lost", {"3 Army": "combat"}),
        ("3, 10 + 51 Army isolated", {"3 Army": "isolation", "10 Army": "isolation", "51 Army": "isolation"}),
        ("Lost: 3 Army and 10 Army (isolated)", {"3 Army": "combat", "10 Army": "isolation"}),
        ("1st Guards Tank Army eliminated through isolation", {"1 Gds Tk Army": "isolation"}),
        ("XXIV Panzerkorps; 51. Armee auf See", {"XXIV Pz Corps": "combat", "51 Army": "sea"}),
        ("XXIV Panzer Corps eingekesselt", {"XXIV Pz Corps": "isolation"}),
        ("I Rumanian Corps -> isolated", {"I Rum Corps": "isolation"}),
        ("2x 1-4 Inf XXXX at Kiev", {"3 Army": "combat", "10 Army": "combat"}),
        ("2-6 Pz XXX isolated", {"XXIV Pz Corps": "isolation"}),
        ("24th Panzer Corps hit", {"XXIV Pz Corps": "combat"}),
        ("24. Panzerkorps zerstört, 1 Rumanian Corps", {"XXIV Pz Corps": "combat", "I Rum Corps": "combat"}),
        ("3rd, 10th and 51st Armies isolated", {"3 Army": "isolation", "10 Army": "isolation", "51 Army": "isolation"}),
        ("3rd Army at Kiev", {"3 Army": "combat"}),
        (
            "3, 10 Army bei Kiev isolated; 51 Army in odessa at sea",
            {"3 Army": "isolation", "10 Army": "isolation", "51 Army": "sea"},
        ),
        ("51 Army at Kiev, 3 Army at Brest, 10 Army at", {}),
        ("XXIII Panzer Corps, 25 Pz Corps, XXIV Tk Corps", {}),
    ],
)
def test_losses_as_one_says_them(text: str, lost: dict[str, str]) -> None:
    found = [line for line in lines(sit_down("eastern_front", ARMIES), text) if line.taken]
    assert {line.command.unit: line.command.cause for line in found if isinstance(line.command, LoseUnit)} == lost


NUMBERED = """
turn: Aug 43
phase: combat
points: {Kiev: {country: Soviet}}
units:
  III Pz Corps: {spec: 2-6 Pz XXX, at: Kiev, nation: German}
  XLIX Mtn Corps: {spec: 1-4 Mtn XXX, at: Kiev, nation: German}
  LIX Corps: {spec: 1-4 Inf XXX, at: Kiev, nation: German}
  3 Tk Corps: {spec: 1-6 Tk XXX, at: Kiev, nation: Soviet}
"""


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("3 Panzer Corps", "III Pz Corps"),
        ("3 Tank Corps", "3 Tk Corps"),
        ("III Tank Corps", "3 Tk Corps"),
        ("49. Gebirgskorps", "XLIX Mtn Corps"),
        ("59 AK", "LIX Corps"),
    ],
)
def test_a_number_is_the_same_in_roman_figures_and_in_plain_ones(text: str, lost: str) -> None:
    (line,) = lines(sit_down("eastern_front", NUMBERED), text)
    assert line.taken
    assert isinstance(line.command, LoseUnit)
    assert line.command.unit == lost


def test_a_counter_that_several_units_show_is_asked_after_with_what_was_said_of_it() -> None:
    seat = sit_down("eastern_front", ARMIES)
    (line,) = lines(seat, "1-4 Inf XXXX at Kiev isolated")
    assert not line.taken
    assert "2 such counters" in str(line.problem)
    assert [each.text for each in line.choices] == ["10 Army isolated", "3 Army isolated"]
    (nowhere,) = lines(seat, "1-4 Inf XXXX at Leningrad")
    assert "no point 'Leningrad'" in str(nowhere.problem)
    (elsewhere,) = lines(seat, "51 Army at Kiev")
    assert "51 Army is at Odessa, not at Kiev" in plain(elsewhere.problem)
    (none,) = lines(seat, "3-4 Inf XXXX")
    assert "no unit on the map shows 3-4 inf xxxx" in str(none.problem)
