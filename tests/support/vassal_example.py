"""The worked example: a small module for the scenario Smolensk, and saves of it, drawn by our own counters.

    python -m tests.support.vassal_example

writes them anew into examples/vassal. What is shipped is checked to be what this writes.
"""

from collections.abc import Mapping
from pathlib import Path

from forcepool.drawing.counters import counter
from forcepool.engine.places import HEX
from forcepool.engine.state import State, Unit
from forcepool.views.scenarios import read_scenario, shipped_scenario
from tests.support.vassal import (
    GRIDS,
    Game,
    board,
    layer,
    map_window,
    marks,
    module,
    prototype,
    slot,
    tag,
    zones,
)

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "vassal"
ANNA, BERT = "anna's secret", "bert's secret"
"""What VASSAL calls the players by; it is in the files, and nowhere in what forcepool makes of them."""
CHARTS = {"Eliminated": (100, 100), "POW": (100, 300), "Turn track": (100, 500), "Set aside": (100, 700)}

Spots = Mapping[str, tuple[str, int, int]]


def beginning() -> State:
    """The scenario as it begins."""
    return read_scenario(shipped_scenario("smolensk")).set_up.state


def spots(state: State) -> Spots:
    """Where on the map each place lies: in rows, as on no true map."""
    names = sorted({unit.place.of for unit in state.units.values() if unit.place.kind == HEX} | {"Vyazma", "Roslavl"})
    on_map = {name: ("Main", 200 * (at % 4) + 150, 200 * (at // 4) + 150) for at, name in enumerate(names)}
    return on_map | {name: ("Charts", x, y) for name, (x, y) in CHARTS.items()}


def picture(unit: Unit, step: str) -> tuple[str, bytes]:
    """A side of a counter, as a picture of its own."""
    drawn = counter(
        unit.spec, step, name=unit.id, on_sheet=False, extra='xmlns="http://www.w3.org/2000/svg" width="60" height="60"'
    )
    return f"images/{unit.id} {step}.svg", drawn.encode()


def traits(unit: Unit, step: str) -> list[tuple[str, str]]:
    """What a counter of the module carries: its nation by a prototype, its steps by a layer."""
    steps = unit.spec.steps
    images = [f"{unit.id} {each}.svg" for each in steps]
    return [layer(steps.index(step) + 1, *steps, name="Step", images=images), marks(Nation=unit.spec.nation)]


def the_module(state: State) -> bytes:
    found = spots(state)
    regions = (
        tag(f"{GRIDS}.Region", name=name, originx=x, originy=y) for name, (on, x, y) in found.items() if on == "Main"
    )
    boxes = {
        name.replace(" ", "_"): f"0,{y - 100};300,{y - 100};300,{y + 100};0,{y + 100}"
        for name, (_, y) in CHARTS.items()
    }
    units = state.units_in_order()
    pictures = dict(picture(unit, step) for unit in units for step in unit.spec.steps)
    slots = [
        slot(str(number), unit.id, [("prototype;Unit", ""), *traits(unit, "full")])
        for number, unit in enumerate(units, 1)
    ]
    return module(
        map_window("Main", board("Russia", tag(f"{GRIDS}.RegionGrid", *regions), 1000, 1000)),
        map_window("Charts", board("Boxes", zones(**boxes), 300, 800)),
        tag("VASSAL.build.module.PrototypesContainer", prototype("Unit", ("markmoved;moved.svg;0;0", "false"))),
        tag("VASSAL.build.module.PieceWindow", *slots, name="Counters"),
        pictures=pictures,
    )


def laid(state: State, changed: Mapping[str, tuple[str, str]]) -> tuple[Game, dict[str, str]]:
    """The counters as the scenario has them, but for some; each lies by itself, those of a hex in a stack."""
    game, found = Game(), spots(state)
    game.player(ANNA, "Anna", "Soviet")
    game.player(BERT, "Bert", "Axis")
    game.boards("Main", ("Russia", 0, 0))
    game.boards("Charts", ("Boxes", 0, 0))
    pieces: dict[str, str] = {}
    stacks: dict[str, list[str]] = {}
    for number, unit in enumerate(state.units_in_order(), 1):
        box = {"eliminated": "Eliminated", "isolated": "POW", "track": "Turn track"}.get(unit.place.kind, "Set aside")
        where, step = changed.get(unit.id, (unit.place.of if unit.place.kind == HEX else box, unit.step))
        pieces[unit.id] = game.piece(
            unit.id, at=("null", 0, 0), gpid=str(number), traits=traits(unit, step), image=f"{unit.id} full.svg"
        )
        stacks.setdefault(where, []).append(pieces[unit.id])
    for where, listed in stacks.items():
        game.stack(found[where], *listed)
    return game, pieces


TURN_2 = {
    "34 Inf XX": ("Smolensk", "full"),
    "5 Inf XX": ("Yartsevo", "cadre"),
    "252 Inf XX": ("Eliminated", "full"),
}


def files() -> dict[str, bytes]:
    """Every file of the example."""
    state = beginning()
    found = spots(state)
    log, pieces = laid(state, {})
    log.step(log.moved(pieces["34 Inf XX"], found["Yartsevo"], BERT))
    log.step(log.moved(pieces["32 Rif XX"], found["Vyazma"], ANNA), "CHAT<Anna> - back to Vyazma")
    log.step(log.moved(pieces["34 Inf XX"], found["Smolensk"], BERT))
    return {
        "smolensk.vmod": the_module(state),
        "turn1.vsav": laid(state, {})[0].data(comment="as the scenario begins"),
        "turn2.vsav": laid(state, TURN_2)[0].data(comment="after a turn"),
        "turn2.vlog": log.data(comment="moves of a turn"),
    }


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, data in files().items():
        (FOLDER / name).write_bytes(data)
        print(FOLDER / name)
