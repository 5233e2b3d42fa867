"""Hexes as shapes: neighbours meet side to side, a region is drawn by its border alone, a net of lines once."""

import re

import pytest

from forcepool.drawing.hexes import OPPOSITE, SIDES, Cell, Lattice, net

LATTICES = [Lattice("even"), Lattice("odd")]


def moves(path: str) -> int:
    """The separate pieces of a path."""
    return path.count("M")


def ends(path: str) -> list[tuple[int, int]]:
    """Where each piece of a path of single steps ends."""
    found = []
    for piece in path.split("M")[1:]:
        start, _, steps = piece.rstrip("z").partition("l")
        x, y = map(int, start.split())
        numbers = [int(each) for each in re.findall(r"-?\d+", steps)]
        found.append((x + sum(numbers[::2]), y + sum(numbers[1::2])))
    return found


@pytest.mark.parametrize("lattice", LATTICES)
@pytest.mark.parametrize("cell", [(0, 0), (1, 0), (4, 7), (5, 7)])
def test_the_hex_across_a_side_shares_that_side(lattice: Lattice, cell: Cell) -> None:
    for side in SIDES:
        other = lattice.beyond(cell, side)
        assert lattice.beyond(other, OPPOSITE[side]) == cell
        assert lattice.side(other, OPPOSITE[side]) == lattice.side(cell, side)[::-1]


def test_low_columns_sit_half_a_hex_lower() -> None:
    even, odd = LATTICES
    assert even.at((0, 0))[1] - even.at((1, 0))[1] == 12
    assert odd.at((1, 0))[1] - odd.at((0, 0))[1] == 12


@pytest.mark.parametrize("lattice", LATTICES)
def test_a_region_is_one_closed_border_and_a_hole_in_it_another(lattice: Lattice) -> None:
    ring = {lattice.beyond((4, 4), side) for side in SIDES}
    assert moves(lattice.region({(4, 4), *ring})) == 1
    drawn = lattice.region(ring)
    assert (moves(drawn), drawn.count("z")) == (2, 2)
    assert len(list(lattice.border(ring))) == 18 + 6


def test_hexes_that_do_not_touch_are_two_pieces() -> None:
    assert moves(LATTICES[0].region({(0, 0), (9, 9)})) == 2


def test_nothing_draws_nothing() -> None:
    assert LATTICES[0].region(set()) == ""
    assert LATTICES[0].line([]) == ""


def test_the_border_between_two_kinds_is_drawn_once_and_not_towards_no_kind() -> None:
    lattice = LATTICES[1]
    assert len(list(lattice.between({(0, 0): "Axis", (0, 1): "Soviet"}))) == 1
    assert not list(lattice.between({(0, 0): "Axis", (0, 1): ""}))
    assert not list(lattice.between({(0, 0): "Axis", (0, 1): "Axis"}))


def test_a_railway_that_both_its_hexes_name_is_drawn_once() -> None:
    drawn = LATTICES[0].through([((0, 0), (3,)), ((0, 1), (0, 3)), ((0, 2), (0,))])
    assert drawn == "M14 24l0 48"


def test_a_junction_is_walked_through_without_losing_a_branch() -> None:
    lattice = LATTICES[0]
    branches = [lattice.beyond((4, 4), side) for side in (0, 2, 4)]
    drawn = lattice.through([((4, 4), (0, 2, 4))])
    assert {lattice.at(each) for each in branches} <= {*ends(drawn)}


def test_a_net_keeps_every_edge() -> None:
    lattice = LATTICES[0]
    edges = [*lattice.border({(0, 0)}), *lattice.border({(0, 1)})]
    drawn = net(edges)
    steps = sum(len(re.findall(r"-?\d+", piece.partition("l")[2])) // 2 for piece in drawn.split("M")[1:])
    assert steps == len({frozenset(each) for each in edges}) == 11
