"""What was declared of something that does not exist, in campaigns from before such words were refused."""

from msgspec import Struct

from forcepool.engine.answers import watched
from forcepool.engine.facts import Facts, kept
from forcepool.engine.sentence import Told
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
    facts = world.facts(watched(world, state))
    return tuple(each for fact in world.game.facts if fact.by_hand for each in _declared(world, facts, fact.name))


@kept
def _declared(world: World, facts: Facts, name: str) -> tuple[Stray, ...]:
    found = []
    for on in sorted(facts.state.marked.get(name, ())):
        kind, _, about = on.partition("/")
        if kind in world.facts_by_name[name].on and kind not in ("unit", "campaign"):
            why = _unknown(world, facts, kind, about)
            if why:
                found.append(Stray(on, name, about, why))
    return tuple(found)


@kept
def _unknown(world: World, facts: Facts, kind: str, about: str) -> str:
    """Why there is no such thing; empty where there is. Much is said of the same places, and asked of each once."""
    try:
        world.subject(kind, about)
    except Told as error:
        return str(error)
    return ""
