"""Losses of the second game as players jot them down: which unit, how it was lost, and where a mistake stands."""

import pytest

from forcepool.engine.command import command_name
from forcepool.engine.pasting import Line
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
