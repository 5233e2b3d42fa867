"""A slip in the YAML is told in plain words at the place to mend."""

import pytest

from forcepool.files import BadFile, Problem, read_yaml

pytestmark = pytest.mark.usefixtures("any_parser")


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(BadFile) as bad:
        read_yaml(text, "f")
    return bad.value.problems


SLIPS: dict[str, tuple[str, int, int, str]] = {
    "tab under a heading": ("a:\n\tb: c\n", 2, 1, "the line is indented with a tab"),
    "tab after spaces": ("a:\n  \tb: c\n", 2, 3, "the line is indented with a tab"),
    "tab alone on a line": ("a: b\n\t\nc: d\n", 2, 1, "the line is indented with a tab"),
    "tab on the last line": ("a:\n\tb: c", 2, 1, "the line is indented with a tab"),
    "tab under a value": ("a: b\n\tc: d\n", 2, 1, "the line is indented with a tab"),
    "hard space": ("a:\n \xa0b: c\n", 2, 2, "the line is indented with a hard (non-breaking) space"),
    "field too far left": (
        "a:\n   b: 1\n  c: 2\n",
        3,
        3,
        "this line fits no group of fields above it (one starts on line 1)",
    ),
    "field too far right": ("a: 1\n  b: 2\n", 2, 4, "this field is indented under a line that already has its value"),
    "heading without a colon": (
        "units\n  a: b\n",
        2,
        4,
        "this field is indented under a line that already has its value",
    ),
    "second colon": ("spec: 7-6: x\n", 1, 10, "a second ':' on this line"),
    "name without a colon": ("a: b\nkey\nc: d\n", 2, 1, "expected ':' after this name"),
    "field in a list": ("- a\nb: c\n", 2, 1, "expected '- ' to go on with the list that starts on line 1"),
    "item among fields": ("a: 1\n- b\n", 2, 1, "a list item stands among the fields that start on line 1"),
    "list on the same line": ("a: - b\n", 1, 4, "a '- ' list cannot start in the middle of a line"),
    "open list": ("a: [1, 2\nb: 3\n", 1, 4, "the bracket opened here is not closed: expected ',' or ']' on line 2"),
    "open list at the end": (
        "x: 1\na: [1, 2\n",
        2,
        4,
        "the bracket opened here is not closed: expected ',' or ']' at column 9",
    ),
    "open group": ("a: {b: 1\n\nc", 1, 4, "the bracket opened here is not closed: expected ',' or '}' on line 3"),
    "no comma": ("a: {x: 1 y: 2}\n", 1, 4, "the bracket opened here is not closed: expected ',' or '}' at column 11"),
    "open quote": ("a: 1\nb: 'x\nc: 3\n", 2, 4, "the quotation mark opened here is never closed"),
    "open double quote": ('b: "x\nc: 3\n---\n', 1, 4, "the quotation mark opened here is never closed"),
    "text after a quote": ("a: 'b' c\n", 1, 8, "expected the end of the line after the value, found 'c'"),
    "bracket too many": ("a: [b]]\n", 1, 7, "expected the end of the line after the value, found ']'"),
    "tab after a dash": ("-\ta: b\n", 1, 2, "a tab stands where only spaces may stand"),
    "at sign": ("a: @x\n", 1, 4, "a value cannot start with '@'"),
    "backtick": ("a: `x`\n", 1, 4, "a value cannot start with '`'"),
    "percent": ("a: %5\n", 1, 4, "a value cannot start with '%'"),
    "closing bracket": ("a: ]\n", 1, 4, "expected a value, found ']'"),
    "star alone": ("a: *\n", 1, 5, "expected a name straight after '&' or '*'"),
    "text after the end": ("{a: 1}\nb: 2\n", 2, 1, "the file should end here, but more text follows"),
    "unknown handle": ("a: !f!o b\n", 1, 4, "tags such as '!name' are not used in these files"),
    "text on the bar's line": ("a: |x\n y\n", 1, 5, "expected the text to start on the line after '|' or '>'"),
    "new YAML": ("%YAML 3.0\n---\na: b\n", 1, 1, "this version of YAML is not known"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_in_one_plain_sentence_where_it_is(slip: str) -> None:
    text, *expected = SLIPS[slip]
    (problem,) = problems_of(text)
    assert [problem.line, problem.column, problem.message] == expected
    assert problem.hint


def test_an_unknown_escape_is_told() -> None:
    (problem,) = problems_of('a: "C:\\games"\n')
    assert problem.line == 1
    assert problem.column in (7, 8)
    assert problem.message == "'\\' in double quotes must be followed by a known escape"
    assert problem.hint == "use single quotes"


def test_every_line_indented_with_a_tab_is_told_at_once() -> None:
    problems = problems_of("a:\n\tb: 1\n\tc: 2\n\t\n  \td: 3\ne: 1\n")
    assert [(problem.line, problem.column) for problem in problems] == [(2, 1), (3, 1), (5, 3)]


def test_tabs_inside_text_are_fine() -> None:
    assert read_yaml("a: 'x\ty'\nc: |\n  kept\n  \ttoo\n", "f").data == {"a": "x\ty", "c": "kept\n\ttoo\n"}


@pytest.mark.parametrize("line", ["a: \u201cx: y\u201d", "a: \u2018x\u2019: y"])
def test_curly_quotes_are_suspected_first(line: str) -> None:
    (problem,) = problems_of(line)
    assert "curly quotes" in problem.hint


def test_a_hard_space_after_a_colon_is_suspected_first() -> None:
    (problem,) = problems_of("a:\xa0b\nc: d\n")
    assert "hard (non-breaking) space" in problem.hint
    assert "line 1" in problem.hint


def test_problems_before_a_slip_are_told_with_it() -> None:
    problems = problems_of("a: 1\na: 2\nb: [\n")
    assert [(problem.line, problem.column) for problem in problems] == [(2, 1), (3, 5)]
    assert problems[1].message == "expected a value, found the end of the file"


@pytest.mark.parametrize("text", ["a: 'x", "a: [", "a: {b", "a: &", "a: !<", "'", '"\\', "%", "? -", "a: *", "- - : ["])
def test_text_that_breaks_off_has_its_problem_inside_the_file(text: str) -> None:
    for problem in problems_of(text):
        assert problem.line == 1
        assert 1 <= problem.column <= len(text) + 1
