"""The operator's page in a browser: by the keyboard, in light and dark, on a phone and on paper."""

import pytest
from playwright.sync_api import Page, expect

from forcepool.web.chair import HOST, Seat
from tests.web.conftest import Start
from tests.web.test_every_page import serious

pytestmark = pytest.mark.browser


def test_the_host_locks_a_campaign_by_the_keyboard_and_is_asked_first(live: Start, tab: Page) -> None:
    running = live(public=True)
    tab.goto(running.invitation(Seat(HOST), ""))
    tab.get_by_role("button", name="Sit down").click()
    tab.goto(f"{running.url}/operator")
    assert not serious(tab)
    tab.evaluate("document.documentElement.dataset.paper = 'dark'")
    lock = tab.locator("summary", has_text="Lock")
    lock.focus()
    expect(tab.get_by_role("button", name="Yes, lock it: east")).to_be_hidden()
    tab.keyboard.press("Enter")
    assert not serious(tab)
    tab.keyboard.press("Tab")
    tab.keyboard.type("until Sunday")
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    expect(tab.locator("table.kept")).to_contain_text("locked: until Sunday")
    tab.set_viewport_size({"width": 390, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert not serious(tab)
    tab.emulate_media(media="print")
    expect(tab.get_by_role("button", name="Unlock: east")).to_be_hidden()
    tab.emulate_media(media="screen")
    tab.get_by_role("button", name="Unlock: east").click()
    expect(tab.locator("table.kept")).not_to_contain_text("locked")
