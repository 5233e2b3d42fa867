"""Forty turns of the Eastern Front, played from the listed options: nothing is made or lost, and it replays whole."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from random import Random
from typing import Union

import pytest

from forcepool import games
from forcepool.engine import codec, desk
from forcepool.engine.agenda import agenda
from forcepool.engine.campaign import Campaign, Done
from forcepool.engine.decide import Decision
from forcepool.engine.events import Transferred
from forcepool.engine.ledger import SPENT, imbalance
from forcepool.engine.places import HEX
from forcepool.engine.state import State, to_bytes
from forcepool.games.eastern_front import GAME
from forcepool.games.eastern_front.strategic import capacity_of
from forcepool.games.eastern_front.world import MOVES, EasternWorld
from forcepool.planner.bot import Act
from tests.campaigns.wars import fought, scenario
from tests.support.any_game import Seat, sit_down

TURNS = 40
SEED = b"forty turns of the eastern front"
SCENARIO = scenario("eastern-front")
COMMANDS = codec.decoder(Union[GAME.commands])  # noqa: UP007 - the members are known only when it runs


def war(seat: Seat, seed: int, turns: int = TURNS) -> Iterator[Act]:
    """The bot plays both sides, and the front moves as the dice of the test have it."""
    return fought(seat, seed, turns)


def check(state: State, units: set[str], factories: int) -> None:
    """Counters, factories and points are all there, each in one place."""
    assert set(state.units) == units
    assert sum(unit.spec.size == "Factory" for unit in state.units.values()) == factories
    assert imbalance(state.balances.items()) == {}
    assert all(balance >= 0 for account, balance in state.balances.items() if not account.pool.startswith("source/"))
    on_points = sorted(unit.id for unit in state.units.values() if unit.place.kind == HEX)
    assert sorted(name for stack in state.stacks.values() for name in stack) == on_points


def what_is_listed_can_be_done(campaign: Campaign) -> None:
    """Every command on the checklist passes, and listing changes nothing."""
    before = to_bytes(campaign.state)
    for item in agenda(campaign.world, campaign.state):
        if item.command is not None:
            assert isinstance(campaign.judge(item.command), Decision), item.text
    assert to_bytes(campaign.state) == before


def no_side_moves_more_than_its_capacity(campaign: Campaign) -> None:
    world = campaign.world
    assert isinstance(world, EasternWorld)
    used: dict[tuple[int, str], Fraction] = {}
    for entry in campaign.entries():
        turn: int = entry.at.turn
        for event in entry.events:
            # What is charged as a turn begins belongs to the turn that the entry leads to.
            turn = event.clock.turn if hasattr(event, "clock") else turn
            if isinstance(event, Transferred) and event.kind == MOVES and event.to == SPENT:
                used[turn, event.frm] = used.get((turn, event.frm), Fraction(0)) + event.amount
    assert used
    for (turn, pool), amount in used.items():
        assert amount <= capacity_of(world, turn, pool.partition("/")[2])


def play_again(campaign: Campaign) -> Campaign:
    """Every command of a journal put to the rules once more, from the scenario's text on."""
    again = sit_down("eastern_front", SCENARIO, seed=SEED).campaign
    for entry in campaign.entries():
        assert isinstance(again.do(COMMANDS.decode(entry.do)), Done)
    return again


@pytest.mark.parametrize("seed", [1, 41])
def test_a_war_of_forty_turns_conserves_everything_and_replays_to_the_same_state(seed: int) -> None:
    seat = sit_down("eastern_front", SCENARIO, seed=SEED)
    campaign = seat.campaign
    units, factories = set(campaign.state.units), len(campaign.world.works)  # type: ignore[attr-defined]
    seat.do("choose-first-factory", unit="Tank A")
    given = set()
    for act in war(seat, seed):
        given.add(type(act.command).__name__)
        check(campaign.state, units, factories)
        if isinstance(act.command, desk.Advance):
            what_is_listed_can_be_done(campaign)
    assert campaign.world.turn_name(campaign.state.clock.turn) == "Oct 44"
    assert {"TakeSiberian", "EnterFromSiberia", "Entrain", "MoveFactory", "Form", "Produce", "DrawReserve"} <= given
    no_side_moves_more_than_its_capacity(campaign)
    assert to_bytes(Campaign(campaign.journal, games.build_world, SEED).state) == to_bytes(campaign.state)
    again = play_again(campaign)
    assert to_bytes(again.state) == to_bytes(campaign.state)
    assert again.hash == campaign.hash


@pytest.mark.parametrize("seed", [3, 8, 14])
def test_whatever_house_rules_are_chosen_what_is_listed_can_be_done(seed: int) -> None:
    seat, random = sit_down("eastern_front", SCENARIO, seed=SEED), Random(seed)
    for each in GAME.switches:
        seat.do("house-rule", rule=each.key, option=random.choice(each.options).name)
    units, factories = set(seat.campaign.state.units), len(seat.campaign.world.works)  # type: ignore[attr-defined]
    for act in war(seat, seed, turns=15):
        check(seat.campaign.state, units, factories)
        if isinstance(act.command, desk.Advance):
            what_is_listed_can_be_done(seat.campaign)


def test_another_seed_is_another_war() -> None:
    first, second = ([act.command for act in islice(_begun(seed), 40)] for seed in (1, 2))
    assert first != second


def _begun(seed: int) -> Iterator[Act]:
    return war(sit_down("eastern_front", SCENARIO, seed=SEED), seed)
