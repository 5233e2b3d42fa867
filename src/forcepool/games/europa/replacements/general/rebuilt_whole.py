"""52.A.3/2  Whether a unit with a cadre comes back as that or, by a house rule, whole."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE
from forcepool.games.europa.world import EuropaWorld

if TYPE_CHECKING:
    from forcepool.games.europa.replacements.general.eliminated import Replace

REBUILT_WHOLE = switch(
    "rebuilt-whole",
    "52.A.3/2",
    "whether an eliminated unit that has a cadre may come back whole at once",
    cadre="it comes back as a cadre, which is rebuilt later",
    whole="it comes back whole for its full strength, or as a cadre if its owner says so",
)


def to_either_step(world: EuropaWorld, state: State, unit: Unit, ways: Iterator["Replace"]) -> Iterator["Replace"]:
    """By a house rule a unit comes back whole; its owner may still be content with the cadre."""
    either = world.ruling(state, REBUILT_WHOLE.key) == "whole" and unit.spec.has(CADRE)
    for each in ways:
        yield each
        if either:
            yield replace(each, to=CADRE)
