"""51.B.7  Units that form: into the FORMING BOX, full on a later turn, lost with its cities, or activated early."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.events import Became, Event, Marked, Moved
from forcepool.engine.facts import TURN, Fact, unit_key
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, Place, at_hex
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER, EuropaFacts
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.entries import ENTRY, areas_of, entry_of, home_area, marked, spec_of_place
from forcepool.games.europa.reinforcements.falling_due import HANDLERS, Brought, come_in, is_lost, on_the_track
from forcepool.games.europa.reinforcements.in_reserve import READY
from forcepool.games.europa.reinforcements.landing import EMBARKED, LANDS
from forcepool.games.europa.reinforcements.sites import ARRIVES_FIRST, AXIS, FORMED_SINCE, SEA
from forcepool.games.europa.reinforcements.withdrawing import cost_of
from forcepool.games.europa.replacements import prices
from forcepool.games.europa.replacements.garrisons import APPEARS
from forcepool.games.europa.replacements.pools import REINFORCEMENT
from forcepool.games.europa.replacements.tallies import UNISOLATED, front_of, take
from forcepool.games.europa.world import (
    ELIMINATED,
    FORMING_BOX,
    ISOLATED,
    NATIONAL,
    REINFORCEMENT_TRACK,
    EuropaWorld,
)
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import chance, computed

FULL_ON = "full_on"
UNRELIABLE = "unreliable"

RESULTS = switch(
    "early-activation-results",
    "51.B.7/12",
    "results D and S* of the SUCCESS TABLE on early activation",
    d_lost="D is read as F*, S* as S",
    no_effect="D and S* have no effect",
    as_f_and_s="D is read as F, S* as S",
)
EARLY_RESERVE = switch(
    "early-activation-reserve",
    "51.B.7/18",
    "the status of a unit activated early",
    operational="it comes in in operational reserve",
    ready="it comes in ready for use",
)
EARLY_TURNS = switch(
    "early-activation-turns",
    "51.B.7/20",
    "the turns that count against early activation",
    complete="complete groups of four turns until it would really be full, delay included",
    rounded_up="any part of a group of four turns counts",
    printed="complete groups of four turns until the printed date",
)


class TableRow(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of the SUCCESS TABLE: the highest modified die it holds for."""

    upto: int
    result: str


# ---------------------------------------------------------------------------------------- into the box


@computed("51.B.7/1")
def full_entry(world: EuropaWorld, entry: Entry) -> Entry | None:
    """The later entry that lists as full what this one lists as forming."""
    kinds = [(item.spec.full, item.spec.type, item.spec.size) for item in (*entry.items, *entry.results) if item.spec]
    for each in entries.listed(world):
        if each.verb != "full" or each.nation != entry.nation or not _later(world, each, entry):
            continue
        if any((item.spec.full, item.spec.type, item.spec.size) in kinds for item in each.items if item.spec):
            return each
    return None


def _later(world: EuropaWorld, one: Entry, other: Entry) -> bool:
    first, second = entries.turn_of(world, other), entries.turn_of(world, one)
    return second is not None and (first is None or second > first)


def full_turn(world: EuropaWorld, entry: Entry) -> int:
    """The turn the order of battle makes it full; 0 if it never says."""
    for link in entry.links:
        if link.kind == "full" and link.turn:
            return entries.turn_named(world, link.turn)
    partner = full_entry(world, entry)
    return (entries.turn_of(world, partner) or 0) if partner else 0


@computed("51.B.7/2", "51.B.7/3", "51.B.7/9")
def begins_to_form(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """Into the FORMING BOX of its MD or theatre; what must arrive first comes in like any arrival."""
    if entry.arrival == ARRIVES_FIRST:
        return on_the_track("51.B.7/9")(world, state, entry)
    area = home_area(world, entry)
    if is_lost(world, state, area, entries.side_of(world, state, entry)):
        return no(f"every city of {area} is lost", remedy="it waits until one is retaken", clause="51.B.7/2")
    events = list(come_in(world, state, entry, Place(FORMING_BOX, area), "51.B.7/2"))
    names = [each.unit for each in events if not isinstance(each, Marked)]  # type: ignore[attr-defined]
    return [*events, *(mark for name in names for mark in forms(world, state, entry, name, 0))]


@computed("51.B.7/4", "51.B.7/5")
def forms(world: EuropaWorld, state: State, entry: Entry, unit: str, late: int) -> Iterator[Event]:
    """When it will be full; a conversion made late delays that by as many turns, which a marker shows."""
    yield marked(unit, ENTRY, entry.key)
    yield marked(unit, FORMED_SINCE, state.clock.turn)
    yield marked(unit, FULL_ON, full_turn(world, entry), "51.B.7/4")
    if late:
        yield marked(unit, MP_MARKER, late, "51.B.7/5")


HANDLERS["forming"] = begins_to_form


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
    box = Place(FORMING_BOX, home_area(q.world, entry))
    yield Moved(unit=unit.id, frm=at_hex(hex_name), to=box, because="51.B.7/9")
    yield from forms(q.world, q.state, entry, unit.id, late)


def in_boxes(state: State) -> list[Unit]:
    return [unit for unit in state.units_in_order() if unit.place.kind == FORMING_BOX]


def delay_of(world: EuropaWorld, state: State, unit: Unit) -> int:
    return world.facts(state).mp_marker(unit)


def is_full_on(world: EuropaWorld, state: State, unit: Unit) -> int:
    """The turn it becomes full by the order of battle, its delay left out; 0 if never."""
    value = world.facts(state).value(unit_key(unit.id), FULL_ON)
    return value if isinstance(value, int) else 0


def become_full(world: World, state: State) -> Iterator[Event]:
    """As its owner's reinforcement phase begins, a unit that is full leaves the box as a reinforcement."""
    if world.phase(state) != REINFORCEMENT or not isinstance(world, EuropaWorld):
        return
    for unit in in_boxes(state):
        turn = is_full_on(world, state, unit)
        own = world.side_now(state, unit.spec.nation) == world.phasing(state)
        if turn and own and state.clock.turn >= turn + delay_of(world, state, unit):
            yield from leaves_the_box(world, state, unit)


@computed("51.B.7/6", "51.B.7/7")
def leaves_the_box(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Event]:
    """To be placed in its MD or area, free; the marker that counted its delay is taken off."""
    forming = entry_of(world, state, unit)
    assert forming is not None
    partner = full_entry(world, forming)
    key = partner.key if partner and partner.place else forming.key
    track = Place(REINFORCEMENT_TRACK, unit.place.of, state.clock.turn)
    yield Moved(unit=unit.id, frm=unit.place, to=track, because="51.B.7/6")
    yield marked(unit.id, ENTRY, key, "51.B.7/7" if delay_of(world, state, unit) else "51.B.7/6")
    if delay_of(world, state, unit):
        yield marked(unit.id, MP_MARKER, None, "51.B.7/7")


def lose_the_boxes(world: World, state: State) -> Iterator[Event]:
    """Once a player owns no city of an MD or theatre any more, what was forming there is eliminated."""
    if not isinstance(world, EuropaWorld):
        return
    for unit in in_boxes(state):
        if is_lost(world, state, unit.place.of, world.side_now(state, unit.spec.nation)):
            yield from lost_in_the_box(world, unit)


@computed("51.B.7/8", "51.A.10/2")
def lost_in_the_box(world: EuropaWorld, unit: Unit) -> Iterator[Event]:
    """To the front's ELIMINATED BOX, without special replacements."""
    front = front_of(world, unit.place.of, unit.spec.nation)
    says = f"every city of {unit.place.of} is lost"
    yield Moved(unit=unit.id, frm=unit.place, to=Place(ELIMINATED, front), because="51.B.7/8 51.A.10/2", says=says)


# ------------------------------------------------------------------------------------------- which MD


class InBox(Question):
    """A unit in a FORMING BOX."""

    world: EuropaWorld

    @lazy
    def facts(self) -> EuropaFacts:
        return self.world.facts(self.state)

    @lazy
    def side(self) -> str:
        return self.world.side_now(self.state, self.unit.spec.nation)

    @lazy
    def full_on(self) -> int:
        return is_full_on(self.world, self.state, self.unit)

    @lazy
    def early(self) -> int:
        """The turns until it would be full."""
        printed = self.switch(EARLY_TURNS.key) == "printed"
        return self.full_on + (0 if printed else delay_of(self.world, self.state, self.unit)) - self.state.clock.turn


@rule("51.B.7/2")
def is_in_a_forming_box(q: InBox) -> Verdict:
    """It is forming."""
    if q.unit.place.kind == FORMING_BOX:
        return YES
    return no(f"{q.unit.id} is in no FORMING BOX but in the {q.world.show_place(q.unit.place)}")


@rule("51.B.7/3")
def md_is_of_its_area(q: InBox) -> Verdict:
    """A unit that forms in several MDs is allotted to one of them, in the phase in which it begins to."""
    entry = entry_of(q.world, q.state, q.unit)
    areas = areas_of(q.world, spec_of_place(entry)) if entry else ()
    md = q.world.pool_named(q.command.md)
    if md not in areas:
        return no(f"{q.unit.id} forms in {' or '.join(areas) or 'no MD'}, not in {md}", remedy="choose one of these")
    if (
        q.facts.value(unit_key(q.unit.id), FORMED_SINCE) == q.state.clock.turn
        and q.world.phase(q.state) == REINFORCEMENT
    ):
        return YES
    return no(f"{q.unit.id} was allotted when it began to form", remedy="leave it where it is")


class Allot(Command, tag="allot-forming", frozen=True):
    """Choose the MD whose FORMING BOX a unit goes to, where its entry names several."""

    unit: str
    md: str

    question = InBox
    needs = (is_in_a_forming_box,)
    requires = (md_is_of_its_area,)

    def effects(self, q: InBox) -> Iterator[Event]:
        to = Place(FORMING_BOX, q.world.pool_named(self.md))
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=to, because="51.B.7/3")

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == FORMING_BOX and isinstance(world, EuropaWorld):
            entry = entry_of(world, state, unit)
            for area in areas_of(world, spec_of_place(entry)) if entry else ():
                if area != unit.place.of:
                    yield cls(unit=unit.id, md=area)


# ------------------------------------------------------------------------------------------ early activation


@rule("51.B.7/10")
def is_axis_and_has_a_date(q: InBox) -> Verdict:
    """Only the Axis player tries it, for a unit that the order of battle makes full."""
    if q.side == AXIS and q.full_on:
        return YES
    why = f"it is {q.side}" if q.side != AXIS else "the order of battle never makes it full"
    return no(f"{q.unit.id} is not activated early: {why}", remedy="wait until it is full")


@rule("51.B.7/11")
def is_after_its_first_turn(q: InBox) -> Verdict:
    """In an Axis reinforcement phase later than that in which it entered the box, and before it is full."""
    if q.world.phase(q.state) != REINFORCEMENT or q.world.phasing(q.state) != q.side:
        return no(f"it is the {q.world.when(q.state)}", remedy="wait for the Axis reinforcement phase")
    since = q.facts.value(unit_key(q.unit.id), FORMED_SINCE)
    if isinstance(since, int) and since >= q.state.clock.turn:
        return no(f"{q.unit.id} entered the box this turn", remedy="wait for the next turn")
    return YES


@computed("51.B.7/19", "51.B.7/20", "51.B.7/21")
def modifier(q: InBox) -> int:
    """One less for an unreliable unit, and for each four turns still to run; added together."""
    group = int(q.world.numbers["early_group"])
    groups = -(-q.early // group) if q.switch(EARLY_TURNS.key) == "rounded-up" else q.early // group
    unreliable = int(q.world.numbers["early_unreliable"]) if UNRELIABLE in q.unit.spec.traits else 0
    return -unreliable - groups * int(q.world.numbers["early_turns"])


@chance("51.B.7/12")
def attempt(q: InBox) -> str:
    """One die, modified, read on the SUCCESS TABLE."""
    die = q.roll("51.B.7/12", 6, f"early activation of {q.unit.id}, {modifier(q)}") + modifier(q)
    result = str(next(row.result for row in q.world.chart("activation_table") if die <= row.upto))
    readings = {"d-lost": {"D": "F*", "S*": "S"}, "no-effect": {"D": "", "S*": ""}, "as-f-and-s": {"D": "F", "S*": "S"}}
    return readings[q.switch(RESULTS.key)].get(result, result)


class ActivateEarly(Command, tag="activate-early", frozen=True):
    """Try to bring a forming Axis unit into play before it is full, with a die."""

    unit: str

    question = InBox
    needs = (is_in_a_forming_box,)
    requires = (is_axis_and_has_a_date, is_after_its_first_turn)

    def effects(self, q: InBox) -> Iterator[Event]:
        result = attempt(q)
        if result == "S":
            yield from _comes_in(q, "51.B.7/18")
        elif result == "F" and q.unit.spec.has(CADRE):
            yield Became(unit=q.unit.id, was=q.unit.step, step=CADRE, because="51.B.7/15")
            yield from _lost(q, prices.cadre_to_full(q.unit.spec)[0], "51.B.7/17")
            yield from _comes_in(q, "51.B.7/15")
        elif result:
            wholly = result == "F*"
            box = Place(ISOLATED, NATIONAL + q.unit.spec.nation)
            why = "51.B.7/13" if wholly else "51.B.7/16"
            yield Moved(unit=q.unit.id, frm=q.unit.place, to=box, because=why, says="early activation failed")
            strength = prices.strength_of(q.unit.spec, FULL)
            yield from _lost(q, strength, "51.B.7/14" if wholly else "51.B.7/17")

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == FORMING_BOX and world.phase(state) == REINFORCEMENT:
            yield cls(unit=unit.id)


@computed("51.B.7/14", "51.B.7/17")
def _lost(q: InBox, strength: Fraction, because: str) -> Iterator[Event]:
    """What is lost counts for special replacements at the normal rate."""
    whole = prices.strength_of(q.unit.spec, FULL)
    amounts = {kind: amount * strength / whole for kind, amount in cost_of(q.world, q.unit.spec).items()}
    of = front_of(q.world, q.unit.place.of, q.unit.spec.nation)
    says = f"{q.unit.id}: early activation failed"
    yield from take(q.unit.spec, Price(amounts), UNISOLATED, of, because, says)


@computed("51.B.7/15", "51.B.7/18")
def _comes_in(q: InBox, because: str) -> Iterator[Event]:
    """As a reinforcement of this turn, in operational reserve by the ruling that forming units keep it."""
    track = Place(REINFORCEMENT_TRACK, q.unit.place.of, q.state.clock.turn)
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=track, because=because)
    if delay_of(q.world, q.state, q.unit):
        yield marked(q.unit.id, MP_MARKER, None)
    if q.switch(EARLY_RESERVE.key) == "ready":
        yield marked(q.unit.id, READY, "yes", "51.B.7/18")


CHAPTER = Chapter(
    heading="51.B.7",
    commands=(Allot, ActivateEarly),
    facts=(
        Fact(FORMED_SINCE, ("unit",), "the turn it began to form", None, TURN, by_hand=False),
        Fact(FULL_ON, ("unit",), "the turn the OB makes it full", 0, TURN, by_hand=False),
    ),
    switches=(RESULTS, EARLY_RESERVE, EARLY_TURNS),
    also={APPEARS: (forms_on_arrival,), LANDS: (forms_as_it_lands,)},
    declared={EMBARKED: (forms_on_landing,)},
    happens=(lose_the_boxes, become_full),
    charts={"activation_table": tuple[TableRow, ...]},
    boxes={FORMING_BOX: "FORMING BOX"},
)
