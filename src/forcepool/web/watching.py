"""Watching over the server: a line in the log and a number in the meters for each request, and how it is doing."""

import asyncio
import hmac
import secrets
import time
from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forcepool.web.here import key_in
from forcepool.web.logbook import Logbook
from forcepool.web.meters import EVERY, FILE, ORDER, PAGE, QUERY, WATCH, Meters, counting
from forcepool.web.security import HEALTH, Signer
from forcepool.web.shelf import UNUSABLE

METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
METRICS = "/metrics"
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
STREAM = b"text/event-stream"
NOBODY, NO_ROUTE = "-", "-"


class Watch:
    """Sees every request come and its answer go, whatever becomes of it in between."""

    def __init__(
        self, app: ASGIApp, *, log: Logbook, meters: Meters, clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self.app, self.log, self.meters, self.clock = app, log, meters, clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status, took, streams = self.clock(), 500, 0.0, False
        name = secrets.token_hex(6)

        async def sending(message: Message) -> None:
            nonlocal status, took, streams
            if message["type"] == "http.response.start":
                status, took = message["status"], self.clock() - begun
                streams = any(key == b"content-type" and STREAM in value for key, value in message["headers"])
                if self.log.on:
                    message["headers"] = [*message["headers"], (b"x-request-id", name.encode())]
                self.meters.answered(kind(scope), status, took, stream=streams)
                if streams:
                    self.meters.stream(1)
            await send(message)

        token = counting.set(self.meters)
        try:
            await self.app(scope, receive, sending)
        finally:
            counting.reset(token)
            if streams:
                self.meters.stream(-1)
            if self.log.on and kind(scope) != WATCH:
                self.log.write(
                    "request",
                    method=scope["method"] if scope["method"] in METHODS else "OTHER",
                    route=template(scope),
                    status=status,
                    ms=round(1000 * (took or self.clock() - begun), 1),
                    seat=seat(scope),
                    id=name,
                )


def kind(scope: Scope) -> str:
    """Which of a few kinds a request is of."""
    path: str = scope["path"]
    if path in (HEALTH, METRICS):
        return WATCH
    if path.startswith("/static/"):
        return FILE
    if scope["method"] not in ("GET", "HEAD", "OPTIONS"):
        return ORDER
    return QUERY if path.startswith("/api/") else PAGE


def template(scope: Scope) -> str:
    """The route a request took, with the names of its parts in the place of what was sent."""
    return str(getattr(scope.get("route"), "path", NO_ROUTE))


def seat(scope: Scope) -> str:
    """Whose request it was, in letters from which nobody finds out who that is."""
    who: str = scope.get("payer", "")
    if not who.startswith("invitation/"):
        return NOBODY
    signer: Signer = scope["app"].state.signer
    return signer.blinded(who)


# ----------------------------------------------------------------------------------------------- how it is doing


async def health(request: Request) -> Response:
    """Whether the server answers and reaches its campaigns; for a proxy, a container or a monitor."""
    alive, store = not request.app.state.closing, reaches_store(request.app)
    return JSONResponse({"alive": alive, "store": store}, 200 if alive and store else 503)


def reaches_store(app: Starlette) -> bool:
    try:
        app.state.shelf.check()
        app.state.registry.check()
    except (*UNUSABLE, OSError):
        return False
    return True


async def metrics(request: Request) -> Response:
    """The numbers, for whoever brings the word that was set; to others there is no such page."""
    wanted = request.app.state.settings.metrics.token
    if not wanted or not hmac.compare_digest(key_in(request).encode(), wanted.encode()):
        return PlainTextResponse("There is no such page.\n", 404)
    look(request.app)
    return Response(request.app.state.meters.text(), headers={"content-type": PROMETHEUS})


def look(app: Starlette) -> None:
    """Take down what is open just now."""
    running, waiting = app.state.jobs.counts()
    app.state.meters.sample(running=running, waiting=waiting, campaigns=app.state.shelf.in_memory)


async def look_now_and_then(app: Starlette) -> None:
    """For workers that nobody asks: what they hold is told by whichever is asked."""
    if type(app.state.meters) is Meters:
        return
    while True:
        look(app)
        await asyncio.sleep(EVERY)


ROUTES = [Route(HEALTH, health), Route(METRICS, metrics)]
