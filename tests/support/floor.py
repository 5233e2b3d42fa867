"""The coverage floor may only rise: compared with every earlier version of it that the repository still has."""

import json
import subprocess
import sys
from pathlib import Path

FLOOR = Path(__file__).parents[1] / "rulebook" / "coverage-floor.json"


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=FLOOR.parent, capture_output=True, text=True, check=False).stdout


def fallen() -> list[str]:
    """Every earlier floor that the present one has sunk below."""
    now = json.loads(FLOOR.read_text("utf-8"))
    found = []
    for commit in _git("log", "--format=%H", "--", FLOOR.name).split():
        earlier = _git("show", f"{commit}:./{FLOOR.name}")
        if not earlier:
            continue
        then = json.loads(earlier)
        found += [f"{word} was {then[word]} in {commit[:10]}, is {now[word]}" for word in now if now[word] < then[word]]
    return found


def main() -> None:
    found = fallen()
    for each in found:
        sys.stderr.write(f"the coverage floor has sunk: {each}\n")
    sys.stdout.write("" if found else f"the coverage floor holds: {FLOOR.read_text('utf-8').strip()}\n")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
