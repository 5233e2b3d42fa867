"""What each seat costs the server: the time its requests take, paid from a purse that fills again by and by.

The server does one thing at a time. So a seat's requests are served one after another, with everybody else's between
them, and a seat that keeps asking for what takes long is slowed, and then refused for a while. Nobody else is.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Generator
from math import ceil
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forcepool.web.registry import Registry
from forcepool.web.registry_file import RegistryBusy
from forcepool.web.security import COOKIE, HEALTH, Signer
from forcepool.web.settings import USUAL, Limits

AT_ONCE = 2.0
"""Seconds of the processor that a seat may use at once."""
SHARE = USUAL.seat_processor / 100
"""The part of a core that it may use after that: whoever plays as fast as they can needs half of it."""
NOTICED, DEAREST = 0.05, 4
"""Seconds in one piece that nobody notices: longer ones hold up everybody, and cost up to four times what they take."""
GIVES_WAY = 0.05
"""Seconds that each request of one who has used up half of it waits first: others come in between."""
LONGEST_DELAY = 5.0
"""Seconds that a request of one who has used up more is put off; beyond that it is refused."""
REMEMBERED = 10_000
BELIEVED = 30.0
"""Seconds for which it is believed whose seat a request comes from; only the purse hangs on it."""
PATIENT = ("/changes", "/events", "/job", "/job/file", "/export", "/backup", "/new", "/new/journal", "/hooks")
"""Addresses that wait for something and meanwhile take no time: others of the same seat go past them."""
WAKES, FOR_WAKING = "/undo", 0.1
"""What is asked of everybody makes all their pages be drawn anew: it costs so many seconds besides what it takes."""
ADDRESS = "address/"
BELOW = ("/c/", "/api/campaigns/")
TOO_MUCH = (
    "You have asked for a great deal in a short time. The server answers you again in {}; nobody else is held up.\n"
)


class Purse:
    """What one seat has left, and who of it stands in line."""

    def __init__(self, now: float, share: float = SHARE) -> None:
        self.left, self.since, self.share = AT_ONCE, now, share
        self.waiting = 0
        self.turn = asyncio.Lock()

    def pay(self, seconds: float) -> None:
        """Pay for one piece of work, during which nobody else had their turn."""
        self.left -= seconds * min(max(seconds / NOTICED, 1), DEAREST)

    def delay(self, now: float) -> float:
        """The seconds until what was used up too much is there again; a moment for those who have half of it left."""
        self.left = min(AT_ONCE, self.left + (now - self.since) * self.share)
        self.since = now
        return max(GIVES_WAY if self.left < AT_ONCE / 2 else 0.0, -self.left / self.share)


class Metered:
    """Awaits something and tells what each step took of the processor; what others do meanwhile does not count."""

    def __init__(
        self, awaited: Coroutine[Any, Any, None], pay: Callable[[float], None], clock: Callable[[], float]
    ) -> None:
        self._awaited, self._pay, self._clock = awaited, pay, clock

    def __await__(self) -> Generator[Any, Any, None]:
        step, value = self._awaited.send, None
        while True:
            begun = self._clock()
            try:
                waits_for = step(value)
            except StopIteration:
                return
            finally:
                self._pay(self._clock() - begun)
            try:
                value = yield waits_for
                step = self._awaited.send
            except BaseException as error:
                step, value = self._awaited.throw, error


class Turnstile:
    """Lets each seat's requests in one after another, as far as its purse goes."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: Limits = USUAL,
        clock: Callable[[], float] = time.monotonic,
        meter: Callable[[], float] = time.thread_time,
    ) -> None:
        self.app, self.limits, self.clock, self.meter = app, limits, clock, meter
        self._purses: OrderedDict[str, Purse] = OrderedDict()
        self._payers: OrderedDict[tuple[str, str, str], tuple[str, float]] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith(("/static/", HEALTH)):
            await self.app(scope, receive, send)
            return
        who = scope["payer"] = self._payer(scope)
        purse = self._purse(who)
        if who.startswith(ADDRESS):
            # Strangers behind one address do not wait for each other: what they may ask for takes no time.
            await self._in_turn(purse, scope, receive, send, holds=False)
            return
        if purse.waiting >= self.limits.seat_requests:
            await _refused(1)(scope, receive, send)
            return
        purse.waiting += 1
        try:
            await purse.turn.acquire()
        finally:
            purse.waiting -= 1
        await self._in_turn(purse, scope, receive, send)

    async def _in_turn(self, purse: Purse, scope: Scope, receive: Receive, send: Send, *, holds: bool = True) -> None:
        def next_one() -> None:
            nonlocal holds
            if holds:
                holds = False
                purse.turn.release()

        async def sending(message: Message) -> None:
            # The work is done once the answer begins; a slow reader keeps nobody waiting.
            next_one()
            await send(message)

        try:
            delay = purse.delay(self.clock())
            if delay > LONGEST_DELAY:
                next_one()
                await _refused(ceil(delay))(scope, receive, send)
                return
            if delay:
                await asyncio.sleep(delay)
            if scope["path"].endswith(PATIENT):
                next_one()
            await Metered(self._served(scope, receive, sending), purse.pay, self.meter)
            if scope["method"] == "POST" and scope["path"].endswith(WAKES):
                purse.left -= FOR_WAKING
        finally:
            next_one()

    async def _served(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self.app(scope, receive, send)

    def _payer(self, scope: Scope) -> str:
        """Whose purse a request is paid from: a seat is looked up again only now and then."""
        headers, now = Headers(scope=scope), self.clock()
        shows = headers.get("authorization", ""), headers.get("cookie", ""), _campaign(scope["path"])
        if not any(shows[:2]):
            return payer(scope)
        who, until = self._payers.pop(shows, ("", now))
        if until <= now:
            who, until = payer(scope), now + BELIEVED
        if not who.startswith(ADDRESS):
            self._payers[shows] = who, until
            while len(self._payers) > REMEMBERED:
                self._payers.popitem(last=False)
        return who

    def _purse(self, who: str) -> Purse:
        found = self._purses.pop(who, None) or Purse(self.clock(), self.limits.seat_processor / 100)
        self._purses[who] = found
        while len(self._purses) > REMEMBERED:
            self._purses.popitem(last=False)
        return found


def _refused(seconds: int) -> PlainTextResponse:
    text = TOO_MUCH.format("a second" if seconds == 1 else f"{seconds} seconds")
    return PlainTextResponse(text, 429, {"retry-after": str(seconds)})


def payer(scope: Scope) -> str:
    """Who pays for a request: the seat, however many keys and sessions it has; for those without one, the address."""
    try:
        return _seat(scope) or _address(scope)
    except RegistryBusy:
        return _address(scope)


def _seat(scope: Scope) -> str:
    registry: Registry = scope["app"].state.registry
    signer: Signer = scope["app"].state.signer
    headers = Headers(scope=scope)
    if key := headers.get("authorization", "").removeprefix("Bearer ").strip():
        found = registry.seat_of_key(key)
        return f"invitation/{found.id}" if found else ""
    session = signer.session(cookie_parser(headers.get("cookie", "")).get(COOKIE, ""))
    campaign = _campaign(scope["path"])
    whatif = scope["app"].state.shelf.stock.whatif(campaign)
    found = registry.sits(session, whatif.campaign if whatif else campaign) if session else None
    return f"invitation/{found.id}" if found else ""


def _campaign(path: str) -> str:
    for start in BELOW:
        if path.startswith(start):
            return path.removeprefix(start).partition("/")[0]
    return ""


def _address(scope: Scope) -> str:
    return f"{ADDRESS}{(scope.get('client') or ('', 0))[0]}"
