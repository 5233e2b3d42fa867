"""28.A  Two aborted air units regrouped into one."""

from collections.abc import Iterator

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Moved
from forcepool.engine.given import UnitName
from forcepool.engine.places import Place
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.engine.world import find_unit
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.question import (
    ABORTED,
    Air,
    air_units,
    chart_of,
    eliminated_box,
    identity,
    is_an_air_unit,
)
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.world import REINFORCEMENT_TRACK, EuropaWorld
from forcepool.rulebook.citations import computed


class Regrouping(Air):
    """Two aborted units of which one is to return."""

    command: "RegroupAir"

    @lazy
    def other(self) -> Unit:
        return find_unit(self.state, self.command.other)


@rule("28.A/1")
def both_are_aborted(q: Regrouping) -> Verdict:
    """A pair is two aborted units."""
    if q.unit.id == q.other.id:
        raise BadCommand(f"a pair is two units: name another with {the_field('other')}")
    for unit in (q.unit, q.other):
        if unit.place.kind != ABORTED:
            return no(f"{unit} is {q.world.where(unit.place)}, not aborted", remedy="choose two aborted units")
    return YES


@rule("28.A/2")
def pair_is_identical(q: Regrouping) -> Verdict:
    """The same model, the same type and the same code."""
    for what, one, two in zip(("models", "types", "codes"), identity(q.unit), identity(q.other), strict=True):
        if one != two:
            shown = " and ".join("".join(each) or "none" for each in (one, two))
            return no(f"their {what} differ: {shown}", remedy="regroup identical units", units=(q.unit.id, q.other.id))
    return YES


@rule("28/6")
def pair_is_of_one_force(q: Regrouping) -> Verdict:
    """Both belong to one national force."""
    other = air_force_of(q.other.spec)
    if other == q.nation:
        return YES
    return no(f"{q.other} is of {other}", remedy=f"choose another unit of {q.nation}")


@rule("28.A/1")
def pair_is_of_one_theatre(q: Regrouping) -> Verdict:
    """Both lie in boxes of one front or theatre; the boxes of its MDs may be mixed."""
    if q.world.theatre_of(q.other.place.of) == q.theatre:
        return YES
    return no(f"{q.other} lies in {the_pool(q.other.place.of)}", remedy=f"choose another unit of {the_pool(q.theatre)}")


class RegroupAir(Command, tag="regroup-air", frozen=True):
    """Make one air unit of two identical aborted ones: it returns as a reinforcement, the other is eliminated."""

    unit: UnitName
    """The unit that returns."""
    other: UnitName
    """The unit that goes to the ELIMINATED BOX."""

    question = Regrouping
    needs = (is_an_air_unit, both_are_aborted)
    requires = (
        cycle.in_own_reinforcement_phase("28.A/1"),
        pair_is_identical,
        pair_is_of_one_force,
        pair_is_of_one_theatre,
    )

    def effects(self, q: Regrouping) -> Iterator[Event]:
        unit, other = q.unit, q.other
        box = eliminated_box(q.world, other.place.of)
        yield Moved(unit=other.id, frm=other.place, to=box, because="28.A/3 28.A/6", says="no ARPs spent")
        track = Place(REINFORCEMENT_TRACK, chart_of(q.world, unit.place.of), int(q.state.clock.turn))
        yield Moved(unit=unit.id, frm=unit.place, to=track, because="28.A/4", says="to be placed as a reinforcement")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind != ABORTED:
            return
        for other in pairs_with(world, state, unit):
            yield cls(unit=unit.id, other=other.id)


@computed("28.A/5")
def pairs_with(world: EuropaWorld, state: State, unit: Unit) -> list[Unit]:
    """The aborted units a unit could regroup with, if its owner cares to."""
    return [
        other
        for other in air_units(world, state)
        if other.id != unit.id
        and other.place.kind == ABORTED
        and (air_force_of(other.spec), identity(other)) == (air_force_of(unit.spec), identity(unit))
        and world.theatre_of(other.place.of) == world.theatre_of(unit.place.of)
    ]


CHAPTER = Chapter(heading="28.A", commands=(RegroupAir,))
