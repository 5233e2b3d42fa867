"""Two players at once, each with a browser: what one does appears at the other, and a stale form is told."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from forcepool.web.chair import REFEREE, SIDE, Seat
from tests.web.conftest import Live, Start, arrived, end_phase

pytestmark = pytest.mark.browser


@pytest.fixture
def table(live: Start) -> Live:
    return live(public=True, seats=("Axis", "Soviet"))


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context.new_page()
    context.close()


def sit(page: Page, table: Live, seat: Seat) -> None:
    """Follow an invitation as a player does: open the link, press the button."""
    page.goto(table.invitation(seat))
    page.get_by_role("button", name="Sit down").click()
    arrived(page, "/c/east$")
    expect(page.locator("h1")).to_contain_text("What this phase asks of you")


def test_each_has_their_own_and_learns_that_the_other_did_something(table: Live, tab: Page, other: Page) -> None:
    sit(tab, table, Seat(SIDE, "Axis"))
    sit(other, table, Seat(SIDE, "Soviet"))
    expect(tab.locator("main")).to_contain_text("6 Pz XX, cadre at")
    expect(other.locator("main")).not_to_contain_text("6 Pz XX")
    other.keyboard.press("j")
    arrived(other, "/journal$")
    expect(other.locator("h1")).to_contain_text("Journal")
    tab.locator("li", has_text="6 Pz XX, cadre at").first.get_by_role("button", name="Do it").click()
    expect(other.locator("main")).to_contain_text("Axis: an entry")
    expect(other.locator("body")).not_to_contain_text("6 Pz XX")


def test_ending_the_turn_appears_at_the_other_and_only_they_can_go_on(table: Live, tab: Page, other: Page) -> None:
    sit(tab, table, Seat(SIDE, "Axis"))
    sit(other, table, Seat(SIDE, "Soviet"))
    expect(other.get_by_role("button", name="End phase")).to_have_count(0)
    for _ in range(8):
        if tab.get_by_role("button", name="End phase").count() == 0:
            break
        end_phase(tab)
    expect(other.locator(".phase")).to_contain_text("Soviet player-turn")
    expect(other.get_by_role("button", name="End phase")).to_be_visible()
    expect(tab.get_by_role("button", name="End phase")).to_have_count(0)


def test_a_form_about_what_the_other_has_just_changed_is_told_and_does_nothing(
    table: Live, tab: Page, other: Page
) -> None:
    sit(tab, table, Seat(SIDE, "Axis"))
    sit(other, table, Seat(REFEREE))
    # The referee's page no longer hears of changes, like one whose line has dropped.
    other.route("**/changes*", lambda route: route.abort())
    other.reload()
    tab.locator("li", has_text="6 Pz XX, cadre at").first.get_by_role("button", name="Do it").click()
    expect(tab.locator(".toast")).to_contain_text("6 Pz XX")
    other.locator("li", has_text="161 Inf XX, remnant at").first.get_by_role("button", name="Do it").click()
    answer = other.locator(".refusal").first
    expect(answer).to_contain_text("Axis player rebuilt 1 cadre since you looked: Rebuild cadre 6 Pz XX")
    expect(answer).not_to_contain_text("52.")
    other.mouse.move(0, 0)
    expect(other.locator("main")).to_contain_text("161 Inf XX, remnant at")
    expect(other.locator("main")).not_to_contain_text("6 Pz XX, cadre at")
