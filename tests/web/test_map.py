"""The map page: the hexes and stacks a seat may see, the facts of a hex, lines and what cuts them, moves; lists of
places where there is no map."""

import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace

import forcepool.scenarios
from forcepool.drawing.labels import Spot, Style, meet
from forcepool.engine.hexmap.tracing import outline
from forcepool.engine.places import at_hex
from forcepool.engine.state import add_unit
from forcepool.web.chair import FRONT, OBSERVER, SIDE, Seat
from tests.web.conftest import Serve, Server, Visitor, as_read

LIGHT = 200_000


def scenarios() -> Path:
    return Path(forcepool.scenarios.__file__).parent


@pytest.fixture
def east(serve: Serve, corridor: str) -> Visitor:
    visitor = serve(scenario=corridor).visitor()
    visitor.get("/c/east")
    return visitor


@pytest.fixture
def public(serve: Serve, corridor: str) -> Server:
    return serve(public=True, scenario=corridor)


def text(visitor: Visitor, path: str) -> str:
    answer = visitor.get(path)
    assert answer.status_code == 200
    assert len(answer.content) < LIGHT
    return as_read(answer.text)


def card(page: str) -> str:
    return page.partition('id="card"')[2].partition("</aside>")[0]


def drawing(page: str) -> str:
    return page.partition('id="hexmap"')[2].partition("</svg>\n  </div>")[0]


# -------------------------------------------------------------------------------------------------- what is drawn


def test_the_map_shows_places_areas_railways_the_front_and_every_stack(east: Visitor) -> None:
    drawn = drawing(text(east, "/c/east/map"))
    for words in (">Minsk<", ">Moscow<", ">MD Moscow<", 'class="rail"', 'class="front"', 'class="t-lake"', 'id="net"'):
        assert words in drawn
    assert re.search(r'class="stack" [^>]*aria-label="Minsk: 24 Inf XX, [^"]*"', drawn), "all of a stack is told"
    assert 'aria-label="Moscow: 1 Rif XX"' in drawn


def test_the_lines_of_everyone_in_view_are_drawn_at_once_and_who_has_none_is_told(east: Visitor) -> None:
    assert 'class="traced many"' not in drawing(text(east, "/c/east/map"))
    page = text(east, "/c/east/map?all=supply")
    assert 'class="traced many"' in drawing(page)
    assert re.search(r'id="everyone"[^>]*>(?:All \d+ stacks in view have a line|\d+ stacks? without a line)', page)
    assert 'id="everyone"' not in text(east, "/c/east/map?all=nonsense")


def test_a_hex_tells_its_terrain_place_area_owner_lines_and_units(east: Visitor) -> None:
    told = card(text(east, "/c/east/map?at=minsk"))
    for words in ("Minsk", "1:0505", "partial city, airbase 3", "front Centre", "Axis", "railway", "24 Inf XX"):
        assert words in told
    assert "north-east" in told
    lake = card(text(east, "/c/east/map?at=1:0901"))
    assert "lake" in lake


def test_four_digits_a_unit_and_a_click_find_a_hex_too(east: Visitor) -> None:
    assert "Minsk" in card(text(east, "/c/east/map?at=0505"))
    assert "Minsk" in card(text(east, "/c/east/map?at=28 inf xx"))
    assert "Minsk" in card(text(east, "/c/east/map?at=@4.4"))


@pytest.mark.parametrize("at", ["Minks", "1:9999", "@99.99", "@x.y", "9" * 300, "<b>"])
def test_a_hex_that_is_not_there_is_told_so(east: Visitor, at: str) -> None:
    page = east.get(f"/c/east/map?at={at}")
    assert page.status_code == 200
    assert "There is no hex, place or unit on the map" in page.text
    assert "<b>”" not in page.text


@pytest.mark.parametrize("query", ["view=9999.9999", "view=-3.x", "zoom=77", "zoom=-1&view=0.0", "line=oil", "line=?"])
def test_an_address_that_makes_no_sense_still_gives_the_map(east: Visitor, query: str) -> None:
    assert 'id="hexmap"' in text(east, f"/c/east/map?{query}")


def test_a_units_card_leads_to_where_it_stands(east: Visitor) -> None:
    assert "/c/east/map?at=24%20Inf%20XX" in east.get("/c/east/pool?unit=24 Inf XX").text


# ---------------------------------------------------------------------------------------------------------- lines


def test_a_line_is_drawn_and_its_hexes_listed(east: Visitor) -> None:
    page = text(east, "/c/east/map?at=Minsk&line=supply&of=24 Inf XX")
    assert "Regular supply: Minsk to Brest" in page
    assert 'class="traced"' in drawing(page)
    assert ">1:0506</a>" in card(page)


def test_a_line_that_is_cut_marks_the_hexes_and_says_who_cuts_it_with_the_clause(east: Visitor) -> None:
    page = text(east, "/c/east/map?at=Moscow&line=coal")
    assert "No coal line from Moscow" in page
    assert "1:1107 (7 Pz XX)" in page
    assert 'class="blocked"' in drawing(page)
    assert "/rules/52.D.2.c.3/3" in card(page)


# --------------------------------------------------------------------------------------------------------- rights


def test_a_side_sees_its_own_stacks_only_and_not_who_cuts_its_lines(public: Server) -> None:
    soviet = public.seated(Seat(SIDE, "Soviet"))
    page = text(soviet, "/c/east/map?at=Moscow&line=coal")
    assert "a unit you do not see" in page
    assert "1 Rif XX" in page
    for hidden in ("7 Pz XX", "24 Inf XX", "28 Inf XX"):
        assert hidden not in page
    assert "Axis" in card(text(soviet, "/c/east/map?at=Minsk"))
    assert "Inf" not in card(text(soviet, "/c/east/map?at=Minsk"))


def test_a_hidden_unit_is_not_found_by_its_name(public: Server) -> None:
    soviet = public.seated(Seat(SIDE, "Soviet"))
    hidden, unknown = (text(soviet, f"/c/east/map?at={name}") for name in ("7 Pz XX", "7 Zz XX"))
    asked = re.compile("7(?: |%20)(?:Pz|Zz)")
    assert asked.sub("", hidden.partition("<main")[2]) == asked.sub("", unknown.partition("<main")[2])


def test_the_affairs_of_the_enemys_places_and_lines_are_not_told(public: Server) -> None:
    axis = public.seated(Seat(SIDE, "Axis"))
    assert "producing" not in card(text(axis, "/c/east/map?at=Moscow"))
    assert "producing" in card(text(public.seated(Seat(SIDE, "Soviet")), "/c/east/map?at=Moscow"))
    for query in ("line=coal&of=Moscow", "line=supply&of=Moscow", "line=rail&of=1 Rif XX", "line=rail&of=1:0404"):
        page = text(axis, f"/c/east/map?{query}")
        assert 'class="traced"' not in page
        assert 'class="blocked"' not in page
        assert "Gds" not in page
    # An enemy stands in this hex of the Axis, and whose line would be traced from it would tell.
    assert "not yours" in text(axis, "/c/east/map?line=rail&of=1:0404")


def test_a_front_commander_sees_the_stacks_of_the_front(public: Server) -> None:
    west = public.seated(Seat(FRONT, "Axis", "front/west"))
    page = text(west, "/c/east/map")
    assert "7 Pz XX" in page
    assert "24 Inf XX" not in page


def test_an_observer_is_offered_nothing_to_do(public: Server) -> None:
    page = text(public.seated(Seat(OBSERVER)), "/c/east/map?at=Minsk")
    assert "24 Inf XX" in page
    assert "owns it" not in page
    assert "Record the move" not in page


# ---------------------------------------------------------------------------------------------------------- doing


def test_units_are_moved_from_their_hex_and_the_move_is_undone(east: Visitor) -> None:
    moved = east.post("/c/east/map/move", {"unit": ["24 Inf XX", "28 Inf XX"], "to": "1:0604"})
    assert moved.json()["accepted"]
    assert "28 Inf XX" in card(text(east, "/c/east/map?at=1:0604"))
    assert east.post("/c/east/undo").json()["accepted"]
    assert "28 Inf XX" in card(text(east, "/c/east/map?at=Minsk"))


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"unit": [], "to": "Brest"}, "tick the units"),
        ({"unit": ["24 Inf XX"], "to": " "}, "tick the units"),
        ({"unit": ["24 Inf XX"], "to": "Brets"}, "did you mean Brest?"),
    ],
)
def test_a_move_that_makes_no_sense_is_told_so(east: Visitor, fields: dict[str, object], says: str) -> None:
    answer = east.post("/c/east/map/move", fields)
    assert answer.status_code == 400
    assert says in answer.json()["says"]


def test_a_side_does_not_move_the_others_units(public: Server) -> None:
    soviet = public.seated(Seat(SIDE, "Soviet"))
    soviet.get("/c/east/map")
    assert soviet.post("/c/east/map/move", {"unit": ["24 Inf XX"], "to": "Brest"}).status_code == 403


def test_a_hex_changes_hands_by_a_button_of_its_card(east: Visitor) -> None:
    page = card(text(east, "/c/east/map?at=1:0804"))
    order = re.search(r'name="order" value="(\{[^>]*Axis[^>]*\})"', page)
    assert order
    assert east.post("/c/east/do", {"order": order[1]}).json()["accepted"]
    assert "<dd>Axis</dd>" in card(text(east, "/c/east/map?at=1:0804"))


# ------------------------------------------------------------------------------------- a large map, and none at all


@pytest.mark.parametrize("query", ["", "zoom=1", "zoom=2", "zoom=4&at=Kiev", "zoom=2&at=Leningrad&line=oil"])
def test_a_map_of_fourteen_thousand_hexes_stays_light_however_one_looks(
    serve: Serve, demonstration: Path, query: str
) -> None:
    server = serve()
    shutil.copy(demonstration, server.app.state.shelf.stock.folder / "demo.fp")
    drawn = drawing(text(server.visitor(), f"/c/demo/map?{query}"))
    assert 'class="front"' in drawn
    assert "NaN" not in drawn


WRITTEN = re.compile(r'<text class="(area|name big|name)" x="(-?\d+)" y="(-?\d+)"(.*?)>([^<]+)(<tspan)?')
LOOKED_AT = {
    "east-1941": [
        "zoom=1",
        *(
            f"zoom={zoom}&at={place}"
            for zoom in (2, 3, 4)
            for place in ("Smolensk", "Warsaw", "Leningrad", "Budapest", "Baku")
        ),
    ],
    "eastern-front": ["", "q=Minsk"],
}
"""The maps that come with the program, and how one looks at each."""


def names_upon_each_other(page: str) -> list[tuple[str, str]]:
    """Of the names on a drawn map, as wide as letters are at most."""
    boxes = []
    for css, x, y, rest, words, more in WRITTEN.findall(page):
        size = re.search(r'font-size="(\d+)"', rest)
        anchor = re.search(r'text-anchor="(start|end)"', rest)
        style = Style(int(size[1]) if size else 18, bold=css == "name big", capitals=css == "area")
        boxes.append((words, style.box(words, Spot(int(x), int(y), anchor[1] if anchor else ""), 1 if more else 0)))
    assert len(boxes) > 1
    return [(one, other) for (one, a), (other, b) in combinations(boxes, 2) if meet(a, b)]


def test_no_two_names_lie_on_each_other_on_any_map_that_is_shipped(serve: Serve, demonstration: Path) -> None:
    shipped = [each.stem for each in scenarios().iterdir() if each.suffix == ".map"]
    shipped += [each.stem for each in scenarios().glob("*.yaml") if "drawn: [" in each.read_text("utf-8")]
    assert sorted(shipped) == sorted(LOOKED_AT)
    server = serve(scenario="eastern-front")
    shutil.copy(demonstration, server.app.state.shelf.stock.folder / "demo.fp")
    for scenario, ways in LOOKED_AT.items():
        campaign = "demo" if scenario == "east-1941" else "east"
        for way in ways:
            assert names_upon_each_other(text(server.visitor(), f"/c/{campaign}/map?{way}")) == [], way


def test_a_thousand_stacks_are_drawn_as_far_as_one_page_bears(serve: Serve, demonstration: Path) -> None:
    server = serve()
    shutil.copy(demonstration, server.app.state.shelf.stock.folder / "demo.fp")
    table = server.app.state.shelf.table("demo")
    state, hexes = table.campaign.state, outline(table.campaign.world, table.campaign.state).hexes
    spread = [each for each in hexes if each.terrain == "clear" and not each.name][::8][:1000]
    pattern = next(unit for unit in state.units_in_order() if unit.place.on_map)
    for number, each in enumerate(spread):
        add_unit(state, replace(pattern, id=f"{number} Inf XX", place=at_hex(each.hex)))
    for query in ("", "?zoom=1", "?zoom=2", "?zoom=4"):
        text(server.visitor(), f"/c/demo/map{query}")
    assert "Only the 250 largest are drawn" in text(server.visitor(), "/c/demo/map?zoom=1")


def test_without_a_hex_map_the_places_are_listed_by_area_with_what_is_known(home: Visitor) -> None:
    page = text(home, "/c/east/map")
    assert 'id="hexmap"' not in page
    for words in ("front Centre", "MD Moscow", "Yelnya", "78 Inf XX", "in the ZOC of an enemy division"):
        assert words in page
    assert "Yelnya" not in text(home, "/c/east/map?q=moscow").partition("</form>")[2]


def test_of_the_enemys_places_a_side_reads_the_owner_and_no_more(serve: Serve) -> None:
    soviet = serve(public=True).seated(Seat(SIDE, "Soviet"))
    page = text(soviet, "/c/east/map")
    assert "Yelnya" in page
    assert "78 Inf XX" not in page
    row = page.partition(">Yelnya<")[2].partition("</tr>")[0]
    assert "Axis" in row
    assert "zoc" not in row


def test_points_and_lines_are_listed_with_what_they_join(serve: Serve) -> None:
    visitor = serve(scenario="eastern-front").visitor()
    page = text(visitor, "/c/east/map")
    assert "Smolensk (rail)" in page
    picture = page.partition('<svg class="network"')[2].partition("</svg>")[0]
    assert picture.count("<a ") == 40
    assert 'aria-label="Minsk, Soviet, 2 units"' in picture
    assert picture.count('class="line l-sea"') == 5
    assert "picked" not in picture
    one = text(visitor, "/c/east/map?q=Minsk")
    assert one.count('class="picked"') == 1
    assert one.count("<tr data-row") == 1


def test_a_map_whose_scenario_does_not_say_how_its_points_lie_is_a_list_alone(home: Visitor) -> None:
    assert "network" not in text(home, "/c/east/map")
