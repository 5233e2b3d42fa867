"""Ending a phase while something is due: it is named once, and the player decides."""

import re
import shutil
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, Route, expect
from starlette.testclient import TestClient

from forcepool.web.app import make_app
from tests.web.conftest import Live, Serve, Start, Visitor

ADVANCE = {"order": '{"command": "advance"}'}
ASKING = ADVANCE | {"ask": "what is due"}
BUTTON = "End the phase all the same"


def to_what_is_due(home: Visitor) -> dict[str, Any]:
    """End phases until one names what is still due."""
    while not (answer := home.post("/c/east/do", ASKING).json()).get("words") or answer["accepted"]:
        if not answer["accepted"]:
            assert home.post("/c/east/do", ADVANCE).json()["accepted"]
    found: dict[str, Any] = answer
    return found


def test_what_stays_unspent_is_shown_before_the_phase_ends(home: Visitor) -> None:
    answer = home.post("/c/east/do", ASKING).json()
    assert (answer["kind"], answer["says"]) == ("due", "Nothing is due. This stays unspent:")
    assert [each for each in answer["unspent"] if each.startswith("front Centre (Germany): ")]
    assert "End the phase</button>" in answer["panel"]
    assert home.post("/c/east/do", ADVANCE).json()["accepted"]


def test_a_phase_that_may_not_end_names_all_that_is_due_with_a_button_each(tmp_path: Path, demonstration: Path) -> None:
    shutil.copy(demonstration, tmp_path / "east.fp")
    with TestClient(make_app(tmp_path), base_url="http://localhost") as client:
        home = Visitor(client)
        home.get("/c/east")
        while home.post("/c/east/do", ADVANCE).json()["accepted"]:
            pass
        answer = home.post("/c/east/do", ASKING)
        assert answer.status_code == 422
        panel = answer.json()["panel"]
        assert "The phase cannot end yet" in panel
        assert BUTTON not in panel
        assert len(answer.json()["words"]) > 19
        assert panel.count(">Do it</button>") > 19


def test_phases_in_which_nobody_has_anything_to_do_are_passed_over_and_undone_as_one(serve: Serve) -> None:
    home = serve(scenario="compass-published").visitor()
    home.get("/c/east")

    def plays() -> str:
        found = re.search(r'<span class="phase">(.*?)</span>', home.get("/c/east").text)
        assert found
        return found[1]

    begun, seen = plays(), set()
    for _ in range(12):
        answer = home.post("/c/east/do", ADVANCE | {"onward": "yes"}).json()
        assert answer["accepted"]
        seen.add(plays().partition(" ")[0])
        if "back_to" in answer:
            break
    assert answer["says"].startswith("Passed over ")
    before = plays()
    assert home.post("/c/east/undo", {"to": str(answer["back_to"])}).json()["accepted"]
    assert plays() != before
    # Whoever wants to stop in each, does.
    assert "back_to" not in home.post("/c/east/do", ADVANCE | {"onward": "no"}).json()
    assert begun


def test_what_is_still_due_is_named_before_the_phase_ends(home: Visitor) -> None:
    answer = to_what_is_due(home)
    assert answer["kind"] == "due"
    assert answer["says"] == "One thing is still due:"
    assert answer["words"] == ["268 Inf XX is due now on the turn track of front Centre: place it"]


def test_a_player_who_knows_ends_the_phase_all_the_same(home: Visitor) -> None:
    to_what_is_due(home)
    assert home.post("/c/east/do", ADVANCE).json()["accepted"]


def test_what_is_ticked_off_is_not_named_again(home: Visitor) -> None:
    to_what_is_due(home)
    due = unescape(home.get("/c/east").text).partition('id="agenda-due"')[2]
    found = re.search(r'name="item" value="(\w+)"', due)
    assert found
    assert home.post("/c/east/tick", {"item": found[1], "on": "yes"}).json()["accepted"]
    answer = home.post("/c/east/do", ASKING).json()
    assert answer["accepted"] or not answer["words"]


def test_without_script_it_is_a_page_with_the_button_on_it(home: Visitor) -> None:
    to_what_is_due(home)
    page = home.post("/c/east/do", ASKING, accept="text/html")
    assert page.status_code == 422
    assert "268 Inf XX" in page.text
    assert BUTTON in page.text


def _after_a_while(route: Route, request: Request) -> None:
    request.frame.page.wait_for_timeout(100)
    route.continue_()


@pytest.mark.browser
def test_the_button_asks_and_ends_the_phase_when_told_so(live: Start, tab: Page) -> None:
    running: Live = live()
    tab.goto(f"{running.url}/c/east")
    button, sheet = tab.get_by_role("button", name="End phase"), tab.locator("#sheet")
    place, work = button.bounding_box(), tab.locator("main").bounding_box()
    button.click()
    expect(sheet).to_contain_text("Not spent")
    assert (button.bounding_box(), tab.locator("main").bounding_box()) == (place, work)
    # Whatever lies under it can be scrolled out from below.
    tab.evaluate("scrollTo(0, document.body.scrollHeight)")
    seal, panel = tab.locator(".seal").bounding_box(), sheet.bounding_box()
    assert seal
    assert panel
    assert seal["y"] + seal["height"] <= panel["y"] + 1
    sheet.get_by_role("button", name="Not yet").click()
    expect(sheet).to_be_hidden()
    phase = tab.locator("#bar .phase")
    for _ in range(30):
        before = phase.inner_text()
        tab.mouse.move(0, 0)
        button.click()
        # It either asks, or ends the phase at once.
        while sheet.is_hidden() and phase.inner_text() == before:
            tab.wait_for_timeout(20)
        if sheet.get_by_text("268 Inf XX is due now on the turn track").count():
            break
        if sheet.is_visible():
            sheet.locator("[data-ends] button").click()
            expect(sheet).to_be_hidden()
            expect(phase).not_to_have_text(before)
    # Ticked by its key, it is not named again.
    tab.keyboard.press("Escape")
    line = tab.locator("#agenda-due [data-row]", has_text="268 Inf XX").first
    line.focus()
    tab.keyboard.press("x")
    expect(line.locator('[aria-checked="true"]')).to_be_visible()
    tab.keyboard.press("x")
    expect(line.locator('[aria-checked="false"]')).to_be_visible()
    # Each press counts, however slowly the server answers the one before.
    tab.route("**/tick", _after_a_while)
    for _ in range(3):
        tab.keyboard.press("x")
    with tab.expect_response("**/tick"):
        tab.keyboard.press("x")
    expect(line.locator("form.tick[aria-busy]")).to_have_count(0)
    expect(line.locator('[aria-checked="false"]')).to_be_visible()
    button.click()
    before = phase.inner_text()
    sheet.get_by_role("button", name=BUTTON).click()
    expect(phase).not_to_have_text(before)
    expect(sheet).to_be_hidden()
