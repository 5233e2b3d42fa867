"""The coming turns in the browser: worked out beside the server, for each seat what its side knows."""

from html import unescape

from forcepool.web.chair import FRONT, SIDE, Seat
from tests.web.conftest import Serve, task_of

AXIS = Seat(SIDE, "Axis")
CENTRE = Seat(FRONT, "Axis", "front/centre")


def test_a_side_looks_ahead_and_learns_nothing_of_the_enemy(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    axis = server.seated(AXIS)
    first = axis.get("/c/east/forecast").text
    assert "What do the coming turns bring?" in first
    assert "Begun with an older version" not in first
    axis.post("/c/east/job", {"kind": "forecast", "turns": "2"})
    assert task_of(axis)["state"] == "done"
    seen = unescape(axis.get("/c/east/forecast").text)
    assert "What each pool holds as the turn ends" in seen
    assert "Germany" in seen
    shown = seen.partition('class="cols wide purse"')[2]
    assert "Soviet" not in shown
    assert "MD " not in shown
    told = axis.get("/api/campaigns/east/job/file").json()
    assert {each["side"] for each in told["pools"]} == {"Axis"}
    # Another pool is drawn when it is asked for.
    asked = unescape(axis.get("/c/east/forecast?pool=front/centre&of=Germany&kind=inf").text)
    assert "front Centre, inf" in asked.partition('id="ahead"')[2][:200]
    # With losses of its own side, drawn by chance: a fan of each pool.
    server.app.state.jobs.rests = False
    axis.post("/c/east/job", {"kind": "forecast", "turns": "2", "losses": "rate", "rate": "8"})
    assert task_of(axis)["state"] == "done"
    told = axis.get("/api/campaigns/east/job/file").json()
    assert (told["runs"], told["losses"]) == (20, "units eliminated in a month: 8 of Axis")
    assert {each["side"] for each in told["pools"]} == {"Axis"}
    assert all(len(each["fan"]) == 3 for each in told["pools"])
    seen = unescape(axis.get("/c/east/forecast").text)
    assert "drawn with losses (units eliminated in a month: 8 of Axis)" in seen
    assert '<option value="rate" selected>' in seen
    assert "<polygon" in seen
    # Once something was entered the page says so.
    axis.post("/c/east/do", {"order": '{"command": "note", "text": "later"}'})
    assert "The campaign has gone on since" in axis.get("/c/east/forecast").text


def test_a_front_does_not_look_ahead_for_the_side(serve: Serve) -> None:
    server = serve(public=True, seats=("Axis", "Soviet"))
    centre = server.seated(CENTRE)
    assert "ask Axis for it" in centre.get("/c/east/forecast").text
    assert centre.post("/c/east/job", {"kind": "forecast", "turns": "2"}).status_code == 403


def test_it_tells_of_the_factory_that_might_be_begun_and_of_the_corps_that_goes_home(serve: Serve) -> None:
    visitor = serve(scenario="eastern-front").visitor()
    visitor.get("/c/east")
    moved = '{"command": "put-unit", "unit": "II Rum Corps", "at": "Odessa"}'
    assert visitor.post("/c/east/do", {"order": moved}).json()["accepted"]
    visitor.post("/c/east/job", {"kind": "forecast", "turns": "8"})
    assert task_of(visitor)["state"] == "done"
    seen = " ".join(unescape(visitor.get("/c/east/forecast").text).split())
    assert "<b>lapses</b> Aircraft A may be begun; Artillery A may be begun; Tank A may be begun" in seen
    assert "II Rum Corps</a> (Odessa to Bucharest)" in seen
