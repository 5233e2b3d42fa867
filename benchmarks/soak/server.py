"""A real server in a process of its own that answers /do: killed at any instant and at every call, its disk failing."""

import contextlib
import http.client
import json
import os
import random
import re
import resource
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.soak.deeds import LOCKED
from benchmarks.soak.ground import CAMPAIGN, KILLS_A_FILE, Ground, left_beside, run, unsound
from benchmarks.soak.shim import NO_FAULT, Fault, Shim

from forcepool import games
from forcepool.engine.events import Noted
from forcepool.store.open import campaign_file
from forcepool.web import shelf

PATIENCE = 60
ORDERS = 8
"""Given at most before a kill."""
QUICK = 0.01
"""Seconds after which an idle server of the soak merges the log: as often as a long evening does in a short one."""


class Gone(Exception):
    """The server is no more."""


class Server:
    """The server's process, and a referee's browser."""

    def __init__(self, ground: Ground, folder: Path, shim: Shim | None = None, fault: Fault = NO_FAULT) -> None:
        self.ground, self.folder, self.shim = ground, folder, shim
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.errors = folder.parent / "errors"
        self.child = os.fork()
        if not self.child:
            self._serve(fault)
        self.line: http.client.HTTPConnection | None = None

    def _serve(self, fault: Fault) -> None:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (PATIENCE, PATIENCE))
            null, errors = os.open(os.devnull, os.O_WRONLY), os.open(self.errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(null, 1)
            os.dup2(errors, 2)
            sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
            shelf.IDLE = QUICK
            shelf.Shelf.watch.__defaults__ = (QUICK,)
            if self.shim is not None:
                self.shim.arm(self.folder, fault)
            run("serve", str(self.folder), "--public", "--host", "127.0.0.1", "--port", str(self.port), "--no-browser")
        except SystemExit as left:
            os._exit(left.code if isinstance(left.code, int) else 1)
        finally:
            os._exit(70)

    def ask(self, path: str, fields: dict[str, str]) -> None:
        """Send a form, as the page does."""
        body = urlencode({"token": self.ground.token} | fields)
        headers = {
            "cookie": self.ground.cookie,
            "accept": "application/json",
            "content-type": "application/x-www-form-urlencoded",
        }
        patience = time.monotonic() + PATIENCE
        while True:
            try:
                self.line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
                self.line.request("POST", path, body, headers)
                return
            except ConnectionError:
                # It is still starting, or it is gone.
                if self.ended() or time.monotonic() > patience:
                    raise Gone from None
                time.sleep(0.005)

    def answer(self) -> tuple[int, str]:
        assert self.line is not None
        try:
            with self.line.getresponse() as told:
                return told.status, told.read().decode()
        except (OSError, http.client.HTTPException):
            raise Gone from None
        finally:
            self.line.close()

    def ended(self) -> bool:
        try:
            found, _ = os.waitpid(self.child, os.WNOHANG)
        except ChildProcessError:
            return True
        return bool(found)

    def kill(self, how: int = signal.SIGKILL) -> None:
        try:
            os.kill(self.child, how)
            os.waitpid(self.child, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
        if self.shim is not None:
            self.shim.disarm()


class Evening:
    """What was acknowledged to the players of one campaign, and what became of it."""

    def __init__(self, ground: Ground, at: Path) -> None:
        self.ground, self.folder = ground, ground.laid_out(at)
        self.noted: dict[int, str] = {}
        self.number = 0

    def order(self, server: Server) -> str:
        """Give the next order; the form that was sent."""
        self.number += 1
        text = f"order {self.number}"
        if self.number % 6 == 5:
            server.ask("/c/east/undo", {})
        else:
            server.ask("/c/east/do", {"order": json.dumps({"command": "note", "text": text})})
        return text

    def hear(self, server: Server, text: str) -> tuple[int, str]:
        status, said = server.answer()
        if status == 200:
            self.noted[json.loads(said)["entry"]] = text if self.number % 6 != 5 else ""
        return status, said

    def look(self) -> str:
        """What is wrong with the campaign; empty when nothing is."""
        path = self.folder / CAMPAIGN
        with campaign_file(path, games.build_world) as campaign:
            said = {
                entry.n: "".join(event.text for event in entry.events if isinstance(event, Noted))
                for entry in campaign.entries()
            }
            lost = [n for n, text in self.noted.items() if n not in said or (text and said[n] != text)]
            if lost:
                return f"entries {lost} were acknowledged and are not there"
            wrong = unsound(campaign.journal)
        return wrong or left_beside(path)


def kill_servers(ground: Ground, at: Path, kills: int, chance: random.Random) -> Iterator[tuple[int, int, str]]:
    """So many servers killed at any instant: while starting, inside an order, while merging the log."""
    evening = Evening(ground, at)
    for number in range(kills):
        if number % KILLS_A_FILE == 0:
            evening = Evening(ground, at)
        before = len(evening.noted)
        server = Server(ground, evening.folder)
        for _ in range(chance.randrange(ORDERS)):
            evening.hear(server, evening.order(server))
        if chance.random() < 0.2:
            time.sleep(chance.random() * 5 * QUICK)
        else:
            text = evening.order(server)
            time.sleep(chance.random() * chance.choice((0.002, 0.01, 0.03)))
        server.kill()
        if server.line is not None and server.line.sock is not None:
            with contextlib.suppress(Gone):
                evening.hear(server, text)
        yield 1, len(evening.noted) - before, evening.look()


def server_calls(ground: Ground, at: Path, shim: Shim) -> list[str]:
    """The file calls of a server that starts, takes orders and ends."""
    evening = Evening(ground, at)
    server = Server(ground, evening.folder, shim)
    for _ in range(ORDERS):
        status, said = evening.hear(server, evening.order(server))
        assert status == 200, said
    server.kill(signal.SIGTERM)
    return shim.calls()


def kill_server_at(ground: Ground, at: Path, shim: Shim, fault: Fault) -> str:
    """A server killed at one call."""
    evening = Evening(ground, at)
    server = Server(ground, evening.folder, shim, fault)
    try:
        for _ in range(ORDERS):
            evening.hear(server, evening.order(server))
        server.kill(signal.SIGTERM)
    except Gone:
        pass
    server.kill()
    return evening.look()


def _words(page: str) -> str:
    """What an answer says, without the page around it."""
    return page[:300] if page.startswith("{") else " ".join(re.findall("<p>([^<]*)", page))[:300]


WRONG = re.compile("nobody foresaw|Traceback|go back to a copy|damaged|is not a forcepool campaign")


def spoil_server_at(ground: Ground, at: Path, shim: Shim, fault: Fault) -> str:
    """A server whose disk fails at one call, once or for a while: the right sentence, and then it goes on."""
    evening = Evening(ground, at)
    server = Server(ground, evening.folder, shim, fault)
    wrong: list[str] = []
    try:
        for _ in range(ORDERS):
            status, said = evening.hear(server, evening.order(server))
            right = "disk" in said or LOCKED in said
            if status not in (200, 409) and (status != 503 or WRONG.search(said) or not right):
                wrong.append(f"{status} {_words(said)}")
        shim.disarm()
        status, said = evening.hear(server, evening.order(server))
        if status != 200:
            wrong.append(f"with the disk well again: {status} {_words(said)}")
        server.kill(signal.SIGTERM)
    except Gone:
        server.kill()
        said = server.errors.read_text()
        if not said.startswith("forcepool: ") or WRONG.search(said) or "disk" not in said:
            wrong.append(f"it ended: {said[-300:]}")
    told = server.errors.read_text()
    if "Traceback" in told:
        wrong.append(told[-400:])
    return "; ".join(filter(None, (*wrong, evening.look())))
