"""51.B.6  Forming divisions out of smaller units on the map, or in a garrison."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Became, Event, Moved, Transferred
from forcepool.engine.facts import YES_NO, Fact
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, Place, at_hex
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL
from forcepool.engine.verdicts import YES, No, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER, REBUILT
from forcepool.games.europa.reinforcements.entries import entry_of, home_area, marked
from forcepool.games.europa.reinforcements.falling_due import (
    FROM_THE_OB,
    GARRISON_BOX,
    HANDLERS,
    Brought,
    come_in,
    is_lost,
)
from forcepool.games.europa.reinforcements.naming import units_named
from forcepool.games.europa.reinforcements.withdrawing import cost_of
from forcepool.games.europa.replacements.cadres import (
    cadre_is_supplied,
    cadre_stood_still,
    reserve_rebuilds_in_week_one,
)
from forcepool.games.europa.replacements.purchase import REPLACEMENT, Purchase
from forcepool.games.europa.replacements.screens import free_of_larger_zoc
from forcepool.games.europa.replacements.soviet_pools import home_of
from forcepool.games.europa.replacements.standing import stands_as
from forcepool.games.europa.replacements.tallies import front_of
from forcepool.games.europa.reserves.conversions import keeps_its_status, takes_over_the_reserve
from forcepool.games.europa.world import ELIMINATED, NATIONAL, EuropaWorld
from forcepool.orderofbattle.model import Entry
from forcepool.rulebook.citations import computed

FORM_BOX, GARRISON_FORM = "form", "garrison-form"
UNSUPPORTED = "unsupported"
DIVISION = "XX"
SMALLER = ("I", "II", "III", "X")

COST = switch(
    "forming-cost",
    "51.B.6/9",
    "how the units given up are set against the cost of a division",
    by_type="kind by kind, and what is over is lost",
    total="in one total over all kinds",
    surplus_credited="kind by kind, and what is over is credited as RPs",
    home_discount="kind by kind, a tenth less in its home country",
)
ZOC = switch(
    "forming-in-zoc",
    "51.B.6/8",
    "forming a division in an enemy ZOC",
    banned="never",
    screened="as a cadre is rebuilt: behind a screen, or beside an HQ",
)


class Component(Struct, frozen=True, forbid_unknown_fields=True):
    """Which units meet which kind of RP when a division is formed."""

    kind: str
    types: tuple[str, ...]
    clause: str
    sizes: tuple[str, ...] = SMALLER


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


HANDLERS["form"] = becomes_available


class Giving(Purchase):
    """One unit that would be given up, asked what a cadre is asked."""

    @lazy
    def price(self) -> Price:
        return Price({})

    @lazy
    def payer(self) -> str:
        return NATIONAL + self.nation


class Forming(Purchase):
    """A division and the units that are to be given up for it."""

    command: "FormDivision"

    @lazy
    def given(self) -> list[Unit]:
        return units_named(self.state, self.command.units)

    @property
    def units(self) -> list[Unit]:
        """Those whose reserve status the division takes over."""
        return self.given

    @property
    def in_garrison(self) -> bool:
        return self.unit.place.kind == GARRISON_FORM

    @lazy
    def strength(self) -> str:
        return self.command.strength or FULL

    @lazy
    def cost(self) -> dict[str, Fraction]:
        """What the division costs at the strength chosen, by kind of RP."""
        spec = self.unit.spec
        entry = entry_of(self.world, self.state, self.unit)
        if entry is not None and entry.cost and self.strength == FULL:
            return dict(entry.cost)
        if self.strength == UNSUPPORTED and spec.unsupported is not None:
            cost = {kind: spec.unsupported.points * share for kind, share in self.world.shares(spec).items()}
        else:
            cost = cost_of(self.world, spec, self.strength)
        return cost

    @lazy
    def needed(self) -> dict[str, Fraction]:
        """The cost as this campaign reckons it."""
        around = self.world.spot(self.given[0].place.of).area if self.given else ""
        at_home = bool(around) and self.world.country_of(around) == self.unit.spec.nation
        less = self.world.numbers["home_reduction"] if at_home and self.switch(COST.key) == "home-discount" else 0
        return {kind: amount * (1 - less) for kind, amount in self.cost.items()}

    @lazy
    def offered(self) -> dict[str, Fraction]:
        """The replacement costs of the units given up, by the kind of RP they meet."""
        amounts: dict[str, Fraction] = {}
        for unit in self.given:
            row = component(self.world, unit)
            if row is not None:
                worth = sum(cost_of(self.world, unit.spec, unit.step).values(), Fraction(0))
                amounts[row.kind] = amounts.get(row.kind, Fraction(0)) + worth
        return amounts


@computed("51.B.6.a/1", "51.B.6.b/1")
def component(world: EuropaWorld, unit: Unit) -> Component | None:
    """Border, infantry, light, mountain and security units; artillery and mortar regiments with a strength of one."""
    for row in world.chart("forming_components"):
        if unit.spec.type in row.types and unit.spec.size in row.sizes:
            one = world.numbers["forming_artillery"]
            if row.kind == "inf" or one in (unit.spec.full.attack, unit.spec.full.defence):
                found: Component = row
                return found
    return None


# ------------------------------------------------------------------------------------------------- the rules


@rule("51.B.6/3", "51.B.6/4")
def may_be_formed(q: Forming) -> Verdict:
    """The division waits in a FORM BOX, or in the form section of a garrison."""
    if q.unit.place.kind in (FORM_BOX, GARRISON_FORM):
        return YES
    return no(f"{q.unit.id} is in the {q.world.show_place(q.unit.place)}, in no FORM BOX")


@rule("51.B.6/6", "51.B.6/7")
def shows_that_strength(q: Forming) -> Verdict:
    """Supported or unsupported, cadre or full, as its counter shows."""
    spec, wanted = q.unit.spec, q.strength
    if wanted == UNSUPPORTED:
        return YES if spec.unsupported is not None else no(f"{q.unit.id} has no unsupported side")
    if wanted == CADRE:
        says = f"{q.unit.id} has no cadre"
        return yes("51.B.6/7") if spec.cadre is not None else no(says, clause="51.B.6/7")
    return YES if wanted == FULL else no(f"'{wanted}' is no strength", remedy="full, cadre or unsupported")


@rule("51.B.6/5")
def it_is_the_replacement_phase(q: Forming) -> Verdict:
    """Divisions are formed in the owner's replacement phase."""
    if q.world.phase(q.state) == REPLACEMENT and q.world.has_the_turn(q.state, q.side):
        return YES
    return no(f"it is the {q.world.when(q.state)}", remedy=f"wait for the {q.world.phase_called(REPLACEMENT, q.side)}")


@rule("51.B.6/10", "51.B.6.a/1", "51.B.6.b/1")
def units_are_of_the_kinds(q: Forming) -> Verdict:
    """Nothing else is given up than the small infantry and artillery units named."""
    wrong = [unit.id for unit in q.given if component(q.world, unit) is None]
    if not wrong:
        return YES
    return no(f"{', '.join(wrong)} may not be given up", remedy="choose others", also=("51.B.6.a/1", "51.B.6.b/1"))


@rule("51.B.6/11", "51.B.6/16")
def units_are_in_one_place(q: Forming) -> Verdict:
    """In one hex, or in the available section of the division's own garrison box."""
    places = {unit.place for unit in q.given}
    if q.in_garrison:
        if places == {Place(GARRISON_BOX, q.unit.place.of)}:
            return yes("51.B.6/16")
        return no(f"they are not in the garrison of {q.unit.place.of}", remedy="choose others", clause="51.B.6/16")
    if len(places) == 1 and all(place.kind == HEX for place in places):
        return YES
    return no("the units are not stacked in one hex", remedy="bring them together")


@rule("51.B.6/12", "51.B.6/13")
def affiliation_is_the_same(q: Forming) -> Verdict:
    """Every unit has the division's affiliation; the Spanish exceptions are not in the documents."""
    spec = q.unit.spec
    wrong = [
        unit.id for unit in q.given if (unit.spec.nation, unit.spec.affiliation) != (spec.nation, spec.affiliation)
    ]
    if not wrong:
        return YES
    return no(f"{', '.join(wrong)}: another affiliation", remedy="choose others", also=("51.B.6/13",))


_zoc = free_of_larger_zoc("51.B.6/14", "51.B.6/8", "51.B.6/8")


@rule("51.B.6/14")
def units_are_in_no_zoc(q: Forming) -> Verdict:
    """No unit that is given up stands in an enemy ZOC."""
    for each in _asked(q):
        zones = [zone for zone in each.facts.enemy_zocs(each.unit) if q.world.zone_rank(zone)]
        if zones and q.switch(ZOC.key) == "banned":
            return no(f"{each.unit.id} stands in an enemy ZOC ({', '.join(zones)})", remedy="move out of it first")
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
                return no(verdict.says, verdict.remedy)
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

    unit: str
    """The division, in its FORM BOX."""
    units: str
    """The units given up: '1 Inf III, 2 Inf III'."""
    strength: str = ""
    """full, cadre or unsupported."""
    out_of_reserve: bool = False
    """Yes to have it out of operational reserve, where one of several units given up was in none."""

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
        hex_name, md = q.given[0].place.of, q.unit.place.of
        pool, why = where_they_go(q)
        for unit in q.given:
            yield Moved(unit=unit.id, frm=unit.place, to=pool, because=why, says=f"given up for {q.unit.id}")
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


@computed("51.B.6/8")
def _stays(q: Forming) -> Iterator[Event]:
    """As a cadre rebuilt: a marker of the units given up is doubled, and it stands still for the player-turn."""
    if marker := max(q.facts.mp_marker(unit) for unit in q.given):
        yield marked(q.unit.id, MP_MARKER, marker * int(q.world.numbers["marker_factor"]), "51.B.6/8")
    yield marked(q.unit.id, REBUILT, CADRE if q.strength == CADRE else FULL, "51.B.6/8")


@computed("51.B.6/15", "51.B.6/17", "51.B.6/18")
def where_they_go(q: Forming) -> tuple[Place, str]:
    """To the ELIMINATED BOX of the front, or the garrison's own pool; from there they may be bought back."""
    if q.in_garrison:
        return Place(ELIMINATED, q.unit.place.of), "51.B.6/17 51.B.6/18"
    front = front_of(q.world, q.state, q.world.spot(q.given[0].place.of).area, q.unit.spec.nation)
    return Place(ELIMINATED, front), "51.B.6/15 51.B.6/18"


def _surplus(q: Forming, pool: str) -> Iterator[Event]:
    if q.switch(COST.key) != "surplus-credited":
        return
    for kind, amount in q.offered.items():
        over = amount - q.needed.get(kind, Fraction(0))
        if over > 0:
            nation = q.unit.spec.nation
            home = home_of(pool, nation, kind)
            yield Transferred(amount=over, kind=kind, nation=nation, frm=FROM_THE_OB, to=home, because="51.B.6/9")


CHAPTER = Chapter(
    heading="51.B.6",
    commands=(FormDivision,),
    facts=(Fact(UNSUPPORTED, ("unit",), "it is unsupported", False, YES_NO),),
    switches=(COST, ZOC),
    charts={"forming_components": tuple[Component, ...]},
    boxes={FORM_BOX: "FORM BOX", GARRISON_FORM: "GARRISON BOX, form section"},
)
