"""Everything lines reach, found for all hexes at once, is what the search for a line finds hex by hex."""

import random

import msgspec
import pytest

from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.hexmap.search import reach
from forcepool.engine.hexmap.spreading import Spread, Ways, hex_set, row_of, set_of


def wild(chance: random.Random, low_columns: str) -> HexMap:
    """A map of land and lakes."""
    wide, high = chance.randint(3, 17), chance.randint(3, 15)
    rows = ["".join(chance.choice("....~") for _ in range(wide)) for _ in range(high)]
    words = {"low_columns": low_columns, "sheets": {"1": {"terrain": "\n".join(rows)}}}
    return HexMap(msgspec.convert(words, Drawing))


@pytest.mark.parametrize("low_columns", ["even", "odd"])
@pytest.mark.parametrize("seed", range(12))
def test_it_reaches_what_the_search_reaches_in_as_many_steps(seed: int, low_columns: str) -> None:
    chance = random.Random(seed)
    hexes = wild(chance, low_columns)
    grid, land = hexes.grid, hexes.hexes
    sides = bytes(chance.randrange(64) if there else 0 for there in hexes.on_map)
    free = bytes(there and chance.random() < 0.8 for there in hexes.land)
    starts = chance.sample(land, min(3, len(land)))
    for crossed in (hexes.passable, sides):
        for most in (None, 0, 1, 4):
            theirs = reach(grid.moves, crossed, free, starts, most=most)
            ours = Spread(Ways(grid, crossed), free, starts, most)
            assert ours.hexes == sorted(theirs.order)
            assert [index in ours for index in land] == [index in theirs for index in land]
            assert [ours.steps(index) for index in theirs.order] == [theirs.steps(index) for index in theirs.order]
            assert all(ours.path(index) == theirs.path(index) for index in theirs.order)


def test_a_set_is_a_row_of_bits() -> None:
    row = bytes((0, 1, 1, 0, 0, 0, 1, 0, 0))
    assert hex_set(row) == set_of((1, 2, 6), 9) == 0b001000110
    assert row_of(hex_set(row), 9) == row


def test_two_that_reach_the_same_in_as_many_steps_are_equal() -> None:
    hexes = HexMap(msgspec.convert({"sheets": {"1": {"terrain": "\n".join(["......"] * 4)}}}, Drawing))
    ways, far_off = Ways(hexes.grid, hexes.passable), bytearray(hexes.land)
    start, far_off[hexes.find("1:0604")] = hexes.find("1:0101"), 0
    near = Spread(ways, hexes.land, (start,), 1)
    assert near == Spread(ways, far_off, (start,), 1)
    assert near != Spread(ways, hexes.land, (start,), 2)
    assert near != Spread(ways, hexes.land, (hexes.find("1:0102"),), 1)
