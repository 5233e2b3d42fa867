"""The air page in a real browser: pick an aborted unit, repair it, undo it; by keyboard; on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Live, Start, end_phase
from tests.web.test_every_page import serious

pytestmark = pytest.mark.browser


@pytest.fixture
def west(live: Start, tab: Page) -> Live:
    """May 1940, the German replacement phase."""
    server = live(scenario="west-1940")
    tab.goto(f"{server.url}/c/east/air")
    phase = tab.locator(".phase")
    for _ in range(9):
        now = phase.inner_text()
        if "replacement" in now:
            break
        end_phase(tab)
        expect(phase).not_to_have_text(now)
    tab.goto(f"{server.url}/c/east/air")
    return server


def test_a_player_repairs_an_aborted_unit_from_its_card_and_undoes_it(west: Live, tab: Page) -> None:
    aborted = tab.locator("#box-aborted-axis")
    aborted.get_by_role("link", name="Ger Ju87B-2").click()
    expect(tab.locator("#card h2")).to_have_text("Ger Ju87B-2")
    tab.locator("#card").get_by_role("button", name=re.compile("Do it: Repair air")).click()
    expect(tab.locator(".toast")).to_contain_text("Ger Ju87B-2")
    expect(tab.locator("#box-track-axis")).to_contain_text("Ger Ju87B-2")
    row = tab.locator("#arps tr", has_text="theatre Reich")
    expect(row.locator("td").nth(2)).to_have_text("1")
    tab.locator(".toast").get_by_role("button", name="Undo").click()
    expect(aborted).to_contain_text("Ger Ju87B-2")
    expect(row.locator("td").nth(2)).to_have_text("–")


def test_a_counter_is_opened_by_keyboard_and_its_first_option_focused(west: Live, tab: Page) -> None:
    tab.locator("#box-aborted-axis a.counter").first.focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("#card h2")).to_be_visible()
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("#card .opts > li").first).to_be_focused()


def test_the_page_is_accessible_in_light_and_dark_and_fits_a_phone(west: Live, tab: Page) -> None:
    tab.goto(f"{west.url}/c/east/air?unit=Ger+Ju87B-2")
    assert not serious(tab)
    tab.evaluate("document.documentElement.dataset.paper = 'dark'")
    assert not serious(tab)
    tab.set_viewport_size({"width": 360, "height": 740})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 361
