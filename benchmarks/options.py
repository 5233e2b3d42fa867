"""What can be done with a unit, in a campaign of 3,000: one unit, and all of them. Goals: 5 ms and 1 s."""

import json
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from forcepool.engine.options import options
from tests.support.armies import war
from tests.support.table import Table

UNITS = 3000


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
            }
        )
    )


if __name__ == "__main__":
    main()
