"""A club's server: 1,000 campaigns of 500 units, 200 seats, two workers over PostgreSQL; and one process over files.

    python benchmarks/run.py hosting
    python benchmarks/hosting --minutes 1 --campaigns 100 --seats 20

An action is an order sent and the page fetched again; the time is from the click to the updated page in hand. A seat
plays in one of its campaigns for a while, thinking 4 s on the average, then in another. All share the machine: players,
workers and database. Goals: p95 under 100 ms, no entry lost or doubled, a worker's memory bounded, and a campaign that
nobody had open back in under 50 ms.
"""

import argparse
import asyncio
import gzip
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote, urlencode

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.hosting import ground  # noqa: E402
from benchmarks.web.__main__ import LENGTH, SEQ, TOKEN, _found  # noqa: E402

from forcepool import games  # noqa: E402
from forcepool.engine.journal import read_entry  # noqa: E402
from forcepool.store.database import Database  # noqa: E402
from forcepool.store.open import open_journal  # noqa: E402
from forcepool.store.stock import Folder, Stock  # noqa: E402
from tests.support.postgres import running  # noqa: E402

THINKS = 4.0
STAYS = 0.9
"""How likely a seat goes on in the campaign where it gave its last order."""
BROUGHT_BACK = 30


class Player:
    """One seat with a line of its own, as little as it can be: it shares the machine with the server."""

    def __init__(self, port: int, number: int, cookie: str, campaigns: list[str], units: list[str]) -> None:
        self.port, self.campaigns = port, campaigns
        self.left = {name: list(units) for name in campaigns}
        # Each from a machine of his own, as a proxy would tell it.
        far = f"x-forwarded-for: 10.0.{number // 250}.{number % 250 + 1}\r\n"
        self.headers = f"host: 127.0.0.1:{port}\r\ncookie: {cookie}\r\n{far}accept-encoding: gzip\r\n"
        self.took: list[float] = []
        self.taken: list[tuple[str, str, int]] = []
        self.refused = self.connects = 0

    async def connect(self) -> None:
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        self.connects += 1

    async def ask(self, method: str, path: str, body: str = "") -> tuple[int, str]:
        told = "accept: application/json\r\ncontent-type: application/x-www-form-urlencoded\r\n" if body else ""
        head = f"{method} {path} HTTP/1.1\r\n{self.headers}{told}content-length: {len(body)}\r\n\r\n"
        if self.reader.at_eof():
            await self.connect()
        self.writer.write((head + body).encode())
        answer = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        content = await self.reader.readexactly(int(_found(LENGTH, answer.decode())))
        text = (gzip.decompress(content) if b"content-encoding: gzip" in answer else content).decode()
        return int(answer.split()[1]), text

    async def play(self, until: float, dice: random.Random) -> None:
        await asyncio.sleep(dice.uniform(0, THINKS))
        await self.connect()
        name, token, seq = "", "", ""
        while time.monotonic() < until:
            if not name or dice.random() > STAYS:
                name = dice.choice(self.campaigns)
                status, page = await self.ask("GET", f"/c/{quote(name)}")
                assert status == 200, page[:300]
                token, seq = _found(TOKEN, page), _found(SEQ, page)
            await asyncio.sleep(dice.uniform(0, 2 * THINKS))
            if not self.left[name]:
                return
            unit = self.left[name].pop()
            order = json.dumps({"command": "declare", "fact": "moved", "unit": unit, "value": True})
            begun = time.perf_counter()
            form = urlencode({"order": order, "seen": seq, "token": token})
            status, told = await self.ask("POST", f"/c/{quote(name)}/do", form)
            if status != 200:
                self.refused += 1
                name = ""
                continue
            self.taken.append((name, unit, json.loads(told)["entry"]))
            _, page = await self.ask("GET", f"/c/{quote(name)}")
            token, seq = _found(TOKEN, page), _found(SEQ, page)
            self.took.append(time.perf_counter() - begun)


def played(place: Path | str, wish: argparse.Namespace, units: list[str], workers: int) -> dict[str, Any]:
    """What comes of so many minutes."""
    with ground.register(place) as registry:
        seats = ground.seated(registry, wish.seats, ground.names(wish.campaigns))
    with ground.serving(place, workers) as (port, server):
        time.sleep(3)
        players = [Player(port, number, cookie, own, units) for number, (cookie, own) in enumerate(seats)]
        begun = [round(ground.memory(each)) for each in ground.workers_of(server)]

        async def all_of_them() -> None:
            until, dice = time.monotonic() + 60 * wish.minutes, random.Random(1)
            await asyncio.gather(*(player.play(until, dice) for player in players))

        asyncio.run(all_of_them())
        held = [round(ground.memory(each)) for each in ground.workers_of(server)]
    took = sorted(each for player in players for each in player.took)
    return {
        "workers": workers,
        "actions": len(took),
        "a_second": round(len(took) / 60 / wish.minutes, 1),
        "p50_ms": round(median(took) * 1000, 1),
        "p95_ms": round(took[int(len(took) * 0.95)] * 1000, 1),
        "p99_ms": round(took[int(len(took) * 0.99)] * 1000, 1),
        "not_200": sum(player.refused for player in players),
        **checked(place, players),
        "worker_MB_before": begun,
        "worker_MB_after": held,
        "brought_back_ms": brought_back(place, wish.campaigns),
    }


def checked(place: Path | str, players: list[Player]) -> dict[str, int]:
    """Whether every order that was acknowledged stands in its journal, once."""
    by_campaign: dict[str, list[tuple[str, int]]] = {}
    for player in players:
        for name, unit, entry in player.taken:
            by_campaign.setdefault(name, []).append((unit, entry))
    lost = doubled = 0
    for name, orders in by_campaign.items():
        where = place / f"{name}.fp" if isinstance(place, Path) else f"{place}#{quote(name)}"
        with open_journal(where) as journal:
            entries = {sealed.seq: read_entry(sealed) for sealed in journal.read(2)}
        for unit, number in orders:
            said = [entry.n for entry in entries.values() if f'"{unit}"'.encode() in bytes(entry.do)]
            lost += number not in said
            doubled += len(said) > 1
    return {"campaigns_played": len(by_campaign), "lost": lost, "doubled": doubled}


def brought_back(place: Path | str, count: int) -> dict[str, float]:
    """Milliseconds until a campaign that nobody has open can be played."""
    stock: Stock = Folder(place) if isinstance(place, Path) else Database(place)
    took = []
    for number in range(BROUGHT_BACK):
        begun = time.perf_counter()
        stock.open(f"war {number * 7 % count}", games.build_world).journal.close()
        took.append((time.perf_counter() - begun) * 1000)
    stock.close()
    took.sort()
    return {"p50": round(median(took), 1), "p95": round(took[int(len(took) * 0.95)], 1)}


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--minutes", type=float, default=10.0)
    options.add_argument("--campaigns", type=int, default=1000)
    options.add_argument("--seats", type=int, default=200)
    options.add_argument("--units", type=int, default=500)
    options.add_argument("--workers", type=int, default=2)
    wish = options.parse_args()
    report: dict[str, Any] = {"run": "hosting", **vars(wish), "thinks_s": THINKS}
    with tempfile.TemporaryDirectory() as text, running() as postgres:
        folder, begun = Path(text, "campaigns"), Path(text, "war.fp")
        folder.mkdir()
        units, url = ground.lay_out(begun, wish.units), postgres.new()
        ground.in_database(begun, url, wish.campaigns)
        report["postgresql"] = played(url, wish, units, wish.workers)
        print(json.dumps(report["postgresql"]), file=sys.stderr, flush=True)
        ground.in_folder(begun, folder, wish.campaigns)
        report["sqlite"] = played(folder, wish, units, 1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
