"""EF.expansion/10: the months a factory produces in, and the first of them after it is deployed."""

from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.games.eastern_front.world import EasternWorld, Works
from forcepool.rulebook.citations import computed

AT_ONCE = switch(
    "production-on-deployment",
    "EF.expansion/9",
    "whether a factory produces in the phase it is deployed",
    at_once="yes, if the month is on its schedule",
    next_scheduled="only from the next scheduled month",
)
SCHEDULES = switch(
    "production-schedules",
    "EF.expansion/10",
    "the months a factory produces in",
    by_counter="those on its counter; odd months where they are not known",
    all_odd="odd months, for every factory",
    tanks_odd="odd months for tank factories, the others by their counters",
)


def schedule(world: EasternWorld, state: State, works: Works) -> tuple[int, ...]:
    """The months a factory produces in."""
    played, odd = world.ruling(state, SCHEDULES.key), world.profile.default_schedule
    if played == "all-odd" or (played == "tanks-odd" and works.kind == "tank"):
        return odd
    return works.months or odd


@computed("EF.expansion/10")
def first_production_turn(world: EasternWorld, state: State, unit: Unit, deployed: int) -> int:
    """The first turn on a factory's schedule, counting from the turn it is deployed."""
    late = world.ruling(state, AT_ONCE.key) == "next-scheduled"
    return next_scheduled(world, state, world.works[unit.id], deployed + (1 if late else 0))


def next_scheduled(world: EasternWorld, state: State, works: Works, turn: int) -> int:
    """The first turn on a factory's schedule, counting from a turn."""
    months = schedule(world, state, works)
    while world.month(turn) not in months:
        turn += 1
    return turn
