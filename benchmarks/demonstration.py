"""The demonstration, two sides on a map of fourteen thousand hexes, as one player meets it.

    python benchmarks/run.py demonstration

The turn page after each order of one player (goal: p95 under 30 ms), a bot's turn (0.4 s), a forecast of twelve turns
(5 s), and commands in the terminal from start to end (0.3 s each).
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from starlette.testclient import TestClient

from forcepool import games
from forcepool.cli.demo import lay_out
from forcepool.engine.campaign import Campaign
from forcepool.engine.collecting import collect_seldom
from forcepool.engine.command import Command, command_name
from forcepool.engine.journal import MemoryJournal
from forcepool.planner.bot import play
from forcepool.planner.forecast import forecast
from forcepool.store.open import campaign_file
from forcepool.store.textfile import import_text
from forcepool.views.scenarios import shipped_journal
from forcepool.web.app import make_app
from forcepool.web.render import order_text
from forcepool.web.sweeping import sweep_seldom

NAME = "east-1941"
TURNS, SEED = 2, 7
AHEAD = 12
TOKEN, SEQ = re.compile(r'data-token="([0-9a-f]+)"'), re.compile(r'data-seq="([0-9]+)"')
RUNS = 5
THINKS = 0.15
"""Seconds a player looks at a page before the next order: in these the server sweeps its memory."""


def begun() -> Campaign:
    journal = MemoryJournal()
    import_text(shipped_journal(NAME), journal, file=NAME)
    return Campaign(journal, games.build_world)


def bot() -> tuple[dict[str, Any], list[Command]]:
    """A bot's turns, the time of each, and the orders it gave."""
    campaign, took, given = begun(), [], list[Command]()
    for _ in range(TURNS):
        start = time.process_time()
        given += [act.command for act in play(campaign, turns=1, seed=SEED)]
        took.append(round(time.process_time() - start, 2))
    return {"turns_cpu_s": took, "orders": len(given)}, given


def ahead() -> dict[str, Any]:
    """Twelve turns looked ahead, from a world that nobody has asked anything yet."""
    campaign = begun()
    start = time.process_time()
    found = forecast(campaign.world, campaign.state, AHEAD)
    return {"turns": AHEAD, "cpu_s": round(time.process_time() - start, 2), "changes": len(found.changes)}


def page(folder: Path, orders: list[Command]) -> dict[str, Any]:
    """The same orders sent as forms, and the turn page fetched after each."""
    took: list[float] = []
    worked: list[float] = []
    sweep_seldom()  # As the server does.
    slow: Counter[str] = Counter()
    with TestClient(make_app(folder), base_url="http://localhost") as client:
        start = time.perf_counter()
        answer = client.get(f"/c/{NAME}")
        first = time.perf_counter() - start
        for order in orders:
            found, seq = TOKEN.search(answer.text), SEQ.search(answer.text)
            assert found
            assert seq
            data = {"order": order_text(order), "seen": seq[1], "token": found[1]}
            time.sleep(THINKS)
            start, before = time.perf_counter(), time.process_time()
            done = client.post(f"/c/{NAME}/do", data=data, headers={"accept": "application/json"})
            answer = client.get(f"/c/{NAME}")
            spent = (time.perf_counter() - start) * 1000
            if done.status_code == 200:
                took.append(spent)
                worked.append((time.process_time() - before) * 1000)
                if spent > 30:
                    slow[command_name(order)] += 1
    ordered = sorted(took)
    return {
        "first_ms": round(first * 1000, 1),
        "orders": len(took),
        "p50_ms": round(median(took), 1),
        "p95_ms": round(ordered[int(len(took) * 0.95)], 1),
        "worst_ms": round(ordered[-1], 1),
        "cpu_p50_ms": round(median(worked), 1),
        "cpu_p95_ms": round(sorted(worked)[int(len(worked) * 0.95)], 1),
        "over_30_ms": dict(slow),
    }


def terminal(path: Path) -> dict[str, Any]:
    """Each command from start to end: the best and the median of some runs, and the least time of the processor."""
    found = {}
    unit = _a_unit(path)
    # As installed, with compiled files, whatever the settings of whoever measures; the first run makes them.
    settings = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    settings["PYTHONPYCACHEPREFIX"] = str(path.parent / "compiled")
    for words in (["status"], ["status"], ["todo"], ["losses"], ["options"]):
        took, worked = [], []
        for _ in range(RUNS):
            more = [unit] if words == ["options"] else []
            start, before = time.perf_counter(), _of_children()
            command = [sys.executable, "-m", "forcepool", *words, str(path), *more]
            quiet = subprocess.DEVNULL
            subprocess.run(command, input=b"", stdout=quiet, stderr=quiet, check=False, env=settings)
            took.append(time.perf_counter() - start)
            worked.append(_of_children() - before)
        found[words[0]] = {"best_s": round(min(took), 2), "median_s": round(median(took), 2)}
        found[words[0]]["cpu_s"] = round(min(worked), 2)
    return found


def _of_children() -> float:
    """The processor's time of all programs that were called so far."""
    times = os.times()
    return times.children_user + times.children_system


def _a_unit(path: Path) -> str:
    with campaign_file(path, games.build_world) as campaign:
        units: Iterator[str] = (unit.id for unit in campaign.state.units_in_order() if unit.place.on_map)
        return next(units)


def main() -> None:
    collect_seldom()  # As the command does.
    told, orders = bot()
    print(json.dumps({"run": "demonstration", "bot": told}), flush=True)
    print(json.dumps({"run": "demonstration", "forecast": ahead()}), flush=True)
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        lay_out(folder / f"{NAME}.fp")
        print(json.dumps({"run": "demonstration", "terminal": terminal(folder / f"{NAME}.fp")}), flush=True)
        print(json.dumps({"run": "demonstration", "turn_page": page(folder, orders)}))


if __name__ == "__main__":
    main()
