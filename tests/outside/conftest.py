"""A public server in a process of its own, and players who reach it over the net and know nothing of its inside."""

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from forcepool.cli.files import begin_campaign

PATIENCE = 120
"""Seconds that a busy machine is waited for."""


def forcepool(*words: object) -> "subprocess.CompletedProcess[str]":
    """The command line, as a program of its own."""
    return subprocess.run(
        [sys.executable, "-m", "forcepool", *map(str, words)], capture_output=True, text=True, check=False
    )


def told_by(*words: object) -> Any:
    """What a command says to programs."""
    ran = forcepool(*words, "--json")
    assert ran.stdout.strip(), ran.stderr
    return json.loads(ran.stdout)


class Player:
    """Someone with a browser: keeps cookies, brings tokens back."""

    def __init__(self, url: str, campaign: str = "east") -> None:
        self.url, self.campaign, self.token, self.key = url, f"/c/{quote(campaign)}", "", ""
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))

    def ask(
        self, path: str, data: dict[str, Any] | None = None, *, wait: float = PATIENCE, **headers: str
    ) -> tuple[int, str]:
        """The status and the text of an answer; data make it a form."""
        body = urlencode({"token": self.token} | data).encode() if data is not None else None
        return self._asked(path, body, ({"accept": "application/json"} if data is not None else {}) | headers, wait)

    def program(self, path: str, data: dict[str, Any], **headers: str) -> tuple[int, Any]:
        """What a program with the seat's key is told."""
        if not self.key:
            _, page = self.ask(f"{self.campaign}/seats/key", {})
            found = re.search(r"fp_[\w-]{20,}", page)
            assert found, page
            self.key = found[0]
        told = {"authorization": f"Bearer {self.key}", "content-type": "application/json"} | headers
        stranger = Player(self.url)
        status, text = stranger._asked(f"/api/campaigns/east{path}", json.dumps(data).encode(), told, PATIENCE)
        return status, json.loads(text)

    def _asked(self, path: str, body: bytes | None, headers: dict[str, str], wait: float) -> tuple[int, str]:
        request = urllib.request.Request(self.url + path, data=body)
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        try:
            with self.opener.open(request, timeout=wait) as answer:
                status, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                status, text = error.code, error.read().decode()
        if found := re.search(r'data-token="([0-9a-f]+)"', text):
            self.token = found[1]
        return status, text

    def do(self, order: dict[str, Any], **fields: str) -> tuple[int, dict[str, Any]]:
        status, text = self.ask(f"{self.campaign}/do", {"order": json.dumps(order)} | fields)
        return status, json.loads(text)


class Outside:
    """The server's process, its folder, and the way in."""

    def __init__(self, folder: Path, *words: str, name: str = "east", program: tuple[str, ...] = ("-m", "forcepool")):
        self.folder, self.file, self.name = folder, folder / f"{name}.fp", name
        if not self.file.exists():
            begin_campaign(str(self.file), "smolensk")
        command = [sys.executable, *program, "serve", str(folder), "--public", "--json", "--no-browser", *words]
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
        if started["invitation"]:
            self._follow(self.host, started["invitation"])

    def player(self) -> Player:
        return Player(self.url, self.name)

    def seated(self, side: str, role: str = "side", front: str = "", name: str = "") -> Player:
        """Someone who has followed an invitation."""
        player = self.player()
        self._follow(player, self.invitation(side, role, front, name))
        player.ask(player.campaign)
        return player

    def invitation(self, side: str, role: str = "side", front: str = "", name: str = "") -> str:
        self.host.ask(f"{self.host.campaign}/seats")
        wish = {"role": role, "side": side, "front": front, "name": name or side or role}
        _, page = self.host.ask(f"{self.host.campaign}/seats/invite", wish)
        link = re.search(r"https?://[^<\s]+/join/[\w-]+", page)
        assert link, page
        return link[0]

    def _follow(self, player: Player, link: str) -> None:
        path = re.sub(r"https?://[^/]+", "", link)
        player.ask(path)
        player.ask(path, {})
        player.ask("/")

    def end(self) -> tuple[int, str]:
        self.process.terminate()
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors


Begin = Callable[..., Outside]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Starts servers; none of them may have stumbled."""
    servers: list[Outside] = []

    def started(*words: str, folder: Path = tmp_path / "served", **options: Any) -> Outside:
        folder.mkdir(exist_ok=True)
        servers.append(Outside(folder, *words, **options))
        return servers[-1]

    yield started
    for server in servers:
        if server.process.poll() is None:
            _, errors = server.end()
            assert "Traceback" not in errors, errors


@pytest.fixture
def outside(begin: Begin) -> Outside:
    return begin()
