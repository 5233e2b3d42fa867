"""Unit strings are read as players write them, and as scanners spoil them."""

import random
from fractions import Fraction

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forcepool.engine.units import Strength, UnitSpec
from forcepool.orderofbattle.nationalities import nation_short
from forcepool.orderofbattle.unit_strings import SIZES, BadUnit, parse_unit, print_unit


def spec(
    full: Strength,
    type_: str = "Inf",
    size: str = "XX",
    cadre: Strength | None = None,
    remnant: Strength | None = None,
    unsupported: Strength | None = None,
    starred: bool = False,
    designation: str = "",
) -> UnitSpec:
    return UnitSpec(full, type_, size, cadre, remnant, unsupported, starred=starred, designation=designation)


def even(strength: int | Fraction, movement: int) -> Strength:
    return Strength(strength, strength, movement)


HALF = Fraction(1, 2)
S86 = even(8, 6)
S76 = even(7, 6)
C36 = even(3, 6)

PLAIN = [
    ("8-6 Inf XX", spec(S86)),
    ("12-10 Pz XX (5-8)", spec(even(12, 10), "Pz", cadre=even(5, 8))),
    ("5-7-6 Inf XX", spec(Strength(5, 7, 6))),
    ("0-1-5 NKVD Border III", spec(Strength(0, 1, 5), "NKVD Border", "III")),
    ("3-2-8 Tk X", spec(Strength(3, 2, 8), "Tk", "X")),
    ("6-6* Inf XX 24", spec(even(6, 6), starred=True, designation="24")),
    ("7-6 Inf XX (3-6) (1-6)", spec(S76, cadre=C36, remnant=even(1, 6))),
    ("5-7-6 Inf XX (4-5-6 unsupported)", spec(Strength(5, 7, 6), unsupported=Strength(4, 5, 6))),
    ("0-3-0 Depot HQ", spec(Strength(0, 3, 0), "Depot", "HQ")),
    ("0-1-R Depot X", spec(Strength(0, 1, "R"), "Depot", "X")),
    ("½-6 Inf II", spec(even(HALF, 6), size="II")),
    ("1½-2-6 Inf X", spec(Strength(Fraction(3, 2), 2, 6), size="X")),
    ("8-6 Inf XX GD", spec(S86, designation="GD")),
    ("8-6 Inf XX 1 Gds", spec(S86, designation="1 Gds")),
    ("2-6 Inf III III/12", spec(even(2, 6), size="III", designation="III/12")),
    ("4-6 Mtn XX 20 Mtn", spec(even(4, 6), "Mtn", designation="20 Mtn")),
    ("8-6 Mot XX LSSAH", spec(S86, "Mot", designation="LSSAH")),
    ("8-6 Inf XX Taman", spec(S86, designation="Taman")),
    ("2-3-6 Inf HQ XX 4", spec(Strength(2, 3, 6), "Inf HQ", designation="4")),
    ("0-1-6 Army HQ 12", spec(Strength(0, 1, 6), "Army", "HQ", designation="12")),
    ("0-1-6 Army HQ, X", spec(Strength(0, 1, 6), "Army", "HQ", designation="X")),
    ("0-1-6 Army HQ X", spec(Strength(0, 1, 6), "Army HQ", "X")),
    ("1-8 Lt/Mot A&B St.G Pz-Gr II", spec(even(1, 8), "Lt/Mot A&B St.G Pz-Gr", "II")),
]

OTHERWISE = [
    ("0-1-6 HQ Corps 12", spec(Strength(0, 1, 6), "HQ", "XXX", designation="12")),
    ("0-6 HQ Div 12", spec(Strength(0, 0, 6), "HQ", "XX", designation="12")),
    ("7-6 Inf XX (3-6 cadre)", spec(S76, cadre=C36)),
    ("7-6 Inf XX ( 3-6 Cadre )", spec(S76, cadre=C36)),
    ("7-6 Inf XX (3-6) [1-6 remnant]", spec(S76, cadre=C36, remnant=even(1, 6))),
    ("7-6 (3-6) Inf XX 24", spec(S76, cadre=C36, designation="24")),
    ("7-6 Inf XX 24 (3-6)", spec(S76, cadre=C36, designation="24")),
    ("7-6 Inf XX [1-6](3-6)", spec(S76, cadre=C36, remnant=even(1, 6))),
    ("7-6 Inf XX (1-6 remnant) (3-6)", spec(S76, cadre=C36, remnant=even(1, 6))),
    ("5-7-6 Inf XX {4-5-6}", spec(Strength(5, 7, 6), unsupported=Strength(4, 5, 6))),
    ("8-6 Inf XX, 24", spec(S86, designation="24")),
    ("8-6 Inf xx", spec(S86)),
    ("8-6 Inf Xx", spec(S86)),
    ("2-6 Inf iii", spec(even(2, 6), size="III")),
    ("8-8-6 Inf XX", spec(S86)),
    ("1/2-6 Inf II", spec(even(HALF, 6), size="II")),
    ("1 1/2-6 Inf II", spec(even(Fraction(3, 2), 6), size="II")),
    ("2.5-6 Inf II", spec(even(Fraction(5, 2), 6), size="II")),
    ("  8-6\tInf   XX  ", spec(S86)),
    ("8-6 * Inf XX", spec(S86, starred=True)),
    ("1x 8-6 Inf XX 24", spec(S86, designation="24")),
    ("0-1-r Depot X", spec(Strength(0, 1, "R"), "Depot", "X")),
]


@pytest.mark.parametrize(("text", "unit"), PLAIN + OTHERWISE)
def test_a_unit_is_read_without_a_doubt(text: str, unit: UnitSpec) -> None:
    parsed = parse_unit(text)
    assert parsed.spec == unit
    assert parsed.count == 1
    assert parsed.designations == ((unit.designation,) if unit.designation else ())
    assert parsed.warnings == ()


@pytest.mark.parametrize(("text", "unit"), PLAIN)
def test_a_unit_is_printed_as_it_was_written(text: str, unit: UnitSpec) -> None:
    assert print_unit(unit) == text


def test_a_count_and_designations_stand_for_several_units() -> None:
    parsed = parse_unit("2x 8-6 Inf XX 24, 76")
    assert parsed.count == 2
    assert parsed.designations == ("24", "76")
    assert parsed.spec == spec(S86)
    assert parsed.warnings == ()
    assert print_unit(parsed.spec, "24, 76", count=2) == "2x 8-6 Inf XX 24, 76"


def test_brackets_between_designations_belong_to_the_counter() -> None:
    parsed = parse_unit("2x 8-6 Inf XX 24 (3-6), 1 Gds")
    assert parsed.spec == spec(S86, cadre=C36)
    assert parsed.designations == ("24", "1 Gds")


def test_a_printed_designation_may_be_given_in_place_of_the_units_own() -> None:
    assert print_unit(spec(S86, designation="24"), "76") == "8-6 Inf XX 76"
    assert print_unit(spec(S86, designation="24")) == "8-6 Inf XX 24"


@pytest.mark.parametrize(
    ("text", "count", "warnings"),
    [
        ("3x 8-6 Inf XX 24, 76", 3, ("the count is 3, but there are 2 designations",)),
        ("2x 8-6 Inf XX 24, 76", 2, ()),
        ("1x 8-6 Inf XX 24, 76", 1, ("the count is 1, but there are 2 designations",)),
        ("2x 8-6 Inf XX 24", 2, ("the count is 2, but there is 1 designation",)),
        ("2x 8-6 Inf XX", 2, ()),
        ("8-6 Inf XX 24, 76", 2, ("no count is given: read 2x for 2 designations",)),
        ("8-6 Inf XX 24,", 1, ("left out an empty designation beside a comma",)),
        ("2x 8-6 Inf XX 24, 24", 2, ("the designation 24 is given twice",)),
    ],
)
def test_a_count_that_disagrees_with_the_designations_is_a_warning(
    text: str, count: int, warnings: tuple[str, ...]
) -> None:
    parsed = parse_unit(text)
    assert parsed.count == count
    assert parsed.warnings == warnings


def test_units_of_a_group_have_no_designation_in_common() -> None:
    assert parse_unit("2x 8-6 Inf XX 24").spec.designation == ""
    assert parse_unit("1x 8-6 Inf XX 24").spec.designation == "24"


@pytest.mark.parametrize(
    ("text", "printed", "warnings"),
    [
        ("lx 8-6 Inf XX", "1x 8-6 Inf XX", ("read 'lx' as 1x",)),
        ("Ix 8-6 Inf XX", "1x 8-6 Inf XX", ("read 'Ix' as 1x",)),
        ("lOx 8-6 Inf XX", "10x 8-6 Inf XX", ("read 'lOx' as 10x",)),
        ("2X 8-6 Inf XX", "2x 8-6 Inf XX", ("read '2X' as 2x",)),
        ("2× 8-6 Inf XX", "2x 8-6 Inf XX", ("read '2×' as 2x",)),
        ("2x8-6 Inf XX", "2x 8-6 Inf XX", ()),
        ("l2-10 Pz XX", "1x 12-10 Pz XX", ("read 'l2-10' as 12-10",)),
        ("I2-1O Pz XX", "1x 12-10 Pz XX", ("read 'I2-1O' as 12-10",)),
        ("O-1-5 Inf III", "1x 0-1-5 Inf III", ("read 'O-1-5' as 0-1-5",)),
        ("0-l-5 Inf III", "1x 0-1-5 Inf III", ("read '0-l-5' as 0-1-5",)),
        ("0-1-O Inf III", "1x 0-1-0 Inf III", ("read '0-1-O' as 0-1-0",)),
        ("l½-6 Inf III", "1x 1½-6 Inf III", ("read 'l½-6' as 1½-6",)),
        ("8–6 Inf XX", "1x 8-6 Inf XX", ("read '8–6' as 8-6",)),
        ("8—6 Inf XX", "1x 8-6 Inf XX", ("read '8—6' as 8-6",)),
        ("8−6 Inf XX", "1x 8-6 Inf XX", ("read '8−6' as 8-6",)),
        ("8 -6 Inf XX", "1x 8-6 Inf XX", ("read '8 -6' as 8-6",)),
        ("5-7 - 6 Inf XX", "1x 5-7-6 Inf XX", ("read '5-7 - 6' as 5-7-6",)),
        ("8-6Inf XX", "1x 8-6 Inf XX", ("read '8-6Inf' as 8-6 Inf",)),
        ("3-2-8Tk X", "1x 3-2-8 Tk X", ("read '3-2-8Tk' as 3-2-8 Tk",)),
        ("8-6 InfXX", "1x 8-6 Inf XX", ("read 'InfXX' as Inf XX",)),
        ("8-6 Infxx 24", "1x 8-6 Inf XX 24", ("read 'Infxx' as Inf XX",)),
        ("8-6 Inf XX24", "1x 8-6 Inf XX 24", ("read 'XX24' as XX 24",)),
        ("8-6 InfXX24", "1x 8-6 Inf XX 24", ("read 'InfXX24' as Inf XX 24",)),
        ("0-1-5 NKVD BorderIII", "1x 0-1-5 NKVD Border III", ("read 'BorderIII' as Border III",)),
        ("1-8 AA lI", "1x 1-8 AA II", ("read 'lI' as the size II",)),
        ("1-8 AA 1I", "1x 1-8 AA II", ("read '1I' as the size II",)),
        ("8-6 Pz–Gr XX", "1x 8-6 Pz-Gr XX", ("read 'Pz–Gr XX' as Pz-Gr XX",)),
        ("7-6 Inf XX (3–6)", "1x 7-6 Inf XX (3-6)", ("read '3–6' as 3-6",)),
        ("lx l-6 Inf I", "1x 1-6 Inf I", ("read 'lx' as 1x", "read 'l-6' as 1-6")),
    ],
)
def test_scanning_errors_are_understood_and_say_how(text: str, printed: str, warnings: tuple[str, ...]) -> None:
    parsed = parse_unit(text)
    assert print_unit(parsed.spec, ", ".join(parsed.designations), parsed.count) == printed
    assert parsed.warnings == warnings


def test_a_designation_keeps_its_own_signs() -> None:
    assert parse_unit("8-6 Inf XX Groß–D").designations == ("Groß–D",)


def test_a_number_that_only_looks_like_a_size_is_none() -> None:
    with pytest.raises(BadUnit, match="expected a size"):
        parse_unit("8-6 Inf 11")
    with pytest.raises(BadUnit, match="expected a size"):
        parse_unit("8-6 Inf XIII")


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "a strength such as 8-6 or 5-7-6"),
        ("   ", 4, "a strength such as 8-6 or 5-7-6"),
        ("Inf XX", 1, "a strength such as 8-6 or 5-7-6, found 'Inf'"),
        ("2x Inf XX", 4, "a strength such as 8-6 or 5-7-6, found 'Inf'"),
        ("24 Inf XX", 1, "a strength before the unit, as in 8-6 Inf XX 24; found its name alone"),
        ("44 HuD Inf XX", 1, "a strength before the unit"),
        ("3-6 Inf XX 23 Marzo (BS)", 21, "a cadre as in"),
        ("8- Inf XX", 1, "a movement after '8-'"),
        ("1/0-6 Inf XX", 1, "a strength such as 8-6 or 5-7-6: '1/0' divides by zero"),
        ("8-6", 4, "a type such as Inf or Pz after the strength 8-6"),
        ("8-6 XX", 5, "a type such as Inf or Pz after the strength 8-6"),
        ("8-6 HQ 4", 5, "a type such as Inf or Pz after the strength 8-6"),
        ("8-6 Inf", 8, "a size such as XX, X, III or II after the type 'Inf'"),
        ("8-6 Inf 24 ", 11, "a size such as XX, X, III or II after the type 'Inf 24'"),
        ("8-6 In$f XX", 7, r"a type of letters, digits, / - & and \., found '\$'"),
        ("8-6 Inf, XX", 8, r"a type of letters, digits, / - & and \., found ','"),
        ("8-6 - InfXX", 5, r"a type of letters, digits, / - & and \., found '-'"),
        ("8-6 Inf ** XX", 9, r"a type of letters, digits, / - & and \., found '\*'"),
        ("8-6 Inf XX (", 13, "a strength such as 8-6 or 5-7-6"),
        ("8-6 Inf XX (x)", 13, r"a strength such as 8-6 or 5-7-6, found 'x\)'"),
        ("8-6 Inf XX (3-6", 16, r"'\)' after the cadre strength 3-6"),
        ("8-6 Inf XX (3-6]", 16, r"'\)' after the cadre strength 3-6"),
        ("8-6 Inf XX [3-6 cadres]", 16, r"'\]' after the remnant strength 3-6"),
        ("8-6 Inf XX 3-6)", 15, r"an opening bracket before '\)'"),
        ("8-6 Inf XX (3-6) (2-6 cadre)", 18, "one cadre strength, found a second"),
        ("8-6 Inf XX (3-6) (2-6) (1-6)", 24, "one remnant strength, found a second"),
        ("0x 8-6 Inf XX", 1, "a count of at least 1"),
        ("8-6 Inf XX 2\x004", 13, "a designation such as 24"),
    ],
)
def test_what_is_no_unit_is_refused_with_the_column_and_what_was_expected(
    text: str, column: int, expected: str
) -> None:
    with pytest.raises(BadUnit, match=f"^expected {expected}") as refused:
        parse_unit(text)
    assert refused.value.column == column


@pytest.mark.parametrize(("good", "bad"), [("999-6 Inf XX", "1000-6 Inf XX"), ("999x 8-6 Inf XX", "1000x 8-6 Inf XX")])
def test_numbers_have_at_most_three_digits(good: str, bad: str) -> None:
    parse_unit(good)
    with pytest.raises(BadUnit):
        parse_unit(bad)


AMOUNTS = st.integers(0, 30) | st.fractions(0, 30, max_denominator=99)
STRENGTHS = st.builds(Strength, AMOUNTS, AMOUNTS, st.integers(0, 99) | st.sampled_from("RATZ"))
SIDES = st.none() | STRENGTHS
WORDS = st.from_regex(r"[A-Za-zÄÖÜäöüß0-9][A-Za-zäöüß0-9/&.-]{0,6}", fullmatch=True).filter(
    # A word that is a size, or that a scanner may have made of one, ends the type.
    lambda word: word.upper() not in SIZES and not set(word) <= set("Il1")
)
TYPES = (
    st.lists(WORDS, min_size=1, max_size=3)
    # A number before the type is the unit's own, and a nation is whose it is.
    .filter(lambda words: not words[0][0].isdigit() and not any(map(nation_short, (words[0], " ".join(words[:2])))))
    .map(" ".join)
)
NAMES = st.sampled_from(
    ["24", "GD", "1 Gds", "III/12", "20 Mtn", "LSSAH", "Taman", "XX", "l2", "Großdeutschland", "5–6"]
)
SPECS = st.builds(spec, STRENGTHS, TYPES, st.sampled_from(SIZES), SIDES, SIDES, SIDES, st.booleans())


@given(SPECS, st.lists(NAMES, unique=True, max_size=4))
def test_every_unit_reads_back_from_its_printed_form(unit: UnitSpec, names: list[str]) -> None:
    count = len(names) or 1
    parsed = parse_unit(print_unit(unit, ", ".join(names), count))
    assert parsed.count == count
    assert parsed.designations == tuple(names)
    assert msgspec.structs.replace(parsed.spec, designation="") == unit
    assert parsed.spec.designation == (names[0] if count == 1 and names else "")
    assert parsed.warnings == ()


@given(SPECS)
def test_a_unit_without_a_count_reads_back_as_one(unit: UnitSpec) -> None:
    parsed = parse_unit(print_unit(unit))
    assert (parsed.count, parsed.spec, parsed.warnings) == (1, unit, ())


def refusal(text: str) -> BadUnit | None:
    try:
        parse_unit(text)
    except BadUnit as refused:
        return refused
    return None


def read_or_refused(text: str) -> None:
    refused = refusal(text)
    if refused:
        assert 1 <= refused.column <= len(text) + 1
        assert str(refused).startswith("expected ")
        return
    parsed = parse_unit(text)
    again = parse_unit(print_unit(parsed.spec, ", ".join(parsed.designations), parsed.count))
    assert again.spec == parsed.spec
    assert (again.count, again.designations) == (parsed.count, parsed.designations)


@given(st.text())
@example("lxl")
@example("8-6 Inf XX \ud800")
def test_any_text_is_a_unit_or_is_refused(text: str) -> None:
    read_or_refused(text)


LETTERS = "0123456789xX×lIO|½⅓/.-–—−*()[]{},& \tInfPzXXRHQ\x00ßé"


@given(st.sampled_from([text for text, _ in PLAIN + OTHERWISE]), st.integers(0, 2**32), st.integers(1, 6))
def test_a_spoiled_unit_is_still_a_unit_or_is_refused(text: str, seed: int, slips: int) -> None:
    chance = random.Random(seed)
    letters = list(text)
    for _ in range(slips):
        at = chance.randrange(len(letters) + 1)
        letters[at : at + chance.randrange(3)] = chance.choices(LETTERS, k=chance.randrange(3))
    read_or_refused("".join(letters))
