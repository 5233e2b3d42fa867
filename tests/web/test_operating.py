"""What the host of a public server does about its campaigns: see them, lock them, lay them by, bring them back."""

import json
from typing import Any

import pytest

from forcepool.web.chair import FRONT, HOST, OBSERVER, REFEREE, SIDE, Seat
from forcepool.web.logbook import Logbook
from tests.web.conftest import Serve, Server, Visitor

SIDES = ("Axis", "Soviet")
AXIS = Seat(SIDE, "Axis")
WHY = "the disk is being changed until Sunday"


def order(visitor: Visitor, **fields: Any) -> Any:
    return visitor.post("/c/east/do", {"order": json.dumps(fields or {"command": "note", "text": "hello"})})


def stand(host: Visitor, state: str, note: str = "") -> Any:
    host.get("/operator")
    return host.post("/operator", {"campaign": "east", "state": state, "note": note})


@pytest.fixture
def server(serve: Serve) -> Server:
    return serve(public=True, seats=SIDES)


@pytest.fixture
def host(server: Server) -> Visitor:
    return server.seated(Seat(HOST), "")


def test_the_page_tells_what_lies_on_the_server(server: Server, host: Visitor) -> None:
    server.seated(AXIS)
    server.app.state.registry.invite("east", Seat(SIDE, "Soviet"))
    page = host.get("/operator").text
    assert '<a href="/c/east">east</a>' in page
    assert '<td data-label="Seats">1 <span class="note">and 1 invited</span></td>' in page
    # The server's part in the dice was promised as Axis sat down.
    assert '<td data-label="Entries">2</td>' in page
    assert '<td data-label="Last played">today</td>' in page
    assert "1 of 1000" in page
    assert "There is no such campaign" not in page
    assert 'href="/c/east"' not in host.get("/operator?q=west").text
    assert '<a href="/operator">' in host.get("/").text


def test_nobody_but_the_host_operates(server: Server, serve: Serve) -> None:
    seats = (AXIS, Seat(FRONT, "Axis", "front/centre"), Seat(REFEREE), Seat(OBSERVER))
    for visitor in (server.visitor(), *map(server.seated, seats)):
        visitor.get("/api")
        assert visitor.get("/operator").status_code == 403
        assert visitor.post("/operator", {"campaign": "east", "state": "locked"}).status_code == 403
        assert visitor.get("/api/operator").status_code == 403
    assert server.app.state.registry.standings() == {}
    home = serve().visitor()
    home.get("/")
    assert home.get("/operator").status_code == 404, "at one's own machine there is nothing to operate"
    assert "/operator" not in home.get("/").text


def test_a_locked_campaign_is_looked_at_and_nobody_writes_to_it(server: Server, host: Visitor) -> None:
    axis = server.seated(AXIS)
    axis.get("/c/east")
    assert order(axis).json()["accepted"]
    before = server.app.state.shelf.table("east").seq
    assert stand(host, "locked", f"  {WHY}\n").status_code == 303
    page = axis.get("/c/east")
    assert page.status_code == 200
    told = f"The host has locked this campaign: {WHY}. It can be looked at, and nobody can give orders."
    assert told in page.text
    refused = order(axis)
    assert (refused.status_code, refused.json()["kind"], refused.json()["says"]) == (403, "withheld", told)
    for path, fields in (
        ("/undo", {}),
        ("/messages", {"text": "hello", "to": ""}),
        ("/seats/dice", {"words": "nobody would guess this"}),
        ("/losses", {"text": "10 Pz XX", "do": "yes"}),
    ):
        axis.post(f"/c/east{path}", fields, accept="text/html")
    host.get("/c/east")
    assert order(host).status_code == 403, "the host too"
    server.seated(Seat(SIDE, "Soviet")).get("/c/east")
    assert server.app.state.shelf.table("east").seq == before
    assert stand(host, "").status_code == 303
    assert "The host has" not in axis.get("/c/east").text
    assert order(axis).json()["accepted"]


def test_an_archived_campaign_is_out_of_the_lists_and_comes_back(server: Server, host: Visitor) -> None:
    axis = server.seated(AXIS)
    assert axis.get("/").status_code == 303
    stand(host, "archived")
    assert "You have no seat at a campaign here" in axis.get("/").text
    assert 'href="/c/east"' not in host.get("/").text
    assert axis.get("/api/campaigns").json() == []
    assert "laid this campaign by. It can be looked at" in axis.get("/c/east").text
    assert order(axis).status_code == 403
    page = host.get("/operator").text
    assert "archived" in page
    assert "Bring back" in page
    stand(host, "")
    assert axis.get("/").status_code == 303
    assert [line["name"] for line in axis.get("/api/campaigns").json()] == ["east"]


def test_what_is_wrong_in_the_form_is_told(host: Visitor, server: Server) -> None:
    host.get("/operator")
    for fields in ({"campaign": "west", "state": "locked"}, {"campaign": "east", "state": "burnt"}):
        assert host.post("/operator", fields).status_code == 400
    assert host.post("/operator", {"campaign": "east", "state": "locked", "token": "x"}).status_code == 403
    assert server.app.state.registry.standings() == {}


def test_programs_of_the_host_do_the_same_and_the_log_says_who(
    server: Server, capfd: pytest.CaptureFixture[str]
) -> None:
    server.app.state.log.form = "json"
    registry = server.app.state.registry
    keys = {}
    for name, at, seat in (("host", "", Seat(HOST)), ("axis", "east", AXIS)):
        invitation, _ = registry.invite(at, seat)
        keys[name] = {"authorization": f"Bearer {registry.new_key(invitation.id)}"}

    def change(who: str, **wish: str) -> Any:
        return server.client.post("/api/campaigns/east/standing", json=wish, headers=keys[who])

    assert change("axis", state="locked").status_code == 403
    assert change("host", state="burnt").status_code == 400
    done = change("host", state="locked", note=WHY)
    assert done.status_code == 200
    assert done.json()["state"] == "locked"
    found = server.client.get("/api/campaigns/east/standing", headers=keys["axis"]).json()
    assert (found["state"], found["note"]) == ("locked", WHY), "players may know"
    (line,) = server.client.get("/api/operator", headers=keys["host"]).json()
    assert (line["name"], line["state"], line["entries"]) == ("east", "locked", 1)
    assert line["bytes"] > 10_000
    assert server.client.get("/api/operator", headers=keys["axis"]).status_code == 403
    assert change("host", state="open").json()["state"] == "open"
    lines = [json.loads(text) for text in capfd.readouterr().err.splitlines()]
    audit = [line for line in lines if line["event"] == "campaign"]
    assert [(line["done"], line["campaign"]) for line in audit] == [("locked", "east"), ("opened", "east")]
    assert all(line["seat"] == audit[0]["seat"] != "-" for line in audit)
    assert WHY not in str(audit), "what players are told is theirs"
    assert isinstance(server.app.state.log, Logbook)
