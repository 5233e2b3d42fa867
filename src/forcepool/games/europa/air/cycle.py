"""28  The air cycle: four turns from a player's first player-turn of the month."""

from collections.abc import Iterator

from forcepool.engine.calendar import Turn
from forcepool.engine.state import State
from forcepool.engine.verdicts import Rule
from forcepool.games.europa.air.question import Air
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.own_phase import is_own, only_in_own
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed


def seat_of(world: EuropaWorld, side: str) -> int:
    """A side's place in the order of play; neutrals go with the last player."""
    players = world.sequence.players
    return players.index(side) if side in players else len(players) - 1


@computed("28/2")
def cycle_of(world: EuropaWorld, state: State, side: str) -> int:
    """The number of a side's air cycle: the old one lasts until its own first player-turn of the month begins."""
    clock = state.clock
    turn = clock.turn if clock.player >= seat_of(world, side) else clock.turn - 1
    return turn // world.calendar.turns_per_month


def last_turn_of_cycle(world: EuropaWorld, state: State, side: str) -> Turn:
    return Turn((cycle_of(world, state, side) + 1) * world.calendar.turns_per_month - 1)


def begins_now(world: EuropaWorld, state: State) -> bool:
    """Whether the phasing side is in the first player-turn of its cycle."""
    return world.calendar.is_first_of_month(state.clock.turn)


def ending_now(world: EuropaWorld, state: State) -> Iterator[str]:
    """The sides whose air cycle ends with this phase."""
    upcoming = world.next_phase(state)
    if upcoming.player_turn == state.player_turn or not world.calendar.is_first_of_month(upcoming.turn):
        return
    for side in sorted(set(world.sides.values())):
        if seat_of(world, side) == upcoming.player:
            yield side


def at_end_of_cycle(world: EuropaWorld, state: State, side: str) -> bool:
    """From the last phase of the side's fourth player-turn until its new cycle begins."""
    clock, seat = state.clock, seat_of(world, side)
    last = last_turn_of_cycle(world, state, side)
    if clock.turn < last or (clock.turn == last and clock.player < seat):
        return False
    return (clock.turn, clock.player) != (last, seat) or clock.phase == len(world.sequence.phases_of(seat)) - 1


def in_own_reinforcement_phase(*also: str) -> Rule[Air]:
    """What comes, regroups, converts or leaves does so in the owner's reinforcement phase."""
    return only_in_own(REINFORCEMENT, "28/3", "28/1", *also, also=also)


def in_own_replacement_phase(q: Air) -> bool:
    return is_own(q, REPLACEMENT)
