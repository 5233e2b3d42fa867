"""What was declared of something that does not exist, in campaigns from before such words were refused."""

from msgspec import Struct

from forcepool.engine.command import BadCommand
from forcepool.engine.state import State
from forcepool.engine.world import World


class Stray(Struct, frozen=True):
    """A declaration that counts for nothing."""

    on: str
    """What it is said of, as the journal has it."""
    fact: str
    about: str
    why: str

    def __str__(self) -> str:
        return (
            f"'{self.fact}' is declared of {self.about} and counts for nothing: {self.why} "
            f"(declare {self.fact} of it without a value to take it back)"
        )


def strays(world: World, state: State) -> tuple[Stray, ...]:
    """The declarations about places, areas, nations or lines that there are none of, in order."""
    found = []
    for fact in world.game.facts:
        for on in sorted(state.marked.get(fact.name, ())):
            kind, _, name = on.partition("/")
            if fact.by_hand and kind in fact.on and kind not in ("unit", "campaign"):
                try:
                    world.subject(kind, name)
                except BadCommand as error:
                    found.append(Stray(on, fact.name, name, str(error)))
    return tuple(found)
