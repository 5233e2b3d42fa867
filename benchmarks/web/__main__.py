"""The pages under 20 players at once, 3,000 units; and fava's pages on a ledger of 20,000 entries in the same run.

    python benchmarks/run.py web

An action is a form sent and the page fetched again; the time is from the click to the updated page in hand. Goals: p95
under 100 ms, a page of at most 200 kB before compression. Players share two cores with the server; each thinks 4 s
between actions on the average, in other runs 1 s, and none at all: the goal does not say, so all three are told.
"""

import asyncio
import json
import random
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import httpx2

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT))

from forcepool import games  # noqa: E402
from forcepool.engine.desk import Advance  # noqa: E402
from forcepool.files.yamltext import read_yaml  # noqa: E402
from forcepool.store.open import campaign_file, create_campaign  # noqa: E402
from tests.support.armies import war  # noqa: E402

UNITS, PLAYERS, ACTIONS = 3000, 20, 10
PAUSES = (4.0, 1.0, 0.0)
PAGES = ("", "/pool", "/losses", "/pools", "/ob", "/reserves", "/air", "/map", "/rules", "/journal", "/order")
PEER_FOLDER = ROOT / "build" / "fava"
TOKEN = re.compile(r'data-token="([0-9a-f]+)"')
SEQ = re.compile(r'data-seq="([0-9]+)"')


def lay_out(folder: Path) -> list[str]:
    """A war of 3,000 units; returns those on the map."""
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
    with campaign_file(folder / "war.fp", games.build_world) as campaign:
        # The phase that asks most of a player.
        while campaign.world.phase(campaign.state) != "replacement":
            campaign.do(Advance())
    return sorted(unit.id for unit in set_up.state.units.values() if unit.place.on_map)


class Player:
    """One player with a browser of their own: declares units moved, and looks at the page again each time."""

    def __init__(self, url: str, page: str, units: list[str]) -> None:
        self.client = httpx2.AsyncClient(base_url=url, timeout=60, headers={"accept-encoding": "gzip"})
        self.page, self.units, self.took = f"/c/war{page}", units, list[float]()
        self.token = self.seq = ""

    async def look(self) -> None:
        answer = await self.client.get(self.page)
        self.token, self.seq = _found(TOKEN, answer.text), _found(SEQ, answer.text)

    async def play(self, pause: float, dice: random.Random) -> None:
        await self.look()
        for unit in self.units[:ACTIONS]:
            await asyncio.sleep(dice.uniform(0, 2 * pause))
            order = json.dumps({"command": "declare", "fact": "moved", "unit": unit, "value": True})
            begun = time.perf_counter()
            done = await self.client.post(
                "/c/war/do",
                data={"order": order, "seen": self.seq, "token": self.token},
                headers={"accept": "application/json"},
            )
            assert done.status_code == 200, done.text
            await self.look()
            self.took.append(time.perf_counter() - begun)


def _found(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    assert found, text[:200]
    return found[1]


async def run(url: str, page: str, units: list[str], pause: float) -> dict[str, Any]:
    share = len(units) // PLAYERS
    players = [Player(url, page, units[n * share : (n + 1) * share]) for n in range(PLAYERS)]
    dice = random.Random(1)
    begun = time.perf_counter()
    await asyncio.gather(*(player.play(pause, dice) for player in players))
    seconds = time.perf_counter() - begun
    took = sorted(each for player in players for each in player.took)
    for player in players:
        await player.client.aclose()
    return {
        "page": page or "/",
        "pause_s": pause,
        "actions": len(took),
        "a_second": round(len(took) / seconds, 1),
        "p50_ms": round(median(took) * 1000, 1),
        "p95_ms": round(took[int(len(took) * 0.95)] * 1000, 1),
    }


def sizes(url: str) -> list[dict[str, Any]]:
    """Each page's size and time, for one player alone."""
    found = []
    with httpx2.Client(base_url=url, timeout=60) as client:
        for page in PAGES:
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
        units = lay_out(folder)
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "forcepool", "serve", str(folder), "--port", str(port), "--no-browser"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_for(url)
            report = {"sizes": sizes(url), "runs": []}
            random.Random(2).shuffle(units)
            cases = [(page, pause) for pause in PAUSES for page in ("", "/pool")]
            part = len(units) // len(cases)
            for number, (page, pause) in enumerate(cases):
                report["runs"].append(asyncio.run(run(url, page, units[number * part : (number + 1) * part], pause)))
        finally:
            server.terminate()
            server.wait(10)
    return report


def _wait_for(url: str) -> None:
    for _ in range(200):
        try:
            httpx2.get(f"{url}/c/war", timeout=60)
            return
        except httpx2.TransportError:
            time.sleep(0.1)
    raise SystemExit("the server did not start")


def peer() -> dict[str, Any]:
    """fava's income statement and journal, through its own test client, on 20,000 entries."""
    python = PEER_FOLDER / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(PEER_FOLDER)], check=True)
        done = subprocess.run(
            [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "fava"], check=False
        )
        if done.returncode:
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
