"""Dice are fair, follow from everybody's shares in an order, and are taken in order."""

from collections import Counter

import pytest

from forcepool.engine import dice

BOUND = dice.bound_to("first", (7, 0, 2, 0), b'{"command":"throw"}', 0)


def shares(bound: bytes = BOUND, **secrets: bytes) -> dict[str, str]:
    return {who: dice.share(secret, bound) for who, secret in secrets.items()}


def test_the_same_shares_and_number_give_the_same_die() -> None:
    both = shares(campaign=b"s", Axis=b"t")
    assert [dice.roll(both, n, 6) for n in range(1, 9)] == [
        dice.roll(dict(reversed(both.items())), n, 6) for n in range(1, 9)
    ]


@pytest.mark.parametrize(
    "bound",
    [
        dice.bound_to("second", (7, 0, 2, 0), b'{"command":"throw"}', 0),
        dice.bound_to("first", (7, 0, 3, 0), b'{"command":"throw"}', 0),
        dice.bound_to("first", (7, 0, 2, 0), b'{"command":"throw","unit":"x"}', 0),
        dice.bound_to("first", (7, 0, 2, 0), b'{"command":"throw"}', 1),
    ],
)
def test_another_campaign_moment_order_or_repetition_rolls_another_die(bound: bytes) -> None:
    here, there = (shares(each, campaign=b"s") for each in (BOUND, bound))
    assert [dice.roll(here, n, 20) for n in range(1, 9)] != [dice.roll(there, n, 20) for n in range(1, 9)]


def test_every_secret_has_a_part_in_the_roll() -> None:
    rolls = {
        tuple(dice.roll(shares(campaign=bytes([one]), Axis=bytes([two])), n, 20) for n in range(1, 9))
        for one in range(1, 5)
        for two in range(1, 5)
    }
    assert len(rolls) == 16


@pytest.mark.parametrize("sides", [2, 6, 10, 20])
def test_every_face_comes_up_about_as_often(sides: int) -> None:
    bounds = (dice.bound_to("first", (7, 0, 2, 0), b"{}", again) for again in range(200 * sides))
    faces = Counter(dice.roll(shares(bound, campaign=b"seed"), 1, sides) for bound in bounds)
    assert set(faces) == set(range(1, sides + 1))
    assert max(faces.values()) < 290
    assert min(faces.values()) > 120


def test_a_promise_is_kept_by_its_own_secret_only() -> None:
    promised = dice.commitment(b"secret")
    assert dice.keeps(promised, b"secret")
    assert not dice.keeps(promised, b"Secret")
    assert not dice.keeps(dice.commitment(b""), b""), "no secret is no promise"


def test_dice_given_are_taken_in_order_and_a_missing_one_is_asked_for() -> None:
    tray = dice.Tray([dice.Roll(0, 4, True), dice.Roll(0, 6, True)])
    assert tray.take("52.D.2.c.3/11", 6, "damage").result == 4
    assert tray.take("52.D.2.c.3/11", 6, "damage").result == 6
    with pytest.raises(dice.RollNeeded, match=r"52\.D\.2\.c\.3/11 asks for a d6: damage"):
        tray.take("52.D.2.c.3/11", 6, "damage")
