"""The map under a finger: one drags the view, a tap picks a hex, and a second finger leaves it to the browser."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from tests.web.conftest import Start

pytestmark = pytest.mark.browser

Points = list[dict[str, float]]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = context.new_page()
    yield page
    context.close()


@pytest.fixture
def large(live: Start, demonstration: Path) -> str:
    """The address of the demonstration's map."""
    running = live()
    shutil.copy(demonstration, running.folder / "demo.fp")
    return f"{running.url}/c/demo/map"


class Hand:
    """Fingers on a page, as the browser itself feels them."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        box = page.locator("#map").bounding_box()
        assert box
        self.x, self.y = box["x"] + box["width"] / 2, box["y"] + min(box["height"], 300) / 2

    def feels(self, kind: str, *fingers: tuple[float, float]) -> None:
        points: Points = [{"x": self.x + x, "y": self.y + y, "id": number} for number, (x, y) in enumerate(fingers)]
        wish: dict[str, Any] = {"type": kind, "touchPoints": points}
        self._session.send("Input.dispatchTouchEvent", wish)

    def drags(self, x: float, y: float) -> None:
        self.feels("touchStart", (0, 0))
        for part in (0.25, 0.5, 0.75, 1):
            self.feels("touchMove", (x * part, y * part))
        self.feels("touchEnd")


def test_one_finger_drags_the_view(large: str, phone: Page) -> None:
    phone.goto(f"{large}?zoom=3&view=50.60")
    hexmap = phone.locator("#hexmap")
    expect(hexmap).to_have_attribute("data-middle", "50.60")
    Hand(phone).drags(-120, 0)
    expect(hexmap).not_to_have_attribute("data-middle", "50.60")
    column, row = (hexmap.get_attribute("data-middle") or "").split(".")
    assert (int(column) > 50, row) == (True, "60")
    expect(phone.locator("#hexmap .picked")).to_have_count(0)


def test_a_tap_picks_the_hex_under_it_even_if_the_finger_shakes(large: str, phone: Page) -> None:
    phone.goto(f"{large}?zoom=3&view=50.60")
    hand = Hand(phone)
    hand.feels("touchStart", (0, 0))
    hand.feels("touchMove", (4, 3))
    hand.feels("touchEnd")
    expect(phone.locator("#hexmap .picked")).to_be_attached()
    expect(phone.locator("#hexmap")).to_have_attribute("data-middle", "50.60")


def test_a_second_finger_puts_the_view_back(large: str, phone: Page) -> None:
    phone.goto(f"{large}?zoom=3&view=50.60")
    hexmap, hand = phone.locator("#hexmap"), Hand(phone)
    begun = hexmap.get_attribute("viewBox") or ""
    hand.feels("touchStart", (0, 0))
    hand.feels("touchMove", (-60, 0))
    expect(hexmap).not_to_have_attribute("viewBox", begun)
    hand.feels("touchStart", (-60, 0), (60, 60))
    expect(hexmap).to_have_attribute("viewBox", begun)
    hand.feels("touchEnd")
    expect(hexmap).to_have_attribute("data-middle", "50.60")


def test_the_page_scrolls_past_the_map_and_under_the_whole_of_it(large: str, phone: Page) -> None:
    phone.goto(f"{large}?zoom=3&view=50.60")
    height = phone.evaluate("document.getElementById('map').getBoundingClientRect().height")
    assert height <= 0.61 * 740, "a finger always finds page beside the map"
    phone.goto(f"{large}?zoom=1")
    assert phone.evaluate("getComputedStyle(document.getElementById('hexmap')).touchAction") == "auto"
