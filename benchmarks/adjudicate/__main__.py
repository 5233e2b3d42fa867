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
    """One line of the table; `goal` is what `value` is held against."""

    name: str
    ours: str
    peer: str = ""
    value: float | None = None
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
    found = []
    for name, rate, goal in (
        ("moves judged and recorded /s", moves_per_second, 20),
        ("entries replayed /s", replayed_per_second, 20),
        ("refusals /s", refused_per_second, 1),
    ):
        mine = median(map(rate, ours))
        if not peer:
            found.append(Figure(name, f"{mine:,.0f}"))
            continue
        for label, runs in (("", peer), (" (its undo off)", no_undo)):
            theirs = median(map(rate, runs))
            ratio = mine / theirs
            held = (f"≥ {goal}×", ratio >= goal) if not label else ("", None)
            found.append(Figure(f"{name}{label}", f"{mine:,.0f}", f"{theirs:,.0f}", ratio, *held))
    mine = median(map(growth, ours))
    theirs_too = f"{median(map(growth, peer)):.2f}" if peer else ""
    found.append(Figure("last quarter / first quarter", f"{mine:.2f}", theirs_too, mine, "≤ 1.2", mine <= 1.2))
    for name, key in (("rebuild-cadre /s", "rebuild_cadre_per_second"), ("replace /s", "replace_per_second")):
        found.append(Figure(f"real game: {name}", f"{median(each[key] for each in ours):,.0f}"))
    return found


def show(found: list[Figure]) -> None:
    rows = [("figure", "ours", "boardgame.io", "ratio", "goal", "")]
    for each in found:
        ratio = f"{each.value:.1f}×" if each.value is not None and each.goal.endswith("×") else ""
        ratio = ratio or (f"{each.value:.1f}×" if each.value is not None and each.peer and not each.goal else "")
        verdict = "" if each.met is None else "met" if each.met else "MISSED"
        rows.append((each.name, each.ours, each.peer, ratio, each.goal, verdict))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join(cells).rstrip())


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
