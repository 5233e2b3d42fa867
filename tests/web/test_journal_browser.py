"""The journal and the rulebook in a browser: undo to here, a bookmark, a clause and the decisions that cited it."""

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Start, arrived

pytestmark = pytest.mark.browser


def test_undo_to_here_takes_back_what_was_done_and_leaves_it_struck_through(live: Start, tab: Page) -> None:
    url = live().url
    tab.goto(f"{url}/c/east")
    tab.locator("li", has_text="6 Pz XX, cadre at").first.get_by_role("button", name="Do it").click()
    expect(tab.locator(".toast").first).to_be_visible()
    tab.keyboard.press("j")
    arrived(tab, "/journal$")
    entry = tab.locator("li.entry", has_text="6 Pz XX").first
    entry.get_by_role("button", name="Undo to here").click()
    expect(tab.locator("li.entry.undone")).to_have_count(1)
    tab.get_by_role("button", name="Bring back what was undone last").click()
    expect(tab.locator(".toast").last).to_contain_text("brought back")
    tab.mouse.move(0, 0)
    expect(tab.locator("li.entry.undone")).to_have_count(0)


def test_a_bookmark_is_made_and_found_again(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/journal")
    tab.get_by_label("Mark this moment as").fill("before the mud")
    tab.get_by_role("button", name="Bookmark").click()
    expect(tab.locator(".toast")).to_be_visible()
    tab.mouse.move(0, 0)
    expect(tab.locator("aside")).to_contain_text("before the mud")
    tab.get_by_role("button", name="Verify").click()
    expect(tab.locator(".toast").last).to_contain_text("Sound")


def test_words_find_a_clause_and_the_clause_the_decisions_that_cited_it(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east")
    tab.locator("li", has_text="6 Pz XX, cadre at").first.get_by_role("button", name="Do it").click()
    expect(tab.locator(".toast").first).to_be_visible()
    tab.keyboard.press("b")
    arrived(tab, "/rules$")
    expect(tab.locator("h1")).to_contain_text("Rulebook")
    tab.get_by_label("Words, a clause or a heading").fill("cadre full strength price")
    tab.keyboard.press("Enter")
    tab.get_by_role("link", name="52.A.9.d/2").first.click()
    expect(tab.locator("h1")).to_contain_text("52.A.9.d/2")
    expect(tab.locator("main")).to_contain_text("6 Pz XX")
