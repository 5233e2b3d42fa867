"""A seat is taken away while its page is open: the page says so, instead of showing what is no longer the player's."""

import pytest
from playwright.sync_api import Page, expect

from forcepool.web.chair import SIDE, Seat
from tests.web.conftest import Start, arrived

pytestmark = pytest.mark.browser


def test_a_page_whose_seat_is_taken_away_shows_nothing_of_the_campaign_any_more(live: Start, tab: Page) -> None:
    server = live(public=True, seats=("Axis", "Soviet"))
    registry = server.app.state.registry
    invitation, word = registry.invite("east", Seat(SIDE, "Axis"))
    tab.goto(f"{server.url}/join/{word}")
    tab.get_by_role("button", name="Sit down").click()
    arrived(tab, "/c/east$")
    expect(tab.locator("main")).to_contain_text("6 Pz XX, cadre at")
    registry.end(invitation.id, "east")
    server.app.state.shelf.tell()
    expect(tab.locator("body")).not_to_contain_text("6 Pz XX")
    expect(tab.locator("h1")).to_contain_text("Not here")
