"""What was done is counted as one tells it across the table."""

import pytest

from forcepool import games
from forcepool.engine.command import command_name
from forcepool.views.deeds import DEEDS, deed, deeds


@pytest.mark.parametrize(
    ("name", "count", "said"),
    [
        ("lose", 1, "took 1 loss"),
        ("lose", 14, "took 14 losses"),
        ("rebuild-cadre", 3, "rebuilt 3 cadres"),
        ("activate-coast-defence", 2, "put 2 coast defences into service"),
        ("carry-out", 2, "carried out 2 entries of the order of battle"),
        ("give-aid", 1, "gave aid"),
        ("give-aid", 2, "gave aid twice"),
        ("give-aid", 3, "gave aid 3 times"),
        ("unheard-of", 2, "gave 'unheard of' twice"),
    ],
)
def test_a_deed_is_said_with_its_number(name: str, count: int, said: str) -> None:
    assert deed(name, count) == said


def test_what_was_done_most_often_comes_first() -> None:
    assert deeds(["note", "advance", "lose", "lose"]) == "took 2 losses, ended 1 phase, wrote 1 remark"


def test_every_command_of_every_game_has_its_words() -> None:
    names = {command_name(cls) for each in games.names() for cls in games.game(each).commands}
    assert names - DEEDS.keys() == set(), "tell in forcepool/views/deeds.py what they are called when they are counted"
    assert DEEDS.keys() - names == {"undo", "redo", "asks", "promises", "writes"}
