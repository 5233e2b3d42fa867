"""The ring game and a real game's commands on our engine; prints one line of JSON.

python benchmarks/adjudicate/ours.py [MOVES]
"""

import json
import sys
from pathlib import Path
from time import perf_counter
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from benchmarks.adjudicate import ring  # noqa: E402

from forcepool import games  # noqa: E402
from forcepool.engine.beginning import begin  # noqa: E402
from forcepool.engine.campaign import Campaign, Done  # noqa: E402
from forcepool.engine.command import Command  # noqa: E402
from forcepool.engine.journal import MemoryJournal  # noqa: E402
from forcepool.engine.state import State, to_bytes  # noqa: E402
from forcepool.engine.verdicts import Refusal  # noqa: E402
from forcepool.files.yamltext import read_yaml  # noqa: E402
from forcepool.games.europa.replacements.general.cadres import RebuildCadre  # noqa: E402
from forcepool.games.europa.replacements.general.eliminated import Replace  # noqa: E402

REFUSALS = 20_000
REAL = 4_000
STACK = 5


def play(moves: int) -> tuple[Campaign, list[float]]:
    """Every command judged, cited, journalled and sealed, with the snapshots that come due; seconds a quarter."""
    campaign = ring.start(MemoryJournal(), moves)
    quarters = []
    for quarter in range(4):
        begun = perf_counter()
        for number in range(moves // 4 * quarter, moves // 4 * (quarter + 1)):
            campaign.do(ring.RebuildUnit(unit=str(number % ring.UNITS), pool="A" if number % 2 else "B"))
        quarters.append(perf_counter() - begun)
    return campaign, quarters


def replay(campaign: Campaign) -> tuple[float, bool]:
    """Opening the journal with every entry decoded and no snapshot to start from."""
    copy = MemoryJournal()
    copy.append(list(campaign.journal.read()))
    begun = perf_counter()
    again = Campaign(copy, ring.build)
    took = perf_counter() - begun
    return took, to_bytes(again.state) == to_bytes(campaign.state)


def refuse() -> float:
    """Refusals a second, each with its reasons in words."""
    campaign = ring.start(MemoryJournal(), 1)
    campaign.do(ring.RebuildUnit(unit="0", pool="A"))
    begun = perf_counter()
    for _ in range(REFUSALS):
        refusal = campaign.do(ring.RebuildUnit(unit="0", pool="A"))
        assert isinstance(refusal, Refusal)
        assert [f"{reason.clause} {reason}" for reason in refusal.reasons]
    return REFUSALS / (perf_counter() - begun)


def end(state: State) -> dict[str, Any]:
    """The position at the end, in the words the peer uses."""
    slots = [state.mark(f"slot/{slot}", "unit") for slot in range(1, ring.TRACK + 1)]
    following = state.mark("track", "next")
    return {
        "pools": {pool: str(state.balance(pool, "German", "inf")) for pool in ("A", "B")},
        "in_the_box": sorted(unit.id for unit in state.units.values() if unit.place == ring.BOX),
        "track": [str(slot.value) if slot else "null" for slot in slots],
        "next": int(str(following.value)) - 1 if following else 0,
    }


def real_rate(commands: list[Command], where: str) -> float:
    """Commands of the real game a second, on a map of a few thousand units in stacks."""
    units = "\n".join(
        f"  {number} Inf XX: {{spec: 7-6 Inf XX (3-6), at: {where.format(number // STACK)}, as: cadre}}"
        for number in range(REAL)
    )
    text = f"pools: {{front/centre: {{German: {{inf: {REAL * 10}}}}}}}\nunits:\n{units}\n"
    set_up = games.game("europa").set_up(read_yaml(text, "benchmark"), ())
    journal = MemoryJournal()
    begin(journal, game="europa", title="", ruleset="bench", world=set_up.world, state=set_up.state)
    campaign = Campaign(journal, games.build_world)
    begun = perf_counter()
    for command in commands:
        if not isinstance(campaign.do(command), Done):
            raise RuntimeError(f"{command} was refused; the benchmark's situation needs mending")
    return len(commands) / (perf_counter() - begun)


def main(moves: int) -> None:
    refusals = refuse()
    campaign, quarters = play(moves)
    took, same = replay(campaign)
    names = [f"{number} Inf XX" for number in range(REAL)]
    print(
        json.dumps(
            {
                "quarters": quarters,
                "replay": took,
                "replay_is_the_same": same,
                "refusals_per_second": refusals,
                "end": end(campaign.state),
                "rebuild_cadre_per_second": real_rate(
                    [RebuildCadre(unit=name, pay_from="front/centre") for name in names], "Minsk {}"
                ),
                "replace_per_second": real_rate(
                    [Replace(unit=name, pay_from="front/centre") for name in names], "eliminated front/centre"
                ),
            }
        )
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
