"""51.B.2  What the map shows of the conditions of the order of battle: kept as it comes about, and asked for if not."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.events import Event, Marked
from forcepool.engine.sentence import the_order, to_type
from forcepool.engine.state import State, evolve
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.ownership import remembers_who_held_it
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.reinforcements import entries, places_fallen
from forcepool.games.europa.reinforcements.conditions import come_about, is_event, noted
from forcepool.games.europa.reinforcements.falling_due import on_record
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Condition, Entry
from forcepool.orderofbattle.printing import print_entry
from forcepool.rulebook.citations import computed

NEEDS_A_CITY = ("forming", "add to garrison", "resources")


def _awaited(world: EuropaWorld, state: State) -> Iterator[tuple[Entry, Condition, str]]:
    """The conditions of entries that are not carried out yet, each with the side it is looked at for."""
    for entry in entries.listed(world, state):
        if entry.conditions and not entries.is_done(state, entry):
            side = entries.side_of(world, state, entry)
            yield from ((entry, each, side) for each in entry.conditions)


def keep_what_the_map_shows(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a phase begins: a city that has fallen has fallen, though it be retaken before its entry falls due."""
    yield from _shown_now(world, state)


@computed("51.B.2/2")
def _shown_now(world: EuropaWorld, state: State) -> Iterator[Event]:
    noted_now: set[tuple[str, str]] = set()
    for _, condition, side in _awaited(world, state):
        text = condition.text
        if not is_event(condition) or side in come_about(state, text) or (text, side) in noted_now:
            continue
        if places_fallen.shows(world, state, text, side):
            noted_now.add((text, side))
            yield noted(state, text, side)


def place_changed_hands(q: Any) -> Iterator[Event]:
    """The same the moment a place is said to have a new owner; what waited for that comes in this phase."""
    if not q.value or not entries.listed(q.world, q.state):
        return
    taken = list(remembers_who_held_it(q))
    own = q.state.copy()
    evolve(own, [Marked(on=q.on, mark=q.fact.name, value=q.value), *taken])
    shown = list(_shown_now(q.world, own))
    yield from shown
    yield from on_record(q, _waits_for_a_place, *taken, *shown)


def _waits_for_a_place(entry: Entry) -> bool:
    """Whether an entry may wait for a place to change hands: by its condition, or for a city it speaks of."""
    return bool(entry.conditions) or entries.verb_of(entry) in NEEDS_A_CITY


def to_be_said(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Entries whose turn has come and whose condition only the players can tell: how to tell it."""
    if world.phase(state) != REINFORCEMENT:
        return
    phasing = world.phasing(state)
    for entry, condition, side in _awaited(world, state):
        turn = entries.turn_of(world, entry)
        if side != phasing or (turn is not None and turn > state.clock.turn) or entries.has_come(world, state, entry):
            continue
        if places_fallen.shows(world, state, condition.text, side) is not None:
            continue
        text = (
            f"{print_entry(entry)}{to_type(entry.key)} waits for its condition, which only you can tell: "
            f"once it is so, {the_order('declare', fact='so', about=condition.text, value='yes')}"
        )
        yield Item(NEWS, text, "51.B.2/2", side)


CHAPTER = Chapter(
    heading="51.B.2",
    declared={"owner": (place_changed_hands,)},
    happens=(keep_what_the_map_shows,),
    agenda=(to_be_said,),
)
