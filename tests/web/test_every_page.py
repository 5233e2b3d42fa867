"""Every page: a checker of accessibility finds nothing serious in light and dark, and nothing asks another host."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from forcepool.web.pages import all_pages
from tests.web.conftest import Live

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
    "/pools/could",
    "/forecast",
    "/arrivals",
    "/plan",
    "/plan/goals",
    "?payers=52.A.9.d/1+front/centre+Germany",
]
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def east(tmp_path_factory: pytest.TempPathFactory, begun: Callable[..., Path]) -> Iterator[Live]:
    """One server for all pages: nothing is done here, only looked at."""
    folder = tmp_path_factory.mktemp("east")
    shutil.copy(begun(), folder / "east.fp")
    with Live(folder, public=False) as running:
        yield running


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
