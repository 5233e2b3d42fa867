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
from forcepool.web.chair import FRONT, HOST, REFEREE, SIDE, Seat
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
    page = TestClient(broken, base_url="http://localhost", raise_server_exceptions=False).get("/api")
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
    shown = server.seated(Seat(REFEREE)).get("/c/east/house")
    assert "How far points go between pools in a turn" in words(shown)
    assert "Here: one level at a time, several steps a turn" in words(shown)
    assert "/c/east/order/house-rule?rule=pool-steps" in shown.text
    player = server.seated(Seat(SIDE, "Axis")).get("/c/east/house")
    assert "one level at a time, several steps" in words(player)
    assert "order/house-rule?rule=" not in player.text


def test_commands_are_listed_by_what_one_says_and_by_what_one_types(home: Visitor) -> None:
    shown = words(home.get("/c/east/order"))
    assert "Rebuild cadre rebuild-cadre" in shown
    assert "Transfer ARPs transfer-arps" in shown


def test_a_new_campaign_names_the_game_as_its_box_does(serve: Serve) -> None:
    shown = words(serve().visitor().get("/new"))
    assert "eastern_front" not in shown
    assert "Europa · Oct 3 41 · 30 units · illustrative" in shown


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
    told = home.post("/c/east/do", {"order": json.dumps(order)}).json()["says"]
    assert told == "“to” is eliminated, cadre or remnant, not 'cadr'"
    body = json.dumps({"order": order})
    api = home.client.post("/api/campaigns/east/do", content=body, headers={"content-type": "application/json"})
    assert "to= is eliminated, cadre or remnant, not 'cadr'" in api.text


def test_a_wrong_address_leads_back_to_the_campaign_it_lies_under(serve: Serve) -> None:
    home = serve().visitor()
    assert 'href="/c/east">Back to the campaign' in home.get("/c/east/unit/Nobody").text
    assert "Back to the campaign" not in home.get("/c/west/unit/Nobody").text
    public = serve(public=True)
    assert "Back to the campaign" in public.seated(Seat(SIDE, "Axis")).get("/c/east/journal/999").text
    assert "Back to the campaign" not in public.visitor().get("/c/east/journal/999").text


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("order/foo", "There is no command 'foo'; “All commands” lists them"),
        ("order/rebuild", "There is no command 'rebuild'; did you mean rebuild-cadre or rebuild-remnant?"),
        ("journal?unit=6+Pzz", "There is no such unit that you can see"),
        ("journal?pool=centr", "There is no such pool that you can see"),
        ("journal?turn=Okt+3+41", "did you mean Oct?"),
    ],
)
def test_what_is_not_there_is_named(home: Visitor, path: str, says: str) -> None:
    assert says in words(home.get(f"/c/east/{path}"))


@pytest.mark.parametrize("filter_", ["unit=6+Pz", "unit=6+pz+xx", "pool=centre", "pool=front+Centre"])
def test_a_filter_that_means_something_complains_of_nothing(home: Visitor, filter_: str) -> None:
    assert "that you can see" not in words(home.get(f"/c/east/journal?{filter_}"))


def test_the_journal_knows_no_more_of_a_hidden_unit_than_of_one_that_never_was(serve: Serve) -> None:
    soviet = serve(public=True).seated(Seat(SIDE, "Soviet"))
    for query in ("unit={}", "unit={}&words=x"):
        hidden, never = (words(soviet.get(f"/c/east/journal?{query.format(name)}")) for name in ("6 Pz XX", "9 Pz XX"))
        assert hidden.replace("6 Pz XX", "9 Pz XX") == never


def test_a_link_that_only_this_machine_can_open_says_so(serve: Serve) -> None:
    referee = serve(public=True).seated(Seat(REFEREE))
    wish = {"role": "side", "side": "Axis", "name": "Otto"}
    for host, warned in (("127.0.0.1:8041", True), ("forcepool.example", False)):
        made = referee.post("/c/east/seats/invite", wish, accept="text/html", host=host)
        assert "/join/" in made.text
        assert ("means this machine alone" in words(made)) is warned


def test_the_journal_offers_a_seat_only_what_it_may_do(serve: Serve) -> None:
    server = serve(public=True)
    axis, front = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(FRONT, "Axis", "front/centre"))
    rebuild = json.dumps({"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"})
    assert axis.post("/c/east/do", {"order": '{"command": "advance"}', "override": "to go on"}).json()["accepted"]
    assert axis.post("/c/east/undo", {}).json()["accepted"]
    assert axis.post("/c/east/do", {"order": '{"command": "note", "text": "mud"}'}).json()["accepted"]
    assert front.post("/c/east/do", {"order": rebuild}).json()["accepted"]
    assert "Export as text" not in axis.get("/c/east/journal").text
    assert "Export as text" in server.seated(Seat(REFEREE)).get("/c/east/journal").text
    assert "Undo to here" in front.get("/c/east/journal").text
    assert "Undo to here" in front.get("/c/east/journal/6").text
    assert axis.post("/c/east/do", {"order": '{"command": "advance"}', "override": "to go on"}).json()["accepted"]
    assert "Undo to here" not in front.get("/c/east/journal").text
    assert "Undo to here" not in front.get("/c/east/journal/6").text
    assert "Undo to here" in axis.get("/c/east/journal").text


def test_a_front_does_not_take_back_the_end_of_a_phase(serve: Serve) -> None:
    server = serve(public=True)
    axis, front = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(FRONT, "Axis", "front/centre"))
    assert axis.post("/c/east/do", {"order": '{"command": "advance"}', "override": "to go on"}).json()["accepted"]
    assert front.post("/c/east/undo", {}).json()["kind"] == "forbidden"
    assert axis.post("/c/east/undo", {}).json()["accepted"]
    assert front.post("/c/east/redo", {}).json()["kind"] == "forbidden"
    assert axis.post("/c/east/redo", {}).json()["accepted"]


@pytest.mark.parametrize(
    "order",
    [
        {"command": "house-rule", "rule": "pool-steps", "option": "any-pool"},
        {"command": "put-unit", "unit": "6 Pz XX", "step": "full", "note": "it was so"},
    ],
    ids=["house-rule", "put-unit"],
)
def test_what_the_host_settles_no_side_takes_back(serve: Serve, order: dict[str, str]) -> None:
    server = serve(public=True)
    host, axis = server.seated(Seat(HOST), campaign=""), server.seated(Seat(SIDE, "Axis"))
    assert host.post("/c/east/do", {"order": json.dumps(order)}).json()["accepted"]
    assert axis.post("/c/east/undo", {}).json()["kind"] == "forbidden"
    assert host.post("/c/east/undo", {}).json()["accepted"]
    assert axis.post("/c/east/redo", {}).json()["kind"] == "forbidden"
