"""Units that a line gives the choice of are no unit, and refused where they are read."""

import pytest

from forcepool.orderofbattle.model import NOT_UNDERSTOOD
from forcepool.orderofbattle.reading import parse


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("Convert 1x 4-6 Inf XX or 1x 5-6 Inf XX to 1x 7-6 Inf XX", 23),
        ("Convert: 1x 4-6 Inf XX or 5-6 Inf XX → 1x 7-6 Inf XX", 24),
        ("Convert: 1x 4-6 Inf XX → 1x 7-6 Inf XX or 1x 8-6 Inf XX", 40),
        ("Withdraw 1x 7-6 Inf XX or 1x 8-6 Inf XX", 24),
        ("Withdraw 1x 7-6 Inf XX, or 1x 8-6 Inf XX", 25),
        ("Withdraw 1x 7-6 Inf XX (or 1x 8-6 Inf XX)", 24),
        ("Withdraw: either 1x 7-6 Inf XX or 1x 8-6 Inf XX", 11),
        ("Withdraw: 1x 7-6 or 8-6 Inf XX", 18),
        ("Withdraw 1x 7-6 Inf XX 24 or 76", 27),
        ("Reinforce 1x 7-6 Inf XX or 3 inf", 25),
        ("Resources: 2 inf RPs or 1 arm RP", 22),
    ],
)
def test_a_choice_between_units_is_refused_where_it_stands(line: str, column: int) -> None:
    ob = parse(f"Jul 1 41\nGerman\n{line}")
    (problem,) = ob.problems
    assert (problem.line, problem.column) == (3, column)
    assert problem.message.startswith("a line lists what it lists without a choice, found ")
    assert [entry.verb for entry in ob.entries] == [NOT_UNDERSTOOD]


@pytest.mark.parametrize(
    "line", ["Withdraw 1x 7-6 Inf XX 24, note: or 1x 8-6 Inf XX", "Other: withdraw 1x 7-6 Inf XX or 1x 8-6 Inf XX"]
)
def test_what_is_then_said_to_do_is_read(line: str) -> None:
    ob = parse(f"Jul 1 41\nGerman\n{line}")
    assert ob.problems == ob.warnings == ()


def test_a_choice_of_places_is_none_of_units() -> None:
    ob = parse('Jul 1 41\nGerman\nWithdraw 1x 7-6 Inf XX in MD V or VI "in or out" (see 3 or 4)')
    assert ob.problems == ob.warnings == ()


@pytest.mark.parametrize("line", ["Withdraw 1x 7-6 Inf XX/8-6 Inf XX", "Reinforce 1x 7-6 Inf XX. If 1x 4-6 Inf XX is"])
def test_no_strength_is_part_of_a_type(line: str) -> None:
    (problem,) = parse(f"Jul 1 41\nGerman\n{line}").problems
    assert "a second unit begins with" in problem.message
