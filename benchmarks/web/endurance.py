"""Twenty seats with fifty streams for ten minutes; then the same while one seat asks for the dearest there is.

    python benchmarks/web/endurance.py --minutes 10

A campaign of 3,000 units and 5,000 entries on a public server. The seats look at pages and give orders, thinking 4 s on
the average. Goals: memory flat, nothing lost, p95 under 100 ms; and while a twenty-first seat sends one after another,
four at a time, the dearest requests that it may, the others' p95 under 67 ms: a third to spare. All share the machine.
"""

import argparse
import asyncio
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote, urlencode

import httpx2

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.web.__main__ import Player, _wait_for, lay_out  # noqa: E402

from forcepool import games  # noqa: E402
from forcepool.engine.acts import entry_in_words  # noqa: E402
from forcepool.engine.desk import Note  # noqa: E402
from forcepool.engine.journal import read_entry  # noqa: E402
from forcepool.store.open import campaign_file  # noqa: E402
from forcepool.store.sqlite import SqliteJournal  # noqa: E402
from forcepool.store.textfile import export_text  # noqa: E402
from forcepool.web.chair import HOST, OBSERVER, REFEREE, SIDE, Seat  # noqa: E402
from forcepool.web.registry import FILE, Registry  # noqa: E402
from forcepool.web.security import COOKIE, Signer, new_session  # noqa: E402

SEATS, STREAMS, ENTRIES, THINKS = 20, 50, 5_000, 4.0
PAGES = ("", "/pool", "/pools", "/journal", "/losses", "/map", "/order", "/rules")
BOUNDARY = "of-the-parts-of-a-form"
AT_A_TIME = 4
"""Requests that the greedy seat has under way."""


# --------------------------------------------------------------------------------------------- the campaign


def long_war(folder: Path) -> dict[str, list[str]]:
    """The war of the other benchmark, played on to its five thousandth entry; the units on the map, by side."""
    units = lay_out(folder)
    dice, number = random.Random(3), 0
    with campaign_file(folder / "war.fp", games.build_world) as campaign:
        while campaign.seq < ENTRIES:
            number += 1
            unit = dice.choice(units[("Axis", "Soviet")[number % 2]])
            order = {"command": "declare", "fact": "moved", "unit": unit, "value": bool(number % 3)}
            if number % 40:
                campaign.do(campaign.world.read_command(json.dumps(order).encode()))
            else:
                campaign.do(Note(text=f"note {number}"))
            if number % 100 == 0:
                campaign.undo()
    (folder / "units.json").write_text(json.dumps(units))
    return units


def exported(path: Path) -> str:
    with campaign_file(path, games.build_world) as campaign:
        world, history = campaign.world, campaign.history
        lines = export_text(campaign.journal, lambda entry: entry_in_words(world, entry, history))
        return "\n".join(lines) + "\n"


class Door:
    """Seats handed out as if invitations had been followed."""

    def __init__(self, folder: Path) -> None:
        self.registry = Registry(folder / FILE)
        self.signer = Signer(self.registry.secret)

    def cookie(self, seat: Seat, campaign: str = "war") -> str:
        session = new_session()
        _, word = self.registry.invite(campaign, seat)
        self.registry.accept(word, session)
        return f"{COOKIE}={self.signer.cookie(session)}"


# ---------------------------------------------------------------------------------------------- the players


class Times:
    """How long the answers took, by what was asked."""

    def __init__(self) -> None:
        self.pages: list[float] = []
        self.orders: list[float] = []

    def told(self) -> dict[str, Any]:
        return {
            name: {
                "count": len(took),
                "p50_ms": round(median(took) * 1000, 1) if took else None,
                "p95_ms": round(sorted(took)[int(len(took) * 0.95)] * 1000, 1) if took else None,
                "worst_ms": round(max(took) * 1000, 1) if took else None,
            }
            for name, took in (("pages", self.pages), ("orders", self.orders))
        }


class Seated(Player):
    """A player who goes on looking and ordering until told to stop."""

    def __init__(self, port: int, cookie: str, units: list[str], dice: random.Random) -> None:
        super().__init__(port, 0, cookie, "", units)
        self.dice, self.times, self.acknowledged = dice, Times(), dict[int, str]()

    async def go_on(self, until: float) -> None:
        await self.connect()
        await self.look()
        while True:
            await asyncio.sleep(self.dice.uniform(0, 2 * THINKS))
            if time.monotonic() > until:
                return
            if self.dice.random() < 0.4:
                await self.order()
            self.page = f"/c/war{self.dice.choice(PAGES)}"
            begun = time.perf_counter()
            await self.look()
            self.times.pages.append(time.perf_counter() - begun)

    async def ask(self, method: str, path: str, body: str = "") -> str:
        for _ in range(3):
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                return await super().ask(method, path, body)
            # The server hung up on someone who thought for long, just as the next request was on its way.
            await self.connect()
        raise SystemExit("the server hangs up")

    async def order(self) -> None:
        unit = self.dice.choice(self.units)
        order = json.dumps({"command": "declare", "fact": "moved", "unit": unit, "value": self.dice.random() < 0.5})
        begun = time.perf_counter()
        answer = await self.ask("POST", "/c/war/do", urlencode({"order": order, "token": self.token}))
        self.times.orders.append(time.perf_counter() - begun)
        self.acknowledged[json.loads(answer)["entry"]] = unit


async def streaming(port: int, cookie: str, heard: Counter[str]) -> None:
    """A page that waits for changes, and comes back whenever it is cut off."""
    while True:
        with suppress(OSError, asyncio.IncompleteReadError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /c/war/changes HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncookie: {cookie}\r\n\r\n".encode())
            heard["opened"] += 1
            try:
                while line := await reader.readline():
                    heard["entries"] += line.startswith(b"event: entry")
            finally:
                writer.close()
        await asyncio.sleep(1)


# -------------------------------------------------------------------------------------------- the greedy one


class Greedy:
    """Whoever asks for the dearest, again and again, and takes no hint."""

    def __init__(self, port: int, door: Door, units: dict[str, list[str]], journal: str) -> None:
        self.url, self.units = f"http://127.0.0.1:{port}", units["Axis"]
        file = f'--{BOUNDARY}\r\ncontent-disposition: form-data; name="journal"; filename="x.txt"\r\n\r\n'
        self.journal = f"{file}{journal}\r\n--{BOUNDARY}--\r\n".encode()
        self.door, self.number = door, 0
        self.cookies: dict[str, str] = {}

    def cookie(self, name: str, who: str) -> str:
        """A seat for each kind of request: what the last one has used up is not this one's."""
        roles = {"side": Seat(SIDE, "Axis"), "observer": Seat(OBSERVER), "referee": Seat(REFEREE), "host": Seat(HOST)}
        if name not in self.cookies:
            self.cookies[name] = self.door.cookie(roles[who], "" if who == "host" else "war")
        return self.cookies[name]

    def dearest(self) -> dict[str, tuple[str, str, str, dict[str, str]]]:
        """By name: who asks, how, where, and with which fields."""
        losses = "\n".join(self.units[:200])[:40_000]
        return {
            "verify": ("observer", "POST", "/c/war/job", {"kind": "verify"}),
            "judge again": ("side", "POST", "/c/war/job", {"kind": "rules"}),
            "report": ("side", "POST", "/c/war/job", {"kind": "report"}),
            "export": ("observer", "GET", "/c/war/export", {}),
            "a copy": ("referee", "GET", "/c/war/backup", {}),
            "rule search at its bound": ("observer", "GET", f"/c/war/rules?q={quote('a b c d e f g h i j k l')}", {}),
            "losses at their bound": ("side", "POST", "/c/war/losses/try", {"text": losses}),
            "order of battle at its bound": (
                "side",
                "POST",
                "/c/war/ob/text",
                {"text": "Jul 1 41\n" + "arrive 3x 4-6 Inf XX at Minsk\n" * 1_190},
            ),
            "options of all units": ("side", "GET", "/api/campaigns/war/options/{unit}", {}),
            "the whole history searched": ("observer", "GET", "/c/war/journal?words=zzz{number}", {}),
            "undo of a long stretch": ("referee", "POST", "/c/war/undo", {"to": "3000"}),
            "everything found": ("observer", "GET", "/c/war/find?q=a", {}),
            "biggest import": ("host", "POST", "/new/journal", {"name": "copy {number}", "journal": ""}),
        }

    async def ask(self, name: str, until: float, answers: Counter[str]) -> None:
        who, method, path, fields = self.dearest()[name]
        headers = {"cookie": self.cookie(name, who), "accept": "application/json"}
        async with httpx2.AsyncClient(base_url=self.url, headers=headers, timeout=120) as client:
            page = await client.get("/c/war" if who != "host" else "/")
            token = page.text.partition('data-token="')[2].partition('"')[0]
            while time.monotonic() < until:
                self.number += 1
                unit = quote(self.units[self.number % len(self.units)])
                at = path.replace("{unit}", unit).replace("{number}", str(self.number))
                sent = {key: value.replace("{number}", str(self.number)) for key, value in fields.items()}
                if method == "GET":
                    answer = await client.get(at)
                elif "journal" in fields:
                    # Put together by hand: this process must not be busy while it measures the others.
                    kind = {"content-type": f"multipart/form-data; boundary={BOUNDARY}"}
                    body = _parts(sent | {"token": token}) + self.journal
                    answer = await client.post(at, content=body, headers=kind)
                else:
                    answer = await client.post(at, data=sent | {"token": token})
                answers[str(answer.status_code)] += 1
                if answer.status_code == 429:
                    # Even the greediest program need not ask a thousand times a second.
                    await asyncio.sleep(0.05)


def _parts(fields: dict[str, str]) -> bytes:
    head = '--{}\r\ncontent-disposition: form-data; name="{}"\r\n\r\n{}\r\n'
    return "".join(head.format(BOUNDARY, *each) for each in fields.items() if each[0] != "journal").encode()


# ---------------------------------------------------------------------------------------------------- the run


def memory(pid: int) -> float | None:
    """Megabytes of a process; None where the system does not tell so easily."""
    with suppress(OSError, ValueError, StopIteration):
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return round(int(next(each for each in lines if each.startswith("VmRSS:")).split()[1]) / 1024, 1)
    return None


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "forcepool", "serve", str(folder), "--public", "--host", "127.0.0.1"]
    server = subprocess.Popen([*command, "--port", str(port), "--no-browser"], stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}")
        yield server, port
    finally:
        server.terminate()
        server.wait(30)


async def endure(port: int, pid: int, door: Door, units: dict[str, list[str]], args: Any) -> dict[str, Any]:
    heard: Counter[str] = Counter()
    sides = [("Axis", "Soviet")[number % 2] for number in range(SEATS)]
    cookies = [door.cookie(Seat(SIDE, side, name=f"player {number}")) for number, side in enumerate(sides)]
    streams = [asyncio.create_task(streaming(port, cookies[n % SEATS], heard)) for n in range(STREAMS)]

    def players(seed: int) -> list[Seated]:
        return [
            Seated(port, cookie, units[side], random.Random(seed + n))
            for n, (cookie, side) in enumerate(zip(cookies, sides, strict=True))
        ]

    sizes: list[float | None] = []

    async def weigh(until: float) -> None:
        while time.monotonic() < until:
            sizes.append(memory(pid))
            await asyncio.sleep(max(1.0, args.minutes * 3))

    report: dict[str, Any] = {"load_at_start": os.getloadavg()[0] if hasattr(os, "getloadavg") else None}
    until = time.monotonic() + 60 * args.minutes
    at_work = players(100)
    await asyncio.gather(weigh(until), *(each.go_on(until) for each in at_work))
    report["quiet"] = _times(at_work)
    # The first minutes fill what is kept of each page; after that nothing may grow.
    warm = sizes[len(sizes) // 3 :]
    report["memory_MB"] = {
        "start": sizes[0],
        "a third in": warm[0],
        "end": memory(pid),
        "most": max(warm, key=lambda each: each or 0),
    }
    acknowledged = _acknowledged(at_work)
    greedy = Greedy(port, door, units, args.journal)
    report["beside the dearest"] = {}
    for number, name in enumerate(greedy.dearest()):
        if args.only and args.only not in name:
            continue
        answers: Counter[str] = Counter()
        until = time.monotonic() + args.seconds
        at_work = players(1000 * (number + 2))
        asking = [asyncio.create_task(greedy.ask(name, until, answers)) for _ in range(AT_A_TIME)]
        await asyncio.gather(*(each.go_on(until) for each in at_work))
        for each in asking:
            each.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        report["beside the dearest"][name] = {"answers": dict(sorted(answers.items()))} | _times(at_work)
        acknowledged |= _acknowledged(at_work)
        print(name, json.dumps(report["beside the dearest"][name]), file=sys.stderr, flush=True)
    report["memory_MB"]["after the dearest"] = memory(pid)
    report["streams"] = dict(heard)
    report["acknowledged"] = acknowledged
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    return report


def _times(players: list[Seated]) -> dict[str, Any]:
    all_of_them = Times()
    for each in players:
        all_of_them.pages += each.times.pages
        all_of_them.orders += each.times.orders
    return all_of_them.told()


def _acknowledged(players: list[Seated]) -> dict[int, str]:
    return {entry: unit for each in players for entry, unit in each.acknowledged.items()}


def lost(path: Path, acknowledged: dict[int, str]) -> int:
    """Acknowledged entries that are not in the file as they were acknowledged."""
    found = {}
    with SqliteJournal.open(path) as journal:
        for sealed in journal.read(2):
            if sealed.seq in acknowledged:
                found[sealed.seq] = json.loads(bytes(read_entry(sealed).do)).get("unit")
    return sum(found.get(entry) != unit for entry, unit in acknowledged.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long the seats play undisturbed")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long beside each of the dearest requests")
    parser.add_argument("--only", default="", help="only the dearest requests whose name holds this")
    parser.add_argument("--campaign", default="", help="a folder to keep the campaign in, to spare making it again")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        kept = Path(args.campaign) if args.campaign else folder / "made"
        if not (kept / "units.json").exists():
            kept.mkdir(parents=True, exist_ok=True)
            long_war(kept)
        served = folder / "served"
        served.mkdir()
        shutil.copy(kept / "war.fp", served / "war.fp")
        units = json.loads((kept / "units.json").read_text())
        args.journal = exported(served / "war.fp")
        door = Door(served)
        with serving(served) as (server, port):
            report = asyncio.run(endure(port, server.pid, door, units, args))
        door.registry.close()
        acknowledged = report.pop("acknowledged")
        report |= {"entries_acknowledged": len(acknowledged), "entries_lost": lost(served / "war.fp", acknowledged)}
    print(
        json.dumps(
            {"run": "endurance", "minutes": args.minutes, "seats": SEATS, "streams": STREAMS, **report}, indent=1
        )
    )


if __name__ == "__main__":
    main()
