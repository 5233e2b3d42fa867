"""EF.moving/16 and /17: how long a factory waits in port before it puts to sea, and the torpedo."""

from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.games.eastern_front.chapter import Order
from forcepool.games.eastern_front.facts import ENTRAINED, STOPPED
from forcepool.games.eastern_front.world import EasternWorld
from forcepool.rulebook.citations import chance

SEA_DELAY = switch(
    "sea-journey",
    "EF.moving/16",
    "whether a factory entrained in the port itself waits an extra turn before it sails",
    always="yes, a sea journey always costs at least one extra turn",
    not_at_port="no, it is already at the port",
)

TORPEDO = switch(
    "torpedo",
    "EF.moving/17",
    "what a torpedo does to a factory at sea",
    destroyed="it is destroyed",
    back_to_port="it goes back to the port it came from",
)


def sails_from(world: EasternWorld, state: State, unit: Unit) -> int:
    """The first turn in which an entrained factory may put to sea."""
    facts = world.facts(state)
    stopped = facts.turn_of(unit, STOPPED)
    if stopped is not None:
        return stopped + 1
    return sails_after(world, state, facts.turn_of(unit, ENTRAINED) or 0)


def sails_after(world: EasternWorld, state: State, entrained: int) -> int:
    """The first turn in which a factory that was entrained in its port in a turn may put to sea."""
    extra = world.number("sea_delay") if world.ruling(state, SEA_DELAY.key) == "always" else 0
    return entrained + 1 + extra


@chance("EF.moving/17")
def is_torpedoed(q: Order) -> bool:
    """A factory at sea may be torpedoed."""
    sides, hits = q.world.number("torpedo_sides"), q.world.number("torpedo_hits")
    return q.roll("EF.moving/17", sides, f"torpedoed on {hits} or less") <= hits
