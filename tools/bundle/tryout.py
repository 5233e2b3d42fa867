"""Tries the Linux bundle as a player would: unpacked under a name with blanks and umlauts, without a network.

python -m tools.bundle.tryout      makes the bundle for this machine's Python alone, starts it, again, and updates it
"""

import ctypes
import fcntl
import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.request
import zipfile
from pathlib import Path

from tools.bundle.__main__ import bundle
from tools.bundle.inside.start import machine

FOLDER = "Jörg Müller & Söhne's Spiele"
PATIENCE = 120
UP, SET_FLAGS = struct.pack("16sh", b"lo", 0x49), 0x8914
"""The loopback of a network of one's own is up, and runs."""
NEW_NETWORK = 0x40000000


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        python = f"{sys.version_info[0]}.{sys.version_info[1]}"
        (path,) = bundle(["linux"], Path(folder, "zip"), only=(python, machine()))
        home = Path(folder, FOLDER)
        _unpack(path, home)
        alone = _leave_the_network()
        print("without a network" if alone else "no network of its own could be had here: a dead proxy instead")
        _try(home / "forcepool", path)
    print("the bundle starts, opens the demonstration, starts once only, and updates")
    return 0


def _unpack(path: Path, home: Path) -> None:
    """As an unpacker does, with each file's right to be run."""
    with zipfile.ZipFile(path) as opened:
        for info in opened.infolist():
            made = Path(opened.extract(info, home))
            made.chmod((info.external_attr >> 16) & 0o777)


def _leave_the_network() -> bool:
    """Go on in a network that holds this process and its children alone, where the system allows it."""
    if ctypes.CDLL(None, use_errno=True).unshare(NEW_NETWORK):
        dead = "http://127.0.0.1:9"
        os.environ |= {"http_proxy": dead, "https_proxy": dead, "PIP_NO_INDEX": "1", "no_proxy": "127.0.0.1"}
        return False
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SET_FLAGS, UP)
    return True


def _try(home: Path, path: Path) -> None:
    start, update = home / "Start forcepool.sh", home / "Update forcepool.sh"
    began = time.monotonic()
    # A session of its own: ended as a window is that one closes, with all that runs in it.
    first = subprocess.Popen([start, "--no-browser"], cwd="/", start_new_session=True)
    try:
        address = _answers(home, first)
        assert b"east-1941" in _page(address), "the front page does not have the demonstration"
        assert _page(f"{address}c/east-1941"), "the demonstration does not open"
        print(f"the first start took {time.monotonic() - began:.0f} s")
        again = subprocess.run([start, "--no-browser"], cwd="/", capture_output=True, text=True, check=True)
        assert "open already" in again.stdout, again.stdout
        busy = subprocess.run([update, path], cwd="/", capture_output=True, text=True, check=False)
        assert busy.returncode == 1, busy
        assert "Close its window first" in busy.stderr, busy.stderr
    finally:
        os.killpg(first.pid, signal.SIGINT)
        first.wait(PATIENCE)
    done = subprocess.run([update, path], cwd="/", capture_output=True, text=True, stdin=subprocess.DEVNULL, check=True)
    version = json.loads((home / "program/contents.json").read_text("utf-8"))["version"]
    assert f"This is forcepool {version} now." in done.stdout, done.stdout
    assert list(home.glob("campaigns/before*/east-1941.fp")), "the update copied no campaign"
    assert shutil.which("Start forcepool.sh", path=str(home)), "after the update the start file cannot be run"


def _answers(home: Path, process: "subprocess.Popen[bytes]") -> str:
    for _ in range(PATIENCE * 4):
        assert process.poll() is None, "it ended instead of starting"
        time.sleep(1 / 4)
        running = home / "environment/running.txt"
        if running.exists() and (address := running.read_text("utf-8")):
            try:
                _page(address)
            except OSError:
                continue
            return address
    raise AssertionError(f"no answer in {PATIENCE} seconds")


def _page(address: str) -> bytes:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=PATIENCE) as answer:
        found: bytes = answer.read()
        return found


if __name__ == "__main__":
    sys.exit(main())
