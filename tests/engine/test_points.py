"""Points are exact, however they are written."""

import contextlib
from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcepool.engine.points import (
    VULGAR,
    BadPoints,
    dec_hook,
    enc_hook,
    parse_points,
    show_amounts,
    show_points,
    store_points,
)

HALF = Fraction(1, 2)

WRITTEN = [
    ("3", Fraction(3)),
    ("0", Fraction(0)),
    ("7/2", Fraction(7, 2)),
    ("3 1/2", Fraction(7, 2)),
    ("3  1/2", Fraction(7, 2)),
    ("13 1/2", Fraction(27, 2)),
    ("13/2", Fraction(13, 2)),
    ("3½", Fraction(7, 2)),
    ("3 ½", Fraction(7, 2)),
    ("½", HALF),
    ("1⁄2", HALF),
    ("-1/2", -HALF),
    ("−½", -HALF),
    ("-3 1/2", Fraction(-7, 2)),
    ("+2", Fraction(2)),
    ("2.5", Fraction(5, 2)),
    ("0.1", Fraction(1, 10)),
    ("2.7", Fraction(27, 10)),
    (" 4 ", Fraction(4)),
    ("6/4", Fraction(3, 2)),
    ("0/5", Fraction(0)),
    ("1 2/3", Fraction(5, 3)),
    ("5/12", Fraction(5, 12)),
    ("2/37", Fraction(2, 37)),
]


@pytest.mark.parametrize(("text", "amount"), WRITTEN)
def test_an_amount_is_read_exactly_as_written(text: str, amount: Fraction) -> None:
    assert parse_points(text) == amount


@pytest.mark.parametrize(("mark", "amount"), VULGAR.items())
def test_every_fraction_sign_is_read_alone_and_after_a_whole_number_and_shown_again(
    mark: str, amount: Fraction
) -> None:
    assert parse_points(mark) == amount
    assert parse_points(f"3{mark}") == 3 + amount
    assert show_points(amount) == mark
    assert show_points(-3 - amount) == f"−3{mark}"


def test_the_fifteen_fraction_signs_have_their_true_values() -> None:
    halves_to_sixths = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅙": "1/6", "⅚": "5/6"}
    fifths = {"⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5"}
    eighths = {"⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}
    assert {mark: str(amount) for mark, amount in VULGAR.items()} == halves_to_sixths | fifths | eighths


REFUSED = [
    "", " ", "nan", "inf", "1e5", "1/0", "3 1/0", "0/0", "½½", "½3", "1/2/3", "3 4/3", "3 2/2", "--1", "+-1", "- 1",
    "1_000", "1,5", ".5", "5.", "1.5.2", "1.5½", "2.5 1/2", "1/-2", "three", "٣", "0x10", "3 1", "1" * 401, "½/2", "/2",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_is_refused_with_a_remedy(text: str) -> None:
    with pytest.raises(BadPoints, match="write ") as refused:
        parse_points(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 160


def test_a_fraction_just_under_one_may_follow_a_whole_number_but_one_itself_may_not() -> None:
    assert parse_points("3 11/12") == Fraction(47, 12)
    with pytest.raises(BadPoints, match="one or more"):
        parse_points("3 12/12")


@pytest.mark.parametrize(
    ("amount", "shown", "stored"),
    [
        (Fraction(7, 2), "3½", "7/2"),
        (Fraction(1, 4), "¼", "1/4"),
        (Fraction(27, 10), "2 7/10", "27/10"),
        (Fraction(0), "0", "0"),
        (Fraction(-1, 2), "−½", "-1/2"),
        (Fraction(-27, 10), "−2 7/10", "-27/10"),
        (Fraction(-3), "−3", "-3"),
        (Fraction(1, 12), "1/12", "1/12"),
        (Fraction(13, 12), "1 1/12", "13/12"),
        (Fraction(2, 3), "⅔", "2/3"),
        (Fraction(2, 37), "2/37", "2/37"),
        (Fraction(3), "3", "3"),
    ],
)
def test_an_amount_is_shown_for_players_and_stored_for_the_journal(amount: Fraction, shown: str, stored: str) -> None:
    assert show_points(amount) == shown
    assert store_points(amount) == stored


def test_a_whole_strength_is_shown_like_the_same_amount() -> None:
    assert show_points(8) == show_points(Fraction(8)) == "8"


@given(st.fractions())
def test_every_amount_reads_back_from_what_is_shown_and_from_what_is_stored(amount: Fraction) -> None:
    assert parse_points(show_points(amount)) == amount
    assert parse_points(store_points(amount)) == amount


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=0, max_value=10**9))
def test_a_decimal_text_is_its_own_exact_value(amount: object) -> None:
    assert parse_points(f"{amount:f}") == Fraction(f"{amount:f}")


@given(st.text())
def test_any_text_is_an_amount_or_is_refused(text: str) -> None:
    with contextlib.suppress(BadPoints):
        assert isinstance(parse_points(text), Fraction)


def test_amounts_are_listed_in_the_order_given_without_the_empty_ones() -> None:
    amounts = {"inf": Fraction(7, 2), "art": Fraction(0), "arm": Fraction(1)}
    assert show_amounts(amounts) == "3½ inf, 1 arm"
    assert show_amounts(dict(reversed(amounts.items()))) == "1 arm, 3½ inf"


@pytest.mark.parametrize("amounts", [{}, {"inf": Fraction(0)}, {"inf": Fraction(0), "arm": Fraction(0)}])
def test_no_amount_at_all_is_nothing(amounts: dict[str, Fraction]) -> None:
    assert show_amounts(amounts) == "nothing"


def test_a_debt_is_listed_with_a_minus() -> None:
    assert show_amounts({"inf": Fraction(-1, 2)}) == "−½ inf"


@given(st.lists(st.fractions()))
def test_amounts_go_through_the_journal_unchanged(amounts: list[Fraction]) -> None:
    written = msgspec.json.encode(amounts, enc_hook=enc_hook)
    assert msgspec.json.decode(written, type=list[Fraction], dec_hook=dec_hook) == amounts


def test_the_journal_holds_an_amount_as_text() -> None:
    assert msgspec.json.encode([Fraction(7, 2), Fraction(3)], enc_hook=enc_hook) == b'["7/2","3"]'


def test_a_whole_number_in_the_journal_is_an_amount_but_a_float_or_a_truth_is_not() -> None:
    assert msgspec.json.decode(b"3", type=Fraction, dec_hook=dec_hook) == 3
    for wrong in (b"2.5", b"true", b"null", b'"x"'):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(wrong, type=Fraction, dec_hook=dec_hook)


def test_only_amounts_have_a_stored_form() -> None:
    with pytest.raises(NotImplementedError):
        enc_hook(object())
    with pytest.raises(NotImplementedError):
        dec_hook(complex, "1")
