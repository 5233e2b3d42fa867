"""Webhooks: an address hears when it is its seat's turn or its consent is wanted; signed, and nobody else's."""

import hmac
import json
import queue
import threading
from collections.abc import Callable, Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from forcepool.client import ApiError, Client
from forcepool.web.api import hooks
from forcepool.web.chair import FRONT, HOST, OBSERVER, SIDE, Seat
from forcepool.web.registry import Registry
from forcepool.web.registry_file import RegistryBusy
from tests.web.conftest import Live, Serve, Start

PATIENCE = 20
REBUILD = {"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"}


class Receiver:
    """A machine that is rung up: each ring with its path, its body and its signature."""

    def __init__(self) -> None:
        self.rings: queue.Queue[tuple[str, bytes, str]] = queue.Queue()
        self.answers: dict[str, tuple[int, str]] = {}
        """The status and the address one is sent on to, by path; else all is well."""
        rings, answers = self.rings, self.answers

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                rings.put((self.path, body, self.headers["x-forcepool-signature"]))
                status, where = answers.get(self.path, (204, ""))
                self.send_response(status)
                if where:
                    self.send_header("location", where)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._server.server_port}{path}"

    def next(self) -> tuple[str, dict[str, Any]]:
        path, body, _ = self.rings.get(timeout=PATIENCE)
        return path, json.loads(body)

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture
def server(live: Start, monkeypatch: pytest.MonkeyPatch) -> Live:
    """A public server that takes the receiver on this machine for one far away."""
    monkeypatch.setattr(hooks, "_is_outside", lambda host: True)
    return live(public=True, seats=("Axis", "Soviet"))


def program(server: Live, seat: Seat) -> Client:
    """A program with the key of a seat."""
    registry = server.app.state.registry
    invitation, _ = registry.invite("" if seat.role == HOST else "east", seat)
    return Client(server.url, registry.new_key(invitation.id), campaign="east")


def end_the_turn(player: Client) -> None:
    """Go on until it is another side's player-turn."""
    side = player.status()["player"]
    while player.status()["player"] == side:
        assert player.do({"command": "advance"}, override="to go on")


def test_each_side_is_rung_when_its_turn_comes_and_not_for_the_others(server: Live, receiver: Receiver) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    axis.add_hook(receiver.url("/axis"))
    soviet.add_hook(receiver.url("/soviet"))
    end_the_turn(axis)
    path, ring = receiver.next()
    assert (path, ring["event"], ring["side"]) == ("/soviet", "your-turn", "Soviet")
    assert ring["campaign"] == "east"
    end_the_turn(soviet)
    path, ring = receiver.next()
    assert (path, ring["event"], ring["side"]) == ("/axis", "your-turn", "Axis")
    assert receiver.rings.empty()


def test_a_register_that_cannot_be_read_for_a_moment_loses_no_ring(
    server: Live, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    soviet.add_hook(receiver.url("/soviet"))
    failed: list[str] = []

    def failing_once(name: str) -> Callable[..., Any]:
        read = getattr(Registry, name)

        def once(self: Registry, *given: str) -> Any:
            if name not in failed and self is server.app.state.registry:
                failed.append(name)
                raise RegistryBusy("the disk did not give it")
            return read(self, *given)

        return once

    for name in ("hooked", "hooks"):
        monkeypatch.setattr(Registry, name, failing_once(name))
    end_the_turn(axis)
    assert receiver.next()[0] == "/soviet"
    assert failed == ["hooked", "hooks"]


def test_a_ring_tells_no_more_than_whose_turn_it_is(server: Live, receiver: Receiver) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    soviet.add_hook(receiver.url("/soviet"))
    assert axis.do(REBUILD)
    end_the_turn(axis)
    _, ring = receiver.next()
    assert set(ring) == {"event", "campaign", "title", "when", "side", "entry"}
    assert "6 Pz" not in json.dumps(ring)


def test_a_ring_is_signed_with_the_secret_of_its_address(server: Live, receiver: Receiver) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    secret = soviet.add_hook(receiver.url("/soviet"))["secret"]
    other = soviet.add_hook(receiver.url("/other"))["secret"]
    assert secret != other
    end_the_turn(axis)
    for path, body, signature in (receiver.rings.get(timeout=PATIENCE) for _ in range(2)):
        key = secret if path == "/soviet" else other
        assert signature == f"sha256={hmac.new(key.encode(), body, sha256).hexdigest()}"


def test_the_host_and_an_observer_hear_of_every_turn(server: Live, receiver: Receiver) -> None:
    axis = program(server, Seat(SIDE, "Axis"))
    program(server, Seat(HOST)).add_hook(receiver.url("/host"))
    program(server, Seat(OBSERVER)).add_hook(receiver.url("/observer"))
    end_the_turn(axis)
    assert {receiver.next()[0] for _ in range(2)} == {"/host", "/observer"}


def test_consent_is_asked_of_the_other_sides_player_alone(server: Live, receiver: Receiver) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    for seat in (Seat(FRONT, "Soviet", "front/centre"), Seat(OBSERVER, "Soviet")):
        program(server, seat).add_hook(receiver.url("/cannot-agree"))
    axis.add_hook(receiver.url("/axis"))
    soviet.add_hook(receiver.url("/soviet"))
    assert axis.do(REBUILD)
    asked = soviet.undo()
    assert (asked.kind, asked.accepted) == ("asked", False)
    path, ring = receiver.next()
    assert (path, ring["event"]) == ("/axis", "consent")
    assert axis.consent()
    assert receiver.rings.empty()


def test_a_dead_address_hurts_nobody(server: Live, receiver: Receiver) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    soviet.add_hook("http://127.0.0.1:9/nobody-is-here")
    soviet.add_hook(receiver.url("/soviet"))
    end_the_turn(axis)
    assert receiver.next()[0] == "/soviet"
    assert soviet.status()["player"] == "Soviet"


def test_an_address_that_sends_us_elsewhere_is_not_followed(server: Live, receiver: Receiver) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    receiver.answers["/soviet"] = (307, receiver.url("/elsewhere"))
    soviet.add_hook(receiver.url("/soviet"))
    end_the_turn(axis)
    paths = {receiver.next()[0] for _ in range(hooks.TRIES)}
    assert paths == {"/soviet"}


def test_a_seat_that_was_taken_away_is_not_rung(server: Live, receiver: Receiver) -> None:
    axis, soviet = program(server, Seat(SIDE, "Axis")), program(server, Seat(SIDE, "Soviet"))
    soviet.add_hook(receiver.url("/soviet"))
    ended = max(each.id for each in server.app.state.registry.invitations("east"))
    server.app.state.registry.end(ended, "east")
    program(server, Seat(OBSERVER)).add_hook(receiver.url("/observer"))
    end_the_turn(axis)
    assert receiver.next()[0] == "/observer"
    assert receiver.rings.empty()


def test_a_name_that_comes_to_mean_our_own_network_is_not_rung(
    server: Live, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = program(server, Seat(SIDE, "Soviet")).add_hook(receiver.url("/soviet"))
    stored = server.app.state.registry.hooks("east")[0]
    assert stored.id == hook["id"]
    ring = hooks.Ring("your-turn", "east", "East", "now", "Soviet", 1)
    # The name passes when it is looked up, and leads to this machine when it is called.
    monkeypatch.setattr(hooks, "_is_outside", lambda host: False)
    monkeypatch.setattr(hooks, "problem_with", lambda url, public: "")
    hooks.deliver(stored, ring, public=True)
    assert receiver.rings.empty()
    hooks.deliver(stored, ring, public=False)
    assert receiver.next()[0] == "/soviet"


def test_only_addresses_that_may_be_rung_are_taken(live: Start) -> None:
    soviet = program(live(public=True, seats=("Axis", "Soviet")), Seat(SIDE, "Soviet"))
    for url in ("http://127.0.0.1/", "ftp://example.org/", "nothing"):
        with pytest.raises(ApiError, match=r"own network|begins with"):
            soviet.add_hook(url)
    assert soviet.hooks() == []


def test_the_seats_page_is_as_strict_and_a_seat_has_few_addresses(serve: Serve) -> None:
    soviet = serve(public=True, seats=("Axis", "Soviet")).seated(Seat(SIDE, "Soviet"))
    assert soviet.post("/c/east/seats/hook", {"url": "http://127.0.0.1/"}).status_code == 400
    home = serve().visitor()
    home.get("/c/east/seats")
    statuses = [home.post("/c/east/seats/hook", {"url": f"http://127.0.0.1:9/{n}"}).status_code for n in range(6)]
    assert statuses == [200] * hooks.MOST_HOOKS + [400]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "fe80::1",
        "fec0::1",
        "ff02::1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "2002:c0a8:1::1",
    ],
)
def test_no_spelling_of_our_own_network_is_far_away(host: str) -> None:
    assert not hooks._is_outside(host)


@pytest.mark.parametrize("host", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822"])
def test_a_machine_out_on_the_net_is_far_away(host: str) -> None:
    assert hooks._is_outside(host)
