"""Hands that slip: a second click on the same spot does nothing, and no order moves what is under the pointer."""

import json

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Live, Start

pytestmark = pytest.mark.browser

GAPS = (50, 300, 900, 1500)
"""Milliseconds between two clicks: a double click, a slow one, and one after the page has answered."""


@pytest.fixture
def east(live: Start) -> Live:
    return live()


def entries(tab: Page, east: Live) -> int:
    found: int = tab.request.get(f"{east.url}/api/campaigns/east").json()["entries"]
    return found


def middle(button: Locator) -> tuple[float, float]:
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click_twice(tab: Page, button: Locator, gap: int) -> None:
    """Twice on the same spot, whatever stands there the second time."""
    x, y = middle(button)
    tab.mouse.click(x, y)
    tab.wait_for_timeout(gap)
    tab.mouse.click(x, y)
    tab.wait_for_load_state("networkidle")


def test_a_second_click_ends_no_second_phase(east: Live, tab: Page) -> None:
    tab.goto(f"{east.url}/c/east")
    for gap in GAPS:
        tab.mouse.move(0, 0)
        before = entries(tab, east)
        click_twice(tab, tab.get_by_role("button", name="End phase"), gap)
        assert entries(tab, east) <= before + 1, f"{gap} ms apart"


def test_enter_held_down_or_pressed_again_does_one_line(east: Live, tab: Page) -> None:
    tab.goto(f"{east.url}/c/east/pool?unit=10+Pz+XX")
    before = entries(tab, east)
    tab.locator("#card [data-row]").first.focus()
    for gap in GAPS[:3]:
        tab.keyboard.press("Enter")
        tab.wait_for_timeout(gap)
    expect(tab.locator(".toast")).to_have_count(1)
    assert entries(tab, east) == before + 1


def test_what_was_done_stays_struck_where_it_is_and_goes_when_the_hand_leaves(east: Live, tab: Page) -> None:
    tab.goto(f"{east.url}/c/east")
    line = tab.locator("main [data-row]", has_text="6 Pz XX").first
    button, others = line.get_by_role("button", name="Do it"), tab.locator("main button:visible")
    spot, places = middle(button), [each.bounding_box() for each in others.all()]
    tab.mouse.click(*spot)
    expect(line.locator(".undo-now")).to_be_visible()
    expect(tab.locator(".toast")).to_be_visible()
    assert places == [each.bounding_box() for each in others.all() if not each.evaluate("e => e.closest('.undo-now')")]
    line.locator(".undo-now button").click()
    expect(line.locator(".undo-now")).to_have_count(0)
    expect(line.get_by_role("button", name="Do it")).to_be_enabled()
    tab.mouse.click(*spot)
    expect(line.locator(".undo-now")).to_be_visible()
    tab.mouse.move(2, 2)
    expect(tab.locator("main [data-row]", has_text="6 Pz XX, cadre")).to_have_count(0)


def test_another_seats_order_moves_nothing_under_the_hand(east: Live, tab: Page) -> None:
    tab.goto(f"{east.url}/c/east")
    line = tab.locator("main [data-row]", has_text="10 Pz XX").first
    button = line.get_by_role("button", name="Do it")
    tab.mouse.move(*middle(button))
    box, token = button.bounding_box(), tab.locator("body").get_attribute("data-token") or ""
    order = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
    form: dict[str, str | float | bool] = {"order": json.dumps(order), "token": token}
    assert tab.request.post(f"{east.url}/c/east/do", form=form, headers={"accept": "application/json"}).ok
    expect(tab.locator("#held")).to_be_visible()
    assert button.bounding_box() == box
    tab.mouse.move(2, 2)
    expect(tab.locator("#held")).to_be_hidden()
    expect(tab.locator("main [data-row]", has_text="6 Pz XX, cadre")).to_have_count(0)


LIVE = (
    "",
    "/pool",
    "/pool?unit=10+Pz+XX",
    "/unit/10 Pz XX",
    "/pools",
    "/pools?pool=front/centre&of=Germany&kind=inf",
    "/pools/could",
    "/losses",
    "/journal",
    "/factories",
)
"""Pages that change as others play."""
PRESSED = "main :is(a[href], button, summary, select, input:not([type=hidden]))"
POINTED_AT = """([pressed, part]) => {
  const hidden = "details:not([open]) > :not(summary), svg";
  const seen = (each) => each.getClientRects().length && !each.closest(hidden);
  const all = [...document.querySelectorAll(pressed)].filter(seen);
  window.pointedAt = all[Math.floor(all.length * part)];
  window.pointedAt.scrollIntoView({ block: "center" });
  const { x, y, width, height } = window.pointedAt.getClientRects()[0];
  return [x + width / 2, y + height / 2];
}"""
STILL_THERE = """() => {
  const [rect] = window.pointedAt.isConnected ? window.pointedAt.getClientRects() : [];
  return rect ? [rect.x, rect.y] : [];
}"""


@pytest.mark.parametrize("part", [0.3, 0.7])
def test_on_no_page_does_anothers_order_or_undo_move_what_the_pointer_is_on(east: Live, tab: Page, part: float) -> None:
    tab.goto(f"{east.url}/c/east")
    order = json.dumps({"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"})
    moved = {}
    for path in LIVE:
        tab.mouse.move(0, 0)
        tab.goto(f"{east.url}/c/east{path}")
        tab.mouse.move(*tab.evaluate(POINTED_AT, [PRESSED, part]))
        was = tab.evaluate(STILL_THERE)
        for deed, form in (("do", {"order": order}), ("undo", {})):
            body = tab.locator("body")
            seq, token = body.get_attribute("data-seq"), body.get_attribute("data-token") or ""
            given: dict[str, str | float | bool] = {"token": token, **form}
            assert tab.request.post(f"{east.url}/c/east/{deed}", form=given, headers={"accept": "application/json"}).ok
            expect(tab.locator(f"body[data-seq='{seq}']")).to_have_count(0)
            # The numbers above are told at once; had the rest moved, it would have by the next picture.
            tab.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
            # Scrolling is by whole points of the screen.
            if tab.evaluate(STILL_THERE) != pytest.approx(was, abs=1):
                moved[path] = f"{deed}: {was} {tab.evaluate(STILL_THERE)}"
    assert moved == {}


def test_losses_stand_last_look_like_no_purchase_and_ask_first(east: Live, tab: Page) -> None:
    tab.goto(f"{east.url}/c/east/pool?unit=10+Pz+XX")
    rows = tab.locator("#card .opts:not(.closed) > li")
    harmful = [("harmful" in (each.get_attribute("class") or "")) for each in rows.all()]
    assert any(harmful)
    assert harmful == sorted(harmful)
    assert not tab.locator("#card .harmful button.go").count()
    before = entries(tab, east)
    lose = rows.filter(has_text="Lose").first
    expect(lose.get_by_role("button")).to_be_hidden()
    click_twice(tab, lose.locator("summary"), 300)
    assert entries(tab, east) == before
    lose.locator("summary").click()
    lose.get_by_role("button", name="Yes").click()
    expect(tab.locator(".toast")).to_contain_text("Lose 10 Pz XX")


BOTH_AT_ONCE = """() => {
  const forms = [...document.querySelectorAll("#could-transfer-points form")];
  const of = (form, name) => form.elements[`f.${name}`].value;
  const draws = (form) => of(form, "pool") === "front/centre" && of(form, "points").endsWith(" inf");
  const two = forms.filter(draws).slice(0, 2);
  two.forEach((form) => (form.elements["f.points"].value = "1/4 inf"));
  two.forEach((form) => form.querySelector("button").click());
  return two.length;
}"""


def test_two_amounts_from_one_pool_sent_at_once_are_both_recorded_and_one_after_the_phase_is_not(
    east: Live, tab: Page
) -> None:
    tab.goto(f"{east.url}/c/east/pools/could?pool=front/centre")
    before = entries(tab, east)
    assert tab.evaluate(BOTH_AT_ONCE) == 2
    expect(tab.locator(f"body[data-seq='{before + 2}']")).to_have_count(1)
    assert entries(tab, east) == before + 2
    expect(tab.locator(".refusal")).to_have_count(0)
    # No line has vanished with the live update, and what was typed and sent is offered anew.
    fresh = tab.request.get(tab.url).text().count('id="way-transfer-points-')
    expect(tab.locator("#could-transfer-points [data-row]")).to_have_count(fresh)
    expect(tab.locator("[name='f.points'][value='1/4 inf']")).to_have_count(0)
    # What was asked of the phase before is not done in the next, though one ended it oneself.
    token = tab.locator("body").get_attribute("data-token") or ""
    order = {"command": "rebuild-cadre", "unit": "10 Pz XX", "pay_from": "front/centre"}
    given: dict[str, str | float | bool] = {"token": token, "seen": before + 2, "own": str(before + 3)}
    json_back = {"accept": "application/json"}
    for each in ({"command": "advance"}, order):
        answer = tab.request.post(f"{east.url}/c/east/do", form=given | {"order": json.dumps(each)}, headers=json_back)
    assert answer.json()["kind"] == "stale"
