"""The turn page: the checklist, doing a line, undoing it, being told no."""

import json
import re
import shutil
from html import unescape
from pathlib import Path

from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

from forcepool.web.app import make_app
from forcepool.web.chair import REFEREE, SIDE, Seat
from tests.web.conftest import Serve, Start, Visitor

REBUILD = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}
REFUSED = {"command": "rebuild-cadre", "unit": "78 Inf XX", "pay_from": "front/centre"}


def order(command: dict[str, str]) -> dict[str, str]:
    return {"order": json.dumps(command), "seen": "1"}


def test_the_turn_page_names_turn_phase_and_side_and_what_is_open(home: Visitor) -> None:
    page = unescape(home.get("/c/east").text)
    assert "Oct 3 41" in page
    assert "replacement phase" in page
    assert "6 Pz XX, cadre at" in page
    assert 'href="/c/east/rules/52.A.9.d%2F1"' in page or 'href="/c/east/rules/52.A.9.d/1"' in page


def test_a_line_of_the_checklist_is_done_by_its_button_and_undone_by_undo(home: Visitor) -> None:
    done = home.post("/c/east/do", order(REBUILD)).json()
    assert done["accepted"]
    assert done["entry"] == 2
    assert any("6 Pz XX: cadre → full" in words for words in done["words"])
    assert "6 Pz XX, cadre at" not in unescape(home.get("/c/east").text)
    undone = home.post("/c/east/undo", {"seen": "2"}).json()
    assert undone["accepted"]
    assert "6 Pz XX, cadre at" in unescape(home.get("/c/east").text)


def test_a_refusal_names_the_clause_and_the_note_overrules_it(home: Visitor) -> None:
    refused = home.post("/c/east/do", order(REFUSED))
    assert refused.status_code == 422
    assert "52.A.9.d/3" in refused.json()["clauses"]
    assert not refused.json()["final"]
    overruled = home.post("/c/east/do", order(REFUSED) | {"override": "we agreed on it"}).json()
    assert overruled["accepted"]
    assert any("we agreed on it" in words for words in overruled["words"])


def test_without_script_a_refusal_is_a_page_with_the_overrule_on_it(home: Visitor) -> None:
    page = home.post("/c/east/do", order(REFUSED), accept="text/html")
    assert page.status_code == 422
    assert "Overrule with a note" in page.text
    assert "52.A.9.d/3" in page.text


def test_without_script_what_was_done_leads_back_to_the_page(home: Visitor) -> None:
    answer = home.post("/c/east/do", order(REBUILD) | {"back": "/c/east"}, accept="text/html")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/c/east?done=2"


def test_the_way_back_never_leads_to_another_site(home: Visitor) -> None:
    answer = home.post("/c/east/do", order(REBUILD) | {"back": "//elsewhere.example/c/east"}, accept="text/html")
    assert answer.headers["location"] == "/c/east?done=2"


def test_a_form_about_what_someone_changed_meanwhile_is_told_and_not_applied(home: Visitor) -> None:
    assert home.post("/c/east/do", order(REBUILD)).json()["accepted"]
    stale = home.post(
        "/c/east/do", order({"command": "rebuild-remnant", "unit": "161 Inf XX", "pay_from": "front/centre"})
    )
    assert stale.status_code == 409
    assert stale.json()["kind"] == "stale"
    assert stale.json()["entries"] == [2]
    assert stale.json()["seq"] == 2


def test_what_another_has_done_already_is_told_so_and_not_refused_by_the_rules(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis, referee, soviet = (
        server.seated(each) for each in (Seat(SIDE, "Axis", name="Anna"), Seat(REFEREE), Seat(SIDE, "Soviet"))
    )
    assert axis.post("/c/east/do", order(REBUILD)).json()["accepted"]
    told = referee.post("/c/east/do", order(REBUILD))
    assert told.status_code == 409
    assert told.json()["words"] == [
        "Axis player (Anna) rebuilt 1 cadre since you looked: Rebuild cadre 6 Pz XX paid from front Centre."
    ]
    page = referee.post("/c/east/do", order(REBUILD), accept="text/html")
    assert "rebuilt 1 cadre since you looked" in page.text
    # What is not the seat's own is answered as if nobody had touched it.
    assert "words" not in soviet.post("/c/east/do", order(REBUILD)).json()
    # Looked at again, the rules answer: it is no cadre any more.
    again = order(REBUILD) | {"seen": str(told.json()["seq"])}
    assert referee.post("/c/east/do", again).json()["kind"] == "refused"


def test_an_order_of_ones_own_makes_a_page_that_waits_for_the_hand_no_older(home: Visitor) -> None:
    remnant = order({"command": "rebuild-remnant", "unit": "161 Inf XX", "pay_from": "front/centre"})
    assert home.post("/c/east/do", order(REBUILD)).json()["accepted"]
    assert home.post("/c/east/do", remnant).json()["kind"] == "stale"
    assert home.post("/c/east/do", remnant | {"own": "2"}).json()["accepted"]


def test_a_form_about_something_else_is_not_stale(home: Visitor) -> None:
    assert home.post("/c/east/do", order(REBUILD)).json()["accepted"]
    note = home.post("/c/east/do", order({"command": "note", "text": "tea"}))
    assert note.json()["accepted"]


def test_a_tick_stays_for_the_phase_and_goes_with_it(home: Visitor) -> None:
    item = re.search(r'name="item" value="([0-9a-f]+)"', home.get("/c/east").text)
    assert item
    assert home.post("/c/east/tick", {"item": item[1], "on": "yes"}).json()["accepted"]
    assert 'aria-checked="true"' in home.get("/c/east").text
    assert home.post("/c/east/do", {"order": '{"command": "advance"}'}).json()["accepted"]
    assert 'aria-checked="true"' not in home.get("/c/east").text


def test_dice_of_the_table_are_asked_for_and_entered(serve: Serve) -> None:
    visitor = serve(dice="hand").visitor()
    visitor.get("/c/east")
    roll = order({"command": "roll-deployment", "nation": "Germany"}) | {"override": "to see the die"}
    asked = visitor.post("/c/east/do", roll)
    assert asked.status_code == 422
    assert (asked.json()["kind"], asked.json()["sides"]) == ("die", 6)
    assert visitor.post("/c/east/do", roll | {"die": "7 7"}).status_code == 400
    dice = ""
    while not (answer := visitor.post("/c/east/do", roll | {"die": dice})).json()["accepted"]:
        assert answer.json()["kind"] == "die"
        dice += " 4"
    assert any("a d6 falls 4, entered by hand" in words for words in answer.json()["words"])


def test_a_player_clicks_a_line_and_undoes_it(live: Start, tab: Page) -> None:
    tab.goto(f"{live().url}/c/east")
    line = tab.locator("li", has_text="6 Pz XX, cadre at").first
    line.get_by_role("button", name="Do it").click()
    expect(tab.locator(".toast")).to_contain_text("6 Pz XX: cadre → full")
    tab.mouse.move(0, 0)
    expect(tab.locator("main")).not_to_contain_text("6 Pz XX, cadre at")
    tab.locator(".toast").get_by_role("button", name="Undo").click()
    expect(tab.locator("main")).to_contain_text("6 Pz XX, cadre at")


def test_what_one_does_appears_in_the_other_tab(live: Start, tab: Page) -> None:
    url = f"{live().url}/c/east"
    other = tab.context.new_page()
    other.goto(url)
    tab.goto(url)
    tab.locator("li", has_text="6 Pz XX, cadre at").first.get_by_role("button", name="Do it").click()
    expect(other.locator("main")).not_to_contain_text("6 Pz XX, cadre at")


def test_all_that_is_due_under_a_clause_is_done_at_once_and_undone_at_once(tmp_path: Path, demonstration: Path) -> None:
    shutil.copy(demonstration, tmp_path / "east.fp")
    with TestClient(make_app(tmp_path), base_url="http://localhost") as client:
        home = Visitor(client)
        page = home.get("/c/east").text
        while "Do all" not in page:
            assert home.post("/c/east/do", {"order": json.dumps({"command": "advance"})}).json()["accepted"]
            page = home.get("/c/east").text
        due = re.search(r'name="clause" value="([^"]+)"><button class="small">Do all ([0-9]+)', page)
        assert due
        before = home.get("/api/campaigns/east").json()["entries"]
        done = home.post("/c/east/due", {"clause": due[1]}).json()
        assert done["accepted"]
        assert done["back_to"] == before + 1
        assert home.get("/api/campaigns/east").json()["entries"] > before + 1
        assert home.post("/c/east/undo", {"to": str(done["back_to"])}).json()["accepted"]
        assert f"Do all {due[2]}" in home.get("/c/east").text
        assert home.post("/c/east/due", {"clause": "52.Z/1"}).status_code == 400
