"""The hex map: numbering, neighbours across sheets, distances, lines drawn between stops, and what closes a hexside."""

import msgspec
import pytest

from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.engine.hexmap.search import first_goal, in_the_way, reach


def drawn(**words: object) -> HexMap:
    return HexMap(msgspec.convert(words, Drawing))


def sheet(columns: int, rows: int, **words: object) -> dict[str, object]:
    return {"terrain": "\n".join(["." * columns] * rows), **words}


def names(hexes: HexMap, *indexes: int) -> list[str]:
    return [hexes.called(index) for index in indexes]


ONE = drawn(sheets={"1": sheet(6, 4)})


def test_the_hexes_around_one_in_a_high_column_lie_above_on_both_sides() -> None:
    around = ONE.grid.neighbours(ONE.find("1:0302"))
    assert names(ONE, *around) == ["1:0301", "1:0401", "1:0402", "1:0303", "1:0202", "1:0201"]


def test_the_hexes_around_one_in_a_low_column_lie_below_on_both_sides() -> None:
    around = ONE.grid.neighbours(ONE.find("1:0402"))
    assert names(ONE, *around) == ["1:0401", "1:0502", "1:0503", "1:0403", "1:0303", "1:0302"]


def test_with_odd_columns_low_it_is_the_other_way_round() -> None:
    odd = drawn(sheets={"1": sheet(6, 4)}, low_columns="odd")
    assert names(odd, *odd.grid.neighbours(odd.find("1:0302"))) == [
        "1:0301",
        "1:0402",
        "1:0403",
        "1:0303",
        "1:0203",
        "1:0202",
    ]


def test_a_corner_hex_has_two_neighbours() -> None:
    assert names(ONE, *ONE.grid.neighbours(ONE.find("1:0101"))) == ["1:0201", "1:0102"]


def test_neighbours_go_on_across_the_edge_of_a_sheet() -> None:
    two = drawn(sheets={"1": sheet(6, 4), "9A": sheet(4, 2, at=[6, 1])})
    assert names(two, *two.grid.neighbours(two.find("1:0602"))) == [
        "1:0601",
        "9A:0101",
        "9A:0102",
        "1:0603",
        "1:0503",
        "1:0502",
    ]
    assert two.grid.distance(two.find("1:0101"), two.find("9A:0402")) == 9


def test_a_sheet_to_the_left_of_the_first_column_changes_no_hex_of_the_others() -> None:
    two = drawn(sheets={"1": sheet(6, 4), "2": sheet(3, 4, at=[-3, 0])})
    assert names(two, *two.grid.neighbours(two.find("1:0302"))) == names(ONE, *ONE.grid.neighbours(ONE.find("1:0302")))
    assert names(two, *two.grid.neighbours(two.find("1:0101"))) == ["1:0201", "1:0102", "2:0301"]


def test_a_hex_that_two_sheets_show_is_one_hex_with_two_numbers() -> None:
    two = drawn(sheets={"1": sheet(6, 4), "2": {"terrain": "f...\nf...", "at": [5, 0]}})
    assert two.find("2:0101") == two.find("1:0601")
    assert two.called(two.find("2:0101")) == "1:0601"
    assert two.terrain_at(two.find("2:0102")).name == "clear"


def test_what_a_sheet_leaves_out_another_may_draw() -> None:
    two = drawn(sheets={"1": {"terrain": "..--\n...."}, "2": {"terrain": "ff", "at": [2, 0]}})
    assert two.called(two.find("2:0101")) == "2:0101"
    assert two.terrain_at(two.find("2:0201")).name == "forest"
    with pytest.raises(BadHex, match="no hex 1:0301"):
        two.find("1:0301")


def test_numbers_begin_where_the_sheet_says() -> None:
    east = drawn(sheets={"31": sheet(3, 3, first="1730")})
    assert east.called(east.hexes[0]) == "31:1730"
    assert east.called(east.find("31:1831")) == "31:1831"
    assert east.find("1831") == east.find("31:1831")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1:0701", "there is no hex 1:0701 on the map"),
        ("1:0005", "there is no hex 1:0005 on the map"),
        ("8:0101", "there is no sheet '8'; the sheets are 1"),
        ("1:01", "'1:01' is no hex; write the sheet and four digits, such as 1:0101"),
        ("Minsk", "'Minsk' is no hex"),
    ],
)
def test_a_hex_that_is_not_there_is_told_in_a_sentence(text: str, why: str) -> None:
    with pytest.raises(BadHex, match=why):
        ONE.find(text)


def test_distance_is_the_number_of_steps_of_the_shortest_way() -> None:
    for hexes in (ONE, drawn(sheets={"1": sheet(5, 5)}, low_columns="odd")):
        grid = hexes.grid
        for start in hexes.hexes:
            found = reach(grid.moves, hexes.passable, hexes.on_map, (start,))
            for other in hexes.hexes:
                assert len(found.path(other)) - 1 == grid.distance(start, other)


def test_a_railway_runs_straight_between_its_stops() -> None:
    rail = drawn(
        sheets={"1": sheet(6, 4)},
        places={"Brest": {"hex": "1:0102"}, "Minsk": {"hex": "1:0502"}},
        lines={"rail": ["Brest - Minsk - 1:0504"]},
    )
    found = [rail.called(index) for index in rail.hexes if rail.has("rail", index)]
    assert sorted(found) == ["1:0201", "1:0302", "1:0401", "1:0503", "1:0504", "Brest", "Minsk"]
    assert not rail.faults


def test_a_railway_keeps_beside_the_water_where_a_dry_hex_is_as_near() -> None:
    words = {"sheets": {"1": {"terrain": ".......\n...~...\n......."}}, "lines": {"rail": ["1:0102 - 1:0702"]}}
    around = drawn(**words)
    assert not around.faults
    assert not around.has("rail", around.find("1:0402"))


def test_a_railway_that_must_cross_water_is_told_where() -> None:
    cut = drawn(sheets={"1": {"terrain": "..~..\n..~.."}}, lines={"rail": ["1:0101 - 1:0501"]})
    assert [fault.why for fault in cut.faults] == [
        "from 1:0101 to 1:0501 it crosses sea at 1:0301; name a hex in between"
    ]


def test_nothing_passes_a_closed_hexside_unless_a_railway_is_drawn_across() -> None:
    words = {"sheets": {"1": sheet(4, 2)}, "hexsides": ["1:0101 - 1:0201", "1:0301 - 1:0302"]}
    closed = drawn(**words)
    assert names(closed, *closed.sides(closed.find("1:0101"))) == ["1:0102"]
    assert names(closed, *closed.sides(closed.find("1:0201"))) == ["1:0301", "1:0302", "1:0202", "1:0102"]
    bridged = drawn(**words, lines={"rail": ["1:0301 - 1:0302"]})
    assert "1:0302" in names(bridged, *bridged.sides(bridged.find("1:0301")))


def test_the_outer_edges_of_a_sheet_are_known_and_those_where_another_goes_on_are_not() -> None:
    two = drawn(sheets={"1": sheet(3, 3), "2": sheet(3, 3, at=[3, 0])})
    assert two.edges(two.find("1:0101")) == ["1 north", "1 west"]
    assert two.edges(two.find("1:0302")) == []
    assert two.edges(two.find("2:0303")) == ["2 east", "2 south"]


def test_a_search_meets_the_nearest_goal_and_no_hex_beyond_its_limit() -> None:
    goals = bytearray(ONE.grid.size)
    goals[ONE.find("1:0601")] = goals[ONE.find("1:0404")] = 1
    start = ONE.find("1:0102")
    found = reach(ONE.grid.moves, ONE.passable, ONE.land, (start,), goals=goals)
    assert ONE.called(first_goal(found, goals)) == "1:0404"
    near = reach(ONE.grid.moves, ONE.passable, ONE.land, (start,), most=2)
    assert {ONE.grid.distance(start, index) for index in near.order} == {0, 1, 2}


def test_what_stops_a_search_is_every_closed_hex_beside_what_it_reached() -> None:
    free = bytearray(ONE.land)
    for name in ("1:0301", "1:0302", "1:0303", "1:0304", "1:0501"):
        free[ONE.find(name)] = 0
    closed = bytes(land and not open_ for land, open_ in zip(ONE.land, free, strict=True))
    found = reach(ONE.grid.moves, ONE.passable, free, (ONE.find("1:0102"),))
    stops = in_the_way(ONE.grid.moves, ONE.passable, found, closed)
    assert names(ONE, *stops) == ["1:0301", "1:0302", "1:0303", "1:0304"]


def test_sheets_too_far_apart_are_not_one_map() -> None:
    with pytest.raises(BadHex, match="too far apart"):
        drawn(sheets={"1": sheet(3, 3), "2": sheet(3, 3, at=[90_000, 90_000])})
