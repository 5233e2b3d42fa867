"""Every shipped scenario can be played: nothing but what is due is done, and each line of its orders of battle is met."""

from collections.abc import Iterator

import pytest

from forcepool.engine.command import command_name
from forcepool.games.europa.air import orders
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.at_start import AT_START
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.words import FREE_TEXT
from forcepool.planner.bot import play
from tests.campaigns.wars import scenario
from tests.support.any_game import Seat, sit_down
from tests.support.conservation import unaccounted

SEED = bytes(range(32))
TURNS = {"compass-published": 12, "east-1941": 12, "smolensk": 12, "west-1940": 12}


def played(name: str, turns: int) -> Seat:
    """A campaign in which both sides do all that is due, and nothing else."""
    seat = sit_down("europa", scenario(name), seed=SEED)
    for act in play(seat.campaign, turns=turns, seed=3, acts=0):
        if command_name(act.command) == "advance":
            assert list(unaccounted(seat.campaign.state)) == []
    return seat


def not_met(seat: Seat) -> Iterator[str]:
    """The duties of the orders of battle whose turn is over and that were not carried out."""
    world, state = seat.campaign.world, seat.campaign.state
    assert isinstance(world, EuropaWorld)
    for entry in entries.listed(world, state):
        turn = entries.turn_of(world, entry)
        waits = entry.verb in (*FREE_TEXT, AT_START) or not entries.is_duty(entry) or entry.conditions
        if turn is None or turn >= state.clock.turn or waits or not entries.counts(world, state, entry):
            continue
        if not entries.is_done(state, entry):
            yield entry.key
    for line in orders.lines(world):
        if line.turn < state.clock.turn and orders.left(state, line) > 0:
            yield f"{line.key}: {line.order.does} {line.order.turn}"
    for unit in state.units_in_order():
        if unit.place.kind == REINFORCEMENT_TRACK and unit.place.due < state.clock.turn:
            yield f"{unit.id} was never placed"


@pytest.mark.parametrize("name", sorted(TURNS))
def test_every_line_of_its_orders_of_battle_is_met(name: str) -> None:
    assert list(not_met(played(name, TURNS[name]))) == []
