"""51, 51.A/1 and 51.B/1  The order of battle in a campaign: its entries, and when each counts."""

from collections.abc import Iterable, Iterator
from math import gcd
from typing import Any

from msgspec.structs import replace

from forcepool.engine.command import BadCommand
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import ANY, NUMBER, TURN, Fact, fixed, subject_key, unit_key
from forcepool.engine.sentence import the_entry
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import FULL, STEPS, Strength, UnitSpec
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.reinforcements.book import OB, book
from forcepool.games.europa.reinforcements.by_kind import kind_called, of_kinds
from forcepool.games.europa.reinforcements.conditions import (
    guard_holds,
    holds_for,
    is_controlled,
    is_in_play,
    is_ruled_out,
)
from forcepool.games.europa.reinforcements.lines_served import leaves_the_number, lines_left
from forcepool.games.europa.reinforcements.listed_places import areas_of, spec_of_place
from forcepool.games.europa.reinforcements.named_boxes import BALKANS, SOUTHERN_FRANCE, box_named
from forcepool.games.europa.reinforcements.out_of_garrison import RELEASED, out_of_garrison
from forcepool.games.europa.switches import PHASE_ORDER
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.orderofbattle.words import VERBS, spelt_one_way
from forcepool.rulebook.citations import computed

ENTRY, RECEIVED, DID = "entry", "received", "did"
SOUTHEAST = "Southeast"
IGNORED, OUT, IN = "ignored", "out", "in"

IDENTIFICATIONS = switch(
    "identifications",
    "51/3",
    "whether the identifications on the OB bind",
    ignored="any unit of the listed strength, type and size serves",
    enforced="the unit named on the OB, for every entry",
    reinforcements="for reinforcements only, never for withdrawals and conversions",
)

OPTIONAL = tuple(verb.name for verb in VERBS.values() if verb.optional)
TAKEN_FROM_PLAY = (
    "withdraw",
    "transfer",
    "sequester",
    "convert",
    "upgrade",
    "reorganize",
    "remove from replacement pool",
)


# --------------------------------------------------------------------------------------------- the entries


def listed(world: EuropaWorld, state: State) -> tuple[Entry, ...]:
    """Every entry of the order of battle, as printed and as changed in play."""
    return book(world, state).entries


def find_entry(world: EuropaWorld, state: State, key: str) -> Entry:
    """The entry of that key; a key the order of battle does not have is nothing one can carry out."""
    by_key = book(world, state).by_key
    if key not in by_key:
        raise BadCommand(f"the order of battle has no entry '{key}'; the checklist names those that are due or open")
    return by_key[key]


def on_entry(entry: Entry) -> str:
    return subject_key("entry", entry.key)


def turn_of(world: EuropaWorld, entry: Entry) -> int | None:
    """The turn an entry falls due; None if it waits for a condition only."""
    return turn_named(world, entry.turn) if entry.turn else None


@fixed
def turn_named(world: EuropaWorld, text: str) -> int:
    return world.calendar.parse(text).turn


def nation_of(world: EuropaWorld, entry: Entry) -> str:
    return world.nation_named(entry.nation)


def side_of(world: EuropaWorld, state: State, entry: Entry) -> str:
    return world.side_now(state, nation_of(world, entry))


def is_past(world: EuropaWorld, state: State, entry: Entry, turn: int) -> bool:
    """Whether the reinforcement phase of an entry's owner on some turn lies behind."""
    side, clock = side_of(world, state, entry), state.clock
    if turn != clock.turn or side not in world.sequence.players:
        return turn < clock.turn
    index = world.sequence.player_index(side)
    return (clock.player, clock.phase) > (index, world.sequence.phase_index(REINFORCEMENT, index, clock.order))


def side_of_key(world: EuropaWorld, state: State, key: str) -> str:
    """The side of an entry by its key; nobody's once it is no more."""
    entry = book(world, state).by_key.get(key)
    return side_of(world, state, entry) if entry else ""


@computed("51/1")
def is_duty(entry: Entry) -> bool:
    """What the order of battle lists is a duty, but for disbanding, forming, reorganizing and upgrading.

    Of any number, or up to so many, the owner takes or gives up as many as he likes.
    """
    return entry.verb not in OPTIONAL and not leaves_the_number(entry)


@computed("51.B/1")
def verb_of(entry: Entry) -> str:
    """The term an entry stands under; a line that is none of them needs its own words, as Other does."""
    return entry.verb if entry.verb in VERBS else "other"


def needed(entry: Entry) -> int:
    """How many units an entry speaks of; what changes units counts by the single change."""
    if entry.results and any(item.how_many for item in entry.items):
        return sum(item.count for item in entry.items)
    if entry.results:
        return gcd(*(item.count for item in (*entry.items, *entry.results) if item.spec)) or 1
    return sum(item.count for item in entry.items if item.spec is not None) or 1


def done(state: State, entry: Entry) -> int:
    """How many of its units it has been carried out for."""
    mark = state.mark(on_entry(entry), DID)
    return mark.value if mark and isinstance(mark.value, int) else 0


def is_done(state: State, entry: Entry) -> bool:
    if any(item.how_many == "any" for item in entry.items):
        return False
    return state.mark(on_entry(entry), RECEIVED) is not None or done(state, entry) >= needed(entry)


def did(state: State, entry: Entry, because: str, times: int = 1) -> Event:
    """The event that counts an entry as carried out once more."""
    return Marked(on=on_entry(entry), mark=DID, value=done(state, entry) + times, because=because)


# ------------------------------------------------------------------------------------------ when one counts


@computed("51.E.3.h/1")
def is_overtaken(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """An entry headed `If no Iraqi Coup` is ignored if there has been one by its turn; a later one does not undo it."""
    by, side = judged_in(world, state, entry), side_of(world, state, entry)
    return any(is_ruled_out(world, state, each, by, side) for each in entry.conditions)


def judged_in(world: EuropaWorld, state: State, entry: Entry) -> int | None:
    """The player-turn in which a dated entry falls due."""
    turn, side = turn_of(world, entry), side_of(world, state, entry)
    if turn is None or side not in world.sequence.players:
        return None
    return replace(state.clock, turn=turn, player=world.sequence.player_index(side)).player_turn


def counts(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """Whether the scenario and what has happened leave an entry in force at all."""
    if entry.guards and not all(guard_holds(world, state, each, side_of(world, state, entry)) for each in entry.guards):
        return False
    if entry.verb == "transfer" and direction(world, state, entry) == IGNORED:
        return False
    if is_of_sequestered_forces(entry) and not is_sequestered(world, state, entry):
        return False
    if is_for_the_balkans(entry) and is_in_play(world, state, SOUTHEAST):
        return False
    return not (entry.conditions and entry.turn and is_overtaken(world, state, entry))


def is_of_sequestered_forces(entry: Entry) -> bool:
    """Whether an entry sequesters forces, or takes those that are out of their box for good."""
    return entry.verb == "sequester" or box_named(entry.source) == SOUTHERN_FRANCE


@computed("51.E.3.g/1")
def is_sequestered(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """Sequestering is for scenarios in which the player does not control ETO."""
    return not is_controlled(world, state, "ETO", side_of(world, state, entry))


@computed("51.E.3.f/1")
def is_for_the_balkans(entry: Entry) -> bool:
    """Units leave for the Balkans, and come back, only where the Southeast theatre is not in play."""
    return BALKANS in (box_named(entry.place), box_named(entry.source))


@computed("51.B.17/1", "51.B.17/2", "51.B.17/3")
def direction(world: EuropaWorld, state: State, entry: Entry) -> str:
    """A transfer goes out or comes in; between two theatres of the same player it is ignored."""
    side, leaves, enters = side_of(world, state, entry), entry.source or entry.section, entry.place
    enters = enters or (entry.section if entry.source else None)
    out, into = (place is not None and is_controlled(world, state, place.names[0], side) for place in (leaves, enters))
    if leaves is None:
        return IN if into else OUT
    # A scenario that lists no theatre leaves it to the OB where the player's own forces are.
    own = out or (entry.source is None and not any(area.startswith(("theatre/", "command/")) for area in world.areas))
    if own and not into:
        return OUT
    if into:
        return IGNORED if out else IN
    return OUT if enters is None and entry.source is None else IGNORED


@computed("51.A/1", "51.B.2/1")
def has_come(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """On the turn shown or later, and with its condition met; one without a date waits for its condition."""
    turn = turn_of(world, entry)
    if turn is None and not entry.conditions:
        return False
    if turn is not None and state.clock.turn < turn:
        return False
    if not entry.conditions:
        return True
    by, side = judged_in(world, state, entry), side_of(world, state, entry)
    return all(holds_for(world, state, each, by, side) for each in entry.conditions)


@computed("51.F/1")
def takes_part(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """A neutral has its reinforcements by its own country rules, and nothing by these."""
    return side_of(world, state, entry) in world.sequence.players


def in_force(world: EuropaWorld, state: State, side: str, *verbs: str) -> Iterator[Entry]:
    """The entries of these verbs that have come for a side and are not yet carried out, in the order of the OB."""
    for entry in listed(world, state):
        if verb_of(entry) not in verbs or is_done(state, entry):
            continue
        if not takes_part(world, state, entry) or side_of(world, state, entry) != side:
            continue
        if has_come(world, state, entry) and counts(world, state, entry):
            yield entry


# --------------------------------------------------------------------------------- which unit is meant


def strength_listed(item: Item) -> tuple[Strength, str]:
    """The strength an entry shows, and the step it is of."""
    assert item.spec is not None
    step = item.state if item.state in STEPS else FULL
    if step == FULL or not item.spec.has(step):
        return item.spec.full, step
    return item.spec.strength(step), step


@computed("51/3", "51/5", "51/6")
def is_meant(world: EuropaWorld, state: State, entry: Entry, item: Item, unit: Unit) -> bool:
    """Nationality, strength, type and size count; the identification only where a group plays by it."""
    if item.spec is None or unit.spec.nation != nationality(world, entry, item):
        return False
    strength, step = strength_listed(item)
    if unit.step != step or unit.spec.strength(step) != strength or not same_kind(item.spec, unit.spec):
        return False
    return not identification_binds(world, state, entry, item) or bears(unit, item.designations)


def bears(unit: Unit, designations: tuple[str, ...]) -> bool:
    """Whether a unit has one of these designations, on its counter or in its name."""
    spec = unit.spec
    return spec.designation in designations or unit.id in [f"{each} {spec.type} {spec.size}" for each in designations]


def named_first(units: Iterable[Unit], item: Item) -> list[Unit]:
    """Units in order, those whose number a line gives before the others: any serves, but the one named is nearest."""
    return sorted(units, key=lambda unit: not bears(unit, item.designations))


def as_printed(units: Iterable[Unit], entry: Entry) -> list[Unit]:
    """Units in order, those whose number any line of an entry gives before the others."""
    numbers = tuple(number for item in entry.items for number in item.designations)
    return sorted(units, key=lambda unit: not bears(unit, numbers))


def could_be(world: EuropaWorld, entry: Entry, item: Item, unit: Unit) -> bool:
    """As `is_meant`, for a unit that is not in play and so has no strength of its own at present."""
    if item.spec is None or unit.spec.nation != nationality(world, entry, item):
        return False
    strength, step = strength_listed(item)
    shows = unit.spec.has(step) and unit.spec.strength(step) == strength
    return shows and same_kind(item.spec, unit.spec)


def same_kind(one: UnitSpec, other: UnitSpec) -> bool:
    return one.size == other.size and spelt_one_way(one.type) == spelt_one_way(other.type)


def identification_binds(world: EuropaWorld, state: State, entry: Entry, item: Item) -> bool:
    ruling = world.ruling(state, IDENTIFICATIONS.key)
    if not item.designations or ruling == "ignored":
        return False
    return ruling == "enforced" or verb_of(entry) not in TAKEN_FROM_PLAY


def nationality(world: EuropaWorld, entry: Entry, item: Item) -> str:
    """The nation of a unit: the section's, but that of the contingent where the entry shows one."""
    return world.nation_named(item.contingent) if item.contingent else nation_of(world, entry)


def item_for(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> Item | None:
    """The line of an entry that a unit answers to, of those that still call for one."""
    return next((item for item in lines_left(state, entry) if is_meant(world, state, entry, item, unit)), None)


def line_for(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> Item | None:
    """As `item_for`, for a unit that is not in play and so has no strength of its own at present."""
    return next((item for item in lines_left(state, entry) if could_be(world, entry, item, unit)), None)


def of_its_kinds(world: EuropaWorld, state: State, entry: Entry) -> list[Unit]:
    """The units of the kinds that an entry speaks of, wherever they are, in order."""
    kinds = {kind_called(nationality(world, entry, item), item.spec) for item in entry.items if item.spec is not None}
    return of_kinds(world, state, kinds)


def units_meant(world: EuropaWorld, state: State, entry: Entry, *kinds: str) -> list[Unit]:
    """The units in these kinds of place that an entry could mean, in order."""
    return [
        unit
        for unit in of_its_kinds(world, state, entry)
        if unit.place.kind in kinds and item_for(world, state, entry, unit) is not None
    ]


# ---------------------------------------------------------------------------------------- areas and places


def home_area(world: EuropaWorld, state: State, entry: Entry) -> str:
    """The area whose track or box takes an entry's units: that of its place, else its section, else the nation.

    A city that lies in an enemy's district is served by the own front around it.
    """
    for place in (entry.place, entry.section):
        if areas := areas_of(world, place):
            return areas[0]
        if place is not None and place.kind == "city" and (area := world.spot(world.hex_name(place.names[0])).area):
            return homes.track_in(world, world.facts(state), area, nation_of(world, entry))
    return NATIONAL + nation_of(world, entry)


def pool_of(world: EuropaWorld, state: State, entry: Entry) -> str:
    """The front or theatre, or for the Soviets the MD, whose pool and boxes an entry speaks of."""
    area, nation = home_area(world, state, entry), nation_of(world, entry)
    return homes.home_in(world, world.facts(state), area, nation) if area in world.areas else NATIONAL + nation


def listed_for(world: EuropaWorld, state: State, unit: Unit) -> tuple[str, ...]:
    """The MDs that the entry of a unit names."""
    entry = entry_of(world, state, unit)
    return areas_of(world, spec_of_place(entry)) if entry else ()


def marked(unit: str, mark: str, value: Any, because: str = "") -> Event:
    return Marked(on=unit_key(unit), mark=mark, value=value, because=because)


def entry_of(world: EuropaWorld, state: State, unit: Unit) -> Entry | None:
    """The entry that brings a unit into play."""
    mark = state.mark(unit_key(unit.id), ENTRY)
    if mark is not None and mark.value == RELEASED:
        return out_of_garrison(unit)
    return find_entry(world, state, str(mark.value)) if mark else None


CHAPTER = Chapter(
    heading="51",
    charts={OB: tuple[Entry, ...]},
    facts=(
        Fact(
            ENTRY,
            ("unit",),
            "the entry of the OB that brings it",
            "",
            by_hand=False,
            said={RELEASED: RELEASED, ANY: f"brought by the OB of {the_entry('{}')}"},
        ),
        Fact(RECEIVED, ("entry",), "the turn it was carried out", None, TURN, by_hand=False, said={ANY: "received"}),
        Fact(DID, ("entry",), "how often it was carried out", 0, NUMBER, by_hand=False, said={ANY: "{} done"}),
    ),
    switches=(IDENTIFICATIONS, PHASE_ORDER),
)
