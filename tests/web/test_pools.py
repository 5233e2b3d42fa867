"""The pools page: exact balances, the statement behind each, the plot, and only one's own."""

import json
import re
from html import unescape

from playwright.sync_api import Page, expect

from forcepool.views.names import kind_in_words
from forcepool.web.chair import FRONT, SIDE, Seat
from forcepool.web.render import readable
from tests.web.conftest import Serve, Start, Visitor

REBUILD = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
CENTRE = "/c/east/pools?pool=front/centre&of=Germany&kind=inf"


def text(visitor: Visitor, path: str) -> str:
    return unescape(visitor.get(path).text)


def test_balances_stand_by_level_and_kind_with_a_statement_behind_each(home: Visitor) -> None:
    page = text(home, "/c/east/pools")
    assert "front Centre" in page
    before = text(home, CENTRE)
    assert "Nothing has gone in or out yet" in before
    home.post("/c/east/do", {"order": json.dumps(REBUILD)})
    after = text(home, CENTRE)
    assert "−3½" in after
    assert "/c/east/journal/2" in after
    assert "/rules/52.A." in after


def test_a_nation_is_picked_and_one_without_points_says_so(home: Visitor) -> None:
    assert "Soviet" not in text(home, "/c/east/pools?nation=Germany").partition("<main")[2].partition("</form>")[2]
    assert "No pool holds any points of Ruritania" in text(home, "/c/east/pools?nation=Ruritania")


def test_an_account_that_is_not_there_is_not_found(home: Visitor) -> None:
    assert home.get("/c/east/pools?pool=front/moon&of=Germany&kind=inf").status_code == 404


def test_the_plot_tells_its_last_values_in_words_too(home: Visitor) -> None:
    for _ in range(20):
        home.post("/c/east/do", {"order": json.dumps({"command": "advance"})})
    assert 'role="img"' in text(home, CENTRE)


def test_one_table_holds_every_nation_with_what_is_coming_and_only_the_kinds_there_are(home: Visitor) -> None:
    page = text(home, "/c/east/pools")
    assert page.count('<table class="pools">') == 1
    table = page.partition('<table class="pools">')[2].partition("</table>")[0]
    assert table.index("Axis</th>") < table.index("Germany, national") < table.index("front Centre")
    assert table.index("front Centre") < table.index("Soviet</th>") < table.index("Soviet Union</th>")
    kinds = re.findall(r'<th scope="col">(\w+)</th>', table)
    assert kinds[:2] == ["inf", "arm"]
    for column in range(len(kinds)):
        cells = [re.findall(r"<td>(.*?)</td>", row) for row in table.split("<tr")]
        assert any("<a" in each[column] for each in cells if each), f"nobody has {kinds[column]}"


def test_a_pools_link_opens_that_pool_with_a_large_plot_beside_it(home: Visitor) -> None:
    for _ in range(20):
        home.post("/c/east/do", {"order": json.dumps({"command": "advance"})})
    page = text(home, "/c/east/pools?pool=front/centre")
    assert "front Centre, inf of Germany" in page
    assert page.index('class="plot"') < page.index('<table class="st">')
    assert 'r="2.6"' in page, "the kind asked for is marked"
    assert re.search(r'<tr class=" asked"[^>]*><th scope="row"[^>]*>front Centre', page)
    assert "It holds nothing" in text(home, "/c/east/pools?pool=front/moon")


def test_fractions_without_a_sign_are_set_as_such_and_kinds_are_said_in_words() -> None:
    assert readable("6 7/50") == (
        '<span class="frac" title="6 7/50, about 6.14">6\u202f<sup>7</sup>⁄<sub>50</sub></span>'
    )
    assert readable("−12/25 inf, 3½ arm").endswith("</span> inf, 3½ arm")
    assert "about 0.48" in readable("−12/25")
    assert readable("3½") == "3½"
    assert [
        kind_in_words(each) for each in ("v-weapons", "divisional-hq", "supply-rail", "air-droppable", "cavalry")
    ] == [
        "V-weapons",
        "divisional HQ",
        "supply rail",
        "air-droppable",
        "cavalry",
    ]


def test_the_other_sides_pools_do_not_exist(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    soviet, axis = server.seated(Seat(SIDE, "Soviet")), server.seated(Seat(SIDE, "Axis"))
    assert axis.get(CENTRE).status_code == 200
    assert soviet.get(CENTRE).status_code == 404
    assert "Germany" not in text(soviet, "/c/east/pools")


def test_a_front_commander_sees_that_fronts_pools_only(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    centre = server.seated(Seat(FRONT, "Axis", "front/centre"))
    assert centre.get(CENTRE).status_code == 200
    assert "national" not in text(centre, "/c/east/pools").partition("<main")[2].casefold()


def test_a_number_opens_its_statement_beside_it(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/pools")
    row = tab.locator("tr", has=tab.get_by_role("rowheader", name="front Centre")).first
    row.get_by_role("link").first.click()
    expect(tab.locator("#statement")).to_contain_text("why?")
    expect(tab).to_have_url(re.compile("kind="))
