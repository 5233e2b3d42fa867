"""Dice are fair, follow from seed and entry, and are taken in order."""

from collections import Counter

import pytest

from forcepool.engine import dice


def test_the_same_seed_entry_and_number_give_the_same_die() -> None:
    assert [dice.roll(b"s", 7, n, 6) for n in range(1, 9)] == [dice.roll(b"s", 7, n, 6) for n in range(1, 9)]


def test_another_entry_rolls_another_die() -> None:
    rolls = {tuple(dice.roll(b"s", entry, n, 6) for n in range(1, 13)) for entry in range(2, 20)}
    assert len(rolls) == 18


@pytest.mark.parametrize("sides", [2, 6, 10, 20])
def test_every_face_comes_up_about_as_often(sides: int) -> None:
    faces = Counter(dice.roll(b"seed", entry, 1, sides) for entry in range(200 * sides))
    assert set(faces) == set(range(1, sides + 1))
    assert max(faces.values()) < 290
    assert min(faces.values()) > 120


def test_dice_given_are_taken_in_order_and_a_missing_one_is_asked_for() -> None:
    tray = dice.Tray([dice.Roll(0, 4, True), dice.Roll(0, 6, True)])
    assert tray.take("52.D.2.c.3/11", 6, "damage").result == 4
    assert tray.take("52.D.2.c.3/11", 6, "damage").result == 6
    with pytest.raises(dice.RollNeeded, match=r"52\.D\.2\.c\.3/11 asks for a d6: damage"):
        tray.take("52.D.2.c.3/11", 6, "damage")
