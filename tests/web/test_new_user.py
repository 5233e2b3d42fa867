"""Someone opens the pages for the first time: what is wrong is said, and what is of no use is not there."""

import json
import re
from html import unescape
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.testclient import TestClient

from forcepool.web import home as front_door
from forcepool.web.seats import REFEREE, SIDE, Seat
from tests.web.conftest import Serve, Visitor


def words(page: Any) -> str:
    """What a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page.text)).split())


def test_a_mistake_of_ours_says_what_to_do_and_that_nothing_was_recorded(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()

    async def fails(request: Request) -> None:
        raise RuntimeError("six sevens")

    broken: Starlette = server.app
    route = next(each for each in broken.routes if getattr(each, "path", "") == "/api")
    monkeypatch.setattr(route, "app", lambda *_: fails(Request({"type": "http"})))
    page = TestClient(broken, raise_server_exceptions=False).get("/api")
    assert page.status_code == 500
    assert "Something went wrong" in words(page)
    assert "nothing was recorded" in words(page)
    assert "six sevens" not in page.text


@pytest.mark.parametrize(("status", "heading"), [(403, "Not yours to do"), (404, "Not here"), (418, "Not here")])
def test_a_page_that_is_refused_has_a_heading_that_fits(status: int, heading: str) -> None:
    assert front_door.HEADINGS.get(status, "Not here") == heading


def test_only_a_server_for_others_hands_out_links(serve: Serve) -> None:
    alone = serve().visitor().get("/c/east/seats")
    assert "Make the link" not in alone.text
    assert "serve --public" in alone.text
    referee = serve(public=True).seated(Seat(REFEREE)).get("/c/east/seats")
    assert "Make the link" in referee.text


def test_house_rules_are_told_in_sentences_and_lead_to_their_change(serve: Serve) -> None:
    server = serve(public=True)
    shown = server.seated(Seat(REFEREE)).get("/c/east/seats")
    assert "how far points go between pools in a turn: one level at a time, several steps a turn" in words(shown)
    assert "/c/east/order/house-rule?rule=pool-steps" in shown.text
    player = server.seated(Seat(SIDE, "Axis")).get("/c/east/seats")
    assert "one level at a time, several steps" in words(player)
    assert "order/house-rule?rule=" not in player.text


def test_commands_are_listed_by_what_one_says_and_by_what_one_types(home: Visitor) -> None:
    shown = words(home.get("/c/east/order"))
    assert "Rebuild cadre rebuild-cadre" in shown
    assert "Transfer ARPs transfer-arps" in shown


def test_a_new_campaign_names_the_game_as_its_box_does(serve: Serve) -> None:
    shown = words(serve().visitor().get("/new"))
    assert "eastern_front" not in shown
    assert "Europa, house rules · Oct 3 41 · 30 units · illustrative" in shown


def test_a_note_is_set_off_from_its_heading(home: Visitor) -> None:
    home.post("/c/east/do", {"order": '{"command": "note", "text": "Here is mud."}'})
    assert "Note: Here is mud." in words(home.get("/c/east/journal"))
    assert "Note: Here is mud. · Oct 3 41" in words(home.get("/c/east/find?q=mud+is"))


def test_the_api_page_shows_addresses_as_one_types_them(home: Visitor) -> None:
    shown = home.get("/api").text
    assert "/hooks/{hook}</code>" in shown
    assert not re.search(r"\{\w+:\w+\}", shown)


def test_a_form_asks_for_what_is_missing_by_the_names_it_shows(home: Visitor) -> None:
    tried = words(home.post("/c/east/order/transfer-points/try", {"f.into": "centre"}, **{"x-part": "yes"}))
    assert "Still needed: pool, points." in tried
    assert "=" not in tried


def test_a_ruling_is_changed_by_choosing_among_the_ways_it_may_be_played(home: Visitor) -> None:
    shown = home.get("/c/east/order/house-rule?rule=pool-steps")
    assert "step-by-step in force usual" in words(shown)
    assert "from any pool to any pool" in words(shown)
    assert "rule=pool-steps&amp;option=any-pool" in shown.text
    filled = home.get("/c/east/order/house-rule?rule=pool-steps&option=any-pool").text
    assert 'value="any-pool"' in filled
    order = {"f.rule": "pool-steps", "f.option": "any-pool"}
    assert home.post("/c/east/order/house-rule", order).json()["accepted"]
    assert "any-pool in force" in words(home.get("/c/east/order/house-rule?rule=pool-steps"))
    assert "in force" not in words(home.get("/c/east/order/house-rule"))


def test_a_page_speaks_of_fields_as_its_form_does_and_the_api_as_one_types_them(home: Visitor) -> None:
    order = {"command": "lose", "unit": "78 Inf XX", "to": "cadr"}
    told = home.post("/c/east/do", {"order": json.dumps(order)}).json()["reasons"][0]["sentence"]
    assert told.endswith("Say to eliminated, to cadre or to remnant")
    body = json.dumps({"order": order})
    api = home.client.post("/api/campaigns/east/do", content=body, headers={"content-type": "application/json"})
    assert "to=eliminated" in api.json()["reasons"][0]["sentence"]
