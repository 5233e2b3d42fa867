"""Units carry what their counters show."""

from fractions import Fraction
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcepool.engine.points import BadPoints, dec_hook, enc_hook
from forcepool.engine.units import CADRE, FULL, REMNANT, STEPS, NoSuchStep, Strength, UnitSpec

DIVISION = UnitSpec(
    full=Strength(7, 7, 6), type="Inf", size="XX", cadre=Strength(3, 3, 6), remnant=Strength(1, 2, 6), designation="24"
)
REGIMENT = UnitSpec(full=Strength(0, 1, 5), type="NKVD Border", size="III")


@pytest.mark.parametrize(
    ("strength", "points", "split", "text"),
    [
        (Strength(8, 8, 6), Fraction(8), False, "8-6"),
        (Strength(5, 7, 6), Fraction(6), True, "5-7-6"),
        (Strength(3, 2, 8), Fraction(5, 2), True, "3-2-8"),
        (Strength(0, 1, 5), Fraction(1, 2), True, "0-1-5"),
        (Strength(0, 3, 0), Fraction(3, 2), True, "0-3-0"),
        (Strength(0, 1, "R"), Fraction(1, 2), True, "0-1-R"),
        (Strength(0, 0, 5), Fraction(0), False, "0-5"),
        (Strength(Fraction(5, 2), Fraction(5, 2), 6), Fraction(5, 2), False, "2½-6"),
        (Strength(Fraction(3, 2), 2, 6), Fraction(7, 4), True, "1½-2-6"),
    ],
)
def test_split_strengths_are_priced_at_their_average(
    strength: Strength, points: Fraction, split: bool, text: str
) -> None:
    assert strength.points == points
    assert isinstance(strength.points, Fraction)
    assert strength.split is split
    assert str(strength) == text


def test_a_whole_strength_is_one_thing_however_it_was_given() -> None:
    plain = Strength(8, 8, 6)
    given_otherwise: list[Any] = [Fraction(16, 2), "8", "16/2"]
    for value in given_otherwise:
        strength = Strength(value, value, 6)
        assert strength == plain
        assert hash(strength) == hash(plain)
        assert type(strength.attack) is int
        assert msgspec.json.encode(strength) == msgspec.json.encode(plain)


def test_a_half_stays_a_fraction() -> None:
    assert type(Strength(Fraction(1, 2), 1, 6).attack) is Fraction


@pytest.mark.parametrize("wrong", [2.5, True, None, "two", ""])
def test_a_strength_is_never_a_float_or_a_word(wrong: Any) -> None:
    with pytest.raises(BadPoints):
        Strength(wrong, 1, 6)
    with pytest.raises(BadPoints):
        Strength(1, wrong, 6)


def test_a_unit_has_the_steps_its_counter_shows_strongest_first() -> None:
    assert STEPS == (FULL, CADRE, REMNANT)
    assert DIVISION.steps == (FULL, CADRE, REMNANT)
    assert REGIMENT.steps == (FULL,)
    assert msgspec.structs.replace(DIVISION, cadre=None).steps == (FULL, REMNANT)


def test_each_step_has_its_own_strength() -> None:
    assert str(DIVISION.strength(FULL)) == "7-6"
    assert str(DIVISION.strength(CADRE)) == "3-6"
    assert str(DIVISION.strength(REMNANT)) == "1-2-6"


def test_a_unit_has_a_step_only_if_its_counter_shows_it() -> None:
    assert DIVISION.has(CADRE)
    assert REGIMENT.has(FULL)
    assert not REGIMENT.has(CADRE)
    assert not REGIMENT.has(REMNANT)
    assert not DIVISION.has("unsupported")


@pytest.mark.parametrize("step", [CADRE, REMNANT, "eliminated"])
def test_asking_for_a_step_the_unit_lacks_says_which_it_has(step: str) -> None:
    with pytest.raises(NoSuchStep, match=f"NKVD Border III has no {step} strength; it has full"):
        REGIMENT.strength(step)


def test_the_order_in_which_traits_are_listed_does_not_matter() -> None:
    one = UnitSpec(Strength(8, 8, 6), "Inf", "XX", traits=("ski", "guards"))
    other = UnitSpec(Strength(8, 8, 6), "Inf", "XX", traits=("guards", "ski", "guards"))
    assert one == other
    assert one.traits == ("guards", "ski")


def test_a_whole_strength_is_stored_as_a_number_and_a_half_as_text() -> None:
    assert msgspec.json.encode(Strength(8, 8, 6)) == b'{"attack":8,"defence":8,"movement":6}'
    half = Strength(Fraction(3, 2), 2, "R")
    assert msgspec.json.encode(half, enc_hook=enc_hook) == b'{"attack":"3/2","defence":2,"movement":"R"}'


def test_a_stored_unit_leaves_out_what_it_does_not_have() -> None:
    stored = msgspec.json.encode(REGIMENT)
    assert stored == b'{"full":{"attack":0,"defence":1,"movement":5},"type":"NKVD Border","size":"III"}'


@pytest.mark.parametrize(
    "wrong", [b'{"attack":2.5,"defence":2,"movement":6}', b'{"attack":"x","defence":2,"movement":6}']
)
def test_a_journal_with_an_inexact_strength_does_not_load(wrong: bytes) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(wrong, type=Strength)


AMOUNTS = st.integers(0, 30) | st.fractions(0, 30, max_denominator=12)
STRENGTHS = st.builds(Strength, AMOUNTS, AMOUNTS, st.integers(0, 20) | st.sampled_from(["R", "A"]))
SPECS = st.builds(
    UnitSpec,
    STRENGTHS,
    type=st.text(),
    size=st.sampled_from(["XX", "III", "HQ"]),
    cadre=st.none() | STRENGTHS,
    remnant=st.none() | STRENGTHS,
    unsupported=st.none() | STRENGTHS,
    starred=st.booleans(),
    traits=st.lists(st.text(max_size=3), max_size=4).map(tuple),
    nation=st.text(max_size=3),
    designation=st.text(max_size=3),
    re=st.none() | st.fractions(0, 9),
)


@given(SPECS)
def test_a_unit_goes_through_the_journal_unchanged(spec: UnitSpec) -> None:
    again = msgspec.json.decode(msgspec.json.encode(spec, enc_hook=enc_hook), type=UnitSpec, dec_hook=dec_hook)
    assert again == spec
    assert hash(again) == hash(spec)


@given(STRENGTHS)
def test_the_price_is_the_average_and_the_strength_itself_when_both_are_equal(strength: Strength) -> None:
    assert strength.points * 2 == strength.attack + strength.defence
    if not strength.split:
        assert strength.points == strength.attack
