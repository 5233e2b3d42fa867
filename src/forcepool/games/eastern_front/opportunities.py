"""EF.expansion/4 and /14: the opportunities to begin a factory, and how a group counts them."""

from forcepool.engine.places import on_track
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.games.eastern_front.world import FACTORIES, UNUSED, EasternWorld
from forcepool.rulebook.citations import computed

OPPORTUNITIES = switch(
    "expansion-opportunities",
    "EF.expansion/14",
    "how many opportunities to expand there are",
    ten="the choice before the game and the nine quarters to July 1943, used or passed",
    ten_besides="ten besides the choice before the game, the last in October 1943",
    no_cap="as many as the calendar and the thirteen counters allow",
    ten_made="ten choices actually made; a passed quarter does not count",
)
PASSED = switch(
    "expansion-passed",
    "EF.expansion/4",
    "what becomes of an opportunity that is not used",
    lost="it may be declined, and is then lost",
    compulsory="a choice must be made whenever a factory is available",
    accumulates="unused opportunities accumulate",
)


@computed("EF.expansion/12", "EF.expansion/15")
def choosable(world: EasternWorld, state: State) -> dict[str, Unit]:
    """By kind the factory that may be chosen next: the earliest letter of each that is still unused."""
    found: dict[str, Unit] = {}
    for unit in world.expansion_factories(state):
        if unit.place.kind == UNUSED:
            found.setdefault(world.works[unit.id].kind, unit)
    return found


def chosen(world: EasternWorld, state: State) -> list[Unit]:
    """The expansion factories that have been chosen so far, wherever they are now."""
    return [unit for unit in world.expansion_factories(state) if unit.place.kind != UNUSED]


@computed("EF.expansion/14")
def opportunities_so_far(world: EasternWorld, turn: int) -> int:
    """The choice before the game and every quarter up to a turn."""
    first = world.dates["first_opportunity"]
    return 1 + sum(world.month(each) in world.profile.expansion_months for each in range(first, turn + 1))


def choices_left_now(world: EasternWorld, state: State) -> int:
    """How many factories may still be chosen in this turn, by the number of opportunities."""
    turn, limit = state.clock.turn, world.number("choices_per_opportunity")
    delay = world.number("expansion_delay")
    made_now = sum(unit.place == on_track(FACTORIES, turn + delay) for unit in world.expansion_factories(state))
    if accumulates(world, state):
        had, most = opportunities_so_far(world, turn), most_choices(world, state)
        return (had if most is None else min(had, most)) - len(chosen(world, state))
    return limit - made_now


def accumulates(world: EasternWorld, state: State) -> bool:
    """Whether opportunities that were not used are kept for later quarters."""
    return world.ruling(state, PASSED.key) == "accumulates"


def most_choices(world: EasternWorld, state: State) -> int | None:
    """How many opportunities there are in the game as the group counts them; None if as many as the calendar gives."""
    played, most = world.ruling(state, OPPORTUNITIES.key), world.number("opportunities")
    return None if played == "no-cap" else most + (1 if played == "ten-besides" else 0)


def opportunity_now(world: EasternWorld, state: State) -> int:
    """Which opportunity of the game a choice made now would use."""
    by_choices = world.ruling(state, OPPORTUNITIES.key) == "ten-made" or accumulates(world, state)
    return len(chosen(world, state)) + 1 if by_choices else opportunities_so_far(world, state.clock.turn)
