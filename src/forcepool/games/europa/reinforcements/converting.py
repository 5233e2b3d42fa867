"""51.B.3, 51.B.14 and 51.B.18  Units that become other units: by conversion, reorganization or upgrade."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Moved
from forcepool.engine.given import EntryKey, UnitName, UnitNames
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, OUT_OF_PLAY, TRACK, Place
from forcepool.engine.sentence import the_field, the_units
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.verdicts import YES, No, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Duty
from forcepool.games.europa.ground.placing import is_disrupted
from forcepool.games.europa.ground.pools import free_to_spend
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.ground.standing import has_had_its_aid, stands_as
from forcepool.games.europa.ground.tallies import of_the_same_men
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.as_a_cadre import FROZEN, as_a_cadre_must, is_held
from forcepool.games.europa.reinforcements.by_the_air_ob import is_all_for_rule_28
from forcepool.games.europa.reinforcements.changing_places import (
    IN_BOXES,
    REORGANIZE,
    changes_in_its_box,
    forms_in,
    has_a_box_to_form_in,
    place_of_result,
    stands_where_it_can_convert,
    units_are_stacked,
)
from forcepool.games.europa.reinforcements.conversion_points import FRESH, costs_and_gains, drawn_from, pool_pays
from forcepool.games.europa.reinforcements.counters import counters, drawn
from forcepool.games.europa.reinforcements.duties import (
    Listed,
    entry_is_in_force,
    in_own_reinforcement_phase,
    one_that_serves,
)
from forcepool.games.europa.reinforcements.entries import did
from forcepool.games.europa.reinforcements.forming_boxes import forms
from forcepool.games.europa.reinforcements.instructions import counted, follows_its_instructions
from forcepool.games.europa.reinforcements.naming import units_named
from forcepool.games.europa.reinforcements.sites import HOLDING
from forcepool.games.europa.replacements.soviet.soviet_placement import OFF_MAP
from forcepool.games.europa.replacements.special.special import in_the_pool
from forcepool.games.europa.reserves.conversions import keeps_its_status, may_leave_reserve, takes_over_the_reserve
from forcepool.games.europa.world import ELIMINATED, FORMING_BOX, ISOLATED, NATIONAL, EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed

CONVERT, UPGRADE = "convert", "upgrade"
POOL = (ELIMINATED, ISOLATED)
BY_VERB = {REORGANIZE: "51.B.14/1", UPGRADE: "51.B.18/3"}
"""The clause by which what is no plain conversion may be made, and when."""


ON_THE_TRACK = switch(
    "conversion-of-cadres",
    "51.B.3/7",
    "whether a division that waits on the track as a cadre may be converted there",
    as_cadres="yes, into the cadre of the new one, as divisions are bought back as cadres only",
    strength_listed="no: only a unit of the very strength that the entry lists",
)


@computed("51.B.3/1", "51.B.3/5", "51.B.14/2")
def given_up(entry: Entry) -> list[Item]:
    """The lines that one conversion gives up a unit for, each as often as it takes one."""
    if any(item.how_many for item in entry.items):
        return [item for item in entry.items if item.spec][:1]
    times = entries.needed(entry)
    return [item for item in entry.items if item.spec for _ in range(item.count // times)]


def matched(entry: Entry, units: list[Unit], fits: Callable[[Item, Unit], bool]) -> bool:
    """Whether units are just those that one conversion gives up, one for each line."""
    if any(item.how_many for item in entry.items):
        return any(fits(item, unit) for item in entry.items for unit in units)
    left = given_up(entry)
    for unit in units:
        found = next((item for item in left if fits(item, unit)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


class Converting(Purchase, Listed):
    """The units that are to become others."""

    command: "Convert"

    @lazy
    def verb(self) -> str:
        return entries.verb_of(self.entry)

    @lazy
    def nation(self) -> str:
        return self.unit.spec.nation

    @lazy
    def side(self) -> str:
        return self.world.side_now(self.state, self.nation)

    @lazy
    def units(self) -> list[Unit]:
        """All that one conversion gives up."""
        return units_named(self.state, self.command.others, self.unit)

    @lazy
    def price(self) -> Price:
        return Price(self.entry.cost, "as its entry says", "51.B.18/1")

    @lazy
    def payer(self) -> str:
        """The pool of the MD or command that serves it where it stands, or on whose track it is.

        An MD's own points serve before those of its front.
        """
        holds = (each for each in self.areas if all(self._is_in(each, *part) for part in self.price.amounts.items()))
        if self.price.amounts and (found := next(holds, "")):
            return found
        home = homes.home_of(self.world, self.facts, self.unit)
        return home if home in self.world.areas else NATIONAL + self.nation

    def _is_in(self, pool: str, kind: str, amount: Fraction) -> bool:
        home, whose = drawn_from(self, pool, kind, amount)
        return free_to_spend(self.state, home, whose, kind) >= amount

    @property
    def on_map(self) -> bool:
        return self.unit.place.kind == HEX

    @property
    def in_pool(self) -> bool:
        return in_the_pool(self.state, self.unit)

    @lazy
    def late(self) -> int:
        """How many turns after its date a conversion is made."""
        due = entries.turn_of(self.world, self.entry)
        return max(0, self.state.clock.turn - due) if due is not None else 0


# ------------------------------------------------------------------------------------------------ which units


@rule("51.B.3/1", "51.B.14/1", "51.B.14/2", "51.B.18/3")
def units_are_those_listed(q: Converting) -> Verdict:
    """The units named are those of the entry, as many as one conversion takes."""
    wrong = [unit.id for unit in q.units if not any(_fits(q, item, unit) for item in q.entry.items)]
    if wrong:
        others = one_that_serves(q, ways(q.world, q.state, q.entry))
        return no(f"{the_units(wrong)}: not of the strength, type and size listed", remedy=others)
    froms = len(given_up(q.entry))
    if len(q.units) != froms:
        return no(
            f"one conversion takes {froms} units, {len(q.units)} named",
            remedy=f"name the others with {the_field('others')}",
            have=Fraction(len(q.units)),
            need=Fraction(froms),
        )
    if not matched(q.entry, q.units, lambda item, unit: _fits(q, item, unit)):
        return no("they are not one for each unit listed", remedy="name those that the entry lists")
    return yes(BY_VERB.get(q.verb, ""))


def _fits(q: Converting, item: Item, unit: Unit) -> bool:
    return _could(q.world, q.state, q.entry, item, unit)


# -------------------------------------------------------------------------------------- as for a cadre


@rule("51.B.3/3", "51.B.14/1", "51.B.18/1")
def meets_what_a_cadre_must(q: Converting) -> Verdict:
    """In no larger enemy ZOC, with a line to a source of replacements, and standing still."""
    also = {REORGANIZE: ("51.B.14/1",), UPGRADE: ("51.B.18/1",)}.get(q.verb, ())
    for unit in q.units if q.on_map else ():
        each = q if unit is q.unit else Converting(q.world, q.state, replace(q.command, unit=unit.id, others=""))
        verdict = as_a_cadre_must(each, also)
        if isinstance(verdict, No):
            return verdict
    return YES


# --------------------------------------------------------------------------------------------------- command


class Convert(Command, tag="convert", frozen=True):
    """Turn units into those the order of battle says: a conversion, a reorganization or an upgrade."""

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""
    unit: UnitName
    others: UnitNames = ""
    """The other units of the conversion, where it takes several: '2 Inf III, 3 Inf III'."""
    out_of_reserve: bool = False
    """Yes to have the new unit out of operational reserve, where one of several converted units was in none."""

    question = Converting
    needs = (entry_is_in_force("51.B.3/1", CONVERT, REORGANIZE, UPGRADE, by=BY_VERB), units_are_those_listed)
    requires = (
        in_own_reinforcement_phase("51.B.3/2", by=BY_VERB),
        stands_where_it_can_convert,
        units_are_stacked,
        meets_what_a_cadre_must,
        follows_its_instructions,
        has_a_box_to_form_in,
        pool_pays,
        keeps_its_status,
    )

    def effects(self, q: Converting) -> Iterator[Event]:
        if not q.in_pool:
            yield from costs_and_gains(q)
        for unit in q.units:
            yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because="51.B.3/4 51.B.3/11", says=q.entry.key)
        yield from _comes_instead(q)
        yield from counted(q)
        yield did(q.state, q.entry, BY_VERB.get(q.verb, "51.B.3/2"))

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        side = world.side_now(state, unit.spec.nation)
        for entry in entries.in_force(world, state, side, CONVERT, REORGANIZE, UPGRADE):
            yield from (each for each in ways(world, state, entry) if each.unit == unit.id)


def _comes_instead(q: Converting) -> Iterator[Event]:
    place, why = place_of_result(q)
    done = entries.done(q.state, q.entry)
    times = 1 if any(item.how_many for item in q.entry.items) else entries.needed(q.entry)
    for item in q.entry.results:
        count = item.count // times
        one = replace(item, count=count, designations=item.designations[done * count :])
        for name, listed, step in counters(q.world, q.state, q.entry, (one,)):
            spec = of_the_same_men(q.unit.spec, listed)
            if item.state == "forming":
                yield from drawn(q.state, name, spec, FULL, Place(FORMING_BOX, forms_in(q)), "51.B.7/2 51.B.7/4")
                yield from forms(q.world, q.state, q.entry, name, q.late)
            else:
                as_it_was = CADRE if _is_bought_back(q.world, q.state, q.entry, q.unit) else step
                yield from drawn(q.state, name, spec, as_it_was, place, why)
                yield from _takes_over(q, name)
            yield from has_had_its_aid(q.state, q.unit, name)


def _takes_over(q: Converting, name: str) -> Iterator[Event]:
    """Reserve status, a doubled MP marker, and no moving for the rest of the player-turn."""
    if not _is_in_play(q.world, q.state, q.unit):
        return
    yield from takes_over_the_reserve(q, name)
    yield from stands_as(q, q.unit, name)
    yield from is_held(q, name, q.units)


def ways(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Convert]:
    """The ways to make one conversion of an entry: each unit that could be, with its stackmates where several go."""
    if entries.is_done(state, entry) or is_all_for_rule_28(world, entry):
        return
    kinds = (HEX, TRACK, HOLDING, OFF_MAP, *(POOL if entries.verb_of(entry) == REORGANIZE else ()))
    found = [
        unit
        for unit in entries.of_its_kinds(world, state, entry)
        if unit.place.kind in kinds
        and not is_disrupted(state, unit)
        and any(_could(world, state, entry, item, unit) for item in entry.items)
    ]
    for unit in sorted(entries.as_printed(found, entry), key=lambda each: each.place.kind != HEX):
        stack = [each for each in found if each.place == unit.place and each is not unit]
        mates = _mates(entry, unit, stack, lambda item, each: _could(world, state, entry, item, each))
        if mates is not None:
            one = Convert(entry=entry.key, unit=unit.id, others=", ".join(each.id for each in mates))
            yield one
            if may_leave_reserve(Converting(world, state, one)):
                yield replace(one, out_of_reserve=True)


def _mates(entry: Entry, unit: Unit, stack: list[Unit], fits: Callable[[Item, Unit], bool]) -> list[Unit] | None:
    """The stackmates that make up one conversion with a unit; None if they do not, or another is named first."""
    if any(item.how_many for item in entry.items):
        return []
    first, *left = given_up(entry)
    if not fits(first, unit):
        return None
    found: list[Unit] = []
    for item in left:
        # Of units alike the first by name leads, so that each group is offered once.
        mate = next(
            (x for x in stack if x not in found and fits(item, x) and (item is not first or x.id > unit.id)), None
        )
        if mate is None:
            return None
        found.append(mate)
    return found


def _could(world: EuropaWorld, state: State, entry: Entry, item: Item, unit: Unit) -> bool:
    """In the pool a unit has no strength of its own; anywhere else it must have the strength listed."""
    if unit.place.kind in POOL or _is_bought_back(world, state, entry, unit):
        return entries.could_be(world, entry, item, unit)
    return entries.is_meant(world, state, entry, item, unit)


@computed("51.B.3/6")
def _is_bought_back(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> bool:
    """Whether it waits on the track as a cadre, as every division bought back does, and its new self has one too."""
    waits = unit.place.kind == TRACK and unit.step == CADRE
    if not waits or world.ruling(state, ON_THE_TRACK.key) != "as-cadres":
        return False
    return all(item.spec is None or item.spec.cadre is not None for item in entry.results)


def must_ways(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Command]:
    """A unit on the track may be converted there, but need not be."""
    return (each for each in ways(world, state, entry) if _is_in_play(world, state, state.units[each.unit]))


def _is_in_play(world: EuropaWorld, state: State, unit: Unit) -> bool:
    return unit.place.kind == HEX or changes_in_its_box(world, state, unit)


CHAPTER = Chapter(
    heading="51.B.3",
    duties={CONVERT: Duty("51.B.3/2", must_ways)},
    commands=(Convert,),
    switches=(FROZEN, IN_BOXES, FRESH, ON_THE_TRACK),
)
