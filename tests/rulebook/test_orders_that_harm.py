"""Orders that cost one's own side something on the board: faces put these last and ask before they are given."""

from forcepool.engine.command import command_name
from forcepool.games import game


def test_what_takes_units_or_points_off_the_board_asks_first() -> None:
    harming = {command_name(each) for each in game("europa").commands if each.harms}
    assert harming == {
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
