"""A chapter: what one heading of the rules adds to the game, and the question its rules are asked."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.command import Question, lazy
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Rule, Verdict, Way, no, rule
from forcepool.games.eastern_front.facts import EasternFacts
from forcepool.games.eastern_front.world import EasternWorld

REPLACEMENT_PHASE = "replacement/reinforcement"
STRATEGIC_PHASE = "strategic movement"
OPERATIONAL_PHASE = "operational movement"
COMBAT_PHASE = "combat"


class Order(Question):
    """A command of this game put to a state."""

    world: EasternWorld

    @lazy
    def facts(self) -> EasternFacts:
        return self.world.facts(self.state)

    @lazy
    def turn(self) -> int:
        return int(self.state.clock.turn)

    @lazy
    def side(self) -> str:
        """The side of the unit the command is about."""
        return self.world.side_now(self.state, self.unit.spec.nation)


Remedy = dict[str, Any]
"""What would help, as words and as a way that can be followed; empty where nothing would."""


def wait_for(world: EasternWorld, turn: int, side: str, phase: str = REPLACEMENT_PHASE) -> Remedy:
    """The remedy of waiting for a phase of a later turn."""
    return {"remedy": f"wait for {world.turn_name(turn)}", "way": Way(until=moment(world, turn, side, phase))}


def go_on_to(world: EasternWorld, state: State, side: str, phase: str) -> Remedy:
    """The remedy of going on to the next phase of a name that a side has."""
    if side not in world.sequence.players:
        return {}
    now = state.clock
    until = moment(world, now.turn, side, phase)
    if until <= now:
        return wait_for(world, now.turn + 1, side, phase)
    return {"remedy": "go on to that phase", "way": Way(until=until)}


def instead(q: Question, words: str, until: Clock | None = None, **fields: Any) -> Remedy:
    """The remedy of giving the same command with other fields, now or from a moment on."""
    return {"remedy": words, "way": Way(until=until, instead=replace(q.command, **fields))}


def by_orders(words: str, orders: Iterable[Any], until: Clock | None = None) -> Remedy:
    """The remedy of giving other orders first, and of waiting after them; empty where there are none to give."""
    given = tuple(orders)
    return {"remedy": words, "way": Way(first=given, until=until)} if given else {}


def moment(world: EasternWorld, turn: int, side: str, phase: str = REPLACEMENT_PHASE) -> Clock:
    """The phase of a side in a turn."""
    return Clock(Turn(turn), world.sequence.player_index(side), world.sequence.phase_index(phase))


def only_in(phase: str, *ids: str, later: Callable[[Any], Remedy] | None = None) -> Rule[Any]:
    """The rule that a command belongs to a phase of its unit's own side; `later` finds the turn, if not any will do."""

    @rule(*ids)
    def in_its_phase(q: Order) -> Verdict:
        if q.world.phase(q.state) == phase and q.world.phasing(q.state) == q.side:
            return YES
        now = f"{q.world.phasing(q.state)} {q.world.phase(q.state)} phase"
        says = f"this is done in the {q.side} {phase} phase, and it is the {now}"
        return no(says, **(go_on_to(q.world, q.state, q.side, phase) if later is None else later(q)))

    return in_its_phase
