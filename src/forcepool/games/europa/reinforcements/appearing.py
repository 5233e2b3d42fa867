"""51.A  Reinforcements appear: in which hexes, beyond the stacking limit or later, in which reserve and supply."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.decide import permits
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import NUMBER, PLAYER_TURN, WORDS, YES_NO, Fact, kept, place_key, unit_key
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.places import HEX, Place
from forcepool.engine.sentence import the_place, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, Way, Yes, no, rule, yes
from forcepool.games.europa.air.question import OPERATIVE
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import WHERE_IT_STOOD, EuropaFacts
from forcepool.games.europa.ground.placing import AIR_STATUS, Placing, is_disrupted, why_not_friendly
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.standing import shares_the_supply_of
from forcepool.games.europa.mapfacts.edges import on_edges
from forcepool.games.europa.own_phase import in_own, is_own
from forcepool.games.europa.question import Appears, EuropaQuestion, in_its_place, in_phase_of, instead
from forcepool.games.europa.reinforcements import by_side, sites
from forcepool.games.europa.reinforcements.any_city import comes_to_any_city
from forcepool.games.europa.reinforcements.by_side import appears_where_its_entry_says
from forcepool.games.europa.reinforcements.entries import ENTRY, entry_of, marked, verb_of
from forcepool.games.europa.reinforcements.flying_in import air_places, air_units_come_on_an_airbase
from forcepool.games.europa.reinforcements.in_reserve import (
    comes_from_the_edge,
    in_which_reserve,
    pays_for_reserve,
    reserve_is_for_the_map_edge,
)
from forcepool.games.europa.reinforcements.just_in import JUST_IN, moves_and_flies
from forcepool.games.europa.reinforcements.landing import capacity_clause, embarks, port_has_capacity, uses_capacity
from forcepool.games.europa.reinforcements.listed_places import spec_of_place
from forcepool.games.europa.reinforcements.named_boxes import box_named
from forcepool.games.europa.reinforcements.places_to_ask import worth_asking
from forcepool.games.europa.reinforcements.returning import comes_back_to_its_front, is_due_back, way_back
from forcepool.games.europa.reinforcements.sites import EDGES, HOLDING
from forcepool.games.europa.replacements.general.placement import AS_IT_WAS, PlaceUnit
from forcepool.games.europa.replacements.limited.training import TrainCadre
from forcepool.games.europa.replacements.soviet.soviet_placement import OFF_MAP
from forcepool.games.europa.replacements.special.auxiliary import cut_off_with_the_others
from forcepool.games.europa.world import LOCAL, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import computed

ROOM, OVERSTACK, ARMY_MARKER = "room", "overstack", "army_marker"
TAKEN_AS_ANY_CITY = "any_city_taken"
MOBILIZE = "mobilize"

OVERSTACKING = switch(
    "overstacking",
    "51.A.2/1",
    "when a reinforcement may be placed beyond the stacking limit",
    army_marker="with an army marker in the hex, as far as the group's own limit allows",
    none="never",
    unlimited="always",
)


class Appearing(EuropaQuestion):
    """A reinforcement that is due, and the place it is to appear in."""

    command: "Reinforce"

    @lazy
    def entry(self) -> Entry:
        entry = way_back(self.unit) if self.returns else entry_of(self.world, self.state, self.unit)
        if entry is None:
            raise BadCommand(f"no entry of the order of battle brings {self.unit}; use place")
        return entry

    @lazy
    def returns(self) -> bool:
        """Whether it comes back after it was disrupted, and no entry brings it."""
        return is_disrupted(self.state, self.unit)

    @lazy
    def area(self) -> str:
        """The front whose track it waits on."""
        return self.unit.place.of

    @lazy
    def target(self) -> Place:
        return self.world.parse_place(self.command.at)

    @property
    def hex(self) -> str:
        return self.target.of if self.target.kind == HEX else ""

    @property
    def box(self) -> str:
        """The holding box it is to go to; empty for a hex."""
        return self.target.of if self.target.kind == HOLDING else ""

    @property
    def off_map(self) -> str:
        """The off-map MD whose box it is to go to; empty for anything else."""
        return self.target.of if self.target.kind == OFF_MAP else ""

    @lazy
    def name(self) -> str:
        return self.hex or f"{self.target.kind} {self.target.of}"

    @lazy
    def is_air(self) -> bool:
        return self.world.has_role(self.unit.spec, "air")

    @lazy
    def is_at_sea(self) -> bool:
        return bool(self.hex) and bool(self.facts.of_place(self.hex, sites.SEA))

    @lazy
    def room(self) -> int | None:
        """How many more units the hex takes without overstacking; None where nobody has said."""
        value = self.facts.value(place_key(self.name), ROOM)
        return value if isinstance(value, int) else None

    @property
    def overstacks(self) -> bool:
        return self.room is not None and self.room <= 0


# ----------------------------------------------------------------------------------------------- when, whose


@rule("51/2", "52.G/2")
def an_entry_brings_it(q: Appearing) -> Verdict:
    """A unit enters as a reinforcement only because the order of battle calls for it."""
    if q.state.mark(unit_key(q.unit.id), ENTRY) is not None and q.unit.place.kind == REINFORCEMENT_TRACK:
        return YES
    if q.returns:
        return yes("52.G/2", "it was disrupted")
    where = q.world.where(q.unit.place)
    return no(f"no entry of the order of battle brings {q.unit} now: it is {where}", remedy="see the checklist")


@rule("51.A/2")
def it_is_the_reinforcement_phase(q: Appearing) -> Verdict:
    """Reinforcements appear in their owner's reinforcement phase."""
    return in_own(q, REINFORCEMENT)


@rule("51.A/1")
def its_turn_has_come(q: Appearing) -> Verdict:
    """Not before the turn the order of battle shows, or the turn it was delayed to."""
    due = q.unit.place.due
    if due <= q.state.clock.turn or q.returns:
        return YES
    return no(
        f"{q.unit} is due {q.world.turn_name(due)}",
        remedy=in_phase_of(q, due, REINFORCEMENT, f"wait for {q.world.turn_name(due)}"),
        have=Fraction(q.state.clock.turn),
        need=Fraction(due),
    )


@rule("51.A/2")
def waits_for_the_reinforcement_phase(q: Any) -> Verdict:
    """What an entry brings is not placed with the replacements."""
    if q.state.mark(unit_key(q.unit.id), ENTRY) is None or q.unit.place.kind != REINFORCEMENT_TRACK:
        return YES
    words = f"bring it in with reinforce, in the {q.world.phase_called(REINFORCEMENT)}"
    if not q.command.at:
        return no(f"{q.unit} is a reinforcement", remedy=words)
    order = Reinforce(unit=q.unit.id, at=q.command.at)
    if is_own(q, REINFORCEMENT) and q.unit.place.is_reached(q.state.clock.turn):
        return no(f"{q.unit} is a reinforcement", remedy=in_its_place(q, order, words))
    wait = in_phase_of(q, max(q.state.clock.turn, q.unit.place.due), REINFORCEMENT, words)
    way = Way(until=wait.way.until, instead=order) if wait.way else None
    return no(f"{q.unit} is a reinforcement", remedy=Remedy(words, way))


# --------------------------------------------------------------------------------------------------- where


@rule("51.A.3/1", "51.A.3/2", "51.C/3", "51.B.8/4")
def its_side_owns_the_hex(q: Appearing) -> Verdict:
    """Only friendly-owned hexes receive reinforcements, but these may lie in an enemy ZOC."""
    why = "" if not q.hex or q.is_at_sea else why_not_friendly(q.facts, q.side, q.nation, q.hex)
    if not why:
        return yes("51.A.3/2", "in an enemy ZOC") if q.facts.zones_upon(q.side, q.name) else YES
    place = spec_of_place(q.entry)
    edge = place is not None and place.kind == "map_edge"
    return no(
        f"{the_place(q.name)} {why}",
        remedy=at_another_place(q),
        also=("51.C/3",) if edge and q.side == sites.AXIS else ("51.B.8/4",) if verb_of(q.entry) == MOBILIZE else (),
    )


@rule("51.A.2/1")
def overstacks_by_the_rules(q: Appearing) -> Verdict:
    """Beyond the stacking limit a reinforcement goes only where the overstacking rules take it."""
    ruling = q.switch(OVERSTACKING.key)
    if not q.overstacks or ruling == "unlimited":
        return YES
    left = q.facts.value(place_key(q.name), OVERSTACK)
    has_marker = q.facts.place_is(q.name, ARMY_MARKER)
    if ruling == "army-marker" and (left > 0 if isinstance(left, int) else has_marker):
        return yes("51.A.2/1", "overstacked")
    return no(
        f"{the_place(q.name)} is at its stacking limit" + ("" if has_marker else " and has no army marker"),
        remedy=at_another_place(q) or "hold it back (hold-back)",
    )


@rule("51.A.5/2")
def one_unit_a_city(q: Appearing) -> Verdict:
    """Of units listed for any city, one goes to each city hex in a phase."""
    if not comes_to_any_city(q.world, q.state, q.unit):
        return YES
    taken = q.facts.of_place(q.name, TAKEN_AS_ANY_CITY)
    if not taken:
        return YES
    return no(f"{the_place(q.name)} took {the_unit(taken)} in this phase", remedy=at_another_place(q))


def at_another_place(q: Appearing) -> list[Remedy]:
    """To bring it in where it could come now, the most useful place first; nothing where there is none."""
    if q.asked_in_passing or not isinstance(q.command, Reinforce) or not is_awaited(q.state, q.unit):
        return []
    found = open_site(q.world, q.facts, q.unit.id)
    return [instead(q, f"bring it in at {the_place(found)}", at=found)] if found not in ("", q.name) else []


@kept
def open_site(world: EuropaWorld, facts: EuropaFacts, unit_id: str) -> str:
    """The most useful place that would take a reinforcement now; looked for once, whatever places it is refused."""
    unit = facts.state.units[unit_id]
    for each in facts.by_use(world.side_now(facts.state, unit.spec.nation), candidates(world, facts.state, unit)):
        order = Reinforce(unit=unit_id, at=each)
        q = Appearing(world, facts.state, order)
        if permits(q, order.needs, order.guards(q)):
            return each
    return ""


# ------------------------------------------------------------------------------------------------- command


class Reinforce(Appears, tag="reinforce", frozen=True):
    """Bring a reinforcement that is due into play."""

    unit: UnitName
    at: Spot
    """The hex, a holding box ('holding britain'), or the box of an off-map MD ('off-map md/siberia')."""
    reserve: bool = False
    """Come on in reserve, at a map edge, for a supply point a stack."""

    question = Appearing
    needs = (an_entry_brings_it,)
    requires = (
        it_is_the_reinforcement_phase,
        its_turn_has_come,
        appears_where_its_entry_says,
        its_side_owns_the_hex,
        overstacks_by_the_rules,
        one_unit_a_city,
        air_units_come_on_an_airbase,
        reserve_is_for_the_map_edge,
        port_has_capacity,
    )

    def effects(self, q: Appearing) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=q.target, because="51.A/1 51.A/2")
        yield from _what_it_uses(q)
        yield from takes_over_supply(q)
        yield from _in_which_state(q)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if not is_awaited(state, unit):
            return
        facts, side = world.facts(state), world.side_now(state, unit.spec.nation)
        for name in facts.by_use(side, candidates(world, state, unit)):
            yield cls(unit=unit.id, at=name)
            at_edge = bool(facts.value(place_key(name), EDGES))
            if at_edge or comes_from_the_edge(Appearing(world, state, cls(unit=unit.id, at=name))):
                yield cls(unit=unit.id, at=name, reserve=True)


def is_awaited(state: State, unit: Unit) -> bool:
    """Whether an entry brings a unit, or it comes back after it was disrupted, and its turn has come."""
    if is_due_back(state, unit):
        return True
    here = unit.place.kind == REINFORCEMENT_TRACK and unit.place.due <= state.clock.turn
    return here and state.mark(unit_key(unit.id), ENTRY) is not None


def is_no_reinforcement(q: Any) -> Iterator[Event]:
    """What goes to train comes back with the replacements, whatever entry once brought it."""
    if q.state.mark(unit_key(q.unit.id), ENTRY) is not None:
        yield marked(q.unit.id, ENTRY, None, "52.A.10.b/3")


@computed("51.A.10/1")
def candidates(world: EuropaWorld, state: State, unit: Unit) -> list[str]:
    """The places where a reinforcement may appear by its entry, whoever owns them now."""
    return list(_candidates(world, world.facts(state), unit.id))


@kept
def _candidates(world: EuropaWorld, facts: EuropaFacts, unit_id: str) -> tuple[str, ...]:
    state = facts.state
    unit = state.units[unit_id]
    anywhere = Appearing(world, state, Reinforce(unit=unit.id, at=""))
    if world.has_role(unit.spec, "air"):
        return tuple(air_places(anywhere))
    boxes = world.facts(state).of_campaign(sites.BOXES_IN_USE)
    named = {f"{HOLDING} {box.casefold()}" for box in boxes} if isinstance(boxes, list) else set()
    entry = entry_of(world, state, unit)
    named |= {f"{HOLDING} {box}" for box in (box_named(entry.place if entry else None),) if box}
    named |= {f"{OFF_MAP} {area}" for area in sites.off_the_map(world, state, entry)}
    if entry is not None and entry.source is not None:
        named.add(f"{HOLDING} {sites.GIBRALTAR}")
    found = []
    named |= on_edges(world, by_side.edges_named(world, entry))
    for name in sorted({*worth_asking(anywhere), *named}):
        q = Appearing(world, state, Reinforce(unit=unit.id, at=name))
        if isinstance(comes_back_to_its_front(q) if q.returns else by_side.where(q), Yes):
            found.append(name)
    return tuple(found)


def as_a_reinforcement(q: Placing) -> Appearing:
    """A disrupted unit that is placed, asked about as the reinforcement it is."""
    return Appearing(q.world, q.state, Reinforce(unit=q.unit.id, at=q.command.at), q.seat, q.dice)


def _what_it_uses(q: Appearing) -> Iterator[Event]:
    """Room in the hex, the city of an Any City unit, capacity of a port, and the supply point of a reserve."""
    on = place_key(q.name)
    if q.room is not None:
        left = q.facts.value(on, OVERSTACK)
        yield Marked(on=on, mark=ROOM, value=q.room - 1, because="51.A.2/1")
        if q.overstacks and isinstance(left, int):
            yield Marked(on=on, mark=OVERSTACK, value=left - 1, because="51.A.2/1")
    if comes_to_any_city(q.world, q.state, q.unit):
        yield Marked(on=on, mark=TAKEN_AS_ANY_CITY, value=q.unit.id, because="51.A.5/2")
    if clause := capacity_clause(q):
        yield uses_capacity(q, q.name, clause)
    if q.command.reserve:
        yield from pays_for_reserve(q)


@computed("51.A.1/1")
def takes_over_supply(q: Appearing) -> Iterator[Event]:
    """A unit that appears shares the supply of the place, and nothing clings to it of where it was before."""
    on = unit_key(q.unit.id)
    for mark in (*AS_IT_WAS, *(() if q.area.startswith(LOCAL) else WHERE_IT_STOOD)):
        if q.state.mark(on, mark) is not None:
            yield Marked(on=on, mark=mark, value=None, because="51.A.1/1")
    yield from shares_the_supply_of(q, q.name, "51.A.1/1")


def _in_which_state(q: Appearing) -> Iterator[Event]:
    """Reserve markers, air status, cargo at sea, and what may be done in the player-turn it appears."""
    unit = q.unit.id
    if q.is_air and q.hex:
        yield marked(unit, AIR_STATUS, OPERATIVE, "51.A.7/1")
    if q.is_at_sea:
        yield from embarks(unit)
    yield from in_which_reserve(q)
    yield marked(unit, JUST_IN, "conditional" if q.entry.conditions else "air" if q.is_air else "yes")


FACTS = (
    Fact(ROOM, ("place",), "how many more units it takes without overstacking", None, NUMBER, below_nothing=True),
    Fact(OVERSTACK, ("place",), "how many units may still be overstacked there", None, NUMBER),
    Fact(ARMY_MARKER, ("place",), "an army marker with an overstacking section is there", False, YES_NO),
    Fact(TAKEN_AS_ANY_CITY, ("place",), "the Any City unit it took", "", lasts=PLAYER_TURN, by_hand=False),
    Fact(JUST_IN, ("unit",), "it appeared this player-turn", "", lasts=PLAYER_TURN, by_hand=False),
    Fact(sites.SEA, ("place",), "the sea it is a hex of", ""),
    Fact(EDGES, ("place",), "the map edges it lies on, such as 24A north", [], WORDS),
    Fact(sites.DISTANCE, ("place",), "its distance from the hex that sea arrivals are measured from", None, NUMBER),
    Fact(sites.BORDERS, ("place",), "the theatres it touches", [], WORDS),
    Fact(sites.BOXES_IN_USE, ("campaign",), "the holding boxes this game uses", [], WORDS),
    Fact(sites.COMBAT_ZONE, ("place",), "it is in the combat zone of an enemy TF or CD", False, YES_NO),
    Fact(sites.DANGER_ZONE, ("place",), "it is in a danger zone", False, YES_NO),
    Fact(sites.ENEMY_SUPPLIED, ("area",), "an enemy unit in regular supply is in it", False, YES_NO),
)

CHAPTER = Chapter(
    heading="51.A",
    commands=(Reinforce,),
    facts=FACTS,
    switches=(OVERSTACKING, sites.UNPLACED),
    guards={PlaceUnit: (waits_for_the_reinforcement_phase,)},
    also={TrainCadre: (is_no_reinforcement,), Reinforce: (cut_off_with_the_others,)},
    shows=(moves_and_flies,),
    charts={"sea_arrivals": dict[str, by_side.SeaArrival], "allied_theatres": dict[str, by_side.AlliedTheatre]},
    boxes={HOLDING: "HOLDING BOX"},
)
