"""51.C.1  National reserves of Hungary and Rumania: released by unit, or by a number of REs."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.agenda import LAPSES, Item
from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import unit_key
from forcepool.engine.given import EntryKey, UnitNames
from forcepool.engine.places import HEX
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_units, to_type
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter, Duty
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.standing import NATIONAL_RESERVE
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.duties import (
    Listed,
    duties_now,
    entry_is_in_force,
    in_own_reinforcement_phase,
)
from forcepool.games.europa.reinforcements.entries import RECEIVED, bears, marked, named_first, on_entry
from forcepool.games.europa.reinforcements.lines_served import lines_left, served, still_called_for
from forcepool.games.europa.reinforcements.naming import units_named
from forcepool.games.europa.reinforcements.released_units import at_its_strength_first, may_be_released
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

    @lazy
    def lines(self) -> list[Line]:
        """The lines that the units answer to, one for each unit that answers to one."""
        left, found = still_called_for(self.state, self.entry, entries.done(self.state, self.entry)), []
        for unit in self.units:
            line = next(
                (each for each in left if may_be_released(self.world, self.state, self.entry, each, unit)), None
            )
            if line is not None:
                left.remove(line)
                found.append(line)
        return found


@rule("51.C.1.a/1", "51.C.1.b/1")
def are_in_its_national_reserve(q: Releasing) -> Verdict:
    """Units of the nation that are in national reserve: those named, or the owner's choice."""
    for unit in q.units:
        if unit.spec.nation != q.nation or not q.facts.is_so(unit, NATIONAL_RESERVE):
            return no(f"{unit} is not in the national reserve of {q.nation}", remedy="choose others, or wait")
        if res_released(q.entry) is None and not _is_named(q, unit):
            return no(f"{unit} is not of the kind named", remedy="choose the unit named")
    if res_released(q.entry) is not None or (q.units and len(q.lines) == len(q.units)):
        return YES
    most = len(still_called_for(q.state, q.entry, entries.done(q.state, q.entry)))
    if not q.units or len(q.units) > most:
        have, need = Fraction(len(q.units)), Fraction(most)
        return no(f"{most} units are released, not {len(q.units)}", remedy="name as many", have=have, need=need)
    return no("they are not as many of each kind as are named", remedy="choose those the entry names")


def _is_named(q: Releasing, unit: Unit) -> bool:
    """Whether a line that still calls for a unit means this one."""
    left = lines_left(q.state, q.entry)
    return any(may_be_released(q.world, q.state, q.entry, item, unit) for item in left)


@rule("51.C.1/3")
def total_is_within_the_number(q: Releasing) -> Verdict:
    """Released by number, the units total no more REs than stated."""
    limit = res_released(q.entry)
    total = sum((q.world.res(unit.spec, unit.step) for unit in q.units), Fraction(0))
    if limit is None or total <= limit:
        return YES
    return no(
        f"{show_counted(total, 'RE')} are more than the {show_points(limit)} released",
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
    return no(f"{the_units(wrong)}: a c/m unit", remedy="choose others", units=tuple(wrong))


class Release(Command, tag="release-reserve", frozen=True):
    """Free units from the national reserve, as the order of battle says."""

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""
    units: UnitNames = ""
    """The units, such as '4 Inf XX, 7 Inf XX'; none, to let a release by REs lapse."""

    question = Releasing
    needs = (entry_is_in_force("51.C.1/2", RELEASE), are_in_its_national_reserve)
    requires = (in_own_reinforcement_phase("51.C.1/2"), total_is_within_the_number, none_is_mechanized)

    def side(self, q: Releasing) -> str:
        return q.side

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if state.mark(unit_key(unit.id), NATIONAL_RESERVE) is None:
            return
        for entry in entries.in_force(world, state, world.side_now(state, unit.spec.nation), RELEASE):
            if unit.spec.nation == entries.nation_of(world, entry):
                # By itself, and with as many others as the entry frees.
                both = dict.fromkeys((unit.id, ", ".join(_released(world, state, entry, unit))))
                yield from (cls(entry=entry.key, units=units) for units in both if unit.id in units)

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        names = sorted(on.removeprefix(unit_key("")) for on in state.marked.get(NATIONAL_RESERVE, ()))
        for name in names:
            if name in state.units and world.side_now(state, state.units[name].spec.nation) == side:
                yield from cls.offers(world, state, state.units[name])

    def effects(self, q: Releasing) -> Iterator[Event]:
        by_number = res_released(q.entry) is not None
        why = "51.C.1.b/1" if by_number else "51.C.1.a/1"
        for unit in q.units:
            yield marked(unit.id, NATIONAL_RESERVE, None, f"51.C.1/2 {why}")
        if by_number or len(q.units) == entries.needed(q.entry):
            yield Marked(on=on_entry(q.entry), mark=RECEIVED, value=q.state.clock.turn, because=why)
        else:
            yield entries.did(q.state, q.entry, why, len(q.units))
            yield from served(q.state, q.entry, *q.lines)


def _ways(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Command]:
    """A release by unit must be made; one by number is the owner's choice."""
    if res_released(entry) is None and (found := _released(world, state, entry)):
        yield Release(entry=entry.key, units=", ".join(found))


def _in_reserve(world: EuropaWorld, state: State, entry: Entry) -> list[Unit]:
    facts, nation = world.facts(state), entries.nation_of(world, entry)
    own = (unit for unit in state.units_in_order() if unit.spec.nation == nation)
    return [unit for unit in own if facts.is_so(unit, NATIONAL_RESERVE)]


def _released(world: EuropaWorld, state: State, entry: Entry, first: Unit | None = None) -> list[str]:
    """As many units as a release by unit names, or as fit a release by number; one of them its owner may choose."""
    there = _in_reserve(world, state, entry)
    there.sort(key=lambda unit: unit is not first)
    limit = res_released(entry)
    found: list[str] = []
    if limit is not None:
        for unit in there:
            res = world.res(unit.spec, unit.step)
            if res <= limit and not world.has_role(unit.spec, "c/m"):
                limit -= res
                found.append(unit.id)
        return found
    for item in still_called_for(state, entry, entries.done(state, entry)):
        others = [unit for unit in there if unit.id not in found]
        meant = at_its_strength_first(world, state, entry, item, others)
        best = sorted(meant, key=lambda unit: unit is not first) if first is not None else named_first(meant, item)
        found += [unit.id for unit in best[:1]]
    return found


def lapse(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As the phase ends, REs that were not used lapse, and so does the release of a unit that is free already."""
    if world.phase(state) == REINFORCEMENT:
        for entry in duties_now(world, state):
            if entry.verb == RELEASE and res_released(entry) is not None:
                yield Marked(on=on_entry(entry), mark=RECEIVED, value=state.clock.turn, because="51.C.1/3")
            elif entry.verb == RELEASE:
                yield from void(world, state, entry)


@computed("51.C.1.a/1")
def void(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Event]:
    """A release by unit is void for a unit it names that is free already, and waits for one that is not there."""
    facts = world.facts(state)
    free = [
        unit for unit in state.units_in_order() if unit.place.kind == HEX and not facts.is_so(unit, NATIONAL_RESERVE)
    ]
    waits = still_called_for(state, entry, entries.done(state, entry))
    lines: list[Line] = []
    for item in entry.items:
        left = waits.count(item)
        named = [unit for unit in free if entries.could_be(world, entry, item, unit) and bears(unit, item.designations)]
        # Those that this entry has released are free by now as well.
        lines += [item] * max(0, min(left, len(named) - (item.count - left)))
    if lines:
        yield replace(entries.did(state, entry, "51.C.1.a/1", len(lines)), says="free already")
        yield from served(state, entry, *lines)


def may_release(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Releases by number that lapse if not used in this phase."""
    for entry in duties_now(world, state):
        amount = res_released(entry) if entry.verb == RELEASE else None
        if amount is not None:
            text = f"{show_counted(amount, 'RE')} may be released from national reserve{to_type(entry.key)}"
            units = ", ".join(_released(world, state, entry))
            ready = Release(entry=entry.key, units=units) if units else None
            yield Item(LAPSES, text, "51.C.1.b/1", world.phasing(state), ready)


CHAPTER = Chapter(
    heading="51.C.1",
    duties={RELEASE: Duty("51.C.1.a/1", _ways)},
    commands=(Release,),
    ends=(lapse,),
    agenda=(may_release,),
)
