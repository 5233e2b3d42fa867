"""Points over the turns as a picture."""

from fractions import Fraction
from xml.etree import ElementTree

import pytest

from forcepool.drawing.plots import BOTTOM, TOP, Line, fan, plot

TURNS = ("Jul 1 41", "Jul 2 41", "Jul 3 41")


def heights(svg: str) -> list[list[int]]:
    tree = ElementTree.fromstring(svg)
    lines = [each.get("points", "") for each in tree.iter("polyline")]
    return [[int(point.partition(",")[2]) for point in line.split()] for line in lines]


def test_a_line_rises_and_falls_with_the_points_inside_the_picture() -> None:
    [line] = heights(plot("Germany", TURNS, [Line("inf", (Fraction(2), Fraction(9, 2), Fraction(0)))]))
    assert line[1] < line[0] < line[2] == BOTTOM
    assert min(line) >= TOP


def test_a_debt_lies_below_nothing() -> None:
    [line] = heights(plot("Germany", TURNS, [Line("inf", (Fraction(0), Fraction(-3), Fraction(4)))]))
    assert line[2] < line[0] < line[1] <= BOTTOM


@pytest.mark.parametrize("high", [Fraction(1, 100), Fraction(3), Fraction(999), Fraction(123_456)])
def test_the_scale_fits_any_amount(high: Fraction) -> None:
    svg = plot("Germany", TURNS, [Line("inf", (Fraction(0), high, high))])
    assert all(TOP <= each <= BOTTOM for line in heights(svg) for each in line)
    assert svg.count("M34 ") <= 6


def test_what_stands_at_the_end_of_each_line_can_be_heard() -> None:
    lines = [Line("inf", (Fraction(1), Fraction(7, 2))), Line("arm", (Fraction(1), Fraction(7, 2)))]
    svg = plot("points of Germany", TURNS[:2], lines)
    assert 'aria-label="points of Germany: inf 3½ at Jul 2 41; arm 3½ at Jul 2 41"' in svg
    names = [each for each in ElementTree.fromstring(svg).iter("text") if each.text in ("inf", "arm")]
    assert len({each.get("y") for each in names}) == 2


def test_one_turn_makes_no_picture() -> None:
    assert plot("Germany", TURNS[:1], [Line("inf", (Fraction(1),))]) == ""
    assert plot("Germany", TURNS, []) == ""


def test_the_line_asked_for_is_large_with_its_turns_marked_and_its_last_value_written() -> None:
    lines = [Line("inf", (Fraction(1), Fraction(7, 2), Fraction(5, 2))), Line("arm", (Fraction(1),) * 3)]
    small, large = plot("Germany", TURNS, lines), plot("Germany", TURNS, lines, asked="inf")
    assert (small.count("<circle"), large.count("<circle")) == (0, 3)
    assert ">2½</text>" in large
    assert max(max(each) for each in heights(large)) > BOTTOM
    box = ElementTree.fromstring(large).get("viewBox", "").split()
    assert all(each < int(box[3]) for line in heights(large) for each in line)


def test_a_fan_has_its_bands_inside_each_other_and_tells_them_all() -> None:
    bands = [Line(f"{each} %", (Fraction(1), Fraction(each, 10), Fraction(each, 5))) for each in (10, 25, 50, 75, 90)]
    svg = fan("Germany", TURNS, bands, Line("none", (Fraction(1),) * 3))
    assert 'aria-label="Germany at Jul 3 41: 10 % 2; 25 % 5; 50 % 10; 75 % 15; 90 % 18; none 1"' in svg
    tree = ElementTree.fromstring(svg)
    outer, inner = (
        [int(point.partition(",")[2]) for point in each.get("points", "").split()] for each in tree.iter("polygon")
    )
    middle, beside = heights(svg)
    assert min(outer) < min(inner) < min(middle) < min(beside)
    # The way back along the lower band, from the last turn to the first.
    assert outer[:3] != outer[3:]
    assert outer[2] < inner[2] < middle[2] < inner[3] < outer[3]
    assert fan("Germany", TURNS[:1], bands, bands[0]) == ""
