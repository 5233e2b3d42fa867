"""A new campaign in the browser: a shipped scenario, one of one's own, house rules, seats; a journal brought back."""

import sys
from html import unescape

import pytest
from playwright.sync_api import Page, expect

from forcepool.web import new
from forcepool.web.chair import HOST, SIDE, Seat
from tests.web.conftest import Serve, Start, Visitor


def text(visitor: Visitor, path: str) -> str:
    return unescape(visitor.get(path).text)


def test_a_shipped_scenario_is_begun_with_seats_and_a_house_rule(home: Visitor) -> None:
    assert "Smolensk" in text(home, "/new")
    assert "reduced-time" in text(home, "/new?scenario=smolensk")
    begun = home.post(
        "/new",
        {
            "scenario": "smolensk",
            "name": "my east",
            "seat": ["Axis", "Soviet"],
            "dice": "hand",
            "rule:reduced-time": "plus-four",
        },
    ).json()
    assert begun["go"] == "/c/my east"
    status = home.get("/api/campaigns/my east").json()
    assert status["house_rules"]["reduced-time"] == "plus-four"
    assert "my east" in text(home, "/")


def test_the_rulings_to_choose_stand_under_their_headings_and_in_words(home: Visitor) -> None:
    page = text(home, "/new?scenario=smolensk").partition("rulings-to-choose")[2]
    chapter = page.partition("<summary>52.A Replacing and rebuilding units")[2].partition("</details>")[0]
    assert 'name="rule:reduced-time"' in chapter
    assert 'name="rule:air-forces"' not in chapter
    assert ">plus-four: " not in page


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"scenario": "smolensk", "name": "../east"}, "a campaign's name has letters"),
        ({"scenario": "smolensk", "name": ""}, "a campaign's name has letters"),
        ({"scenario": "smolensk", "name": "east"}, "there is a campaign 'east' already"),
        ({"scenario": "nowhere", "name": "new"}, "choose a scenario"),
        ({"scenario": "smolensk", "name": "new", "seat": "Martian"}, "there is no side 'Martian'"),
        ({"scenario": "smolensk", "name": "new", "rule:reduced-time": "never"}, "has no option 'never'"),
        ({"scenario": "own", "name": "new", "text": ""}, "paste your scenario"),
        ({"scenario": "own", "name": "new", "text": "units: ["}, "scenario.yaml:1:"),
        ({"scenario": "own", "name": "new", "text": "turn: Octember 41"}, "scenario.yaml:1:7"),
    ],
)
def test_what_cannot_be_begun_is_told_and_leaves_nothing(home: Visitor, fields: dict[str, str], says: str) -> None:
    answer = home.post("/new", fields)
    assert answer.status_code == 400
    told = answer.json()
    assert says in told["says"] + " ".join(each["sentence"] for each in told["reasons"])
    assert [each["name"] for each in home.get("/api/campaigns").json()] == ["east"]


def test_without_script_a_problem_is_on_the_page_and_the_text_stays(home: Visitor) -> None:
    page = home.post("/new", {"scenario": "own", "name": "new", "text": "units: ["}, accept="text/html")
    assert page.status_code == 400
    assert "scenario.yaml:1:" in page.text
    assert "units: [" in page.text


def test_an_exported_journal_comes_back_entry_by_entry(home: Visitor) -> None:
    home.post("/c/east/do", {"order": '{"command": "note", "text": "the mud is here"}'})
    journal = home.get("/c/east/export").text
    assert home.post("/new/journal", {"name": "copy", "journal": journal}).json()["go"] == "/c/copy"
    assert "the mud is here" in text(home, "/c/copy/journal")
    damaged = home.post(
        "/new/journal", {"name": "copy2", "journal": journal.replace("the mud is here", "the sun is here")}
    )
    assert damaged.status_code == 400
    assert home.get("/c/copy2").status_code == 404


def test_only_the_host_begins_campaigns(serve: Serve) -> None:
    server = serve(public=True)
    host, axis = server.seated(Seat(HOST), campaign=""), server.seated(Seat(SIDE, "Axis"))
    assert axis.get("/new").status_code == 403
    assert axis.post("/new", {"scenario": "smolensk", "name": "x"}).status_code == 403
    assert host.get("/new").status_code == 200


def test_a_newcomer_begins_a_campaign_and_lands_on_its_turn(live: Start, tab: Page) -> None:
    tab.goto(live().url)
    tab.get_by_role("link", name="Begin a campaign").click()
    tab.get_by_role("link", name="Smolensk").click()
    tab.get_by_label("Name of the campaign").first.fill("first")
    tab.get_by_role("button", name="Begin").click()
    expect(tab.locator("h1")).to_contain_text("What this phase asks of you")


def test_a_campaign_that_takes_long_is_waited_for_on_a_page_and_can_be_given_up(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new, "PATIENCE", 0.0)
    server = serve()
    server.app.state.jobs.command = [sys.executable, "-c", "import threading; threading.Event().wait()"]
    home = server.visitor()
    home.get("/new")
    assert home.post("/new", {"scenario": "smolensk", "name": "slow"}).json()["go"] == "/job"
    assert home.post("/new", {"scenario": "smolensk", "name": "other"}).status_code == 429
    assert 'http-equiv="refresh"' in text(home, "/job")
    draft = server.app.state.shelf.stock.path("slow.fp.1234.new")
    draft.with_suffix("").write_text("begun")
    assert home.post("/job/cancel").json()["go"] == "/job"
    assert "You stopped it" in text(home, "/job")
    assert not draft.with_suffix("").exists()
    server.app.state.jobs.command = [sys.executable, "-m", "forcepool.web.worker"]
    monkeypatch.setattr(new, "PATIENCE", 600.0)
    assert home.post("/new", {"scenario": "smolensk", "name": "slow"}).json()["go"] == "/c/slow"
    assert home.get("/job").headers["location"] == "/c/slow"
