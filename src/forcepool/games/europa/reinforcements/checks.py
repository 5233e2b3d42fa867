"""51/2  What the order of battle names: nations and MDs that the campaign must have."""

from collections.abc import Iterator

from forcepool.engine.command import BadCommand
from forcepool.engine.events import Event
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements.entries import listed
from forcepool.games.europa.reinforcements.listed_places import areas_of
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry


def check(world: EuropaWorld, state: State) -> Iterator[Event]:
    """What the order of battle names must exist, and is told when the campaign is set up rather than in mid-war."""
    for entry in listed(world, state):
        for problem in unknown_nations(world, entry):
            raise BadCommand(f"the order of battle, line {entry.line}: {problem}")
        for area in areas_of(world, entry.place):
            if area.startswith("md/") and area not in world.areas:
                raise BadCommand(f"the order of battle, line {entry.line}: list {area} under mds")
    return iter(())


def unknown_nations(world: EuropaWorld, entry: Entry) -> Iterator[str]:
    """What is wrong with the nations an entry names."""
    for nation in nations_of(entry):
        try:
            world.nation_named(nation)
        except ValueError as error:
            yield str(error)


def nations_of(entry: Entry) -> tuple[str, ...]:
    """The nation whose entry it is, and those of its contingents, as written."""
    return (entry.nation, *(item.contingent for item in entry.items if item.contingent))


CHAPTER = Chapter(heading="51", opening=(check,))
