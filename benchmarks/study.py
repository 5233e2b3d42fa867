"""How many turns of campaigns a study plays in a second, with one worker and with two.

    python benchmarks/run.py study [SEEDS]

Goals: two workers play 1.8 times as much as one, and of one worker's time at least 85 parts in a hundred are the
engine's and the rules', not the study's own. The workers are begun before the clock is.
"""

import cProfile
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from forcepool.study.conduct import played  # noqa: E402
from forcepool.study.design import Run  # noqa: E402

SCENARIO, TURNS, SEEDS = "east-1941", 6, 24
LOSSES = (("Axis", "6"), ("Soviet", "20"))
OURS = ("/forcepool/study/", "/json/", "concurrent")


def run(seed: int) -> list[Run]:
    return [Run(SCENARIO, "random", (), (), seed, TURNS, LOSSES)]


def tell(name: str, **figures: object) -> None:
    print(json.dumps({"run": "study", "name": name, **figures}), flush=True)


def speed(workers: int, seeds: int) -> float:
    """Turns of campaigns a second; the same campaigns, however many play them."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        # Each reads the scenario once, before anybody counts.
        list(pool.map(played, [run(-each) for each in range(1, 2 * workers + 1)]))
        begun = perf_counter()
        list(pool.map(played, [run(each) for each in range(1, seeds + 1)]))
        return seeds * TURNS / (perf_counter() - begun)


def share_of_the_engine() -> float:
    """How much of a run's time is not the study's own."""
    played(run(-1))
    profile = cProfile.Profile()
    profile.enable()
    played(run(1))
    profile.disable()
    spent = [(getattr(each.code, "co_filename", ""), each.inlinetime) for each in profile.getstats()]
    own = sum(time for file, time in spent if any(part in file for part in OURS))
    return 1 - own / sum(time for _, time in spent)


def main(seeds: int) -> None:
    one, two = speed(1, seeds), speed(2, seeds)
    tell("speed", turns_per_s_1=round(one, 2), turns_per_s_2=round(two, 2), scales=round(two / one, 2), goal=1.8)
    tell("share", engine=round(share_of_the_engine(), 3), goal=0.85)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS)
