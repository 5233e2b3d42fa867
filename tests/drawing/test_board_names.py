"""Names on the map: none lies on another, and the greater place has the better one."""

import re

from forcepool.drawing.board import Frame, Marks, Name, over_it
from forcepool.drawing.hexes import Lattice
from forcepool.engine.hexmap.drawing import CITY_CLASSES
from forcepool.engine.hexmap.tracing import OutlineHex

FRAME = Frame((5, 5), 60, 60, counters=False, hexes=False, names=CITY_CLASSES)


def names(*places: tuple[str, str, int, int], areas: tuple[Name, ...] = ()) -> dict[str, tuple[int, int]]:
    hexes = {
        (column, row): OutlineHex(
            hex=f"1:{column:02}{row:02}", column=column, row=row, terrain="clear", city=city, name=name
        )
        for name, city, column, row in places
    }
    svg = over_it(Lattice("even"), FRAME, hexes, (), areas, Marks(), lambda name: name)
    return {text: (int(x), int(y)) for x, y, text in re.findall(r'x="(-?\d+)" y="(-?\d+)"[^>]*>([^<]+)<', svg)}


def test_of_two_that_would_lie_on_each_other_the_smaller_gives_way() -> None:
    alone = names(("Smolensk", CITY_CLASSES[-1], 5, 5))["Smolensk"]
    both = names(("Yartsevo", CITY_CLASSES[0], 7, 5), ("Smolensk", CITY_CLASSES[-1], 5, 5))
    assert both["Smolensk"] == alone
    assert both.get("Yartsevo") != names(("Yartsevo", CITY_CLASSES[0], 7, 5))["Yartsevo"]


def test_the_name_of_an_area_keeps_off_those_of_places() -> None:
    area = Name((5, 5), "MD Kharkov", "active")
    alone = names(areas=(area,))["MD Kharkov"]
    beside = names(("Kharkov", CITY_CLASSES[-1], 5, 5), areas=(area,))["MD Kharkov"]
    assert alone != beside
    assert alone[0] == beside[0]
