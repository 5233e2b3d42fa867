"""Every shipped scenario can be played: only what is due is done, and each line of its orders of battle is met."""

from collections.abc import Iterator

import pytest

from forcepool.engine.agenda import DUE, agenda
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.command import BadCommand
from forcepool.engine.dice import RollNeeded
from forcepool.engine.facts import unit_key
from forcepool.games.europa.air import orders
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.at_start import AT_START
from forcepool.games.europa.reinforcements.forming_boxes import FULL_ON
from forcepool.games.europa.world import FORMING_BOX, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.words import FREE_TEXT
from tests.campaigns.wars import scenario
from tests.support.any_game import Seat, sit_down
from tests.support.conservation import unaccounted

SEED = bytes(range(32))
FULL = "full"
"""A line that only says again when what is forming is full."""
TURNS = {"compass-published": 12, "east-1941": 12, "smolensk": 12, "west-1940": 12}


def all_that_is_due(campaign: Campaign) -> int:
    """Do what the checklist proposes as due, each line once; how many of them went through."""
    done = 0
    for item in agenda(campaign.world, campaign.state):
        if item.kind != DUE or item.command is None:
            continue
        try:
            done += isinstance(campaign.do(item.command), Done)
        except (BadCommand, RollNeeded):
            continue
    return done


def played(name: str, turns: int) -> Seat:
    """A campaign in which both sides do all that is due, and nothing else."""
    seat = sit_down("europa", scenario(name), seed=SEED)
    campaign = seat.campaign
    last = campaign.state.clock.turn + turns
    while campaign.state.clock.turn < last:
        while all_that_is_due(campaign):
            pass
        seat.do("advance")
    assert list(unaccounted(campaign.state)) == []
    return seat


def not_met(seat: Seat) -> Iterator[str]:
    """The duties of the orders of battle whose turn is over and that were not carried out."""
    world, state = seat.campaign.world, seat.campaign.state
    assert isinstance(world, EuropaWorld)
    for entry in entries.listed(world, state):
        turn = entries.turn_of(world, entry)
        waits = entry.verb in (*FREE_TEXT, AT_START, FULL) or not entries.is_duty(entry) or entry.conditions
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
        full = state.mark(unit_key(unit.id), FULL_ON)
        if unit.place.kind == FORMING_BOX and full and isinstance(full.value, int) and full.value < state.clock.turn:
            yield f"{unit.id} is still forming"


@pytest.mark.parametrize("name", sorted(TURNS))
def test_every_line_of_its_orders_of_battle_is_met(name: str) -> None:
    assert list(not_met(played(name, TURNS[name]))) == []
