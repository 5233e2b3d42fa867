"""52.D.1.b  Axis foreign contingents: each is replaced or rebuilt once in a game without RPs."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any

from forcepool.engine.command import Command
from forcepool.engine.events import Became, Event, Marked, Moved
from forcepool.engine.facts import WORDS, Fact, unit_key
from forcepool.engine.given import Area, Mix, Pool, UnitName, one_of
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.points import show_counted, show_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL, STEPS
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground.purchase import (
    Buys,
    BuysByTheGeneralRule,
    Purchase,
    can_pay,
    in_own_replacement_phase,
    pay,
    points_are_its_own,
)
from forcepool.games.europa.ground.soviet_pools import GENERAL
from forcepool.games.europa.ground.standing import AIDED
from forcepool.games.europa.ground.tallies import CONTINGENTS, FOREIGN_CONTINGENT, GERMANY
from forcepool.games.europa.replacements.axis.axis import INF, is_contingent_nation
from forcepool.games.europa.replacements.axis.axis_uses import AXIS
from forcepool.games.europa.replacements.general.building_tracks import has_own_track
from forcepool.games.europa.replacements.general.cadre_supply import cadre_is_supplied
from forcepool.games.europa.replacements.general.cadres import (
    cadre_stood_still,
    payers_of,
    price_to_full,
    rebuilt_on_the_map,
    reserve_rebuilds_in_week_one,
    stands_on_the_map_as_cadre,
)
from forcepool.games.europa.replacements.general.eliminated import (
    Replace,
    Replacing,
    full_strength_only_without_cadre,
    has_a_cadre_to_come_back_as,
    is_not_asked_back_as_a_remnant,
)
from forcepool.games.europa.replacements.general.screens import DIVISION, free_of_larger_zoc
from forcepool.games.europa.replacements.kinds.mixing import with_mixes
from forcepool.games.europa.world import ELIMINATED, ISOLATED, NATIONAL, EuropaWorld

REPLACED, REBUILT = "replaced", "rebuilt"

CONTINGENT_DIVISION = switch(
    "contingent-division",
    "52.D.1.b/6",
    "what a foreign contingent's division is given once in a game",
    one_free="one free use in all: to full strength, or back to cadre",
    each_free="both uses, each free once",
    one_paid="one use in all, at the normal RP cost",
)


def is_contingent(world: EuropaWorld, unit: Unit) -> bool:
    """Whether a unit is a foreign contingent: it is marked so, or its nation is one of the German army's."""
    return FOREIGN_CONTINGENT in unit.spec.traits or is_contingent_nation(world, unit.spec.nation)


def uses_of(q: Purchase) -> list[str]:
    """What a contingent has been given so far in this game."""
    said = q.facts.value(unit_key(q.unit.id), AIDED)
    return said if isinstance(said, list) else []


def _is_free(q: Purchase) -> bool:
    return q.unit.spec.size != DIVISION or q.switch(CONTINGENT_DIVISION.key) != "one-paid"


def _price(q: Purchase, full: Price, clause: str) -> Price:
    """Nothing, unless the group has divisions pay."""
    return Price({}, "once in a game without RPs", clause) if _is_free(q) else full


def _not_yet(q: Purchase, use: str) -> Verdict:
    used = uses_of(q)
    counted = [each for each in used if each == use or q.switch(CONTINGENT_DIVISION.key) != "each-free"]
    if not counted:
        return YES
    return no(f"{q.unit} was {counted[0]} so once in this game already", remedy="pay for it in the ordinary way")


# ------------------------------------------------------------------------------------------------------- rules


@rule("52.D.1.b/5")
def is_a_small_axis_contingent(q: Replacing) -> Verdict:
    """A foreign contingent unit of one RE or less comes back free, once in a game."""
    most, size = q.world.numbers["small_contingent"], q.world.res(q.unit.spec)
    if not is_contingent(q.world, q.unit) or q.side != AXIS:
        return no(f"{q.unit} is no Axis foreign contingent", remedy="pay for it with replace")
    if q.unit.spec.size == DIVISION:
        return YES
    if size > most:
        return no(
            f"{q.unit} is of {show_counted(size, 'RE')}, more than {show_points(most)}, and no division",
            remedy="pay for it with replace",
            have=size,
            need=Fraction(most),
        )
    return _not_yet(q, REPLACED)


@rule("52.D.1.b/7")
def division_may_come_back_as_cadre(q: Replacing) -> Verdict:
    """A contingent's division comes back as a cadre from either box, once in a game."""
    return _not_yet(q, REPLACED) if q.unit.spec.size == DIVISION else YES


@rule("52.D.1.b/6")
def division_may_be_rebuilt(q: Purchase) -> Verdict:
    """A contingent's division goes from cadre to full strength, once in a game."""
    if not is_contingent(q.world, q.unit) or q.side != AXIS or q.unit.spec.size != DIVISION:
        return no(f"{q.unit} is no division of an Axis foreign contingent", remedy="rebuild it with rebuild-cadre")
    return _not_yet(q, REBUILT)


def _wears_german_colours(q: Purchase) -> bool:
    return q.nation == GERMANY and FOREIGN_CONTINGENT in q.unit.spec.traits


def contingents_may_pay(q: Any, part: Part) -> Verdict | None:
    """What contingents in German colours have received serves them, and nobody else."""
    own = part.nation == CONTINGENTS and part.kind == part.instead_of and _wears_german_colours(q)
    return yes("52.D.1/5", f"{part.kind} RPs of {CONTINGENTS}") if own else None


def contingent_parts(q: Purchase) -> Iterator[Part]:
    """What a contingent in German colours costs, in the contingents' own; the infantry must be."""
    if _wears_german_colours(q):
        yield from (Part(amount, kind, CONTINGENTS, kind) for kind, amount in q.price.amounts.items())


@rule("52.D.1/5")
def counts_apart_from_the_germans(q: Purchase) -> Verdict:
    """A contingent in German colours is a nationality apart, and German infantry RPs do not serve it."""
    if not _wears_german_colours(q) or all(nation == CONTINGENTS for nation, kind, _ in q.payments if kind == INF):
        return YES
    own = f"{show_points(q.price.amounts.get(INF, Fraction(0)))} {INF} of {CONTINGENTS}"
    return no(
        f"{q.unit} is a foreign contingent, and infantry RPs of Germany do not serve it",
        remedy="take its free use (replace-contingent, rebuild-contingent), or pay all of it in a mix of its own: "
        f"'{own}'",
    )


@rule("52.D.1.b/5", "52.D.1.b/7")
def lies_in_either_box(q: Replacing) -> Verdict:
    """The ELIMINATED BOX and the isolated one serve alike."""
    place = q.unit.place
    if place.kind in (ELIMINATED, ISOLATED) and place.is_reached(q.state.clock.turn):
        return YES
    return no(f"{q.unit} is {q.world.where(place)}, not in a box")


@rule("52.A/1")
def has_a_track(q: Replacing) -> Verdict:
    """It waits on the track of an area."""
    return YES if _track(q) else no("it needs a track to wait on", remedy=f"name an area with {the_field('track')}")


@rule("52.A.9.a/2")
def waits_where_its_side_is(q: Replacing) -> Verdict:
    """It waits in the theatre of its box, or, out of the nation's, anywhere but in an enemy country."""
    track = _track(q)
    if not track or _is_open_to(q.world, q.state, q.unit, track):
        return YES
    return no(
        f"{q.unit} cannot wait on the track of {the_pool(track)}",
        remedy=f"name an area of its theatre with {the_field('track')}",
    )


def _is_open_to(world: EuropaWorld, state: State, unit: Unit, area: str) -> bool:
    box = unit.place.of
    if area.startswith((NATIONAL, GENERAL)) and not has_own_track(world, area, unit.spec.nation):
        return False
    if not homes.is_open_to(world, world.facts(state), area, unit.spec.nation):
        return False
    return box not in world.areas or world.theatre_of(box) == world.theatre_of(area)


def _track(q: Replacing) -> str:
    return q.track or ("" if q.unit.place.of.startswith(NATIONAL) else q.unit.place.of)


# ----------------------------------------------------------------------------------------------------- commands


def _marked(q: Purchase, use: str, because: str) -> Event:
    return Marked(on=q.key(), mark=AIDED, value=sorted((*uses_of(q), use)), because=because)


class ReplaceContingent(Buys, tag="replace-contingent", frozen=True):
    """Bring a foreign contingent back without RPs, once in a game: whole if it is small, a division as a cadre."""

    unit: UnitName
    pay_from: Pool = ""
    """Only where a house rule has divisions pay."""
    track: Area = ""
    """The area on whose track it waits; left out, that of its box."""
    to: Annotated[str, one_of(*STEPS)] = ""
    mix: Mix = ""
    of_choice = ("mix",)
    reduced = False

    question = Replacing
    needs = (lies_in_either_box, is_not_asked_back_as_a_remnant, has_a_cadre_to_come_back_as)
    requires = (
        in_own_replacement_phase,
        is_a_small_axis_contingent,
        division_may_come_back_as_cadre,
        full_strength_only_without_cadre,
        has_a_track,
        waits_where_its_side_is,
        points_are_its_own,
        can_pay("52.D.1.b/7"),
    )

    def price(self, q: Replacing) -> Price:
        return _price(q, Replace.price(self, q), "52.D.1.b/5")  # type: ignore[arg-type]

    def effects(self, q: Replacing) -> Iterator[Event]:
        unit, division = q.unit, q.unit.spec.size == DIVISION
        clause = "52.D.1.b/7" if division else "52.D.1.b/5"
        yield from pay(q)
        if unit.step != q.goal:
            yield Became(unit=unit.id, was=unit.step, step=q.goal, because=clause)
        yield Moved(unit=unit.id, frm=unit.place, to=Place(TRACK, _track(q), q.due), because=f"{clause} 52.A/2")
        yield _marked(q, REPLACED, clause)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind not in (ELIMINATED, ISOLATED) or not is_contingent(world, unit):
            return
        yield cls(unit=unit.id)
        for area in world.pools:
            if area != unit.place.of and _is_open_to(world, state, unit, area):
                yield cls(unit=unit.id, track=area)
        if not _is_free(Replacing(world, state, cls(unit=unit.id))):
            areas = [area for area in world.pools if _is_open_to(world, state, unit, area)]
            yield from with_mixes(world, state, (cls(unit=unit.id, pay_from=area) for area in areas))


class RebuildContingent(Buys, tag="rebuild-contingent", frozen=True):
    """Bring a foreign contingent's division from cadre to full strength without RPs, once in a game."""

    unit: UnitName
    pay_from: Pool = ""
    """Only where a house rule has divisions pay."""
    mix: Mix = ""
    of_choice = ("mix",)
    reduced = False
    track = ""

    question = Purchase
    needs = (stands_on_the_map_as_cadre,)
    requires = (
        in_own_replacement_phase,
        division_may_be_rebuilt,
        free_of_larger_zoc("52.A.9.d/3", hq="52.A.9.d/4", screen="52.A.9.d/5"),
        cadre_is_supplied,
        cadre_stood_still,
        reserve_rebuilds_in_week_one,
        points_are_its_own,
        can_pay("52.D.1.b/6"),
    )

    def price(self, q: Purchase) -> Price:
        return _price(q, price_to_full(q), "52.D.1.b/6")

    def effects(self, q: Purchase) -> Iterator[Event]:
        yield from rebuilt_on_the_map(q, FULL, "52.D.1.b/6", "52.A.9.d/10")
        yield _marked(q, REBUILT, "52.D.1.b/6")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == HEX and unit.step == CADRE and is_contingent(world, unit):
            yield cls(unit=unit.id)
            payers = payers_of(world, state, unit)
            yield from with_mixes(world, state, (cls(unit=unit.id, pay_from=payer) for payer in payers))


CHAPTER = Chapter(
    heading="52.D.1.b",
    commands=(ReplaceContingent, RebuildContingent),
    facts=(Fact(AIDED, ("unit",), "what it was given once in this game", [], WORDS, values=(REPLACED, REBUILT)),),
    guards={BuysByTheGeneralRule: (counts_apart_from_the_germans,)},
    permits=(contingents_may_pay,),
    mixes=(contingent_parts,),
    switches=(CONTINGENT_DIVISION,),
)
