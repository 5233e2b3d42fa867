"""Answers are kept with what they read: after any order, undo or what-if they are those one would get from nothing."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant

from forcepool.engine.agenda import Item, agenda
from forcepool.engine.answers import Keeper, keep_answers
from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Marked
from forcepool.engine.options import Choice, options, options_of_side
from forcepool.engine.state import State, evolve, restore, snapshot
from forcepool.engine.world import World
from forcepool.planner.bot import play
from tests.campaigns import demonstration
from tests.properties.test_campaign import Playing
from tests.support.armies import air_and_reserves, war
from tests.support.table import Table

SEED = bytes(range(32))
Shown = tuple[list[Item], list[list[Choice]], list[list[Choice]]]


@contextmanager
def nothing_kept(world: World) -> Iterator[None]:
    keeper, world.keeper = world.keeper, None
    try:
        yield
    finally:
        world.keeper = keeper


def seen(world: World, state: State, units: list[str]) -> Shown:
    """What a player is shown of what can be done."""
    sides = [options_of_side(world, state, side) for side in world.sequence.players]
    return agenda(world, state), [options(world, state, state.units[unit]) for unit in units], sides


def check(world: World, state: State, units: list[str]) -> None:
    """As it is kept, again, and as a state finds it that nobody has looked at."""
    kept, again = seen(world, state, units), seen(world, state, units)
    with nothing_kept(world):
        anew = seen(world, restore(snapshot(state)), units)
    assert kept == anew
    assert again == anew


class Remembering(Playing):
    """The same players, of whose every look at the options something is kept."""

    @invariant()
    def what_is_kept_is_what_one_would_find_anew(self) -> None:
        world, state = self.campaign.world, self.campaign.state
        if world.keeper is None:
            keep_answers(world, state)
        check(world, state, sorted(state.units)[::3])


TestRemembering = Remembering.TestCase
TestRemembering.settings = settings(max_examples=6, stateful_step_count=20)


def played(campaign: Campaign, *, turns: int, most: int, seed: int = 11) -> Keeper:
    """The bot plays; after each of its orders, some undone and some only tried out, all lists are compared."""
    world, random = campaign.world, Random(seed)
    keeper = keep_answers(world, campaign.state)
    for number, _ in enumerate(play(campaign, turns=turns, seed=seed), 1):
        units = sorted(campaign.state.units)
        some = random.sample(units, min(4, len(units)))
        check(world, campaign.state, some)
        if number % 7 == 0:
            told = Marked(on=f"unit/{random.choice(units)}", mark="moved", value=True)
            check(world, evolve(campaign.state.copy(), [told]), some)
            check(world, campaign.state, some)
        if number % 11 == 0 and not campaign.beginning.seats:
            campaign.undo()
            check(world, campaign.state, [unit for unit in some if unit in campaign.state.units])
            campaign.redo()
            check(world, campaign.state, some)
        if number >= most:
            break
    return keeper


@pytest.mark.parametrize(
    "given", [war(90, seed=5), war(60, seed=6, turn="Oct 1 43"), air_and_reserves(40, 20)], ids=["41", "43", "air"]
)
def test_a_war_shows_the_same_kept_or_not(given: str) -> None:
    played(Table(given, seed=SEED).campaign, turns=2, most=24)


def test_a_campaign_with_a_map_shows_the_same_kept_or_not() -> None:
    played(demonstration.demonstration(), turns=1, most=5)


def test_an_order_costs_what_it_changes_and_not_what_the_lists_are_long() -> None:
    """Counted in answers worked out anew, of some thousand, in a war of 600 units."""
    table = Table(war(600))
    while table.campaign.world.phase(table.campaign.state) != "replacement":
        table.do("advance")
    world, state = table.campaign.world, table.campaign.state
    keeper = keep_answers(world, state)

    def anew() -> int:
        before = keeper.worked_out
        agenda(world, state)
        return keeper.worked_out - before

    assert anew() > 1000
    assert anew() == 0
    # The first two units with a mark are of kinds that nobody has asked about.
    moved = [unit.id for unit in state.units_at("hex", "full")][:4]
    counts = []
    for unit in moved:
        table.do("declare", fact="moved", unit=unit, value=True)
        counts.append(anew())
    assert max(counts) <= 10
    ready = [item.command for item in agenda(world, state) if item.clause == "52.A.9.d/1" and item.command is not None]
    counts = []
    for order in ready[:4]:
        table.campaign.do(order)
        counts.append(anew())
    assert min(counts) <= 150


def test_a_long_campaign_keeps_no_more_than_a_turn_or_two() -> None:
    table = Table(war(60, seed=5), seed=SEED)
    most, turn = list[tuple[int, int]](), 0
    for _ in play(table.campaign, turns=9, seed=3):
        if table.campaign.state.turn != turn:
            turn, keeper = table.campaign.state.turn, table.campaign.world.keeper
            most.append((len(keeper.answers), len(keeper.facts.kinds)))
    early, late = most[:5], most[5:]
    assert len(late) > 3
    for at in (0, 1):
        assert max(each[at] for each in late) < 2 * max(each[at] for each in early)


def test_facts_are_the_same_until_something_happens_and_then_others() -> None:
    table = Table()
    campaign: Any = table.campaign
    before = campaign.world.facts(campaign.state)
    assert campaign.world.facts(campaign.state) is before
    assert campaign.world.facts(campaign.state.copy()) is not before
    before = campaign.world.facts(campaign.state)
    table.do("declare", fact="owner", value="Soviet", about="Minsk")
    after = campaign.world.facts(campaign.state)
    assert after is not before
    assert after.owner("Minsk") == "Soviet"
    campaign.undo()
    assert campaign.world.facts(campaign.state).owner("Minsk") == ""


PRICED_APART = """
turn: Jul 1 42
player: Axis
fronts: {centre: {theatre: east}}
pools: {front/centre: {German: {inf: 20, arm: 20}}}
charts: {game_charts: [{units: [3 Inf X], full: {inf: 7}}]}
units:
  1 Mvt: {spec: 0-8 Mvt I, at: eliminated front/centre, nation: German, capacity: 2}
  2 Mvt: {spec: 0-8 Mvt I, at: eliminated front/centre, nation: German, capacity: 4}
  1 AA: {spec: 0-0 Pos AA II, at: eliminated front/centre, nation: German, aa: 1}
  2 AA: {spec: 0-0 Pos AA II, at: eliminated front/centre, nation: German, aa: 3}
  3 Inf X: {spec: 3-6 Inf X, at: eliminated front/centre, nation: German}
  4 Inf X: {spec: 3-6 Inf X, at: eliminated front/centre, nation: German}
  5 Inf X: {spec: 3-6 Inf X, at: eliminated front/centre, nation: German}
"""


def test_units_that_cost_what_no_other_of_their_kind_does_are_not_taken_together() -> None:
    table = Table(PRICED_APART)
    keep_answers(table.campaign.world, table.campaign.state)
    for _ in range(3):
        costs = {
            unit: each.cost
            for unit in sorted(table.campaign.state.units)
            for each in table.choices("replace", unit)
            if each.open and getattr(each.command, "pay_from", "") == "front/centre"
        }
    assert costs["1 Mvt"] == {"arm": 1}
    assert costs["2 Mvt"] == {"arm": 2}
    assert sum(costs["2 AA"].values()) == 3 * sum(costs["1 AA"].values())
    assert [costs[f"{number} Inf X"] for number in (3, 4, 5)] == [{"inf": 7}, {"inf": 3}, {"inf": 3}]
