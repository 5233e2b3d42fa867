"""Moves judged a second, replay and refusals, beside boardgame.io with the same game in the same run.

    python benchmarks/run.py adjudicate

Ours and the peer take turns, three times, each time in a fresh process; the figures are medians. At the end both must
have the same position, or the comparison is void.
"""

import json
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
PEER_FOLDER = HERE.parents[1] / "build" / "peer"
PEER = "boardgame.io@0.50.2"
MOVES = 20_000
ROUNDS = 3
Run = dict[str, Any]


class Figure(NamedTuple):
    """One line of the table: ours, the peer's, how many times the peer's ours is, and what was hoped for."""

    name: str
    ours: float
    peer: float | None = None
    ratio: float | None = None
    goal: str = ""
    met: bool | None = None


def peer_is_ready() -> str:
    """Install the peer if need be; says what is missing, or nothing."""
    if shutil.which("node") is None:
        return "node is not installed; with Node 18 or later the peer is measured as well"
    if (PEER_FOLDER / "node_modules" / "boardgame.io").is_dir():
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return f"npm is not installed, so {PEER} cannot be fetched"
    PEER_FOLDER.mkdir(parents=True, exist_ok=True)
    install = [npm, "install", "--prefix", str(PEER_FOLDER), "--no-audit", "--no-fund", "--silent", PEER]
    if subprocess.run(install, cwd=PEER_FOLDER, check=False).returncode:
        return f"npm could not install {PEER}; is this machine offline?"
    return ""


def run(*command: str) -> Run:
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")
    result: Run = json.loads(done.stdout.splitlines()[-1])
    if not result["replay_is_the_same"]:
        raise SystemExit(f"{' '.join(command)}: the replay ended elsewhere")
    return result


def measure(with_peer: bool) -> tuple[list[Run], list[Run], list[Run]]:
    """Ours, the peer as it comes, and the peer with its undo switched off, in turns."""
    ours: list[Run] = []
    peer: list[Run] = []
    no_undo: list[Run] = []
    for number in range(ROUNDS):
        print(f"round {number + 1} of {ROUNDS}", file=sys.stderr, flush=True)
        ours.append(run(sys.executable, str(HERE / "ours.py"), str(MOVES)))
        if with_peer:
            for mode, runs in (("undo", peer), ("no-undo", no_undo)):
                runs.append(run("node", str(HERE / "peer.cjs"), str(MOVES), mode, str(PEER_FOLDER)))
    if any(each["end"] != ours[0]["end"] for each in (*ours, *peer, *no_undo)):
        raise SystemExit("ours and the peer did not end in the same position; the comparison is void")
    return ours, peer, no_undo


def moves_per_second(each: Run) -> float:
    return MOVES / float(sum(each["quarters"]))


def replayed_per_second(each: Run) -> float:
    return MOVES / float(each["replay"])


def refused_per_second(each: Run) -> float:
    return float(each["refusals_per_second"])


def growth(each: Run) -> float:
    return float(each["quarters"][3] / each["quarters"][0])


def figures(ours: list[Run], peer: list[Run], no_undo: list[Run]) -> list[Figure]:
    """Medians side by side. The goals are held against the peer as it comes, which can undo as ours can."""
    found = []
    for name, rate, goal in (
        ("moves judged and recorded /s", moves_per_second, 20),
        ("entries replayed /s", replayed_per_second, 20),
        ("refusals /s", refused_per_second, 1),
    ):
        mine = median(map(rate, ours))
        if not peer:
            found.append(Figure(name, mine))
            continue
        ratio = mine / median(map(rate, peer))
        found.append(Figure(name, mine, mine / ratio, ratio, f"≥ {goal}×", ratio >= goal))
        theirs = median(map(rate, no_undo))
        found.append(Figure(f"{name}, the peer's undo off", mine, theirs, mine / theirs))
    flat = median(map(growth, ours))
    theirs_grows = median(map(growth, peer)) if peer else None
    found.append(Figure("last quarter's time / first's", flat, theirs_grows, None, "≤ 1.2", flat <= 1.2))
    for name, key in (("rebuild-cadre", "rebuild_cadre_per_second"), ("replace", "replace_per_second")):
        found.append(Figure(f"real game: {name} /s", median(each[key] for each in ours)))
    return found


def show(found: list[Figure]) -> None:
    rows = [("figure", "ours", "boardgame.io", "ratio", "goal", "")]
    for each in found:
        ratio = "" if each.ratio is None else f"{each.ratio:.1f}×"
        verdict = "" if each.met is None else "met" if each.met else "MISSED"
        rows.append((each.name, amount(each.ours), amount(each.peer), ratio, each.goal, verdict))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for name, *rest in rows:
        cells = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        print("  ".join([name.ljust(widths[0]), *cells]).rstrip())


def amount(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


def main() -> None:
    missing = peer_is_ready()
    if missing:
        print(f"The peer is not measured: {missing}.")
    found = figures(*measure(not missing))
    show(found)
    machine = {"python": platform.python_version(), "moves": MOVES, "rounds": ROUNDS, "peer": "" if missing else PEER}
    print(json.dumps({"benchmark": "adjudicate", **machine, "figures": [each._asdict() for each in found]}))


if __name__ == "__main__":
    main()
