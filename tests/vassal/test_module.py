"""Modules and extensions: maps, boards, grids, counters, prototypes."""

import io
import struct

import pytest

from forcepool.vassal import BadVassal, Module, Spot, read_module, read_save
from forcepool.vassal.pictures import size_of
from forcepool.vassal.save import BoardAt
from tests.support.vassal import (
    GRIDS,
    Game,
    board,
    layer,
    map_window,
    marks,
    module,
    prototype,
    regions,
    slot,
    tag,
    zipped,
    zones,
)


def read(*parts: str, extensions: tuple[bytes, ...] = ()) -> Module:
    return read_module(io.BytesIO(module(*parts)), extensions=[io.BytesIO(each) for each in extensions])


def hexes(*numbering: str, **told: object) -> str:
    return tag(f"{GRIDS}.HexGrid", *numbering, **told)


def numbered(**told: object) -> str:
    return tag(f"{GRIDS}.mapgrid.HexGridNumbering", **told)


def cell(found: Module, x: int, y: int) -> str:
    return found.where(Spot("Main", x, y), {}).cell


def test_the_nearest_region_and_the_zone_around_a_spot() -> None:
    found = read(
        map_window("Main", board("East", regions(Minsk=(100, 100), Kiev=(300, 400))), edge=10),
        map_window("Chart", board("Boxes", zones(Eliminated="0,0;200,0;200,100;0,100", Track="0,100;200,100;100,300"))),
    )
    assert cell(found, 190, 130) == "Minsk"
    assert cell(found, 260, 330) == "Kiev"
    assert found.where(Spot("Chart", 50, 50), {}).zone == "Eliminated"
    assert found.where(Spot("Chart", 100, 150), {}).zone == "Track"
    assert not found.where(Spot("Chart", 10, 250), {})
    assert not found.where(Spot("Nowhere", 10, 250), {})
    # Old saves number the windows.
    assert found.where(Spot("Map0", 190, 130), {}) == found.where(Spot("Main", 190, 130), {})
    assert found.where(Spot("Map1", 50, 50), {"Map1": (BoardAt("Boxes", 0, 0),)}).zone == "Eliminated"
    assert not found.where(Spot("Map2", 50, 50), {})


@pytest.mark.parametrize(
    ("told", "at", "name"),
    [
        ({}, (0, 0), "0101"),
        ({}, (90, 50), "0202"),
        ({"hOff": 0, "vOff": 0, "sep": ".", "first": "V"}, (180, 100), "01.02"),
        ({"hType": "Alphabetic", "hOff": 0, "vLeading": 0}, (180, 300), "C4"),
        ({"stagger": "false"}, (90, 50), "0201"),
        ({"vDescend": "true"}, (0, 0), "0112"),
        ({"locationFormat": "E$gridLocation$"}, (0, 0), "E0101"),
    ],
)
def test_hexes_are_numbered_as_the_module_numbers_them(told: dict[str, object], at: tuple[int, int], name: str) -> None:
    grid = hexes(numbered(**told), dx="90.0", dy=100, x0=0, y0=0)
    assert cell(read(map_window("Main", board("East", grid))), *at) == name


def test_a_grid_on_its_side_and_squares() -> None:
    grid = hexes(numbered(), dx=90, dy=100, x0=0, y0=0, sideways="true")
    assert cell(read(map_window("Main", board("East", grid))), 50, 90) == "0202"
    squares = tag(f"{GRIDS}.SquareGrid", tag(f"{GRIDS}.mapgrid.SquareGridNumbering"), dx=50, dy=50, x0=25, y0=25)
    assert cell(read(map_window("Main", board("East", squares))), 130, 20) == "0301"


def test_a_zone_may_use_the_grid_around_it_or_its_own() -> None:
    own = tag(f"{GRIDS}.mapgrid.Zone", regions(Rear=(5, 5)), name="Box", path="0,0;100,0;100,100;0,100")
    shared = tag(f"{GRIDS}.mapgrid.Zone", name="Poland", path="100,0;200,0;200,100;100,100", useParentGrid="true")
    around = hexes(numbered(), dx=90, dy=100, x0=0, y0=0)
    found = read(map_window("Main", board("East", tag(f"{GRIDS}.ZonedGrid", own, shared, around))))
    assert (found.where(Spot("Main", 50, 50), {}).zone, cell(found, 50, 50)) == ("Box", "Rear")
    assert (found.where(Spot("Main", 180, 20), {}).zone, cell(found, 180, 20)) == ("Poland", "0301")
    assert found.where(Spot("Main", 0, 300), {}).cell == "0104"


def test_boards_beside_each_other_and_turned_round() -> None:
    found = read(
        map_window(
            "Main",
            board("East", regions(Minsk=(10, 10), Kiev=(390, 290)), width=400, height=300),
            board("West", regions(Paris=(10, 10)), width=400, height=300),
        )
    )
    used = {"Main": (BoardAt("West", 0, 0), BoardAt("East", 1, 0, reversed=True))}
    kiev = found.where(Spot("Main", 410, 10), used)
    assert (kiev.board, kiev.cell) == ("East", "Kiev")
    assert found.where(Spot("Main", 390, 10), used).cell == "Paris"


def test_a_board_is_as_large_as_its_picture() -> None:
    png = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 640, 480)
    assert size_of(png) == (640, 480)
    assert size_of(b"GIF89a" + struct.pack("<HH", 320, 200)) == (320, 200)
    frame = b"\xff\xc0" + struct.pack(">HBHH", 17, 8, 768, 1024) + b"\0" * 10
    assert size_of(b"\xff\xd8\xff\xe0" + struct.pack(">H", 4) + b"ab" + frame) == (1024, 768)
    assert size_of(b"what") == size_of(b"\xff\xd8\xff") == (0, 0)
    drawn = tag("VASSAL.build.module.map.boardPicker.Board", regions(Minsk=(1, 1)), name="East", image="m.png")
    data = module(map_window("Main", drawn), pictures={"images/m.png": png})
    assert read_module(io.BytesIO(data)).maps["Main"].boards["East"].size == (640, 480)


def test_traits_of_prototypes_are_put_in_their_places() -> None:
    found = read(
        slot("5", "24 Inf XX", [("prototype;German", "")]),
        prototype("German", marks(Nation="German"), ("prototype;Unit", "")),
        prototype("Unit", layer(1, "full", "cadre", name="Step"), ("prototype;German", "")),
    )
    assert [each.kind for each in found.expanded(found.slots["5"].traits)] == ["mark", "emb2", "prototype", "piece"]
    game = Game()
    piece = game.piece("24 Inf XX", traits=[("prototype;German", ""), ("prototype;None", "")])
    whole = found.whole(read_save(io.BytesIO(game.data())).pieces[piece])
    assert (whole.properties, whole.name, whole.layers[0].name) == ({"Nation": "German"}, "24 Inf XX", "Step")


def test_prototypes_that_call_each_other_many_times_come_to_an_end() -> None:
    parts = [prototype(f"p{n}", *[(f"prototype;p{n + 1}", "")] * 8) for n in range(15)]
    found = read(*parts, slot("1", "x", [("prototype;p0", "")]))
    assert len(found.expanded(found.slots["1"].traits)) <= 2000


def test_extensions_are_grafted_on() -> None:
    grown = tag(
        "ExtensionElement",
        board("Desert", regions(Tobruk=(5, 5))),
        target="VASSAL.build.module.Map:Main/VASSAL.build.module.map.BoardPicker",
    )
    lost = tag("ExtensionElement", board("Moon", ""), target="VASSAL.build.module.Map:Elsewhere")
    extension = module(grown, lost, slot("7", "Bologna"), root="VASSAL.build.module.ModuleExtension", entry="buildFile")
    found = read(map_window("Main", board("East", "")), slot("1", "Ariete"), extensions=(extension,))
    assert list(found.maps["Main"].boards) == ["East", "Desert"]
    assert {each.name for each in found.slots.values()} == {"Ariete", "Bologna"}
    assert len(found.extensions) == 1


def test_scenarios_trackers_and_what_lies_there_at_the_start() -> None:
    found = read(
        tag("VASSAL.build.module.PredefinedSetup", name="June 41", file="june.vsav"),
        tag("VASSAL.build.module.turn.TurnTracker", name="Turn"),
        map_window("Main", board("East", "")).replace(
            "</VASSAL.build.module.Map>",
            tag("VASSAL.build.module.map.SetupStack", slot("3", "24"), name="At start", owningBoard="East", x=4, y=5)
            + "</VASSAL.build.module.Map>",
        ),
    )
    assert (found.scenarios, found.trackers) == ({"June 41": "june.vsav"}, ("Turn",))
    [setup] = found.setups
    assert (setup.map, setup.board, setup.x, setup.slots[0].name) == ("Main", "East", 4, "24")


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"savedGame": b""}, "no module.*this is a save"),
        ({"buildFile": b"<a><b></a>"}, "buildFile, line 1, column"),
        ({"buildFile": b'<!DOCTYPE a [<!ENTITY x SYSTEM "http://example.invalid/x">]><a>&x;</a>'}, "do not trust"),
        ({"buildFile": b"<a>" * 500}, "more in it than a module has"),
        ({"buildFile": b'<?xml version="1.0" encoding="klingon"?><a/>'}, "buildFile"),
    ],
)
def test_a_file_that_is_no_module_is_told_so(entries: dict[str, bytes], words: str) -> None:
    with pytest.raises(BadVassal, match=words):
        read_module(io.BytesIO(zipped(entries)), name="x.vmod")
