"""A campaign plays by the defaults it was begun with, in rules, lists and pages, until its group decides otherwise."""

from forcepool.engine.switches import OVERRULES
from forcepool.games.eastern_front.siberia import TAKEN_FROM, sources_of_units
from forcepool.games.eastern_front.world import DEAD, UNUSED, EasternWorld
from forcepool.games.europa.switches import PHASE_ORDER
from forcepool.games.europa.world import EuropaWorld
from tests.support.any_game import sit_down
from tests.support.table import Table

EUROPA = "turn: Jul 1 41\n"


def test_a_list_of_the_second_game_goes_by_the_default_of_the_beginning() -> None:
    table = sit_down("eastern_front", "turn: Jul 41\n")
    world, state = table.campaign.world, table.campaign.state
    assert isinstance(world, EasternWorld)
    assert sources_of_units(world, state) == (DEAD,)
    world.keep_rulings({TAKEN_FROM.key: "any-unused"})
    assert sources_of_units(world, state) == (DEAD, UNUSED)
    table.do("house-rule", rule=TAKEN_FROM.key, option=TAKEN_FROM.default)
    assert sources_of_units(world, table.campaign.state) == (DEAD,)


def test_the_order_of_phases_and_the_rules_of_the_table_are_kept_too() -> None:
    table = Table(EUROPA)
    world, state = table.campaign.world, table.campaign.state
    assert isinstance(world, EuropaWorld)
    other = next(each.name for each in PHASE_ORDER.options if world.order_by({PHASE_ORDER.key: each.name}))
    assert world.order_of_phases(state) == 0
    world.keep_rulings({PHASE_ORDER.key: other, OVERRULES.key: OVERRULES.options[-1].name})
    assert world.order_of_phases(state) == world.order_by({PHASE_ORDER.key: other}) > 0
    assert world.ruling(state, OVERRULES.key) == OVERRULES.options[-1].name


def test_a_ruling_that_is_gone_or_has_no_such_option_is_played_by_todays_default() -> None:
    table = Table(EUROPA)
    world = table.campaign.world
    world.keep_rulings({"no-such-ruling": "yes", PHASE_ORDER.key: "no-such-option"})
    assert world.ruling(table.campaign.state, PHASE_ORDER.key) == PHASE_ORDER.default
