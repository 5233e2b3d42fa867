"""The board in a real browser: two screens for a side, a bar of one line, and a finger that taps twice."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.conftest import Live
from tests.web.test_every_page import serious

pytestmark = pytest.mark.browser

TWO_SCREENS = 2 * 800


@pytest.fixture
def august(tmp_path: Path, demonstration: Path) -> Iterator[Live]:
    shutil.copy(demonstration, tmp_path / "east.fp")
    with Live(tmp_path, public=False) as live:
        yield live


def test_a_side_has_its_turn_on_two_screens_and_large_type_leaves_the_bar_on_one_line(august: Live, tab: Page) -> None:
    tab.set_viewport_size({"width": 1280, "height": 800})
    tab.goto(f"{august.url}/c/east")
    for side in ("Soviet", "Axis"):
        with tab.expect_navigation():
            tab.get_by_label("Look at the campaign as").select_option(side)
        assert tab.evaluate("document.documentElement.scrollHeight") <= TWO_SCREENS
    for size in ("large", "larger"):
        tab.evaluate("size => document.documentElement.dataset.type = size", size)
        # The bar and the pages take a line each, also beside a scrollbar: what is large is the work.
        assert tab.evaluate("document.querySelector('main h1').getBoundingClientRect().top") <= 160
    assert not serious(tab)


def test_a_finger_that_taps_twice_buys_once(august: Live, browser: Browser) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    phone = context.new_page()
    phone.goto(f"{august.url}/c/east")
    before = phone.request.get(f"{august.url}/api/campaigns/east").json()["entries"]
    button = phone.locator("main [data-row]", has_text="29 Mot XX, cadre").get_by_role("button", name="Do it")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    spot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    phone.touchscreen.tap(*spot)
    expect(phone.locator(".undo-now")).to_be_visible()
    phone.touchscreen.tap(*spot)
    phone.wait_for_load_state("networkidle")
    assert phone.request.get(f"{august.url}/api/campaigns/east").json()["entries"] == before + 1
    context.close()
