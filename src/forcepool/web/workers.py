"""Several processes that answer on one socket: each is started, and started again when it ends unasked.

A worker is told what to do on its standard input, so that no password stands on a command line, and ends when that is
closed: none is left behind when the first process is gone.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import FrameType

import msgspec
from msgspec import Struct

from forcepool.web.settings import Settings

SHORT_LIFE, REST = 2.0, 1.0
"""A worker that ends within so many seconds is started again only after a rest."""
GRACE = 8.0
"""Seconds in which workers that were told to end do so by themselves."""
LOOKS = 0.1


class Orders(Struct, frozen=True):
    """What a worker is told."""

    place: str
    socket: int
    settings: Settings


class Workers:
    """The processes of a server, kept at their number."""

    def __init__(self, place: str, settings: Settings, listening: socket.socket) -> None:
        self._orders = msgspec.json.encode(Orders(place, listening.fileno(), settings)) + b"\n"
        self._listening, self._number = listening, settings.workers
        self._living: dict[subprocess.Popen[bytes], float] = {}
        self._ending = threading.Event()

    @property
    def numbers(self) -> list[int]:
        """The processes that run now."""
        return [each.pid for each in self._living]

    def run(self, started: Callable[[], None] = lambda: None) -> None:
        """Keep the workers running until this process is told to end."""
        for each in (signal.SIGINT, signal.SIGTERM):
            signal.signal(each, self._told_to_end)
        try:
            for _ in range(self._number):
                self._start()
            started()
            while not self._ending.wait(LOOKS):
                for worker in [each for each in self._living if each.poll() is not None]:
                    self._gone(worker)
        finally:
            self._end()

    def _told_to_end(self, number: int, frame: FrameType | None) -> None:
        self._ending.set()

    def _start(self) -> None:
        worker = subprocess.Popen(
            [sys.executable, "-m", "forcepool.web.workers"],
            stdin=subprocess.PIPE,
            pass_fds=[self._listening.fileno()],
            # Ctrl-C is for the first process, which then tells the others.
            start_new_session=True,
        )
        assert worker.stdin is not None
        self._living[worker] = time.monotonic()
        try:
            worker.stdin.write(self._orders)
            worker.stdin.flush()
        except OSError:
            # It has ended already, and is started again.
            return

    def _gone(self, worker: "subprocess.Popen[bytes]") -> None:
        begun = self._living.pop(worker)
        _hang_up(worker)
        if time.monotonic() < begun + SHORT_LIFE:
            self._ending.wait(REST)
        if not self._ending.is_set():
            self._start()

    def _end(self) -> None:
        until = time.monotonic() + GRACE
        for worker in self._living:
            worker.terminate()
        for worker in self._living:
            try:
                worker.wait(max(0.1, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
            _hang_up(worker)


def _hang_up(worker: "subprocess.Popen[bytes]") -> None:
    """Close the line to a worker; one that was killed before it had read its orders must not take us with it."""
    if worker.stdin is not None:
        with suppress(OSError):
            worker.stdin.close()


def main() -> None:
    """One worker."""
    from forcepool.store.errors import CampaignFileError
    from forcepool.web.serving import Server, app_for, serve

    orders = msgspec.json.decode(sys.stdin.buffer.readline(), type=Orders)
    try:
        app = app_for(orders.place, orders.settings)
    except CampaignFileError as error:
        print(f"forcepool: {error}", file=sys.stderr)
        sys.exit(1)
    server = Server(app, orders.settings)

    def last_word() -> None:
        sys.stdin.buffer.read()
        server.should_exit = True

    threading.Thread(target=last_word, daemon=True, name="waiting for the end").start()
    serve(server, socket.socket(fileno=os.dup(orders.socket)))


if __name__ == "__main__":
    main()
