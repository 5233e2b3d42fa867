"""51.C.1  National reserves of Hungary and Rumania: released by unit, or by a number of REs."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.agenda import LAPSES, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.points import show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.engine.world import World
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.duties import (
    DUTIES,
    Duty,
    Listed,
    duties_now,
    entry_is_in_force,
    in_own_reinforcement_phase,
)
from forcepool.games.europa.reinforcements.entries import RECEIVED, marked, on_entry
from forcepool.games.europa.reinforcements.in_reserve import NATIONAL_RESERVE
from forcepool.games.europa.reinforcements.naming import units_named
from forcepool.games.europa.replacements.pools import REINFORCEMENT
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.orderofbattle.model import Item as Line
from forcepool.rulebook.citations import computed

RELEASE = "release from national reserve"
RE = "RE"


@computed("51.C.1/2")
def res_released(entry: Entry) -> Fraction | None:
    """The REs an entry releases; None when it names units."""
    return next((amount for item in entry.items for kind, amount in item.points.items() if kind == RE), None)


class Releasing(Listed):
    """Units to be freed from national reserve."""

    @lazy
    def units(self) -> list[Unit]:
        return units_named(self.state, self.command.units)

    def means(self, item: Line, unit: Unit) -> bool:
        return entries.is_meant(self.world, self.state, self.entry, item, unit)


@rule("51.C.1.a/1", "51.C.1.b/1")
def are_in_its_national_reserve(q: Releasing) -> Verdict:
    """Units of the nation that are in national reserve: those named, or the owner's choice."""
    for unit in q.units:
        if unit.spec.nation != q.nation or not q.facts.is_so(unit, NATIONAL_RESERVE):
            return no(f"{unit.id} is not in the national reserve of {q.nation}", remedy="choose others, or wait")
        if res_released(q.entry) is None and entries.item_for(q.world, q.state, q.entry, unit) is None:
            return no(f"{unit.id} is not of the kind named", remedy="choose the unit named")
    named = entries.needed(q.entry)
    if res_released(q.entry) is not None:
        return YES
    if len(q.units) != named:
        have, need = Fraction(len(q.units)), Fraction(named)
        return no(f"{named} units are released, not {len(q.units)}", remedy="name as many", have=have, need=need)
    listed = (item for item in q.entry.items if item.spec)
    if all(item.count == sum(q.means(item, unit) for unit in q.units) for item in listed):
        return YES
    return no("they are not as many of each kind as are named", remedy="choose those the entry names")


@rule("51.C.1/3")
def total_is_within_the_number(q: Releasing) -> Verdict:
    """Released by number, the units total no more REs than stated."""
    limit = res_released(q.entry)
    total = sum((q.world.res(unit.spec, unit.step) for unit in q.units), Fraction(0))
    if limit is None or total <= limit:
        return YES
    return no(
        f"{show_points(total)} REs are more than the {show_points(limit)} released",
        remedy="choose fewer; what is not used lapses",
        have=total,
        need=limit,
    )


@rule("51.C.1/4")
def none_is_mechanized(q: Releasing) -> Verdict:
    """Released by number, c/m units do not qualify."""
    wrong = [unit.id for unit in q.units if q.world.has_role(unit.spec, "c/m")]
    if not wrong or res_released(q.entry) is None:
        return YES
    return no(f"{', '.join(wrong)}: a c/m unit", remedy="choose others", units=tuple(wrong))


class Release(Command, tag="release-reserve", frozen=True):
    """Free units from the national reserve, as the order of battle says."""

    entry: str
    units: str = ""
    """The units, such as '4 Inf XX, 7 Inf XX'; none, to let a release by REs lapse."""

    question = Releasing
    needs = (entry_is_in_force("51.C.1/2", RELEASE), are_in_its_national_reserve)
    requires = (in_own_reinforcement_phase("51.C.1/2"), total_is_within_the_number, none_is_mechanized)

    def side(self, q: Releasing) -> str:
        return q.side

    def effects(self, q: Releasing) -> Iterator[Event]:
        why = "51.C.1.b/1" if res_released(q.entry) is not None else "51.C.1.a/1"
        for unit in q.units:
            yield marked(unit.id, NATIONAL_RESERVE, None, f"51.C.1/2 {why}")
        yield Marked(on=on_entry(q.entry), mark=RECEIVED, value=q.state.clock.turn, because=why)


def _ways(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Command]:
    """A release by unit must be made; one by number is the owner's choice."""
    if res_released(entry) is not None:
        return
    facts = world.facts(state)
    there = [unit for unit in state.units_in_order() if facts.is_so(unit, NATIONAL_RESERVE)]
    found: list[str] = []
    for item in entry.items:
        meant = [unit.id for unit in there if entries.is_meant(world, state, entry, item, unit)]
        found += [each for each in meant if each not in found][: item.count]
    if len(found) == entries.needed(entry):
        yield Release(entry=entry.key, units=", ".join(found))


def lapse(world: World, state: State) -> Iterator[Event]:
    """REs that were not used lapse as the phase ends."""
    if world.phase(state) == REINFORCEMENT:
        for entry in duties_now(world, state):
            if entry.verb == RELEASE and res_released(entry) is not None:
                yield Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because="51.C.1/3")


def may_release(world: World, state: State) -> Iterator[Item]:
    """Releases by number that lapse if not used in this phase."""
    for entry in duties_now(world, state):
        amount = res_released(entry) if entry.verb == RELEASE else None
        if amount is not None:
            text = f"{show_points(amount)} REs may be released from national reserve ({entry.key})"
            yield Item(LAPSES, text, "51.C.1.b/1", world.phasing(state))


DUTIES[RELEASE] = Duty("51.C.1.a/1", _ways)

CHAPTER = Chapter(heading="51.C.1", commands=(Release,), ends=(lapse,), agenda=(may_release,))
