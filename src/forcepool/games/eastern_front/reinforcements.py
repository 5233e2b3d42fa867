"""EF.reinforcements/1 to /4 and /19 to /23: reinforcements, the Siberian Reserves and the 1st Polish Army."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import DUE, NEWS, OPEN, Item
from forcepool.engine.chapter import Chapter
from forcepool.engine.command import Command
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Marked, Moved, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.game import Habit
from forcepool.engine.given import UnitName
from forcepool.engine.ledger import SPENT
from forcepool.engine.options import choice
from forcepool.engine.places import HEX
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.eastern_front.chapter import REPLACEMENT_PHASE, Order, by_orders, only_in, wait_for
from forcepool.games.eastern_front.entry import Entering, at_its_entry_point, entries_of
from forcepool.games.eastern_front.facts import ARRIVED_AS, AT_WAR, DISPERSED, ENTRY_LOST, REINFORCEMENT, WAR
from forcepool.games.eastern_front.given import Doorway
from forcepool.games.eastern_front.irreplaceable import MAY_RETURN, POLISH, gone_for_good
from forcepool.games.eastern_front.replacements import ReplaceOnMap
from forcepool.games.eastern_front.reserves import can_be_drawn, reserves_to_draw, was_dead_before
from forcepool.games.eastern_front.siberia import TakeSiberian
from forcepool.games.eastern_front.world import (
    COMING,
    DEAD,
    RESERVES,
    SOVIET,
    SOVIET_UNION,
    EasternWorld,
    is_factory,
    on_the_map,
)
from forcepool.games.eastern_front.worth import symbol_of

CALLED_UP = "source/siberian-reserves"

PRECEDENCE = switch(
    "owed-reserves",
    "EF.reinforcements/21",
    "whether Siberian Reserves still owed come before replacement symbols that want the same dead units",
    first="they are drawn first",
    choice="the Soviet player chooses",
)
POLES = switch(
    "polish-army",
    "EF.reinforcements/22",
    "whether the 1st Polish Army may be put off",
    june_1944="it is placed in June 1944 unless no entry point is open",
    at_will="it may be delayed at will",
)


class Reinforcing(Entering):
    """A reinforcement about to come onto the map."""

    came_as = REINFORCEMENT


def _enters(q: Entering, because: str) -> Iterator[Event]:
    on = unit_key(q.unit.id)
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=q.place, because=because)
    if q.facts.dispersed(q.unit):
        yield Marked(on=on, mark=DISPERSED, because="EF.reinforcements/1", says="it enters undispersed")
    yield Marked(on=on, mark=ARRIVED_AS, value=REINFORCEMENT, because="EF.reinforcements/1")


# ------------------------------------------------------------------------------ reinforcements by the order of battle


@rule("EF.reinforcements/4")
def is_not_in_play_yet(q: Reinforcing) -> Verdict:
    """A reinforcement is a unit that is not on the map."""
    if on_the_map(q.unit) or is_factory(q.unit):
        return no(f"{q.unit} is no reinforcement: it is in play")
    return YES


@rule("EF.reinforcements/4")
def waits_to_come(q: Reinforcing) -> Verdict:
    """Reinforcements are those the order of battle still has coming, not dead units or spare counters."""
    if q.unit.place.kind == COMING or (POLISH in q.unit.spec.traits and q.unit.place.kind != DEAD):
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}, and is not still to come")


@rule("EF.reinforcements/4", "EF.reinforcements/22")
def is_due(q: Reinforcing) -> Verdict:
    """Any number of reinforcements may enter, once they are due."""
    polish = POLISH in q.unit.spec.traits
    due = q.world.dates["polish_army"] if polish else q.unit.place.due
    if q.turn >= due:
        return YES
    return no(
        f"{q.unit} is due in {q.world.turn_name(due)}",
        have=Fraction(q.turn - q.world.setting.start),
        need=Fraction(due - q.world.setting.start),
        clause="EF.reinforcements/22" if polish else "",
        **wait_for(q.world, due, q.side),
    )


@rule("EF.reinforcements/19")
def is_a_soviet_reinforcement(q: Reinforcing) -> Verdict:
    """The Soviets have the Siberian Reserves and the 1st Polish Army for reinforcements, and no others."""
    if q.unit.spec.nation != SOVIET_UNION or POLISH in q.unit.spec.traits:
        return YES
    return no(
        f"{q.unit} is not of the 1st Polish Army, and comes back for the Siberian Reserves or as a replacement",
    )


@rule("EF.reinforcements/23")
def has_not_been_lost(q: Reinforcing) -> Verdict:
    """The 1st Polish Army does not come back as a reinforcement either."""
    if q.unit.place.kind == DEAD and gone_for_good(q.world, q.state, q.unit, POLISH):
        return no(
            f"{q.unit} has been lost and is irreplaceable",
            also=("EF.replacements/16",),
        )
    return YES


class PlaceReinforcement(Command, tag="place-reinforcement", frozen=True):
    """Put a reinforcement that is due on the map at an entry point of its nation, undispersed."""

    unit: UnitName
    at: Doorway
    """The point it appears at, or the line it comes in on."""

    question = Reinforcing
    needs = (is_not_in_play_yet,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.reinforcements/1"),
        is_a_soviet_reinforcement,
        has_not_been_lost,
        waits_to_come,
        is_due,
        at_its_entry_point,
    )

    def effects(self, q: Reinforcing) -> Iterator[Event]:
        polish = POLISH in q.unit.spec.traits
        yield from _enters(q, "EF.reinforcements/22" if polish else "EF.reinforcements/4")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        poles = POLISH in unit.spec.traits and unit.place.kind not in (HEX, DEAD)
        if unit.place.kind == COMING or poles:
            for at in entries_of(world, state, unit.spec.nation):
                yield cls(unit=unit.id, at=at)


# ----------------------------------------------------------------------------------------- the Siberian Reserves


def reserves_called_up(world: EasternWorld, state: State) -> Iterator[Event]:
    """The Siberian Reserves of the turn, by type and number."""
    if world.phasing(state) != SOVIET or state.clock.phase:
        return
    for kind, number in sorted(world.reserves.get(state.clock.turn, {}).items()):
        yield Transferred(
            amount=number, kind=kind, nation=SOVIET_UNION, frm=CALLED_UP, to=RESERVES, because="EF.reinforcements/20"
        )


@rule("EF.reinforcements/20")
def comes_from_the_dead_pile(q: Reinforcing) -> Verdict:
    """The Siberian Reserves are made up of dead Soviet units."""
    if q.unit.place.kind == DEAD and q.unit.spec.nation == SOVIET_UNION and not is_factory(q.unit):
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}")


@rule("EF.reinforcements/20", "EF.reinforcements/21")
def is_called_for(q: Reinforcing) -> Verdict:
    """As many units of a type enter as the Siberian Reserves call for, at once or later."""
    symbol = symbol_of(q.world, q.unit)
    have, need = q.state.balance(RESERVES, SOVIET_UNION, symbol), q.world.numbers["symbol_worth"]
    if symbol and have >= need:
        return YES
    return no(
        f"the Siberian Reserves call for no {symbol or 'such'} unit",
        have=have,
        need=need,
    )


@rule("EF.reinforcements/21")
def was_dead_in_time(q: Reinforcing) -> Verdict:
    """A unit that dies in the Soviet turn, or is used up in it, is called for in the next phase."""
    if q.world.phasing(q.state) != SOVIET or q.unit.place.kind != DEAD or was_dead_before(q.state, q.unit):
        return YES
    return no(f"{q.unit} is among the dead only since this turn", **wait_for(q.world, q.turn + 1, SOVIET))


class DrawReserve(Command, tag="draw-reserve", frozen=True):
    """Take a dead unit for the Siberian Reserves and place it at a Soviet entry point, undispersed."""

    unit: UnitName
    at: Doorway
    """The point it appears at, or the line it comes in on."""

    question = Reinforcing
    needs = (comes_from_the_dead_pile,)
    requires = (
        only_in(REPLACEMENT_PHASE, "EF.reinforcements/1"),
        is_called_for,
        was_dead_in_time,
        has_not_been_lost,
        *MAY_RETURN,
        at_its_entry_point,
    )

    def effects(self, q: Reinforcing) -> Iterator[Event]:
        yield Transferred(
            amount=q.world.numbers["symbol_worth"],
            kind=symbol_of(q.world, q.unit),
            nation=SOVIET_UNION,
            frm=RESERVES,
            to=SPENT,
            because="EF.reinforcements/20",
            says=q.unit.id,
        )
        yield from _enters(q, "EF.reinforcements/20 EF.reinforcements/21")

    @classmethod
    def offers(cls, world: EasternWorld, state: State, unit: Unit) -> Iterator[Command]:
        if can_be_drawn(world, state, unit) and symbol_of(world, unit):
            for at in entries_of(world, state, SOVIET_UNION):
                yield cls(unit=unit.id, at=at)


@rule("EF.reinforcements/21")
def owed_reserves_come_first(q: Order) -> Verdict:
    """A dead unit that the Siberian Reserves are still owed is taken for no symbol and no replacement."""
    if q.switch(PRECEDENCE.key) == "choice" or q.unit.spec.nation != SOVIET_UNION:
        return YES
    symbol = symbol_of(q.world, q.unit)
    owed = q.state.balance(RESERVES, SOVIET_UNION, symbol) if symbol else Fraction(0)
    dead = [unit for unit in q.state.units.values() if can_be_drawn(q.world, q.state, unit)]
    wanted = [unit for unit in dead if symbol_of(q.world, unit) == symbol]
    if was_dead_before(q.state, q.unit):
        # One that dies only now does not stand in for one that can be drawn at once.
        wanted = [unit for unit in wanted if was_dead_before(q.state, unit)]
    if owed <= 0 or len(wanted) > owed / q.world.numbers["symbol_worth"]:
        return YES
    return no(f"the Siberian Reserves are owed {show_points(owed)} {symbol}, and {len(wanted)} of them are dead")


# --------------------------------------------------------------------------------------- what must be done in time


def _leaving_the_soviet_phase(q: Order) -> bool:
    return q.world.phasing(q.state) == SOVIET and q.world.phase(q.state) == REPLACEMENT_PHASE


@rule("EF.reinforcements/21")
def reserves_have_been_drawn(q: Order) -> Verdict:
    """Those reserves that can be met enter at once."""
    if not _leaving_the_soviet_phase(q):
        return YES
    waiting, at = reserves_to_draw(q.world, q.state), next(entries_of(q.world, q.state, SOVIET_UNION), "")
    if waiting and at:
        names = ", ".join(map(format, waiting))
        remedy = by_orders("draw-reserve places them", (DrawReserve(unit=unit.id, at=at) for unit in waiting))
        return no(f"the Siberian Reserves are still to be drawn: {names}", **remedy)
    return YES


def waiting_poles(world: EasternWorld, state: State) -> list[Unit]:
    """The units of the 1st Polish Army that are due and not yet placed."""
    if state.clock.turn < world.dates["polish_army"]:
        return []
    return [unit for unit in state.units_in_order() if POLISH in unit.spec.traits and unit.place.kind == COMING]


@rule("EF.reinforcements/22")
def poles_have_been_placed(q: Order) -> Verdict:
    """The 1st Polish Army is placed in June 1944 if an entry point is open."""
    if not _leaving_the_soviet_phase(q) or q.switch(POLES.key) == "at-will":
        return YES
    waiting, at = waiting_poles(q.world, q.state), next(entries_of(q.world, q.state, SOVIET_UNION), "")
    if waiting and at:
        orders = (PlaceReinforcement(unit=unit.id, at=at) for unit in waiting)
        return no(f"{waiting[0]} is to be placed now", **by_orders("place-reinforcement places it", orders))
    return YES


def todo(world: EasternWorld, state: State) -> Iterator[Item]:
    """Reinforcements that are due, reserves to be drawn, and the Poles."""
    if world.phase(state) != REPLACEMENT_PHASE:
        return
    side = world.phasing(state)
    if side == SOVIET:
        at = next(entries_of(world, state, SOVIET_UNION), "")
        for unit in reserves_to_draw(world, state):
            order = DrawReserve(unit=unit.id, at=at) if at else None
            yield Item(DUE, f"{unit} is drawn for the Siberian Reserves", "EF.reinforcements/21", side, order)
    for unit in state.units_in_order():
        if unit.place.kind != COMING or world.side_now(state, unit.spec.nation) != side:
            continue
        if unit.place.due <= state.clock.turn:
            yield from _arrival(world, state, unit, side)


def _arrival(world: EasternWorld, state: State, unit: Unit, side: str) -> Iterator[Item]:
    poles = POLISH in unit.spec.traits
    kind = OPEN if poles and world.ruling(state, POLES.key) == "at-will" else DUE
    clause = "EF.reinforcements/22" if poles else "EF.reinforcements/4"
    text = f"{unit} is due as a reinforcement"
    for order in PlaceReinforcement.offers(world, state, unit):
        if choice(world, state, order).open:
            yield Item(kind, text, clause, side, order)
            return
    if _still_comes(world, state, unit.spec.nation):
        yield Item(NEWS, f"{text}, and waits: no entry point is open to it", clause, side)


def _still_comes(world: EasternWorld, state: State, nation: str) -> bool:
    """Whether the reinforcements of a nation appear at all once a point is open to them."""
    facts = world.facts(state)
    return facts.of_nation(nation, ENTRY_LOST) is not True and facts.of_nation(nation, WAR) == AT_WAR


CHAPTER = Chapter(
    heading="EF.reinforcements",
    commands=(PlaceReinforcement, DrawReserve),
    transfers={(CALLED_UP, RESERVES): "Siberian Reserves to be drawn"},
    guards={
        ReplaceOnMap: (owed_reserves_come_first,),
        TakeSiberian: (owed_reserves_come_first,),
        Advance: (reserves_have_been_drawn, poles_have_been_placed),
    },
    switches=(PRECEDENCE, POLES),
    opening=(reserves_called_up,),
    happens=(reserves_called_up,),
    due=(todo,),
    habits={"place-reinforcement": Habit((REPLACEMENT_PHASE,), 6), "draw-reserve": Habit((REPLACEMENT_PHASE,), 6)},
)
