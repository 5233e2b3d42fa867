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

COUNTED_OTHERWISE = ("RE", "NTP")
"""What an order of battle gives amounts of and no pool holds."""


def check(world: EuropaWorld, state: State) -> Iterator[Event]:
    """What the order of battle names must exist, and is told when the campaign is set up rather than in mid-war."""
    for entry in listed(world, state):
        for problem in (*unknown_nations(world, entry), *unknown_kinds(world, entry)):
            raise BadCommand(f"the order of battle, line {entry.line}: {problem}")
        for area in (each for place in (entry.place, entry.section) for each in areas_of(world, place)):
            kind = area.partition("/")[0]
            if kind in ("md", "front") and area not in world.areas:
                raise BadCommand(f"the order of battle, line {entry.line}: list {area} under {kind}s")
    return iter(())


def unknown_nations(world: EuropaWorld, entry: Entry) -> Iterator[str]:
    """What is wrong with the nations an entry names."""
    for nation in nations_of(entry):
        try:
            world.nation_named(nation)
        except ValueError as error:
            yield str(error)


def unknown_kinds(world: EuropaWorld, entry: Entry) -> Iterator[str]:
    """What is wrong with the kinds of point an entry brings, costs or gives."""
    listed_points = [item.points for item in (*entry.items, *entry.results)]
    amounts = (*listed_points, entry.cost, entry.yields, entry.rebuild)
    for kind in sorted({kind for points in amounts for kind in points}):
        if kind not in COUNTED_OTHERWISE:
            try:
                world.kind_named(kind.casefold())
            except ValueError as error:
                yield str(error)


def nations_of(entry: Entry) -> tuple[str, ...]:
    """The nation whose entry it is, and those of its contingents, as written."""
    return (entry.nation, *(item.contingent for item in entry.items if item.contingent))


CHAPTER = Chapter(heading="51", opening=(check,))
