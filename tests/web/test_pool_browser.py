"""The force pool in a real browser: pick a counter, rebuild it from its card, undo; by keyboard; at phone width."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Start

pytestmark = pytest.mark.browser


def test_a_player_picks_a_cadre_rebuilds_it_from_its_card_and_undoes_it(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/pool")
    tab.get_by_role("link", name="10 Pz XX:").click()
    card = tab.locator("#card")
    expect(card.get_by_role("heading", name="10 Pz XX")).to_be_visible()
    expect(tab).to_have_url(re.compile(r"/pool[?]unit=10[+]Pz[+]XX$"))
    card.get_by_role("button", name="Do it: Rebuild cadre paid from front Centre").click()
    expect(tab.locator(".toast")).to_contain_text("10 Pz XX: cadre → full")
    # The boxes beside the card follow at once; the card itself when the hand has left it.
    expect(tab.locator("#box-reduced-axis")).not_to_contain_text("10 Pz")
    tab.mouse.move(0, 0)
    expect(card).to_contain_text("full strength 11-10")
    tab.locator(".toast").get_by_role("button", name="Undo").click()
    expect(tab.locator("#box-reduced-axis")).to_contain_text("10 Pz")


def test_back_closes_the_card_again(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/pool")
    tab.get_by_role("link", name="10 Pz XX:").click()
    expect(tab.locator("#card h2")).to_have_text("10 Pz XX")
    tab.go_back()
    expect(tab.locator("#card")).to_contain_text("Pick a counter")


def test_a_closed_option_is_overruled_with_a_note_where_it_stands(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/pool?unit=78+Inf+XX")
    closed = tab.locator(".opts.closed > li", has_text="Rebuild cadre")
    expect(closed.get_by_role("link", name="52.A.9.d/3")).to_be_visible()
    closed.get_by_text("Overrule with a note").click()
    closed.get_by_label("Why it is done all the same").fill("agreed over the telephone")
    closed.get_by_role("button", name="Overrule").click()
    expect(tab.locator(".toast")).to_contain_text("Rebuild cadre")
    tab.mouse.move(0, 0)
    expect(tab.locator("#card")).to_contain_text("agreed over the telephone")


def test_typing_a_name_narrows_the_pool_and_keeps_the_hand_in_the_field(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/pool")
    field = tab.get_by_role("searchbox", name="Find", exact=True)
    field.press_sequentially("10 pz")
    expect(tab.locator(".charts a.counter")).to_have_count(1)
    expect(field).to_be_focused()
    expect(field).to_have_value("10 pz")


def test_a_counter_is_opened_and_its_option_done_by_keyboard_alone(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/pool?q=10+pz")
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    expect(tab.locator("#card h2")).to_have_text("10 Pz XX")
    tab.keyboard.press("ArrowRight")
    expect(tab.locator("#card .opts > li").first).to_be_focused()
    tab.keyboard.press("Enter")
    expect(tab.locator(".toast")).to_contain_text("10 Pz XX: cadre → full")


def test_at_phone_width_the_card_comes_first_and_nothing_sticks_out(live: Start, tab: Page) -> None:
    tab.set_viewport_size({"width": 360, "height": 740})
    tab.goto(f"{live().url}/c/east/pool")
    tab.get_by_role("link", name="10 Pz XX:").click()
    card = tab.locator("#card")
    expect(card.get_by_role("heading", name="10 Pz XX")).to_be_in_viewport()
    box, charts = card.bounding_box(), tab.locator(".charts").bounding_box()
    assert box
    assert charts
    assert box["y"] < charts["y"]
    assert tab.evaluate("document.documentElement.scrollWidth") <= 360
