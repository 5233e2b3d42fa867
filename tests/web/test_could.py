"""What is open to a side as a whole: listed where a player looks, with the order form filled in, and only one's own."""

import json
import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

from forcepool.web.chair import FRONT, OBSERVER, SIDE, Seat
from tests.web.conftest import Serve, Visitor

PAGE = "/c/east/pools/could"


def text(visitor: Visitor, path: str) -> str:
    return unescape(visitor.get(path).text)


def offered(visitor: Visitor, path: str = PAGE) -> list[dict[str, str]]:
    """The orders whose forms the page leads to."""
    links = re.findall(r'href="([^"]*/order\?order=[^"]*)"', visitor.get(path).text)
    return [json.loads(parse_qs(urlsplit(unescape(link)).query)["order"][0]) for link in links]


def test_turn_and_pools_lead_to_what_is_open_to_the_side(home: Visitor) -> None:
    assert f'href="{PAGE}"' in home.get("/c/east").text
    assert f'href="{PAGE}"' in home.get("/c/east/pools").text
    pool = "/c/east/pools?pool=front/centre&of=Germany&kind=inf"
    assert f'href="{PAGE}?pool=front/centre"' in text(home, pool).replace("%2F", "/")


def test_an_offer_fills_in_the_form_and_is_done_as_it_stands(home: Visitor) -> None:
    first = next(each for each in offered(home) if each["command"] == "transfer-points")
    form = text(home, f"/c/east/order/transfer-points?order={json.dumps(first)}")
    for field in ("pool", "into", "points"):
        assert re.search(rf'name="f.{field}" value="{re.escape(first[field])}"', form), field
    assert home.post("/c/east/do", {"order": json.dumps(first)}).json()["accepted"]


def test_a_pool_narrows_the_list(home: Visitor) -> None:
    everything, some = offered(home), offered(home, f"{PAGE}?pool=front/centre")
    assert 0 < len(some) < len(everything)
    assert all("front/centre" in (each.get("pool"), each.get("into"), each.get("pay_from")) for each in some)


def test_an_account_fills_in_the_forms_that_move_its_points(home: Visitor) -> None:
    page = text(home, "/c/east/pools?pool=front/centre&of=Germany&kind=inf").replace("%2F", "/")
    link = re.search(r'href="(/c/east/order/transfer-points\?[^"]*)"', page)
    assert link is not None
    asked = parse_qs(urlsplit(link.group(1)).query)
    assert (asked["pool"], asked["nation"]) == (["front/centre"], ["Germany"])
    assert asked["points"][0].endswith(" inf")
    assert 'name="f.pool" value="front/centre"' in text(home, link.group(1))


def test_each_side_is_offered_its_own_and_a_front_what_lies_in_it(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(SIDE, "Soviet"))
    centre = server.seated(Seat(FRONT, "Axis", "front/centre"))
    assert {each["command"] for each in offered(axis)} >= {"transfer-points"}
    assert "Germany" not in text(soviet, PAGE).partition("<main")[2]
    assert "national/" not in text(centre, PAGE).partition("<main")[2]


def test_an_observer_sees_the_list_and_no_button(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    watching = server.seated(Seat(OBSERVER))
    page = text(watching, PAGE).partition("<main")[2]
    assert "Transfer points" in page
    assert "Do it" not in page
