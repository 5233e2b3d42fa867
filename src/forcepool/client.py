"""A client for the API of a forcepool server, with nothing but the standard library.

    east = Client("http://127.0.0.1:8041", campaign="east")
    for item in east.todo()["items"]:
        print(item["text"])
    done = east.do({"command": "rebuild-cadre", "unit": "6 Pz XX", "pay_from": "front/centre"})
    if not done.accepted:
        print(done.says, *(each["sentence"] for each in done.reasons), sep="\\n")

A refusal is a value, as everywhere in forcepool; only what cannot be answered at all is raised, as `ApiError`.
"""

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import IO, Any, cast
from urllib.parse import quote, urlencode, urlsplit

Data = dict[str, Any]
PATIENCE = 30.0
"""Seconds to wait for an answer."""
SILENCE = 60.0
"""Seconds without a sign of life after which an event stream is opened anew; the server gives one every fifteen."""


class ApiError(Exception):
    """The server did not answer, or not to this seat; the message says why."""

    def __init__(self, status: int, says: str) -> None:
        super().__init__(says)
        self.status = status
        """The HTTP status; 0 where there was no answer."""


@dataclass(frozen=True)
class Outcome:
    """What came of an act: done with its entry, or not done and why."""

    accepted: bool
    says: str
    seq: int = 0
    """The last entry of the journal."""
    kind: str = ""
    """Why not: refused, wrong, forbidden, stale, die or asked."""
    entry: int | None = None
    words: tuple[str, ...] = ()
    """What it did, or would do, a sentence each."""
    reasons: tuple[Data, ...] = ()
    """Every reason of a refusal, with its clause."""
    clauses: tuple[str, ...] = ()
    data: Mapping[str, Any] | None = None
    """All that the server said."""

    def __bool__(self) -> bool:
        return self.accepted


class Client:
    """A campaign on a server, seen from the seat of a key; without one, from the machine the server runs on."""

    def __init__(self, url: str, key: str = "", *, campaign: str = "", timeout: float = PATIENCE) -> None:
        """`url` is the server's address; `campaign` may be left out where there is only one."""
        if urlsplit(url).scheme not in ("http", "https"):
            raise ApiError(0, f"'{url}' is no address of a server; it begins with http:// or https://")
        self.url, self.timeout = url.rstrip("/"), timeout
        self._key, self._campaign = key, campaign
        # A key must not travel to wherever an answer points.
        self._opener = urllib.request.build_opener(_NoWayOn)

    # ------------------------------------------------------------------------------------------- looking

    def campaigns(self, newest: int = 0) -> list[Data]:
        """The campaigns one has a seat at, or only so many, those that were played last."""
        query = f"?newest={newest}" if newest else ""
        return cast(list[Data], self._ask("GET", f"/api/campaigns{query}"))

    def status(self) -> Data:
        """Where the campaign stands."""
        return self._get("")

    def todo(self) -> Data:
        """The checklist, with ready orders."""
        return self._get("/todo")

    def units(self, **filters: str | int) -> Data:
        """Units the seat sees, by nation, front, type, box, step or words; start and limit for the next page."""
        return self._get("/units", filters)

    def unit(self, name: str) -> Data:
        """A unit and all that happened to it."""
        return self._get(f"/units/{quote(name)}")

    def options(self, unit: str) -> Data:
        """What can be done with a unit, and why the rest cannot."""
        return self._get(f"/options/{quote(unit)}")

    def ledger(self, *, pool: str = "", nation: str = "") -> Data:
        """The balances the seat sees, exact: '7/2'."""
        return self._get("/ledger", {"pool": pool, "nation": nation})

    def why(self, pool: str, nation: str, kind: str) -> Data:
        """The statement behind a balance."""
        return self._get("/why", {"pool": pool, "nation": nation, "kind": kind})

    def log(self, **filters: str | int) -> Data:
        """The journal, newest first, by unit, pool, clause, turn, seat or words; before and limit for the next page."""
        return self._get("/log", filters)

    def messages(self, **filters: int) -> Data:
        """What the seats have written, as far as this one may read it; before and limit for the next page."""
        return self._get("/messages", filters)

    def commands(self) -> Data:
        """Every command with its fields and JSON Schema."""
        return self._get("/commands")

    def rules(self, words: str = "", *, limit: int = 100) -> Data:
        """Clauses of the rulebook that hold some words."""
        return self._get("/rules", {"q": words, "limit": limit})

    def clause(self, clause: str) -> Data:
        """A clause of the rulebook."""
        return self._get(f"/rules/{quote(clause)}")

    def house_rules(self) -> Data:
        """Every ruling with its options and the one in force."""
        return self._get("/house-rules")

    # --------------------------------------------------------------------------------------------- doing

    def do(
        self,
        order: Mapping[str, Any],
        *,
        seen: int = 0,
        override: str = "",
        dice: Sequence[int] = (),
        dry_run: bool = False,
    ) -> Outcome:
        """Give an order, or try it; `seen` is the last entry one knew of, so that nothing is overridden unseen."""
        wish = {"order": dict(order), "seen": seen, "override": override, "dice": list(dice), "dry_run": dry_run}
        return self._act("/do", wish)

    def losses(self, text: str, *, dry_run: bool = False) -> Data:
        """Take down losses, one a line; each line is answered for itself."""
        return cast(Data, self._ask("POST", self._at("/losses"), {"text": text, "dry_run": dry_run}))

    def undo(self, *, to: int | None = None, seen: int = 0) -> Outcome:
        """Undo the last command, or everything from an entry on; others are asked where it is theirs."""
        return self._act("/undo", {"to": to, "seen": seen})

    def redo(self, *, seen: int = 0) -> Outcome:
        """Bring back what was undone last."""
        return self._act("/redo", {"seen": seen})

    def say(self, text: str, *, to: str = "") -> int:
        """Write to a side, to 'referee' or to all; the entry it is."""
        return int(self._ask("POST", self._at("/messages"), {"text": text, "to": to})["entry"])

    def consent(self) -> Outcome:
        """Agree to the undo another seat asked for."""
        return self._act("/consent", {})

    # --------------------------------------------------------------------------------------------- being told

    def hooks(self) -> list[Data]:
        """The addresses told when it is the seat's turn."""
        return cast(list[Data], self._get("/hooks")["hooks"])

    def add_hook(self, url: str) -> Data:
        """Have an address told; the answer has the secret that its messages are signed with."""
        return cast(Data, self._ask("POST", self._at("/hooks"), {"url": url}))

    def drop_hook(self, number: int) -> None:
        """Tell an address no longer."""
        self._ask("DELETE", self._at(f"/hooks/{number}"))

    def events(self, *, after: int | None = None) -> Iterator[Data]:
        """Every new entry as it is written, from the one after `after` on; a stream that breaks is taken up again."""
        seen, wait = after, 2.0
        while True:
            try:
                with self._open_stream(seen) as stream:
                    for name, value in _events_in(stream):
                        if name == "retry":
                            wait = int(value) / 1000
                        else:
                            entry = cast(Data, json.loads(value))
                            seen = int(entry["entry"])
                            yield entry
            except ApiError as error:
                if error.status:
                    raise
            except (OSError, HTTPException):
                pass
            time.sleep(wait)

    # ---------------------------------------------------------------------------------------------- the wire

    @property
    def campaign(self) -> str:
        """The campaign's name on the server."""
        if not self._campaign:
            names = [str(each["name"]) for each in self.campaigns()]
            if len(names) != 1:
                raise ApiError(0, f"name the campaign: {', '.join(names) or 'this server shows you none'}")
            self._campaign = names[0]
        return self._campaign

    def _at(self, path: str) -> str:
        return f"/api/campaigns/{quote(self.campaign, safe='')}{path}"

    def _get(self, path: str, query: Mapping[str, str | int] | None = None) -> Data:
        asked = urlencode({name: value for name, value in (query or {}).items() if value != ""})
        return cast(Data, self._ask("GET", f"{self._at(path)}?{asked}" if asked else self._at(path)))

    def _act(self, path: str, wish: Data) -> Outcome:
        data = self._ask("POST", self._at(path), wish, outcome=True)
        found: Data = {name: data[name] for name in ("accepted", "says", "seq", "kind", "entry") if name in data}
        found |= {name: tuple(data.get(name, ())) for name in ("words", "reasons", "clauses")}
        return Outcome(**found, data=data)

    def _ask(self, method: str, path: str, body: Data | None = None, *, outcome: bool = False) -> Any:
        """The answer as data; with `outcome`, an act that was not done is an answer too."""
        sent = None if method == "GET" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.url + path, sent, self._headers(), method=method)
        try:
            with self._opener.open(request, timeout=self.timeout) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            with error:
                data = _data_in(error.read())
            if outcome and "accepted" in data:
                return data
            raise ApiError(error.code, _says(data, error.code)) from None
        except (OSError, HTTPException, ValueError) as error:
            raise ApiError(0, f"no answer from {self.url}: {getattr(error, 'reason', error)}") from None

    def _headers(self) -> dict[str, str]:
        headers = {"accept": "application/json", "content-type": "application/json"}
        return headers | {"authorization": f"Bearer {self._key}"} if self._key else headers

    def _open_stream(self, seen: int | None) -> IO[bytes]:
        headers = self._headers() | {"accept": "text/event-stream"}
        if seen is not None:
            headers["last-event-id"] = str(seen)
        request = urllib.request.Request(self.url + self._at("/events"), None, headers)
        try:
            return cast(IO[bytes], self._opener.open(request, timeout=SILENCE))
        except urllib.error.HTTPError as error:
            with error:
                raise ApiError(error.code, _says(_data_in(error.read()), error.code)) from None


class _NoWayOn(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _events_in(stream: IO[bytes]) -> Iterator[tuple[str, str]]:
    """The events of a stream with their data, and how long the server would have one wait before coming back."""
    name, data = "", ""
    for line in stream:
        field, _, value = line.decode().rstrip("\n").partition(": ")
        if field == "retry" and value.isdecimal():
            yield "retry", value
        elif field == "event":
            name = value
        elif field == "data":
            data = value
        elif not field and name:
            yield name, data
            name, data = "", ""


def _data_in(body: bytes) -> Data:
    try:
        found = json.loads(body)
    except ValueError:
        return {"error": body.decode(errors="replace").strip()[:300]}
    return found if isinstance(found, dict) else {}


def _says(data: Data, status: int) -> str:
    return str(data.get("error") or data.get("says") or f"the server answered {status}")
