"""What a player is told about a bad file."""

import pickle

from forcepool.files import BadFile, Problem


def test_a_problem_reads_as_file_line_column_message_and_remedy() -> None:
    assert str(Problem("east.yaml", 3, 7, "unknown word 'spce'", "did you mean 'spec'?")) == (
        "east.yaml:3:7: unknown word 'spce' (did you mean 'spec'?)"
    )


def test_a_problem_without_a_remedy_has_no_brackets() -> None:
    assert str(Problem("east.yaml", 3, 7, "a tab")) == "east.yaml:3:7: a tab"


def test_problems_come_in_the_order_of_the_file_and_once_each() -> None:
    late, early, same_line = Problem("f", 10, 1, "x"), Problem("f", 9, 5, "y"), Problem("f", 9, 4, "z")
    assert BadFile([late, early, same_line, late]).problems == (same_line, early, late)


def test_twenty_problems_are_all_listed() -> None:
    shown = str(BadFile(Problem("f", n, 1, "x") for n in range(1, 21))).splitlines()
    assert len(shown) == 20
    assert shown[-1] == "f:20:1: x"


def test_of_twenty_one_problems_the_last_is_only_counted() -> None:
    shown = str(BadFile(Problem("f", n, 1, "x") for n in range(1, 22))).splitlines()
    assert len(shown) == 21
    assert shown[-2:] == ["f:20:1: x", "… and 1 more"]


def test_a_bad_file_survives_the_way_between_processes() -> None:
    bad = BadFile([Problem("f", 1, 1, "x")])
    assert pickle.loads(pickle.dumps(bad)).problems == bad.problems
