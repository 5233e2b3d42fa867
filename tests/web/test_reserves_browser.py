"""The reserves page in a real browser: choose units, weigh plans, carry one out, undo it; by keyboard; on a phone."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Live, Start, end_phase
from tests.web.test_every_page import serious

pytestmark = pytest.mark.browser


@pytest.fixture
def west(live: Start, tab: Page) -> Live:
    """May 1940, the German reinforcement phase, after the players have rolled a 2 and a 4 for Germany."""
    server = live(scenario="west-1940", dice="hand")
    tab.goto(f"{server.url}/c/east/reserves")
    tab.get_by_role("button", name="Roll for Germany").click()
    tab.get_by_label("What the d6 shows", exact=True).fill("2")
    tab.get_by_role("button", name="Enter it").click()
    tab.get_by_label("after the others").fill("2 4")
    tab.get_by_role("button", name="Enter it").last.click()
    expect(tab.locator(".nation", has_text="Germany")).to_contain_text("die 2, result")
    expect(tab.locator(".refusal")).to_have_count(0)
    phase = tab.locator(".phase")
    for _ in range(9):
        now = phase.inner_text()
        if "reinforcement" in now:
            break
        end_phase(tab)
        expect(phase).not_to_have_text(now)
    tab.goto(f"{server.url}/c/east/reserves?nation=Germany")
    return server


def test_a_player_chooses_units_sees_what_each_costs_makes_the_changes_and_undoes_them(west: Live, tab: Page) -> None:
    tab.get_by_role("link", name="60 Inf XX out of reserve").click()
    expect(tab.locator("#plan-given")).to_contain_text("60 Inf XX out of reserve, Muenster")
    tab.get_by_role("link", name="73 Inf XX out of reserve").click()
    plan = tab.locator("#plan-given")
    expect(plan).to_contain_text(re.compile("at ×1.*= "))
    expect(plan).to_contain_text(re.compile(r"of \S+ points\s+of Germany:\s+\S+ left"))
    tab.get_by_role("button", name="Make all 2 changes in this order").first.click()
    expect(tab.locator(".toast").last).to_contain_text("2 of 2 changes made")
    tab.mouse.move(0, 0)
    expect(tab.locator("#what-if")).to_contain_text("73 Inf XX is out of reserve already")
    expect(tab.locator("#in-reserve")).not_to_contain_text("73 Inf")
    tab.locator(".toast").last.get_by_role("button", name="Undo").click()
    expect(tab.locator("#in-reserve")).to_contain_text("73 Inf")
    expect(tab.locator("#plan-given")).to_contain_text("73 Inf XX")


def test_units_are_chosen_and_put_in_another_order_by_keyboard_alone(west: Live, tab: Page) -> None:
    find = tab.get_by_role("searchbox", name="Find", exact=True)
    find.press_sequentially("73 inf")
    expect(tab.locator(".picklist li")).to_have_count(1)
    find.press("Escape")
    tab.locator(".picklist li").focus()
    tab.keyboard.press("Enter")
    expect(tab.locator(".wishes li")).to_have_count(1)
    expect(tab.locator("#plan-given")).to_contain_text("73 Inf XX")
    tab.goto(f"{west.url}/c/east/reserves?change=out+60+Inf+XX&change=out+73+Inf+XX")
    tab.get_by_role("link", name="73 Inf XX earlier").press("Enter")
    expect(tab.locator(".wishes li").first).to_contain_text("73 Inf XX")


def test_a_change_that_is_refused_is_overruled_where_it_stands(west: Live, tab: Page) -> None:
    tab.goto(f"{west.url}/c/east/reserves?change=out+1-DM+Maroc+Inf+XX")
    plan = tab.locator("#plan-given")
    expect(plan.get_by_role("link", name="49.A.1.e.i/1")).to_be_visible()
    plan.get_by_role("button", name="Try it all the same").click()
    plan.get_by_label("Overrule with a note").fill("agreed over the telephone")
    plan.get_by_role("button", name="Overrule").click()
    expect(tab.locator("#what-if")).to_contain_text("1-DM Maroc Inf XX is out of reserve already")
    expect(tab.locator(".refusal")).to_have_count(0)


def test_plans_are_accessible_in_light_and_dark_and_fit_a_phone(west: Live, tab: Page) -> None:
    tab.goto(f"{west.url}/c/east/reserves?change=in+28+Inf+XX&change=in+34+Inf+XX&change=out+1-DM+Maroc+Inf+XX")
    expect(tab.locator("#plan-cheapest")).to_be_visible()
    assert not serious(tab)
    tab.evaluate("document.documentElement.dataset.paper = 'dark'")
    assert not serious(tab)
    tab.set_viewport_size({"width": 360, "height": 740})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 361
