"""The order of battle page: what is coming, what cannot be met, the text linted; and only one's own side's."""

from html import unescape

from playwright.sync_api import Page, expect

from forcepool.web.seats import FRONT, SIDE, Seat
from tests.web.conftest import Serve, Start, Visitor

EAST = "east-1941"


def text(visitor: Visitor, path: str) -> str:
    return unescape(visitor.get(path).text)


def test_what_is_coming_stands_by_turn(serve: Serve) -> None:
    home = serve(scenario=EAST).visitor()
    page = text(home, "/c/east/ob")
    assert "Coming" in page
    assert "in 1 turn" in page
    assert "Reinforce" in page
    assert "later entries" in page


def test_a_campaign_without_one_says_so(home: Visitor) -> None:
    assert "no order of battle" in text(home, "/c/east/ob")


def test_the_text_reads_back_without_a_finding_and_a_slip_is_found_on_its_line(serve: Serve) -> None:
    home = serve(scenario=EAST).visitor()
    home.get("/c/east/ob/text")
    printed = home.get("/c/east/ob/download").text
    found = home.post("/c/east/ob/text", {"text": printed}).json()
    assert (found["count"], found["findings"]) == (0, [])
    assert found["entries"] > 300
    damaged = "Aug 1 41\n\nGerman\nReinforce:\n1x 8-6 Inf XX 900\nthis is no entry at all ???\n"
    found = home.post("/c/east/ob/text", {"text": damaged}).json()
    assert any(each["line"] == 6 for each in found["findings"])


def test_each_side_has_its_own(serve: Serve) -> None:
    server = serve(public=True, scenario=EAST, seats=("Axis", "Soviet"))
    soviet, centre = server.seated(Seat(SIDE, "Soviet")), server.seated(Seat(FRONT, "Axis", "front/centre"))
    page = text(soviet, "/c/east/ob?all")
    assert "Soviet Union" in page
    assert "Germany" not in page.partition("<main")[2]
    assert "German" not in soviet.get("/c/east/ob/download").text
    assert "no order of battle" in text(centre, "/c/east/ob")


def test_findings_follow_what_is_typed(live: Start, tab: Page) -> None:
    tab.goto(f"{live(scenario=EAST).url}/c/east/ob/text")
    expect(tab.locator("#ob-findings")).to_contain_text("0 findings")
    tab.locator("#ob-written").fill("Aug 1 41\nGerman\nReinforce:\nthis is no entry at all ???")
    expect(tab.locator("#ob-findings")).to_contain_text("line 4")
