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


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("Withdraw 1x 7-6 Inf XX/8-6 Inf XX", 24),
        ("Withdraw 1x 7-6 Inf XX 1x 8-6 Inf XX", 24),
        ("Withdraw 1x 7-6 Inf XX / 1x 8-6 Inf XX", 26),
        ("Withdraw 1x 7-6 Inf XX plus 8-6 Inf XX 3", 29),
        ("Replace 1x 7-6 Inf XX with 1x 8-6 Inf XX", 28),
        ("Convert 1x 7-6 Inf XX - 1x 8-6 Inf XX", 25),
        ("Convert 1x 7-6 Inf XX : 1x 8-6 Inf XX", 25),
        ("Convert 2x 3-6 Inf III stacked with 1x 1-6 Art III → 1x 7-6 Inf XX 5", 37),
        ("Convert 1x 7-6 Inf XX to forming 1x 8-6 Inf XX full Oct 1 41", 34),
        ("Reinforce 1x 7-6 Inf XX. Also 1x 4-6 Inf XX", 31),
    ],
)
def test_a_second_unit_is_neither_type_nor_name_nor_place_of_the_first(line: str, column: int) -> None:
    ob = parse(f"Jul 1 41\nGerman\n{line}")
    (problem,) = ob.problems
    assert (problem.column, problem.message.split("'")[0]) == (column, "a second unit begins with ")
    assert [entry.verb for entry in ob.entries] == [NOT_UNDERSTOOD]


@pytest.mark.parametrize("line", ["Withdraw 3x 7-6 Inf XX 24-26", "Withdraw 1x 7-6 Inf XX 3-4 Gds"])
def test_a_range_of_numbers_is_a_name(line: str) -> None:
    assert parse(f"Jul 1 41\nGerman\n{line}").problems == ()


@pytest.mark.parametrize("line", ["Disarm: Italian forces", "Disarm the Italian forces", "Disarm all Italian forces"])
def test_disarming_the_forces_of_a_nation_is_no_heading(line: str) -> None:
    (entry,) = parse(f"Jul 1 41\nGerman\n{line}").entries
    assert (entry.verb, entry.nation, entry.items[0].force) == ("disarm", "German", "all Italian forces")


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("German and Rumanian: Withdraw 1x 4-6 Inf XX", "write German in a heading of its own: German:"),
        ("Arrive from ETO: 1x 7-6 Inf XX", "write the units right behind Arrive, and whatever else behind them"),
        ("Arive: 1x 7-6 Inf XX", "did you mean arrive?"),
    ],
)
def test_nobody_is_asked_whether_he_means_what_he_wrote(line: str, hint: str) -> None:
    (problem,) = parse(f"Jul 1 41\nGerman\n{line}").problems
    assert problem.hint == hint


@pytest.mark.parametrize(
    ("line", "column"),
    [("Reinforce 1x 7-6 Inf XX on Aug 1 41", 28), ("Withdraw 1x 7-6 Inf XX 24 until Aug 1 41", 33)],
)
def test_a_turn_behind_a_unit_is_no_name_of_it(line: str, column: int) -> None:
    (problem,) = parse(f"Jul 1 41\nGerman\n{line}").problems
    assert (problem.column, problem.message) == (column, "expected the end of the unit, found the turn 'Aug 1 41'")
