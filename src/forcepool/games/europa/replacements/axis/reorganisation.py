"""52.J.1.a  From 1942 on, German infantry cadres on the map are rebuilt to 5-7-6 divisions, or take four turns."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.command import BadCommand, Command
from forcepool.engine.events import Became, Event, Marked, Moved, Raised
from forcepool.engine.facts import fixed, unit_key
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, OUT_OF_PLAY, TRACK, Place
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL, Strength, UnitSpec
from forcepool.engine.verdicts import YES, Verdict, Way, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import INACTIVE, MP_MARKER, REBUILT
from forcepool.games.europa.ground import prices
from forcepool.games.europa.ground.purchase import Purchase, can_pay, pay
from forcepool.games.europa.ground.soviet_pools import MD
from forcepool.games.europa.ground.standing import taken_over
from forcepool.games.europa.replacements.general.cadres import (
    RebuildAtFullRate,
    RebuildCadre,
    payers_of,
    stands_on_the_map_as_cadre,
)
from forcepool.games.europa.replacements.kinds.mixing import with_mixes
from forcepool.games.europa.unit_types import spelt
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.unit_strings import parse_unit
from forcepool.orderofbattle.words import spelt_one_way
from forcepool.rulebook.citations import computed

GERMANY = "Germany"


class Reorganised(Struct, frozen=True, forbid_unknown_fields=True):
    """What an old division becomes: which types it holds for, and the strength it is rebuilt to."""

    types: tuple[str, ...]
    strength: str
    clause: str


# --------------------------------------------------------------------------------------------- who is bound


def new_organisation(world: EuropaWorld, spec: UnitSpec) -> UnitSpec | None:
    """The division a unit is rebuilt to; none for units that are no German infantry of more than that strength."""
    if spec.nation != GERMANY:
        return None
    strength = _new_strength(world, spec.type)
    return replace(spec, full=strength) if strength and spec.full.points > strength.points else None


@fixed
def _new_strength(world: EuropaWorld, type_: str) -> Strength | None:
    rows = (row.strength for row in world.chart("reorganised") if spelt_one_way(type_) in spelt(row.types))
    strength = next(rows, "")
    return parse_unit(f"{strength} Inf XX").spec.full if strength else None


@computed("52.J.1.a/1")
def is_bound(world: EuropaWorld, state: State, unit: Unit) -> bool:
    """From Jan 1 42 on, a German infantry cadre of 3 or more is not simply rebuilt."""
    if not world.has_passed("german_reorganisation", state) or unit.spec.cadre is None:
        return False
    strong = unit.spec.cadre.points >= world.numbers["reorganised_cadre"]
    return strong and new_organisation(world, unit.spec) is not None


def inactive_md(q: Purchase) -> str:
    """The inactive MD the unit stands in, or the front where that has no MDs there; empty if it stands in none."""
    md = q.areas[0] if q.areas and q.areas[0].startswith((MD, homes.FRONT)) else ""
    return md if md and q.facts.activity(md) == INACTIVE else ""


@rule("52.J.1.a/3", "52.J.1.a/2", "52.J.1.a/4")
def is_rebuilt_to_the_new_organisation(q: Purchase) -> Verdict:
    """Outside inactive MDs such a cadre is rebuilt at once to a 5-7-6 only."""
    if not is_bound(q.world, q.state, q.unit):
        return YES
    if md := inactive_md(q):
        return yes("52.J.1.a/2", f"{the_pool(md)} is inactive")
    if q.reduced:
        return yes("52.J.1.a/4", "it leaves the map for as long")
    new = new_organisation(q.world, q.unit.spec)
    strength, turns = new.full if new else q.unit.spec.full, q.world.numbers["reorganised_time"]
    return no(
        f"{q.unit} cannot go back to {q.unit.spec.full} at once outside an inactive MD",
        remedy=f"make it a {strength} (reorganise), or take it off the map for {turns} turns (refit)",
        also=("52.J.1.a/1",),
    )


@rule("52.J.1.a/1")
def is_to_be_reorganised(q: Purchase) -> Verdict:
    """Only German infantry cadres of 3 or more, from 1942 on, are reorganised or refitted."""
    if is_bound(q.world, q.state, q.unit):
        return YES
    return no(f"{q.unit} is under no such restriction", remedy="rebuild it with rebuild-cadre")


@rule("52.J.1.a/2")
def is_not_rebuilt_normally(q: Purchase) -> Verdict:
    """In an inactive MD there is nothing to get round: the cadre is rebuilt as any other is."""
    md = inactive_md(q)
    if not md:
        return YES
    return no(
        f"{q.unit} stands in {the_pool(md)}, which is inactive, and is rebuilt normally to {q.unit.spec.full}",
        remedy="rebuild it with rebuild-cadre",
        way=Way(instead=RebuildCadre(unit=q.unit.id, pay_from=q.command.pay_from, mix=q.command.mix)),
    )


# ------------------------------------------------------------------------------------------------- commands


@computed("52.J.1.a/3", "52.A.3/4")
def to_the_new_organisation(world: EuropaWorld, spec: UnitSpec, new: UnitSpec) -> tuple[Fraction, str]:
    """The average of 5 and 7, less the cadre."""
    above, below = prices.strength_of(world, new, FULL), prices.strength_of(world, spec, CADRE)
    return above - below, f"{new.full} {show_points(above)} − cadre {show_points(below)}"


def reorganised_name(unit: Unit, new: UnitSpec) -> str:
    """'24 Inf XX (5-7-6)' for what 24 Inf XX becomes."""
    return f"{unit.id} ({new.full})"


class Reorganise(RebuildAtFullRate, tag="reorganise", frozen=True):
    """Rebuild a German infantry cadre on the map to a 5-7-6 division, which takes its place."""

    not_asked = (is_rebuilt_to_the_new_organisation,)
    needs = (stands_on_the_map_as_cadre, is_to_be_reorganised)
    requires = (*RebuildCadre.requires[:-1], is_not_rebuilt_normally, can_pay("52.J.1.a/3"))

    def price(self, q: Purchase) -> Price:
        new = new_organisation(q.world, q.unit.spec)
        assert new is not None
        return prices.price(
            q.world, new, to_the_new_organisation(q.world, q.unit.spec, new), "52.J.1.a/3", ruling=q.switch
        )

    def effects(self, q: Purchase) -> Iterator[Event]:
        new = new_organisation(q.world, q.unit.spec)
        assert new is not None
        unit, name = q.unit, reorganised_name(q.unit, new)
        if name in q.state.units:
            raise BadCommand(f"there is a {name} already; take {unit} out of play with put-unit")
        yield from pay(q)
        yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because="52.J.1.a/3", says=f"{name} takes its place")
        yield Raised(unit=name, spec=new, at=unit.place, because="52.J.1.a/3")
        yield from taken_over(q, name)
        yield Marked(on=unit_key(name), mark=REBUILT, value=FULL)
        if marker := q.facts.mp_marker(unit):
            doubled = marker * int(q.world.numbers["marker_factor"])
            yield Marked(on=unit_key(name), mark=MP_MARKER, value=doubled, because="52.A.9.d/10")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        return _ways(cls, world, state, unit)


class Refit(RebuildAtFullRate, tag="refit", frozen=True):
    """Take a German infantry cadre off the map for a time, to come back at its old full strength."""

    not_asked = (is_rebuilt_to_the_new_organisation,)
    needs = (stands_on_the_map_as_cadre, is_to_be_reorganised)
    requires = (*RebuildCadre.requires[:-1], is_not_rebuilt_normally, can_pay("52.J.1.a/4"))

    def price(self, q: Purchase) -> Price:
        bought = prices.cadre_to_full(q.world, q.unit.spec)
        return prices.price(q.world, q.unit.spec, bought, "52.J.1.a/4", ruling=q.switch)

    def effects(self, q: Purchase) -> Iterator[Event]:
        unit = q.unit
        yield from pay(q)
        yield Became(unit=unit.id, was=unit.step, step=FULL, because="52.J.1.a/4")
        yield Moved(unit=unit.id, frm=unit.place, to=refitted_at(q), because="52.J.1.a/4 52.J.1.a/5")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        return _ways(cls, world, state, unit)


@computed("52.J.1.a/5")
def refitted_at(q: Purchase) -> Place:
    """The replacement track of the front, or of the pocket, that the unit leaves, four turns on."""
    due = q.state.clock.turn + int(q.world.numbers["reorganised_time"])
    if q.pays_locally:
        return Place(TRACK, q.payer, due)
    around = q.world.spot(q.unit.place.of).area
    return Place(TRACK, homes.front_in(q.world, q.facts, around, q.nation) if around else q.payer, due)


def _ways(cls: type[RebuildAtFullRate], world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
    """From each pool that might pay, for a cadre on the map that is under the restriction."""
    if unit.place.kind != HEX or unit.step != CADRE:
        return
    if is_bound(world, state, unit):
        payers = payers_of(world, state, unit)
        yield from with_mixes(world, state, (cls(unit=unit.id, pay_from=payer) for payer in payers))


CHAPTER = Chapter(
    heading="52.J.1.a",
    commands=(Reorganise, Refit),
    guards={RebuildCadre: (is_rebuilt_to_the_new_organisation,)},
    charts={"reorganised": tuple[Reorganised, ...]},
)
