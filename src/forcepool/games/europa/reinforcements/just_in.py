"""51.A.4, 51.A.7  What a unit may do in the player-turn it appears."""

from collections.abc import Iterator

from forcepool.engine.facts import unit_key
from forcepool.engine.game import Effect
from forcepool.engine.state import State, Unit
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import shown

JUST_IN = "just_in"


@shown("51.A.4/2", "51.A.7/2")
def moves_and_flies(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """In the player-turn it appears a conditional unit moves, and an air unit flies, without penalty."""
    how = world.facts(state).value(unit_key(unit.id), JUST_IN)
    if how == "conditional":
        yield Effect("appeared this player-turn and moves and flies without penalty", "51.A.4/2")
    if how == "air":
        yield Effect("appeared this player-turn and may fly", "51.A.7/2")
