"""28.E, 28.F and 28.G  Units leave play: conversions, withdrawals in their order, and transfers to other commands."""

from collections.abc import Iterator
from itertools import islice

from forcepool.engine.agenda import DUE, NEWS, Item
from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event, Marked, Moved, Raised
from forcepool.engine.facts import place_key, unit_key
from forcepool.engine.given import UnitName
from forcepool.engine.places import HEX, OUT_OF_PLAY, Place
from forcepool.engine.points import show_counted
from forcepool.engine.sentence import the_unit, the_units
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import find_unit
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.arps import due
from forcepool.games.europa.air.dues import due_withdrawals, inline, pool_billed, price_of
from forcepool.games.europa.air.exchange import VACATED, left_by
from forcepool.games.europa.air.orders import (
    CONVERT,
    ORDER,
    TRANSFER,
    WITHDRAW,
    Listed,
    candidates,
    counter,
    done_for,
    fits,
    has_lines,
    ignored_transfer,
    left,
    line_for,
    names,
    open_lines,
    standing,
)
from forcepool.games.europa.air.prices import Bill
from forcepool.games.europa.air.question import (
    ABORTED,
    OPERATIVE,
    WITHDRAWN,
    Air,
    air_units,
    capacity,
    chart_of,
    is_air,
    is_airbase,
    is_an_air_unit,
    without_status,
)
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.placing import AIR_STATUS
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.reinforcements.by_the_air_ob import goes_by_rule_28
from forcepool.games.europa.reinforcements.converting import Convert
from forcepool.games.europa.reinforcements.entries import find_entry, marked
from forcepool.games.europa.reinforcements.falling_due import WITHDRAWN as MAY_RETURN
from forcepool.games.europa.reinforcements.withdrawing import Withdraw
from forcepool.games.europa.replacements.general.boxes import WithdrawFromPool
from forcepool.games.europa.replacements.general.unit_transfers import TransferUnit
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

# ---------------------------------------------------------------------------------------------- conversions


class Leaving(Air):
    """An air unit and the line of the Air OB that it answers to."""

    does: tuple[str, ...] = (WITHDRAW, TRANSFER)

    @lazy
    def line(self) -> Listed | None:
        return line_for(self.world, self.state, self.unit, *self.does)


class Converting(Leaving):
    does = (CONVERT,)


@rule("28.E/1")
def ob_lists_a_conversion(q: Converting) -> Verdict:
    """Only what the OB converts is converted."""
    if q.line is not None:
        return YES
    return no(f"no line of the Air OB converts {q.unit}", remedy="it stays as it is")


@rule("28.E/2")
def conversion_is_due(q: Converting) -> Verdict:
    """Not before the turn the OB specifies."""
    if q.line is None or q.line.turn <= q.state.clock.turn:
        return YES
    return no(f"{q.unit} converts on {q.world.turn_name(q.line.turn)}", remedy="wait for that turn")


@computed("28.E/3")
def can_convert(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> bool:
    """At an unisolated airbase of capacity 1 or more."""
    side = world.side_now(facts.state, unit.spec.nation)
    if unit.place.kind != HEX or not is_airbase(facts, unit.place.of) or facts.is_cut_off(side, unit.place.of):
        return False
    return capacity(facts, unit.place.of) >= world.numbers["air_capacity"]


@rule("28.E/3")
def stands_where_it_can_convert(q: Converting) -> Verdict:
    """At an unisolated airbase of capacity 1 or more."""
    if can_convert(q.world, q.facts, q.unit):
        return YES
    where = q.world.said_place(q.unit.place)
    return no(f"{q.unit}, {where}, is at no unisolated airbase of capacity 1", remedy="it converts once it is")


class ConvertAir(Command, tag="convert-air", frozen=True):
    """Convert an air unit into the one the Air OB names; the new one is operative, the old one leaves play."""

    unit: UnitName

    question = Converting
    needs = (is_an_air_unit, ob_lists_a_conversion)
    requires = (cycle.in_own_reinforcement_phase(), conversion_is_due, stands_where_it_can_convert)

    def effects(self, q: Converting) -> Iterator[Event]:
        line, unit = q.line, q.unit
        assert line is not None
        spec = counter(line)
        (name,) = names(q.state, spec, 1)
        late = " 28.E/6" if line.turn < q.state.clock.turn else ""
        yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because=f"28.E/4 28.E/7{late}")
        yield from without_status(q.state, unit)
        yield Raised(unit=name, spec=spec, at=unit.place, because="28.E/4")
        yield Marked(on=unit_key(name), mark=AIR_STATUS, value=OPERATIVE, because="28.E/5")
        yield from done_for(q.state, line, "28.E/1 28.E/2")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if not has_lines(world, state) or not is_air(world, unit):
            return
        if any(fits(world, state, line, unit) for line in open_lines(world, state, CONVERT)):
            yield cls(unit=unit.id)


# ----------------------------------------------------------------------------------------------- withdrawals


@rule("28.F/1", "28.G.2/1", "28.G.1/1")
def ob_lists_a_withdrawal(q: Leaving) -> Verdict:
    """The OB requires a withdrawal, or a transfer to a command of another, that the unit fits."""
    if q.line is not None and q.line.turn <= q.state.clock.turn:
        return YES
    if (listed := ignored_transfer(q.world, q.state, q.unit)) is not None:
        return no(
            f"{q.side} controls both ends of the transfer of {_asked(listed)}, which is therefore ignored",
            remedy="it stays, or flies there as you wish (rebase-air)",
            clause="28.G.1/1",
            also=("28.F/1",),
        )
    return no(f"no line of the Air OB withdraws {q.unit} now", remedy="it stays")


@rule("28.F.3/1", "28.F.4/1", "28.F.5/1")
def none_goes_before_it(q: Leaving) -> Verdict:
    """First a unit in play, then an aborted one, then an eliminated one."""
    how = standing(q.world, q.state, q.unit)
    assert q.line is not None  # Or nothing is to be withdrawn.
    if how not in ORDER:
        return no(f"{q.unit} is {q.world.said_place(q.unit.place)}", remedy="withdraw one in play", clause="28.F/1")
    found = candidates(q.world, q.state, q.line)
    rank = ORDER.index(how)
    for better, clause in zip(ORDER[:rank], ("28.F.3/1", "28.F.4/1"), strict=False):
        if better in found:
            ids = tuple(unit.id for unit in found[better])
            return no(
                f"{the_units(ids)}: {better}, goes before {q.unit}, which is {how}",
                remedy=f"withdraw {the_unit(ids[0])}",
                clause=clause,
                units=ids,
            )
    return (YES, yes("28.F.4/1"), yes("28.F.5/1"))[rank]


@computed("28.F.4/2", "28.F.5/2")
def price(q: Leaving) -> Bill | None:
    """What repairing or replacing the withdrawn unit would have cost; nothing in play, nothing if it is paid for."""
    return price_of(q.world, q.unit, standing(q.world, q.state, q.unit))


class WithdrawAir(Command, tag="withdraw-air", frozen=True):
    """Withdraw an air unit as the Air OB requires: one in play, else an aborted, else an eliminated one."""

    harms = True

    unit: UnitName

    question = Leaving
    needs = (is_an_air_unit, ob_lists_a_withdrawal)
    requires = (cycle.in_own_reinforcement_phase(), none_goes_before_it)

    def effects(self, q: Leaving) -> Iterator[Event]:
        line, unit, bill = q.line, q.unit, price(q)
        assert line is not None
        transfer = " 28.G.2/1 28.G.2/2" if line.order.does == TRANSFER else ""
        pool = pool_billed(q.world, q.state, line, unit)
        yield from _goes(q, line, f"28.F/1{transfer}")
        yield from without_status(q.state, unit)
        if bill is not None:
            clause = "28.F.4/2" if standing(q.world, q.state, unit) == ABORTED else "28.F.5/2"
            yield from due(q.state, pool, q.nation, bill.arps, clause)
        if unit.place.kind == HEX:
            vacated = [*left_by(q.facts, unit.place.of), f"{q.nation}: {unit.spec.type}"]
            yield Marked(on=place_key(unit.place.of), mark=VACATED, value=vacated, because="28.C/6")
        yield from done_for(q.state, line, f"28.F/1{transfer}")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if not has_lines(world, state) or not is_air(world, unit):
            return
        if any(fits(world, state, line, unit) for line in due_withdrawals(world, state)):
            yield cls(unit=unit.id)


def _goes(q: Leaving, line: Listed, because: str) -> Iterator[Event]:
    """Onto the AIR CHART's withdrawn units; by a line in words out of play, where a line in words finds it again."""
    if line.words is None:
        chart = Place(WITHDRAWN, chart_of(q.world, q.area))
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=chart, because=because)
        return
    yield Moved(unit=q.unit.id, frm=q.unit.place, to=OUT_OF_PLAY, because=because, says=line.words[0].key)
    yield marked(q.unit.id, MAY_RETURN, value=True)


def due_conversions(world: EuropaWorld, state: State) -> Iterator[tuple[Listed, Unit]]:
    """The conversions the phasing side can and therefore must make, with a unit that can."""
    facts = world.facts(state)
    for line in open_lines(world, state, CONVERT):
        if not world.has_the_turn(state, world.side_now(state, line.nation)):
            continue
        able = (
            unit
            for unit in air_units(world, state)
            if fits(world, state, line, unit) and can_convert(world, facts, unit)
        )
        for unit in islice(able, left(state, line)):
            yield line, unit


# -------------------------------------------------------------------------------------- the phase cannot end


def _is_over(q: Question) -> bool:
    assert isinstance(q.world, EuropaWorld)
    return q.world.phase(q.state) != REINFORCEMENT or not has_lines(q.world, q.state)


@rule("28.E/2", "28.E/6")
def conversions_are_made(q: Question) -> Verdict:
    """A conversion that is possible is not put off."""
    if _is_over(q):
        return YES
    assert isinstance(q.world, EuropaWorld)
    found = next(due_conversions(q.world, q.state), None)
    if found is None:
        return YES
    line, unit = found
    late = ("28.E/6",) if line.turn < q.state.clock.turn else ()
    return no(f"{unit} must convert to {line.order.spec}", remedy="convert it (convert-air)", also=late)


@rule("28.F/1")
def withdrawals_are_made(q: Question) -> Verdict:
    """A withdrawal for which there is a unit is not put off."""
    if _is_over(q):
        return YES
    assert isinstance(q.world, EuropaWorld)
    for line in due_withdrawals(q.world, q.state):
        found = candidates(q.world, q.state, line)
        if first := next((found[how] for how in ORDER if how in found), None):
            return no(f"{_asked(line)} must be withdrawn", remedy=f"withdraw {first[0]} first")
    return YES


def _asked(line: Listed) -> str:
    return line.order.model or f"a type {line.order.type or 'any'} unit"


def duties(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The conversions and withdrawals of this reinforcement phase, and those that wait for a unit."""
    if world.phase(state) != REINFORCEMENT or not has_lines(world, state):
        return
    for line, unit in due_conversions(world, state):
        side = world.side_now(state, line.nation)
        yield Item(DUE, f"{unit} converts to {line.order.spec}", "28.E/2", side, ConvertAir(unit=unit.id))
    taken: set[str] = set()
    for line in due_withdrawals(world, state):
        yield from _withdrawals(world, state, line, taken)


def _withdrawals(world: EuropaWorld, state: State, line: Listed, taken: set[str]) -> Iterator[Item]:
    """An item for each unit a line still asks for, in the order they must go."""
    side, found = world.side_now(state, line.nation), inline(world, state, line, taken)
    wanted = left(state, line)
    for number, (how, unit) in enumerate(found[:wanted], 1):
        taken.add(unit.id)
        cost = price_of(world, unit, how)
        price = f", {show_counted(cost.arps, 'ARP')}" if cost else ""
        text = f"withdrawal {number} of {wanted}: {unit} ({how}{price})"
        # An aborted unit goes only when none is left in play, so its order is ready only then.
        yield Item(DUE, text, "28.F/1", side, WithdrawAir(unit=unit.id) if how == found[0][0] else None)
    if len(found) < wanted:
        yield Item(NEWS, f"{_asked(line)} is to be withdrawn once there is one", "28.F/1", side)


# ---------------------------------------------------------------------------------- not as ground troops go


@rule("28.G/1")
def air_units_change_theatres_by_the_ob(q: Question) -> Verdict:
    """Neither rail nor ship takes an air unit to another theatre's box or track; the Air OB lists its transfers."""
    assert isinstance(q.world, EuropaWorld)
    if not is_air(q.world, q.unit):
        return YES
    return no(f"{q.unit} is an air unit", remedy="rebuild it in its own theatre, then fly it elsewhere (rebase-air)")


@rule("28.F/1")
def air_units_are_withdrawn_by_the_air_ob(q: Question) -> Verdict:
    """No air unit leaves its box for good but as the Air OB requires."""
    assert isinstance(q.world, EuropaWorld)
    if not is_air(q.world, q.unit):
        return YES
    return no(f"{q.unit} is an air unit, and is withdrawn when the Air OB says so (withdraw-air)")


@computed("28.E/1", "28.F/1")
def by_rule_28(world: EuropaWorld, state: State, command: Withdraw | Convert) -> Command:
    """What the order of battle in words has air units do is carried out as the Air OB is: in its order, for ARPs."""
    entry = find_entry(world, state, command.entry)
    unit = find_unit(state, command.unit)
    if not goes_by_rule_28(world, entry, unit):
        return command
    return ConvertAir(unit=unit.id) if isinstance(command, Convert) else WithdrawAir(unit=unit.id)


CHAPTER = Chapter(
    heading="28.F",
    commands=(ConvertAir, WithdrawAir),
    guards={
        Advance: (conversions_are_made, withdrawals_are_made),
        TransferUnit: (air_units_change_theatres_by_the_ob,),
        WithdrawFromPool: (air_units_are_withdrawn_by_the_air_ob,),
    },
    means={Withdraw: by_rule_28, Convert: by_rule_28},
    due=(duties,),
)
