"""A file of goals: what it says, and where it is wrong."""

from fractions import Fraction

import pytest

from forcepool.engine.ledger import Account
from forcepool.files import BadFile, read_yaml
from forcepool.planner.goals import Asked, Goals, Keep, Want, Weight, read_goals
from tests.support.depot import FIRST, KIND, begun

WHOLE = """
side: red
by: Feb 1 41
weights:
  - {type: pz, times: 2}
  - {unit: 1 inf xx, times: 3/2}
units:
  - {unit: 2 Inf XX}
  - {unit: 3 Pz XX, by: Jan 4 41}
earliest: [1 Inf XX]
keep:
  - {pool: north, nation: Red, kind: inf, points: 3½}
spend: {inf: 2/3}
leave: []
"""


def asked(text: str) -> Asked:
    world, state = begun()
    return read_goals(read_yaml(text, "goals.yaml"), world, state, "Red", 3)


def test_an_empty_file_asks_for_the_most() -> None:
    assert asked("") == Asked("Red", 3, Goals())


def test_every_goal_is_read() -> None:
    world, _ = begun()
    last = world.calendar.parse("Feb 1 41").turn
    found = asked(WHOLE)
    assert (found.side, found.turns) == ("Red", last - FIRST)
    assert found.goals == Goals(
        weights=(Weight(Fraction(2), type="Pz"), Weight(Fraction(3, 2), unit="1 Inf XX")),
        wants=(Want("2 Inf XX", last), Want("3 Pz XX", last - 1)),
        keeps=(Keep(Account("north", "Red", KIND), Fraction(7, 2)),),
        spend=((KIND, Fraction(2, 3)),),
        earliest=("1 Inf XX",),
    )
    assert found.goals.apart == ("2 Inf XX", "3 Pz XX", "1 Inf XX")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("side: Green", "goals.yaml:1:7: there is no side 'Green'"),
        ("weights:\n  - {type: tank, times: 2}", "goals.yaml:2:12: there is no type 'tank'"),
        ("weights:\n  - {times: 2}", "goals.yaml:2:5: a weight is said of"),
        ("units:\n  - {unit: 9 Inf XX}", "goals.yaml:2:12: "),
        ("units:\n  - {unit: 1 Inf XX, by: soon}", "goals.yaml:2:26: "),
        ("by: Dec 4 40", "is past"),
        ("leaves: [1 Inf XX]", "goals.yaml:1:1: "),
        ("spend: {inf: much}", "goals.yaml:1:14: "),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, says: str) -> None:
    with pytest.raises(BadFile) as wrong:
        asked(text)
    assert says in str(wrong.value)
