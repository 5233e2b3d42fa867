"""The client: a program plays from its seat as a player would, and is told no as a value."""

import http.server
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from forcepool.client import ApiError, Client
from forcepool.web.chair import SIDE, Seat
from tests.web.conftest import Live, Start

REBUILD = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}


@pytest.fixture
def east(live: Start) -> Client:
    """The campaign on one's own machine, which needs neither key nor name."""
    return Client(live().url)


def with_key(server: Live, side: str) -> Client:
    registry = server.app.state.registry
    invitation, _ = registry.invite("east", Seat(SIDE, side))
    return Client(server.url, registry.new_key(invitation.id))


def test_it_looks_at_everything_a_player_looks_at(east: Client) -> None:
    assert [each["name"] for each in east.campaigns()] == ["east"]
    assert east.status()["phase"] == "replacement"
    assert any(item["order"] for item in east.todo()["items"])
    cadres = east.units(nation="Germany", step="cadre")["units"]
    assert {each["step"] for each in cadres} == {"cadre"}
    assert east.unit("6 Pz XX")["facts"]["nation"] == "Germany"
    assert any(each["open"] for each in east.options("6 Pz XX")["options"])
    inf = next(each for each in east.ledger(pool="front/centre", nation="Germany")["accounts"] if each["kind"] == "inf")
    assert east.why("front/centre", "Germany", "inf")["balance"] == inf["balance"]
    assert east.clause("52.A.9.d/3")["id"] == "52.A.9.d/3"
    assert east.rules("cadre larger ZOC", limit=1)["clauses"][0]["id"] == "52.A.9.d/3"
    assert any(each["command"] == "advance" for each in east.commands()["commands"])
    assert east.house_rules()["switches"]


def test_an_order_is_tried_given_undone_and_brought_back(east: Client) -> None:
    assert east.do(REBUILD, dry_run=True)
    assert east.unit("6 Pz XX")["facts"]["step"] == "cadre"
    done = east.do(REBUILD, seen=1)
    assert (done.accepted, done.entry) == (True, 2)
    assert done.words
    assert east.unit("6 Pz XX")["facts"]["step"] == "full"
    assert east.undo(seen=2).accepted
    assert east.unit("6 Pz XX")["facts"]["step"] == "cadre"
    assert east.redo()
    assert [each["entry"] for each in east.log(limit=2)["entries"]] == [4, 3]


def test_a_refusal_is_a_value_with_every_reason(east: Client) -> None:
    refused = east.do(REBUILD | {"unit": "78 Inf XX"})
    assert not refused
    assert (refused.kind, refused.entry) == ("refused", None)
    assert "52.A.9.d/3" in refused.clauses
    assert all(each["sentence"] for each in refused.reasons)
    assert east.do(REBUILD | {"unit": "78 Inf XX"}, override="agreed")


def test_what_changed_meanwhile_is_told(east: Client) -> None:
    assert east.do(REBUILD)
    stale = east.do({"command": "rebuild-remnant", "unit": "161 Inf XX", "pay_from": "front/centre"}, seen=1)
    assert stale.kind == "stale"


def test_losses_are_answered_line_by_line(east: Client) -> None:
    lines = east.losses("252 Inf XX -> cadre\nnobody at all")["lines"]
    assert [line["accepted"] for line in lines] == [True, False]


def test_what_is_not_there_is_raised_in_a_sentence(east: Client) -> None:
    with pytest.raises(ApiError, match="there is no unit '999 Pz XX'") as raised:
        east.unit("999 Pz XX")
    assert raised.value.status == 404
    with pytest.raises(ApiError, match="fly"):
        east.do({"command": "fly"})
    with pytest.raises(ApiError, match="no answer from"):
        Client("http://127.0.0.1:9", campaign="east").status()
    with pytest.raises(ApiError, match="begins with http"):
        Client("ftp://example.org")


def test_a_key_plays_from_its_seat(live: Start) -> None:
    server = live(public=True, seats=("Axis", "Soviet"))
    axis, soviet = with_key(server, "Axis"), with_key(server, "Soviet")
    assert axis.campaign == "east", "a key knows its campaign"
    assert soviet.do(REBUILD).kind == "forbidden"
    assert axis.do(REBUILD)
    asked = soviet.undo()
    assert asked.kind == "asked"
    assert axis.consent()
    with pytest.raises(ApiError, match="needs the key of a seat"):
        Client(server.url, "fp_wrong", campaign="east").status()
    with pytest.raises(ApiError, match="name the campaign"):
        Client(server.url, "fp_wrong").status()


def test_events_tell_every_entry_from_the_one_asked_for_on(east: Client) -> None:
    for number in range(3):
        assert east.do({"command": "note", "text": f"note {number}"})
    stream = east.events(after=2)
    assert [next(stream)["entry"] for _ in range(2)] == [3, 4]
    assert east.do({"command": "note", "text": "one more"})
    entry = next(stream)
    assert (entry["entry"], entry["hidden"]) == (5, False)
    assert "one more" in " ".join(entry["words"])


def test_the_other_side_hears_only_that_there_is_an_entry(live: Start) -> None:
    server = live(public=True, seats=("Axis", "Soviet"))
    axis, soviet = with_key(server, "Axis"), with_key(server, "Soviet")
    assert axis.do(REBUILD)
    entry = next(soviet.events(after=1))
    assert (entry["entry"], entry["hidden"], entry["words"], entry["command"]) == (2, True, [], "")


class Breaking(http.server.BaseHTTPRequestHandler):
    """A server that ends the stream after each entry, and notes from where it was taken up again."""

    asked: list[str]

    def do_GET(self) -> None:
        last = self.headers.get("last-event-id", "")
        self.asked.append(last)
        self.send_response(200)
        self.end_headers()
        number = int(last or 0) + 1
        self.wfile.write(b"retry: 0\n\n: still here\n\n")
        self.wfile.write(b'id: %d\nevent: entry\ndata: {"entry": %d}\n\n' % (number, number))

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def breaking() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Handler", (Breaking,), {"asked": asked})
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    server.server_close()


def test_a_stream_that_breaks_is_taken_up_where_it_broke(breaking: tuple[str, list[str]]) -> None:
    url, asked = breaking
    stream = Client(url, campaign="east").events()
    assert [next(stream)["entry"] for _ in range(3)] == [1, 2, 3]
    assert asked == ["", "1", "2"]


def test_a_key_does_not_travel_to_wherever_an_answer_points(breaking: tuple[str, list[str]]) -> None:
    class Pointing(Breaking):
        def do_GET(self) -> None:
            self.send_response(302)
            self.send_header("location", f"{breaking[0]}/api/campaigns")
            self.end_headers()

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Pointing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with pytest.raises(ApiError) as raised:
        Client(f"http://127.0.0.1:{server.server_port}", "fp_secret", campaign="east").status()
    server.shutdown()
    server.server_close()
    assert raised.value.status == 302
    assert breaking[1] == []
