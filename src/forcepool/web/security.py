"""What every request must pass and every answer carries: own host, own origin, a size, a pace, strict headers."""

import hmac
import secrets
import time
from collections import OrderedDict
from hashlib import sha256

from itsdangerous import BadSignature, URLSafeSerializer
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from forcepool.web.settings import USUAL, Bytes, Limits

COOKIE = "forcepool"
YEAR = 365 * 24 * 3600
HEALTH = "/healthz"
LARGEST_AT_HOME = 1 << 30
"""Where whole files of another program are brought, at one's own machine."""
BRINGS_FILES = "/vassal"
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; manifest-src 'self'"
)
OWN_STYLE = POLICY.replace("style-src 'self'", "style-src 'unsafe-inline'")
"""For a page that brings its style along: a report's sheets, which are mailed and kept as one file."""
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # With no-referrer a browser sends plain forms with the origin "null", as those of other sites are.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


DOORS = ("/join/", "/enter", "/mail/")
"""Where words are tried that let one in."""


class Signer:
    """Signs session cookies, and makes the token that a form must bring back."""

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
        self._serializer = URLSafeSerializer(secret, salt="session")

    def cookie(self, session: str) -> str:
        signed = self._serializer.dumps(session)
        return signed if isinstance(signed, str) else signed.decode()

    def session(self, cookie: str) -> str:
        """The session in a cookie; nothing if it was not signed here."""
        try:
            return str(self._serializer.loads(cookie))
        except BadSignature:
            return ""

    def token(self, session: str) -> str:
        return hmac.new(self._secret, b"form:" + session.encode(), sha256).hexdigest()

    def blinded(self, name: str) -> str:
        """A name as a log may hold it: the same for the same, and nobody finds the name in it."""
        return hmac.new(self._secret, b"log:" + name.encode(), sha256).hexdigest()[:12]

    def fits(self, session: str, token: str) -> bool:
        return bool(session) and hmac.compare_digest(self.token(session).encode(), token.encode(errors="replace"))

    def word(self, purpose: str) -> str:
        """A word that only this server can make, and that serves one purpose."""
        return hmac.new(self._secret, b"word:" + purpose.encode(), sha256).hexdigest()[:32]

    def made(self, purpose: str, word: str) -> bool:
        """Whether a word was made here for that purpose."""
        return hmac.compare_digest(self.word(purpose).encode(), word.encode(errors="replace"))


def new_session() -> str:
    return secrets.token_urlsafe(24)


class Pace:
    """So many requests at once, and so many a second after that, for each caller."""

    def __init__(self, at_once: int, a_second: float, remembers: int = 10_000) -> None:
        self.at_once, self.a_second, self.remembers = at_once, a_second, remembers
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, who: str) -> bool:
        now = time.monotonic()
        left, since = self._left.pop(who, (float(self.at_once), now))
        left = min(float(self.at_once), left + (now - since) * self.a_second)
        self._left[who] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > self.remembers:
            self._left.popitem(last=False)
        return left >= 1


class Guard:
    """The door: nothing reaches the app that did not pass it."""

    def __init__(
        self, app: ASGIApp, *, public: bool, https: bool = False, address: str = "", limits: Limits = USUAL
    ) -> None:
        self.app, self.public, self.https, self.limits = app, public, https, limits
        self.known = (address.partition("://")[2],) if address else ()
        # A cookie or key can be made up, so the address as a whole has a pace too.
        self.anyone = Pace(1500, 300)
        self.reading = Pace(400, 100)
        self.writing = Pace(120, 40)
        self.joining = Pace(10, 0.2)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if (refused := self._refused(scope, headers)) is not None:
            await refused(scope, receive, self._sending(scope, send))
            return
        await self.app(scope, _limited(receive, *self._largest(scope)), self._sending(scope, send))

    def _largest(self, scope: Scope) -> tuple[int, str]:
        """How much a request may bring, and the setting that says so."""
        if scope["path"].endswith(BRINGS_FILES):
            most = self.limits.vassal_megabytes * Bytes if self.public else LARGEST_AT_HOME
            return most, "limits.vassal_megabytes"
        return self.limits.upload_megabytes * Bytes, "limits.upload_megabytes"

    def _refused(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        host = headers.get("host", "").rpartition(":")[0] or headers.get("host", "")
        if not self.public and host not in LOCAL_NAMES:
            # A page elsewhere may point a name of its own at this machine; the name gives it away.
            return PlainTextResponse("This server answers only to its own machine.\n", 403)
        if scope["path"] == HEALTH and self.public:
            # Whoever watches over the machines asks each by its number.
            return None if self.anyone.allows((scope.get("client") or ("", 0))[0]) else _too_many()
        if self.known and headers.get("host", "") not in self.known and host not in LOCAL_NAMES:
            return PlainTextResponse("This server is reached by another name.\n", 403)
        writes = scope["method"] not in ("GET", "HEAD", "OPTIONS")
        origin = headers.get("origin", "")
        if writes and origin and origin.partition("://")[2] != headers.get("host", ""):
            return PlainTextResponse("This came from a page of another site.\n", 403)
        if writes and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return PlainTextResponse("This came from a page of another site.\n", 403)
        length, (most, setting) = headers.get("content-length", "0"), self._largest(scope)
        if not length.isdecimal() or int(length) > most:
            return PlainTextResponse(f"{too_much(most, setting)}\n", 413)
        if self.public and not self._in_pace(scope, headers, writes):
            return _too_many()
        return None

    def _sending(self, scope: Scope, send: Send) -> Send:
        """Every answer with the headers; only what is the same for everyone may be kept by the browser."""
        keep = "no-cache" if scope["path"].startswith("/static/") else "no-store"
        https = {"strict-transport-security": f"max-age={YEAR}"} if self.https else {}

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in (HEADERS | https | {"cache-control": keep}).items():
                    headers.setdefault(name, value)
            await send(message)

        return sending

    def _in_pace(self, scope: Scope, headers: Headers, writes: bool) -> bool:
        client = (scope.get("client") or ("", 0))[0]
        if not self.anyone.allows(client):
            return False
        if scope["path"].startswith(DOORS) or (writes and "authorization" in headers and "cookie" in headers):
            return self.joining.allows(client)
        who = headers.get("authorization") or headers.get("cookie") or client
        return (self.writing if writes else self.reading).allows(f"{client} {who}")


def _too_many() -> PlainTextResponse:
    return PlainTextResponse("Too many requests; wait a moment.\n", 429, {"retry-after": "2"})


def too_much(most: int, setting: str) -> str:
    return (
        f"That is too much at once: this server takes {most // Bytes} MB with one such request "
        f"({setting}, for its host to change)."
    )


def _limited(receive: Receive, most: int, setting: str) -> Receive:
    """Bodies sent without a stated length are cut off at the same size."""
    taken = 0

    async def receiving() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
            raise HTTPException(413, too_much(most, setting))
        return message

    return receiving
