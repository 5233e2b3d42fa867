"""EF.replacements/1 to /13: Siberian replacements, from the symbol on the turn track to the eastern edge of the map."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import LAPSES, OPEN, Item
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.ledger import LOST, SPENT
from forcepool.engine.options import choice
from forcepool.engine.places import at_hex
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import Habit
from forcepool.games.eastern_front.chapter import (
    OPERATIONAL_PHASE,
    REPLACEMENT_PHASE,
    STRATEGIC_PHASE,
    Chapter,
    Order,
    only_in,
)
from forcepool.games.eastern_front.facts import ARRIVED_AS, DISPERSED, HELD_SINCE, LAND, REPLACEMENT
from forcepool.games.eastern_front.irreplaceable import MAY_RETURN
from forcepool.games.eastern_front.strategic import STRATEGIC_BY, moves_left, uses_capacity
from forcepool.games.eastern_front.world import (
    DEAD,
    IN_SIBERIA,
    SIBERIA,
    SOVIET,
    SOVIET_UNION,
    SYMBOLS,
    UNUSED,
    EasternWorld,
    is_factory,
)
from forcepool.rulebook.citations import computed

SIBERIAN_WORKS = "source/siberian-works"
STRATEGIC, OPERATIONAL = "strategic", "operational"

NOT_TAKEN = switch(
    "symbols-not-taken",
    "EF.replacements/5",
    "what becomes of a Siberian symbol that is not taken in its turn",
    lost="it is lost",
    owed="one that no dead unit can meet is owed, and met when such a unit dies",
    saved="it may be claimed in any later turn",
)
TAKEN_FROM = switch(
    "siberian-units",
    "EF.replacements/4",
    "where the unit of a Siberian symbol comes from",
    dead="from the dead pile",
    any_unused="from the dead pile, or any unused counter of the type",
)
SIBERIAN_EDGES = switch(
    "siberian-edges",
    "EF.replacements/6",
    "the edges by which Siberian replacements enter",
    east="the eastern edge only",
    east_and_southeast="the eastern and southeastern edges alike",
)
HELD = switch(
    "turns-held",
    "EF.replacements/8",
    "when a held Siberian replacement may enter operationally",
    next_turn="from the turn after it was taken",
    whole_turn="only after a whole turn has passed between",
)

# ------------------------------------------------------------------------------------------- the symbols


def symbols_appear(world: EasternWorld, state: State) -> Iterator[Event]:
    """Each symbol of the turn pays out, whatever has become of the factories on the map."""
    if world.phasing(state) != SOVIET or state.clock.phase:
        return
    for kind, number in symbols_of(world, state.clock.turn):
        yield Transferred(
            amount=number * world.numbers["symbol_worth"],
            kind=kind,
            nation=SOVIET_UNION,
            frm=SIBERIAN_WORKS,
            to=SYMBOLS,
            because="EF.replacements/1 EF.replacements/2 EF.replacements/3 EF.replacements/4",
        )


@computed("EF.replacements/1", "EF.replacements/3")
def symbols_of(world: EasternWorld, turn: int) -> list[tuple[str, Fraction]]:
    """The symbols of a turn are the output of Siberia's own works: nothing on the map stops or adds to them."""
    return sorted(world.track.get(turn, {}).items())


@computed("EF.replacements/5")
def symbols_lapse(world: EasternWorld, state: State) -> Iterator[Event]:
    """What was not taken by the end of the phase is lost, unless the group plays it otherwise."""
    return iter(_lapsing(world, state) if _at_the_end(world, state) else ())


def _at_the_end(world: EasternWorld, state: State) -> bool:
    return world.phasing(state) == SOVIET and world.phase(state) == REPLACEMENT_PHASE


def _lapsing(world: EasternWorld, state: State) -> list[Event]:
    played = state.switches.get(NOT_TAKEN.key) or NOT_TAKEN.default
    if played == "saved":
        return []
    found: list[Event] = []
    for kind in world.profile.points:
        left = state.balance(SYMBOLS, SOVIET_UNION, kind)
        if played == "owed":
            left = min(left, Fraction(len(list(_dead_of(world, state, kind)))))
        if left > 0:
            found.append(
                Transferred(
                    amount=left, kind=kind, nation=SOVIET_UNION, frm=SYMBOLS, to=LOST, because="EF.replacements/5"
                )
            )
    return found


def _dead_of(world: EasternWorld, state: State, symbol: str) -> Iterator[Unit]:
    for unit in state.units_in_order():
        kind = world.kind_of(unit.spec)
        if unit.place.kind == DEAD and unit.spec.nation == SOVIET_UNION and kind and kind.symbol == symbol:
            yield unit


def symbol_of(world: EasternWorld, unit: Unit) -> str:
    """The replacement symbol that stands for a unit; composite units have none."""
    kind = world.kind_of(unit.spec)
    return kind.symbol if kind else ""


# -------------------------------------------------------------------------------------------- taking them


@rule("EF.replacements/4")
def is_there_to_be_taken(q: Order) -> Verdict:
    """The unit of a symbol is a Soviet counter from the dead pile."""
    places = (DEAD, UNUSED) if q.switch(TAKEN_FROM.key) == "any-unused" else (DEAD,)
    if q.unit.spec.nation == SOVIET_UNION and q.unit.place.kind in places and not is_factory(q.unit):
        return YES
    return no(
        f"{q.unit.id} is in the {q.world.show_place(q.unit.place)}, and a symbol brings back a dead Soviet unit",
        remedy="choose a unit from the dead pile",
    )


@rule("EF.replacements/2")
def a_symbol_is_shown(q: Order) -> Verdict:
    """A turn without a symbol gives no Siberian replacement."""
    if any(q.state.balance(SYMBOLS, SOVIET_UNION, kind) > 0 for kind in q.world.profile.points):
        return YES
    return no("the turn track shows no Siberian symbol that is left", remedy="wait for a turn that shows one")


@rule("EF.replacements/4")
def symbol_is_of_its_type(q: Order) -> Verdict:
    """Each symbol is one unit of its own type."""
    symbol = symbol_of(q.world, q.unit)
    have, need = q.state.balance(SYMBOLS, SOVIET_UNION, symbol), q.world.numbers["symbol_worth"]
    if symbol and have >= need:
        return YES
    return no(
        f"there is no {symbol or 'such'} symbol for {q.unit.id}",
        remedy="choose a unit of a type shown",
        have=have,
        need=need,
    )


@rule("EF.replacements/5")
def is_taken_when_due(q: Order) -> Verdict:
    """A symbol is good in the turn it appears, and then lapses."""
    symbol = symbol_of(q.world, q.unit)
    lapsed = q.state.balance(LOST, SOVIET_UNION, symbol)
    if lapsed > 0 and q.state.balance(SYMBOLS, SOVIET_UNION, symbol) <= 0:
        return no(
            f"the {symbol} symbol of an earlier turn was not taken then and has lapsed", remedy="wait for the next"
        )
    return YES


class TakeSiberian(Command, tag="take-siberian", frozen=True):
    """Take a dead unit for a Siberian symbol of this turn; it waits in Siberia until it enters."""

    unit: str

    question = Order
    needs = (is_there_to_be_taken,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.replacements/5"),
        a_symbol_is_shown,
        symbol_is_of_its_type,
        is_taken_when_due,
        *MAY_RETURN,
    )

    def effects(self, q: Order) -> Iterator[Event]:
        unit, on = q.unit, unit_key(q.unit.id)
        yield Transferred(
            amount=q.world.numbers["symbol_worth"],
            kind=symbol_of(q.world, unit),
            nation=SOVIET_UNION,
            frm=SYMBOLS,
            to=SPENT,
            because="EF.replacements/4",
            says=unit.id,
        )
        yield Moved(unit=unit.id, frm=unit.place, to=IN_SIBERIA, because="EF.replacements/5 EF.replacements/7")
        yield Marked(on=on, mark=HELD_SINCE, value=q.turn, because="EF.replacements/7")
        yield Marked(on=on, mark=DISPERSED, value=True, because="EF.replacements/9")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        if unit.place.kind == DEAD and unit.spec.nation == SOVIET_UNION and symbol_of(world, unit):
            yield cls(unit=unit.id)


# ------------------------------------------------------------------------------------- coming onto the map


class Arriving(Order):
    """A unit in Siberia about to come onto the map."""

    command: "EnterFromSiberia"

    @property
    def line(self) -> str:
        return self.world.subject("line", self.command.line)

    @property
    def first(self) -> str:
        return self.world.lines[self.line].first_point

    @property
    def to(self) -> str:
        return self.world.hex_name(self.command.to) if self.command.to else self.first

    @property
    def operational(self) -> bool:
        return self.command.how == OPERATIONAL


@rule("EF.replacements/7")
def waits_in_siberia(q: Arriving) -> Verdict:
    """Only a unit that is held in Siberia enters from there."""
    if q.unit.place.kind == SIBERIA and not is_factory(q.unit):
        return YES
    return no(f"{q.unit.id} is not a unit held in Siberia", remedy="factories are moved with move-factory")


@rule("EF.replacements/12", "EF.replacements/8")
def enters_in_its_phase(q: Arriving) -> Verdict:
    """Strategic entry belongs to strategic movement, operational entry to operational movement."""
    phase, clause = (
        (OPERATIONAL_PHASE, "EF.replacements/8") if q.operational else (STRATEGIC_PHASE, "EF.replacements/12")
    )
    if q.world.phasing(q.state) == SOVIET and q.world.phase(q.state) == phase:
        return YES
    return no(f"{q.command.how} entry is made in the Soviet {phase} phase", remedy="go on to that phase", clause=clause)


def siberian_edges(world: EasternWorld, state: State) -> tuple[str, ...]:
    """The edges of the map that Siberia lies behind, as the group plays it."""
    edges = world.profile.siberian_edges
    wide = state.switches.get(SIBERIAN_EDGES.key) == "east-and-southeast"
    return world.profile.nations[SOVIET_UNION].entry.edges if wide else edges


@rule("EF.replacements/6")
def by_an_eastern_line(q: Arriving) -> Verdict:
    """Siberian units come in along any line from the eastern edge that the Axis does not bar."""
    edges = siberian_edges(q.world, q.state)
    edge = q.world.lines[q.line].edge
    if edge not in edges:
        where = f"from the {edge} edge" if edge else "between points"
        return no(f"{q.line} leads {where}, not from the {' or '.join(edges)}", remedy="name an eastern line")
    if not q.facts.line_open(SOVIET, q.line):
        return no(
            f"{q.line} is not open: {q.first} is not Soviet, or the line is blocked",
            remedy="use another, or hold the unit",
        )
    way = q.facts.route(SOVIET, q.first, frozenset((q.to,)), lambda kind: kind.by == LAND)
    if way is None or q.facts.control(q.to) != SOVIET:
        return no(f"there is no open way from {q.first} to {q.to}", remedy=f"stop at {q.first}")
    return YES


@rule("EF.replacements/8")
def held_long_enough(q: Arriving) -> Verdict:
    """After a turn off the board a unit may enter operationally, and undispersed."""
    if not q.operational:
        return YES
    wait = q.world.number("turns_held") + (1 if q.switch(HELD.key) == "whole-turn" else 0)
    since = q.facts.turn_of(q.unit, HELD_SINCE)
    have = Fraction(q.turn - since) if since is not None else Fraction(wait)
    if have >= wait:
        return yes("EF.replacements/8")
    return no(
        f"{q.unit.id} was taken in {q.world.turn_name(since or 0)}",
        remedy="enter strategically, or hold it another turn",
        have=have,
        need=Fraction(wait),
    )


@rule("EF.replacements/12", "EF.replacements/13", "EF.strategic/4")
def capacity_for_entry(q: Arriving) -> Verdict:
    """A strategic entry takes one of the Soviet allowance; an operational one takes none."""
    if q.operational:
        return yes("EF.replacements/13")
    have, need = moves_left(q.world, q.state, SOVIET), q.world.numbers["move_cost"]
    if have >= need:
        return YES
    return no(
        f"no strategic movement is left for {q.unit.id}",
        remedy="hold it, and let it enter operationally next turn",
        have=have,
        need=need,
        also=("EF.strategic/4",),
    )


class EnterFromSiberia(Command, tag="enter-from-siberia", frozen=True):
    """Bring a unit held in Siberia onto the map along a line from the eastern edge."""

    unit: str
    line: str
    """The line it comes in on."""
    to: str = ""
    """The point it goes to; the first point of the line unless another is named."""
    how: str = STRATEGIC
    """strategic or operational."""

    question = Arriving
    needs = (waits_in_siberia,)
    requires = (enters_in_its_phase, by_an_eastern_line, held_long_enough, capacity_for_entry)

    def effects(self, q: Arriving) -> Iterator[Event]:
        unit, on = q.unit, unit_key(q.unit.id)
        if q.operational:
            yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.to), because="EF.replacements/8 EF.replacements/13")
            if q.facts.dispersed(unit):
                yield Marked(on=on, mark=DISPERSED, because="EF.replacements/8", says="it enters undispersed")
        else:
            because = "EF.replacements/12 EF.strategic/4"
            yield uses_capacity(q.world, SOVIET, q.world.numbers["move_cost"], because, unit.id)
            yield Moved(unit=unit.id, frm=unit.place, to=at_hex(q.to), because="EF.replacements/6 EF.replacements/12")
            yield Marked(on=on, mark=DISPERSED, value=True, because="EF.replacements/9")
            yield Marked(on=on, mark=ARRIVED_AS, value=REPLACEMENT, because="EF.replacements/9")
            yield Marked(on=on, mark=STRATEGIC_BY, value=LAND, because="EF.strategic/1")
        yield Marked(on=on, mark=HELD_SINCE, because="EF.replacements/7", says="it is no longer held")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:  # type: ignore[override]
        if unit.place.kind == SIBERIA and not is_factory(unit):
            edges = siberian_edges(world, state)
            for line in sorted(name for name, each in world.lines.items() if each.edge in edges):
                for how in (STRATEGIC, OPERATIONAL):
                    yield cls(unit=unit.id, line=line, how=how)


# --------------------------------------------------------------------------------------------- the checklist


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The symbols that lapse with the phase, and the units that wait in Siberia."""
    urgency = OPEN if state.switches.get(NOT_TAKEN.key) == "saved" else LAPSES
    if _at_the_end(world, state):
        for kind in world.profile.points:
            left = state.balance(SYMBOLS, SOVIET_UNION, kind)
            if left > 0:
                orders = (TakeSiberian(unit=unit.id) for unit in _dead_of(world, state, kind))
                order = next((each for each in orders if choice(world, state, each).open), None)
                yield Item(urgency, f"{left} Siberian {kind} symbol to be taken", "EF.replacements/5", SOVIET, order)
    if world.phasing(state) == SOVIET:
        for unit in held_in_siberia(state):
            yield Item(OPEN, f"{unit.id} is held in Siberia and may enter", "EF.replacements/7", SOVIET)


@computed("EF.replacements/7")
def held_in_siberia(state: State) -> list[Unit]:
    """The units held off the board, for as long as the Soviet player likes."""
    return [unit for unit in state.units_in_order() if unit.place.kind == SIBERIA and not is_factory(unit)]


CHAPTER = Chapter(
    heading="EF.replacements (Siberia)",
    commands=(TakeSiberian, EnterFromSiberia),
    switches=(NOT_TAKEN, TAKEN_FROM, SIBERIAN_EDGES, HELD),
    opening=(symbols_appear,),
    happens=(symbols_appear,),
    ends=(symbols_lapse,),
    agenda=(todo,),
    habits={
        "take-siberian": Habit((REPLACEMENT_PHASE,), 4),
        "enter-from-siberia": Habit((STRATEGIC_PHASE, OPERATIONAL_PHASE), 4),
    },
)
