"""A damaged map, alone or in a scenario, is read or its problems are told; no line is asked for in vain."""

from contextlib import suppress
from pathlib import Path

import pytest

from forcepool import games
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.tracing import outline, trace
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import read_yaml
from tests.fuzz.damage import damaged

CORRIDOR = (Path(__file__).parents[1] / "cases" / "map" / "corridor.map").read_text(encoding="utf-8")
SCENARIO = f"""\
turn: Jul 4 41
map:
{"".join(f"  {line}" for line in CORRIDOR.splitlines(keepends=True))}
places:
  Brest: {{supply_source: Axis}}
  Gorki: {{producing: yes, depot: yes}}
units:
  24 Inf XX: {{spec: 7-6 Inf XX (3-6), nation: German, at: Minsk}}
  1 Rif XX: {{spec: 4-6 Rifle XX, nation: Soviet, at: 1:0905}}
"""


def asked_all_round(text: str) -> bool:
    """Whether a campaign could be begun; if so, every line is asked for and the map is drawn."""
    game = games.game("europa")
    try:
        set_up = game.set_up(read_yaml(text, "damaged.yaml"), ())
    except BadFile:
        return False
    world = game.build(set_up.world)
    if not world.has_map:
        return False
    for kind in ("supply", "overland", "rail", "depot", "coal", "oil"):
        for name in (*set_up.state.units, "Moscow", "1:0101"):
            with suppress(BadHex):
                assert trace(world, set_up.state, kind, name).says
    assert outline(world, set_up.state).hexes
    return True


def test_the_undamaged_scenario_is_good() -> None:
    assert asked_all_round(SCENARIO)


@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_map_is_read_or_its_problems_are_told(seed: int) -> None:
    begun = [asked_all_round(text) for text in damaged(SCENARIO, 100, seed)]
    assert True in begun
    assert False in begun
