"""What if in the browser: a copy of one seat's own, where nothing counts, given for real in one go or thrown away."""

from html import unescape
from typing import Any

import msgspec
from playwright.sync_api import Page, expect

from forcepool.web.chair import FRONT, OBSERVER, SIDE, Seat
from tests.web.conftest import Serve, Start, Visitor, arrived

AXIS, SOVIET, CENTRE = Seat(SIDE, "Axis"), Seat(SIDE, "Soviet"), Seat(FRONT, "Axis", "front/centre")
BUY = '{"command": "replace", "unit": "263 Inf XX", "pay_from": "front/centre"}'
REBUILD = '{"command": "rebuild-remnant", "unit": "161 Inf XX", "pay_from": "front/centre"}'
COUNTS_NOT = "nothing here counts"


def opened(visitor: Visitor) -> str:
    path: str = visitor.post("/c/east/whatif").json()["go"]
    return path


def ordered(visitor: Visitor, path: str, order: str) -> dict[str, Any]:
    found: dict[str, Any] = visitor.post(f"{path}/do", {"order": order}).json()
    return found


def test_tried_and_given_for_real_in_one_go(serve: Serve) -> None:
    server = serve()
    home = server.visitor()
    home.get("/c/east")
    path = opened(home)
    assert opened(home) == path, "a seat has one at a time"
    for order in (BUY, REBUILD):
        assert ordered(home, path, order)["accepted"]
    for page in ("", "/pool", "/journal", "/map", "/forecast", "/whatif", "/pools", "/unit/263%20Inf%20XX", "/rules"):
        seen = home.get(path + page)
        assert seen.status_code == 200, page
        assert COUNTS_NOT in seen.text, page
        assert "Give these 2 orders" in seen.text, page
    assert COUNTS_NOT not in home.get("/c/east").text
    assert "Back to your what-if" in home.get("/c/east").text
    assert "161 Inf XX" in unescape(home.get(f"{path}/whatif").text)
    standing = home.get("/api/campaigns/east").json()
    assert (standing["entries"], standing["whatif"]) == (1, False)
    assert home.get(path.replace("/c/", "/api/campaigns/")).json()["whatif"] is True
    assert home.get("/api/campaigns").json()[0]["name"] == "east"
    assert len(home.get("/api/campaigns").json()) == 1
    given = home.post(f"{path}/whatif/give").json()
    assert given["go"] == "/c/east/journal?from=2&done=3"
    assert home.get("/api/campaigns/east").json()["entries"] == 3
    closed = home.get(path)
    assert closed.status_code == 404
    assert "This what-if is closed" in closed.text
    assert "undone: 2 entries" in home.post("/c/east/undo").json()["says"]


def test_a_program_tries_and_gives(serve: Serve) -> None:
    """The same from the API: opened, ordered under its own name, looked at, given in one go, or thrown away."""
    server = serve(public=True, seats=("Axis", "Soviet"))
    registry = server.app.state.registry
    key = registry.new_key(registry.invite("east", AXIS)[0].id)

    def call(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        return server.client.request(method, f"/api/campaigns/{path}", headers=headers, json=body or {})

    assert call("GET", "east/whatif").json()["name"] == ""
    assert call("POST", "east/whatif/give").status_code == 404
    name = call("POST", "east/whatif").json()["name"]
    assert call("POST", "east/whatif").json()["name"] == name
    assert call("POST", "east/whatif/give").status_code == 400
    for order in (BUY, REBUILD):
        assert call("POST", f"{name}/do", {"order": msgspec.json.decode(order)}).json()["accepted"]
    assert [each["number"] for each in call("GET", "east/whatif").json()["orders"]] == [1, 2]
    assert call("GET", f"{name}/whatif").json() == call("GET", "east/whatif").json()
    # Another seat has none of it, and does not find it.
    other = registry.new_key(registry.invite("east", SOVIET)[0].id)
    theirs = {"authorization": f"Bearer {other}"}
    assert server.client.get("/api/campaigns/east/whatif", headers=theirs).json()["name"] == ""
    assert server.client.get(f"/api/campaigns/{name}/whatif", headers=theirs).status_code == 401
    assert call("GET", "east").json()["entries"] == 1
    given = call("POST", "east/whatif/give").json()
    assert (given["accepted"], given["entries"], given["says"]) == (True, [2, 3], "2 given")
    assert call("GET", "east/whatif").json()["name"] == ""
    again = call("POST", "east/whatif").json()["name"]
    assert call("POST", f"{again}/do", {"order": msgspec.json.decode(BUY)}).status_code == 422
    assert call("DELETE", f"{again}/whatif").json()["name"] == ""
    assert call("GET", "east").json()["entries"] == 3


def test_a_refusal_gives_nothing_and_an_old_page_gives_no_real_order(serve: Serve) -> None:
    home = serve().visitor()
    home.get("/c/east")
    path = opened(home)
    for order in (REBUILD, BUY):
        ordered(home, path, order)
    ordered(home, "/c/east", BUY)
    assert "gone on by 1 entry" in home.get(f"{path}/whatif").text
    refused = home.post(f"{path}/whatif/give").json()
    assert (refused["kind"], refused["final"]) == ("refused", True)
    assert "Order 2 of 2 cannot be given, so nothing was" in refused["says"]
    assert refused["reasons"]
    assert home.get("/api/campaigns/east").json()["entries"] == 2
    # Thrown away in one tab, the other's buttons lead nowhere.
    assert home.post(f"{path}/whatif/drop").json()["go"] == "/c/east"
    assert home.post(f"{path}/do", {"order": REBUILD}).status_code == 404
    assert home.post(f"{path}/whatif/give").status_code == 404
    assert home.post("/c/east/whatif/give").status_code == 404
    assert home.get("/api/campaigns/east").json()["entries"] == 2
    # Without script the same buttons lead from page to page.
    answer = home.post("/c/east/whatif", accept="text/html")
    assert answer.status_code == 303
    path = answer.headers["location"]
    for place in (path, "/c/east"):
        assert ordered(home, place, REBUILD)["accepted"]
    said = unescape(home.post(f"{path}/whatif/give", accept="text/html").text)
    assert "Order 1 of 1 cannot be given" in said
    assert "Overrule" not in said


def test_it_is_private_to_its_seat_and_shows_no_more_than_the_seat_sees(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, soviet, other = server.seated(AXIS), server.seated(SOVIET), server.seated(AXIS)
    path = opened(axis)
    for stranger in (soviet, other, server.visitor()):
        for page in ("", "/journal", "/whatif"):
            assert stranger.get(path + page).status_code == 404
        assert stranger.post(f"{path}/whatif/give").status_code in (403, 404)
    assert opened(other) != path
    assert ordered(axis, path, BUY)["accepted"]
    assert not ordered(axis, path, '{"command": "replace", "unit": "8 Tk X"}')["accepted"]
    data = path.replace("/c/", "/api/campaigns/")
    for page in (path, f"{path}/pool", f"{data}/units", f"{data}/ledger", f"{data}/log"):
        seen = axis.get(page).text
        assert "8 Tk X" not in seen, page
        assert "Soviet Union" not in seen, page
    # Nothing of it is in the campaign: the enemy's journal has no new entry.
    entries = soviet.get("/api/campaigns/east").json()["entries"]
    assert ordered(axis, path, REBUILD)["accepted"]
    assert soviet.get("/api/campaigns/east").json()["entries"] == entries
    # Seats are those of the campaign.
    assert axis.get(f"{path}/seats").status_code == 404
    assert axis.post("/c/east/seats/key").status_code == 200
    assert axis.post(f"{path}/seats/key").status_code == 404
    assert axis.post(f"{path}/whatif/give").json()["accepted"]
    assert soviet.get("/api/campaigns/east").json()["entries"] == entries + 2
    assert axis.get("/api/campaigns/east/log").json()["entries"][0]["seat"] == "Axis"


def test_a_front_tries_what_is_its_own_and_an_observer_nothing(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    centre = server.seated(CENTRE)
    path = opened(centre)
    assert ordered(centre, path, BUY)["accepted"]
    assert ordered(centre, path, '{"command": "advance"}')["kind"] == "forbidden"
    assert centre.post(f"{path}/whatif/give").json()["accepted"]
    watcher = server.seated(Seat(OBSERVER))
    assert "What if: try orders" not in watcher.get("/c/east").text
    assert watcher.post("/c/east/whatif").status_code == 403


def test_the_banner_counts_along_and_one_undo_takes_back_what_was_given(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/whatif")
    tab.get_by_role("button", name="Try orders").click()
    banner = tab.locator("#whatif")
    expect(banner).to_contain_text("0 orders tried")
    for count in (1, 2):
        tab.get_by_role("button", name="Do it").first.click()
        expect(banner).to_contain_text(f"{count} order{'s' if count > 1 else ''} tried")
        tab.mouse.move(0, 0)
    banner.get_by_role("button", name="Give these 2 orders").click()
    arrived(tab, r"/c/east/journal")
    expect(banner).to_have_count(0)
    expect(tab.locator("body")).to_have_attribute("data-seq", "3")
    tab.locator("#toasts").get_by_role("button", name="Undo").click()
    expect(tab.locator("#toasts")).to_contain_text("undone: 2 entries")
