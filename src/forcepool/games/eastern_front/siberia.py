"""EF.replacements/1 to /5: the Siberian symbols of the turn track, and the units taken for them."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from math import ceil

from forcepool.engine.agenda import LAPSES, OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import UnitName, units_of
from forcepool.engine.ledger import LOST, SPENT
from forcepool.engine.options import choice
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Order, Remedy, only_in, wait_for
from forcepool.games.eastern_front.facts import DISPERSED, HELD_SINCE
from forcepool.games.eastern_front.irreplaceable import LOST_BY, MAY_RETURN, never_comes_back
from forcepool.games.eastern_front.reserves import reserves_to_draw
from forcepool.games.eastern_front.world import (
    DEAD,
    IN_SIBERIA,
    SOVIET,
    SOVIET_UNION,
    SYMBOLS,
    UNUSED,
    EasternWorld,
    is_factory,
)
from forcepool.games.eastern_front.worth import best_first, symbol_of
from forcepool.rulebook.citations import computed

SIBERIAN_WORKS = "source/siberian-works"

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

# ------------------------------------------------------------------------------------------- the symbols


def symbols_appear(world: EasternWorld, state: State) -> Iterator[Event]:
    """Each symbol of the turn pays out, whatever has become of the factories on the map."""
    if world.phasing(state) != SOVIET or state.clock.phase:
        return
    yield from _written_off(world, state)
    for kind, number in symbols_of(world, state.clock.turn):
        yield Transferred(
            amount=number * world.numbers["symbol_worth"],
            kind=kind,
            nation=SOVIET_UNION,
            frm=SIBERIAN_WORKS,
            to=SYMBOLS,
            because="EF.replacements/1 EF.replacements/2 EF.replacements/3 EF.replacements/4",
        )


@computed("EF.replacements/3")
def _written_off(world: EasternWorld, state: State) -> Iterator[Event]:
    """What was taken by agreement without a symbol takes nothing from later ones, unless the group saves them."""
    saved = world.ruling(state, NOT_TAKEN.key) == "saved"
    for kind in () if saved else world.profile.points:
        missing = -state.balance(SYMBOLS, SOVIET_UNION, kind)
        if missing > 0:
            yield Transferred(
                amount=missing, kind=kind, nation=SOVIET_UNION, frm=LOST, to=SYMBOLS, because="EF.replacements/3"
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
    played = world.ruling(state, NOT_TAKEN.key)
    if played == "saved":
        return []
    found: list[Event] = []
    for kind in world.profile.points:
        left = state.balance(SYMBOLS, SOVIET_UNION, kind)
        if played == "owed":
            left = min(left, Fraction(len(list(_takeable(world, state, kind)))))
        if left > 0:
            found.append(
                Transferred(
                    amount=left, kind=kind, nation=SOVIET_UNION, frm=SYMBOLS, to=LOST, because="EF.replacements/5"
                )
            )
    return found


def _takeable(world: EasternWorld, state: State, symbol: str) -> Iterator[Command]:
    """The orders by which a symbol of this type could be met now, for the unit one would take first.

    Those that the Siberian Reserves draw now come last.
    """
    of_type, drawn = [unit for unit in state.units.values() if symbol_of(world, unit) == symbol], _drawn(world, state)
    for unit in sorted(best_first(of_type), key=lambda each: each.id in drawn):
        for order in TakeSiberian.offers(world, state, unit):
            if choice(world, state, order).open:
                yield order


def _drawn(world: EasternWorld, state: State) -> set[str]:
    return {unit.id for unit in reserves_to_draw(world, state)}


def left_to_symbols(world: EasternWorld, state: State) -> set[str]:
    """The dead units that the symbols still to be taken would bring back, one for each symbol."""
    worth = world.numbers["symbol_worth"]
    found: set[str] = set()
    for kind in world.profile.points if _at_the_end(world, state) else ():
        symbols = ceil(state.balance(SYMBOLS, SOVIET_UNION, kind) / worth)
        names = (name for order in _takeable(world, state, kind) for name in units_of(order))
        found.update(islice(names, max(0, symbols)))
    return found


# -------------------------------------------------------------------------------------------- taking them


def sources_of_units(world: EasternWorld, state: State) -> tuple[str, ...]:
    """Where the unit of a symbol may come from, as the group plays it."""
    return (DEAD, UNUSED) if world.ruling(state, TAKEN_FROM.key) == "any-unused" else (DEAD,)


@rule("EF.replacements/4")
def is_there_to_be_taken(q: Order) -> Verdict:
    """The unit of a symbol is a Soviet counter from the dead pile."""
    if (
        q.unit.spec.nation == SOVIET_UNION
        and q.unit.place.kind in sources_of_units(q.world, q.state)
        and not is_factory(q.unit)
    ):
        return YES
    return no(
        f"{q.unit} is {q.world.where(q.unit.place)}, and a symbol brings back a dead Soviet unit",
    )


@rule("EF.replacements/2")
def a_symbol_is_shown(q: Order) -> Verdict:
    """A turn without a symbol gives no Siberian replacement."""
    if any(q.state.balance(SYMBOLS, SOVIET_UNION, kind) > 0 for kind in q.world.profile.points):
        return YES
    return no("the turn track shows no Siberian symbol that is left", **next_symbol(q, q.turn))


def next_symbol(q: Order, turn: int) -> Remedy:
    """The remedy of waiting for the next turn that shows a symbol, if one does; nothing helps a unit lost for good."""
    if never_comes_back(q.world, q.state, q.unit):
        return {}
    symbol = symbol_of(q.world, q.unit)
    to_come = [each for each, shown in q.world.track.items() if each > turn and shown.get(symbol)]
    return wait_for(q.world, min(to_come), SOVIET) if to_come else {}


@rule("EF.replacements/4")
def symbol_is_of_its_type(q: Order) -> Verdict:
    """Each symbol is one unit of its own type."""
    symbol = symbol_of(q.world, q.unit)
    if not symbol:
        return no(f"there are no symbols for a unit of the type of {q.unit}")
    have, need = q.state.balance(SYMBOLS, SOVIET_UNION, symbol), q.world.numbers["symbol_worth"]
    if have >= need:
        return YES
    return no(
        f"there is no {symbol} symbol for {q.unit}",
        have=have,
        need=need,
        **next_symbol(q, q.turn),
    )


@rule("EF.replacements/5")
def is_taken_when_due(q: Order) -> Verdict:
    """A symbol is good in the turn it appears, and then lapses."""
    symbol = symbol_of(q.world, q.unit)
    lapsed = q.state.balance(LOST, SOVIET_UNION, symbol)
    if lapsed > 0 and q.state.balance(SYMBOLS, SOVIET_UNION, symbol) <= 0:
        return no(
            f"the {symbol} symbol of an earlier turn was not taken then and has lapsed",
            **next_symbol(q, q.turn),
        )
    return YES


def _next_symbol_of(q: Order) -> Remedy:
    """The next phase in which a symbol for the unit comes up: of this turn while the Axis plays it, else later."""
    begun = q.world.phasing(q.state) == SOVIET
    return next_symbol(q, q.turn if begun else q.turn - 1)


class TakeSiberian(Command, tag="take-siberian", frozen=True):
    """Take a dead unit for a Siberian symbol of this turn; it waits in Siberia until it enters."""

    unit: UnitName

    question = Order
    needs = (is_there_to_be_taken,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.replacements/5", later=_next_symbol_of),
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
        if q.state.mark(on, LOST_BY) is not None:
            yield Marked(on=on, mark=LOST_BY, because="EF.replacements/5")
        yield Marked(on=on, mark=HELD_SINCE, value=q.turn, because="EF.replacements/7")
        yield Marked(on=on, mark=DISPERSED, value=True, because="EF.replacements/9")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        soviet = unit.spec.nation == SOVIET_UNION and unit.place.kind in sources_of_units(world, state)
        if soviet and symbol_of(world, unit):
            yield cls(unit=unit.id)


# --------------------------------------------------------------------------------------------- the checklist


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """The symbols that lapse with the phase."""
    urgency = OPEN if world.ruling(state, NOT_TAKEN.key) == "saved" else LAPSES
    if _at_the_end(world, state):
        for kind in world.profile.points:
            left = state.balance(SYMBOLS, SOVIET_UNION, kind)
            if left > 0:
                order = next(_takeable(world, state, kind), None)
                text = f"{show_points(left)} Siberian {kind} symbol{'' if left == 1 else 's'} to be taken"
                yield Item(urgency, text, "EF.replacements/5", SOVIET, order)


CHAPTER = Chapter(
    heading="EF.replacements (Siberia)",
    commands=(TakeSiberian,),
    transfers={
        (SIBERIAN_WORKS, SYMBOLS): "Siberian symbols to be taken",
        (SYMBOLS, SPENT): "Siberian symbol taken",
        (SYMBOLS, LOST): "Siberian symbols not taken",
        (LOST, SYMBOLS): "taken by agreement without a Siberian symbol",
    },
    switches=(NOT_TAKEN, TAKEN_FROM),
    opening=(symbols_appear,),
    happens=(symbols_appear,),
    ends=(symbols_lapse,),
    agenda=(todo,),
    habits={"take-siberian": Habit((REPLACEMENT_PHASE,), 4, planned=True)},
)
