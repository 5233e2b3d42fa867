"""Looking ahead in a campaign of 2,000 dead and reduced units: a forecast of twelve turns, and one run with losses.

    python benchmarks/run.py forecast

Goal, in the processor's time: 5 s for the forecast, from a world that nobody has asked anything yet.
"""

import json
import sys
import time
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from forcepool.engine.collecting import collect_seldom
from forcepool.planner.fans import fanned
from forcepool.planner.forecast import forecast
from forcepool.planner.losses import at_a_rate
from tests.support.armies import war
from tests.support.table import Table

UNITS, AHEAD, GOAL = 2000, 12, 5.0
LOST = {"Axis": Fraction(40), "Soviet": Fraction(80)}


def begun() -> Table:
    return Table(war(UNITS, fallen=True))


def main() -> int:
    collect_seldom()  # As the command does.
    campaign = begun().campaign
    fallen = sum(unit.step != "full" or not unit.place.on_map for unit in campaign.state.units.values())
    start = time.process_time()
    found = forecast(campaign.world, campaign.state, AHEAD)
    took = time.process_time() - start
    told = {"run": "forecast", "units": len(campaign.state.units), "dead_or_reduced": fallen, "turns": AHEAD}
    print(json.dumps(told | {"cpu_s": round(took, 2), "changes": len(found.changes), "goal_s": GOAL}), flush=True)
    campaign = begun().campaign
    start = time.process_time()
    fanned(campaign.world, campaign.state, AHEAD, at_a_rate(campaign.world, LOST), runs=1)
    both = time.process_time() - start
    print(json.dumps(told | {"with_losses": 1, "cpu_s": round(both - took, 2)}))
    return took > GOAL


if __name__ == "__main__":
    sys.exit(main())
