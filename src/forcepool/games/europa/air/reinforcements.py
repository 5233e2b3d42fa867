"""28.C  Air units come in: reinforcements, returning units, and those that must wait."""

from collections.abc import Iterator

from forcepool.engine.agenda import DUE, NEWS, Item
from forcepool.engine.command import BadCommand, Command, Question, lazy
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import Fact, unit_key
from forcepool.engine.given import Spot, UnitName
from forcepool.engine.places import OUT, Place, at_hex
from forcepool.engine.sentence import the_field, the_place, the_places, the_pool, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import find_unit
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.exchange import VACATED, after_its_withdrawal, taken, to_leave_first, vacated
from forcepool.games.europa.air.orders import (
    ARRIVES,
    DONE,
    RETURN,
    AirOrder,
    bring_in,
    carried_out,
    check_lines,
    fits,
    line_for,
    open_lines,
)
from forcepool.games.europa.air.question import (
    ABORTED,
    ANTI_SHIPPING,
    OPERATIVE,
    ROOM,
    WITHDRAWN,
    Air,
    air_units,
    can_take,
    chart_of,
    in_theatre,
    is_air,
    is_an_air_unit,
    is_full,
    unisolated_bases,
    why_not,
)
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.ownership import take_off
from forcepool.games.europa.ground.placing import AIR_STATUS
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.question import in_phase_of, instead
from forcepool.games.europa.reinforcements.appearing import Reinforce
from forcepool.games.europa.reinforcements.entries import ENTRY
from forcepool.games.europa.reinforcements.falling_due import WITHDRAWN as MAY_RETURN
from forcepool.games.europa.reserves.depots import nearest_first
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld

REINFORCE = "reinforce"
OFF_MAP = {ABORTED: ("28.C/5", ABORTED), ANTI_SHIPPING: ("28.C/8", ANTI_SHIPPING)}

# ------------------------------------------------------------------------------------------- reinforcements


class Arriving(Air):
    """An air reinforcement and the airbase it is to be placed at."""

    command: "PlaceAir"

    @lazy
    def arrives(self) -> str:
        return self.facts.of_unit(self.unit, ARRIVES)

    @lazy
    def hex(self) -> str:
        if not self.command.at and self.arrives not in OFF_MAP:
            raise BadCommand(f"say at which airbase with {the_field('at')}")
        return self.world.hex_name(self.command.at)

    @lazy
    def vacated(self) -> list[str]:
        """The airbases it may have to take of those that withdrawn units have left."""
        return vacated(self.world, self.facts, self.unit)

    @lazy
    def bases(self) -> list[str]:
        """The unisolated airbases with room in its theatre."""
        return unisolated_bases(self.facts, self.side, self.nation, self.theatre)


@rule("28.C/1")
def is_a_reinforcement_due(q: Arriving) -> Verdict:
    """It is on the reinforcement track, and its turn has come."""
    place = q.unit.place
    if place.kind != REINFORCEMENT_TRACK:
        remedy = "it need not be placed" if place.on_map else ""
        return no(f"{q.unit} is {q.world.where(place)}, and is no reinforcement", remedy=remedy)
    if place.due <= q.state.clock.turn:
        return YES
    return no(
        f"{q.unit} is due {q.world.turn_name(place.due)}",
        remedy=in_phase_of(q, place.due, REINFORCEMENT, "wait for its turn"),
    )


@rule("28.C/1")
def base_is_in_the_listed_theatre(q: Arriving) -> Verdict:
    """In the theatre or command the OB lists."""
    if not q.command.at or in_theatre(q.world, q.hex, q.theatre):
        return YES
    if q.hex in q.vacated:
        return yes("28.C/6", "the airbase a withdrawn unit leaves")
    return no(
        f"{the_place(q.hex)} lies in {the_pool(q.world.spot(q.hex).area)}, not in {the_pool(q.theatre)}",
        remedy=instead(q, f"choose {the_place(near)}", at=near) if (near := _nearest(q)) else "",
    )


@rule("28.C/5", "28.C/8")
def goes_where_it_is_listed(q: Arriving) -> Verdict:
    """Units listed as aborted, or for anti-shipping, go to their box and not to an airbase."""
    if q.arrives not in OFF_MAP:
        return YES
    clause, box = OFF_MAP[q.arrives]
    if not q.command.at:
        return yes(clause)
    name = q.world.game.box_names[box]
    return no(
        f"{q.unit} is listed for the {name}", remedy=instead(q, f"leave {the_field('at')} out", at=""), clause=clause
    )


@rule("28.C/3", "28.C/4", "28.C/6")
def base_is_eligible(q: Arriving) -> Verdict:
    """A friendly, unisolated airbase of capacity 1; an isolated one only if there is no other."""
    if q.arrives in OFF_MAP:
        return YES
    if q.hex in q.vacated:
        return yes("28.C/6", "the airbase a withdrawn unit leaves")
    bases = q.bases
    if q.hex in bases:
        return YES
    if not can_take(q.facts, q.side, q.nation, q.hex):
        said = why_not(q.facts, q.side, q.nation, q.hex)
        near = _nearest(q)
        return no(said, remedy=instead(q, f"choose {the_place(near)}", at=near) if near else "")
    if not q.facts.is_cut_off(q.side, q.hex):
        return YES  # It is full, or lies in another theatre, which other rules tell.
    if not bases:
        return yes("28.C/4", "no unisolated airbase is available")
    return no(
        f"{the_place(q.hex)} is isolated, {the_places(bases)} not",
        remedy=instead(q, f"choose {the_place(_nearest(q))}", at=_nearest(q)),
        also=("28.C/4",),
    )


def _nearest(q: Arriving) -> str:
    """The airbase open to it that lies nearest to the one named; without a map, one of the same area."""
    area = q.world.spot(q.hex).area
    beside = sorted(q.bases, key=lambda base: q.world.spot(base).area != area)
    near = nearest_first(q.world, q.world.hex_index(q.hex), beside) or beside
    return near[0] if near else ""


@rule("28.C/6")
def takes_a_withdrawers_base(q: Arriving) -> Verdict:
    """For each unit in play that is withdrawn, a reinforcement of its type takes its airbase."""
    if q.arrives in OFF_MAP or q.hex in q.vacated:
        return YES
    if q.vacated:
        remedy = instead(q, f"place it at {the_place(q.vacated[0])}", at=q.vacated[0])
        return no(f"a {q.unit.spec.type} has left {the_places(q.vacated)} this turn", remedy=remedy)
    pending = to_leave_first(q.world, q.state, q.unit)
    return after_its_withdrawal(pending) if pending else YES


@rule("28.C/6")
def withdrawers_bases_are_taken(q: Question) -> Verdict:
    """A reinforcement that must take a withdrawn unit's airbase does not wait for another turn instead."""
    if not q.state.marked.get(VACATED):
        return YES
    assert isinstance(q.world, EuropaWorld)
    facts = q.world.facts(q.state)
    for unit in _waiting(q.world, q.state):
        if facts.of_unit(unit, ARRIVES) in OFF_MAP:
            continue
        if bases := vacated(q.world, facts, unit):
            return no(
                f"{unit} takes the airbase that a withdrawn {unit.spec.type} has left: {the_places(bases, ' or ')}",
                remedy=f"place it at {the_place(bases[0])} first",
                units=(unit.id,),
            )
    return YES


class PlaceAir(Command, tag="place-air", frozen=True):
    """Place an air reinforcement, operative, at an airbase of its theatre, or in the box it is listed for."""

    unit: UnitName
    at: Spot = ""
    """The airbase; left out for units that arrive aborted or for anti-shipping."""

    question = Arriving
    needs = (is_an_air_unit,)
    requires = (
        cycle.in_own_reinforcement_phase(),
        is_a_reinforcement_due,
        base_is_in_the_listed_theatre,
        goes_where_it_is_listed,
        base_is_eligible,
        takes_a_withdrawers_base,
    )

    def effects(self, q: Arriving) -> Iterator[Event]:
        unit = q.unit
        if q.arrives in OFF_MAP:
            clause, box = OFF_MAP[q.arrives]
            yield Moved(unit=unit.id, frm=unit.place, to=Place(box, chart_of(q.world, q.area)), because=clause)
            yield Marked(on=unit_key(unit.id), mark=ARRIVES)
            return
        yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.hex), because="28.C/1")
        yield Marked(on=unit_key(unit.id), mark=AIR_STATUS, value=OPERATIVE, because="28.C/2")
        if q.hex in q.vacated:
            yield taken(q)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != REINFORCEMENT_TRACK or not is_air(world, unit):
            return
        facts = world.facts(state)
        if facts.of_unit(unit, ARRIVES) in OFF_MAP:
            yield cls(unit=unit.id)
            return
        taken = vacated(world, facts, unit)
        for base in sorted({*facts.places_where("airbase", True), *taken}):
            yield cls(unit=unit.id, at=base)


# ------------------------------------------------------------------------------------------------ returning


def was_withdrawn(state: State, unit: Unit) -> bool:
    """Whether a counter was withdrawn: by the Air OB, or by a line in words."""
    by_words = unit.place.kind == OUT and state.mark(unit_key(unit.id), MAY_RETURN) is not None
    return by_words or unit.place.kind == WITHDRAWN


@rule("28.C/7")
def is_a_withdrawn_counter(q: Air) -> Verdict:
    """A returning unit is one that was withdrawn, never an eliminated one, and the OB lists its return."""
    if not was_withdrawn(q.state, q.unit):
        return no(f"{q.unit} was not withdrawn: {q.world.said_place(q.unit.place)}", remedy="choose a withdrawn unit")
    line = line_for(q.world, q.state, q.unit, RETURN, anywhere=True)
    if line is not None and line.turn <= q.state.clock.turn:
        return YES
    return no(f"the Air OB does not list {q.unit} as returning now", remedy="wait for the turn it lists, if any")


class ReturnAir(Command, tag="return-air", frozen=True):
    """Take a withdrawn counter for a returning reinforcement; it is then placed like any other."""

    unit: UnitName

    question = Air
    needs = (is_an_air_unit, is_a_withdrawn_counter)
    requires = (cycle.in_own_reinforcement_phase(),)

    def effects(self, q: Air) -> Iterator[Event]:
        line = line_for(q.world, q.state, q.unit, RETURN, anywhere=True)
        assert line is not None
        track = Place(REINFORCEMENT_TRACK, q.world.pool_named(line.order.theatre), int(q.state.clock.turn))
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=track, because="28.C/7")
        yield from take_off(q.state, unit_key(q.unit.id), MAY_RETURN, "28.C/7")
        yield carried_out(q.state, line, "28.C/7")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if is_air(world, unit) and was_withdrawn(state, unit):
            yield cls(unit=unit.id)


# -------------------------------------------------------------------------------------------------- delayed


def delay(world: EuropaWorld, state: State) -> Iterator[Event]:
    """What could not enter play in its reinforcement phase is delayed to the next turn, without end."""
    if world.phase(state) != REINFORCEMENT:
        return
    for unit in _waiting(world, state):
        track = Place(REINFORCEMENT_TRACK, unit.place.of, int(state.clock.turn) + 1)
        yield Moved(unit=unit.id, frm=unit.place, to=track, because="28.C/9 28.C/10", says="delayed to the next turn")


def _waiting(world: EuropaWorld, state: State) -> Iterator[Unit]:
    """The phasing side's air reinforcements that are due and not placed."""
    for unit in air_units(world, state):
        due = unit.place.kind == REINFORCEMENT_TRACK and unit.place.due <= state.clock.turn
        if due and world.has_the_turn(state, world.side_now(state, unit.spec.nation)):
            yield unit


def to_place(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The air reinforcements to be placed now, and the returning units to be chosen."""
    if world.phase(state) != REINFORCEMENT:
        return
    proposed: list[str] = []
    for unit in _waiting(world, state):
        if state.mark(unit_key(unit.id), ENTRY) is not None:
            continue  # The order of battle has a line for it.
        item = _to_place(world, state, unit, proposed)
        if isinstance(item.command, PlaceAir):
            proposed.append(item.command.at)
        yield item
    for line in open_lines(world, state, RETURN):
        side = world.side_now(state, line.nation)
        if not world.has_the_turn(state, side):
            continue
        able = (unit for unit in air_units(world, state) if was_withdrawn(state, unit))
        fit = next((unit for unit in able if fits(world, state, line, unit, anywhere=True)), None)
        wanted = line.order.model or line.order.type or "unit"
        text = f"a withdrawn {wanted} returns{f': {fit}' if fit else ', once there is one'}"
        yield Item(DUE if fit else NEWS, text, "28.C/7", side, ReturnAir(unit=fit.id) if fit else None)


def _to_place(world: EuropaWorld, state: State, unit: Unit, proposed: list[str]) -> Item:
    """What is to become of a reinforcement now, with the order that places it where those before it leave room."""
    side, facts = world.side_now(state, unit.spec.nation), world.facts(state)
    if facts.of_unit(unit, ARRIVES) in OFF_MAP:
        return Item(DUE, f"{unit} goes to the box it is listed for", "28.C/1", side, PlaceAir(unit=unit.id))
    if taken := vacated(world, facts, unit):
        text = f"{unit} takes the airbase of a withdrawn unit: {the_places(taken, ' or ')}"
        return Item(DUE, text, "28.C/6", side, PlaceAir(unit=unit.id, at=taken[0]))
    if first := to_leave_first(world, state, unit):
        return Item(DUE, f"{unit} waits for {the_unit(first)} or its like to be withdrawn", "28.C/6", side)
    bases = _bases_for(world, facts, unit, side)
    if not bases:
        text = f"{unit} waits a turn: no airbase in {the_pool(unit.place.of)} is yours and has room"
        return Item(NEWS, text, "28.C/9", side)
    text = f"{unit} is to be placed in {the_pool(unit.place.of)}, else it waits a turn"
    with_room = (base for base in bases if not is_full(facts, base, proposed.count(base)))
    return Item(DUE, text, "28.C/1", side, PlaceAir(unit=unit.id, at=next(with_room, bases[0])))


def _bases_for(world: EuropaWorld, facts: EuropaFacts, unit: Unit, side: str) -> list[str]:
    """The airbases to propose: unisolated ones of its theatre, an isolated one only where there is no other."""
    theatre, nation = world.theatre_of(unit.place.of), unit.spec.nation
    if found := facts.by_use(side, unisolated_bases(facts, side, nation, theatre), ground=False):
        return sorted(found, key=lambda base: _is_far_from_its_own(world, facts, base, nation))
    able = (name for name in facts.places_where("airbase", True) if in_theatre(world, name, theatre))
    return [name for name in able if can_take(facts, side, nation, name)]


def _is_far_from_its_own(world: EuropaWorld, facts: EuropaFacts, base: str, nation: str) -> tuple[bool, bool]:
    """Whether a base lies in an ally's country where none of its own stand; to a minor nation, whether abroad."""
    country = world.country_of(world.spot(base).area)
    known = world.profile.nations.get(nation)
    if country == nation or any(each.spec.nation == nation for each in facts.state.stack(base)):
        return False, False
    side = world.side_now(facts.state, nation)
    allied = country in world.sides and world.side_now(facts.state, country) == side
    return allied, known is not None and not known.major


def by_the_air_ob(world: EuropaWorld, state: State, command: Reinforce) -> Command:
    """A reinforcement that no line in words brings but the Air OB is placed as an air unit."""
    unit = find_unit(state, command.unit)
    in_words = state.mark(unit_key(unit.id), ENTRY) is not None
    if in_words or unit.place.kind != REINFORCEMENT_TRACK or not is_air(world, unit):
        return command
    return PlaceAir(unit=unit.id, at=command.at)


CHAPTER = Chapter(
    heading="28.C",
    commands=(PlaceAir, ReturnAir),
    facts=(
        Fact(ARRIVES, ("unit",), "how the Air OB lists its arrival, if not at an airbase", "", values=(*OFF_MAP,)),
        Fact(DONE, ("air-ob",), "how many units a line of the Air OB has had", 0, by_hand=False),
    ),
    guards={Advance: (withdrawers_bases_are_taken,)},
    means={Reinforce: by_the_air_ob},
    switches=(ROOM,),
    opening=(check_lines,),
    happens=(bring_in,),
    ends=(delay,),
    due=(to_place,),
    charts={"air_ob": tuple[AirOrder, ...]},
    boxes={ANTI_SHIPPING: "ANTI-SHIPPING HOLDING BOX", WITHDRAWN: "WITHDRAWN AIR UNITS"},
)
