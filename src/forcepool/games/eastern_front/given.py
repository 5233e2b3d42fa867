"""What stands in fields of this game's commands alone: the lines that lead onto the map."""

from typing import Annotated

from forcepool.engine.given import Given
from forcepool.engine.state import State
from forcepool.engine.world import World


def _line(world: World, state: State, said: str) -> object:
    return world.subject("line", said)


Line = Annotated[str, Given("line", "The line it comes in on", read=_line)]
Doorway = Annotated[str, Given("point or line", "The point it appears at, or the line it comes in on")]
