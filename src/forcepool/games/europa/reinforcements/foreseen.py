"""51.A.10 and 51.B.20  Entries of the coming month that could not be carried out as things stand, and why."""

from collections.abc import Iterator

from forcepool.engine.places import OUT
from forcepool.engine.state import State
from forcepool.engine.verdicts import No, no
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.by_kind import kind_called, of_kinds
from forcepool.games.europa.reinforcements.listed_places import places_lost, spec_of_place
from forcepool.games.europa.world import MIX, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.orderofbattle.unit_strings import print_unit
from forcepool.orderofbattle.words import BRINGS, CHANGES, TAKES, VERBS
from forcepool.rulebook.citations import computed

LOST_WITH_THEIR_MD = {"forming": "51.B.7/2", "add to garrison": "51.B.1/1"}
"""What waits where every city of its MD is the enemy's, and by which clause; anything else by the general one."""


@computed("51.A.10/1", "51.B.20/1")
def in_the_way(world: EuropaWorld, state: State, entry: Entry) -> No | None:
    """What would keep an entry from being carried out today: its places all the enemy's, or no unit it speaks of."""
    effect = VERBS[entries.verb_of(entry)].effect
    place, side = spec_of_place(entry), entries.side_of(world, state, entry)
    if (effect == BRINGS or entry.verb == "resources") and (lost := places_lost(world, state, place, side)):
        clause = LOST_WITH_THEIR_MD.get(entry.verb, "51.A.10/1")
        return no(lost, remedy="it waits until one is yours again", clause=clause)
    if effect in (TAKES, CHANGES):
        for item in entry.items:
            if item.spec is not None and not _will_exist(world, state, entry, item):
                says = f"there is no {print_unit(item.spec)} in play or in the pool, and none is to come before"
                return no(says, remedy="it waits until there is one", clause="51.B.20/1")
    return None


def _will_exist(world: EuropaWorld, state: State, entry: Entry, item: Item) -> bool:
    assert item.spec is not None
    strength, step = entries.strength_listed(item)
    kind = kind_called(entries.nationality(world, entry, item), item.spec)
    there = (unit.spec for unit in of_kinds(world, state, {kind}) if unit.place.kind not in (OUT, MIX))
    if any(spec.has(step) and spec.strength(step) == strength for spec in there):
        return True
    return any(_brings_such(world, each, entry, item) for each in _before(world, state, entry))


def _before(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Entry]:
    turn = entries.turn_of(world, entry)
    for each in entries.listed(world, state):
        due = entries.turn_of(world, each)
        if each is not entry and (due is None or turn is None or due <= turn):
            yield each


def _brings_such(world: EuropaWorld, other: Entry, entry: Entry, item: Item) -> bool:
    """Whether another entry brings, or makes, a unit of the kind and strength that a line speaks of."""
    brought = other.results or (other.items if VERBS[entries.verb_of(other)].effect == BRINGS else ())
    spec, nation = item.spec, entries.nationality(world, entry, item)
    return any(
        each.spec is not None
        and spec is not None
        and entries.nationality(world, other, each) == nation
        and entries.same_kind(each.spec, spec)
        and each.spec.full == spec.full
        for each in brought
    )
