"""One whole replacement phase with the keyboard alone, and the help that tells how."""

import pytest
from playwright.sync_api import Page, expect

from forcepool import games
from forcepool.engine import codec
from forcepool.store.open import campaign_file
from forcepool.views.saved_plan import SavedOrder, SavedPlan, Shown
from tests.web.conftest import Live, Start, arrived

pytestmark = pytest.mark.browser


def with_a_plan(server: Live) -> str:
    """The address of a server whose guest keeps a plan of one order for this phase."""
    with campaign_file(server.folder / "east.fp", games.build_world) as campaign:
        now = campaign.state.clock
    order = '{"command":"rebuild-remnant","unit":"161 Inf XX","pay_from":"front/centre"}'
    line = SavedOrder("now", now.turn, now.player, now.phase, "161 Inf XX", "cadre", "hex", "rebuild-remnant", order)
    body = codec.encode(Shown(SavedPlan("Axis", "now", "later", "3", [line])))
    server.app.state.registry.keep_plan("home/", "east", 1, body, 1)
    return server.url


def test_a_replacement_phase_is_played_without_a_mouse(live: Start, tab: Page) -> None:
    tab.goto(f"{with_a_plan(live())}/c/east")
    keys = tab.keyboard

    # What a plan has for this phase is marked, and given with one key.
    expect(tab.locator(".planned")).to_contain_text("161 Inf XX")
    expect(tab.locator(".plan-mark")).to_have_text("plan: this phase")
    keys.press("g")
    expect(tab.locator(".toast").first).to_contain_text("161 Inf XX")
    expect(tab.locator("#plan")).to_contain_text("1 of 1 order of this phase given")

    # Down the checklist to a cadre that can be rebuilt, and Enter.
    for _ in range(30):
        keys.press("ArrowDown")
        if "10 Pz XX, cadre" in (tab.evaluate("document.activeElement.textContent") or ""):
            break
    keys.press("Enter")
    expect(tab.locator(".toast").first).to_contain_text("10 Pz XX: cadre → full")

    # A line is ticked: the next one that can still be done, passing over what the purchase has made impossible.
    expect(tab.locator(".gone-now").first).to_be_visible()
    keys.press("ArrowDown")
    assert tab.evaluate("document.activeElement.matches('[data-row]:not(.gone-now)')")
    keys.press("x")
    expect(tab.locator('[aria-checked="true"]')).to_have_count(1)

    # A loss is typed and recorded.
    keys.press("l")
    arrived(tab, "/losses$")
    tab.locator("textarea").first.focus()
    keys.type("252 Inf XX -> cadre")
    keys.press("Control+Enter")
    expect(tab.locator(".toast").first).to_be_visible()

    # A unit is found by its name and its card opens.
    keys.press("Escape")
    keys.press("/")
    keys.type("78 Inf XX")
    keys.press("Enter")
    arrived(tab, "/unit/")
    expect(tab.locator("main")).to_contain_text("78 Inf XX")

    # The slip is undone, and the phase ends.
    keys.press("Escape")
    keys.press("u")
    expect(tab.locator(".toast").last).to_contain_text("undone")
    keys.press("e")
    expect(tab.locator("#sheet")).to_contain_text("Not spent")
    keys.press("Tab")
    keys.press("Enter")
    expect(tab.locator(".phase")).not_to_contain_text("replacement phase")


def test_the_question_mark_lists_the_keys_and_escape_closes_them(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east")
    tab.keyboard.press("?")
    expect(tab.locator("#help")).to_contain_text("End the phase")
    tab.keyboard.press("Escape")
    expect(tab.locator("#help")).not_to_be_visible()
    tab.keyboard.press("j")
    expect(tab.locator("h1")).to_contain_text("Journal")


def test_letters_typed_into_a_field_are_letters(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east")
    tab.keyboard.press("/")
    tab.keyboard.type("jeu")
    expect(tab.locator("#find")).to_have_value("jeu")
    expect(tab.locator("h1")).to_contain_text("What this phase asks")


def test_a_refusal_appears_where_the_hand_is_and_is_overruled_there(live: Start, tab: Page) -> None:
    tab.goto(
        f"{live().url}/c/east/order/rebuild-cadre?order="
        + '{"command":"rebuild-cadre","unit":"78 Inf XX","pay_from":"front/centre"}'
    )
    tab.get_by_role("button", name="Do it").first.click()
    refusal = tab.locator(".refusal").first
    expect(refusal).to_contain_text("52.A.9.d/3")
    refusal.get_by_label("Overrule with a note").fill("both players agree")
    refusal.get_by_role("button", name="Overrule").click()
    expect(tab.locator(".toast").first).to_contain_text("78 Inf XX")
