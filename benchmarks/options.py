"""What can be done, in a campaign of 3,000 units: with one, with all of them, and the checklist of the moment.

Goals: 5 ms, 1 s, and 30 ms of the processor's time for a checklist of which nothing is known from before.
"""

import json
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from forcepool.engine.agenda import agenda
from forcepool.engine.events import Marked
from forcepool.engine.options import options
from forcepool.engine.state import evolve
from tests.support.armies import war
from tests.support.table import Table

UNITS = 3000
LOOKS = 9


def checklist(table: Table) -> tuple[list[float], float]:
    """The milliseconds of processor time that the checklist takes after something happened, and when nothing has."""
    world, state = table.campaign.world, table.campaign.state
    took = []
    for _ in range(LOOKS):
        evolve(state, [Marked(on="campaign", mark="looked")])
        begun = time.process_time()
        agenda(world, state)
        took.append((time.process_time() - begun) * 1000)
    begun = time.process_time()
    agenda(world, state)
    return took, (time.process_time() - begun) * 1000


def main() -> None:
    table = Table(war(UNITS))
    while table.campaign.world.phase(table.campaign.state) != "replacement":
        table.do("advance")
    world, state = table.campaign.world, table.campaign.state
    took, listed, opened = [], 0, 0
    start, worked = time.perf_counter(), time.process_time()
    for unit in state.units_in_order():
        begun = time.perf_counter()
        found = options(world, state, unit)
        took.append(time.perf_counter() - begun)
        listed += len(found)
        opened += sum(each.open for each in found)
    total, worked = time.perf_counter() - start, time.process_time() - worked
    lists, again = checklist(table)
    print(
        json.dumps(
            {
                "run": "options",
                "units": UNITS,
                "listed": listed,
                "open": opened,
                "one_unit_median_ms": round(statistics.median(took) * 1000, 3),
                "one_unit_worst_ms": round(max(took) * 1000, 3),
                "all_units_s": round(total, 3),
                "all_units_cpu_s": round(worked, 3),
                "checklist_lines": len(agenda(world, state)),
                "checklist_median_cpu_ms": round(statistics.median(lists), 1),
                "checklist_worst_cpu_ms": round(max(lists), 1),
                "checklist_again_cpu_ms": round(again, 2),
            }
        )
    )


if __name__ == "__main__":
    main()
