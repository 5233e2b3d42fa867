"""A plan in the browser: made beside the server, private to its seat, followed with one button a phase."""

import re
from html import unescape

import pytest
from playwright.sync_api import Page, expect
from starlette.testclient import TestClient

from forcepool.web.app import make_app
from forcepool.web.chair import FRONT, SIDE, Seat
from tests.web.conftest import Serve, Server, Start, Visitor, arrived, task_of

AXIS = Seat(SIDE, "Axis")
SOVIET = Seat(SIDE, "Soviet")
CENTRE = Seat(FRONT, "Axis", "front/centre")


def test_a_side_plans_and_follows_its_plan(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    server.app.state.jobs.rests = False
    axis, soviet, centre = (server.seated(each) for each in (AXIS, SOVIET, CENTRE))
    assert "Which units should be rebuilt, and when?" in axis.get("/c/east/plan").text
    axis.post("/c/east/job", {"kind": "plan", "turns": "4"})
    assert task_of(axis)["state"] == "done"
    seen = unescape(axis.get("/c/east/plan").text)
    assert "more strength on the map on Nov 3 41 than with no orders" in seen
    told = axis.get("/api/campaigns/east/job/file").json()
    now = [each for each in told["saved"]["orders"] if each["turn"] == told["saved"]["orders"][0]["turn"]]
    assert told["view"]["side"] == "Axis"
    # Nobody else's: the enemy has no plan of his own, and a front asks its side.
    assert "Which units should be rebuilt" in soviet.get("/c/east/plan").text
    assert centre.post("/c/east/job", {"kind": "plan", "turns": "4"}).status_code == 403
    assert "ask Axis for it" in centre.get("/c/east/plan").text
    assert "orders:" in axis.get("/c/east/plan/text").text
    assert "There is no plan" in soviet.get("/c/east/plan/text").text
    other = server.seated(AXIS)
    other.post("/c/east/job", {"kind": "plan", "turns": "1", "prices": "yes"})
    assert task_of(other)["state"] == "done"
    assert "it would be in it if it cost" in other.get("/c/east/plan").text
    board = axis.get("/c/east").text
    assert f"0 of {len(now)} orders of this phase given" in board
    assert 'data-key="g"' in board
    assert board.count("plan: this phase") == len({each["unit"] for each in now if each["unit"]})
    # Its seat's own: another on the same side has no plan, and nothing is marked for him.
    assert all((each["unit"] or each["title"]) in unescape(board.partition('id="plan"')[2]) for each in now)
    assert "plan: " not in server.seated(AXIS).get("/c/east").text
    done = axis.post("/c/east/plan", {}, accept="application/json").json()
    assert done["says"] == f"{len(now)} done"
    after = unescape(axis.get("/c/east/plan").text)
    assert f"{len(now)} of {len(told['saved']['orders'])} orders given" in after
    assert "Give the" not in after
    board = axis.get("/c/east").text
    assert f"{len(now)} of {len(now)} orders of this phase given" in board
    assert "plan: this phase" not in board
    assert 'data-key="g"' not in board
    none = axis.post("/c/east/plan", {}, accept="application/json").json()
    assert "nothing for this phase" in none["says"]
    # Made again from today, by a program too, it keeps what is still to come.
    key = {"x-token": axis.token, "content-type": "application/json"}
    sent = server.client.post(
        "/api/campaigns/east/job", json={"kind": "plan", "again": True}, headers=key | {"cookie": axis.cookie}
    )
    assert sent.status_code == 200
    assert task_of(axis)["state"] == "done"
    waiting = len([each for each in told["saved"]["orders"] if each["unit"]]) - len([e for e in now if e["unit"]])
    assert f"{waiting} of {waiting} orders of the plan before still hold" in axis.get("/c/east/plan").text
    wrong = {"kind": "plan", "goals": "by: Nov 1 41\nleave: [10 Px XX]"}
    axis.post("/c/east/job", wrong)
    assert "goals:2:9: " in task_of(axis)["says"]
    _is_there_after_a_restart(server, axis)


GOALS = """side: Axis
by: Nov 1 41
weights:
- {type: Pz, area: front/centre, times: 3/2}
units:
- {unit: 10 Pz XX, by: Oct 4 41}
keep:
- {pool: front/centre, nation: Germany, kind: inf, points: 2}
earliest: [161 Inf XX]
leave: [900 Mot X]
spend: {inf: 1/2}
"""
PICKED = {
    "from": "fields",
    "side": "Axis",
    "by": "Nov 1 41",
    "weights.type": ["Pz", ""],
    "weights.area": ["front/centre", ""],
    "weights.unit": ["", ""],
    "weights.times": ["3/2", "2"],
    "units.unit": ["10 Pz XX", ""],
    "units.by": ["Oct 4 41", ""],
    "earliest": ["161 Inf XX", ""],
    "keep.account": ["front/centre | Germany | inf", ""],
    "keep.points": ["2", ""],
    "spend.kind": ["inf", ""],
    "spend.part": ["1/2", ""],
    "leave": ["900 Mot X", ""],
}


def _text_on(seen: str) -> str:
    found = re.search(r"<textarea[^>]*>(.*?)</textarea>", seen, re.DOTALL)
    assert found is not None
    return unescape(found[1])


def test_goals_are_picked_or_written_and_each_fills_the_other(home: Visitor) -> None:
    seen = home.get("/c/east/plan/goals").text
    assert "Plan without goals" in seen
    picked = home.post("/c/east/plan/goals", PICKED, accept="text/html")
    assert (picked.status_code, _text_on(picked.text)) == (200, GOALS)
    assert "Plan by these goals" in picked.text
    read = home.post("/c/east/plan/goals", {"from": "text", "side": "Axis", "goals": GOALS}, accept="text/html").text
    for said in ("Nov 1 41", "Pz", "front/centre", "Oct 4 41", "front/centre | Germany | inf", "inf"):
        assert re.search(rf'<option(?: value="{re.escape(said)}")? selected>', read), said
    for said in ("10 Pz XX", "161 Inf XX", "900 Mot X", "3/2", "1/2"):
        assert f'value="{said}"' in read
    assert read.count('name="weights.type"') == 3
    wrong = home.post(
        "/c/east/plan/goals",
        {"from": "text", "goals": GOALS.replace("10 Pz", "10 Px").replace("1/2", "half")},
        accept="text/html",
    ).text
    assert "goals:11:14: " in wrong
    missing = home.post(
        "/c/east/plan/goals", {"from": "text", "goals": GOALS.replace("10 Pz", "10 Px")}, accept="text/html"
    )
    assert "goals:6:10: " in missing.text
    assert "Plan by these goals" not in missing.text
    assert "goals:1:" in home.post("/c/east/plan/goals", {"from": "text", "goals": "by: ["}, accept="text/html").text


def _is_there_after_a_restart(server: Server, axis: Visitor) -> None:
    with TestClient(make_app(server.app.state.shelf.stock.folder, public=True), base_url="http://localhost") as client:
        again = Visitor(client)
        again.cookie = axis.cookie
        assert "the one you follow" in again.get("/c/east/plan").text
        text = again.get("/c/east/plan/text").text
        # A friend brings the same plan as a text; of two the seat follows the one it chooses.
        again.post("/c/east/plan/bring", {"text": text}, accept="text/html")
        first, second, third = re.findall(r'href="/c/east/plan\?plan=(\d+)"', again.get("/c/east/plan").text)
        assert int(first) > int(second) > int(third)
        both = unescape(again.get(f"/c/east/plan?plan={first}&beside={second}").text)
        assert "Two plans side by side" in both
        assert both.count("both: ") == len(set(re.findall(r"when: (.*)", text)))
        again.post("/c/east/plan/choose", {"plan": second}, accept="text/html")
        again.post("/c/east/plan/drop", {"plan": first}, accept="text/html")
        assert re.findall(r'href="/c/east/plan\?plan=(\d+)"', again.get("/c/east/plan").text) == [second, third]
        assert again.post("/c/east/plan/drop", {"plan": first}).status_code == 404
        # What is wrong in a text is told with its place, and another side's plan is not taken.
        wrong = again.post("/c/east/plan/bring", {"text": text.replace("unit:", "unti:", 1)}, accept="text/html")
        assert wrong.status_code == 400
        assert re.search(r"plan:\d+:\d+: ", wrong.text)
        theirs = again.post("/c/east/plan/bring", {"text": text.replace("Axis", "Soviet", 1)}, accept="text/html")
        assert "this is a plan of Soviet" in theirs.text
        # Nothing of the enemy's is told by what is wrong, or by how an order stands: he and nobody are named alike.
        ours = next(each for each in re.findall(r"unit: (.+)", text) if each != "''")
        for name in ("32 Rif XX", "99 Foo XX"):
            asked = again.post(
                "/c/east/plan/bring", {"text": text.replace(f"unit: {ours}", f"unit: {name}")}, accept="text/html"
            )
            assert f"there is no unit '{name}' that you can see" in unescape(asked.text)
            goals = again.post("/c/east/plan/goals", {"from": "text", "goals": f"leave: [{name}]"}, accept="text/html")
            assert f"goals:1:9: there is no unit '{name}'" in unescape(goals.text)
            assert "53 Rif XX" not in goals.text
        keep = "keep:\n- {pool: front/centre, nation: Soviet Union, kind: inf, points: 900}"
        for asked in (keep, f"side: Soviet\n{keep}"):
            told = again.post("/c/east/plan/goals", {"from": "text", "goals": asked}, accept="text/html").text
            assert "Soviet Union is not of Axis" in told
            assert "Plan by these goals" not in told


def test_whoever_waits_for_a_plan_is_shown_it(live: Start, tab: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page of the task tells how far it is, and then leads on; the plan says once what is to be given now."""
    monkeypatch.setattr("forcepool.web.pages.job.PATIENCE", 0.0)
    tab.goto(f"{live().url}/c/east/plan")
    tab.get_by_role("button", name="Make a plan").click()
    arrived(tab, "/job$")
    arrived(tab, "/plan$")
    expect(tab.locator("main h2").first).to_contain_text("to be given now")
    expect(tab.locator("main .stands")).to_have_count(0)
