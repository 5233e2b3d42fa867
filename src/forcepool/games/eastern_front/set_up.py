"""EF.expansion/1, /2 and /13: what the factories of a game from its very beginning must be."""

from collections.abc import Iterator

from forcepool.engine.places import HEX
from forcepool.engine.state import State
from forcepool.games.eastern_front.world import EasternWorld
from forcepool.rulebook.citations import computed


def check(world: EasternWorld, state: State) -> Iterator[tuple[tuple[str, ...], str]]:
    """Everything that is wrong with the factories of a set-up, with the place in its file."""
    yield from _eleven_start(world, state)
    yield from _where_printed(world, state)
    yield from _thirteen_more(world)


@computed("EF.expansion/1")
def _eleven_start(world: EasternWorld, state: State) -> list[tuple[tuple[str, ...], str]]:
    on_map = [name for name in sorted(world.works) if state.units[name].place.kind == HEX]
    wanted = world.number("starting_factories")
    if len(on_map) == wanted:
        return []
    return [(("factories",), f"the game begins with {wanted} factories on the map, not {len(on_map)} (EF.expansion/1)")]


@computed("EF.expansion/2")
def _where_printed(world: EasternWorld, state: State) -> list[tuple[tuple[str, ...], str]]:
    return [
        (("factories", name), f"{name} starts at {works.printed}, as its counter says (EF.expansion/2)")
        for name, works in sorted(world.works.items())
        if works.printed and state.units[name].place.of != works.printed
    ]


@computed("EF.expansion/13")
def _thirteen_more(world: EasternWorld) -> list[tuple[tuple[str, ...], str]]:
    lettered, wanted = [works for works in world.works.values() if works.letter], world.number("expansion_factories")
    if len(lettered) == wanted:
        return []
    return [(("factories",), f"there are {wanted} factories to expand with, not {len(lettered)} (EF.expansion/13)")]
