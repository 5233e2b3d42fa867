"""The pages under 20 players at once, 3,000 units; and fava's pages on a ledger of 20,000 entries in the same run.

    python benchmarks/run.py web

An action is a form sent and the page fetched again; the time is from the click to the updated page in hand. Goals: p95
under 100 ms for 100 players who think 4 s between actions on the average, and under 40 ms for 20 who do not think; a
page of at most 200 kB before compression. The server is public and the players have seats, half of them on each side;
they share two cores with it. 20 who think 4 s and 1 s are told besides.
"""

import asyncio
import gzip
import json
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import urlencode

import httpx2

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from forcepool import games  # noqa: E402
from forcepool.engine.desk import Advance  # noqa: E402
from forcepool.files.yamltext import read_yaml  # noqa: E402
from forcepool.store.open import campaign_file, create_campaign  # noqa: E402
from forcepool.web.chair import SIDE, Seat  # noqa: E402
from forcepool.web.registry import FILE, Registry  # noqa: E402
from forcepool.web.security import COOKIE, Signer, new_session  # noqa: E402
from tests.support.armies import war  # noqa: E402

UNITS, PLAYERS, CROWD = 3000, 20, 100
RUNS = ((PLAYERS, 4.0, 5), (PLAYERS, 1.0, 10), (PLAYERS, 0.0, 30), (CROWD, 4.0, 4))
"""How many play, the seconds they think between two actions on the average, and how often each acts."""
FIRST = ("", "/pool", "/losses", "/pools", "/pools/could", "/ob", "/ob/text", "/arrivals", "/factories", "/reserves")
PAGES = (
    *FIRST,
    "/air",
    "/map",
    "/rules",
    "/house",
    "/journal",
    "/order",
    "/find?q=Inf",
    "/print",
    "/seats",
    "/forecast",
)
PEER_FOLDER = ROOT / "build" / "fava"
TOKEN = re.compile(r'data-token="([0-9a-f]+)"')
SEQ = re.compile(r'data-seq="([0-9]+)"')
LENGTH = re.compile("content-length: ([0-9]+)")


def lay_out(folder: Path) -> dict[str, list[str]]:
    """A war of 3,000 units; returns those on the map, by side."""
    set_up = games.game("europa").set_up(read_yaml(war(UNITS), "war.yaml"), ())
    create_campaign(
        folder / "war.fp",
        game="europa",
        title="war",
        ruleset="benchmark",
        world=set_up.world,
        state=set_up.state,
        seed=b"x" * 32,
    )
    units: dict[str, list[str]] = {"Axis": [], "Soviet": []}
    with campaign_file(folder / "war.fp", games.build_world) as campaign:
        world = campaign.world
        # The phase that asks most of a player.
        while world.phase(campaign.state) != "replacement":
            campaign.do(Advance())
        for unit in campaign.state.units_in_order():
            if unit.place.on_map:
                units[world.side_of(unit.spec.nation)].append(unit.id)
    for each in units.values():
        random.Random(2).shuffle(each)
    return units


def seated(folder: Path) -> list[tuple[str, str]]:
    """Seats for all players, as if they had followed their invitations: the side and cookie of each."""
    registry, found = Registry(folder / FILE), []
    signer = Signer(registry.secret)
    for number in range(CROWD):
        side, session = ("Axis", "Soviet")[number % 2], new_session()
        _, word = registry.invite("war", Seat(SIDE, side, name=f"player {number}"))
        registry.accept(word, session)
        found.append((side, f"{COOKIE}={signer.cookie(session)}"))
    registry.close()
    return found


class Player:
    """One player with a line of their own: declares units moved, and looks at the page again each time.

    Browsers run on the players' machines; here they share the server's, so this one does as little as it can.
    """

    def __init__(self, port: int, number: int, cookie: str, page: str, units: list[str]) -> None:
        self.port, self.page, self.units, self.took = port, f"/c/war{page}", units, list[float]()
        # Each from a machine of his own, as a proxy would tell it.
        far = f"x-forwarded-for: 10.0.0.{number + 1}\r\n"
        self.headers = f"host: 127.0.0.1:{port}\r\ncookie: {cookie}\r\n{far}accept-encoding: gzip\r\n"
        self.token = self.seq = ""

    async def ask(self, method: str, path: str, body: str = "") -> str:
        told = "accept: application/json\r\ncontent-type: application/x-www-form-urlencoded\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\n{self.headers}{told}content-length: {len(body)}\r\n\r\n"
        if self.reader.at_eof():  # The server has hung up on someone who thought for long.
            await self.connect()
        self.writer.write((head + body).encode())
        answer = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        content = await self.reader.readexactly(int(_found(LENGTH, answer.decode())))
        text = (gzip.decompress(content) if b"content-encoding: gzip" in answer else content).decode()
        assert b" 200 " in answer.partition(b"\r\n")[0], text
        return text

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)

    async def look(self) -> None:
        page = await self.ask("GET", self.page)
        self.token, self.seq = _found(TOKEN, page), _found(SEQ, page)

    async def play(self, pause: float, dice: random.Random) -> None:
        await self.connect()
        await self.look()
        for unit in self.units:
            await asyncio.sleep(dice.uniform(0, 2 * pause))
            order = json.dumps({"command": "declare", "fact": "moved", "unit": unit, "value": True})
            begun = time.perf_counter()
            await self.ask("POST", "/c/war/do", urlencode({"order": order, "seen": self.seq, "token": self.token}))
            await self.look()
            self.took.append(time.perf_counter() - begun)
        self.writer.close()


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    assert found, text[:200]
    return found[1]


async def run(page: str, players: list[Player], pause: float) -> dict[str, Any]:
    dice = random.Random(1)
    begun = time.perf_counter()
    await asyncio.gather(*(player.play(pause, dice) for player in players))
    seconds = time.perf_counter() - begun
    took = sorted(each for player in players for each in player.took)
    return {
        "page": page or "/",
        "players": len(players),
        "pause_s": pause,
        "actions": len(took),
        "a_second": round(len(took) / seconds, 1),
        "p50_ms": round(median(took) * 1000, 1),
        "p95_ms": round(took[int(len(took) * 0.95)] * 1000, 1),
    }


def sizes(url: str, cookies: list[str]) -> list[dict[str, Any]]:
    """Each page's size and time, each asked for by another player: who asks for many in a row gives way to others."""
    found = []
    for page, cookie in zip(PAGES, cycle(cookies), strict=False):
        with httpx2.Client(base_url=url, timeout=60, headers={"cookie": cookie}) as client:
            took = []
            for _ in range(3):
                begun = time.perf_counter()
                answer = client.get(f"/c/war{page}")
                took.append(time.perf_counter() - begun)
            if answer.status_code == 200:
                found.append(
                    {"page": page or "/", "kB": round(len(answer.content) / 1000, 1), "ms": round(min(took) * 1000, 1)}
                )
    return found


def ours() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        units, seats = lay_out(folder), seated(folder)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        options = ["--public", "--host", "127.0.0.1", "--port", str(port), "--no-browser"]
        command = [sys.executable, "-m", "forcepool", "serve", str(folder), *options]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_for(url)
            report: dict[str, Any] = {
                "sizes": sizes(url, [cookie for side, cookie in seats if side == "Axis"]),
                "runs": [],
            }
            for count, pause, actions in RUNS:
                for page in ("", "/pool"):
                    players = [
                        Player(port, number, cookie, page, [units[side].pop() for _ in range(actions)])
                        for number, (side, cookie) in enumerate(seats[:count])
                    ]
                    report["runs"].append(asyncio.run(run(page, players, pause)))
        finally:
            server.terminate()
            server.wait(10)
    return report


def _wait_for(url: str) -> None:
    for _ in range(200):
        try:
            httpx2.get(url, timeout=60)
            return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


def peer() -> dict[str, Any]:
    """fava's income statement and journal, through its own test client, on 20,000 entries."""
    python = PEER_FOLDER / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER_FOLDER)], check=True)
        installed = subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "fava"], check=False
        )
        if installed.returncode:
            shutil.rmtree(PEER_FOLDER, ignore_errors=True)
            return {"missing": "fava could not be installed; is this machine offline?"}
    done = subprocess.run([str(python), str(HERE / "peer.py")], capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        return {"missing": done.stderr.splitlines()[-1] if done.stderr else "fava failed"}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    print(json.dumps({"run": "web", "units": UNITS, "players": PLAYERS, "ours": ours(), "fava": peer()}, indent=1))


if __name__ == "__main__":
    main()
