"""Forms a browser sends by itself: choosing a side, following an invitation; and toasts that offer one undo."""

import pytest
from playwright.sync_api import Page, expect

from forcepool.web.chair import SIDE, Seat
from tests.web.conftest import Start, end_phase

pytestmark = pytest.mark.browser


def look_as(tab: Page, side: str) -> None:
    with tab.expect_navigation():
        tab.get_by_label("Look at the campaign as").select_option(side)


def test_a_player_at_home_chooses_the_side_to_look_from(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east")
    look_as(tab, "Soviet")
    expect(tab.get_by_label("Look at the campaign as")).to_have_value("Soviet")
    expect(tab.get_by_role("heading", name="What this phase asks of you")).to_be_visible()
    tab.reload()
    expect(tab.get_by_label("Look at the campaign as")).to_have_value("Soviet")


def test_an_invitation_is_followed_and_the_seat_is_taken(live: Start, tab: Page) -> None:
    server = live(public=True)
    _, word = server.app.state.registry.invite("east", Seat(SIDE, "Axis"))
    tab.goto(f"{server.url}/join/{word}")
    tab.get_by_role("button", name="Sit down").click()
    expect(tab.locator("#bar .seat")).to_contain_text("Axis")


def test_only_the_newest_toast_offers_to_undo(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east/pool?unit=10+Pz+XX")
    tab.get_by_role("button", name="Do it: Rebuild cadre paid from front Centre").click()
    expect(tab.locator(".toast")).to_have_count(1)
    end_phase(tab)
    # One notice at a time: the last takes the place of the one before.
    expect(tab.locator(".toast")).to_contain_text("End the phase")
    expect(tab.locator(".toast")).to_have_count(1)
    expect(tab.locator(".toast").get_by_role("button", name="Undo")).to_have_count(1)


def test_who_plays_all_sides_at_one_machine_undoes_what_any_of_them_did(live: Start, tab: Page) -> None:
    tab.goto(f"{live(seats=('Axis', 'Soviet')).url}/c/east")
    look_as(tab, "Axis")
    end_phase(tab)
    expect(tab.locator(".toast")).to_contain_text("End the phase")
    look_as(tab, "")
    tab.keyboard.press("u")
    expect(tab.locator(".toast")).to_contain_text("undone: 1 entry")
    tab.locator(".toast").get_by_role("button", name="Bring back").click()
    expect(tab.locator(".toast")).to_contain_text("brought back: 1 entry")
    expect(tab.locator("#asked")).to_have_count(0)


def test_an_undo_that_another_side_must_agree_to_is_answered_where_one_sees_it(live: Start, tab: Page) -> None:
    tab.goto(f"{live(seats=('Axis', 'Soviet')).url}/c/east")
    look_as(tab, "Axis")
    end_phase(tab)
    expect(tab.locator(".toast")).to_contain_text("End the phase")
    look_as(tab, "Soviet")
    tab.keyboard.press("u")
    expect(tab.locator(".toast")).to_contain_text("Axis must agree first")
    expect(tab.locator("#asked")).to_contain_text("Soviet asks to undo 1 entry")
