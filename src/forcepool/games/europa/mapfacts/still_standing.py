"""Places that change hands while units of another side still stand on them: said at once, and asked after."""

from collections.abc import Iterator

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.desk import Declaring
from forcepool.engine.events import Event, Noted
from forcepool.engine.facts import kept
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.still_standing import taken_under_them, to_be_moved_or_lost
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.mapfacts.positions import camp_of
from forcepool.games.europa.world import EuropaWorld


def others_at(world: EuropaWorld, state: State, place: str, owner: str) -> list[Unit]:
    """The units in a hex that fight neither for its owner nor beside him."""
    friends = camp_of(world, owner)
    return [unit for unit in state.stack(place) if world.side_now(state, unit.spec.nation) not in friends]


def taken_with_units_on_it(q: Declaring) -> Iterator[Event]:
    """Whoever says that a place was taken is told that units are still there; which ones, their own side knows."""
    assert isinstance(q.world, EuropaWorld)
    place, owner = q.on.removeprefix("place/"), str(q.value or "")
    if owner and (units := others_at(q.world, q.state, place, owner)):
        sides = {q.world.side_now(q.state, unit.spec.nation) for unit in units}
        yield Noted(text=taken_under_them(place, owner, units, sides))


def to_be_cleared(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Places of one side with units of its enemies on them: somebody forgot to move or lose those."""
    facts = world.facts(state)
    yield from (line for place in sorted(state.stacks) if (line := _to_be_cleared(world, facts, place)))


@kept
def _to_be_cleared(world: EuropaWorld, facts: EuropaFacts, place: str) -> Item | None:
    owner, state = facts.owner(place), facts.state
    units = others_at(world, state, place, owner) if owner else []
    if not units:
        return None
    text = f"{the_place(place)} is owned by {owner}, and {to_be_moved_or_lost(units)}, or mend the owner"
    return Item(DUE, text, "", world.side_now(state, units[0].spec.nation))


CHAPTER = Chapter(heading="map", declared={"owner": (taken_with_units_on_it,)}, due=(to_be_cleared,))
