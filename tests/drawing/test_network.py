"""A map of points and lines as a picture."""

import re

from forcepool.drawing.network import Spot, network

MINSK = Spot("Minsk", (100, 100), 2, 3, "Minsk, Soviet, 3 units", "/map?q=Minsk")
BREST = Spot("Brest", (40, 120), 1, 0, "Brest, Axis", "/map?q=Brest")


def lines(svg: str) -> list[str]:
    return re.findall(r'<path class="[^"]*" d="([^"]*)"', svg)


def test_lines_join_the_points_and_lead_off_the_map_at_their_edge() -> None:
    svg = network([MINSK, BREST], [("Brest", "Minsk", "rail"), ("southeast edge", "Minsk", "road")])
    assert sorted(lines(svg)) == ["M100 100L146 146", "M40 120L100 100"]


def test_a_line_over_water_goes_round_the_one_by_land() -> None:
    found = lines(network([MINSK, BREST], [("Brest", "Minsk", "rail"), ("Brest", "Minsk", "lake")]))
    assert sorted(found) == ["M40 120L100 100", "M40 120Q65 95 100 100"]


def test_what_does_not_say_where_it_lies_is_left_out() -> None:
    assert lines(network([MINSK], [("Minsk", "Nowhere", "rail")])) == []
    assert network([], [("Minsk", "Brest", "rail")]) == ""


def test_a_point_is_a_link_that_says_whose_it_is_and_what_stands_there() -> None:
    svg = network([MINSK, BREST], [])
    assert 'href="/map?q=Minsk" data-patch aria-label="Minsk, Soviet, 3 units"' in svg
    assert svg.count('class="pile"') == 1
    assert 'viewBox="-30 30 200 160"' in svg
