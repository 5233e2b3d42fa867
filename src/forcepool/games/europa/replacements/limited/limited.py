"""52.A.8 and 52.A.10  Limited replacements: a nation's monthly allowances, and what draws on them."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from msgspec.structs import replace

from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import kept
from forcepool.engine.ledger import SPENT, Price
from forcepool.engine.places import OUT_OF_PLAY
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL, REMNANT
from forcepool.engine.verdicts import YES, No, Remedy, Rule, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground import transport
from forcepool.games.europa.ground.purchase import REPLACEMENT, Purchase
from forcepool.games.europa.ground.soviet_pools import GENERAL, MD, SOVIET, invasion
from forcepool.games.europa.question import by_order, first_of_month, in_a_later, in_phase_of
from forcepool.games.europa.replacements.axis.foreign_contingents import ReplaceContingent
from forcepool.games.europa.replacements.axis.reorganisation import Refit, Reorganise
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.general.building_tracks import tracks
from forcepool.games.europa.replacements.general.cadres import RebuildCadre, RebuildRemnant
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.replacements.limited.allowances import begin_on, has_begun, has_had_its_month, most_on_hand
from forcepool.games.europa.replacements.limited.limited_types import (
    CAPACITY,
    LIMITED,
    UNITS,
    Limit,
    LimitedType,
    Need,
    SideList,
    invasion_turn,
    is_limited,
    keeper_for,
    list_of,
    needs,
    size_at,
    types_of,
)
from forcepool.games.europa.replacements.limited.never_replaced import (
    NeverReplaced,
    allied_unit_may_be_replaced,
    axis_unit_may_be_replaced,
)
from forcepool.games.europa.replacements.special.fragile import RebuildSubstitute
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed, meets_one_of

REBUILD_RES = switch(
    "limited-rebuild",
    "52.A.10.b/1",
    "the limited REs that a cadre's rebuild uses",
    half_the_difference="half of the difference between full and cadre REs",
    half_the_full_size="half of the full unit's REs",
    half_the_cadre="half of the cadre's REs",
)
OWN_POOL = switch(
    "limited-own-pool",
    "52.A.8/2",
    "what binds an eliminated limited unit to its own national pool",
    box_and_points="it lies in the national ELIMINATED BOX and national RPs pay",
    points="only the RPs must be national",
    own_nation="only another nation's pool is forbidden",
    box_and_points_or_soviet_mds="as the first, but Soviet MD pools may pay too",
)


OF_A_SUBSTITUTE = switch(
    "substitute-limited-res",
    "52.H.1/3",
    "by which counter limited REs go where a cadre is rebuilt as its substitute",
    substitute="the substitute's: what is built is what is counted",
    original="the original division's",
)

LINES = (
    *(f"52.D.1.b.{line}/1" for line in ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")),
    *(f"52.D.2.f.{line}/1" for line in ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")),
    *(f"52.D.3.a.{line}/1" for line in ("i", "ii", "iii", "iv", "v", "vi", "vii")),
    *("52.D.1.b/1", "52.D.1.b/3", "52.D.2.f/1", "52.D.3.a/1", "52.D.3.a/2", "52.D.2.f.ix/3"),
)
"""The lists that allowances are kept by, and what stands over them."""


# ------------------------------------------------------------------------------------------ what a purchase takes


Needs = tuple[Need, ...]


def to_replace(q: Any) -> Needs:
    """What an eliminated unit takes: the REs of what is built, or one unit where units are counted."""
    return _to_replace(q.world, q.facts, _counted_as(q), q.goal)


@kept
def _to_replace(world: EuropaWorld, facts: EuropaFacts, unit: Unit, goal: str) -> Needs:
    def built(limit: Limit, kind: LimitedType) -> Fraction:
        return Fraction(1) if limit.counts == UNITS else size_at(world, facts.state, unit, kind, goal)

    return needs(world, facts.state, unit, built)


def to_rebuild_remnant(q: Purchase) -> Needs:
    """What a remnant's step takes: the difference of REs."""
    return needs(q.world, q.state, q.unit, partial(_difference, q.world, q.facts, q.unit, CADRE, REMNANT))


def to_rebuild_cadre(q: Purchase) -> Needs:
    """What a cadre's step takes: half of the limited REs, or all of them for winterized units."""
    return _to_rebuild_cadre(q.world, q.facts, _counted_as(q))


@kept
def _to_rebuild_cadre(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> Needs:
    return needs(world, facts.state, unit, partial(cadre_res, world, facts, unit))


def _counted_as(q: Any) -> Unit:
    """The unit as far as limited REs go: all of a kind take the same, unless what they carry is what counts."""
    spec = q.unit.spec if q.switch(OF_A_SUBSTITUTE.key) == "original" else q.becomes
    unit = Unit(q.unit.id, spec, OUT_OF_PLAY, q.unit.step)
    itself = any(each.counts == CAPACITY for each in types_of(q.world, q.state, unit))
    return unit if itself else Unit("", unit.spec, OUT_OF_PLAY, unit.step)


def _difference(
    world: EuropaWorld, facts: EuropaFacts, unit: Unit, above: str, below: str, limit: Limit, kind: LimitedType
) -> Fraction:
    if limit.counts == UNITS:
        return Fraction(above == FULL)
    return size_at(world, facts.state, unit, kind, above) - size_at(world, facts.state, unit, kind, below)


@computed("52.A.10.b/1")
def cadre_res(world: EuropaWorld, facts: EuropaFacts, unit: Unit, limit: Limit, kind: LimitedType) -> Fraction:
    """Half of the difference between full and cadre REs, unless the list counts the whole."""
    difference = _difference(world, facts, unit, FULL, CADRE, limit, kind)
    if limit.whole_rebuild:
        return difference
    share, ruled = world.numbers["limited_rebuild_share"], world.ruling(facts.state, REBUILD_RES.key)
    if limit.counts == UNITS or ruled == "half-the-difference":
        return share * difference
    return share * size_at(world, facts.state, unit, kind, FULL if ruled == "half-the-full-size" else CADRE)


# --------------------------------------------------------------------------------------------------- the rules


def _left(q: Purchase, category: str) -> Fraction:
    return q.state.balance(LIMITED, keeper_for(q.world, q.state, q.unit.spec), category)


def _suffices(q: Purchase, wanted: Needs, *clauses: str) -> Verdict:
    short = [need for need in wanted if _left(q, need.limit.category) < need.amount]
    if not short:
        return YES
    first, lists = short[0], list_of(q.world, q.state, q.nation)
    keeper = keeper_for(q.world, q.state, q.unit.spec)
    if not has_begun(q.world, q.state, keeper):
        return _before_the_invasion(q, first)
    says = "; ".join(f"{_amount(each)}, {keeper} has {show_points(_left(q, each.limit.category))}" for each in short)
    ever = ("52.A.10/3",) if first.amount > most_on_hand(q.world, first.limit) else ()
    also = dict.fromkeys((*clauses, *ever, *_why(wanted, lists), *(each.limit.clause for each in short)))
    return no(
        f"{q.unit} needs {says}",
        remedy=_remedy(q, first),
        clause=first.limit.clause,
        have=_left(q, first.limit.category),
        need=first.amount,
        also=tuple(clause for clause in also if clause != first.limit.clause),
    )


def _before_the_invasion(q: Purchase, need: Need) -> Verdict:
    """Where allowances begin after an invasion, there is none to draw on up to then."""
    undeclared = q.state.clock.turn >= invasion_turn(q.world, q.state) and invasion(q.world, q.state) is None
    begin = begin_on(q.world, q.state)
    wait = in_a_later(q, begin, f"wait for {q.world.turn_name(begin)}")
    return no(
        f"{q.unit} needs {_amount(need)}, and limited REs begin the turn after the invasion",
        remedy="declare the invasion" if undeclared else wait,
        clause="52.D.2.f/3",
        also=(need.limit.clause, "52.A.10/2"),
        have=_left(q, need.limit.category),
        need=need.amount,
    )


def _why(wanted: Needs, lists: SideList) -> tuple[str, ...]:
    combined = (lists.combined,) if len(wanted) > 1 else ()
    types = (clause for each in wanted for clause in (each.type.clause, each.type.defined) if clause)
    return ("52.A.10/2", lists.ceilings, *combined, *types)


def _amount(need: Need) -> str:
    counted = "unit" if need.limit.counts == UNITS else "RE"
    return f"{show_points(need.amount)} {need.limit.category} {counted}"


def _remedy(q: Purchase, need: Need) -> str | Remedy:
    """The month in which what is saved and what is given come to enough; none where they never do."""
    most, monthly = most_on_hand(q.world, need.limit), need.limit.monthly
    if need.amount > most:
        return f"no month ever has more than {show_points(most)}: it cannot be had"
    never = need.limit.only and keeper_for(q.world, q.state, q.unit.spec) not in need.limit.only
    if not monthly or never:
        return ""
    months = -(-(need.amount - _left(q, need.limit.category)) // monthly)
    # Before its own initial phase on the first turn of a month, that month's are still to come.
    last = q.state.clock.turn - (not has_had_its_month(q.world, q.state, q.side))
    turn = first_of_month(q.world, last, int(months))
    words = f"wait for {q.world.turn_name(turn)}: {show_points(monthly)} come each month"
    return in_phase_of(q, turn, REPLACEMENT, words)


@rule("52.A.8/4", "52.A.10/2", "52.A.11/30")
def has_limited_res_to_replace(q: Purchase) -> Verdict:
    """An eliminated limited unit needs its REs of every category it falls under."""
    return _suffices(q, to_replace(q), "52.A.8/4", "52.A.11/30")


@rule("52.A.8/4", "52.A.10/2")
def has_limited_res_for_the_remnant(q: Purchase) -> Verdict:
    """A limited remnant needs the REs by which its cadre is larger."""
    return _suffices(q, to_rebuild_remnant(q), "52.A.8/4")


@rule("52.A.10.b/1", "52.A.8/3", "52.A.8/4")
def has_limited_res_for_the_cadre(q: Purchase) -> Verdict:
    """A limited cadre on the map needs half of its limited REs, whichever pool pays."""
    wanted = to_rebuild_cadre(q)
    verdict = _suffices(q, wanted, "52.A.10.b/1", "52.A.8/4")
    if isinstance(verdict, No):
        return no(
            verdict.sentence,
            remedy=", or ".join(filter(None, (verdict.advice, "take it to a training unit of its type"))),
            clause=verdict.clause,
            have=verdict.have,
            need=verdict.need,
            also=verdict.also,
            ways=verdict.ways,
        )
    return yes("52.A.8/3") if wanted and not q.payer.startswith(NATIONAL) else YES


@rule("52.A.8/2")
def limited_unit_is_built_in_its_national_pool(q: Purchase) -> Verdict:
    """An eliminated limited unit is built in its own nation's pool: its box, and its points."""
    ruled = q.switch(OWN_POOL.key)
    if not is_limited(q.world, q.state, q.unit):
        return YES
    if ruled == "own-nation":
        foreign = q.payer.startswith(NATIONAL) and q.payer != NATIONAL + q.nation
        return (
            no(f"{the_pool(q.payer)} is another nation's", remedy=f"pay from a pool of {q.nation}") if foreign else YES
        )
    own, where = NATIONAL + q.nation, q.unit.place.of
    if ruled != "points" and where != own:
        return no(
            f"{q.unit} is limited and lies in the box of {the_pool(where)}, not of {the_pool(own)}",
            remedy=_to_its_own_box(q, own, ruled),
        )
    if _is_national(q, ruled):
        return YES
    return no(
        f"{q.unit} is limited and {the_pool(q.payer)} is no national pool",
        remedy=f"move the points to {the_pool(own)} and pay from it",
    )


def _to_its_own_box(q: Purchase, own: str, ruled: str) -> list[Remedy]:
    """To transfer the unit to its nation's box, by the first way that is open, and to pay from the nation's pool."""
    words = f"transfer it to the ELIMINATED BOX of {the_pool(own)} first"
    then = None
    if not _is_national(q, ruled):
        words, then = f"{words} and pay from there", replace(q.command, unit=q.unit.id, pay_from=own)
        if isinstance(then, Replace) and (near := tracks(q.world, q.facts, own, q.nation)):
            named = q.world.area_named(then.track) if then.track else ""
            track = named if named in near else near[0]
            words, then = f"{words}, with {the_field('track', track)}", replace(then, track=track)
    ways = (by_order(q, "transfer-unit", words, then, unit=q.unit.id, into=own, by=way) for way in transport.WAYS)
    return next(filter(None, ways), [])


def _is_national(q: Purchase, ruled: str) -> bool:
    """The nation's own pool; for the Soviets the general pools too, and by a house rule those of the MDs."""
    if q.payer == NATIONAL + q.nation:
        return True
    if q.side != SOVIET:
        return False
    return q.payer.startswith(GENERAL) or (ruled == "box-and-points-or-soviet-mds" and q.payer.startswith(MD))


def mds_reach_the_nations_box(q: Any) -> Verdict | None:
    """Where the group lets Soviet MDs pay for limited units, these lie in the nation's box and not in a theatre's."""
    bought = isinstance(q, Purchase) and is_limited(q.world, q.state, q.unit) and q.unit.place.of == NATIONAL + q.nation
    if not bought or q.side != SOVIET or not q.payer.startswith(MD):
        return None
    return yes("52.A.8/2") if q.switch(OWN_POOL.key) == "box-and-points-or-soviet-mds" else None


# --------------------------------------------------------------------------------------- what else a purchase does


@meets_one_of(*LINES)
def _used(q: Purchase, wanted: Needs, *clauses: str) -> Iterator[Event]:
    lists, keeper = list_of(q.world, q.state, q.nation), keeper_for(q.world, q.state, q.unit.spec)
    for need in wanted:
        if need.amount:
            why = dict.fromkeys((need.limit.clause, *clauses, *_why(wanted, lists)))
            yield Transferred(
                amount=need.amount,
                kind=need.limit.category,
                nation=keeper,
                frm=LIMITED,
                to=SPENT,
                because=" ".join(why),
                says=f"{q.unit}: {need.type.type}",
            )


def uses_to_replace(q: Purchase) -> Iterator[Event]:
    return _used(q, to_replace(q), "52.A.11/30")


def uses_for_the_remnant(q: Purchase) -> Iterator[Event]:
    return _used(q, to_rebuild_remnant(q))


def uses_for_the_cadre(q: Purchase) -> Iterator[Event]:
    return _used(q, to_rebuild_cadre(q), "52.A.10.b/1")


def dearer_limited_cadre(q: Any, price: Price) -> Price:
    """Changes only the price of an eliminated limited unit that comes back as a cadre."""
    if not price.amounts or getattr(q, "goal", "") != CADRE or not is_limited(q.world, q.state, q.unit):
        return price
    return with_surcharge(q, price)


@computed("52.A.11/25")
def with_surcharge(q: Any, price: Price) -> Price:
    """A tenth of the cadre's strength more, in its normal kinds of RP."""
    rate = q.world.numbers["limited_cadre_surcharge"]
    amounts = dict(price.amounts)
    for kind, amount in costs_table.worth(q.world, q.facts, q.unit, CADRE).amounts.items():
        amounts[kind] = amounts.get(kind, Fraction(0)) + amount * rate
    working = f"{price.working}, {show_points(rate * 100)} % more for a limited cadre"
    return Price({kind: amount for kind, amount in amounts.items() if amount}, working, f"{price.because} 52.A.11/25")


_TO_REPLACE: tuple[Rule[Any], ...] = (
    limited_unit_is_built_in_its_national_pool,
    has_limited_res_to_replace,
    axis_unit_may_be_replaced,
    allied_unit_may_be_replaced,
)

CHAPTER = Chapter(
    heading="52.A.10",
    guards={
        Replace: _TO_REPLACE,
        RebuildCadre: (has_limited_res_for_the_cadre,),
        RebuildRemnant: (has_limited_res_for_the_remnant,),
        ReplaceContingent: (axis_unit_may_be_replaced,),
    },
    also={
        Replace: (uses_to_replace,),
        **dict.fromkeys((RebuildCadre, RebuildSubstitute, Reorganise, Refit), (uses_for_the_cadre,)),
        RebuildRemnant: (uses_for_the_remnant,),
    },
    prices=(dearer_limited_cadre,),
    waivers={"52.A.9.a/2": (mds_reach_the_nations_box,)},
    switches=(REBUILD_RES, OWN_POOL, OF_A_SUBSTITUTE),
    charts={"never_replaced": tuple[NeverReplaced, ...]},
)
