"""Webhooks: an address is told when it becomes a seat's turn, or when an undo waits for its consent."""

import asyncio
import hmac
import http.client
import ipaddress
import socket
import threading
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from typing import Any, Protocol
from urllib.parse import urlsplit

from msgspec import Struct
from starlette.applications import Starlette

from forcepool.engine import codec
from forcepool.engine.campaign import Campaign
from forcepool.engine.sentence import plain_json
from forcepool.web.api import shapes
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.chair import Seat
from forcepool.web.here import Here
from forcepool.web.registry import Hook, Registry
from forcepool.web.registry_file import RegistryBusy

MOST_HOOKS = 5
LONGEST_URL = 500
TRIES, PATIENCE = 3, 5.0
"""How often an address is tried, and how many seconds each time; a name is looked up no longer than that either."""
LOOKS_EVERY = 0.5
WAITING_RINGS = 4
"""What an address is told at a time; one that does not listen misses the rest, and keeps nobody else waiting."""
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses of the old net as a translator writes them in the new one."""
BELL = "webhooks"
YOUR_TURN, CONSENT = "your-turn", "consent"


class Ring(Struct, frozen=True):
    """What an address is told."""

    event: str
    campaign: str
    title: str
    when: str
    side: str
    entry: int


# ------------------------------------------------------------------------------------- managing one's own


def _own(it: Here) -> list[Hook]:
    invitation = it.invitation.id if it.invitation else 0
    return [hook for hook in it.registry.hooks(it.table.name) if hook.invitation == invitation]


def listed(it: Here, asked: Asked) -> shapes.Hooks:
    return shapes.Hooks(tuple(shapes.HookLine(hook.id, hook.url, hook.secret) for hook in _own(it)))


async def added(it: Here, asked: Asked) -> shapes.HookLine:
    try:
        hook = await add(it, asked.body.url)
    except ValueError as error:
        raise Refused(400, str(error)) from None
    return shapes.HookLine(hook.id, hook.url, hook.secret)


async def add(it: Here, url: str) -> Hook:
    """Have an address told from now on, or ValueError with what is wrong with it."""
    url = url.strip()
    if problem := await _found_wrong(url, public=it.request.app.state.public):
        raise ValueError(problem)
    if len(_own(it)) >= MOST_HOOKS:
        raise ValueError(f"a seat has at most {MOST_HOOKS} addresses; drop one first")
    hook = it.registry.add_hook(it.invitation.id if it.invitation else 0, it.table.name, url)
    # How things stand now is what the next turn is told against.
    it.request.app.state.bell.look(it.table.name)
    return hook


def dropped(it: Here, asked: Asked) -> shapes.Hooks:
    if not it.registry.drop_hook(int(asked.path("hook")), it.invitation.id if it.invitation else 0):
        raise Refused(404, "the seat has no such address")
    return listed(it, asked)


async def _found_wrong(url: str, *, public: bool) -> str:
    """What is wrong with an address, found beside everything else: looking up a name may take its time."""
    try:
        return await asyncio.wait_for(asyncio.to_thread(problem_with, url, public=public), PATIENCE)
    except TimeoutError:
        return "the name of the machine was not found in time; look at how it is written, or try again later"


def problem_with(url: str, *, public: bool) -> str:
    """Why an address cannot be told; nothing if it can. A public server tells no machine of its own network."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "this is no address"
    if parts.scheme not in ("http", "https") or not host or len(url) > LONGEST_URL or not url.isascii():
        return "an address begins with https:// or http:// and names a machine"
    if public and not _is_outside(host):
        return "a public server tells no machine of its own network"
    return ""


def _is_outside(host: str) -> bool:
    try:
        found = {each[4][0] for each in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        return False
    return bool(found) and all(_is_far(ipaddress.ip_address(str(address).partition("%")[0])) for address in found)


def _is_far(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """Whether an address is out on the net; one that carries another within is judged by that one too."""
    if isinstance(address, ipaddress.IPv6Address):
        within = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if address in TRANSLATED:
            within = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if address.is_site_local or (within and not _is_far(within)):
            return False
    return address.is_global and not address.is_multicast


# ------------------------------------------------------------------------------------------------- ringing


Moment = tuple[Any, ...]
"""Whose turn it is, which undo was asked for, and who agreed to it."""


class Stood(Protocol):
    """How each campaign stood when it was last looked at."""

    def to_look_at(self, registry: Registry) -> list[str]:
        """The campaigns with addresses to tell in which something may have changed."""
        ...

    def before(self, name: str, now: Moment, seq: int) -> Moment:
        """How a campaign stood; as it stands now where nobody has looked at it yet, which is noted."""
        ...

    def note(self, name: str, now: Moment, seq: int) -> None: ...


class Remembered:
    """As long as the program runs."""

    def __init__(self) -> None:
        self._stood: dict[str, Moment] = {}

    def to_look_at(self, registry: Registry) -> list[str]:
        return registry.hooked()

    def before(self, name: str, now: Moment, seq: int) -> Moment:
        return self._stood.setdefault(name, now)

    def note(self, name: str, now: Moment, seq: int) -> None:
        self._stood[name] = now


class Bell:
    """Watches the campaigns that have addresses to tell, and tells them."""

    def __init__(self, app: Starlette, stood: "Stood | None" = None) -> None:
        self.app = app
        self._stood: Stood = Remembered() if stood is None else stood
        self._busy: Counter[int] = Counter()
        self._lock = threading.Lock()

    @property
    def registry(self) -> Registry:
        found: Registry = self.app.state.registry
        return found

    async def watch(self) -> None:
        """Look at every campaign with addresses, for as long as the server runs."""
        while True:
            with suppress(RegistryBusy):
                # A register that cannot be read for a moment silences nobody: what changed is seen at the next look.
                if self.app.state.shelf.stock.sole(BELL):
                    for name in self._stood.to_look_at(self.registry):
                        self.look(name)
            await asyncio.sleep(LOOKS_EVERY)

    def look(self, name: str) -> None:
        """Ring where something changed since the last look."""
        try:
            campaign = self.app.state.shelf.table(name).campaign
        except Exception:
            # A campaign that is gone or cannot be read must not silence the bell for the others.
            return
        now = (campaign.world.phasing(campaign.state), tuple(campaign.history.asked), tuple(campaign.history.agreed))
        before = self._stood.before(name, now, campaign.seq)
        if not self.app.state.shelf.stock.sole(BELL):
            return
        if before == now:
            self._stood.note(name, now, campaign.seq)
            return
        invited = (*self.registry.invitations(name), *self.registry.invitations(""))
        seats = {each.id: each.seat for each in invited if not each.ended}
        hooks = self.registry.hooks(name)
        self._stood.note(name, now, campaign.seq)
        for hook in hooks:
            for ring in rings(name, campaign, seats.get(hook.invitation), hook, before, now):
                self._ring(hook, ring)

    def _ring(self, hook: Hook, ring: Ring) -> None:
        """Tell an address on a thread of its own, which neither the others nor the server's end wait for."""
        with self._lock:
            if self._busy[hook.id] >= WAITING_RINGS:
                return
            self._busy[hook.id] += 1

        def telling() -> None:
            try:
                deliver(hook, ring, public=self.app.state.public)
            finally:
                with self._lock:
                    self._busy[hook.id] -= 1

        threading.Thread(target=telling, daemon=True, name=f"hook {hook.id}").start()


def rings(
    name: str, campaign: Campaign, seat: Seat | None, hook: Hook, before: tuple[Any, ...], now: tuple[Any, ...]
) -> Iterator[Ring]:
    """What one address is to be told of a change; the machine's own is told of every side's turn."""
    if seat is None and hook.invitation:
        return
    side = seat.side if seat else ""
    when = campaign.world.when(campaign.state)
    if before[0] != now[0] and side in ("", now[0]):
        yield Ring(YOUR_TURN, name, campaign.beginning.title, when, now[0], campaign.seq)
    agrees = seat is None or (seat.acts and not seat.front and seat.journal_name not in now[2])
    if now[1] and before[1] != now[1] and agrees:
        yield Ring(CONSENT, name, campaign.beginning.title, when, side, campaign.seq)


class _NoWayOn(urllib.request.HTTPRedirectHandler):
    """An address that sends us elsewhere is not followed: it might lead into our own network."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _Outside(http.client.HTTPConnection):
    """A connection that ends at once if the name turns out to mean a machine of our own network."""

    def connect(self) -> None:
        super().connect()
        if not _is_outside(str(self.sock.getpeername()[0])):
            self.close()
            raise OSError("a machine of our own network")


class _OutsideTls(_Outside, http.client.HTTPSConnection):
    pass


class _OutsideOnly(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_Outside, req)


class _OutsideOnlyTls(urllib.request.HTTPSHandler):
    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_OutsideTls, req)


def deliver(hook: Hook, ring: Ring, *, public: bool) -> None:
    """Tell an address, signed with its secret; a few tries, then it is let be."""
    body = plain_json(codec.encode(ring))
    signature = hmac.new(hook.secret.encode(), body, sha256).hexdigest()
    request = urllib.request.Request(
        hook.url,
        data=body,
        method="POST",
        headers={"content-type": "application/json", "x-forcepool-signature": f"sha256={signature}"},
    )
    opener = urllib.request.build_opener(_NoWayOn, *((_OutsideOnly, _OutsideOnlyTls) if public else ()))
    for _ in range(TRIES):
        # The name may have come to mean another machine since the address was entered.
        if problem_with(hook.url, public=public):
            return
        try:
            with opener.open(request, timeout=PATIENCE):
                # The answer's first line has come, and no more of it is read: one that drips would never end.
                return
        except (urllib.error.URLError, OSError, ValueError):
            continue
