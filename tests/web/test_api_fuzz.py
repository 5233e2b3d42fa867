"""The API asked at random by every kind of seat: whatever is sent, nothing breaks, nothing of others' is told or done.

Requests are made from the OpenAPI document: well formed, nearly so, and not at all. FORCEPOOL_API_FUZZ says how many
each seat sends; the ordinary run sends a few.
"""

import json
import os
import shutil
import socket
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from msgspec import Struct
from starlette.testclient import TestClient

from forcepool import games
from forcepool.engine import codec
from forcepool.engine.campaign import Campaign
from forcepool.engine.desk import Note
from forcepool.store.open import campaign_file
from forcepool.web.api import whole_document
from forcepool.web.app import make_app
from forcepool.web.chair import FRONT, HOST, OBSERVER, REFEREE, SIDE, Seat
from forcepool.web.security import Pace
from tests.web.conftest import Server
from tests.web.test_seats_attack import SECRET, Attack, declared, made_up, mixed, ready

REQUESTS = int(os.environ.get("FORCEPOOL_API_FUZZ", "250"))
SIDES = ("Axis", "Soviet")
SEATS: dict[str, Seat | None] = {
    "anonymous": None,
    "observer": Seat(OBSERVER),
    "observer of Axis": Seat(OBSERVER, "Axis"),
    "front": Seat(FRONT, "Axis", "front/centre", "Klaus"),
    "Axis": Seat(SIDE, "Axis"),
    "Soviet": Seat(SIDE, "Soviet"),
    "referee": Seat(REFEREE),
    "host": Seat(HOST),
    "home": None,
}
OPERATIONS = [
    (path, method, operation)
    for path, methods in sorted(whole_document()["paths"].items())
    for method, operation in sorted(methods.items())
]
JUNK = [
    "",
    " ",
    "0",
    "-1",
    "1e9",
    "999999999999999999999",
    "½",
    "../../etc/passwd",
    "%00",
    "' or 1=1 --",
    "<script>",
    "\u202e\ufeff",
    "x" * 3000,
    "a " * 900,
    "Ⅻ",
    "٣",
    "null",
    "[]",
]
BODIES = [
    b"",
    b"null",
    b"[]",
    b'"',
    b"{",
    b"\xff\xfe",
    b'{"order": NaN}',
    b"[" * 50_000,
    b'{"a":' * 20_000,
    b'{"order": {"command": 7}}',
    b'{"order": {"command": "note", "text": 1}, "order": []}',
    b'{"to": -1}',
    b'{"to": 1e400}',
    b'{"entry": 99999999999999999999}',
]
HEADERS: list[dict[str, str]] = [
    {},
    {},
    {},
    {"content-type": "text/plain"},
    {"content-type": "application/json; charset=utf-16"},
    {"content-type": ""},
    {"accept": "text/html"},
    {"accept": "application/json"},
    {"authorization": ""},
    {"authorization": "Bearer"},
    {"authorization": "Bearer fp_nobodys"},
    {"authorization": "Basic eDp5"},
    {"origin": "https://elsewhere.example"},
    {"sec-fetch-site": "cross-site"},
    {"x-token": "0" * 64},
    {"cookie": "forcepool=forged.value; look=type=huge&paper"},
    {"cookie": "=;;=; forcepool="},
    {"content-length": "many"},
    {"last-event-id": "x"},
    {"if-none-match": "*"},
    {"range": "bytes=0-5,7-"},
]
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")


class Sent(Struct, frozen=True):
    """One request."""

    method: str
    path: str
    params: tuple[tuple[str, str], ...]
    headers: dict[str, str]
    body: bytes


class Maker:
    """Makes up requests, from the document and from the names there are."""

    def __init__(self, dice: Random, campaign: Campaign, orders: list[Any]) -> None:
        self.dice, self.orders = dice, orders
        state = campaign.state
        self.names = [
            *sorted(state.units),
            *sorted({each.pool for each in state.balances}),
            *sorted({each.nation for each in state.balances}),
            "inf",
            "52.A.9.d/3",
            "52.A",
            SECRET,
            "Oct 3 41",
        ]
        self.seq = campaign.seq

    def request(self) -> Sent:
        path, method, operation = self.dice.choice(OPERATIONS)
        sent = method.upper() if self.dice.random() < 0.95 else self.dice.choice(METHODS)
        params = [
            (each["name"], self._value(each))
            for each in operation.get("parameters", [])
            if each["in"] == "query" and self.dice.random() < 0.6
        ]
        if self.dice.random() < 0.05:
            params.append((self.dice.choice(["limit", "x", "unit"]), self.dice.choice(JUNK)))
        for each in operation.get("parameters", []):
            if each["in"] == "path":
                path = path.replace(f"{{{each['name']}}}", self._in_path(each["name"]))
        headers = {"content-type": "application/json"} | self.dice.choice(HEADERS)
        return Sent(sent, path, tuple(params), headers, self._body(operation) if sent != "GET" else b"")

    def _in_path(self, name: str) -> str:
        if name == "campaign":
            return "east" if self.dice.random() < 0.95 else quote(self.dice.choice(JUNK) or "x", safe="")
        return quote(self._word(), safe="/") or "x"

    def _value(self, parameter: dict[str, Any]) -> str:
        if parameter["schema"].get("type") == "integer" and self.dice.random() < 0.7:
            # Nobody waits long here: what a task comes to is tried elsewhere.
            return "0" if parameter["name"] == "wait" else str(self.dice.choice([0, 1, 2, self.seq, 999_999_999]))
        return self._word()

    def _word(self) -> str:
        return self.dice.choice(JUNK if self.dice.random() < 0.3 else self.names)

    def _body(self, operation: dict[str, Any]) -> bytes:
        if self.dice.random() < 0.15:
            return self.dice.choice(BODIES)
        shape = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        data = self._shaped(shape.get("$ref", "").rpartition("/")[2])
        if data and self.dice.random() < 0.2:
            spoilt = self.dice.choice(sorted(data))
            data[spoilt] = self.dice.choice([None, [], {}, -1, 1.5, "x", True, "y" * 30_000, [[]], {"command": None}])
        return json.dumps(data).encode()

    def _shaped(self, name: str) -> dict[str, Any]:
        dice = self.dice
        entry = dice.choice([0, 1, 2, 3, self.seq, self.seq + 1, 999_999_999])
        seen = {"seen": entry} if dice.random() < 0.3 else {}
        match name:
            case "DoRequest":
                extra: dict[str, Any] = {"dry_run": True} if dice.random() < 0.4 else {}
                extra |= {"override": dice.choice(["because", "x" * 5000, ""])} if dice.random() < 0.4 else {}
                extra |= {"dice": dice.choice([[6], [1, 2, 3], [7], [0], [6] * 500])} if dice.random() < 0.2 else {}
                return {"order": self._order(), **seen, **extra}
            case "LossesRequest":
                lines = "\n".join(self._word()[:60] for _ in range(dice.randrange(4)))
                return {"text": lines, "dry_run": dice.random() < 0.7}
            case "UndoRequest":
                return {"to": dice.choice([None, entry]), **seen}
            case "AgreeRequest":
                return {"entry": entry, "yes": dice.random() < 0.5}
            case "HookRequest":
                return {
                    "url": dice.choice(["http://[::1", "https://example.org/x", "ftp://x", "http://127.0.0.1/", ""])
                }
            case "JobRequest":
                return {
                    "kind": dice.choice(
                        [
                            "verify",
                            "rules",
                            "report",
                            "forecast",
                            "plan",
                            "export",
                            "table",
                            "backup",
                            "begin",
                            "bring",
                            "x",
                        ]
                    )
                }
        return dict(seen)

    def _order(self) -> Any:
        order = json.loads(codec.encode(self.dice.choice(self.orders)))
        if self.dice.random() < 0.3:
            field = self.dice.choice(sorted(order))
            order[field] = self.dice.choice(
                [self._word(), None, 0, [], {}, self.dice.choice(JUNK), [self._word()] * 20]
            )
        return order


# --------------------------------------------------------------------------------------------------- the asked


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign in which each side has written down a secret."""
    from forcepool.cli.files import begin_campaign

    path = tmp_path_factory.mktemp("planted") / "east.fp"
    begin_campaign(str(path), "smolensk", seats=SIDES)
    with campaign_file(path, games.build_world) as campaign:
        for side in SIDES:
            campaign.do(Note(text=f"{SECRET} of {side}"), seat=side)
            campaign.do(Note(text=f"★ {SECRET} of {side}, marked"), seat=side)
    return path


class Asked:
    """A server, one who asks it, and what must not be told or done."""

    def __init__(self, server: Server, name: str) -> None:
        self.server, self.name, self.seat = server, name, SEATS[name]
        # Whoever has no seat must learn as little as the lowest, and less.
        self.attack = Attack(server, self.seat or Seat(OBSERVER, "Axis"))
        self.campaign = self.attack.campaign
        self.key: dict[str, str] = {}
        if self.seat is not None:
            at = "" if self.seat.role == HOST else "east"
            invitation, _ = server.app.state.registry.invite(at, self.seat)
            self.key = {"authorization": f"Bearer {server.app.state.registry.new_key(invitation.id)}"}

    @property
    def side(self) -> str:
        return self.seat.side if self.seat else ""

    @property
    def sees_all(self) -> bool:
        return self.name in ("observer", "referee", "host", "home")

    @property
    def rules(self) -> bool:
        return self.name in ("referee", "host", "home")

    def orders(self) -> list[Any]:
        """Orders of all sorts; for one from whom nothing is hidden those of a side."""
        attack = self.attack if self.attack.hidden else Attack(self.server, Seat(SIDE, "Axis"))
        parts = ((mixed, 150), (ready, 60), (made_up, 200), (declared, 60))
        return [Note(text="hello"), *(order for make, most in parts for order in islice(make(attack), most))]

    def ask(self, sent: Sent) -> None:
        told = f"{self.name}: {sent}"[:1500]
        before, undone, seq = self.attack.theirs(self.campaign.state), set(self.campaign.history.undone), self._seq()
        headers = [(key.encode(), value.encode("latin-1")) for key, value in (self.key | sent.headers).items()]
        answer = self.server.client.request(
            sent.method, sent.path, params=sent.params, headers=headers, content=sent.body, follow_redirects=False
        )
        text = answer.text if sent.method != "HEAD" else ""
        assert answer.status_code < 500, f"{told}\n{answer.status_code} {text[:300]}"
        assert "Traceback" not in text, told
        if "/commands" not in sent.path and "/house-rules" not in sent.path and "/rules" not in sent.path:
            body = sent.body.decode(errors="replace").replace("\\n", " ")
            self._learns_nothing(told, text, f"{sent.path} {sent.params} {body}")
        if self._seq() != seq:
            self._did_nothing_of_others(told, sent, before, undone)

    def _seq(self) -> int:
        return self.campaign.seq

    def _learns_nothing(self, told: str, text: str, asked: str) -> None:
        if self.sees_all:
            return
        self.attack.learned.clear()
        if self.name == "anonymous":
            assert f"{SECRET} of" not in text, told
        self.attack.heard(told, text, json.dumps(asked) + asked.replace("%20", " ").replace("/", " "))
        assert not self.attack.learned, self.attack.learned[:3]

    def _did_nothing_of_others(self, told: str, sent: Sent, before: dict[str, Any], undone: set[int]) -> None:
        assert self.name not in ("anonymous", "observer", "observer of Axis"), f"it did something: {told}"
        campaign = self.campaign
        if self.rules or b'"advance"' in sent.body:
            # A new phase is everybody's.
            return
        for number in campaign.history.undone - undone:
            entry = next(campaign.entries(number, number + 1))
            assert entry.seat == self.side, f"it undid entry {number} of {entry.seat or 'the host'}: {told}"
        now = self.attack.theirs(campaign.state)
        if not campaign.history.undone - undone:
            changed = sorted(each for each in before.keys() | now.keys() if before.get(each) != now.get(each))
            assert not changed, f"it changed {changed[:4]}: {told}"


@pytest.fixture
def asked(planted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Asked]]:
    def nowhere(*_: Any, **__: Any) -> Any:
        raise socket.gaierror("no names are looked up in a test")

    monkeypatch.setattr(Pace, "allows", lambda *_: True)
    monkeypatch.setattr("forcepool.web.api.hooks.socket.getaddrinfo", nowhere)
    shutil.copy(planted, tmp_path / "east.fp")
    running: list[TestClient] = []

    def start(name: str) -> Asked:
        app = make_app(tmp_path, public=name != "home")
        # What a long task comes to is tried elsewhere; here it begins and ends.
        app.state.jobs.command, app.state.jobs.rests = [sys.executable, "-S", "-c", "pass"], False
        client = TestClient(app, base_url="http://localhost", raise_server_exceptions=False)
        running.append(client.__enter__())
        return Asked(Server(app, client), name)

    yield start
    for client in running:
        client.__exit__(None, None, None)


@pytest.mark.parametrize("name", SEATS)
def test_whatever_is_sent_nothing_breaks_and_nothing_of_others_is_told_or_done(
    asked: Callable[[str], Asked], name: str
) -> None:
    it = asked(name)
    maker = Maker(Random(f"{name} 41"), it.campaign, it.orders())
    for _ in range(REQUESTS):
        it.ask(maker.request())
