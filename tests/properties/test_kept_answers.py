"""Answers are kept while nothing happens: after any command, undo or redo they are those one would get anew."""

from typing import Any

import pytest
from hypothesis import settings
from hypothesis.stateful import invariant

from forcepool.engine.agenda import Item, agenda
from forcepool.engine.campaign import Campaign
from forcepool.engine.options import Choice, options
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld
from forcepool.planner.bot import play
from tests.properties.test_campaign import Playing
from tests.support.armies import air_and_reserves, war
from tests.support.quiet import nobody_listens
from tests.support.table import Table

SEED = bytes(range(32))


def seen(campaign: Campaign, every: int = 1) -> tuple[list[list[Choice]], list[Item]]:
    """All that a player is shown of what can be done."""
    world, state = campaign.world, campaign.state
    return [options(world, state, unit) for unit in state.units_in_order()[::every]], agenda(world, state)


def check(campaign: Campaign, every: int = 1) -> None:
    """Twice with kept answers, since the second time units of a kind are taken together, and once without."""
    with nobody_listens():
        kept, again = seen(campaign, every), seen(campaign, every)
    anew = seen(campaign, every)
    assert kept == anew
    assert again == anew


class Remembering(Playing):
    """The same players, of whose every look at the options something is kept."""

    @invariant()
    def what_is_kept_is_what_one_would_find_anew(self) -> None:
        check(self.campaign)
        world, state = self.campaign.world, self.campaign.state
        assert isinstance(world, EuropaWorld)
        kept, fresh = world.facts(state), EuropaFacts(world, state)
        for (asked, *what), answer in kept.kept.items():
            assert not callable(asked) or asked(world, fresh, *what) == answer


TestRemembering = Remembering.TestCase
TestRemembering.settings = settings(max_examples=10, stateful_step_count=25)


@pytest.mark.parametrize(
    "given", [war(90, seed=5), war(60, seed=6, turn="Oct 1 43"), air_and_reserves(40, 20)], ids=["41", "43", "air"]
)
def test_a_month_of_war_shows_the_same_options_kept_or_not(given: str) -> None:
    table = Table(given, seed=SEED)
    for number, _ in enumerate(play(table.campaign, turns=4, seed=11)):
        if number % 9 == 0:
            check(table.campaign, every=2)


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
    with nobody_listens():
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
