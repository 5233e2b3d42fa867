"""49.A.1.a, list 2  Depots: what a change of status costs there, RE by RE, and how the multiplier rises."""

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import NamedTuple

from msgspec import Struct

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import (
    ANY,
    GAME_TURN,
    NUMBER,
    POINTS,
    TAKEN_BACK,
    TEXT,
    WORDS,
    Fact,
    kept,
    place_key,
    subject_key,
    unit_key,
)
from forcepool.engine.places import Place
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

DEPOT, DEPOT_OF, NETS = "depot", "depot_of", "depots"
POSSESSION_OF, THEATRE = "possession_of", "theatre/"
BRITAIN = "Britain"
STORED, USED, BASE, LAST = "or_multiplier", "or_used", "or_base", "or_last"

RESET = switch(
    "multiplier-reset",
    "49.A.1.a.list2.ii/2",
    "what a depot's multiplier goes back to when a month ends",
    first_costs_one="the stored multiplier is 0, so that the first REs of a month cost 1 each",
    first_is_free="the multiplier itself is 0, so that the first REs of a month are free",
    first_costs_two="the stored multiplier is 1, so that the first REs of a month cost 2 each",
)
PARTNERS = switch(
    "partners-depots",
    "49.A.1.a/7",
    "which depots and points serve the units of a country that has no depot",
    partner="those of the power it leans on: Britain for the Commonwealth, else the nearest major power of its side",
    own_only="none: without a depot of its own its units neither enter nor leave reserves for points",
)
COUNTED = switch(
    "counted-depots",
    "49.A.1.a/7",
    "which of its depots bring a country operational reserve points",
    owned="all it owns, those of its colonies and abroad included",
    at_home="those in its home country alone",
)
AFTER_A_MONTH = {"first-costs-one": 0, "first-is-free": -1, "first-costs-two": 1}


class Depot(Struct, frozen=True):
    """A depot's multiplier box: what is stored from earlier turns, and what this turn has seen."""

    stored: int = 0
    used: Fraction = Fraction(0)
    """REs charged this turn, entering and leaving together."""
    base: int = 0
    """The multiplier of the first band of this turn, once the depot was used."""
    last: int = 0
    """The highest multiplier paid this turn."""


class Slice(NamedTuple):
    """REs that cost the same."""

    res: Fraction
    multiplier: int


class Charge(Struct, frozen=True):
    """What a number of REs costs at a depot, and the depot afterwards."""

    cost: Fraction
    slices: tuple[Slice, ...]
    depot: Depot

    @property
    def working(self) -> str:
        """'2 at ×1, 1 at ×2 = 4'."""
        if not self.slices:
            return "free"
        parts = ", ".join(f"{show_points(each.res)} at ×{each.multiplier}" for each in self.slices)
        return f"{parts} = {show_points(sum((each.res * each.multiplier for each in self.slices), Fraction(0)))}"


@computed("49.A.1.a.list2.i/1", "49.A.1.a.list2.i/2")
def charge(depot: Depot, res: Fraction, width: int) -> Charge:
    """The first REs of a turn cost the base multiplier, each further band of the base number's width one more."""
    if not res:
        return Charge(Fraction(0), (), depot)
    base = depot.base if depot.used else next_base(depot)
    used, left, slices = depot.used, res, []
    while left > 0:
        band = floor(used / width)
        take = min(left, (band + 1) * width - used)
        slices.append(Slice(take, base + band))
        used, left = used + take, left - take
    cost = sum((each.res * each.multiplier for each in slices), Fraction(0))
    return Charge(cost, tuple(slices), Depot(depot.stored, used, base, slices[-1].multiplier))


@computed("49.A.1.a.list2.ii/1")
def next_base(depot: Depot) -> int:
    """The base multiplier of a turn is one above the last one of the depot's previous turn of use in the month."""
    return depot.stored + 1


# ------------------------------------------------------------------------------------------ depots on the map


def depots_of(world: EuropaWorld, facts: EuropaFacts, nation: str) -> list[str]:
    """The hexes where a nation's depots lie, in order."""
    return list(_depots_of(world, facts, nation))


@kept
def _depots_of(world: EuropaWorld, facts: EuropaFacts, nation: str) -> tuple[str, ...]:
    return tuple(each for each in held_by(world, facts, nation) if owner_of(world, facts, each) == nation)


@computed("49.A.1.a/7")
def served_by(world: EuropaWorld, facts: EuropaFacts, nation: str) -> list[str]:
    """The depots a nation's units may use: its own, or those of its partner where it has none."""
    own = depots_of(world, facts, nation)
    if own or world.ruling(facts.state, PARTNERS.key) == "own-only":
        return own
    return [each for partner in partners_of(world, facts, nation) for each in depots_of(world, facts, partner)]


def partners_of(world: EuropaWorld, facts: EuropaFacts, nation: str) -> list[str]:
    """The power a nation without depots leans on; where nothing tells, the major powers of its side."""
    if nation in world.chart("commonwealth"):
        return [BRITAIN]
    if major := world.profile.nations[nation].contingent_of:
        return [major]
    side, nations = world.side_now(facts.state, nation), world.profile.nations
    return [each for each in sorted(nations) if nations[each].major and world.side_now(facts.state, each) == side]


def held_by(world: EuropaWorld, facts: EuropaFacts, nation: str) -> list[str]:
    """The hexes with a depot that are not in the hands of a nation's enemies, in order."""
    side = world.side_now(facts.state, nation)
    return [each for each in facts.places_where(DEPOT, True) if facts.owner(each) in ("", side)]


def owner_of(world: EuropaWorld, facts: EuropaFacts, hex_name: str) -> str:
    """Whose depot it is: as declared, else the country's it lies in, a colony's being its mother country's."""
    said = facts.of_place(hex_name, DEPOT_OF)
    return world.nation_named(said) if said else power_over(world, facts, world.spot(hex_name).area)


@computed("49.A.1.a/7")
def power_over(world: EuropaWorld, facts: EuropaFacts, area: str) -> str:
    """The nation an area belongs to: its country's, or the power whose possession that is."""
    said = next((word for each in world.line_of(area) if (word := facts.of_area(each, POSSESSION_OF))), "")
    if said:
        return world.nation_named(str(said))
    return world.power_of(area)


@computed("49.A.1.a/13", "49.A.1.a/14")
def depot_at(world: EuropaWorld, state: State, hex_name: str) -> Depot:
    """The multiplier box of the depot in a hex."""
    facts, on = world.facts(state), place_key(hex_name)
    stored = facts.declared(on, STORED)
    used = facts.declared(on, USED)
    return Depot(
        stored=_whole(stored) if stored is not None else fresh(world, state).stored,
        used=parse_points(str(used)) if used is not None else Fraction(0),
        base=_whole(facts.declared(on, BASE)),
        last=_whole(facts.declared(on, LAST)),
    )


def fresh(world: EuropaWorld, state: State) -> Depot:
    """A depot's box as a month begins."""
    return Depot(stored=AFTER_A_MONTH[world.ruling(state, RESET.key)])


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def used_for(hex_name: str, charged: Charge) -> Iterator[Event]:
    """The depot's box after a change was charged to it; a free change leaves it alone."""
    if not charged.slices:
        return
    on, depot, why = place_key(hex_name), charged.depot, "49.A.1.a/13 49.A.1.a.list2.i/2"
    yield Marked(on=on, mark=USED, value=store_points(depot.used), because=why)
    yield Marked(on=on, mark=BASE, value=depot.base, because=why)
    yield Marked(on=on, mark=LAST, value=depot.last, because=why, says=charged.working)


@computed("49.A.1.a.list2.i/3")
def nets(world: EuropaWorld, facts: EuropaFacts, unit_id: str, place: Place, nation: str) -> list[str]:
    """The depots a change of a unit may be charged to, nearest first: those it traces to, else those around it."""
    said = facts.declared(unit_key(unit_id), NETS)
    if said is None and place.on_map:
        said = facts.declared(place_key(place.of), NETS)
    named = [world.hex_name(each) for each in said] if isinstance(said, list) else []
    held = held_by(world, facts, nation) if named else []
    if traced := [each for each in named if each in held]:
        return traced
    area = world.spot(place.of).area if place.on_map else place.of
    own = served_by(world, facts, nation)
    own = facts.within_reach(unit_id, own) or own
    index = world.hex_index(place.of) if place.on_map else None
    return of_one_power(world, facts, nearest_first(world, index, own) or around(world, facts, area, own))


def nearest_first(world: EuropaWorld, index: int | None, own: list[str]) -> list[str]:
    """On a map, by the hexes between; what lies off the map comes last. Nothing where no map tells."""
    hexes = world.hexes
    if hexes is None or index is None:
        return []
    there = {each: world.hex_index(each) for each in own}

    def apart(name: str) -> tuple[bool, int, str]:
        other = there[name]
        return other is None, 0 if other is None else hexes.grid.distance(index, other), name

    return sorted(own, key=apart)


def around(world: EuropaWorld, facts: EuropaFacts, area: str, own: list[str]) -> list[str]:
    """Without a map: the depots of its MD, else of its front, its theatre, its country, next to it, or at home."""
    lies = {each: world.line_of(world.spot(each).area) for each in own}
    for level in world.line_of(area):
        if found := [each for each in own if level in lies[each]]:
            return found
    country = power_over(world, facts, area) if area else ""
    next_to = set(homes.adjacent_to(world, facts, area)) if area in world.areas else set()
    for found in (
        [each for each in own if country and power_over(world, facts, world.spot(each).area) == country],
        [each for each in own if next_to & set(lies[each])],
        [each for each in own if world.country_of(world.spot(each).area) == owner_of(world, facts, each)],
    ):
        if found:
            return found
    return own


def of_one_power(world: EuropaWorld, facts: EuropaFacts, found: list[str]) -> list[str]:
    """Those of the power that owns the first: a change is paid for by one country."""
    return [each for each in found if owner_of(world, facts, each) == owner_of(world, facts, found[0])]


@computed("49.A.1.c.vii/1")
def is_overland(world: EuropaWorld, facts: EuropaFacts, area: str, depot: str) -> bool:
    """Whether nothing tells of a sea between area and depot: one theatre or country, or theatres joined by land."""
    other = world.spot(depot).area
    here, there = world.theatre_of(area), world.theatre_of(other)
    known = here.startswith(THEATRE) and there.startswith(THEATRE)
    if not known or here == there or power_over(world, facts, area) == world.country_of(other):
        return True
    return all(facts.declared(subject_key("area", each), "overland") is True for each in (here, there))


# ------------------------------------------------------------------------------------------ as a turn ends


def last_moment_of_a_turn(world: EuropaWorld, state: State) -> bool:
    players = world.sequence.players
    clock = state.clock
    return clock.player == len(players) - 1 and clock.phase == len(world.sequence.phases_of(clock.player)) - 1


def turn_ends(world: EuropaWorld, state: State) -> Iterator[Event]:
    """Each depot used this turn keeps its last multiplier; at the end of the month all start afresh."""
    if not last_moment_of_a_turn(world, state):
        return
    facts = world.facts(state)
    if world.calendar.is_last_of_month(state.clock.turn):
        yield from month_ends(facts)
        return
    for hex_name in sorted({*facts.places_with(LAST), *facts.places_with(STORED)}):
        yield from keeps(world, state, hex_name)


@computed("49.A.1.a.list2.iii/1")
def keeps(world: EuropaWorld, state: State, hex_name: str) -> list[Event]:
    """The stored multiplier is this turn's last; a turn without use changes nothing."""
    depot, on = depot_at(world, state, hex_name), place_key(hex_name)
    if not depot.used:
        return []
    says = f"its next turn of use this month begins at ×{next_base(Depot(stored=depot.last))}"
    return [Marked(on=on, mark=STORED, value=depot.last, because="49.A.1.a.list2.ii/1", says=says)]


@computed("49.A.1.a.list2.ii/2")
def month_ends(facts: EuropaFacts) -> list[Event]:
    """At the end of turn 4 the stored multipliers are gone, and what was used that turn with them."""
    return [
        Marked(on=place_key(hex_name), mark=mark, because="49.A.1.a.list2.ii/2")
        for mark in (STORED, USED, BASE, LAST)
        for hex_name in facts.places_with(mark)
    ]


CHAPTER = Chapter(
    heading="49.A.1.a list 2",
    facts=(
        Fact(DEPOT_OF, ("place",), "the nation whose depot lies there, if not the country's", "", TEXT),
        Fact(POSSESSION_OF, ("area",), "the nation whose colony or possession it is", "", TEXT),
        Fact(NETS, ("unit", "place"), "the depots in whose supply net it stands", [], WORDS),
        Fact(
            STORED,
            ("place",),
            "the multiplier in its depot's box",
            0,
            NUMBER,
            said={ANY: "its depot's multiplier {}", TAKEN_BACK: "its depot's multiplier starts afresh"},
        ),
        Fact(USED, ("place",), "REs charged to its depot this turn", None, POINTS, lasts=GAME_TURN, by_hand=False),
        Fact(BASE, ("place",), "the base multiplier of its depot this turn", 0, NUMBER, lasts=GAME_TURN, by_hand=False),
        Fact(LAST, ("place",), "the last multiplier of its depot this turn", 0, NUMBER, lasts=GAME_TURN, by_hand=False),
    ),
    switches=(RESET, PARTNERS, COUNTED),
    ends=(turn_ends,),
)
