"""The order form in a real browser: find a command, fill it in, see what would happen, do it, overrule a refusal."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Start, arrived

pytestmark = pytest.mark.browser


def test_a_command_is_found_tried_as_one_types_and_done(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east")
    tab.keyboard.press("/")
    tab.keyboard.type("rebuild-cadre")
    tab.keyboard.press("Enter")
    arrived(tab, "/order/rebuild-cadre")
    expect(tab.get_by_role("heading", name="Rebuild cadre")).to_be_visible()
    tab.get_by_role("combobox", name="unit").fill("6 Pz XX")
    expect(tab.locator("#tried")).to_contain_text("Still needed: pay from")
    tab.get_by_role("combobox", name="pay from").fill("front/centre")
    expect(tab.locator("#tried")).to_contain_text("It would pass")
    tab.get_by_role("button", name="Do it").click()
    expect(tab.locator(".toast")).to_contain_text("6 Pz XX: cadre → full")


def test_a_refused_form_is_overruled_where_the_hand_is(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/order/rebuild-cadre?unit=78+Inf+XX&pay_from=front/centre")
    expect(tab.locator("#tried")).to_contain_text("It would be refused")
    tab.get_by_role("button", name="Do it").click()
    refusal = tab.locator(".refusal")
    expect(refusal).to_contain_text("52.A.9.d/3")
    refusal.get_by_label("Overrule with a note").fill("agreed")
    refusal.get_by_role("button", name="Overrule").click()
    expect(tab.locator(".toast")).to_contain_text("Rebuild cadre")
