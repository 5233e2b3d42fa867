"""What keeps one visitor from stopping the others: patience with half requests, limits of connections and of memory."""

import asyncio
import os
from collections import Counter
from contextlib import suppress
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from forcepool.web.settings import USUAL, Limits, Settings

WHOLE_REQUEST = 20.0
"""Seconds in which a request must have come whole, its body with it."""
LONGEST_HEAD, LONGEST_READ = 64 * 1024, 256 * 1024
"""Letters of a request before its body, its address and headers; and what comes at a time, which may hold more."""
HERE = ("127.0.0.1", "::1")


class Connections:
    """How many there are, and from where. A proxy speaks for everybody and has no limit of its own."""

    def __init__(self, limits: Limits = USUAL, proxies: str = "") -> None:
        self.limits = limits
        self._proxies = [ip_network(each.strip()) for each in (*HERE, *proxies.split(",")) if each.strip()]
        self.total, self.by_address = 0, Counter[str]()

    def has_room(self, address: str) -> bool:
        crowded = self.by_address[address] >= self.limits.address_connections and not self._is_proxy(address)
        return self.total < self.limits.connections and not crowded

    def _is_proxy(self, address: str) -> bool:
        try:
            found = ip_address(address)
        except ValueError:
            return False
        return any(found in network for network in self._proxies)


class Patient(HttpToolsProtocol):
    """One connection, which nobody holds open without asking for anything."""

    crowd: Connections
    """All of the server's."""
    _address = ""
    _counted = False
    _giving_up: asyncio.TimerHandle | None = None
    _head = 0
    _in_head = True

    def connection_made(self, transport: Any) -> None:
        peer = transport.get_extra_info("peername")
        self._address = str(peer[0]) if peer else ""
        if not self.crowd.has_room(self._address):
            transport.abort()
            return
        self._counted = True
        self.crowd.total += 1
        self.crowd.by_address[self._address] += 1
        super().connection_made(transport)
        self._wait_for_a_whole_request()

    def _wait_for_a_whole_request(self) -> None:
        self._giving_up = self.loop.call_later(WHOLE_REQUEST, self._give_up)

    def _give_up(self) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.abort()

    def data_received(self, data: bytes) -> None:
        if not self._counted:
            return
        if self._in_head:
            self._head += len(data)
            if self._head > LONGEST_HEAD + LONGEST_READ:
                self._give_up()
                return
        super().data_received(data)

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def on_message_begin(self) -> None:
        self._in_head, self._head = True, 0
        # The first request's time runs since the connection was made, a later one's since it began.
        if self._giving_up is None:
            self._wait_for_a_whole_request()
        super().on_message_begin()

    def on_message_complete(self) -> None:
        self._stop_waiting()
        super().on_message_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        if not self._counted:
            return
        self._counted = False
        self.crowd.total -= 1
        self.crowd.by_address[self._address] -= 1
        if not self.crowd.by_address[self._address]:
            del self.crowd.by_address[self._address]
        super().connection_lost(exc)

    def eof_received(self) -> None:
        if self._counted:
            super().eof_received()

    def _stop_waiting(self) -> None:
        if self._giving_up is not None:
            self._giving_up.cancel()
            self._giving_up = None


def patient_protocol(connections: Connections) -> type[Patient]:
    """The protocol of one server, whose connections are counted together."""

    class Counted(Patient):
        pass

    Counted.crowd = connections
    return Counted


def make_room(limits: Limits = USUAL) -> None:
    """Let the server hold as many connections open as it may; Windows has no such limit."""
    if os.name != "posix":
        return
    import resource

    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * limits.connections if most == resource.RLIM_INFINITY else min(most, 4 * limits.connections)
    resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


CGROUP = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how much memory a container may take."""
UNKNOWN_MEGABYTES = 8000
"""What a machine that does not say counts as having."""


def memory_for_campaigns(settings: Settings) -> int:
    """The megabytes that open campaigns may take in one worker."""
    return settings.limits.memory_megabytes or max(1, _megabytes_here() // 4 // settings.workers)


def _megabytes_here() -> int:
    """The memory of this machine, or of the container that the server runs in."""
    if os.name != "posix":
        return UNKNOWN_MEGABYTES
    here = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    with suppress(OSError, ValueError):
        here = min(here, int(CGROUP.read_text("ascii")))
    return here // 1_000_000
