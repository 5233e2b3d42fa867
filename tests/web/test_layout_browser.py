"""Every page at four widths and three type sizes and on paper: nothing overlaps, nothing is cut, nothing is too wide.

One page load serves all checks of a page; what a page is checked for stands in layout.js.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from forcepool.web.pages import all_pages
from tests.web.conftest import Live, keep_two_plans

pytestmark = pytest.mark.browser

WIDTHS = ((390, 844), (768, 1024), (1280, 800), (1920, 1080))
TYPES = ("large", "larger", "normal")
SHEET = (700, 1000)
"""What a sheet of paper is wide, without its margins."""
CHECK = (Path(__file__).parent / "layout.js").read_text("utf-8").partition("\n")[2]

DEMO = "/c/demo"
LARGE = [
    *(f"{DEMO}{each.path}" for each in all_pages() if each.letter),
    f"{DEMO}?payers=52.A.9.d/1+front/centre+Germany",
    f"{DEMO}/pool?unit=29+Mot+XX",
    f"{DEMO}/unit/29 Mot XX",
    f"{DEMO}/pools?pool=front%2Fcentre&of=Germany&kind=inf",
    f"{DEMO}/pools/could",
    f"{DEMO}/map?at=Smolensk",
    f"{DEMO}/map?zoom=1",
    f"{DEMO}/map?zoom=2",
    f"{DEMO}/map?zoom=4&at=Smolensk",
    f"{DEMO}/arrivals",
    f"{DEMO}/forecast",
    f"{DEMO}/plan/goals",
    f"{DEMO}/journal/1005",
    f"{DEMO}/ob/text",
    f"{DEMO}/order",
    f"{DEMO}/order/rebuild-cadre",
    f"{DEMO}/seats",
    f"{DEMO}/house?q=isolat",
    f"{DEMO}/find?q=panzer",
    f"{DEMO}/rules/52.A.9.d/3",
    f"{DEMO}/print",
    f"{DEMO}/vassal",
    f"{DEMO}/messages",
    f"{DEMO}/mail",
]
"""The demonstration, with all that a real campaign has."""
SECOND = [
    "",
    "/pool?unit=VII+Fin+Corps",
    "/losses",
    "/pools",
    "/factories",
    "/map",
    "/map?q=Minsk",
    "/house",
    "/print",
    "/plan",
]
"""The second game, whose pages differ."""
PATHS = ["/", "/new", "/new?scenario=smolensk", "/api", "/c/none", *LARGE, *(f"/c/front{each}" for each in SECOND)]

DARK_ON_PAPER = """() => {
  const light = (css) => css.match(/[0-9.]+/g).slice(0, 3).map(Number).reduce((sum, each) => sum + each) / 3;
  const dyed = (each) => (each.matches("html") || !/, 0\\)$|transparent/.test(getComputedStyle(each).backgroundColor));
  const found = new Set();
  for (const each of document.querySelectorAll("main :is(p, h1, h2, h3, td, th, li, dd, dt, label, small)")) {
    if (!each.checkVisibility({ visibilityProperty: true }) || !each.textContent.trim()) continue;
    let ground = each;
    while (!dyed(ground)) ground = ground.parentElement;
    const [ink, under] = [light(getComputedStyle(each).color), light(getComputedStyle(ground).backgroundColor)];
    if (ink > 150 && under > 150) found.add(`light letters on paper: ${each.localName}.${each.className}`);
    if (under < 60) found.add(`dark ground on paper: ${ground.localName}.${ground.className}`);
  }
  return [...found].slice(0, 4);
}"""
"""What is printed from a dark screen must be as from a light one: dark letters on light ground."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory, demonstration: Path, begun: Callable[..., Path]) -> Iterator[Live]:
    folder = tmp_path_factory.mktemp("shelf")
    shutil.copy(demonstration, folder / "demo.fp")
    shutil.copy(begun("eastern-front"), folder / "front.fp")
    with Live(folder, public=False) as live:
        yield live


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def wrong(page: Page, width: int, height: int) -> list[str]:
    page.set_viewport_size({"width": width, "height": height})
    found: list[str] = page.evaluate(CHECK)
    return found


def put(page: Page, name: str, value: str) -> None:
    page.evaluate("([name, value]) => (document.documentElement.dataset[name] = value)", [name, value])


def laid_out(page: Page) -> list[str]:
    """What is wrong with a page in any of its sizes, with the first size it shows in."""
    found: dict[str, str] = {}
    for width, height in WIDTHS:
        for size in TYPES:
            put(page, "type", size)
            for each in wrong(page, width, height):
                found.setdefault(each, f"{width} px, {size} type")
    put(page, "paper", "dark")
    for each in wrong(page, *WIDTHS[2]):
        found.setdefault(each, "in the dark")
    page.emulate_media(media="print")
    for each in (*wrong(page, *SHEET), *page.evaluate(DARK_ON_PAPER)):
        found.setdefault(each, "on paper")
    page.emulate_media(media="screen")
    put(page, "paper", "light")
    page.set_viewport_size({"width": 1280, "height": 800})
    return [f"{where}: {each}" for each, where in found.items()]


def test_every_page_of_a_large_campaign_is_whole_in_every_size_and_on_paper(shelf: Live, page: Page) -> None:
    found = {}
    for path in (keep_two_plans(page, f"{shelf.url}{DEMO}"), *PATHS):
        answer = page.goto(f"{shelf.url}{path}")
        assert answer is not None
        assert answer.status == (404 if path == "/c/none" else 200)
        if told := laid_out(page):
            found[path] = told
    assert found == {}


def test_on_a_phone_a_pool_is_a_line_with_all_it_holds(shelf: Live, page: Page) -> None:
    page.goto(f"{shelf.url}{DEMO}/pools")
    wrong(page, 390, 844)
    line = page.locator(".pools tr", has_text="theatre East").nth(1)
    assert " ".join(line.inner_text().split()) == "theatre East 10 inf 1 arm 12 ARP 12 SP"
    assert page.evaluate("document.querySelector('#balances .scroll').scrollWidth") <= 390
    assert "2 air, 3 naval, 18 rail" in " ".join(page.locator("#allowances").inner_text().split())
    page.set_viewport_size({"width": 1280, "height": 800})


PLANT = """([words, style]) => {
  for (const each of words) {
    const made = document.createElement(each[0]);
    made.textContent = each[1];
    Object.assign(made.style, style);
    document.querySelector("main").prepend(made);
  }
}"""


def test_the_check_finds_what_is_wrong(shelf: Live, page: Page) -> None:
    page.goto(f"{shelf.url}{DEMO}/print")
    assert wrong(page, 1280, 800) == []
    page.evaluate(
        PLANT, [[["button", "One"], ["button", "Two"]], {"position": "absolute", "left": "9px", "top": "9px"}]
    )
    page.evaluate(PLANT, [[["p", "Words cut off"]], {"overflow": "hidden", "width": "3em", "whiteSpace": "nowrap"}])
    page.evaluate(PLANT, [[["p", "Wide"]], {"width": "3000px"}])
    told = " ".join(wrong(page, 1280, 800))
    assert "upon each other: button 'Two' and button 'One'" in told
    assert "cut: p 'Words cut off'" in told
    assert "wider than the screen" in told


def test_what_is_folded_on_the_screen_is_printed_whole(shelf: Live, page: Page) -> None:
    page.goto(f"{shelf.url}{DEMO}")
    folds, shut = "main details.rest, main details.fold", "main details:is(.rest, .fold):not([open])"
    assert page.locator(shut).count() == page.locator(folds).count() > 0
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(shut).count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(shut).count() == page.locator(folds).count()


def test_the_menu_of_the_bar_is_in_sight_and_the_bar_takes_little_room(shelf: Live, page: Page) -> None:
    page.goto(f"{shelf.url}{DEMO}")
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        for size in TYPES:
            put(page, "type", size)
            page.locator("#more > summary").click()
            box = page.locator("#more .menu").bounding_box()
            assert box
            assert (box["x"] >= 0, box["x"] + box["width"] <= width) == (True, True), f"{width} px, {size} type"
            page.locator("#more > summary").click()
            top = page.evaluate("document.querySelector('main').getBoundingClientRect().top")
            assert top <= 0.4 * height, f"{width} px, {size} type"
