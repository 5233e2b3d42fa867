"""Orders at random: a few of the open options of a few units, whichever chance takes."""

from collections.abc import Iterator
from random import Random
from typing import Protocol

from forcepool.engine.command import Command, command_name
from forcepool.engine.options import options
from forcepool.engine.state import State
from forcepool.engine.world import World

LOOKS = 40
"""How many units are looked at in a phase; a real player does not go through every counter either."""
ORDERS = 6
"""How many orders are given in a phase at most."""


class Table(Protocol):
    """Where it is played: a campaign, or a branch of one."""

    @property
    def world(self) -> World: ...
    @property
    def state(self) -> State: ...


def at_random(
    table: Table, random: Random, side: str = "", orders: int = ORDERS, *, can_roll: bool = True
) -> Iterator[Command]:
    """A handful of orders from the listed options, for any side or for one, whose rear area alone is minded then.

    Each is to be given before the next is asked for: it is chosen from what is open after it.
    """
    world = table.world
    habits = {name: habit for name, habit in world.game.habits.items() if not (side and habit.on_map)}
    left = {name: random.randint(0, habit.most) for name, habit in sorted(habits.items())}
    phase = world.phase(table.state)
    wanted = {name for name, habit in habits.items() if phase in habit.phases and left[name]}
    if not wanted:
        return
    units = [
        unit.id
        for unit in table.state.units_in_order()
        if not side or world.side_now(table.state, unit.spec.nation) == side
    ]
    for unit in random.sample(units, min(LOOKS, len(units))):
        if orders <= 0 or not wanted:
            return
        listed = options(world, table.state, table.state.units[unit], names=wanted, only_open=True)
        opened = [each for each in listed if each.open and (can_roll or not each.die)]
        if not opened:
            continue
        command = random.choice(opened).command
        yield command
        name, orders = command_name(command), orders - 1
        left[name] -= 1
        if not left[name]:
            wanted.discard(name)
