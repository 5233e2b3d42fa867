"""51.B.7  Units that form: into the FORMING BOX, full on a later turn, or lost with its cities."""

from collections.abc import Iterator
from typing import Any

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.command import lazy
from forcepool.engine.events import Event, Marked, Moved, Raised
from forcepool.engine.facts import TURN, Fact, place_key, unit_key
from forcepool.engine.places import HEX, Place, at_hex
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER
from forcepool.games.europa.ground.ownership import takings
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.tallies import front_of
from forcepool.games.europa.question import Appears, EuropaQuestion
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.appearing import candidates
from forcepool.games.europa.reinforcements.entries import ENTRY, entry_of, home_area, marked
from forcepool.games.europa.reinforcements.falling_due import Brought, come_in, on_the_track
from forcepool.games.europa.reinforcements.full_lines import full_turn, line_of_turn, still_says, turns_left
from forcepool.games.europa.reinforcements.landing import EMBARKED, Land
from forcepool.games.europa.reinforcements.listed_places import areas_of, is_lost
from forcepool.games.europa.reinforcements.sites import ARRIVES_FIRST, FORMED_SINCE, SEA
from forcepool.games.europa.world import (
    ELIMINATED,
    FORMING_BOX,
    REINFORCEMENT_TRACK,
    EuropaWorld,
)
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import computed

FULL_ON = "full_on"


# ---------------------------------------------------------------------------------------- into the box


@computed("51.B.7/2", "51.B.7/3", "51.B.7/9")
def begins_to_form(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into the FORMING BOX of its MD or theatre; what must arrive first comes in like any arrival."""
    if entry.arrival == ARRIVES_FIRST:
        return on_the_track("51.B.7/9")(world, state, entry)
    areas = areas_of(world, entry.place) or (home_area(world, state, entry),)
    side = entries.side_of(world, state, entry)
    area = next((each for each in areas if not is_lost(world, state, each, side)), "")
    if not area:
        lost = " and ".join(areas)
        return no(f"every city of {the_pool(lost)} is lost", remedy="it waits until one is retaken", clause="51.B.7/2")
    events = list(come_in(world, state, entry, Place(FORMING_BOX, area), "51.B.7/2"))
    names = [each.unit for each in events if isinstance(each, Raised | Moved)]
    marks = (mark for place, name in enumerate(names) for mark in forms(world, state, entry, name, 0, place))
    return [*events, *marks]


@computed("51.B.7/4", "51.B.7/5")
def forms(world: EuropaWorld, state: State, entry: Entry, unit: str, late: int, place: int = 0) -> Iterator[Event]:
    """When it will be full; a conversion made late delays that by as many turns, which a marker shows."""
    yield marked(unit, ENTRY, entry.key)
    yield marked(unit, FORMED_SINCE, state.clock.turn)
    yield marked(unit, FULL_ON, full_turn(world, state, entry, unit, place), "51.B.7/4")
    if late:
        yield marked(unit, MP_MARKER, late, "51.B.7/5")


def forms_on_arrival(q: Any) -> Iterator[Event]:
    """What must arrive first enters the box once it is on land, full as many turns later as that took."""
    if q.hex and not q.is_at_sea and q.entry.arrival == ARRIVES_FIRST:
        yield from _enters_the_box(q, q.unit, q.hex)


def forms_on_landing(q: Any) -> Iterator[Event]:
    """The same for a unit that came by sea, as it is declared to have landed."""
    entry = entry_of(q.world, q.state, q.unit) if q.value is False else None
    on_land = q.unit.place.kind == HEX and not q.world.facts(q.state).of_place(q.unit.place.of, SEA)
    if entry is not None and entry.arrival == ARRIVES_FIRST and on_land:
        yield from _enters_the_box(q, q.unit, q.unit.place.of)


def forms_as_it_lands(q: Any) -> Iterator[Event]:
    """The same where it is landed by command."""
    entry = entry_of(q.world, q.state, q.unit)
    if entry is not None and entry.arrival == ARRIVES_FIRST:
        yield from _enters_the_box(q, q.unit, q.hex)


@computed("51.B.7/9")
def _enters_the_box(q: Any, unit: Unit, hex_name: str) -> Iterator[Event]:
    entry = entry_of(q.world, q.state, unit)
    if entry is None or q.state.mark(unit_key(unit.id), FORMED_SINCE) is not None:
        return
    late = q.state.clock.turn - (entries.turn_of(q.world, entry) or q.state.clock.turn)
    box = Place(FORMING_BOX, home_area(q.world, q.state, entry))
    yield Moved(unit=unit.id, frm=at_hex(hex_name), to=box, because="51.B.7/9")
    yield from forms(q.world, q.state, entry, unit.id, late)


def in_boxes(state: State) -> list[Unit]:
    return [unit for unit in state.units_in_order() if unit.place.kind == FORMING_BOX]


def delay_of(world: EuropaWorld, state: State, unit: Unit) -> int:
    return world.facts(state).mp_marker(unit)


def is_full_on(world: EuropaWorld, state: State, unit: Unit) -> int:
    """The turn it becomes full by the order of battle, its delay left out; 0 if never."""
    entry = entry_of(world, state, unit)
    value = _marked_full(state, unit)
    if entry is None:
        return value
    if not unit.spec.designation:
        return _of_those_alike(world, state, entry).get(unit.id, value)
    # The line that makes it full may have come into the order of battle since, or been taken out of it.
    if value and still_says(world, state, entry, unit.id, value):
        return value
    return full_turn(world, state, entry, unit.id)


def _marked_full(state: State, unit: Unit) -> int:
    mark = state.mark(unit_key(unit.id), FULL_ON)
    return mark.value if mark and isinstance(mark.value, int) else 0


def _of_those_alike(world: EuropaWorld, state: State, entry: Entry) -> dict[str, int]:
    """Units of an entry without a number: each keeps its turn while a line says so; lines left over go in order."""
    names = sorted(on.removeprefix(unit_key("")) for on in state.marked.get(FULL_ON, ()))
    boxed = [state.units[name] for name in names if name in state.units and state.units[name].place.kind == FORMING_BOX]
    alike = [unit for unit in boxed if not unit.spec.designation and entry_of(world, state, unit) is entry]
    left, found = sorted(turns_left(world, state, entry)), dict.fromkeys((unit.id for unit in alike), 0)
    for unit in alike:
        if (value := _marked_full(state, unit)) in left:
            left.remove(value)
            found[unit.id] = value
    for name in (name for name, turn in found.items() if not turn):
        found[name] = left.pop(0) if left else 0
    return found


def become_full(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As its owner's reinforcement phase begins, a unit that is full leaves the box as a reinforcement."""
    if world.phase(state) != REINFORCEMENT:
        return
    now: State | None = None
    for unit in in_boxes(state):
        if world.side_now(state, unit.spec.nation) != world.phasing(state) or not _is_full(world, now or state, unit):
            continue
        # A line that has had its unit makes no other full.
        now = now or state.copy()
        events = list(leaves_the_box(world, now, unit))
        after = now.copy()
        evolve(after, events)
        if has_a_hex(world, after, after.units[unit.id]):
            now = after
            yield from events


def _is_full(world: EuropaWorld, state: State, unit: Unit) -> bool:
    turn = is_full_on(world, state, unit)
    return bool(turn) and state.clock.turn >= turn + delay_of(world, state, unit)


@computed("51.B.7/6", "51.A.10/1")
def has_a_hex(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """Whether not every hex its line allows is the enemy's; while they all are, a full unit stays in its box."""
    facts, side = world.facts(state), world.side_now(state, unit.spec.nation)
    hexes = candidates(world, state, unit)
    return not hexes or any(facts.owner(each) in ("", side) for each in hexes)


def full_and_waiting(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Units that are full and have no hex to appear in."""
    if world.phase(state) != REINFORCEMENT:
        return
    for unit in in_boxes(state):
        side = world.side_now(state, unit.spec.nation)
        if side == world.phasing(state) and _is_full(world, state, unit):
            text = f"{unit} is full and waits in its box: every hex its line allows is the enemy's"
            yield Item(NEWS, text, "51.B.7/6", side)


def hex_was_regained(q: Any) -> Iterator[Event]:
    """A full unit that waits for a hex comes in the reinforcement phase in which one is said to be retaken."""
    if q.value and q.world.phase(q.state) == REINFORCEMENT:
        own = q.state.copy()
        evolve(own, [Marked(on=q.on, mark=q.fact.name, value=q.value)])
        yield from become_full(q.world, own)


@computed("51.B.7/6", "51.B.7/18")
def received_by(world: EuropaWorld, state: State, unit: Unit) -> tuple[Entry | None, str]:
    """The line that makes a forming unit full, and the key of the entry by whose place it is received."""
    forming = entry_of(world, state, unit)
    assert forming is not None
    partner = line_of_turn(world, state, forming, unit.id, is_full_on(world, state, unit))
    return partner, partner.key if partner and partner.place else forming.key


@computed("51.B.7/6", "51.B.7/7")
def leaves_the_box(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Event]:
    """To be placed in its MD or area, free; the marker that counted its delay is taken off."""
    partner, key = received_by(world, state, unit)
    if partner and not unit.spec.designation:
        yield entries.did(state, partner, "51.B.7/6")
    track = Place(REINFORCEMENT_TRACK, unit.place.of, state.clock.turn)
    yield Moved(unit=unit.id, frm=unit.place, to=track, because="51.B.7/6")
    yield marked(unit.id, ENTRY, key, "51.B.7/7" if delay_of(world, state, unit) else "51.B.7/6")
    if delay_of(world, state, unit):
        yield marked(unit.id, MP_MARKER, None, "51.B.7/7")


def lose_the_boxes(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Once a player owns no city of an MD or theatre any more, what was forming there is eliminated."""
    for unit in in_boxes(state):
        if is_lost(world, state, unit.place.of, world.side_now(state, unit.spec.nation)):
            yield from lost_in_the_box(world, state, unit)


def lose_the_boxes_at_once(q: Any) -> Iterator[Event]:
    """The same the moment the last city is declared to have fallen; retaken, it brings nothing back."""
    around = q.world.line_of(q.world.spot(q.on.removeprefix(place_key(""))).area)
    taken = [each.place for each in takings(q)]
    for unit in in_boxes(q.state) if q.value else ():
        side = q.world.side_now(q.state, unit.spec.nation)
        if unit.place.of in around and q.value != side and is_lost(q.world, q.state, unit.place.of, side, taken):
            yield from lost_in_the_box(q.world, q.state, unit)


@computed("51.B.7/8", "51.A.10/2")
def lost_in_the_box(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Event]:
    """To the front's ELIMINATED BOX, without special replacements."""
    front = front_of(world, state, unit.place.of, unit.spec.nation)
    says = f"every city of {the_pool(unit.place.of)} is lost"
    yield Moved(unit=unit.id, frm=unit.place, to=Place(ELIMINATED, front), because="51.B.7/8 51.A.10/2", says=says)


# ------------------------------------------------------------------------------------------- in the box


class InBox(EuropaQuestion):
    """A unit in a FORMING BOX."""

    @lazy
    def full_on(self) -> int:
        return is_full_on(self.world, self.state, self.unit)


@rule("51.B.7/2")
def is_in_a_forming_box(q: InBox) -> Verdict:
    """It is forming."""
    if q.unit.place.kind == FORMING_BOX:
        return YES
    return no(f"{q.unit} is in no FORMING BOX but {q.world.where(q.unit.place)}")


CHAPTER = Chapter(
    heading="51.B.7",
    comes_about={"forming": begins_to_form},
    facts=(
        Fact(FORMED_SINCE, ("unit",), "the turn it began to form", None, TURN, by_hand=False),
        Fact(FULL_ON, ("unit",), "the turn the OB makes it full", 0, TURN, by_hand=False),
    ),
    also={Appears: (forms_on_arrival,), Land: (forms_as_it_lands,)},
    declared={EMBARKED: (forms_on_landing,), "owner": (lose_the_boxes_at_once, hex_was_regained)},
    happens=(lose_the_boxes, become_full),
    agenda=(full_and_waiting,),
    boxes={FORMING_BOX: "FORMING BOX"},
)
