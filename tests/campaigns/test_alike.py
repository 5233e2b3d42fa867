"""What a kind of unit is told in a long list, each unit is told when it is asked about alone, word for word."""

from collections.abc import Callable, Iterator

import pytest

from forcepool import games
from forcepool.engine.alike import kind_of
from forcepool.engine.bill import bill_of
from forcepool.engine.campaign import Campaign
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision, decide
from forcepool.engine.dice import RollNeeded
from forcepool.engine.options import foreseen, judged
from forcepool.engine.state import State, evolve, restore
from forcepool.engine.world import World
from tests.campaigns import demonstration, fixtures
from tests.support.quiet import nobody_listens

MOMENTS = 4
"""So many times in a campaign everything that could be ordered is looked at."""
EVERY = 11
"""Of all units every eleventh, so that the test does not take minutes; with 1 it asks about all of them."""
PHASES = ("replacement", "reinforcement")


def moments(name: str) -> Iterator[tuple[World, State]]:
    """A campaign in some of its replacement and reinforcement phases, spread over the whole of it."""
    journal = demonstration.journal() if name == demonstration.NAME else fixtures.journal_of(name)
    campaign = Campaign(journal, games.build_world)
    world, state = campaign.world, restore(campaign.beginning.state)
    wanted, last = [campaign.seq * each // MOMENTS for each in range(1, MOMENTS)], ("", "")
    for entry in campaign.entries():
        if entry.events and entry.n not in campaign.history.undone:
            evolve(state, entry.events)
        now = world.phasing(state), world.phase(state)
        if wanted and entry.n >= wanted[0] and now[1] in PHASES and now != last:
            wanted, last = wanted[1:], now
            yield world, state
    yield world, state


def outcome(judge: Callable[[World, State, Command], object], world: World, state: State, order: Command) -> object:
    try:
        return judge(world, state, order)
    except (BadCommand, RollNeeded) as error:
        return str(error)


@pytest.mark.parametrize("name", [demonstration.NAME, *fixtures.names()])
def test_a_unit_of_a_kind_is_told_what_it_is_told_alone(name: str) -> None:
    alike = 0
    with nobody_listens():
        for world, state in moments(name):
            for unit in state.units_in_order()[::EVERY]:
                for cls in world.offering:
                    for order in cls.offers(world, state, unit):
                        found = outcome(judged, world, state, order)
                        alone = outcome(decide, world, state, order)
                        assert found == alone, (world.when(state), order)
                        bill = bill_of(alone.events) if isinstance(alone, Decision) else None
                        if not isinstance(alone, str):
                            assert foreseen(world, state, order) == bill, (world.when(state), order)
                        alike += kind_of(world, state, order) is not None
    assert alike > 100
