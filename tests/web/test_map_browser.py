"""The map and the factories in a real browser: pick hexes, trace lines, move units, drag and keys, access and width."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Live, Start, end_phase
from tests.web.test_every_page import serious

pytestmark = pytest.mark.browser


@pytest.fixture
def large(live: Start, demonstration: Path) -> str:
    """The address of the demonstration's map."""
    running = live()
    shutil.copy(demonstration, running.folder / "demo.fp")
    return f"{running.url}/c/demo/map"


def middle(tab: Page) -> list[int]:
    return [int(each) for each in (tab.locator("#hexmap").get_attribute("data-middle") or "").split(".")]


def test_a_player_picks_a_hex_traces_a_line_moves_a_unit_and_undoes_it(live: Start, tab: Page, corridor: str) -> None:
    tab.goto(f"{live(scenario=corridor).url}/c/east/map")
    tab.locator("#hexmap a[aria-label='Moscow: 1 Rif XX']").hover()
    expect(tab.locator("#pointed")).to_have_text("Moscow: 1 Rif XX")
    tab.locator("#hexmap a[aria-label='Moscow: 1 Rif XX']").click()
    card = tab.locator("#card")
    expect(card.get_by_role("heading", name="Moscow")).to_be_visible()
    card.get_by_label("Line").select_option("coal")
    card.get_by_role("button", name="Trace").click()
    expect(tab.locator("#traced")).to_contain_text("No coal line from Moscow")
    expect(tab.locator("#hexmap .blocked")).to_be_visible()
    card.get_by_text("Units moved from here").click()
    card.get_by_role("checkbox", name="1 Rif XX").check()
    card.locator(".moving").get_by_label("To").fill("Gorki")
    card.get_by_role("button", name="Record the move").click()
    expect(tab.locator(".toast")).to_contain_text("Gorki")
    expect(tab.locator("#hexmap a[aria-label='Gorki: 1 Rif XX']")).to_be_visible()
    tab.locator(".toast").get_by_role("button", name="Undo").click()
    expect(tab.locator("#hexmap a[aria-label='Moscow: 1 Rif XX']")).to_be_visible()


def test_the_view_moves_by_arrow_keys_and_by_dragging_and_a_click_picks_the_hex_under_it(large: str, tab: Page) -> None:
    tab.goto(f"{large}?view=50.60")
    begun = middle(tab)
    tab.locator("#map").focus()
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("#hexmap")).not_to_have_attribute("data-middle", f"{begun[0]}.{begun[1]}")
    east = middle(tab)
    assert (east[0] > begun[0], east[1]) == (True, begun[1])
    box = tab.locator("#hexmap").bounding_box()
    assert box
    tab.mouse.move(box["x"] + 500, box["y"] + 300)
    tab.mouse.down()
    tab.mouse.move(box["x"] + 300, box["y"] + 300, steps=4)
    tab.mouse.up()
    expect(tab.locator("#hexmap")).not_to_have_attribute("data-middle", f"{east[0]}.{east[1]}")
    dragged = middle(tab)
    assert (dragged[0] > east[0], dragged[1]) == (True, east[1])
    expect(tab.locator("#card h2")).to_have_text("The map")
    tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(tab.locator("#hexmap .picked")).to_be_attached()
    tab.keyboard.press("+")
    expect(tab.locator("#hexmap")).to_have_attribute("data-zoom", "4")
    assert middle(tab) == dragged


def test_the_lines_of_everyone_in_view_are_drawn_and_taken_off_again_by_the_button(large: str, tab: Page) -> None:
    tab.goto(f"{large}?zoom=3")
    tab.get_by_role("link", name="Draw all lines of supply").click()
    expect(tab.locator("#everyone")).to_be_visible()
    expect(tab.locator("#hexmap .traced.many")).to_be_visible()
    # Below the names and the counters, which they would strike out.
    assert tab.locator("#hexmap .traced.many ~ .area").count() == tab.locator("#hexmap .area").count() > 0
    tab.mouse.move(0, 0)
    expect(tab.locator("#hexmap .traced.many")).to_be_visible()
    tab.get_by_role("link", name="Take the lines off").click()
    expect(tab.locator("#hexmap .traced.many")).to_have_count(0)


PATCHED_TWICE = """async () => {
  const { patch } = await import("/static/patch.js");
  const made = (html) => new DOMParser().parseFromString(html, "text/html").body;
  const old = made("<p>a</p><ul><li id=x>1</li></ul>");
  const fresh = made("<p>a</p><ul><li id=x>1</li><li id=y>2</li></ul><b>c</b>");
  patch(old, fresh);
  patch(old, fresh);
  return [old.innerHTML, fresh.innerHTML];
}"""


def test_what_is_shown_at_once_in_a_part_of_a_page_stays_when_the_whole_page_is_shown(large: str, tab: Page) -> None:
    tab.goto(large)
    shown, fresh = tab.evaluate(PATCHED_TWICE)
    assert shown == fresh
    assert "<b>c</b>" in shown


def test_the_map_works_without_script(large: str, tab: Page) -> None:
    context = tab.context.browser.new_context(java_script_enabled=False) if tab.context.browser else None
    assert context
    plain = context.new_page()
    plain.goto(f"{large}?zoom=4&at=Smolensk")
    plain.get_by_role("link", name="Move the view north").click()
    expect(plain).to_have_url(re.compile("view="))
    plain.get_by_role("searchbox", name="Go to").fill("Kiev")
    plain.get_by_role("button", name="Show").click()
    expect(plain.locator("#card h2").first).to_contain_text("Kiev")
    plain.get_by_role("button", name="Trace").click()
    expect(plain.locator("#traced")).to_be_visible()
    context.close()


def test_a_factorys_output_is_taken_by_its_button_and_given_back_by_undo(live: Start, tab: Page) -> None:
    tab.goto(f"{live(scenario='eastern-front').url}/c/east/factories")
    produce = tab.get_by_role("button", name="Produce: Artillery Leningrad")
    for _ in range(12):
        if produce.count():
            break
        moment = tab.locator(".bar .phase").inner_text()
        end_phase(tab)
        expect(tab.locator(".bar .phase")).not_to_have_text(moment)
    produce.click()
    expect(tab.locator(".toast").last).to_contain_text("produce")
    tab.mouse.move(0, 0)
    expect(tab.locator("#works-1")).to_contain_text("has produced this turn")
    tab.locator(".toast").last.get_by_role("button", name="Undo").click()
    expect(tab.locator("#works-1")).not_to_contain_text("has produced this turn")


@pytest.fixture(scope="module")
def two_maps(tmp_path_factory: pytest.TempPathFactory, begun: Callable[..., Path], corridor: str) -> Iterator[Live]:
    """One server for campaigns that are only looked at: a map of hexes, and one of places."""
    folder = tmp_path_factory.mktemp("maps")
    shutil.copy(begun(corridor), folder / "corridor.fp")
    shutil.copy(begun("eastern-front"), folder / "front.fp")
    with Live(folder, public=False) as running:
        yield running


@pytest.mark.parametrize(
    "path",
    [
        "corridor/map?at=Moscow&line=coal",
        "corridor/map?at=Minsk&line=supply",
        "corridor/factories",
        "front/factories",
        "front/map",
    ],
)
def test_they_are_accessible_in_light_and_dark_and_fit_a_phone(two_maps: Live, tab: Page, path: str) -> None:
    tab.goto(f"{two_maps.url}/c/{path}")
    assert not serious(tab)
    tab.evaluate("document.documentElement.dataset.paper = 'dark'")
    assert not serious(tab)
    tab.set_viewport_size({"width": 360, "height": 740})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 361
    tab.set_viewport_size({"width": 1280, "height": 900})
    tab.evaluate("document.documentElement.dataset.type = 'larger'")
    assert tab.evaluate("document.documentElement.scrollWidth") <= 1281
