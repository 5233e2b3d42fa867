"""51.B  What an entry brings as its turn comes: counters on the reinforcement track, in boxes and pools, and points."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from forcepool.engine.events import Became, Event, Marked, Moved, Raised
from forcepool.engine.facts import YES_NO, Fact, unit_key
from forcepool.engine.places import HEX, OUT, OUT_OF_PLAY, Place
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.verdicts import No, no
from forcepool.games.europa.chapter import Brings, Chapter
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.standing import GARRISON, GARRISON_BOX
from forcepool.games.europa.ground.tallies import front_of
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.conditions import SO, remember
from forcepool.games.europa.reinforcements.counters import counters, drawn
from forcepool.games.europa.reinforcements.entries import (
    ENTRY,
    RECEIVED,
    home_area,
    marked,
    on_entry,
    pool_of,
)
from forcepool.games.europa.reinforcements.just_added import ADDED
from forcepool.games.europa.reinforcements.lines_served import served, still_called_for
from forcepool.games.europa.reinforcements.listed_places import is_lost
from forcepool.games.europa.reinforcements.listed_points import SRP_AS_SP, receives
from forcepool.games.europa.reinforcements.named_boxes import BALKANS
from forcepool.games.europa.reinforcements.released_units import at_its_strength_first
from forcepool.games.europa.reinforcements.sites import HOLDING
from forcepool.games.europa.replacements.training.garrisons import GARRISON_ACTIVE, is_of_the_garrison
from forcepool.games.europa.reserves.entering import released
from forcepool.games.europa.world import ELIMINATED, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed, meets_one_of

BREAKDOWN_BOX, WITHDRAWN = "breakdown", "withdrawn"
IN_THE_BALKANS = Place(HOLDING, BALKANS)

Brought = list[Event] | No
"""What an entry does, or why it cannot yet."""


# ------------------------------------------------------------------------------------------- on the track


def on_the_track(clause: str) -> Brings:
    """Counters that wait on the reinforcement track, to be placed by their owner in this phase or when they can."""

    def brings(world: EuropaWorld, state: State, entry: Entry) -> Brought:
        track = Place(REINFORCEMENT_TRACK, home_area(world, state, entry), state.clock.turn)
        return list(come_in(world, state, entry, track, clause))

    return brings


def come_in(world: EuropaWorld, state: State, entry: Entry, at: Place, because: str) -> Iterator[Event]:
    """Each counter of an entry: from the mix if it lies there, else new."""
    for name, spec, step in counters(world, state, entry, entry.items):
        yield from drawn(state, name, spec, step, at, because)
        yield marked(name, ENTRY, entry.key)


@computed("51.B.1.b/2")
def forces_listed(world: EuropaWorld, state: State, entry: Entry) -> list[Entry]:
    """What 'forces from' a theatre means: the transfers of that theatre for the turn."""
    names = [name.casefold() for name in entry.source.names] if entry.source else []
    return [
        each
        for each in entries.listed(world, state)
        if each.verb == "transfer"
        and each.turn == entry.turn
        and each.nation == entry.nation
        and any(name.casefold() in names for place in (each.source, each.section) if place for name in place.names)
    ]


def _is_brought_by_an_arrival(world: EuropaWorld, state: State, entry: Entry) -> bool:
    return any(
        each.verb == "arrive" and any(item.force for item in each.items) and entry in forces_listed(world, state, each)
        for each in entries.listed(world, state)
    )


def arrives(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Units from another theatre or command, or whatever that theatre's listing transfers."""
    if not any(item.force for item in entry.items):
        return on_the_track("51.B.1.b/1")(world, state, entry)
    listed = forces_listed(world, state, entry)
    found = [each for each in listed if entries.direction(world, state, each) != entries.IGNORED]
    if listed and not found:
        # Between two theatres of the player's own the forces are moved by him, and do not come a second time.
        return []
    if not found:
        return no(
            "the order of battle lists no transfer from there on that turn",
            remedy="put the OB right",
            clause="51.B.1.b/2",
        )
    track = Place(REINFORCEMENT_TRACK, home_area(world, state, entry), state.clock.turn)
    events: list[Event] = []
    for each in found:
        for name, spec, step in counters(world, state, each, each.items):
            events += [*drawn(state, name, spec, step, track, "51.B.1.b/2"), marked(name, ENTRY, entry.key)]
    return events


@computed("51.B.16/1", "51.B.16/2", "51.B.16/3", "51.E.3.f/2")
def returns(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """The counters that were withdrawn come back as arrivals, at the strength the entry shows."""
    left = [unit for unit in state.units_in_order() if _was_withdrawn(state, entry, unit)]
    left.sort(key=lambda unit: unit.place != gone_to(entry))
    events: list[Event] = []
    found: list[Item] = []
    track = Place(REINFORCEMENT_TRACK, home_area(world, state, entry), state.clock.turn)
    for item in still_called_for(state, entry, entries.done(state, entry)):
        alike = (each for each in left if entries.could_be(world, entry, item, each))
        unit = next(iter(entries.named_first(alike, item)), None)
        if unit is None:
            continue
        left.remove(unit)
        found.append(item)
        why = {OUT: "51.B.16/2", WITHDRAWN: "51.B.16/2 28.C/7"}.get(unit.place.kind, "51.E.3.f/2")
        events.append(Moved(unit=unit.id, frm=unit.place, to=track, because=why))
        _, step = entries.strength_listed(item)
        if unit.step != step:
            events += _at_strength(unit, step)
        events.append(marked(unit.id, ENTRY, entry.key, "51.B.16/1"))
        events += take_off(state, unit_key(unit.id), WITHDRAWN)
    if not found:
        return no("no such unit was withdrawn", remedy="it waits until one has been", clause="51.B.16/2")
    return [*events, *_in_part(state, entry, found, "51.B.16/2")]


def _in_part(state: State, entry: Entry, found: list[Item], because: str) -> Iterator[Event]:
    """What an entry has brought so far, where the rest of it waits or came later than the first."""
    if not entries.done(state, entry) and len(found) == entries.needed(entry):
        return
    yield entries.did(state, entry, because, len(found))
    yield from served(state, entry, *found)


def _at_strength(unit: Unit, step: str) -> list[Event]:
    return [Became(unit=unit.id, was=unit.step, step=step, because="51.B.16/3", says="at no cost")]


def _was_withdrawn(state: State, entry: Entry, unit: Unit) -> bool:
    """A return that names the BALKANS HOLDING BOX takes what is in it; any other what has left play, or else that."""
    box = gone_to(entry)
    if box == OUT_OF_PLAY and unit.place.kind == WITHDRAWN:
        return True  # An air unit that the Air OB withdrew (28.C/7).
    there = unit.place == box if box != OUT_OF_PLAY else unit.place in (OUT_OF_PLAY, IN_THE_BALKANS)
    return there and state.mark(unit_key(unit.id), WITHDRAWN) is not None


def gone_to(entry: Entry) -> Place:
    """Where the units are that a return brings back."""
    return IN_THE_BALKANS if entries.is_for_the_balkans(entry) else OUT_OF_PLAY


def transferred_in(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Forces from a theatre the player does not control arrive; those that leave are his to choose."""
    if entries.direction(world, state, entry) == entries.IN:
        # An arrival of 'forces from' that theatre brings the same forces, and they come once.
        return [] if _is_brought_by_an_arrival(world, state, entry) else on_the_track("51.B.17/3")(world, state, entry)
    return no("the owner chooses what leaves", clause="51.B.17/3")


# --------------------------------------------------------------------------------------------- into boxes


def may_still_appear_in(world: EuropaWorld, state: State, unit: Unit) -> tuple[str, ...]:
    """The MDs that the entry of a reinforcement names and that its side has not lost."""
    side = world.side_now(state, unit.spec.nation)
    return tuple(area for area in entries.listed_for(world, state, unit) if not is_lost(world, state, area, side))


@computed("51.B.1/1")
def joins_the_garrison(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into the garrison box of the MD; once that is activated, as a reinforcement of the MD."""
    md = home_area(world, state, entry)
    if world.facts(state).of_area(md, GARRISON_ACTIVE) is True:
        return on_the_track("51.B.1/1")(world, state, entry)
    if is_lost(world, state, md, entries.side_of(world, state, entry)):
        return no(f"every city of {the_pool(md)} is lost", remedy="it waits until one is retaken", clause="51.B.1/1")
    events = list(come_in(world, state, entry, Place(GARRISON_BOX, md), "51.B.1/1"))
    return [*events, *(marked(each.unit, GARRISON, md) for each in events if isinstance(each, Raised | Moved))]


@computed("51.B.1.a/1")
def joins_the_pool(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into the ELIMINATED BOX of the front or theatre the entry stands under."""
    events = list(come_in(world, state, entry, Place(ELIMINATED, pool_of(world, state, entry)), "51.B.1.a/1"))
    return [*events, *(marked(each.unit, ADDED, value=True) for each in events if isinstance(each, Raised | Moved))]


@computed("51.B.1.c/1", "51/4")
def waits_for_assembly(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into its breakdown box, by its identification."""
    events: list[Event] = []
    for name, spec, step in counters(world, state, entry, entry.items):
        box = Place(BREAKDOWN_BOX, (spec.designation or name).casefold())
        events += [*drawn(state, name, spec, step, box, "51.B.1.c/1"), marked(name, ENTRY, entry.key)]
    return events


@computed("51.B.11/1")
def leaves_the_garrison(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Out of the garrison box of the MD, to be placed in that MD; from its pool, to the front's ELIMINATED BOX.

    What stands on the map in the garrison stays where it is, and is in operational reserve.
    """
    md = home_area(world, state, entry)
    events: list[Event] = []
    found: list[Item] = []
    taken: set[str] = set()
    for item in still_called_for(state, entry, entries.done(state, entry)):
        unit = _in_garrison(world, state, entry, item, md, taken)
        if unit is None:
            continue
        taken.add(unit.id)
        found.append(item)
        if unit.place.kind == GARRISON_BOX:
            track = Place(REINFORCEMENT_TRACK, md, state.clock.turn)
            events += [
                Moved(unit=unit.id, frm=unit.place, to=track, because="51.B.11/1"),
                marked(unit.id, ENTRY, entry.key),
                *take_off(state, unit_key(unit.id), GARRISON),
            ]
        elif unit.place.kind == ELIMINATED:
            to = Place(ELIMINATED, front_of(world, state, md, unit.spec.nation))
            events.append(Moved(unit=unit.id, frm=unit.place, to=to, because="51.B.11/1"))
        elif state.mark(unit_key(unit.id), GARRISON) is not None:
            events += [*take_off(state, unit_key(unit.id), GARRISON), *released(world, state, unit)]
    if not found:
        return no(
            f"no such unit is in the garrison of {the_pool(md)}", remedy="it waits until one is", clause="51.B.11/1"
        )
    return [*events, *_in_part(state, entry, found, "51.B.11/1")]


def _in_garrison(world: EuropaWorld, state: State, entry: Entry, item: Item, md: str, taken: set[str]) -> Unit | None:
    """The unit a release means: in the box, else on the map in the garrison, else in the MD's pool, else on the map.

    Elsewhere on the map it is known by its number, or once the garrison is activated.
    """
    activated = world.facts(state).of_area(md, GARRISON_ACTIVE) is True
    ways: tuple[Callable[[Unit], bool], ...] = (
        lambda unit: unit.place == Place(GARRISON_BOX, md),
        lambda unit: unit.place.kind == HEX and is_of_the_garrison(state, unit, md),
        lambda unit: unit.place == Place(ELIMINATED, md),
        lambda unit: unit.place.kind == HEX and (activated or entries.bears(unit, item.designations)),
    )
    for stands in ways:
        there = [unit for unit in state.units_in_order() if unit.id not in taken and stands(unit)]
        if found := entries.named_first(at_its_strength_first(world, state, entry, item, there), item):
            return found[0]
    return None


# ---------------------------------------------------------------------------------------------- all of them


@meets_one_of("51.A.4/1", "51.B.20/1", "51.A.10/2")
def fall_due(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As an owner's reinforcement phase begins, his entries that have come are carried out, as far as they can be."""
    if world.phase(state) != REINFORCEMENT:
        return
    yield from carried_out(world, state, entries.in_force(world, state, world.phasing(state), *world.game.comes_about))


def carried_out(world: EuropaWorld, state: State, due: Iterable[Entry]) -> Iterator[Event]:
    """What entries that have come bring about by themselves, as far as they can be carried out."""
    own: State | None = None
    for entry in due:
        # One entry may take a unit or a name that another would have taken.
        own = own or state.copy()
        found = world.game.comes_about[entries.verb_of(entry)](world, own, entry)
        if isinstance(found, No):
            continue
        evolve(own, found)
        yield from found
        if not entries.done(own, entry) or entries.is_done(own, entry):
            done = [Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because=_why(entry))]
            evolve(own, done)
            yield from done


def condition_came_true(q: Any) -> Iterator[Event]:
    """A condition put on record in its owner's reinforcement phase is met in that phase, which finds it so."""
    yield from on_record(q, lambda entry: bool(entry.conditions), *remember(q))


def on_record(q: Any, concerned: Callable[[Entry], bool], *also: Event) -> Iterator[Event]:
    """What entries bring at once because of something put on record in their owner's reinforcement phase."""
    world, state = q.world, q.state
    if not q.value or world.phase(state) != REINFORCEMENT:
        return
    own = state.copy()
    evolve(own, [Marked(on=q.on, mark=q.fact.name, value=q.value), *also])
    due = entries.in_force(world, own, world.phasing(own), *world.game.comes_about)
    yield from carried_out(world, own, [entry for entry in due if concerned(entry)])


def _why(entry: Entry) -> str:
    return "51.A/1 51.A.4/1 51.B.2/1" if entry.conditions else "51.A/1"


CHAPTER = Chapter(
    heading="51.B.1",
    comes_about={
        "reinforce": on_the_track("51.A/1"),
        "conditional": on_the_track("51.A.4/1"),
        "add to reserves": on_the_track("51.C.1/1"),
        "arrive": arrives,
        "return": returns,
        "transfer": transferred_in,
        "add to garrison": joins_the_garrison,
        "add to replacement pool": joins_the_pool,
        "available for assembly": waits_for_assembly,
        "release from garrison": leaves_the_garrison,
        "resources": receives,
    },
    listed_for=(may_still_appear_in,),
    declared={SO: (condition_came_true,)},
    facts=(Fact(WITHDRAWN, ("unit",), "it was withdrawn and may return", False, YES_NO, by_hand=False),),
    switches=(SRP_AS_SP,),
    happens=(fall_due,),
    boxes={GARRISON_BOX: "GARRISON BOX", BREAKDOWN_BOX: "BREAKDOWN BOX"},
)
