"""51.B.1.b and 51.E.1  Allied arrivals by sea: embarked on transports of their own, and ports that take so many REs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Moved
from forcepool.engine.facts import PLAYER_TURN, WORDS, YES_NO, Fact, place_key, unit_key
from forcepool.engine.game import Effect
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.options import choice
from forcepool.engine.places import HEX, Place, at_hex
from forcepool.engine.points import parse_points, show_counted, show_points
from forcepool.engine.sentence import the_place
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.tally import Tally
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.question import Appears, EuropaQuestion, waits_for
from forcepool.games.europa.reinforcements import sites
from forcepool.games.europa.reinforcements.entries import entry_of, home_area, marked
from forcepool.games.europa.reinforcements.listed_places import lies_in, spec_of_place
from forcepool.games.europa.replacements.general.placement import PlaceUnit
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import computed, shown

if TYPE_CHECKING:
    from forcepool.games.europa.reinforcements.appearing import Appearing

CAPACITY = "capacity"
CAPACITY_USED = Tally("capacity_used", "place", "the REs that arrived there", PLAYER_TURN)
EMBARKED, OWN_TRANSPORTS, PORTS_IN_REACH = "embarked", "own_transports", "ports_in_reach"
LANDS = "land"

LANDING = switch(
    "landing",
    "51.B.1.b/6",
    "what is asked of an arrival at sea",
    must="it lands in the first turn a friendly port in reach has room for it",
    may_wait="its owner need only try, and may wait for a safer turn",
    returns="one that has not landed as its player-turn ends goes back off the map, and comes a turn later",
)


# ------------------------------------------------------------------------------------------------- capacity


def capacity_left(facts: EuropaFacts, place: str) -> Fraction | None:
    """The REs a port or holding box can still take this turn; None where nobody has said how many it takes."""
    capacity = facts.value(place_key(place), CAPACITY)
    if capacity is None:
        return None
    return CAPACITY_USED.left(facts, place_key(place), parse_points(str(capacity)))


def has_room_for(q: Any, place: str, clause: str) -> Verdict:
    """Whether the capacity left takes the unit."""
    left, needed = capacity_left(q.facts, place), q.world.res(q.unit.spec, q.unit.step)
    if left is None or needed <= left:
        return yes(clause)
    return no(
        f"{the_place(place)} can take {show_counted(left, 'RE')} more this turn, {q.unit} is {show_points(needed)}",
        remedy="choose another port, or wait",
        clause=clause,
        have=needed,
        need=left,
    )


def uses_capacity(q: Any, place: str, because: str) -> Event:
    """The REs of the unit count against what the port or box takes this turn."""
    return CAPACITY_USED.counts(q.facts, place_key(place), q.world.res(q.unit.spec, q.unit.step), because)


@rule("51.E.1.a/6", "51.E.1.b/6")
def port_has_capacity(q: "Appearing") -> Verdict:
    """An arrival uses up capacity of the port or holding box it appears in."""
    clause = capacity_clause(q)
    return has_room_for(q, q.name, clause) if clause else YES


def capacity_clause(q: "Appearing") -> str:
    """The clause by which an Allied arrival counts; a port or box of unknown capacity takes any number."""
    if q.side != sites.ALLIED or not sites.is_arriving(q) or q.is_at_sea:
        return ""
    if q.facts.value(place_key(q.name), CAPACITY) is None:
        return ""
    place = spec_of_place(q.entry)
    return "51.E.1.b/6" if place is not None and "MTO" in place.names else "51.E.1.a/6"


# ------------------------------------------------------------------------------------------------- embarked


@computed("51.B.1.b/4", "51.B.1.b/5")
def embarks(unit: str) -> Iterator[Event]:
    """Cargo placed at sea is already embarked, on transports that come with it and carry nothing else."""
    yield marked(unit, EMBARKED, value=True, because="51.B.1.b/5")
    yield marked(unit, OWN_TRANSPORTS, value=True, because="51.B.1.b/4")


def at_sea(world: EuropaWorld, state: State, side: str) -> list[Unit]:
    """A side's arrivals that are still embarked on transports of their own."""
    names = sorted(on.removeprefix(unit_key("")) for on in state.marked.get(OWN_TRANSPORTS, ()))
    found = (state.units[name] for name in names if name in state.units)
    return [unit for unit in found if is_cargo(world, state, unit) and world.side_now(state, unit.spec.nation) == side]


def is_cargo(world: EuropaWorld, state: State, unit: Unit) -> bool:
    facts, on = world.facts(state), unit_key(unit.id)
    return unit.place.kind == HEX and facts.value(on, EMBARKED) is True and facts.value(on, OWN_TRANSPORTS) is True


def ports_in_reach(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """The ports its owner says it can reach; while he says nothing, every friendly port of where its entry sends it."""
    facts, side = world.facts(state), world.side_now(state, unit.spec.nation)
    said = facts.declared(unit_key(unit.id), PORTS_IN_REACH)
    if said is not None:
        return [world.hex_name(each) for each in cast(list[str], said)]
    entry = entry_of(world, state, unit)
    place = spec_of_place(entry) if entry else None
    return [
        each
        for each in facts.places_where("port", value=True)
        if facts.owner(each) in ("", side) and lies_in(world, each, place)
    ]


class Landing(EuropaQuestion):
    """An arrival at sea and the port it is to land at."""

    command: "Land"

    @lazy
    def hex(self) -> str:
        return self.world.hex_name(self.command.at)


@rule("51.B.1.b/5")
def is_embarked(q: Landing) -> Verdict:
    """Only what arrived at sea on transports of its own is landed so."""
    if is_cargo(q.world, q.state, q.unit):
        return YES
    return no(f"{q.unit} is not at sea on transports of its own", remedy="place or move it by the general rules")


@rule("51.B.1.b/6")
def lands_at_a_friendly_port(q: Landing) -> Verdict:
    """In its owner's player-turn, at a port that he owns and that the convoy reaches."""
    if not q.world.has_the_turn(q.state, q.side):
        return no(f"it is {q.world.when(q.state)}", remedy=waits_for(q))
    if not q.facts.place_is(q.hex, "port") or q.facts.owner(q.hex) not in ("", q.side):
        return no(f"{the_place(q.hex)} is no friendly port", remedy="choose a port you own, or stay at sea")
    reached = ports_in_reach(q.world, q.state, q.unit)
    if q.facts.declared(unit_key(q.unit.id), PORTS_IN_REACH) is None or q.hex in reached:
        return YES
    return no(f"{q.unit} does not reach {the_place(q.hex)} this turn", remedy="choose a port in reach, or stay at sea")


@rule("51.B.1.b/6")
def port_takes_it(q: Landing) -> Verdict:
    """The port has capacity enough left this turn."""
    return has_room_for(q, q.hex, "51.B.1.b/6")


class Land(Command, tag="land", frozen=True):
    """Land a unit that arrived at sea on transports of its own, at a friendly port."""

    unit: UnitName
    at: Spot

    question = Landing
    needs = (is_embarked,)
    requires = (lands_at_a_friendly_port, port_takes_it)

    def effects(self, q: Landing) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=at_hex(q.hex), because="51.B.1.b/6")
        yield marked(q.unit.id, EMBARKED, value=False, because="51.B.1.b/6")
        yield marked(q.unit.id, OWN_TRANSPORTS, None, "51.B.1.b/4")
        if capacity_left(q.facts, q.hex) is not None:
            yield uses_capacity(q, q.hex, "51.B.1.b/6")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX and is_cargo(world, state, unit):
            for port in ports_in_reach(world, state, unit):
                yield cls(unit=unit.id, at=port)


def is_ashore(q: Any) -> Iterator[Event]:
    """What was sunk on its way and comes back is at sea no longer."""
    if q.hex and not q.facts.of_place(q.hex, sites.SEA):
        yield from take_off(q.state, unit_key(q.unit.id), EMBARKED, "51.B.1.b/4")
        yield from has_no_transports(q)


def has_no_transports(q: Any) -> Iterator[Event]:
    """Nor has it ships of its own; that a replaced unit is not at sea goes without saying."""
    if q.hex and not q.facts.of_place(q.hex, sites.SEA):
        yield from take_off(q.state, unit_key(q.unit.id), OWN_TRANSPORTS, "51.B.1.b/4")


# --------------------------------------------------------------------------------------------------- the duty


def _open_port(world: EuropaWorld, state: State, unit: Unit) -> Land | None:
    ways = (Land(unit=unit.id, at=port) for port in ports_in_reach(world, state, unit))
    return next((each for each in ways if choice(world, state, each).open), None)


def _is_last_phase(world: EuropaWorld, state: State) -> bool:
    return world.next_phase(state).player_turn != state.player_turn


@rule("51.B.1.b/6")
def arrivals_land_if_they_can(q: Question) -> Verdict:
    """The player-turn does not end while an arrival at sea could land at a friendly port in reach."""
    world, state = q.world, q.state
    assert isinstance(world, EuropaWorld)
    if not state.marked.get(OWN_TRANSPORTS) or not _is_last_phase(world, state):
        return YES
    if q.switch(LANDING.key) == "may-wait":
        return YES
    for unit in at_sea(world, state, world.phasing(state)):
        if way := _open_port(world, state, unit):
            return no(
                f"{unit} is at sea and can land at {the_place(way.at)}",
                remedy=f"land it, or declare {PORTS_IN_REACH} for it if it cannot get there",
            )
    return YES


@computed("51.B.1.b/6")
def goes_back(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Event]:
    """By a ruling what could not land waits off the map for the next turn."""
    entry = entry_of(world, state, unit)
    assert entry is not None
    turn = state.clock.turn + int(world.numbers["not_landed_wait"])
    track = Place(REINFORCEMENT_TRACK, home_area(world, state, entry), turn)
    yield Moved(unit=unit.id, frm=unit.place, to=track, because="51.B.1.b/6", says="could not land")
    for mark in (EMBARKED, OWN_TRANSPORTS):
        yield from take_off(state, unit_key(unit.id), mark)


def as_the_turn_ends(world: EuropaWorld, state: State) -> Iterator[Event]:
    """By a ruling arrivals that have not landed go back off the map as their player-turn ends."""
    if not state.marked.get(OWN_TRANSPORTS) or not _is_last_phase(world, state):
        return
    if world.ruling(state, LANDING.key) == "returns":
        for unit in at_sea(world, state, world.phasing(state)):
            yield from goes_back(world, state, unit)


def to_land(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Each arrival at sea that could land, with the command."""
    if not state.marked.get(OWN_TRANSPORTS):
        return
    side = world.phasing(state)
    for unit in at_sea(world, state, side):
        if way := _open_port(world, state, unit):
            yield Item(DUE, f"{unit} is at sea: land it", "51.B.1.b/6", side, way)


@shown("51.B.1.b/4", "51.B.1.b/6")
def must_land(world: EuropaWorld, state: State, unit: Unit) -> Iterator[Effect]:
    """Cargo that arrived at sea is carried by transports of its own, and lands at the first chance."""
    if is_cargo(world, state, unit):
        yield Effect("embarked on naval transport points of its own, which leave play as it lands", "51.B.1.b/4")
        yield Effect("lands at a friendly port this turn if one can be reached", "51.B.1.b/6")


CHAPTER = Chapter(
    heading="51.B.1.b",
    commands=(Land,),
    facts=(
        CAPACITY_USED.fact,
        Fact(EMBARKED, ("unit",), "it is at sea, embarked", False, YES_NO),
        Fact(OWN_TRANSPORTS, ("unit",), "it came with transports of its own", False, YES_NO, by_hand=False),
        Fact(PORTS_IN_REACH, ("unit",), "the ports it can reach at sea this turn", None, WORDS, lasts=PLAYER_TURN),
    ),
    switches=(LANDING,),
    also={PlaceUnit: (has_no_transports,), Appears: (is_ashore,)},
    guards={Advance: (arrivals_land_if_they_can,)},
    ends=(as_the_turn_ends,),
    due=(to_land,),
    shows=(must_land,),
)
