"""A module and saves of our own making for the scenario Smolensk: what the match and sync tests look at."""

from collections.abc import Mapping
from pathlib import Path

from tests.support.vassal import Game, board, layer, map_window, marks, module, regions, zones

PLACES = ("Smolensk", "Yartsevo", "Yelnya", "Roslavl", "Dorogobuzh", "Gzhatsk", "Ugra", "Vyazma", "Mozhaisk")
SPOTS = {name: ("Main", 100 * number, 100) for number, name in enumerate(PLACES, 1)}
DEAD, POCKET = ("Charts", 50, 50), ("Charts", 50, 150)
PASSWORDS = {"Anna": "open sesame", "Bert": "swordfish"}

MODULE = module(
    map_window("Main", board("Russia", regions(**{name: (x, y) for name, (_, x, y) in SPOTS.items()}))),
    map_window(
        "Charts", board("Boxes", zones(Eliminated="0,0;100,0;100,100;0,100", POW="0,100;100,100;100,200;0,200"))
    ),
)

LAID = {
    "5 Inf XX": ("Yartsevo", 1),
    "34 Inf XX": ("Ugra", 1),
    "252 Inf XX": ("Dorogobuzh", 1),
    "2 Pz XX": ("Gzhatsk", 1),
    "10 Pz XX": ("Gzhatsk", 2),
    "32 Rif XX": ("Mozhaisk", 1),
}
"""Units as they lie when the scenario begins: 1 is the front of the counter, 2 its cadre."""


def a_game(laid: Mapping[str, tuple[str, int]] = LAID) -> tuple[Game, dict[str, str]]:
    """A game as it is laid out, and the pieces by name; what stands at no place of the map is a spot of the charts."""
    game = Game()
    game.player(PASSWORDS["Anna"], "Anna", "Soviet")
    game.player(PASSWORDS["Bert"], "Bert", "Axis")
    pieces = {}
    for name, (place, level) in laid.items():
        side = "Soviet" if "Rif" in name else "Axis"
        traits = [marks(Side=side), layer(level, "full", "cadre", name="Step")]
        pieces[name] = game.piece(name, at=spot(place), gpid=name.split()[0], traits=traits)
    pieces["Turn"] = game.piece("Turn marker", at=("Charts", 50, 50))
    return game, pieces


def spot(place: str) -> tuple[str, int, int]:
    return {"dead": DEAD, "pocket": POCKET, "off": ("null", 0, 0)}.get(place) or SPOTS[place]


def write(folder: Path, name: str = "turn.vsav", **changed: tuple[str, int]) -> Path:
    """The module, and a save in which some units lie otherwise than at the beginning: _5_Inf_XX=('Ugra', 2)."""
    (folder / "east.vmod").write_bytes(MODULE)
    laid = LAID | {unit.replace("_", " ").strip(): where for unit, where in changed.items()}
    return a_game(laid)[0].write(folder / name)
