"""51.A/2  Standing still: which player-turn is asked about before movement, who is held for the rest, who fought."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.calendar import MOST_PLAYERS
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import PLAYER_TURN, Fact, unit_key
from forcepool.engine.sentence import plain, the_note
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.question import BearsALoss
from forcepool.games.europa.switches import PHASE_ORDER
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

MOVED, ATTACKED, HELD = "moved", "attacked", "held_still"
WITH_COMBAT = ("combat", "exploitation")
"""The phases in which those whose player-turn it is attack."""
IN_COMBAT = "combat"
OWN_COMBAT = switch(
    "loss-in-own-combat",
    "52.A.9/1",
    "whether a unit that takes or averts a loss in its owner's combat or exploitation phase has attacked",
    declared="only if that is declared",
    attacked="it has: it is not rebuilt in that player-turn",
)


def before_movement(world: EuropaWorld, state: State) -> bool:
    """Whether the movement phase of this player-turn is still to come."""
    clock = state.clock
    return clock.phase < world.sequence.phase_index("movement", clock.player, clock.order)


@computed("51.A/2")
def looks_back(world: EuropaWorld, state: State) -> bool:
    """Whether a group asks before movement what was done in the owner's previous player-turn, and holds nobody."""
    return world.ruling(state, PHASE_ORDER.key) == "looks-back" and before_movement(world, state)


def did(state: State, unit: Unit, what: str, *, last_turn: bool) -> bool:
    """Whether a unit moved or attacked in this player-turn, or else in its owner's previous one."""
    mark = state.mark(unit_key(unit.id), what)
    asked = state.player_turn - (MOST_PLAYERS if last_turn else 0)
    return mark is not None and mark.value is True and mark.since == asked


def stood_still(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether a unit did not move in the player-turn that is asked about."""
    return not did(state, unit, MOVED, last_turn=looks_back(world, state))


def holds_still(world: EuropaWorld, state: State, unit: Unit, says: str) -> Iterator[Event]:
    """Whoever was of use because it stood still does so for the rest of the player-turn."""
    if not looks_back(world, state):
        yield Marked(on=unit_key(unit.id), mark=HELD, value=plain(says), because="51.B.5/4 51.A/2", says=says)


@rule("51.B.5/4", "51.A/2")
def does_not_move_once_of_use(q: Any) -> Verdict:
    """An HQ with which a unit was disbanded does not move in the rest of the player-turn."""
    used = q.facts.value(unit_key(q.unit.id), HELD) if q.value and q.command.unit else ""
    if not used:
        return YES
    return no(f"{q.unit} {the_note(used)} this player-turn and may not move in it", remedy="move it next turn")


@computed("52.A.9/1")
def has_attacked(q: Any) -> Iterator[Event]:
    """A unit that takes or averts a loss in its owner's own combat has attacked, where a group plays it so."""
    world, state, unit = q.world, q.state, q.unit
    if world.ruling(state, OWN_COMBAT.key) != "attacked":
        return
    own = world.phase(state) in WITH_COMBAT and world.has_the_turn(state, world.side_now(state, unit.spec.nation))
    in_combat = getattr(q.command, "cause", IN_COMBAT) == IN_COMBAT and unit.place.on_map
    if own and in_combat and not did(state, unit, ATTACKED, last_turn=False):
        yield Marked(on=unit_key(unit.id), mark=ATTACKED, value=True, because="52.A.9/1")


CHAPTER = Chapter(
    heading="51.A",
    also={BearsALoss: (has_attacked,)},
    switches=(OWN_COMBAT,),
    facts=(Fact(HELD, ("unit",), "what it stood still for, and so goes on to", "", lasts=PLAYER_TURN, by_hand=False),),
    forbids={MOVED: (does_not_move_once_of_use,), "mps_spent": (does_not_move_once_of_use,)},
)
