"""The losses page in a real browser: type, pick, see the total grow, record all, put right, undo all."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Start

pytestmark = pytest.mark.browser


def test_losses_are_typed_and_picked_tried_at_once_recorded_and_undone_together(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/losses")
    text = tab.get_by_label("Losses", exact=True)
    text.press_sequentially("2 Pz XX -> cadr")
    tried = tab.locator("#tried")
    expect(tried).to_contain_text("0 understood, 1 not")
    expect(tried).to_contain_text("column 12")
    text.press_sequentially("e\nnobody")
    expect(tried).to_contain_text("1 understood, 1 not")
    tab.get_by_label("those I pick now were isolated").check()
    tab.get_by_role("button", name="5 Inf XX goes down to cadre").click()
    expect(text).to_have_value("2 Pz XX -> cadre\nnobody\n5 Inf XX -> cadre isolated\n")
    expect(tried).to_contain_text("2 understood, 1 not")
    expect(tried).to_contain_text("lost while supply isolated")
    text.fill("2 Pz XX -> cadre\nnobody\n5 Inf XX -> cadre isolated\n3-6 Inf XX, nobody\n")
    chosen = tried.get_by_role("button").first
    unit = (chosen.text_content() or "").split(" cadre")[0]
    chosen.click()
    expect(text).to_have_value(f"2 Pz XX -> cadre\nnobody\n5 Inf XX -> cadre isolated\n{unit}, nobody\n")
    expect(tried).to_contain_text("3 understood, 2 not")
    text.fill("2 Pz XX -> cadre\nnobody\n5 Inf XX -> cadre isolated\n")
    tab.get_by_role("button", name="Record all").click()
    expect(tab.locator(".toast")).to_contain_text("2 losses recorded, 1 left to be put right")
    expect(text).to_have_value("nobody\n")
    # What was recorded is no longer told as what would come, though the hand is still on the button.
    expect(tried).to_contain_text("0 understood, 1 not")
    tab.mouse.move(0, 0)
    expect(tried).to_contain_text("there is no unit 'nobody'")
    expect(tab.get_by_role("button", name="5 Inf XX goes down to cadre")).to_have_count(0)
    tab.locator(".toast").get_by_role("button", name="Undo").click()
    expect(tab.get_by_role("button", name="5 Inf XX goes down to cadre")).to_have_count(1)
    expect(tab.get_by_role("button", name="2 Pz XX goes down to cadre")).to_have_count(1)


def test_what_someone_else_records_meanwhile_leaves_the_text_alone(live: Start, tab: Page) -> None:
    url = f"{live().url}/c/east/losses"
    other = tab.context.new_page()
    for page in (tab, other):
        page.goto(url)
    tab.get_by_label("Losses", exact=True).fill("3 Mot XX\n")
    other.get_by_label("Losses", exact=True).fill("5 Inf XX\n")
    other.get_by_role("button", name="Record all").click()
    expect(tab.get_by_role("button", name="5 Inf XX is eliminated")).to_have_count(0)
    expect(tab.get_by_label("Losses", exact=True)).to_have_value("3 Mot XX\n")
    expect(tab.locator("#tried")).to_contain_text("1 understood")
