"""A server under load whose workers are killed, its database killed, cut off, full: what was acknowledged stays.

    python benchmarks/hosting/faults.py --workers-killed 500 --databases-killed 20

Players give orders through the API as fast as they are answered, in a few campaigns, two to a campaign; each order has
words of its own. They are told of everything that goes wrong and go on by themselves. Afterwards every order that was
acknowledged must stand in its journal, once; one that was refused with "nothing was recorded" must not. The disk of the
database is made full where this may mount a small one (Linux, as root).
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from benchmarks.hosting import ground  # noqa: E402

from forcepool import games  # noqa: E402
from forcepool.client import ApiError, Client  # noqa: E402
from forcepool.store.open import campaign_file  # noqa: E402
from forcepool.store.verify import verify  # noqa: E402
from tests.support.postgres import Server, running  # noqa: E402
from tests.support.proxy import Proxy  # noqa: E402

CAMPAIGNS, PLAYERS = 4, 8
NOTHING, UNSURE = "nothing of yours was recorded", "may be there or not"


class Player(threading.Thread):
    """Gives order after order, and notes what it was told of each."""

    def __init__(self, port: int, key: str, campaign: str, number: int) -> None:
        super().__init__(daemon=True)
        self.client = Client(f"http://127.0.0.1:{port}", key, campaign=campaign, timeout=30)
        self.campaign, self.number, self.stopping = campaign, number, threading.Event()
        self.taken: list[str] = []
        self.not_taken: list[str] = []
        self.told: Counter[str] = Counter()

    def run(self) -> None:
        count = 0
        while not self.stopping.is_set():
            count += 1
            text = f"player {self.number} order {count}"
            try:
                outcome = self.client.do({"command": "note", "text": text})
            except ApiError as error:
                self.told[str(error.status)] += 1
                if NOTHING in str(error) and UNSURE not in str(error):
                    self.not_taken.append(text)
                time.sleep(0.1)
                continue
            except OSError:
                # The worker is gone in the middle of it: nobody knows.
                self.told["cut off"] += 1
                time.sleep(0.05)
                continue
            if outcome:
                self.taken.append(text)
                self.told["taken"] += 1
            else:
                self.told[outcome.kind] += 1
                if outcome.kind == "stale" or (NOTHING in outcome.says and UNSURE not in outcome.says):
                    self.not_taken.append(text)


def judged(url: str, players: list[Player]) -> dict[str, Any]:
    lost = doubled = recorded_though_not = unsound = 0
    for name in sorted({player.campaign for player in players}):
        with campaign_file(f"{url}#{quote(name)}", games.build_world) as campaign:
            said: Counter[str] = Counter()
            for entry in campaign.entries():
                command = json.loads(bytes(entry.do))
                if isinstance(command, dict) and command.get("command") == "note":
                    said[command["text"]] += 1
            unsound += not verify(campaign.journal).sound
        mine = [player for player in players if player.campaign == name]
        lost += sum(not said[text] for player in mine for text in player.taken)
        doubled += sum(count > 1 for count in said.values())
        recorded_though_not += sum(bool(said[text]) for player in mine for text in player.not_taken)
    told: Counter[str] = sum((player.told for player in players), Counter())
    return {
        "acknowledged": sum(len(player.taken) for player in players),
        "lost": lost,
        "doubled": doubled,
        "recorded_though_told_not": recorded_though_not,
        "unsound_journals": unsound,
        "told": dict(sorted(told.items())),
    }


@contextmanager
def under_load(url: str, serves: str, workers: int) -> Iterator[tuple["subprocess.Popen[bytes]", list[Player]]]:
    with ground.register(url) as registry:
        keys = [
            (ground.keyed(registry, f"war {number % CAMPAIGNS}", f"p{number}"), number) for number in range(PLAYERS)
        ]
    with ground.serving(serves, workers) as (port, server):
        players = [Player(port, key, f"war {number % CAMPAIGNS}", number) for key, number in keys]
        for player in players:
            player.start()
        yield server, players
        went_on = [len(player.taken) for player in players]
        until = time.monotonic() + 60
        while time.monotonic() < until and any(
            len(player.taken) < before + 2 for player, before in zip(players, went_on, strict=True)
        ):
            time.sleep(0.1)
        stuck = sum(len(player.taken) < before + 2 for player, before in zip(players, went_on, strict=True))
        for player in players:
            player.stopping.set()
        for player in players:
            player.join(60)
        players[0].told["stuck afterwards"] += stuck


def workers_killed(server: "subprocess.Popen[bytes]", times: int, dice: random.Random) -> None:
    for _ in range(times):
        time.sleep(dice.uniform(0.2, 1.4))
        workers = ground.workers_of(server)
        if workers != [server.pid]:
            with suppress(ProcessLookupError):
                os.kill(dice.choice(workers), signal.SIGKILL)


def databases_killed(postgres: Server, times: int, dice: random.Random) -> None:
    for _ in range(times):
        time.sleep(dice.uniform(1.0, 2.5))
        postgres.kill()
        time.sleep(dice.uniform(0.1, 1.5))
        postgres.start()


def network_cut(proxy: Proxy, times: int, dice: random.Random) -> None:
    for number in range(times):
        time.sleep(dice.uniform(1.0, 2.0))
        if number % 2:
            proxy.open = False
            proxy.cut()
            time.sleep(dice.uniform(0.2, 2.0))
            proxy.open = True
        else:
            # Nothing comes through and nobody says so, for longer than anyone waits.
            proxy.swallows = True
            time.sleep(12)
            proxy.swallows = False
            proxy.cut()


@contextmanager
def small_disk(megabytes: int, owner: int) -> Iterator[Path | None]:
    """A disk of its own that fills soon; None where none can be mounted."""
    with tempfile.TemporaryDirectory() as text:
        place = Path(text, "disk")
        place.mkdir()
        os.chmod(text, 0o755)
        mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(place)]
        if subprocess.run(mount, check=False, capture_output=True).returncode:
            yield None
            return
        try:
            os.chown(place, owner, owner)
            yield place
        finally:
            subprocess.run(["umount", "-l", str(place)], check=False)


def disk_full(postgres: Server, place: Path, url: str, players: list[Player]) -> None:
    """Fill the disk that the entries lie on until orders are refused, then make room."""
    time.sleep(3)
    hog = place / "hog"
    with hog.open("wb") as file, suppress(OSError):
        while True:
            file.write(bytes(1 << 16))
    time.sleep(6)
    hog.unlink()


def tried(name: str, postgres: Server, begun: Path, what: Callable[..., None], workers: int = 2) -> dict[str, Any]:
    """One kind of fault under load, and what came of it."""
    url = postgres.new()
    ground.in_database(begun, url, CAMPAIGNS)
    started = time.monotonic()
    dice = random.Random(name)
    with under_load(url, url, workers) as (server, players):
        what(server, dice)
    found = judged(url, players)
    print(json.dumps({name: found}), file=sys.stderr, flush=True)
    return found | {"seconds": round(time.monotonic() - started)}


def tried_full(postgres: Server, begun: Path) -> dict[str, Any] | str:
    import pwd

    owner = pwd.getpwnam("postgres").pw_uid if os.getuid() == 0 else os.getuid()
    with small_disk(24, owner) as place:
        if place is None:
            return "no small disk could be mounted here"
        with psycopg.connect(postgres.url("postgres"), autocommit=True) as db:
            db.execute(f"create tablespace small location '{place}'".encode())
        url = postgres.new()
        ground.in_database(begun, url, CAMPAIGNS)
        with psycopg.connect(url, autocommit=True) as db:
            db.execute("alter table forcepool.entry set tablespace small")
        with under_load(url, url, 2) as (_, players):
            disk_full(postgres, place, url, players)
        found = judged(url, players)
        print(json.dumps({"disk full": found}), file=sys.stderr, flush=True)
        with psycopg.connect(url, autocommit=True) as db:
            db.execute("alter table forcepool.entry set tablespace pg_default")
        with psycopg.connect(postgres.url("postgres"), autocommit=True) as db:
            db.execute("drop tablespace small")
        return found


def tried_cut(postgres: Server, begun: Path, times: int) -> dict[str, Any]:
    url, proxy = postgres.new(), Proxy(postgres.port)
    ground.in_database(begun, url, CAMPAIGNS)
    with under_load(url, url.replace(f":{postgres.port}/", f":{proxy.port}/"), 2) as (_, players):
        network_cut(proxy, times, random.Random("cut"))
    proxy.close()
    found = judged(url, players)
    print(json.dumps({"network cut": found}), file=sys.stderr, flush=True)
    return found


def main() -> None:
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--workers-killed", type=int, default=500)
    options.add_argument("--databases-killed", type=int, default=20)
    options.add_argument("--networks-cut", type=int, default=6)
    wish = options.parse_args()
    report: dict[str, Any] = {"run": "hosting faults", **vars(wish), "players": PLAYERS}
    with tempfile.TemporaryDirectory() as text, running() as postgres:
        begun = Path(text, "war.fp")
        ground.lay_out(begun, 60)
        kills = wish.workers_killed
        report["disk full"] = tried_full(postgres, begun)
        if wish.networks_cut:
            report["network cut"] = tried_cut(postgres, begun, wish.networks_cut)
        if wish.databases_killed:
            report["databases killed"] = tried(
                "databases killed",
                postgres,
                begun,
                lambda server, dice: databases_killed(postgres, wish.databases_killed, dice),
            )
        if kills:
            report["workers killed"] = tried(
                "workers killed", postgres, begun, lambda server, dice: workers_killed(server, kills, dice), 4
            )
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
