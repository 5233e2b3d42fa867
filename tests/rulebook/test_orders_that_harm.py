"""Orders that cost one's own side something on the board: faces put these last and ask before they are given."""

from forcepool.engine.command import command_name
from tests.support.table import Table

GIVEN = """
phase: combat
places: {Minsk: {front: Centre}}
units:
  24 Inf XX: {spec: 7-6 Inf XX (3-6), at: Minsk}
  1 Inf XX: {spec: 7-6 Inf XX (3-6), at: eliminated front/centre}
"""


def test_what_takes_units_or_points_off_the_board_asks_first() -> None:
    campaign = Table(GIVEN).campaign
    world, state = campaign.world, campaign.state
    commands = world.game.commands
    offered = {
        command_name(order)
        for each in commands
        for unit in state.units.values()
        for order in (*each.offers(world, state, unit), *each.offers_to_side(world, state, "Axis"))
    }
    assert {"lose", "recover", "replace"} <= offered
    assert {command_name(each) for each in commands if each.harms} == {
        "break-down",
        "count-fragile",
        "disarm",
        "disband",
        "disband-militia",
        "disband-nkvd",
        "disrupt",
        "disrupt-points",
        "dissolve-auxiliary-pool",
        "lose",
        "pay-casualties",
        "remove-from-pool",
        "scrap",
        "withdraw",
        "withdraw-air",
        "withdraw-from-pool",
    }


def test_what_concerns_a_whole_side_no_commander_of_one_front_decides() -> None:
    commands = Table(GIVEN).campaign.world.game.commands
    whole = {command_name(each) for each in commands if each.whole_side}
    assert whole == {"add-entries", "repay-debt"}
    # To take a line out again is the referee's.
    assert "remove-entry" in {command_name(each) for each in commands if each.referee}
