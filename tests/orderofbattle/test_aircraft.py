"""Unit strings of aircraft."""

import pytest

from forcepool.orderofbattle.aircraft import codes_of, parse_aircraft


@pytest.mark.parametrize(
    ("text", "type_", "model", "codes", "range_"),
    [
        ("7F8 P-51B 2-1/18", "F", "P-51B", (), 18),
        ("4B5 Ju88.A4 3-7 S 26", "B", "Ju88.A4", ("S",), 26),
        ("Me 109F 7F9 1/15", "F", "Me 109F", (), 15),
        ("3HB4 Fw200C 3-8 CM 60", "HB", "Fw200C", ("C", "M"), 60),
        ("1HT2 Me323 0X/20", "HT", "Me323", ("X",), 20),
    ],
)
def test_ratings_model_codes_and_range_are_read(
    text: str, type_: str, model: str, codes: tuple[str, ...], range_: int
) -> None:
    spec = parse_aircraft(text)
    assert spec is not None
    assert (spec.type, spec.designation, codes_of(spec), spec.full.movement) == (type_, model, codes, range_)
    assert "air" in spec.traits


def test_attack_and_defence_ratings_are_kept_apart() -> None:
    spec = parse_aircraft("4A5 A-20G5 4-1/19")
    assert spec is not None
    assert (spec.full.attack, spec.full.defence) == (4, 5)
    assert "bombs 4-1" in spec.traits


@pytest.mark.parametrize(
    "text", ["7-6 Inf XX (3-6)", "2x 8-6 Inf XX 24, 76", "7F8 P-51B", "P-51B 2-1/18", "0-1-6 Army HQ", ""]
)
def test_what_is_no_air_unit_is_left_to_others(text: str) -> None:
    assert parse_aircraft(text) is None
