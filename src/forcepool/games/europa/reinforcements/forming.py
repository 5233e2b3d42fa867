"""51.B.6  Forming divisions out of smaller units on the map, or in a garrison."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, islice
from typing import Annotated

from msgspec.structs import replace

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.events import Became, Event, Moved, Transferred
from forcepool.engine.facts import YES_NO, Fact
from forcepool.engine.given import UnitName, UnitNames, one_of
from forcepool.engine.options import choice
from forcepool.engine.places import HEX, Place, at_hex
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import the_field, the_pool, the_units
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL, UnitSpec
from forcepool.engine.verdicts import YES, No, Verdict, Yes, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER, REBUILT
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.soviet_pools import lies_in
from forcepool.games.europa.ground.standing import GARRISON_BOX, stands_as
from forcepool.games.europa.ground.tallies import counted_as, pool_where_it_stood
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.reinforcements.entries import home_area, marked
from forcepool.games.europa.reinforcements.falling_due import Brought, come_in
from forcepool.games.europa.reinforcements.forming_question import (
    COST,
    DIVISION,
    FORM_BOX,
    GARRISON_FORM,
    UNSUPPORTED,
    ZOC,
    Component,
    Forming,
    Giving,
    component,
)
from forcepool.games.europa.reinforcements.listed_places import is_lost
from forcepool.games.europa.reinforcements.listed_points import FROM_THE_OB
from forcepool.games.europa.replacements.general.cadre_supply import cadre_is_supplied
from forcepool.games.europa.replacements.general.cadres import cadre_stood_still, reserve_rebuilds_in_week_one
from forcepool.games.europa.replacements.general.screens import free_of_larger_zoc
from forcepool.games.europa.reserves.conversions import keeps_its_status, may_leave_reserve, takes_over_the_reserve
from forcepool.games.europa.world import ELIMINATED, EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import computed

# ----------------------------------------------------------------------------------------------- into the box


@computed("51.B.6/1", "51.B.6/2", "51.B.6/3", "51.B.6/4")
def becomes_available(world: EuropaWorld, state: State, entry: Entry) -> Brought:
    """A division that may be formed: into the FORM BOX of its MD, or the form section of a garrison."""
    if any(item.spec is not None and item.spec.size != DIVISION for item in entry.items):
        return no("only divisions are formed", remedy="put the OB right", clause="51.B.6/2")
    place, md = entry.place, home_area(world, state, entry)
    garrison = place is not None and place.kind == "box" and place.names[0].startswith("garrison")
    why = "51.B.6/4" if garrison else "51.B.6/3"
    return list(come_in(world, state, entry, Place(GARRISON_FORM if garrison else FORM_BOX, md), why))


# ------------------------------------------------------------------------------------------------- the rules


@rule("51.B.6/3", "51.B.6/4")
def may_be_formed(q: Forming) -> Verdict:
    """The division waits in a FORM BOX, or in the form section of a garrison."""
    if q.unit.place.kind in (FORM_BOX, GARRISON_FORM):
        return YES
    return no(f"{q.unit} is {q.world.where(q.unit.place)}, in no FORM BOX")


@rule("51.B.6/6", "51.B.6/7")
def shows_that_strength(q: Forming) -> Verdict:
    """Supported or unsupported, cadre or full, as its counter shows."""
    spec, wanted = q.unit.spec, q.strength
    if wanted == UNSUPPORTED:
        return YES if spec.unsupported is not None else no(f"{q.unit} has no unsupported side")
    if wanted == CADRE:
        says = f"{q.unit} has no cadre"
        return yes("51.B.6/7") if spec.cadre is not None else no(says, clause="51.B.6/7")
    return YES


@rule("51.B.6/5")
def it_is_the_replacement_phase(q: Forming) -> Verdict:
    """Divisions are formed in the owner's replacement phase."""
    return in_own(q, REPLACEMENT)


@rule("51.B.6/10", "51.B.6.a/1", "51.B.6.b/1")
def units_are_of_the_kinds(q: Forming) -> Verdict:
    """Nothing else is given up than the small infantry and artillery units named."""
    wrong = [unit.id for unit in q.given if component(q.world, unit) is None]
    if not wrong:
        return YES
    return no(f"{the_units(wrong)} may not be given up", remedy="choose others", also=("51.B.6.a/1", "51.B.6.b/1"))


@rule("51.B.6/11", "51.B.6/16")
def units_are_in_one_place(q: Forming) -> Verdict:
    """In one hex, or in the available section of the division's own garrison box."""
    places = {unit.place for unit in q.given}
    if q.in_garrison:
        if places == {Place(GARRISON_BOX, q.unit.place.of)}:
            return yes("51.B.6/16")
        return no(
            f"they are not in the garrison of {the_pool(q.unit.place.of)}", remedy="choose others", clause="51.B.6/16"
        )
    if len(places) == 1 and all(place.kind == HEX for place in places):
        return YES
    return no("the units are not stacked in one hex", remedy="bring them together")


def affiliation_of(spec: UnitSpec) -> tuple[str, str, str]:
    """Its nation, the one it counts as, which is another for a contingent in its colours, and its affiliation."""
    return spec.nation, counted_as(spec), spec.affiliation


@rule("51.B.6/12", "51.B.6/13")
def affiliation_is_the_same(q: Forming) -> Verdict:
    """Every unit has the division's affiliation; the Spanish exceptions are not in the documents."""
    wrong = [unit.id for unit in q.given if affiliation_of(unit.spec) != affiliation_of(q.unit.spec)]
    if not wrong:
        return YES
    return no(f"{the_units(wrong)}: another affiliation", remedy="choose others", also=("51.B.6/13",))


_zoc = free_of_larger_zoc("51.B.6/14", "51.B.6/8", "51.B.6/8")


@rule("51.B.6/14")
def units_are_in_no_zoc(q: Forming) -> Verdict:
    """No unit that is given up stands in an enemy ZOC."""
    for each in _asked(q):
        zones = [zone for zone in each.facts.enemy_zocs(each.unit) if q.world.zone_rank(zone)]
        if zones and q.switch(ZOC.key) == "banned":
            return no(f"{each.unit} stands in an enemy ZOC ({', '.join(zones)})", remedy="move out of it first")
        if zones and isinstance(verdict := _zoc(each), No):
            return verdict
    return YES


@rule("51.B.6/8")
def units_could_be_rebuilt_there(q: Forming) -> Verdict:
    """Where a cadre could be rebuilt: in supply or in a town, neither moved nor attacked."""
    for each in _asked(q):
        for asked in (cadre_is_supplied, cadre_stood_still):
            verdict = asked(each)
            if isinstance(verdict, No):
                return no(verdict.sentence, verdict.advice, ways=verdict.ways)
    return YES


@rule("49.A.2.i/1")
def reserves_form_in_week_one(q: Forming) -> Verdict:
    """Like a rebuild, units in operational reserve form a division on the first turn of the month only."""
    verdicts = (reserve_rebuilds_in_week_one(each) for each in _asked(q))
    return next((verdict for verdict in verdicts if isinstance(verdict, No)), YES)


def _asked(q: Forming) -> Iterator[Giving]:
    for unit in q.given if not q.in_garrison else ():
        question = Giving(q.world, q.state, q.command, q.seat)
        question.__dict__["unit"] = unit
        yield question


@rule("51.B.6/16")
def garrisons_md_is_not_lost(q: Forming) -> Verdict:
    """In a garrison box units count as stacked and supplied while the MD is not lost."""
    if not q.in_garrison or not is_lost(q.world, q.state, q.unit.place.of, q.side):
        return YES
    return no(f"{q.unit.place.of} is lost", remedy="wait until a city of it is retaken")


@rule("51.B.6/9")
def their_costs_reach_the_divisions(q: Forming) -> Verdict:
    """Added up, what is given up is worth the division at the strength chosen."""
    offered, needed = q.offered, q.needed
    if q.switch(COST.key) == "total":
        offered, needed = ({"in all": sum(each.values(), Fraction(0))} for each in (offered, needed))
    for kind, amount in needed.items():
        have = offered.get(kind, Fraction(0))
        if have < amount:
            return no(
                f"the division takes {show_amounts(needed)}, the units are worth {show_points(have)} {kind}",
                remedy="give up more, or form it at cadre strength",
                have=have,
                need=amount,
            )
    return YES


# --------------------------------------------------------------------------------------------------- command


class FormDivision(Command, tag="form-division", frozen=True):
    """Form a division out of smaller units that are stacked together."""

    unit: UnitName
    """The division, in its FORM BOX."""
    units: UnitNames
    """The units given up: '1 Inf III, 2 Inf III'."""
    strength: Annotated[str, one_of(FULL, CADRE, UNSUPPORTED)] = ""
    out_of_reserve: bool = False
    """Yes to have it out of operational reserve, where one of several units given up was in none."""

    of_choice = ("units",)
    question = Forming
    needs = (may_be_formed, shows_that_strength)
    requires = (
        it_is_the_replacement_phase,
        units_are_of_the_kinds,
        units_are_in_one_place,
        affiliation_is_the_same,
        units_are_in_no_zoc,
        units_could_be_rebuilt_there,
        reserves_form_in_week_one,
        keeps_its_status,
        garrisons_md_is_not_lost,
        their_costs_reach_the_divisions,
    )

    def effects(self, q: Forming) -> Iterator[Event]:
        if not q.given:
            raise BadCommand(f"say which units are given up with {the_field('units')}")
        hex_name, md = q.given[0].place.of, q.unit.place.of
        pool, why = where_they_go(q)
        for unit in q.given:
            yield Moved(unit=unit.id, frm=unit.place, to=pool, because=why, says=f"given up for {q.unit}")
        to = Place(GARRISON_BOX, md) if q.in_garrison else at_hex(hex_name)
        if q.strength == CADRE:
            yield Became(unit=q.unit.id, was=q.unit.step, step=CADRE, because="51.B.6/7")
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=to, because=why)
        if q.strength == UNSUPPORTED:
            yield marked(q.unit.id, UNSUPPORTED, value=True, because="51.B.6/6")
        if not q.in_garrison:
            yield from stands_as(q, q.given[0], q.unit.id)
            yield from _stays(q)
        yield from takes_over_the_reserve(q, q.unit.id)
        yield from _surplus(q, pool.of)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        yield from ways(world, state, unit)


@computed("51.B.6/8")
def _stays(q: Forming) -> Iterator[Event]:
    """As a cadre rebuilt: a marker of the units given up is doubled, and it stands still for the player-turn."""
    if marker := max(q.facts.mp_marker(unit) for unit in q.given):
        yield marked(q.unit.id, MP_MARKER, marker * int(q.world.numbers["marker_factor"]), "51.B.6/8")
    yield marked(q.unit.id, REBUILT, CADRE if q.strength == CADRE else FULL, "51.B.6/8")


@computed("51.B.6/15", "51.B.6/17", "51.B.6/18")
def where_they_go(q: Forming) -> tuple[Place, str]:
    """To the ELIMINATED BOX of the front, a Soviet one's of the MD, or the garrison's own pool, to be bought back."""
    if q.in_garrison:
        return Place(ELIMINATED, q.unit.place.of), "51.B.6/17 51.B.6/18"
    box = pool_where_it_stood(q.world, q.state, q.world.spot(q.given[0].place.of).area, q.unit.spec.nation)
    return Place(ELIMINATED, box), "51.B.6/15 51.B.6/18"


def _surplus(q: Forming, pool: str) -> Iterator[Event]:
    if q.switch(COST.key) != "surplus-credited":
        return
    for kind, amount in q.offered.items():
        over = amount - q.needed.get(kind, Fraction(0))
        if over > 0:
            home, whose = lies_in(q.world, q.state, pool, q.unit.spec.nation, kind)
            yield Transferred(amount=over, kind=kind, nation=whose, frm=FROM_THE_OB, to=home, because="51.B.6/9")


# ---------------------------------------------------------------------------------------------- ways to form one

MOST_WAYS = 20
"""Of one stack as many choices of units are offered; more would fill a page with the same regiments."""


def ways(world: EuropaWorld, state: State, unit: Unit) -> Iterator[FormDivision]:
    """The ways to form a division: at each strength, out of each stack, of units none of which could be spared."""
    if unit.place.kind not in (FORM_BOX, GARRISON_FORM):
        return
    spec = unit.spec
    strengths = ["", *([CADRE] if spec.cadre else []), *([UNSUPPORTED] if spec.unsupported else [])]
    for stack in _stacks(world, state, unit):
        for strength in strengths:
            for each in islice(_out_of(world, state, unit, stack, strength), MOST_WAYS):
                yield each
                if may_leave_reserve(Forming(world, state, each)):
                    yield replace(each, out_of_reserve=True)


def _stacks(world: EuropaWorld, state: State, division: Unit) -> Iterator[list[Unit]]:
    """The units that could be given up for a division, hex by hex, or those of its garrison."""
    spec = division.spec
    stacks: dict[Place, list[Unit]] = {}
    for each in state.units_in_order():
        here = each.place.kind == (GARRISON_BOX if division.place.kind == GARRISON_FORM else HEX)
        own = affiliation_of(each.spec) == affiliation_of(spec)
        if here and own and component(world, each) is not None:
            stacks.setdefault(each.place, []).append(each)
    for place, units in sorted(stacks.items()):
        if division.place.kind == FORM_BOX or place.of == division.place.of:
            yield units


def _out_of(
    world: EuropaWorld, state: State, division: Unit, stack: list[Unit], strength: str
) -> Iterator[FormDivision]:
    for number in range(1, len(stack) + 1):
        found = False
        for units in combinations(stack, number):
            command = FormDivision(unit=division.id, units=", ".join(each.id for each in units), strength=strength)
            if isinstance(their_costs_reach_the_divisions(Forming(world, state, command)), Yes):
                found = True
                yield command
        if found:
            # With more than the fewest units some could be spared.
            return


def may_be_formed_now(world: EuropaWorld, state: State) -> Iterator[Item]:
    """The divisions that could be formed in this replacement phase, each with a ready command."""
    if world.phase(state) != REPLACEMENT:
        return
    side = world.phasing(state)
    forming = [unit for box in (FORM_BOX, GARRISON_FORM) for unit in state.units_at(box)]
    for unit in sorted(forming, key=lambda unit: unit.id):
        if world.side_now(state, unit.spec.nation) == side:
            ready = next((each for each in ways(world, state, unit) if choice(world, state, each).open), None)
            if ready is not None:
                yield Item(
                    OPEN, f"{unit} may be formed of {the_units(ready.units.split(', '))}", "51.B.6/5", side, ready
                )


CHAPTER = Chapter(
    heading="51.B.6",
    comes_about={"form": becomes_available},
    agenda=(may_be_formed_now,),
    commands=(FormDivision,),
    facts=(Fact(UNSUPPORTED, ("unit",), "it is unsupported", False, YES_NO),),
    switches=(COST, ZOC),
    charts={"forming_components": tuple[Component, ...]},
    boxes={FORM_BOX: "FORM BOX", GARRISON_FORM: "GARRISON BOX, form section"},
)
