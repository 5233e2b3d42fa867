"""How fast an order of battle is read, printed and linted. Prints one line of JSON a figure.

    python benchmarks/orderofbattle.py [LINES]

Reading is measured in a process of its own, from the first import to the last entry, and again in a warm one.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from forcepool.orderofbattle.line import read_line  # noqa: E402
from forcepool.orderofbattle.lint import lint  # noqa: E402
from forcepool.orderofbattle.model import content  # noqa: E402
from forcepool.orderofbattle.printing import print_ob  # noqa: E402
from forcepool.orderofbattle.reading import parse  # noqa: E402
from tests.orderofbattle.generator import order_of_battle  # noqa: E402

LINES = 1000
TIMES = 5
GOAL = 1

FRESH = """
from time import perf_counter
begun = perf_counter()
import sys
from forcepool.orderofbattle.reading import read_file
ob = read_file(sys.argv[1])
print(perf_counter() - begun)
"""


def took(act: Callable[[], object]) -> float:
    begun = perf_counter()
    act()
    return perf_counter() - begun


def tell(name: str, value: float, **more: object) -> None:
    print(json.dumps({"benchmark": "orderofbattle", "name": name, "value": round(value, 3), **more}), flush=True)


def read_cold(text: str) -> None:
    # Lines once read are remembered; a page that is typed for the first time has none.
    read_line.cache_clear()
    parse(text)


def fresh(file: Path) -> float:
    """Seconds from the first import to the last entry, in a process of its own."""
    path = [str(ROOT / "src")]
    program = f"import sys; sys.path[:0] = {path!r}\n{FRESH}"
    said = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, check=True, text=True)
    return float(said.stdout)


def main(lines: int) -> int:
    text = order_of_battle(lines)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "generated.ob")
        file.write_text(text, "utf-8")
        first = median(fresh(file) for _ in range(TIMES))
    ob = parse(text)
    tell("lines", len(text.splitlines()), entries=len(ob.entries), not_understood=len(ob.problems))
    tell("fresh_process_s", first, goal=f"< {GOAL} s for 1,000 lines")
    tell("warm_s", median(took(lambda: read_cold(text)) for _ in range(TIMES)))
    tell("again_s", median(took(lambda: parse(text)) for _ in range(TIMES)), note="every line read before")
    tell("print_s", median(took(lambda: print_ob(ob)) for _ in range(TIMES)))
    tell("lint_s", median(took(lambda: lint(ob)) for _ in range(TIMES)), findings=len(lint(ob)))
    same = content(parse(print_ob(ob))) == content(ob)
    tell("reads_back", int(same))
    return 0 if same and not ob.problems else 1


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else LINES))
