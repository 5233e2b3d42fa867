"""51/2  What the order of battle lists at start: in play from the beginning, in its hex or waiting to be set up."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Moved, Raised
from forcepool.engine.facts import unit_key
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.places import Place, at_hex
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State, Unit, evolve
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.reinforcements import entries, listed_places
from forcepool.games.europa.reinforcements.conditions import guard_holds
from forcepool.games.europa.reinforcements.counters import counters, drawn
from forcepool.games.europa.reinforcements.entries import ENTRY, RECEIVED, entry_of, home_area, marked, on_entry
from forcepool.games.europa.reinforcements.falling_due import WITHDRAWN, fall_due, gone_to
from forcepool.games.europa.reinforcements.forming_boxes import FULL_ON, begins_to_form, forms
from forcepool.games.europa.reinforcements.forming_question import FORM_BOX, GARRISON_FORM
from forcepool.games.europa.reinforcements.full_lines import not_yet_full, turns_to_come
from forcepool.games.europa.reinforcements.listed_points import received
from forcepool.games.europa.reinforcements.sites import ARRIVES_FIRST, FORMED_SINCE
from forcepool.games.europa.reinforcements.starting_boxes import as_listed, box_at_start
from forcepool.games.europa.replacements.soviet.soviet_placement import OFF_MAP, is_off_map
from forcepool.games.europa.world import FORMING_BOX, SET_UP_BOX, EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.model import Item as Line
from forcepool.rulebook.citations import computed

AT_START = "at start"


# ------------------------------------------------------------------------------------- as a campaign begins


def set_up(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a campaign begins, what is listed at start is there, but for what the scenario has set up itself."""
    own: State | None = None
    spoken_for: set[str] = set()
    for entry in entries.listed(world, state):
        if entry.verb != AT_START or not _is_meant_here(world, state, entry):
            continue
        own = own or state.copy()
        events = list(_brings(world, own, entry, spoken_for))
        evolve(own, events)
        yield from events


def _is_meant_here(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """An entry under a turn is for campaigns that begin then, one with a guard for scenarios that are like it."""
    side, turn = entries.side_of(world, state, entry), entries.turn_of(world, entry)
    return turn in (None, state.clock.turn) and all(guard_holds(world, state, each, side) for each in entry.guards)


@computed("51/2")
def _brings(world: EuropaWorld, state: State, entry: Entry, spoken_for: set[str]) -> Iterator[Event]:
    """The counters of an entry that are not there yet, and its points."""
    lines = tuple(_missing(world, state, entry, item, spoken_for) for item in entry.items if item.spec)
    for name, spec, step in counters(world, state, entry, lines):
        at = box_at_start(world, state, entry, spec, name) or _where(world, state, entry)
        yield from drawn(state, name, spec, step, at, "51/2", "at start")
        if at.kind in (SET_UP_BOX, FORM_BOX, GARRISON_FORM):
            yield marked(name, ENTRY, entry.key)
        yield from as_listed(world, state, entry, name, spec, at)
        spoken_for.add(name)
    yield from received(world, state, entry)
    yield Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because="51/2")


def _missing(world: EuropaWorld, state: State, entry: Entry, item: Line, spoken_for: set[str]) -> Line:
    """The same line without the units that the scenario has set up: by their names first, the rest by their kind."""
    alike = [
        unit
        for unit in state.units_in_order()
        if unit.id not in spoken_for and entries.could_be(world, entry, item, unit)
    ]
    left = []
    for designation in item.designations[: item.count]:
        named = next((unit for unit in alike if entries.bears(unit, (designation,))), None)
        if named is None:
            left.append(designation)
        else:
            alike.remove(named)
            spoken_for.add(named.id)
    unnamed = item.count - min(item.count, len(item.designations))
    for unit in alike[:unnamed]:
        spoken_for.add(unit.id)
    return replace(item, count=len(left) + unnamed - min(unnamed, len(alike)), designations=tuple(left))


def _where(world: EuropaWorld, state: State, entry: Entry) -> Place:
    """The city, hex or off-map MD an entry names; units that are told another area wait to be set up there."""
    place = entry.place
    if place is not None and place.kind in ("city", "hex") and len(place.names) == 1:
        return at_hex(world.hex_name(place.names[0]))
    if is_off_map(world, state, home_area(world, state, entry)):
        return Place(OFF_MAP, home_area(world, state, entry))
    return Place(SET_UP_BOX, home_area(world, state, entry))


@computed("51.A/1")
def lies_behind(world: EuropaWorld, state: State, entry: Entry) -> bool:
    """Duties of phases before the campaign's first were carried out then; options and conditions stay open."""
    turn = entries.turn_of(world, entry)
    if turn is None or not entries.is_duty(entry) or entry.conditions:
        return False
    return entries.is_past(world, state, entry, turn)


def history(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a campaign begins in mid-war, what the order of battle lists for earlier turns has been done."""
    own, spoken_for = state.copy(), set[str]()
    for entry in entries.listed(world, state):
        events: list[Event] = []
        if lies_behind(world, state, entry):
            events += still_forming(world, own, entry, spoken_for) if entry.verb == "forming" else ()
            says = "before the campaign began"
            events.append(Marked(on=on_entry(entry), mark=RECEIVED, value=own.clock.turn, because="51.A/1", says=says))
        elif entry.verb == "form":
            events += may_already_be_formed(world, own, entry, spoken_for)
        elif entry.verb == "return":
            events += gone_before(world, own, entry, spoken_for)
        evolve(own, events)
        yield from events


@computed("51.B.7/1")
def still_forming(world: EuropaWorld, state: State, entry: Entry, spoken_for: set[str]) -> list[Event]:
    """What began to form before the campaign and is not full yet lies in its FORMING BOX."""
    since, forming = entries.turn_of(world, entry), not_yet_full(world, state, entry)
    if forming is None or entry.arrival == ARRIVES_FIRST:
        return []
    known = set(spoken_for)
    left = replace(forming, items=tuple(_missing(world, state, entry, each, spoken_for) for each in forming.items))
    adopted = sorted(name for name in spoken_for - known if state.units[name].place.kind == FORMING_BOX)
    brought = begins_to_form(world, state, left)
    events = [mark for name in adopted for mark in forms(world, state, entry, name, 0)]
    events += brought if isinstance(brought, list) else []
    began = sorted({each.unit for each in events if isinstance(each, Raised | Moved)} | set(adopted))
    if not any(item.designations for item in entry.items):
        # Those without a number are told apart by nothing but the turns that are still to come.
        turns = turns_to_come(world, state, entry)
        events += [marked(name, FULL_ON, turn) for name, turn in zip(began, turns, strict=False)]
    return [*events, *(marked(name, FORMED_SINCE, since) for name in began)]


@computed("51.B.6/5")
def may_already_be_formed(world: EuropaWorld, state: State, entry: Entry, spoken_for: set[str]) -> list[Event]:
    """A division listed for a reinforcement phase before the campaign's first, and not in play, is in its FORM BOX."""
    turn = entries.turn_of(world, entry)
    if turn is None or entry.conditions or not entries.is_past(world, state, entry, turn):
        return []
    left = replace(entry, items=tuple(_missing(world, state, entry, each, spoken_for) for each in entry.items))
    brought = world.game.comes_about["form"](world, state, left) if any(each.count for each in left.items) else []
    if not isinstance(brought, list):
        return []
    return [*brought, Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because="51.B.6/5")]


@computed("51.B.16/2")
def gone_before(world: EuropaWorld, state: State, entry: Entry, spoken_for: set[str]) -> Iterator[Event]:
    """What was withdrawn before the campaign began, and is to return in it, is out of play."""
    kinds = [
        item.spec
        for each in entries.listed(world, state)
        if each.verb == "withdraw" and each.nation == entry.nation and lies_behind(world, state, each)
        for item in each.items
        if item.spec
    ]
    items = [item for item in entry.items if item.spec and any(entries.same_kind(item.spec, each) for each in kinds)]
    left = tuple(_missing(world, state, entry, each, spoken_for) for each in items)
    for name, spec, step in counters(world, state, entry, left):
        yield from drawn(state, name, spec, step, gone_to(entry), "51.B.16/2", "withdrawn before")
        yield marked(name, WITHDRAWN, value=True)
        spoken_for.add(name)


# ------------------------------------------------------------------------------------------- by the players


class SettingUp(EuropaQuestion):
    """A unit in a SET-UP BOX and the hex it is to begin in."""

    command: "SetUp"

    @lazy
    def hex(self) -> str:
        return self.world.hex_name(self.command.at)

    @lazy
    def entry(self) -> Entry | None:
        return entry_of(self.world, self.state, self.unit)


@rule("51/2")
def waits_to_be_set_up(q: SettingUp) -> Verdict:
    """It was listed at start without a hex."""
    if q.unit.place.kind == SET_UP_BOX:
        return YES
    return no(f"{q.unit} is not to be set up: it is {q.world.where(q.unit.place)}")


@rule("51/2")
def play_has_just_begun(q: SettingUp) -> Verdict:
    """What is there at start is set up in the turn the campaign begins."""
    mark = q.state.mark(on_entry(q.entry), RECEIVED) if q.entry else None
    first = mark.value if mark else None
    if not isinstance(first, int) or q.state.clock.turn <= first:
        return YES
    return no(
        f"the campaign began on {q.world.turn_name(first)}",
        remedy="put it where it is by agreement (put-unit)",
        have=Fraction(q.state.clock.turn),
        need=Fraction(first),
    )


@rule("51/2")
def is_set_up_where_listed(q: SettingUp) -> Verdict:
    """In a hex of the area its entry names, and none that the enemy owns."""
    if q.entry is not None and not listed_places.lies_in(q.world, q.hex, listed_places.spec_of_place(q.entry)):
        return no(f"{the_place(q.hex)} does not lie in {the_pool(q.unit.place.of)}", remedy="choose a hex there")
    if (owner := q.facts.owner(q.hex)) not in ("", q.side):
        return no(f"{the_place(q.hex)} is owned by {owner}", remedy="choose another hex")
    return YES


class SetUp(Command, tag="set-up", frozen=True):
    """Set up a unit that the order of battle lists at start, in a hex of its area."""

    unit: UnitName
    at: Spot

    question = SettingUp
    needs = (waits_to_be_set_up,)
    requires = (play_has_just_begun, is_set_up_where_listed)

    def effects(self, q: SettingUp) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.hex), because="51/2")
        yield Marked(on=unit_key(q.unit.id), mark=ENTRY, value=None)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == SET_UP_BOX:
            entry = entry_of(world, state, unit)
            place = listed_places.spec_of_place(entry) if entry else None
            for name in sorted(world.spots):
                if listed_places.lies_in(world, name, place):
                    yield cls(unit=unit.id, at=name)


def waiting(state: State) -> list[Unit]:
    """The units that are still to be set up."""
    names = sorted(on.removeprefix(unit_key("")) for on in state.marked.get(ENTRY, ()))
    return [state.units[name] for name in names if name in state.units and state.units[name].place.kind == SET_UP_BOX]


def to_be_set_up(world: EuropaWorld, state: State) -> Iterator[Item]:
    """How many units of each area are still to be set up."""
    counts: dict[tuple[str, str], int] = {}
    for unit in waiting(state):
        key = (world.side_now(state, unit.spec.nation), unit.place.of)
        counts[key] = counts.get(key, 0) + 1
    for (side, area), number in sorted(counts.items()):
        what = "1 unit is" if number == 1 else f"{number} units are"
        yield Item(DUE, f"{what} to be set up in {the_pool(area)} (set-up)", "51/2", side)


CHAPTER = Chapter(
    heading="51",
    commands=(SetUp,),
    opening=(set_up, history, fall_due),
    due=(to_be_set_up,),
    boxes={SET_UP_BOX: "SET-UP BOX"},
)
