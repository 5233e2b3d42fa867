"""52.D.3.b  The British Empire: infantry RPs serve their own nation's units, and British ones the Indian Army's."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.engine.ledger import is_pool
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, No, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground.prices import INF
from forcepool.games.europa.ground.purchase import Buys, Purchase, how_to_fill, on_hand
from forcepool.games.europa.replacements.contingents.debts import is_borrowed
from forcepool.games.europa.world import NATIONAL, NOT_POOLS, EuropaWorld
from forcepool.rulebook.citations import computed

BRITAIN = "Britain"
ARM = "arm"
BY_NATIONALITY = "52.D.3.b/1"
INDIAN_ARMY, BRITISH_SHARE = "52.D.3.b.v/1", "52.D.3.b.v/2"


class EmpireLine(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the Empire's list: a nation, or some forces of it, that takes its own infantry RPs."""

    nation: str
    clause: str
    forces: tuple[str, ...] = ()
    share: Fraction = Fraction(0)
    """British RPs that may be spent for each RP of its own."""


def line_for(world: EuropaWorld, spec: UnitSpec) -> EmpireLine | None:
    """The line a unit falls under; none outside the Empire."""
    for row in world.chart("empire"):
        if row.nation == spec.nation and (not row.forces or spec.force in row.forces):
            found: EmpireLine = row
            return found
    return None


# ------------------------------------------------------------------------------------------------- infantry


def _of_others(q: Purchase) -> dict[str, Fraction]:
    """Infantry RPs of other nations in the payment, those borrowed from a major power left out."""
    amounts: dict[str, Fraction] = {}
    for part in q.parts:
        if part.kind == INF and part.nation != q.nation and not is_borrowed(q, part):
            amounts[part.nation] = amounts.get(part.nation, Fraction(0)) + part.amount
    return amounts


def _own(q: Purchase) -> Fraction:
    """Infantry RPs of the unit's own nation that the payment needs."""
    others = (part.amount for part in q.parts if part.instead_of == INF and part.nation != q.nation)
    return q.price.amounts.get(INF, Fraction(0)) - sum(others, Fraction(0))


@rule(
    BY_NATIONALITY,
    *("52.D.3.b.i/1", "52.D.3.b.ii/1", "52.D.3.b.iii/1", "52.D.3.b.iv/1"),
    *(INDIAN_ARMY, "52.D.3.b.vi/1", "52.D.3.b.vii/1"),
)
def takes_infantry_of_its_nationality(q: Purchase) -> Verdict:
    """Infantry RPs of the Empire are spent by nationality."""
    line = line_for(q.world, q.unit.spec)
    if line is None or INF not in q.price.amounts:
        return YES
    others = [nation for nation in _of_others(q) if not (line.share and nation == BRITAIN)]
    if others:
        return no(
            f"{q.unit} takes infantry RPs of {q.nation}, not of {' and '.join(others)}",
            remedy=f"pay in infantry RPs of {q.nation}",
            clause=line.clause,
            also=(BY_NATIONALITY,),
        )
    return _others_do_not_make_up(q, line)


def _others_do_not_make_up(q: Purchase, line: EmpireLine) -> Verdict:
    """Where a nation is short, what the others of the Empire hold is of no help, and the player is told so."""
    needed, held = _own(q), on_hand(q, q.nation, INF)
    if needed <= held:
        return YES
    rest = {row.nation for row in q.world.chart("empire")} - {q.nation}
    idle = sorted(
        {
            account.nation
            for account, balance in q.state.balances.items()
            if balance > 0 and account.kind == INF and account.nation in rest and _is_spendable(account.pool)
        }
    )
    if not idle:
        return YES
    return no(
        f"{the_pool(q.payer)} holds {show_points(held)} of {show_points(needed)} inf of {q.nation}, and those of "
        f"{' and '.join(idle)} do not serve {q.unit}",
        remedy=how_to_fill(q, q.payer, q.nation, INF, needed - held),
        clause=line.clause,
        also=(BY_NATIONALITY,),
        have=held,
        need=needed,
    )


def _is_spendable(pool: str) -> bool:
    return is_pool(pool) and not pool.startswith(NOT_POOLS)


# --------------------------------------------------------------------------------------- the British share


@computed(BRITISH_SHARE)
def most_british(share: Fraction, own: Fraction) -> Fraction:
    """The British infantry RPs that may go with so many Indian ones, in proportion."""
    return own * share


def british_share(q: Any, part: Part) -> Verdict | None:
    """With each Indian RP spent on an Indian Army unit half a British one may be spent, and need not be."""
    line = line_for(q.world, q.unit.spec)
    if line is None or part.kind != part.instead_of or part.nation != BRITAIN or part.nation == q.nation:
        return None
    if part.kind == ARM:
        return yes(BY_NATIONALITY, "armour RPs are not bound to a nation of the Empire")
    if part.kind != INF or not line.share:
        return None
    british, own = _of_others(q).get(BRITAIN, Fraction(0)), _own(q)
    most = most_british(line.share, own)
    if british <= most:
        return yes(BRITISH_SHARE, f"{show_points(british)} British with {show_points(own)} of {q.nation}")
    return _too_british(q, british, own, most)


def _too_british(q: Purchase, british: Fraction, own: Fraction, most: Fraction) -> No:
    return no(
        f"{show_points(british)} British inf with {show_points(own)} of {q.nation}, where {show_points(most)} may go",
        remedy=f"spend two RPs of {q.nation} for each British one",
        clause=BRITISH_SHARE,
        also=(INDIAN_ARMY,),
        have=british,
        need=most,
    )


def british_parts(q: Purchase) -> Iterator[Part]:
    """Britain's share in an Indian unit, and British armour beside a nation's own."""
    line = line_for(q.world, q.unit.spec)
    if line is None:
        return
    if line.share and INF in q.price.amounts:
        own = q.price.amounts[INF] / (1 + line.share)
        yield Part(most_british(line.share, own), INF, BRITAIN, INF)
    if ARM in q.price.amounts and q.drawn(q.nation, ARM)[1] != BRITAIN:
        yield Part(q.price.amounts[ARM], ARM, BRITAIN, ARM)


# ------------------------------------------------------------------------------------------------- armour


def british_armour(q: Any, nation: str, kind: str) -> tuple[str, str] | None:
    """A nation of the Empire that holds no armour RPs of its own draws on the British ones."""
    if kind != ARM or nation != q.nation or nation == BRITAIN or line_for(q.world, q.unit.spec) is None:
        return None
    if q.state.balance(q.payer, nation, ARM):
        return None
    return (NATIONAL + BRITAIN if q.payer.startswith(NATIONAL) else q.payer), BRITAIN


CHAPTER = Chapter(
    heading="52.D.3.b",
    guards={Buys: (takes_infantry_of_its_nationality,)},
    permits=(british_share,),
    mixes=(british_parts,),
    draws_on=(british_armour,),
    charts={"empire": tuple[EmpireLine, ...]},
)
