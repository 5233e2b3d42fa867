"""The order of battle page: what is coming, what cannot be met, the text linted; and only one's own side's."""

import json
import re
from html import unescape
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from forcepool.views import ob_text
from forcepool.web.chair import FRONT, OBSERVER, REFEREE, SIDE, Seat
from forcepool.web.pages.ob import LINES_AT_ONCE
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


def test_a_long_text_is_read_in_another_process_where_others_play(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    seated = serve(public=True, scenario=EAST, seats=("Axis", "Soviet")).seated(Seat(SIDE, "Axis"))
    seated.get("/c/east/ob/text")
    here: list[int] = []
    read = ob_text.findings

    def counted(text: str, **fields: Any) -> dict[str, Any]:
        here.append(text.count("\n"))
        return read(text, **fields)

    monkeypatch.setattr(ob_text, "findings", counted)
    lines = "Aug 1 41\nGerman\nReinforce:\n1x 8-6 Inf XX 900\n"
    short, long = (lines * (LINES_AT_ONCE // 4 + more) for more in (0, 1))
    for text in (short, long):
        found = seated.post("/c/east/ob/text", {"text": f"{text}no entry at all ???"}).json()
        assert found["entries"] == text.count("900") + 1
        assert found["findings"][-1]["line"] == text.count("\n") + 1
    assert here == [LINES_AT_ONCE]


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


# ------------------------------------------------------------------------------- lines brought into the campaign

LINES = "Aug 4 41\nGerman\nReinforce:\n1x 8-6 Inf XX 990 at Berlin\n"
LINE = "Reinforce 1x 8-6 Inf XX 990 at Berlin"


def add(visitor: Visitor, lines: str) -> Any:
    """The order of battle with these lines behind it, as one writes them into its box."""
    return visitor.post("/c/east/ob/change", {"text": visitor.get("/c/east/ob/download").text + lines})


def test_lines_brought_in_stand_on_the_page_and_undo_takes_them_away(serve: Serve) -> None:
    home = serve(scenario=EAST).visitor()
    assert "Make these changes" in text(home, "/c/east/ob/text")
    assert LINE not in text(home, "/c/east/ob?all")
    told = add(home, LINES).json()
    assert told["accepted"]
    assert told["go"] == f"/c/east/ob?done={told['entry']}"
    assert LINE in text(home, "/c/east/ob?all")
    assert "990" in home.get("/c/east/ob/download").text
    assert home.post("/c/east/undo").json()["accepted"]
    assert LINE not in text(home, "/c/east/ob?all")


def test_what_is_wrong_with_them_is_told_with_its_line_and_a_rule_may_be_overruled(serve: Serve) -> None:
    home = serve(scenario=EAST).visitor()
    home.get("/c/east/ob/text")
    wrong = add(home, "Aug 4 41\nGerman\nReinforce:\nthis is no entry at all ???\n")
    assert (wrong.status_code, wrong.json()["kind"]) == (400, "wrong")
    assert re.match(r"line \d+: .* found 'this'", wrong.json()["says"])
    assert "there is no hex 'Nowhere'" in add(home, LINES.replace("Berlin", "Nowhere")).json()["says"]
    refused = add(home, LINES.replace("Aug 4 41", "May 4 41")).json()
    assert (refused["kind"], refused["final"], refused["clauses"]) == ("refused", False, ["51.A/1"])
    done = home.post("/c/east/do", {"order": refused["order"], "override": "it was forgotten"})
    assert done.json()["accepted"]


def test_a_side_brings_in_its_own_and_no_other_seat_sees_or_does_it(serve: Serve) -> None:
    server = serve(public=True, scenario=EAST, seats=("Axis", "Soviet"))
    axis, soviet = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(SIDE, "Soviet"))
    centre, watcher = server.seated(Seat(FRONT, "Axis", "front/centre")), server.seated(Seat(OBSERVER, "Axis"))
    assert (add(soviet, LINES).status_code, add(watcher, LINES).status_code) == (400, 403)
    forbidden = add(centre, LINES)
    assert (forbidden.status_code, "ask Axis" in forbidden.json()["says"]) == (403, True)
    for visitor in (centre, watcher):
        assert "Make these changes" not in text(visitor, "/c/east/ob/text")
    assert add(axis, LINES).json()["accepted"]
    assert LINE in text(axis, "/c/east/ob?all")
    assert "990" in text(axis, "/c/east/journal")
    for path in ("/c/east/ob?all", "/c/east/ob/text", "/c/east/ob/download", "/c/east/journal"):
        # As a word: a seal may have these digits among its letters.
        assert not re.search(r"\b990\b", text(soviet, path))
        assert not re.search(r"\b990\b", text(centre, path))


def test_only_those_who_see_everything_take_lines_out(serve: Serve) -> None:
    server = serve(public=True, scenario=EAST, seats=("Axis", "Soviet"))
    axis, referee = server.seated(Seat(SIDE, "Axis")), server.seated(Seat(REFEREE))
    assert "Take" not in text(axis, "/c/east/ob?take")
    assert "Take lines out" in text(referee, "/c/east/ob")
    found = re.search(r"/order/remove-entry\?entry=([\w-]+)", text(referee, "/c/east/ob?take"))
    assert found
    order = json.dumps({"command": "remove-entry", "entry": found[1]})
    assert axis.post("/c/east/do", {"order": order}).status_code == 403
    assert referee.post("/c/east/do", {"order": order}).json()["accepted"]
    assert f"ob-{found[1]}" not in text(referee, "/c/east/ob?all")


def test_the_journal_does_not_tell_which_entries_the_other_side_has_received(serve: Serve) -> None:
    server = serve(public=True, scenario=EAST, seats=("Axis", "Soviet"))
    seats = {side: server.seated(Seat(SIDE, side)) for side in ("Axis", "Soviet")}
    referee, advance = server.seated(Seat(REFEREE)), json.dumps({"command": "advance"})
    while "Soviet player-turn" not in text(referee, "/c/east"):
        assert referee.post("/c/east/do", {"order": advance, "override": "left to the test"}).json()["accepted"]
    received = "OB of Jun 4 41, German reinforce 1"
    assert received in text(referee, "/c/east/journal")
    assert received in text(seats["Axis"], "/c/east/journal")
    for told in (received, "jun-4-41-german"):
        assert told not in text(seats["Soviet"], "/c/east/journal")


def test_a_text_says_what_it_would_change_before_it_does(serve: Serve) -> None:
    home = serve(scenario=EAST).visitor()
    home.get("/c/east/ob/text")
    own = home.get("/c/east/ob/download").text

    def beside(text: str) -> str:
        return unescape(home.post("/c/east/ob/text", {"text": text}, **{"x-part": "tried"}).text)

    assert "Nothing: the campaign lists all of this" in beside(own)
    more = beside(own + LINES)
    assert "It would pass" in more
    assert "<b>Aug 4 41</b> 1x 8-6 Inf XX 990 at Berlin" in more or LINE in more
    assert "there is no hex 'Nowhere'" in beside(own + LINES.replace("Berlin", "Nowhere"))
    assert "is not understood yet" in beside(own + "Aug 4 41\nGerman\nReinforce:\nno entry ???\n")
    assert "Goes out" in beside(own[: own.rindex("Soviet")])


def test_a_line_changed_in_the_text_takes_the_place_of_the_old_one_and_undo_brings_it_back(serve: Serve) -> None:
    home = serve(scenario=EAST).visitor()
    home.get("/c/east/ob/text")
    assert add(home, LINES).json()["accepted"]
    own = home.get("/c/east/ob/download").text
    told = home.post("/c/east/ob/change", {"text": own.replace("Inf XX 990", "Inf XX 991")}).json()
    assert told["accepted"], told
    assert told["entry"] - told["back_to"] == 1
    page = text(home, "/c/east/ob?all")
    assert LINE.replace("990", "991") in page
    assert LINE not in page
    assert home.post("/c/east/undo", {"to": str(told["back_to"])}).json()["accepted"]
    assert LINE in text(home, "/c/east/ob?all")
    nothing = home.post("/c/east/ob/change", {"text": home.get("/c/east/ob/download").text})
    assert (nothing.status_code, "nothing that" in nothing.json()["says"]) == (400, True)
    pasted_over = home.post("/c/east/ob/change", {"text": LINES.replace("990", "992")})
    assert "leave the others in the text" in pasted_over.json()["says"]


def test_from_a_side_what_is_left_out_of_the_text_stays(serve: Serve) -> None:
    axis = serve(public=True, scenario=EAST, seats=("Axis", "Soviet")).seated(Seat(SIDE, "Axis"))
    axis.get("/c/east/ob/text")
    count = axis.get("/c/east/ob/download").text.count("\n")
    assert axis.post("/c/east/ob/change", {"text": LINES}).json()["accepted"]
    assert axis.get("/c/east/ob/download").text.count("\n") >= count


def test_coming_entries_stand_in_a_calendar_with_their_counters(serve: Serve) -> None:
    page = text(serve(scenario=EAST).visitor(), "/c/east/ob")
    calendar = page.partition('id="ahead"')[2].partition("</section>")[0]
    entries = calendar.count('class="ob ')
    assert entries > 20
    assert calendar.count('class="counter"') >= entries * 3 // 4
    assert 'class="times">2</b>' in calendar


@pytest.mark.browser
def test_lines_are_tried_as_one_writes_and_brought_in_with_undo(live: Start, tab: Page) -> None:
    tab.goto(f"{live(scenario=EAST).url}/c/east/ob/text")
    box = tab.locator("#ob-written")
    own = box.input_value()
    box.fill(f"{own}Aug 4 41\nGerman\nReinforce:\n1x 8-6 Inf XX 990 in MD Mars")
    expect(tab.locator("#ob-change")).to_contain_text("there is no MD mars")
    tab.get_by_role("button", name="Make these changes").click()
    expect(tab.locator(".refusal")).to_contain_text("there is no MD mars")
    box.fill(own + LINES)
    expect(tab.locator("#ob-change")).to_contain_text("It would pass")
    tab.get_by_role("button", name="Make these changes").click()
    tab.wait_for_url("**/ob")
    tab.get_by_role("button", name="Undo", exact=True).click()
    expect(tab.locator("#toasts")).to_contain_text("undone")
