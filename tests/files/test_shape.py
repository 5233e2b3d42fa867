"""Plain data becomes what the game works with, and every error is found at once."""

import enum
from fractions import Fraction
from typing import Annotated, Any, Literal, NewType

import msgspec
import pytest

from forcepool.files import BadFile, Path, read_yaml, shape

UnitId = NewType("UnitId", str)


class Strength(enum.Enum):
    FULL = "full"
    CADRE = "cadre"


class Unit(msgspec.Struct, frozen=True):
    spec: str
    steps: int = 1
    cost: Fraction | None = None
    isolated: bool = False
    strength: Strength = Strength.FULL
    markers: tuple[str, ...] = ()
    place: str = msgspec.field(default="box", name="at")


class Rate(msgspec.Struct, frozen=True, rename="kebab"):
    per_month: Annotated[int, msgspec.Meta(ge=1, le=4)]
    nations: Annotated[list[str], msgspec.Meta(min_length=1)]


class Scenario(msgspec.Struct, frozen=True):
    units: dict[str, Unit]
    rates: list[Rate] = []


class Give(msgspec.Struct, frozen=True, tag_field="do", tag="give"):
    points: Fraction


class Take(msgspec.Struct, frozen=True, tag_field="do", tag="take"):
    unit: str


class Tree(msgspec.Struct, frozen=True):
    name: str
    under: list["Tree"] = []


class Span(msgspec.Struct, frozen=True):
    first: int
    last: int

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError("the first turn comes after the last")


def points(word: str) -> Fraction:
    try:
        return Fraction(word)
    except ValueError:
        raise ValueError(f"'{word}' is not a number of points") from None


def read(text: str, type_: Any, path: Path = ()) -> Any:
    return shape(read_yaml(text, "f"), path, type_, {Fraction: points})


def problems_of(text: str, type_: Any, path: Path = ()) -> list[tuple[int, int, str]]:
    with pytest.raises(BadFile) as bad:
        read(text, type_, path)
    return [(problem.line, problem.column, problem.message) for problem in bad.value.problems]


def hint_of(text: str, type_: Any) -> str:
    with pytest.raises(BadFile) as bad:
        read(text, type_)
    (problem,) = bad.value.problems
    return problem.hint


def test_a_unit_is_read_with_its_defaults() -> None:
    assert read("spec: 7-6 Inf XX", Unit) == Unit("7-6 Inf XX")


def test_a_unit_is_read_with_every_field() -> None:
    text = "{spec: 7-6, steps: 2, cost: 7/2, isolated: yes, strength: cadre, markers: [mp, 12:30], at: Minsk}"
    assert read(text, Unit) == Unit("7-6", 2, Fraction(7, 2), True, Strength.CADRE, ("mp", "12:30"), "Minsk")


def test_a_part_of_a_file_is_read_by_its_path() -> None:
    assert read("a:\n  - spec: x\n", Unit, ("a", 0)) == Unit("x")


@pytest.mark.parametrize(
    ("path", "spot"), [(("b",), (1, 1)), (("a", 1), (1, 1)), (("a", "x"), (1, 1)), (("a", 0, "z"), (2, 5))]
)
def test_a_part_that_is_not_there_is_missing(path: Path, spot: tuple[int, int]) -> None:
    assert problems_of("a:\n  - spec: x\n", Unit, path) == [(*spot, f"'{path[-1]}' is missing")]


def test_all_errors_are_told_at_once_each_in_its_place() -> None:
    text = """\
units:
  24 Inf XX:
    spec: 7-6
    steps: three
    cost: 3.x
  25 Inf XX:
    steps: 1.5
    isolated: maybe
  26 Inf XX: {spec: a, markers: [b, [c], {d: e}], strength: remnant}
rates:
  - per-month: 5
    nations: []
  - per_month: 1
    nations: [Germany]
"""
    assert problems_of(text, Scenario) == [
        (4, 12, "expected a whole number, found 'three'"),
        (5, 11, "'3.x' is not a number of points"),
        (6, 3, "'25 Inf XX': 'spec' is missing"),
        (7, 12, "expected a whole number, found '1.5'"),
        (8, 15, "expected yes or no, found 'maybe'"),
        (9, 37, "expected text, found a list"),
        (9, 42, "expected text, found a group of fields"),
        (9, 61, "expected one of full, cadre, found 'remnant'"),
        (11, 16, "expected a whole number of at least 1 and of at most 4, found '5'"),
        (12, 14, "expected a list of length at least 1, found 0"),
        (13, 5, "unknown word 'per_month'"),
    ]


def test_an_unknown_word_is_told_with_the_one_probably_meant_and_the_known_ones() -> None:
    assert problems_of("spec: a\nStesp: 2\n", Unit) == [(2, 1, "unknown word 'Stesp'")]
    hint = "did you mean 'steps'? known: spec, steps, cost, isolated, strength, markers, at"
    assert hint_of("spec: a\nStesp: 2\n", Unit) == hint


def test_a_word_like_no_other_gets_only_the_known_ones() -> None:
    assert hint_of("spec: a\nzzz: 2\n", Unit).startswith("known: spec, ")


def test_a_long_list_of_known_words_is_not_recited() -> None:
    dozen = msgspec.defstruct("Dozen", [(f"field_{n}", int, 0) for n in range(12)])
    many = msgspec.defstruct("Many", [(f"field_{n}", int, 0) for n in range(13)])
    assert hint_of("zzz: 2\n", dozen).startswith("known: field_0, ")
    assert hint_of("[]", dozen).startswith("known: field_0, ")
    assert hint_of("[]", many) == ""
    assert hint_of("zzz: 2\n", many) == ""
    assert hint_of("feild_1: 2\n", many) == "did you mean 'field_1'?"


def test_a_renamed_field_answers_only_to_the_name_in_the_file() -> None:
    assert problems_of("spec: a\nplace: Minsk\n", Unit) == [(2, 1, "unknown word 'place'")]


def test_a_misspelt_field_is_not_called_missing_as_well() -> None:
    assert problems_of("spce: a\n", Unit) == [(1, 1, "unknown word 'spce'")]


def test_a_missing_field_names_its_unit_at_the_units_line() -> None:
    assert problems_of("units:\n  24 Inf XX:\n    at: Minsk\n", Scenario) == [(2, 3, "'24 Inf XX': 'spec' is missing")]
    assert problems_of("# east\nrates: []\n", Scenario) == [(2, 1, "'units' is missing")]
    assert problems_of("- steps: 1\n- spec: a\n", list[Unit]) == [(1, 3, "'spec' is missing")]


@pytest.mark.parametrize("word", ["yes", "Yes", "true", "TRUE", "on"])
def test_words_for_yes(word: str) -> None:
    assert read(word, bool) is True


@pytest.mark.parametrize("word", ["no", "No", "false", "off"])
def test_words_for_no(word: str) -> None:
    assert read(word, bool) is False


@pytest.mark.parametrize("word", ["1", "0", "y", "n", "t", "'yes '"])
def test_other_words_are_neither_yes_nor_no(word: str) -> None:
    assert problems_of(word, bool)[0][2].startswith("expected yes or no, found '")


@pytest.mark.parametrize(("word", "number"), [("0", 0), ("010", 10), ("-3", -3), ("+4", 4), ("9" * 40, 10**40 - 1)])
def test_whole_numbers_are_decimal(word: str, number: int) -> None:
    assert read(word, int) == number


@pytest.mark.parametrize(
    "word", ["1.0", "1e3", "0x1F", "1_000", "12:30", "''", "' 1'", "٣", "3½", "9" * 41, "9" * 5000]
)
def test_what_is_not_a_whole_number(word: str) -> None:
    assert problems_of(word, int)[0][2].startswith("expected a whole number, found '")


def test_a_long_value_is_cut_short_in_a_message() -> None:
    assert problems_of("x" * 41, int) == [(1, 1, f"expected a whole number, found '{'x' * 40}…'")]
    assert problems_of("x" * 40, int) == [(1, 1, f"expected a whole number, found '{'x' * 40}'")]


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        (str, "expected text, found nothing"),
        (int, "expected a whole number, found nothing"),
        (bool, "expected yes or no, found nothing"),
        (list[str], "expected a list, found nothing"),
        (dict[str, str], "expected fields 'name: value', found nothing"),
        (Unit, "expected fields 'name: value', found nothing"),
        (Fraction, "expected a value, found nothing"),
    ],
)
def test_nothing_is_not_a_value(type_: Any, message: str) -> None:
    assert problems_of("a:\n", type_, ("a",)) == [(1, 3, message)]


def test_a_word_is_no_list_and_a_list_no_fields() -> None:
    assert problems_of("a: x", dict[str, list[str]]) == [(1, 4, "expected a list, found 'x'")]
    assert problems_of("a: [x]", dict[str, Unit]) == [(1, 4, "expected fields 'name: value', found a list")]


def test_empty_groups_and_lists_must_be_written_as_such() -> None:
    assert hint_of("", dict[str, str]) == "write {} for none"
    assert hint_of("", list[str]) == "write [] for none"
    assert hint_of("x", list[str]) == "write [a, b], or '- ' before each item"
    assert hint_of("x", dict[str, str]) == ""
    assert hint_of("", Take) == "known: unit, do"
    assert read("[{}, []]", tuple[dict[str, str], list[str]]) == ({}, [])


def test_points_divided_by_nothing_are_a_problem_not_a_crash() -> None:
    assert problems_of("a: 1/0", dict[str, Fraction])[0][:2] == (1, 4)


def test_a_parser_for_a_type_of_our_own_comes_before_what_the_type_is() -> None:
    document = read_yaml("[a, b]", "f")
    assert shape(document, (), list[UnitId], {UnitId: str.upper}) == ["A", "B"]
    assert shape(document, (), list[UnitId]) == ["a", "b"]


@pytest.mark.parametrize("limits", [msgspec.Meta(ge=1), msgspec.Meta(gt=0)])
def test_limits_on_a_number_hold_on_both_sides(limits: msgspec.Meta) -> None:
    assert read("1", Annotated[int, limits]) == 1
    assert problems_of("0", Annotated[int, limits])[0][2].endswith("found '0'")


def test_limits_on_text_and_lists() -> None:
    assert problems_of("''", Annotated[str, msgspec.Meta(min_length=1)]) == [
        (1, 1, "expected text of length at least 1, found ''")
    ]
    two = Annotated[list[str], msgspec.Meta(max_length=2)]
    assert read("[a, b]", two) == ["a", "b"]
    assert problems_of("[a, b, c]", two) == [(1, 1, "expected a list of length at most 2, found 3")]


def test_one_of_few_words() -> None:
    kind = Literal["inf", "arm", "art"]
    assert read("arm", kind) == "arm"
    assert problems_of("armm", kind) == [(1, 1, "expected one of inf, arm, art, found 'armm'")]
    assert hint_of("armm", kind) == "did you mean 'arm'?"
    assert problems_of("", kind) == [(1, 1, "expected a known word, found nothing")]
    assert problems_of("", Strength) == [(1, 1, "expected a known word, found nothing")]
    assert read("[~, inf]", list[Literal["inf", None]]) == [None, "inf"]


def test_a_dozen_words_are_recited_and_more_are_not() -> None:
    words = [f"w{n}" for n in range(13)]
    dozen, more = enum.Enum("Dozen", [(w, w) for w in words[:12]]), enum.Enum("More", [(w, w) for w in words])
    assert problems_of("x", dozen) == [(1, 1, f"expected one of {', '.join(words[:12])}, found 'x'")]
    assert problems_of("x", more) == [(1, 1, "expected a known word, found 'x'")]


def test_names_are_read_as_their_type_and_their_errors_stand_at_the_name() -> None:
    assert read("{1: a, 02: b}", dict[int, str]) == {1: "a", 2: "b"}
    assert problems_of("1: a\nx: b\n", dict[int, str]) == [(2, 1, "expected a whole number, found 'x'")]


def test_two_names_for_the_same_thing_are_told() -> None:
    assert problems_of("1/2: a\n2/4: b\n", dict[Fraction, str]) == [(2, 1, "'2/4' says the same as a name above it")]


def test_pairs_have_two_members() -> None:
    assert read("[a, 2]", tuple[str, int]) == ("a", 2)
    assert problems_of("[a]", tuple[str, int]) == [(1, 1, "expected a list of 2, found one of 1")]
    assert problems_of("[a, b]", tuple[str, int]) == [(1, 5, "expected a whole number, found 'b'")]


def test_sets_and_anything() -> None:
    assert read("[a, b, a]", frozenset[str]) == frozenset("ab")
    assert read("{a: [b, ~]}", Any) == {"a": ["b", None]}


def test_a_word_or_fields_is_told_apart_by_what_was_written() -> None:
    either = dict[str, str | Unit | None]
    assert read("{a: x, b: {spec: y}, c: }", either) == {"a": "x", "b": Unit("y"), "c": None}
    assert problems_of("a: {spce: y}\nb: [x]\n", either) == [
        (1, 5, "unknown word 'spce'"),
        (2, 4, "expected text or fields 'name: value', found a list"),
    ]


def test_nothing_is_refused_where_only_a_word_or_a_list_will_do() -> None:
    either = dict[str, str | list[Fraction]]
    assert read("{a: x, b: [1/2]}", either) == {"a": "x", "b": [Fraction(1, 2)]}
    assert problems_of("a:\nb: [x, y]\n", either) == [
        (1, 3, "expected text or a list, found nothing"),
        (2, 5, "'x' is not a number of points"),
        (2, 8, "'y' is not a number of points"),
    ]


def test_types_that_cannot_be_told_apart_are_a_mistake_of_the_program() -> None:
    for types in (Unit | Rate, Give | Unit, Unit | dict[str, str]):
        with pytest.raises(TypeError, match="cannot be told apart"):
            read("{}", types)


def test_a_number_or_a_word_takes_the_number_if_it_is_one() -> None:
    assert read("[1, x]", list[str | int]) == [1, "x"]
    assert read("[1/2, all]", list[Fraction | Literal["all"]]) == [Fraction(1, 2), "all"]
    assert problems_of("x", int | bool) == [(1, 1, "expected a whole number or yes or no, found 'x'")]


def test_the_kind_of_a_step_is_named_by_its_tag() -> None:
    steps = list[Give | Take]
    assert read("[{do: give, points: 1/3}, {do: take, unit: a}]", steps) == [Give(Fraction(1, 3)), Take("a")]
    assert problems_of("- do: give\n  points: x\n- do: tkae\n- unit: a\n- x\n", steps) == [
        (2, 11, "'x' is not a number of points"),
        (3, 7, "unknown do 'tkae'"),
        (4, 3, "'do' is missing"),
        (5, 3, "expected fields 'name: value', found 'x'"),
    ]


def test_a_named_step_without_its_tag_is_told_at_its_name() -> None:
    assert problems_of("first:\n  unit: a\n", dict[str, Give | Take]) == [(1, 1, "'first': 'do' is missing")]


def test_a_tag_that_contradicts_its_place_is_told() -> None:
    assert read("{do: take, unit: a}", Take) == Take("a")
    assert problems_of("{do: give, unit: a}", Take) == [(1, 6, "expected 'take', found 'give'")]


def test_a_group_may_hold_groups_of_its_own_kind() -> None:
    assert read("{name: a, under: [{name: b}]}", Tree) == Tree("a", [Tree("b")])
    assert problems_of("{name: a, under: [{name: b, under: [{nam: c}]}]}", Tree) == [(1, 38, "unknown word 'nam'")]


def test_what_a_group_says_of_itself_is_told_at_its_name() -> None:
    assert read("a: {first: 2, last: 2}", dict[str, Span]) == {"a": Span(2, 2)}
    assert problems_of("a: {first: 3, last: 2}", dict[str, Span]) == [(1, 1, "the first turn comes after the last")]


def test_types_left_to_msgspec_have_their_place_too() -> None:
    class Row(msgspec.Struct, array_like=True, frozen=True):
        turn: int
        points: list[Fraction]

    assert read("[[1, [1/2]]]", list[Row]) == [Row(1, [Fraction(1, 2)])]
    assert problems_of("- [1, [1/2]]\n- [1, [1/2, x]]\n", list[Row]) == [(2, 13, "'x' is not a number of points")]


def test_an_error_in_a_shared_group_is_told_once_where_it_is_written() -> None:
    text = "a: &a {spec: x, steps: y}\nb: *a\nc: {<<: *a}\n"
    assert problems_of(text, dict[str, Unit]) == [(1, 24, "expected a whole number, found 'y'")]
