"""Several workers on one socket: one that is killed is started again, and none is left behind."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from forcepool.web.settings import Settings
from forcepool.web.workers import Workers

if TYPE_CHECKING:
    from tests.support.postgres import Server

PATIENCE = 60.0


def children(process: int) -> set[int]:
    """The processes that another has started and that still run."""
    found = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = path.read_text("utf-8").partition(" (")
            state, parent = rest.rpartition(") ")[2].split()[:2]
            if int(parent) == process and state != "Z":
                found.add(int(number))
    return found


def healthy(url: str) -> bool:
    with suppress(OSError), urllib.request.urlopen(f"{url}/healthz", timeout=10) as answer:
        return bool(json.loads(answer.read())["store"])
    return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs Linux to see the processes")
def test_a_worker_that_is_killed_is_started_again_and_all_end_together(postgres: "Server") -> None:
    url = postgres.new().replace("postgres@", "postgres:hidden@")
    options = ["--public", "--host", "127.0.0.1", "--database", url, "--workers", "2", "--no-browser", "--json"]
    command = [sys.executable, "-m", "forcepool", "serve", *options]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            told += server.stdout.readline()
        data = json.loads(told)
        assert data["invitation"]
        assert "hidden" not in told
        until = time.monotonic() + PATIENCE
        while not healthy(data["url"].rstrip("/")) and time.monotonic() < until:
            time.sleep(0.1)
        first = children(server.pid)
        assert len(first) == 2
        for each in first:
            assert "hidden" not in Path(f"/proc/{each}/cmdline").read_text("utf-8")
        killed = min(first)
        os.kill(killed, signal.SIGKILL)
        while (len(now := children(server.pid)) < 2 or killed in now) and time.monotonic() < until:
            time.sleep(0.1)
        assert len(now) == 2
        assert first - now == {killed}
        assert healthy(data["url"].rstrip("/"))
    finally:
        server.terminate()
        _, complained = server.communicate(timeout=PATIENCE)
    assert server.returncode == 0, complained
    assert not [each for each in now if Path(f"/proc/{each}").exists()]
    assert "hidden" not in complained


def test_a_worker_that_dies_before_it_was_told_anything_takes_nobody_with_it() -> None:
    """Its line breaks while the orders are written, and again as it is closed."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        workers = Workers("postgresql://nowhere", Settings(workers=1), listening)
        dead = subprocess.Popen(["true"], stdin=subprocess.PIPE)
        dead.wait()
        assert dead.stdin is not None
        dead.stdin.write(b"orders")
        workers._living[dead] = time.monotonic() - 100
        workers._ending.set()
        workers._gone(dead)
        assert workers.numbers == []
