"""What goes on while a seat is taken away or a name is looked up: open streams end, and nobody else waits."""

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from importlib import import_module
from urllib.parse import urlencode, urlsplit

import pytest

from forcepool.client import ApiError, Client
from forcepool.web.api import hooks
from forcepool.web.chair import REFEREE, SIDE, Seat
from forcepool.web.security import COOKIE, new_session
from tests.web.conftest import Live, Start

SOVIET = Seat(SIDE, "Soviet")
AN_HOUR, AN_INSTANT, PATIENCE = 3600.0, 0.05, 20


class Sitting:
    """Someone who sits at a running server, with cookie and key."""

    def __init__(self, server: Live, seat: Seat) -> None:
        registry, signer, session = server.app.state.registry, server.app.state.signer, new_session()
        self.invitation, word = registry.invite("east", seat)
        registry.accept(word, session)
        self.host, self.lines = urlsplit(server.url).netloc, ExitStack()
        self.cookie, self.token = f"{COOKIE}={signer.cookie(session)}", signer.token(session)
        self.program = Client(server.url, registry.new_key(self.invitation.id), campaign="east")
        self.key = f"Bearer {registry.new_key(self.invitation.id)}"

    def open(self, path: str, **headers: str) -> http.client.HTTPResponse:
        """A stream, once its first line is there."""
        stream = self._asked("GET", path, None, headers)
        assert stream.status == 200
        assert stream.readline() == b"retry: 2000\n"
        return stream

    def takes_away(self, other: "Sitting") -> None:
        form = urlencode({"token": self.token, "invitation": other.invitation.id})
        headers = {"cookie": self.cookie, "content-type": "application/x-www-form-urlencoded"}
        assert self._asked("POST", "/c/east/seats/end", form, headers).status == 200

    def _asked(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> http.client.HTTPResponse:
        line = self.lines.enter_context(closing(http.client.HTTPConnection(self.host, timeout=PATIENCE)))
        line.request(method, path, body, headers)
        return self.lines.enter_context(closing(line.getresponse()))


Sits = Callable[[Live, Seat], Sitting]


@pytest.fixture
def sits() -> Iterator[Sits]:
    """Someone sits down; their lines are closed when the test is over."""
    with ExitStack() as lines:

        def sit(server: Live, seat: Seat) -> Sitting:
            found = Sitting(server, seat)
            lines.enter_context(found.lines)
            return found

        yield sit


Opened = Callable[[Sitting], http.client.HTTPResponse]
STREAMS: list[Opened] = [
    lambda seat: seat.open("/c/east/changes", cookie=seat.cookie),
    lambda seat: seat.open("/api/campaigns/east/events", authorization=seat.key),
]
each_stream = pytest.mark.parametrize("opened", STREAMS, ids=["page", "program"])


def silent_for(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """How long a quiet stream gives no sign of life."""
    for module in ("forcepool.web.actions", "forcepool.web.api.events"):
        monkeypatch.setattr(import_module(module), "HEARTBEAT", seconds)


@each_stream
def test_a_stream_ends_as_soon_as_its_seat_is_taken_away(
    live: Start, sits: Sits, monkeypatch: pytest.MonkeyPatch, opened: Opened
) -> None:
    silent_for(AN_HOUR, monkeypatch)
    server = live(public=True)
    soviet, referee = sits(server, SOVIET), sits(server, Seat(REFEREE))
    stream, other = opened(soviet), opened(referee)
    referee.takes_away(soviet)
    assert b"event" not in stream.read(), "it ends, and tells nothing more"
    assert referee.program.do({"command": "note", "text": "still here"})
    while b"event: entry" not in other.readline():
        continue


@each_stream
def test_a_seat_that_was_ended_elsewhere_is_noticed_at_the_next_sign_of_life(
    live: Start, sits: Sits, monkeypatch: pytest.MonkeyPatch, opened: Opened
) -> None:
    silent_for(AN_INSTANT, monkeypatch)
    server = live(public=True)
    soviet = sits(server, SOVIET)
    stream = opened(soviet)
    server.app.state.registry.end(soviet.invitation.id, "east")
    assert b"event" not in stream.read()


# ----------------------------------------------------------------------------------- looking up an address


def test_while_a_name_is_looked_up_the_others_play_on(live: Start, sits: Sits, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(hooks, "_is_outside", lambda host: answered.wait(PATIENCE))
    monkeypatch.setattr(hooks, "PATIENCE", AN_HOUR)
    soviet = sits(live(public=True), SOVIET)
    adding = threading.Thread(target=soviet.program.add_hook, args=("http://slow.example/",))
    adding.start()
    assert soviet.program.status()["player"] == "Axis"
    assert soviet.program.hooks() == []
    answered.set()
    adding.join(PATIENCE)
    assert [each["url"] for each in soviet.program.hooks()] == ["http://slow.example/"]


def test_a_name_that_nobody_answers_for_is_given_up(live: Start, sits: Sits, monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(hooks, "_is_outside", lambda host: answered.wait(PATIENCE))
    monkeypatch.setattr(hooks, "PATIENCE", AN_INSTANT)
    soviet = sits(live(public=True), SOVIET)
    with pytest.raises(ApiError, match="not found in time"):
        soviet.program.add_hook("http://slow.example/")
    answered.set()
    assert soviet.program.hooks() == []
