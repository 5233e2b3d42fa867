"""Ending a phase while something is due: it is named once, and the player decides."""

import re
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Live, Start, Visitor

ADVANCE = {"order": '{"command": "advance"}'}
ASKING = ADVANCE | {"ask": "what is due"}
BUTTON = "End the phase all the same"


def to_what_is_due(home: Visitor) -> dict[str, Any]:
    """End phases until one names what is still due."""
    answer: dict[str, Any] = {"accepted": True}
    while answer["accepted"]:
        answer = home.post("/c/east/do", ASKING).json()
    return answer


def test_what_is_still_due_is_named_before_the_phase_ends(home: Visitor) -> None:
    answer = to_what_is_due(home)
    assert answer["kind"] == "due"
    assert answer["says"] == "One thing is still due:"
    assert answer["words"] == ["268 Inf XX is due now on the turn track of front Centre, due Oct 4 41: place it"]


def test_a_player_who_knows_ends_the_phase_all_the_same(home: Visitor) -> None:
    to_what_is_due(home)
    assert home.post("/c/east/do", ADVANCE).json()["accepted"]


def test_what_is_ticked_off_is_not_named_again(home: Visitor) -> None:
    to_what_is_due(home)
    due = unescape(home.get("/c/east").text).partition('id="agenda-due"')[2]
    found = re.search(r'name="item" value="(\w+)"', due)
    assert found
    assert home.post("/c/east/tick", {"item": found[1], "on": "yes"}).json()["accepted"]
    assert home.post("/c/east/do", ASKING).json()["accepted"]


def test_without_script_it_is_a_page_with_the_button_on_it(home: Visitor) -> None:
    to_what_is_due(home)
    page = home.post("/c/east/do", ASKING, accept="text/html")
    assert page.status_code == 422
    assert "268 Inf XX" in page.text
    assert BUTTON in page.text


@pytest.mark.browser
def test_the_button_asks_and_ends_the_phase_when_told_so(live: Start, tab: Page) -> None:
    running: Live = live()
    tab.goto(f"{running.url}/c/east")
    phase = tab.locator("#bar .phase")
    for _ in range(30):
        before = phase.inner_text()
        tab.get_by_role("button", name="End phase").click()
        expect(tab.locator("#bar .refusal").or_(tab.locator("#bar .phase", has_not_text=before)).first).to_be_visible()
        if tab.locator("#bar .refusal").count():
            break
    answer = tab.locator("#bar .refusal")
    expect(answer).to_contain_text("268 Inf XX is due now on the turn track")
    before = phase.inner_text()
    answer.get_by_role("button", name=BUTTON).click()
    expect(phase).not_to_have_text(before)
    expect(answer).to_have_count(0)
