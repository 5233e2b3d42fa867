"""YAML keeps what was typed and knows where it stands."""

import pathlib
from typing import Any

import pytest

from forcepool.files import BadFile, Position, read_yaml, read_yaml_file

pytestmark = pytest.mark.usefixtures("any_parser")


def problems_of(text: str, **limits: int) -> list[tuple[int, int, str]]:
    with pytest.raises(BadFile) as bad:
        read_yaml(text, "f", **limits)
    return [(problem.line, problem.column, problem.message) for problem in bad.value.problems]


def only_problem(text: str, **limits: int) -> tuple[int, int, str]:
    (problem,) = problems_of(text, **limits)
    return problem


SCENARIO = """\
# the east
units:
  24 Inf XX:
    spec: 7-6 Inf XX (3-6)
    at: Minsk
  '25': {spec: 8-6, at: [Kiev, Lvov]}
steps:
  - rebuild: yes
  - text
"""


@pytest.mark.parametrize(
    "word", ["no", "yes", "On", "true", "12:30", "010", "0x1F", "1.5", "1e3", "2026-11-15", "1_000", ".inf", "=", "<<"]
)
def test_words_and_numbers_stay_as_typed(word: str) -> None:
    assert read_yaml(f"a: {word}\n", "f").data == {"a": word}
    assert read_yaml(f"- {word}\n", "f").data == [word]


@pytest.mark.parametrize("word", ["no", "null", "~", "010", "12:30", "1.5"])
def test_names_stay_as_typed(word: str) -> None:
    assert read_yaml(f"{word}: a\n", "f").data == {word: "a"}


@pytest.mark.parametrize("word", ["", "~", "null", "Null", "NULL", "# a comment"])
def test_nothing_written_is_nothing(word: str) -> None:
    assert read_yaml(f"a: {word}\n", "f").data == {"a": None}


@pytest.mark.parametrize("word", ["'~'", '"null"', "''", "!!str ~", "|-\n  null"])
def test_nothing_in_quotes_is_text(word: str) -> None:
    data: Any = read_yaml(f"a: {word}\n", "f").data
    assert isinstance(data["a"], str)


@pytest.mark.parametrize("text", ["", "\n", "# only a comment\n", "---\n"])
def test_an_empty_file_holds_nothing(text: str) -> None:
    document = read_yaml(text, "f")
    assert document.data is None
    assert document.where().line == 1


def test_every_value_knows_where_it_starts() -> None:
    document = read_yaml(SCENARIO, "east.yaml")
    assert document.where(("units", "24 Inf XX", "spec")) == Position("east.yaml", 4, 11)
    assert document.where(("units", "25", "at", 1)) == Position("east.yaml", 6, 32)
    assert document.where(("units", "24 Inf XX")) == Position("east.yaml", 4, 5)
    assert document.where(("steps", 0)) == Position("east.yaml", 8, 5)
    assert document.where(("steps", 0, "rebuild")) == Position("east.yaml", 8, 14)
    assert document.where(("steps", 1)) == Position("east.yaml", 9, 5)
    assert document.where() == Position("east.yaml", 2, 1)


def test_every_name_knows_where_it_stands() -> None:
    document = read_yaml(SCENARIO, "east.yaml")
    assert document.where_key(("units",)) == Position("east.yaml", 2, 1)
    assert document.where_key(("units", "24 Inf XX")) == Position("east.yaml", 3, 3)
    assert document.where_key(("units", "25")) == Position("east.yaml", 6, 3)
    assert document.where_key(("units", "25", "at")) == Position("east.yaml", 6, 21)
    assert document.where_key(("steps", 1)) == Position("east.yaml", 9, 5)
    assert document.where_key(()) == Position("east.yaml", 2, 1)


def test_the_place_of_something_that_is_not_there_is_the_group_around_it() -> None:
    document = read_yaml(SCENARIO, "f")
    assert document.where(("units", "24 Inf XX", "nation", "x")) == document.where(("units", "24 Inf XX"))
    assert document.where(("units", "24 Inf XX", "spec", "x")) == document.where(("units", "24 Inf XX", "spec"))


@pytest.mark.parametrize("text", ["a:\n  - ? end\n    ", "a:\n  - ? end", "a:\n  - ? end\n\n# last\n"])
def test_a_value_left_out_at_the_end_is_placed_inside_the_file(text: str) -> None:
    document = read_yaml(text, "f")
    assert document.data == {"a": [{"end": None}]}
    assert document.where(("a", 0, "end")) <= Position("f", 4, 7)
    assert document.where(("a", 0, "end")).line <= len(text.splitlines())


def test_columns_count_letters_not_bytes() -> None:
    assert read_yaml("Łódź: Köln\n", "f").where(("Łódź",)) == Position("f", 1, 7)


def test_windows_line_ends_count_once() -> None:
    assert read_yaml("a: 1\r\nb: 2\r\n", "f").where(("b",)) == Position("f", 2, 4)


def test_a_name_given_twice_tells_both_lines() -> None:
    assert only_problem("spec: 1\nat: 2\nspec: 3\n") == (3, 1, "'spec' is given twice, first on line 1")


def test_every_name_given_twice_is_told_at_once() -> None:
    text = "a: {x: 1, x: 2}\nb: 1\n'a': 3\nb: 4\n"
    assert [(line, column) for line, column, _ in problems_of(text)] == [(1, 11), (3, 1), (4, 1)]


@pytest.mark.parametrize(("length", "end"), [(60, "n"), (61, "…")])
def test_a_very_long_name_is_cut_short(length: int, end: str) -> None:
    name = "n" * length
    assert (
        only_problem(f"{name}: 1\n{name}: 2\n")[2]
        == f"'{'n' * min(length, 60)}{'' if end == 'n' else end}' is given twice, first on line 1"
    )


def test_the_same_name_in_two_groups_is_no_duplicate() -> None:
    assert read_yaml("a: {x: 1}\nb: {x: 1}\n", "f").data == {"a": {"x": "1"}, "b": {"x": "1"}}


def test_a_reference_stands_for_what_it_refers_to_and_its_place() -> None:
    document = read_yaml("a: &inf {cost: 4}\nb: *inf\n", "f")
    assert document.data == {"a": {"cost": "4"}, "b": {"cost": "4"}}
    assert document.where(("b", "cost")) == Position("f", 1, 16)
    assert document.where_key(("b",)) == Position("f", 2, 1)


def test_a_reference_may_be_a_name() -> None:
    assert read_yaml("- &x Minsk\n- {*x : 1}\n", "f").data == ["Minsk", {"Minsk": "1"}]


def test_fields_merged_in_do_not_replace_the_groups_own() -> None:
    document = read_yaml("base: &b {spec: 7-6, at: Minsk}\nunit:\n  <<: *b\n  at: Kiev\n", "f")
    data: Any = document.data
    assert data["unit"] == {"at": "Kiev", "spec": "7-6"}
    assert document.where(("unit", "spec")) == Position("f", 1, 17)
    assert document.where_key(("unit", "spec")) == Position("f", 1, 11)
    assert document.where(("unit", "at")) == Position("f", 4, 7)


def test_of_several_groups_merged_in_the_first_wins() -> None:
    document = read_yaml("- &a {x: 1}\n- &b {x: 2, y: 2}\n- <<: [*a, *b]\n", "f")
    data: Any = document.data
    assert data[2] == {"x": "1", "y": "2"}


def test_a_merge_sign_in_quotes_is_a_name() -> None:
    assert read_yaml("'<<': 1\n", "f").data == {"<<": "1"}


@pytest.mark.parametrize(("value", "column"), [("text", 5), ("[a]", 5), ("", 4)])
def test_only_fields_can_be_merged_in(value: str, column: int) -> None:
    assert only_problem(f"<<: {value}\n") == (1, column, "'<<' must be followed by a group of fields")


def test_a_reference_to_nothing_is_a_problem() -> None:
    assert only_problem("a: 1\nb: *inf\n") == (2, 4, "'*inf' refers to nothing above it")
    assert only_problem("a: 1\n<<: *inf\n") == (2, 5, "'*inf' refers to nothing above it")


@pytest.mark.parametrize("text", ["a: &x\n  b: *x\n", "a: &x\n - *x\n", "&x a: &x {<<: *x}\n"])
def test_a_group_cannot_contain_itself(text: str) -> None:
    assert only_problem(text)[2] == "'*x' stands inside the very group it refers to"


def test_references_that_multiply_are_stopped_without_writing_them_out() -> None:
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 12)]
    line, _, message = only_problem("\n".join(lines))
    assert line == 7
    assert message == "the file grows beyond 2,000,000 values with its '*' references written out"


def test_merged_groups_that_multiply_are_stopped_too() -> None:
    lines = ["a: &a {" + ", ".join(f"x{n}: 1" for n in range(100)) + "}"]
    lines += [f"b{n}: {{<<: *a}}" for n in range(100)]
    assert only_problem("\n".join(lines), most_nodes=5_000)[2].startswith("the file grows beyond 5,000 values")


def test_the_limit_counts_every_name_and_value() -> None:
    text = "a: &x [1, 2]\nb: *x\n"  # the group, two names, and a list of three twice
    assert read_yaml(text, "f", most_nodes=9).data == {"a": ["1", "2"], "b": ["1", "2"]}
    assert only_problem(text, most_nodes=8)[:2] == (2, 4)


def test_a_hundred_brackets_are_read_and_one_more_is_not() -> None:
    assert read_yaml("[" * 100 + "]" * 100, "f").data
    assert only_problem("[" * 101 + "]" * 101) == (1, 101, "groups and lists are nested more than 100 deep")


def test_references_cannot_nest_deeper_than_brackets() -> None:
    text = "a: &a {}\nb: {}*a{}\n"
    inner = "[" * 60 + "]" * 60
    assert read_yaml(text.format(inner, "[" * 39, "]" * 39), "f")
    assert only_problem(text.format(inner, "[" * 40, "]" * 40))[:2] == (2, 44)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("a: !unit x\n", "!unit"),
        ("a: !unit {b: 1}\n", "!unit"),
        ("a: !unit [b]\n", "!unit"),
        ("a: !!int 3\n", "!!int"),
        ("a: !!python/object:os.system x\n", "!!python/object:os.system"),
        ("a: !!str [b]\n", "!!str"),
        ("a: ! x\n", "!"),
    ],
)
def test_tags_are_refused(text: str, tag: str) -> None:
    assert only_problem(text) == (1, 4, f"the tag '{tag}' is not used in these files")


def test_tags_that_say_what_is_so_anyway_are_allowed() -> None:
    assert read_yaml("!!map {a: !!str x, b: !!seq [c]}\n", "f").data == {"a": "x", "b": ["c"]}


def test_a_list_cannot_be_a_name() -> None:
    assert only_problem("x: 1\n? [a, b]\n: c\ny: 2\n") == (2, 3, "a list or a group of fields cannot be a name")
    assert only_problem("x: 1\n? [a, b]\n: x\n")[:2] == (2, 3)
    assert only_problem("x: &l [a]\n*l : c\n") == (2, 1, "a list or a group of fields cannot be a name")


def test_a_field_needs_a_name() -> None:
    assert only_problem("a:\n  : b\n") == (2, 3, "a name is missing before ':'")
    assert only_problem("a: {: b}\n") == (1, 5, "a name is missing before ':'")


def test_a_file_holds_one_document() -> None:
    assert only_problem("a: 1\n---\nb: 2\n") == (2, 1, "a second document starts here")
    assert read_yaml("---\na: 1\n...\n", "f").data == {"a": "1"}


@pytest.mark.parametrize(
    "character", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\ufeff", "\ufffe", "\ud800"]
)
def test_control_characters_are_refused_where_they_stand(character: str) -> None:
    message = f"the character U+{ord(character):04X} cannot be used here"
    assert only_problem(f"a: 1\nb: x{character}y\n") == (2, 5, message)


def test_every_control_character_is_told_at_once() -> None:
    assert [(line, column) for line, column, _ in problems_of("a\x00: \x01\n\n\x02")] == [(1, 2), (1, 5), (3, 1)]


@pytest.mark.parametrize("escape", [r"\0", r"\a", r"\x7f", r"\u2028", r"\uFEFF"])
def test_control_characters_cannot_be_smuggled_in_by_escapes(escape: str) -> None:
    line, column, message = only_problem(f'a: "x{escape}"\n')
    assert (line, column) == (1, 4)
    assert message.startswith("the text holds the character U+")


@pytest.mark.parametrize("escape", [r"\ud800", r"\UFFFFFFFF"])
def test_escapes_that_are_no_character_are_refused(escape: str) -> None:
    assert only_problem(f'a: 1\nb: "{escape}"\n')[0] == 2


def test_letters_of_all_scripts_and_an_escaped_tab_are_fine() -> None:
    assert read_yaml('a: "Żytomierz\\t½"\nb: Житомир 👍\n', "f").data == {"a": "Żytomierz\t½", "b": "Житомир 👍"}


def test_a_byte_order_mark_at_the_start_is_skipped(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "east.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: \xc5\x81\n")
    document = read_yaml_file(file)
    assert document.data == {"a": "Ł"}
    assert document.where(("a",)) == Position(str(file), 1, 4)
    assert read_yaml("\ufeffa: 1\n", "f").where_key(("a",)) == Position("f", 1, 1)


@pytest.mark.parametrize(("mark", "byte"), [(b"", 10), (b"\xef\xbb\xbf", 13)])
def test_a_file_that_is_not_utf_8_tells_the_byte(tmp_path: pathlib.Path, mark: bytes, byte: int) -> None:
    file = tmp_path / "west.yaml"
    file.write_bytes(mark + "Ł: 1\nb: ".encode() + b"\xe9t\xe9\n")
    with pytest.raises(BadFile) as bad:
        read_yaml_file(str(file))
    (problem,) = bad.value.problems
    assert (problem.file, problem.line, problem.column) == (str(file), 2, 4)
    assert problem.message == f"byte {byte} of the file (0xE9) is not UTF-8 text"


def test_a_file_saved_as_utf_16_is_named_as_such(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "west.yaml"
    file.write_bytes("a: 1\n".encode("utf-16"))
    with pytest.raises(BadFile, match="the file is saved as UTF-16"):
        read_yaml_file(file)


def test_a_file_that_is_not_there_is_a_problem_not_a_crash(tmp_path: pathlib.Path) -> None:
    with pytest.raises(BadFile, match="the file cannot be read"):
        read_yaml_file(tmp_path / "nowhere.yaml")
    with pytest.raises(BadFile, match="the file cannot be read"):
        read_yaml_file(tmp_path)
    with pytest.raises(BadFile, match="the file cannot be read"):
        read_yaml_file("a\0b")
