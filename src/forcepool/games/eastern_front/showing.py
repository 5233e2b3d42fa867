"""Effects on play that lie outside the rear area: shown on a unit while they hold, each heard under its own clause."""

from collections.abc import Callable, Iterator
from functools import wraps

from forcepool.engine.game import Effect
from forcepool.engine.state import State, Unit
from forcepool.games.eastern_front.world import EasternWorld
from forcepool.rulebook.citations import SHOWN, heard, register

Showing = Callable[[EasternWorld, State, Unit], Iterator[Effect]]


def shows(*ids: str) -> Callable[[Showing], Showing]:
    """Marks a function that shows effects of these clauses; only the clause of an effect really shown counts."""

    def decorate(function: Showing) -> Showing:
        register(SHOWN, ids, f"{function.__module__}:{function.__qualname__}")

        @wraps(function)
        def telling(world: EasternWorld, state: State, unit: Unit) -> Iterator[Effect]:
            for effect in function(world, state, unit):
                heard(effect.clause, SHOWN)
                yield effect

        return telling

    return decorate
