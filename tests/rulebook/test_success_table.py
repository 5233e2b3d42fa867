"""49.A.1.a/5 and 51.B.7/12  Our stand-in for the SUCCESS TABLE: each column to the left needs one more on the die."""

import pytest

from forcepool.games.europa.reserves.success_table import SuccessRow, read_success, success_rows
from forcepool.games.europa.world import EuropaWorld
from tests.support.table import Table

LETTERS = {-3: "D", 0: "D", 1: "F*", 2: "F", 3: "F", 4: "S", 5: "S", 6: "S*", 9: "S*"}
"""By the die in the column without modifiers."""
LEFTMOST = -4


@pytest.mark.parametrize("column", range(LEFTMOST, 1))
def test_every_line_of_the_stand_in_ends_where_the_next_begins(column: int) -> None:
    world = Table().campaign.world
    assert isinstance(world, EuropaWorld)
    rows = success_rows(world)
    found = {die: read_success(rows, die - column, column) for die in LETTERS}
    assert found == LETTERS


def test_beyond_the_last_column_one_reads_the_last() -> None:
    world = Table().campaign.world
    assert isinstance(world, EuropaWorld)
    rows = success_rows(world)
    assert [read_success(rows, die, LEFTMOST - 1) for die in (4, 5, 10)] == ["D", "F*", "S*"]
    assert [read_success(rows, die, 1) for die in (0, 1, 6)] == ["D", "F*", "S*"]


def test_beyond_the_last_line_of_a_groups_own_table_one_reads_the_last() -> None:
    rows = [SuccessRow(up_to=3, result="F"), SuccessRow(up_to=6, result="S")]
    assert [read_success(rows, die) for die in (3, 4, 6, 7)] == ["F", "S", "S", "S"]
