"""What every rule of this game may ask of a command: the facts, and whose unit it is about."""

from typing import Any

from msgspec.structs import replace

from forcepool.engine.calendar import Clock, Turn
from forcepool.engine.command import Command, Question, command_name, given, lazy
from forcepool.engine.decide import permits
from forcepool.engine.sentence import the_pool
from forcepool.engine.verdicts import Remedy, Way
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld


class EuropaQuestion(Question):
    """A command put to a state of this game."""

    world: EuropaWorld

    @lazy
    def facts(self) -> EuropaFacts:
        return self.world.facts(self.state)

    @given
    def nation(self) -> str:
        """The nation it concerns: the unit's, unless the command speaks of another."""
        return self.unit.spec.nation

    @lazy
    def side(self) -> str:
        """The side that nation fights on now."""
        return self.world.side_now(self.state, self.nation)


class Appears(Command, frozen=True):
    """Brings a reinforcement into play: the command of rule 51, as the headings know it that it depends on."""


class BearsALoss(Command, frozen=True):
    """Takes a loss in combat, or averts it with points."""


# ---------------------------------------------------------------------------------------------- waiting, as a remedy


def waits_for(q: Any, phase: str = "", side: str = "") -> Remedy:
    """To wait for a side's player-turn, or for one phase of it; the side is the order's own unless named."""
    side = side or q.side
    called = q.world.phase_called(phase, side) if phase else f"{side} player-turn"
    return Remedy(f"wait for the {called}", Way(until=_next(q, side, phase)))


def _next(q: Any, side: str, phase: str) -> Clock | None:
    """Neutrals have no player-turn of their own and go with the last player's."""
    world: EuropaWorld = q.world
    player = side if side in world.sequence.players else world.sequence.players[-1]
    return world.next_time(q.state, player, phase)


def next_turn(q: Any, words: str) -> Remedy:
    """To do the same a turn later."""
    return Remedy(words, Way(until=turns_on(q, 1)))


def turns_on(q: Any, turns: int) -> Clock:
    """The same phase of the same player-turn, so many turns later."""
    now: Clock = q.state.clock
    return Clock(Turn(now.turn + turns), now.player, now.phase, now.order)


def in_a_later(q: Any, turn: int, words: str) -> Remedy:
    """To wait for a turn that is named."""
    return Remedy(words, Way(until=turns_on(q, max(0, turn - q.state.clock.turn))))


def in_phase_of(q: Any, turn: int, phase: str, words: str) -> Remedy:
    """To wait for a phase of the own side on a turn that is named."""
    found = _next(q, q.side, phase)
    while found is not None and found.turn < turn:
        found = Clock(Turn(found.turn + 1), found.player, found.phase, found.order)
    return Remedy(words, Way(until=found) if found else None)


def from_phase_on(q: Any, turn: int, phase: str, words: str) -> Remedy:
    """To wait for a turn that is named, and for a phase of the own side on it where this phase comes before that."""
    then, begins = turns_on(q, max(0, turn - q.state.clock.turn)), _next(q, q.side, phase)
    if begins is not None:
        then = max(then, Clock(Turn(max(turn, begins.turn)), begins.player, begins.phase, begins.order))
    return Remedy(words, Way(until=then))


def first_of_month(world: EuropaWorld, turn: int, months: int) -> int:
    """The first turn of the month so many months on."""
    for _ in range(months):
        turn += 1
        while world.calendar.week(Turn(turn)) != 1:
            turn += 1
    return turn


def by_order(q: Any, command: str, words: str, then: Any = None, **fields: Any) -> list[Remedy]:
    """To give another order first, where it would go through now, and then the same one, or `then` in its place."""
    if q.asked_in_passing:
        return []
    order = next(each for each in q.world.game.commands if command_name(each) == command)(**fields)
    other = order.question(q.world, q.state, order)
    return (
        [Remedy(words, Way(first=(order,), instead=then))] if permits(other, order.needs, order.guards(other)) else []
    )


def in_its_place(q: Any, order: Command, words: str) -> list[Remedy]:
    """To give another order in place of this one, where that would go through now."""
    if q.asked_in_passing:
        return []
    other = order.question(q.world, q.state, order)
    return [Remedy(words, Way(instead=order))] if permits(other, order.needs, order.guards(other)) else []


def instead(q: Any, words: str, **fields: Any) -> Remedy:
    """To give the same order with something changed in it, where it has a word for that."""
    known = fields.keys() <= set(q.command.__struct_fields__)
    return Remedy(words, Way(instead=replace(q.command, **fields)) if known else None)


def paying(q: Any, pool: str) -> Remedy:
    """To pay the same from another pool."""
    return instead(q, f"pay from {the_pool(pool)}", pay_from=pool)


def out_of_the_isolated_box(q: Any) -> list[Remedy]:
    """To bring a unit out of the ELIMINATED ISOLATED BOX first, where that is open now, and to wait until it is out."""
    turns = int(q.world.numbers["isolated_time"])
    when = q.world.turn_name(q.state.clock.turn + turns)
    words = f"bring it to the ELIMINATED BOX first, where it is on {when}"
    ways = by_order(q, "leave-isolated-box", words, unit=q.unit.id)
    return [Remedy(words, replace(each.way, until=turns_on(q, turns))) for each in ways if each.way]
