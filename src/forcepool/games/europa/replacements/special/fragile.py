"""52.H  Fragile units: divisions whose place another takes once lost, and units that give back little or nothing."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked, Moved, Raised
from forcepool.engine.facts import WORDS, Fact, kept, unit_key
from forcepool.engine.given import Area, Mix, Pool, UnitName
from forcepool.engine.ledger import Price
from forcepool.engine.places import HEX, OUT, OUT_OF_PLAY, Place
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import the_field, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.units import CADRE, FULL, UnitSpec
from forcepool.engine.verdicts import YES, Remedy, Verdict, Way, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import MP_MARKER, REBUILT, EuropaFacts
from forcepool.games.europa.ground import prices, tallies
from forcepool.games.europa.ground.purchase import Purchase, can_pay, pay
from forcepool.games.europa.ground.standing import taken_over
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.replacements.general.cadres import (
    RebuildCadre,
    RebuildsInItsOwnWay,
    stands_on_the_map_as_cadre,
)
from forcepool.games.europa.replacements.general.scrapping import SCRAPPED
from forcepool.games.europa.replacements.kinds.mixing import with_mixes
from forcepool.games.europa.replacements.special import casualties
from forcepool.games.europa.replacements.special.special import LOST_AS
from forcepool.games.europa.unit_types import is_of_type
from forcepool.games.europa.world import ELIMINATED, ISOLATED, NATIONAL, EuropaWorld
from forcepool.orderofbattle.unit_strings import parse_unit
from forcepool.rulebook.citations import computed, meets_one_of

SUBSTITUTE = "substitute"


class Fragile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the fragile units: which they are, from when until when, and what takes their place."""

    clause: str
    nations: tuple[str, ...] = ()
    types: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    strengths: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    """One of these words must stand in its type, force, affiliation or traits."""
    unless: tuple[str, ...] = ()
    """None of these may; 'foreign' stands for any affiliation."""
    since: str = ""
    until: str = ""
    """Dates of the profile, the turn itself included."""
    substitute: str = ""
    keeps_cadre: bool = False
    """Its cadre may be rebuilt to its own full strength."""


# -------------------------------------------------------------------------------------------- which they are


@meets_one_of("52.H.1.a.1/1", "52.H.1.a.1/2", "52.H.1.a.1/3", "52.H.1.a.2/1", "52.H.1.b/1", "52.H.1.c/1")
@computed("52.H/1", "52.H.1/4")
def substitution(world: EuropaWorld, state: State, spec: UnitSpec) -> Fragile | None:
    """The line that gives a division a substitute; none for those the orders of battle do not list."""
    return _first(world, world.facts(state), spec, "substitutions")


@meets_one_of("52.H.2/1", "52.H.2.a/1")
@computed("52.H/1")
def without_substitute(world: EuropaWorld, state: State, spec: UnitSpec) -> Fragile | None:
    """The line that makes a unit fragile without a substitute."""
    return None if substitution(world, state, spec) else _first(world, world.facts(state), spec, "fragile_units")


@kept
def _first(world: EuropaWorld, facts: EuropaFacts, spec: UnitSpec, chart: str) -> Fragile | None:
    for row in world.chart(chart):
        if spec.nation in row.nations and _fits(world, facts.state, spec, row):
            found: Fragile = row
            return found
    return None


def _fits(world: EuropaWorld, state: State, spec: UnitSpec, row: Fragile) -> bool:
    now, words = state.clock.turn, words_of(spec)
    return (
        (not row.types or is_of_type(row.types, spec))
        and is_of_its_size(spec, row)
        and (not row.strengths or str(spec.full) in row.strengths)
        and (not row.traits or any(word.casefold() in words for word in row.traits))
        and not (row.unless and is_excepted(words, row))
        and (not row.since or now >= world.dates[row.since])
        and (not row.until or now <= world.dates[row.until])
    )


@computed("52.H.2/2")
def is_of_its_size(spec: UnitSpec, row: Fragile) -> bool:
    """A line about divisions is about divisions, not about corps of their size."""
    return not row.sizes or spec.size in row.sizes


@computed("52.H.1.a/1")
def is_excepted(words: frozenset[str], row: Fragile) -> bool:
    """Guards, NKVD and foreign contingents are no fragile divisions."""
    return any(word.casefold() in words for word in row.unless)


def words_of(spec: UnitSpec) -> frozenset[str]:
    """All that a unit is called, in small letters."""
    named = " ".join((spec.type, spec.force, spec.affiliation, *spec.traits)).casefold()
    return frozenset((*named.split(), *(("foreign",) if spec.affiliation else ())))


# ------------------------------------------------------------------------------------------------- exchanging


def substitute_spec(row: Fragile, spec: UnitSpec) -> UnitSpec:
    """The substitute's counter: the strength of the chart, nation and number of the division it stands for."""
    return replace(parse_unit(row.substitute).spec, nation=spec.nation, designation=spec.designation)


def substitute_name(unit: Unit, row: Fragile) -> str:
    """'24 Rifle XX (3-6)' for the substitute of 24 Rifle XX."""
    return f"{unit.id} ({substitute_spec(row, unit.spec).full})"


@computed("52.H.1/1")
def exchanged(state: State, unit: Unit, row: Fragile, to: Place, because: str) -> Iterator[Event]:
    """The division leaves play, and its substitute goes where it would have gone."""
    spec = substitute_spec(row, unit.spec)
    name = substitute_name(unit, row)
    yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because=because, says=f"{name} takes its place")
    yield Marked(on=unit_key(unit.id), mark=SUBSTITUTE, value=[name, row.clause], because=row.clause)
    known = state.units.get(name)
    if known is None:
        yield Raised(unit=name, spec=spec, at=to, because=because)
    elif known.place.kind == OUT:
        yield Moved(unit=name, frm=known.place, to=to, because=because)
    else:
        raise BadCommand(f"{name} is in play already; take {unit} out of play with put-unit")


@rule("52.H.1/1", "52.H.1.b/1")
def has_no_substitute_in_play(q: Any) -> Verdict:
    """A division whose place another has taken is never replaced again."""
    taken = q.facts.value(q.key(), SUBSTITUTE)
    if not taken or q.unit.place.kind != OUT:
        return YES
    clause = "52.H.1.b/1" if taken[1] == "52.H.1.b/1" else ""
    return no(
        f"{q.unit} cannot come back at {q.unit.spec.full}",
        remedy=f"replace {the_unit(taken[0])} instead",
        clause=clause,
    )


# ------------------------------------------------------------------------------------------------ rebuilding


@rule("52.H.1/2", "52.H.1.b/2")
def cadre_is_not_fragile(q: Purchase) -> Verdict:
    """A fragile division's cadre is rebuilt to its substitute only; Finnish ones keep their strength."""
    row = substitution(q.world, q.state, q.unit.spec)
    if row is None:
        return YES
    if row.keeps_cadre:
        return yes("52.H.1.b/2", "its cadre may be rebuilt to its own strength")
    return no(
        f"{q.unit} is fragile and cannot be rebuilt to {q.unit.spec.full}",
        remedy=_as_its_substitute(q, row.substitute),
    )


def _as_its_substitute(q: Purchase, substitute: str) -> Remedy:
    """To rebuild it as its substitute from the same pool, which its own rules may still refuse."""
    words = f"rebuild-substitute turns it into a {substitute}"
    if q.unit.place.kind != HEX:
        return Remedy(words)
    return Remedy(words, Way(instead=RebuildSubstitute(unit=q.unit.id, pay_from=q.command.pay_from)))


class Exchanging(Purchase):
    """A fragile division's cadre to be rebuilt as its substitute."""

    @lazy
    def row(self) -> Fragile | None:
        row = substitution(self.world, self.state, self.unit.spec)
        return None if row is None or row.keeps_cadre else row

    @lazy
    def becomes(self) -> UnitSpec:
        return substitute_spec(self.row, self.unit.spec) if self.row else self.unit.spec


@rule("52.H.1/3")
def has_a_substitute(q: Exchanging) -> Verdict:
    """Only a fragile division is exchanged for a substitute on rebuilding."""
    if q.row is not None:
        return YES
    return no(f"{q.unit} has no substitute", remedy="rebuild-cadre brings it to its own full strength")


@computed("52.H.1/2")
def cadre_to_substitute(world: EuropaWorld, spec: UnitSpec, substitute: UnitSpec) -> tuple[Fraction, str]:
    """The substitute's strength less the cadre's; nothing if the cadre is as strong."""
    above, below = prices.strength_of(world, substitute, FULL), prices.strength_of(world, spec, CADRE)
    return max(above - below, Fraction(0)), f"substitute {show_points(above)} − cadre {show_points(below)}"


class RebuildSubstitute(RebuildsInItsOwnWay, tag="rebuild-substitute", frozen=True):
    """Rebuild a fragile division's cadre to the strength of its substitute, which takes its place."""

    unit: UnitName
    pay_from: Pool
    """The pool that pays: its front's, its nation's, or its pocket's."""
    mix: Mix = ""
    """Parts paid in other points where a national rule lets it."""
    reduced: bool = False
    """Always no: the exchange is made on the map."""
    track: Area = ""
    """Always left out, for the same reason."""

    question = Exchanging
    not_asked = (cadre_is_not_fragile,)
    needs = (stands_on_the_map_as_cadre, has_a_substitute)
    requires = (*RebuildCadre.requires[:-1], can_pay("52.H.1/2"))

    def price(self, q: Exchanging) -> Price:
        assert q.row is not None
        spec = substitute_spec(q.row, q.unit.spec)
        return prices.price(q.world, spec, cadre_to_substitute(q.world, q.unit.spec, spec), "52.H.1/2", ruling=q.switch)

    def effects(self, q: Exchanging) -> Iterator[Event]:
        assert q.row is not None
        for field, said in (("reduced", self.reduced), ("track", self.track)):
            if said:
                raise BadCommand(f"a substitute is placed where its cadre stood; leave out {the_field(field)}")
        yield from pay(q)
        name = substitute_name(q.unit, q.row)
        yield from exchanged(q.state, q.unit, q.row, q.unit.place, "52.H.1/3")
        yield from taken_over(q, name)
        yield Marked(on=unit_key(name), mark=REBUILT, value=FULL)
        if marker := q.facts.mp_marker(q.unit):
            doubled = marker * int(q.world.numbers["marker_factor"])
            yield Marked(on=unit_key(name), mark=MP_MARKER, value=doubled, because="52.A.9.d/10")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        row = substitution(world, state, unit.spec)
        if row is not None and not row.keeps_cadre:
            orders = RebuildCadre.offers(world, state, unit)
            payers = dict.fromkeys(each.pay_from for each in orders if isinstance(each, RebuildCadre))
            yield from with_mixes(world, state, (cls(unit=unit.id, pay_from=payer) for payer in payers))


# ------------------------------------------------------------------------------- fragile without substitute


class Counting(EuropaQuestion):
    """A fragile unit lost since its owner's losses were last counted."""

    command: "CountFragile"

    @lazy
    def lost_as(self) -> list[str]:
        """The step it was lost at, how it was isolated, and the front, as noted when it was lost."""
        value = self.world.facts(self.state).value(unit_key(self.unit.id), LOST_AS)
        lies = self.unit.place.kind in (ELIMINATED, ISOLATED)
        return value if isinstance(value, list) and lies else []

    @lazy
    def loss(self) -> Price:
        as_lost = replace(self.unit, step=self.lost_as[0])
        return casualties.taken(self.world, self.state, as_lost, casualties.GONE)


@rule("52.H.2.b/1")
def waits_to_be_counted(q: Counting) -> Verdict:
    """A fragile unit may be counted until its owner's losses are."""
    if q.lost_as:
        return YES
    return no(f"{q.unit} is no fragile unit that was lost since the last count")


class CountFragile(Command, tag="count-fragile", frozen=True):
    """Count a fragile unit for special replacements; it then goes to a box one level worse."""

    harms = True

    unit: UnitName
    question = Counting
    needs = (waits_to_be_counted,)

    def effects(self, q: Counting) -> Iterator[Event]:
        unit, (_, how, of) = q.unit, q.lost_as
        says = f"{unit} eliminated: {q.loss.working}"
        yield from tallies.take(unit.spec, q.loss, how, of, "52.H.2.b/1", says)
        scrapped = unit.place.kind == ISOLATED
        to = OUT_OF_PLAY if scrapped else Place(ISOLATED, NATIONAL + unit.spec.nation)
        yield Moved(
            unit=unit.id,
            frm=unit.place,
            to=to,
            because="52.H.2.b/1",
            says="scrapped" if scrapped else "one level worse",
        )
        yield Marked(on=unit_key(unit.id), mark=LOST_AS)
        if scrapped:
            yield Marked(on=unit_key(unit.id), mark=SCRAPPED, value=True, because="52.H.2.b/1")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if state.mark(unit_key(unit.id), LOST_AS) is not None:
            yield cls(unit=unit.id)


def choices(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Fragile units that may still be counted for special replacements."""
    for on in sorted(state.marked.get(LOST_AS, ())):
        command = CountFragile(unit=on.removeprefix("unit/"))
        q = Counting(world, state, command)
        if not q.lost_as:
            continue
        worse = "it is scrapped" if q.unit.place.kind == ISOLATED else "it goes to the ELIMINATED ISOLATED BOX"
        text = f"{q.unit} is fragile: count {show_amounts(q.loss.amounts)} for special replacements, and {worse}"
        yield Item(OPEN, text, "52.H.2.b/1", world.side_now(state, q.unit.spec.nation), command)


CHAPTER = Chapter(
    heading="52.H",
    commands=(RebuildSubstitute, CountFragile),
    guards={RebuildCadre: (cadre_is_not_fragile,)},
    facts=(Fact(SUBSTITUTE, ("unit",), "the division that took its place", [], WORDS, by_hand=False),),
    charts={"substitutions": tuple[Fragile, ...], "fragile_units": tuple[Fragile, ...]},
    agenda=(choices,),
)
