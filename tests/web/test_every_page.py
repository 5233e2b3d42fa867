"""Every page: a checker of accessibility finds nothing serious, a phone shows it whole, nothing asks another host."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from forcepool.web.pages import all_pages
from tests.web.conftest import Live, Start

pytestmark = pytest.mark.browser

# The scenario played here has no factories; their page has a test of its own in a scenario that does.
PAGES = [each.path for each in all_pages() if each.letter and each.path != "/factories"]
MORE = [
    "/pool?unit=6 Pz XX",
    "/rules/52.A.9.d/3",
    "/house?q=isolat",
    "/order",
    "/order/rebuild-cadre",
    "/seats",
    "/find?q=6 Pz",
    "/print",
]
SERIOUS = ("serious", "critical")


@pytest.fixture
def east(live: Start) -> Live:
    return live()


def serious(page: Page) -> list[str]:
    """What the checker finds serious, each with where it is."""
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]})
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found.response["violations"]
        if each["impact"] in SERIOUS
        for node in each["nodes"][:3]
    ]


@pytest.mark.parametrize("path", ["", "/new", "/api"])
def test_pages_without_a_campaign_are_accessible(east: Live, tab: Page, path: str) -> None:
    tab.goto(f"{east.url}{path}")
    assert not serious(tab)


@pytest.mark.parametrize("path", [*PAGES, *MORE])
def test_a_page_is_accessible_in_light_and_dark(east: Live, tab: Page, path: str) -> None:
    answer = tab.goto(f"{east.url}/c/east{path}")
    assert answer is not None
    assert answer.status == 200
    assert not serious(tab)
    tab.evaluate("document.documentElement.dataset.paper = 'dark'")
    assert not serious(tab)


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("path", [*PAGES, *MORE])
def test_a_phone_shows_a_page_without_scrolling_sideways(east: Live, phone: Page, path: str) -> None:
    phone.goto(f"{east.url}/c/east{path}")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 361


@pytest.mark.parametrize("path", PAGES)
def test_large_type_keeps_a_page_within_its_width(east: Live, tab: Page, path: str) -> None:
    tab.goto(f"{east.url}/c/east{path}")
    tab.evaluate("document.documentElement.dataset.type = 'larger'")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1281


def test_every_sheet_of_a_printed_page_names_the_campaign_and_the_phase(east: Live, tab: Page) -> None:
    tab.goto(f"{east.url}/c/east/pool")
    tab.emulate_media(media="print")
    assert tab.locator(".printed").is_visible(), "without script, or where nothing is printed at the edge"
    tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not tab.locator(".printed").is_visible()
    rules = tab.evaluate(
        "document.adoptedStyleSheets.flatMap((sheet) => [...sheet.cssRules]).map((rule) => rule.cssText)"
    )
    assert "Oct 3 41, Axis replacement phase" in rules[0]
