"""A phone and the demonstration, with everything a real campaign has: nothing is wider than the screen."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from forcepool.web.pages import all_pages
from tests.web.conftest import Start

pytestmark = pytest.mark.browser

PATHS = [
    "/",
    "/new",
    "/new?scenario=smolensk",
    "/api",
    "/c/none",
    *(f"/c/demo{each.path}" for each in all_pages() if each.letter),
    "/c/demo/seats",
    "/c/demo/house",
    "/c/demo/order",
    "/c/demo/order/rebuild-cadre",
    "/c/demo/ob/text",
    "/c/demo/find?q=panzer",
    "/c/demo/pools?pool=front%2Fcentre&of=Germany&kind=inf",
]


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


def test_every_page_of_a_large_campaign_fits_a_phone(live: Start, demonstration: Path, phone: Page) -> None:
    server = live()
    shutil.copy(demonstration, server.folder / "demo.fp")
    wide = {}
    for path in PATHS:
        phone.goto(f"{server.url}{path}")
        width = phone.evaluate("document.documentElement.scrollWidth")
        if width > 361:
            wide[path] = width
    assert wide == {}
