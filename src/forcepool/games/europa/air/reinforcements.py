"""28.C  Air units come in: reinforcements, returning units, and those that must wait."""

from collections.abc import Iterator
from typing import cast

from forcepool.engine.agenda import DUE, Item
from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked, Moved
from forcepool.engine.facts import PLAYER_TURN, WORDS, Fact, place_key, unit_key
from forcepool.engine.places import Place, at_hex
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import World
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.orders import (
    ARRIVES,
    DONE,
    IN_PLAY,
    RETURN,
    TRANSFER,
    WITHDRAW,
    AirOrder,
    bring_in,
    candidates,
    carried_out,
    check_lines,
    leaves,
    line_for,
    open_lines,
)
from forcepool.games.europa.air.question import (
    ABORTED,
    ANTI_SHIPPING,
    OPERATIVE,
    WITHDRAWN,
    Air,
    air_units,
    can_take,
    chart_of,
    in_theatre,
    is_air,
    is_an_air_unit,
    unisolated_bases,
)
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements.entries import ENTRY
from forcepool.games.europa.replacements.placement import AIR_STATUS
from forcepool.games.europa.replacements.pools import REINFORCEMENT
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld

VACATED = "air_vacated"
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
            raise BadCommand("say at which airbase with at=")
        return self.world.hex_name(self.command.at)

    @lazy
    def vacated(self) -> list[str]:
        """The airbases that units of its type have left this turn and no reinforcement has taken."""
        kind = f"{self.nation}: {self.unit.spec.type}"
        return [each for each in self.facts.places_with(VACATED) if kind in left_by(self, each)]


def left_by(q: Air, hex_name: str) -> list[str]:
    """Nation and type of the units withdrawn from an airbase this player-turn."""
    return cast(list[str], q.facts.value(place_key(hex_name), VACATED))


@rule("28.C/1")
def is_a_reinforcement_due(q: Arriving) -> Verdict:
    """It is on the reinforcement track, and its turn has come."""
    place = q.unit.place
    if place.kind != REINFORCEMENT_TRACK:
        return no(f"{q.unit.id} is no reinforcement but {q.world.show_place(place)}", remedy="it need not be placed")
    if place.due <= q.state.clock.turn:
        return YES
    return no(f"{q.unit.id} is due {q.world.turn_name(place.due)}", remedy="wait for its turn")


@rule("28.C/1")
def base_is_in_the_listed_theatre(q: Arriving) -> Verdict:
    """In the theatre or command the OB lists."""
    if not q.command.at or in_theatre(q.world, q.hex, q.theatre):
        return YES
    return no(f"{q.hex} lies in {q.world.spot(q.hex).area}, not in {q.theatre}", remedy=f"choose one in {q.theatre}")


@rule("28.C/5", "28.C/8")
def goes_where_it_is_listed(q: Arriving) -> Verdict:
    """Units listed as aborted, or for anti-shipping, go to their box and not to an airbase."""
    if q.arrives not in OFF_MAP:
        return YES
    clause, box = OFF_MAP[q.arrives]
    if not q.command.at:
        return yes(clause)
    name = q.world.game.box_names[box]
    return no(f"{q.unit.id} is listed for the {name}", remedy="leave at= out", clause=clause)


@rule("28.C/3", "28.C/4", "28.C/6")
def base_is_eligible(q: Arriving) -> Verdict:
    """A friendly, unisolated airbase of capacity 1; an isolated one only if there is no other."""
    if q.arrives in OFF_MAP:
        return YES
    if q.hex in q.vacated:
        return yes("28.C/6", "the airbase a withdrawn unit leaves")
    bases = unisolated_bases(q.facts, q.side, q.theatre)
    if q.hex in bases:
        return YES
    if not can_take(q.facts, q.side, q.hex):
        return no(f"{q.hex} is no friendly airbase with room", remedy=f"choose {bases[0]}" if bases else "let it wait")
    if not bases and q.facts.is_cut_off(q.side, q.hex):
        return yes("28.C/4", "no unisolated airbase is available")
    return no(f"{q.hex} is isolated, {', '.join(bases)} not", remedy="choose an unisolated airbase", also=("28.C/4",))


@rule("28.C/6")
def takes_a_withdrawers_base(q: Arriving) -> Verdict:
    """For each unit in play that is withdrawn, a reinforcement of its type takes its airbase."""
    if q.arrives in OFF_MAP or q.hex in q.vacated:
        return YES
    if q.vacated:
        return no(
            f"a {q.unit.spec.type} has left {', '.join(q.vacated)} this turn", remedy=f"place it at {q.vacated[0]}"
        )
    pending = next((unit for unit in _leaving(q) if unit.spec.type == q.unit.spec.type), None)
    if pending is None:
        return YES
    return no(f"{pending.id} or its like is to be withdrawn first", remedy="withdraw it, then take its airbase")


def _leaving(q: Arriving) -> Iterator[Unit]:
    """The units in play of which one is still to be withdrawn this turn."""
    for line in open_lines(q.world, q.state, WITHDRAW, TRANSFER):
        if line.nation == q.nation and (line.order.does == WITHDRAW or leaves(q.world, q.state, line)):
            yield from candidates(q.world, q.state, line).get(IN_PLAY, [])


class PlaceAir(Command, tag="place-air", frozen=True):
    """Place an air reinforcement, operative, at an airbase of its theatre, or in the box it is listed for."""

    unit: str
    at: str = ""
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
            rest = list(left_by(q, q.hex))
            rest.remove(f"{q.nation}: {unit.spec.type}")
            yield Marked(on=place_key(q.hex), mark=VACATED, value=rest or None, because="28.C/6")

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != REINFORCEMENT_TRACK or not isinstance(world, EuropaWorld) or not is_air(world, unit):
            return
        facts = world.facts(state)
        if facts.of_unit(unit, ARRIVES) in OFF_MAP:
            yield cls(unit=unit.id)
            return
        for base in facts.places_where("airbase", True):
            yield cls(unit=unit.id, at=base)


# ------------------------------------------------------------------------------------------------ returning


@rule("28.C/7")
def is_a_withdrawn_counter(q: Air) -> Verdict:
    """A returning unit is one that was withdrawn, never an eliminated one, and the OB lists its return."""
    if q.unit.place.kind != WITHDRAWN:
        return no(
            f"{q.unit.id} was not withdrawn: {q.world.show_place(q.unit.place)}", remedy="choose a withdrawn unit"
        )
    line = line_for(q.world, q.state, q.unit, RETURN, anywhere=True)
    if line is not None and line.turn <= q.state.clock.turn:
        return YES
    return no(f"the Air OB does not list {q.unit.id} as returning now", remedy="wait for the turn it lists, if any")


class ReturnAir(Command, tag="return-air", frozen=True):
    """Take a withdrawn counter for a returning reinforcement; it is then placed like any other."""

    unit: str

    question = Air
    needs = (is_an_air_unit, is_a_withdrawn_counter)
    requires = (cycle.in_own_reinforcement_phase(),)

    def effects(self, q: Air) -> Iterator[Event]:
        line = line_for(q.world, q.state, q.unit, RETURN, anywhere=True)
        assert line is not None
        track = Place(REINFORCEMENT_TRACK, q.world.pool_named(line.order.theatre), int(q.state.clock.turn))
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=track, because="28.C/7")
        yield carried_out(q.state, line, "28.C/7")

    @classmethod
    def offers(cls, world: World, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == WITHDRAWN:
            yield cls(unit=unit.id)


# -------------------------------------------------------------------------------------------------- delayed


def delay(world: World, state: State) -> Iterator[Event]:
    """What could not enter play in its reinforcement phase is delayed to the next turn, without end."""
    if world.phase(state) != REINFORCEMENT:
        return
    assert isinstance(world, EuropaWorld)
    for unit in _waiting(world, state):
        track = Place(REINFORCEMENT_TRACK, unit.place.of, int(state.clock.turn) + 1)
        yield Moved(unit=unit.id, frm=unit.place, to=track, because="28.C/9 28.C/10", says="delayed to the next turn")


def _waiting(world: EuropaWorld, state: State) -> Iterator[Unit]:
    """The phasing side's air reinforcements that are due and not placed."""
    for unit in air_units(world, state):
        due = unit.place.kind == REINFORCEMENT_TRACK and unit.place.due <= state.clock.turn
        if due and world.has_the_turn(state, world.side_now(state, unit.spec.nation)):
            yield unit


def to_place(world: World, state: State) -> Iterator[Item]:
    """The air reinforcements to be placed now, and the returning units to be chosen."""
    if world.phase(state) != REINFORCEMENT:
        return
    assert isinstance(world, EuropaWorld)
    for unit in _waiting(world, state):
        if state.mark(unit_key(unit.id), ENTRY) is not None:
            continue  # The order of battle has a line for it.
        side, facts = world.side_now(state, unit.spec.nation), world.facts(state)
        bases = facts.by_use(side, unisolated_bases(facts, side, world.theatre_of(unit.place.of)))
        boxed = facts.of_unit(unit, ARRIVES) in OFF_MAP
        command = PlaceAir(unit=unit.id, at="" if boxed else bases[0]) if boxed or bases else None
        text = f"{unit.id} is to be placed in {unit.place.of}, else it waits a turn"
        yield Item(DUE, text, "28.C/1", side, command)
    for line in open_lines(world, state, RETURN):
        side = world.side_now(state, line.nation)
        yield Item(DUE, f"a withdrawn {line.order.model or line.order.type} returns", "28.C/7", side)


CHAPTER = Chapter(
    heading="28.C",
    commands=(PlaceAir, ReturnAir),
    facts=(
        Fact(ARRIVES, ("unit",), "how the Air OB lists its arrival, if not at an airbase", "", values=(*OFF_MAP,)),
        Fact(
            VACATED,
            ("place",),
            "the withdrawn units whose place there is free",
            [],
            WORDS,
            lasts=PLAYER_TURN,
            by_hand=False,
        ),
        Fact(DONE, ("air-ob",), "how many units a line of the Air OB has had", 0, by_hand=False),
    ),
    opening=(check_lines,),
    happens=(bring_in,),
    ends=(delay,),
    agenda=(to_place,),
    charts={"air_ob": tuple[AirOrder, ...]},
    boxes={ANTI_SHIPPING: "ANTI-SHIPPING HOLDING BOX", WITHDRAWN: "WITHDRAWN AIR UNITS"},
)
