"""52.D.3.c  The French: metropolitan, African and colonial infantry RPs, and which force may use which."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.engine.facts import YES_NO, Fact, subject_key
from forcepool.engine.ledger import Price
from forcepool.engine.points import show_points
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground.prices import INF
from forcepool.games.europa.ground.purchase import Buys, Purchase
from forcepool.games.europa.ground.tallies import FRANCE, FREE_FRANCE, FREE_FRENCH
from forcepool.games.europa.replacements.general import receipt_chart
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import asked, computed

METROPOLITAN = "Metropolitan"
AFRICAN_INF, COLONIAL_INF = "inf-afr", "inf-col"
KINDS = (INF, AFRICAN_INF, COLONIAL_INF)
WORDS = {INF: "metropolitan", AFRICAN_INF: "African", COLONIAL_INF: "colonial"}
IN_EXILE, GENERATES = "in_exile", "generates_metropolitan"
BY_FORCE, NONE_GENERATED = "52.D.3.c/1", "52.D.3.c.i/2"
AT_HOME = ("52.D.3.c.i/1", "52.D.3.c.ii/1", "52.D.3.c.iii/1", "52.D.3.c.iv/1")
EXILED = ("52.D.3.c.exile.i/1", "52.D.3.c.exile.ii/1", "52.D.3.c.exile.iii/1")


class ForceInfantry(Struct, frozen=True, forbid_unknown_fields=True):
    """The kind of infantry RP that is a force's own."""

    nations: tuple[str, ...]
    forces: tuple[str, ...]
    kind: str


class FrenchLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the lists: the kinds of infantry RP some forces take, their own first."""

    forces: tuple[str, ...]
    takes: tuple[str, ...]
    clause: str
    least: Fraction = Fraction(0)
    """The least part that must be of their own kind."""
    exile: bool | None = None
    """Whether it holds with the government in exile or at home; left out, both."""


# ------------------------------------------------------------------------------------------------ the lists


@asked(BY_FORCE)
def in_exile(world: EuropaWorld, state: State) -> bool:
    """Whether the French government is in exile, as the players declare."""
    return world.facts(state).of_nation(FRANCE, IN_EXILE) is True


def line_for(q: Purchase) -> FrenchLine:
    """The line a unit falls under now; what is of no force the lists name counts as metropolitan."""
    exile, force = in_exile(q.world, q.state), FREE_FRENCH if q.nation == FREE_FRANCE else q.unit.spec.force
    rows = [row for row in q.world.chart("french_forces") if row.exile in (None, exile)]
    named = next((row for row in rows if force in row.forces), None)
    line: FrenchLine = named or next(row for row in rows if METROPOLITAN in row.forces)
    return line


@computed(NONE_GENERATED)
def generates_metropolitan(world: EuropaWorld, state: State) -> bool:
    """Whether its side generates metropolitan RPs: as declared, else as the charts say; the balance does not matter."""
    said = world.facts(state).declared(subject_key("nation", FRANCE), GENERATES)
    if said is not None:
        return said is True
    french = [line for line in receipt_chart.lines(world) if line.nation == FRANCE]
    now = state.clock.turn
    return not french or any(
        INF in line.points and line.first <= now and (line.last is None or now <= line.last) for line in french
    )


# ------------------------------------------------------------------------------------------------ the price


def _named(q: Purchase) -> dict[str, Fraction]:
    """What the mix pays of the infantry price, by the kind of RP it says it stands for."""
    amounts: dict[str, Fraction] = {}
    for part in q.parts if getattr(q.command, "mix", "") else ():
        if part.instead_of in KINDS and part.nation == FRANCE:
            amounts[part.instead_of] = amounts.get(part.instead_of, Fraction(0)) + part.amount
    return amounts


def in_kinds_of_its_force(q: Any, price: Price) -> Price:
    """A French unit pays in infantry RPs of its own force, except for what the mix names."""
    if q.nation != FRANCE:
        return price
    cost = sum((amount for kind, amount in price.amounts.items() if kind in KINDS), Fraction(0))
    if not cost:
        return price
    own, named = q.world.infantry_of(q.unit.spec), _named(q)
    left = cost - sum(named.values(), Fraction(0))
    if left < 0:
        named, left = {}, cost
    amounts = {kind: amount for kind, amount in price.amounts.items() if kind not in KINDS}
    infantry = {**named, own: named.get(own, Fraction(0)) + left}
    return Price(
        {**{kind: infantry[kind] for kind in KINDS if infantry.get(kind)}, **amounts}, price.working, price.because
    )


def french_kinds_mix(q: Any, part: Part) -> Verdict | None:
    """One kind of French infantry RP stands for another in a mix; which may, the lists say."""
    if (part.nation, q.nation, q.unit.spec.force) == (FREE_FRANCE, FRANCE, FREE_FRENCH):
        return YES if part.kind == INF or part.kind == part.instead_of else None
    french = part.kind in KINDS and part.instead_of in KINDS and part.nation == FRANCE
    return YES if french and q.nation in (FRANCE, FREE_FRANCE) else None


def french_parts(q: Purchase) -> Iterator[Part]:
    """The other kinds of infantry RP that the unit's line takes, or all where no metropolitan ones are generated."""
    if q.nation not in (FRANCE, FREE_FRANCE):
        return
    if q.nation == FRANCE and q.unit.spec.force == FREE_FRENCH:
        others = (kind for kind in q.price.amounts if kind not in KINDS)
        yield from (Part(q.price.amounts[kind], kind, FREE_FRANCE, kind) for kind in others)
    cost = sum((amount for kind, amount in q.price.amounts.items() if kind in KINDS), Fraction(0))
    if not cost:
        return
    line, own = line_for(q), q.world.infantry_of(q.unit.spec)
    home = METROPOLITAN in line.forces and line.exile is False
    takes = KINDS if home and not generates_metropolitan(q.world, q.state) else line.takes
    for kind in takes:
        if kind != own or q.nation == FREE_FRANCE:
            most = cost if kind == line.takes[0] or kind not in line.takes else cost * (1 - line.least)
            yield Part(most, kind, FRANCE, own)
    if q.nation == FRANCE and q.unit.spec.force == FREE_FRENCH:
        yield Part(cost, INF, FREE_FRANCE, own)


# ------------------------------------------------------------------------------------------------- the rule


def _paid(q: Purchase) -> dict[str, Fraction]:
    """The French infantry RPs of a payment, by kind."""
    paid: dict[str, Fraction] = {}
    for nation, kind, amount in q.payments:
        if nation == FRANCE and kind in KINDS:
            paid[kind] = paid.get(kind, Fraction(0)) + amount
    return paid


@rule(BY_FORCE, *AT_HOME, NONE_GENERATED, *EXILED)
def takes_infantry_of_its_force(q: Purchase) -> Verdict:
    """French infantry RPs are spent by force, and otherwise while the government is in exile."""
    if q.nation not in (FRANCE, FREE_FRANCE):
        return YES
    line, paid = line_for(q), _paid(q)
    strange = [kind for kind in paid if kind not in line.takes]
    if not strange:
        return _enough_of_its_own(q, line, paid)
    home = METROPOLITAN in line.forces and line.exile is False
    if home and not generates_metropolitan(q.world, q.state):
        return yes(NONE_GENERATED, "its side generates no metropolitan RPs")
    return no(
        f"{q.unit} takes {_kinds(line.takes)} inf RPs, not {_kinds(strange)} ones",
        remedy=f"pay in {_kinds(line.takes)} inf RPs ({', '.join(line.takes)})",
        clause=line.clause,
        also=(BY_FORCE, NONE_GENERATED) if home else (BY_FORCE,),
    )


def _enough_of_its_own(q: Purchase, line: FrenchLine, paid: Mapping[str, Fraction]) -> Verdict:
    total, own = sum(paid.values(), Fraction(0)), paid.get(line.takes[0], Fraction(0))
    least = total * line.least
    if own < least:
        return no(
            f"{show_points(own)} of {show_points(total)} inf are {WORDS[line.takes[0]]}, at least "
            f"{show_points(least)} must be",
            remedy=f"pay more of it in {line.takes[0]}",
            clause=line.clause,
            also=(BY_FORCE,),
            have=own,
            need=least,
        )
    return yes(line.clause) if own < total else YES


def _kinds(kinds: Any) -> str:
    return " or ".join(WORDS[kind] for kind in kinds)


CHAPTER = Chapter(
    heading="52.D.3.c",
    points=(AFRICAN_INF, COLONIAL_INF),
    facts=(
        Fact(IN_EXILE, ("nation",), "its government is in exile", False, YES_NO),
        Fact(
            GENERATES,
            ("nation",),
            "the side that controls its metropolitan units generates metropolitan RPs",
            True,
            YES_NO,
        ),
    ),
    guards={Buys: (takes_infantry_of_its_force,)},
    permits=(french_kinds_mix,),
    mixes=(french_parts,),
    prices=(in_kinds_of_its_force,),
    charts={"force_infantry": tuple[ForceInfantry, ...], "french_forces": tuple[FrenchLine, ...]},
)
