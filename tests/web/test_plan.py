"""A plan in the browser: made beside the server, private to its seat, followed with one button a phase."""

from html import unescape

from forcepool.web.seats import FRONT, SIDE, Seat
from tests.web.conftest import Serve, task_of

AXIS = Seat(SIDE, "Axis")
SOVIET = Seat(SIDE, "Soviet")
CENTRE = Seat(FRONT, "Axis", "front/centre")


def test_a_side_plans_and_follows_its_plan(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
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
    assert f"0 of {len(told['saved']['orders'])} orders given, {len(now)} for this phase" in axis.get("/c/east").text
    done = axis.post("/c/east/plan", {}, accept="application/json").json()
    assert done["says"] == f"{len(now)} done"
    after = unescape(axis.get("/c/east/plan").text)
    assert f"{len(now)} of {len(told['saved']['orders'])} orders given" in after
    assert "Give the" not in after
    assert f"{len(now)} of {len(told['saved']['orders'])} orders given</p>" in axis.get("/c/east").text
    none = axis.post("/c/east/plan", {}, accept="application/json").json()
    assert "nothing for this phase" in none["says"]
