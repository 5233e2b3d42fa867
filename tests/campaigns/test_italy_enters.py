"""The western war as it ships: Italy enters on the turn its order of battle says, and all that waits for it begins."""

from forcepool.games.europa.reserves.accounts import ITALY_AT_WAR
from tests.campaigns.wars import SEED, scenario
from tests.support.any_game import sit_down
from tests.support.quiet import nobody_listens


def test_italy_is_at_war_from_jun_2_40_on_without_anybody_saying_so() -> None:
    with nobody_listens():
        seat = sit_down("europa", scenario("west-1940"), seed=SEED)
        world, state = seat.campaign.world, seat.campaign.state
        when = {}
        while not world.when(state).startswith("Jun 3 40"):
            facts = world.facts(state)
            when[world.when(state)] = (facts.value("campaign", ITALY_AT_WAR), facts.value("nation/Italy", "neutral"))
            seat.give("advance", override="played on")
    assert when["Jun 1 40, Allied exploitation phase"] == when["Jun 2 40, Axis initial phase"] == (False, True)
    assert when["Jun 2 40, Axis reinforcement phase"] == when["Jun 2 40, Allied exploitation phase"] == (True, False)
