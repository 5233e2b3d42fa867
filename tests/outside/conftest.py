"""A public server in a process of its own, and players who reach it over the net and know nothing of its inside."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from forcepool.cli.files import begin_campaign


class Player:
    """Someone with a browser: keeps cookies, brings tokens back."""

    def __init__(self, url: str) -> None:
        self.url, self.token = url, ""
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(self, path: str, data: dict[str, Any] | None = None, *, wait: float = 60) -> tuple[int, str]:
        """The status and the text of an answer; data make it a form."""
        body = urlencode({"token": self.token} | data).encode() if data is not None else None
        request = urllib.request.Request(self.url + path, data=body)
        if data is not None:
            request.add_header("accept", "application/json")
        try:
            with self.opener.open(request, timeout=wait) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read().decode()
        if found := re.search(r'data-token="([0-9a-f]+)"', text):
            self.token = found[1]
        return status, text

    def do(self, order: dict[str, Any], **fields: str) -> tuple[int, dict[str, Any]]:
        status, text = self.ask("/c/east/do", {"order": json.dumps(order)} | fields)
        return status, json.loads(text)


class Outside:
    """The server's process, its folder, and the way in."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "east.fp"
        begin_campaign(str(self.file), "smolensk")
        command = [sys.executable, "-m", "forcepool", "serve", str(folder), "--public", "--json", "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None
        told = ""
        while "}" not in told:
            line = self.process.stdout.readline()
            assert line, self.process.communicate()[1]
            told += line
        started = json.loads(told)
        self.url = re.sub(r"(http://[^/]+).*", r"\1", started["url"])
        self.host = self.player()
        self._follow(self.host, started["invitation"])

    def player(self) -> Player:
        return Player(self.url)

    def seated(self, side: str) -> Player:
        self.host.ask("/c/east/seats")
        _, page = self.host.ask("/c/east/seats/invite", {"role": "side", "side": side, "name": side})
        link = re.search(r"http://[^<\s]+/join/[\w-]+", page)
        assert link
        player = self.player()
        self._follow(player, link[0])
        player.ask("/c/east")
        return player

    def _follow(self, player: Player, link: str) -> None:
        path = re.sub(r"http://[^/]+", "", link)
        player.ask(path)
        player.ask(path, {})
        player.ask("/")

    def end(self) -> tuple[int, str]:
        self.process.terminate()
        _, errors = self.process.communicate(timeout=30)
        return self.process.returncode, errors


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    server = Outside(tmp_path)
    yield server
    if server.process.poll() is None:
        _, errors = server.end()
        assert "Traceback" not in errors, errors
