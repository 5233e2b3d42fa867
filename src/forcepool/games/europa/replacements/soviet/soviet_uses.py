"""52.D.2 and 52.D.2.a  What Soviet RPs are spent on, which pool pays, and whose units they serve."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from forcepool.engine.command import Question
from forcepool.engine.facts import kept
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_place, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.charts import Charts
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.purchase import BuysByTheGeneralRule, Purchase, how_to_fill
from forcepool.games.europa.ground.soviet_pools import (
    ARM,
    ART,
    CITY,
    FACTORY,
    GENERAL,
    GENERAL_POOLS,
    INF,
    MD,
    SOVIET,
    SOVIET_UNION,
    is_contingent,
)
from forcepool.games.europa.question import instead, paying
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.general.allotting import Allot, Allotting
from forcepool.games.europa.replacements.general.eliminated import Replace, Replacing
from forcepool.games.europa.replacements.general.transfers import PointsMoving, TransferPoints
from forcepool.games.europa.world import LOCAL, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

DIVISION = "XX"


# ------------------------------------------------------------------------------------- which kind of RP


@computed("52.D/1")
def shares(world: Charts, spec: UnitSpec) -> Mapping[str, Fraction] | None:
    """Soviet units take the kind of RP their own rule gives, whatever the general chart says."""
    # By the side of the profile: a nation that came over keeps the charts it receives its RPs by (52.D.2/7).
    if world.side_of(spec.nation) != SOVIET:
        return None
    kind = ARM if takes_armour(world, spec) else ART if takes_artillery(world, spec) else takes_infantry()
    return {kind: Fraction(1)}


@computed("52.D.2.a/1")
def takes_armour(world: Charts, spec: UnitSpec) -> bool:
    """Every c/m unit takes armour RPs, except rocket artillery and divisional HQs."""
    return world.has_role(spec, "c/m") and not world.has_role(spec, "rocket") and not _divisional_hq(world, spec)


@computed("52.D.2.a/2")
def takes_artillery(world: Charts, spec: UnitSpec) -> bool:
    """Divisional HQs, artillery, anti-tank and anti-aircraft units take artillery RPs."""
    guns = ("artillery", "rocket", "anti-tank", "anti-aircraft")
    return _divisional_hq(world, spec) or any(world.has_role(spec, role) for role in guns)


@computed("52.D.2.a/3")
def takes_infantry() -> str:
    """All else takes infantry RPs."""
    return INF


def _divisional_hq(world: Charts, spec: UnitSpec) -> bool:
    return world.has_role(spec, "hq") and spec.size == DIVISION


# ------------------------------------------------------------------------------------------- whose units


def is_soviet(q: Purchase) -> bool:
    """Whether the unit is of the Soviet Army proper."""
    return q.nation == SOVIET_UNION


def draws_on(q: Purchase, nation: str, kind: str) -> tuple[str, str] | None:
    """Armour and artillery RPs come from the general pools, or wholly from a factory or a pocket that is cut off."""
    if kind not in GENERAL_POOLS or q.side != SOVIET:
        return None
    contingent = is_contingent(q.world, q.state, q.nation)
    if q.payer.startswith((FACTORY, CITY)) or (contingent and q.payer.startswith(LOCAL)):
        return q.payer, SOVIET_UNION
    by_its_nation = q.payer == NATIONAL + q.nation
    contingent = by_its_nation and contingent
    # A nation that came over has armour of its own; Soviet armour serves it too, where the mix names it.
    named = nation == SOVIET_UNION != q.nation and not q.payer.startswith(LOCAL)
    # What pays for the men by the nation's pool has its guns and tanks of the general ones, unless some lie there too.
    # At the reduced rate all comes from the nation's own (52.A.2/5).
    of_the_union = by_its_nation and is_soviet(q) and not q.state.balance(q.payer, q.nation, kind)
    of_the_union = of_the_union and not getattr(q.command, "reduced", False)
    elsewhere = contingent or named or of_the_union or q.payer.startswith((GENERAL, MD))
    return (GENERAL_POOLS[kind], SOVIET_UNION) if elsewhere else None


def _in_its_own_points(q: Purchase) -> Remedy:
    """To pay from the nation's pool, and with no other nation's points."""
    own = NATIONAL + q.nation
    return instead(q, f"pay from {the_pool(own)} in its own points", pay_from=own, mix="")


@rule("52.D.2/3")
def armour_and_artillery_serve_all(q: Purchase) -> Verdict:
    """Soviet armour and artillery RPs serve every force that fights on the Soviet side, and no other."""
    strange = [kind for nation, kind, _ in q.payments if nation == SOVIET_UNION != q.nation and kind in GENERAL_POOLS]
    if not strange and not (q.payer.startswith(GENERAL) and q.side != SOVIET):
        return YES
    if q.side == SOVIET:
        return yes("52.D.2/3", f"Soviet {' and '.join(strange)} RPs serve {q.nation} too")
    return no(
        f"{the_pool(q.payer)} serves the Soviet side, {q.unit} is {q.side}",
        remedy=_in_its_own_points(q),
    )


@rule("52.D.2/4")
def infantry_serves_soviets_only(q: Purchase) -> Verdict:
    """Soviet infantry RPs serve neither the foreign contingents nor nations that came over from the Axis."""
    if q.side != SOVIET or is_soviet(q) or INF not in q.price.amounts:
        return YES
    soviet = any(nation == SOVIET_UNION and kind == INF for nation, kind, _ in q.payments)
    if not soviet and not q.payer.startswith((MD, CITY)):
        return YES
    return no(
        f"{q.unit} is of {q.nation} and Soviet infantry RPs do not serve it",
        remedy=_in_its_own_points(q),
    )


@rule("52.D.2/6", "52.D.2.e/1")
def contingents_pay_their_own(q: Purchase) -> Verdict:
    """The infantry RPs of one contingent do not serve another."""
    if not is_contingent(q.world, q.state, q.nation):
        return YES
    others = {nation for nation, kind, _ in q.payments if kind == INF} - {q.nation, SOVIET_UNION}
    if q.payer.startswith(NATIONAL):
        others |= {q.payer.removeprefix(NATIONAL)} - {q.nation}
    if not others:
        return yes("52.D.2.e/1", f"{the_pool(q.payer)} belongs to no MD") if q.payer == NATIONAL + q.nation else YES
    return no(
        f"{q.unit} is printed as of {q.nation}, the RPs are of {', '.join(sorted(others))}",
        remedy=_in_its_own_points(q),
    )


@rule("52.D.2.e/1")
def contingents_send_no_men_away(q: PointsMoving | Allotting) -> Verdict:
    """A contingent's infantry RPs lie in its own pool, which serves it everywhere, and are sent to no MD or front."""
    if not is_contingent(q.world, q.state, q.nation) or INF not in q.amounts or q.into == NATIONAL + q.nation:
        return YES
    return no(f"infantry RPs of {q.nation} belong to no MD", remedy=f"spend them from {the_pool(NATIONAL + q.nation)}")


@rule("52.D.2.d/3")
def md_keeps_what_is_listed_for_it(q: Allotting) -> Verdict:
    """Soviet RPs that the order of battle lists for an MD are that MD's, and are not allotted to another."""
    if q.nation != SOVIET_UNION or not q.pool.startswith(MD) or q.into == q.pool:
        return YES
    return no(f"they are listed for {the_pool(q.pool)}", remedy="leave them there, or use transfer-points later")


def permits(q: Purchase, part: Part) -> Verdict | None:
    """Soviet armour and artillery RPs may be named in a mix for any force on the Soviet side; infantry RPs may not."""
    if q.side != SOVIET or part.nation != SOVIET_UNION or part.nation == q.nation or part.kind != part.instead_of:
        return None
    if part.kind in GENERAL_POOLS:
        return yes("52.D.2/3")
    return no(f"Soviet {part.kind} RPs do not serve {q.nation}", remedy=f"pay in RPs of {q.nation}", clause="52.D.2/4")


def machines_of_the_soviets(q: Purchase) -> Iterator[Part]:
    """Soviet tanks and guns for another nation that fights on the Soviet side."""
    if q.side == SOVIET and not is_soviet(q):
        for kind in GENERAL_POOLS:
            if kind in q.price.amounts and q.drawn(q.nation, kind)[1] != SOVIET_UNION:
                yield Part(q.price.amounts[kind], kind, SOVIET_UNION, kind)


@rule("52.D.2.c/1")
def general_pools_buy_machines(q: Purchase) -> Verdict:
    """An eliminated unit that takes armour or artillery RPs is bought from a general pool, and arrives as one."""
    wrong = [kind for kind in q.price.amounts if kind in GENERAL_POOLS]
    # A group that keeps some in the nation's own pool may spend them there.
    lacks = any(q.state.balance(q.payer, q.nation, kind) < q.price.amounts[kind] for kind in wrong)
    own = (is_soviet(q) and lacks) or is_contingent(q.world, q.state, q.nation)
    elsewhere = q.payer.startswith(MD) or (q.payer == NATIONAL + q.nation and own)
    if q.side != SOVIET or not elsewhere or not wrong:
        return YES
    pool = GENERAL_POOLS[wrong[0]]
    return no(f"{q.unit} takes {wrong[0]} RPs, which {the_pool(pool)} holds", remedy=paying(q, pool))


@rule("52.D.2.a/1", "52.D.2.a/2", "52.D.2.a/3")
def general_pool_pays_for_its_kind(q: Purchase) -> Verdict:
    """The armour pool pays for c/m units but rockets, the artillery pool for guns and divisional HQs, and no others."""
    holds = next((kind for kind, pool in GENERAL_POOLS.items() if pool == q.payer), "")
    paid = {kind for _, kind, _ in q.payments}
    if not holds or holds in paid:
        return YES
    takes = next((kind for kind in GENERAL_POOLS if kind in paid), INF)
    pool = GENERAL_POOLS.get(takes, "")
    return no(
        f"{q.unit} takes {takes} RPs, {the_pool(q.payer)} holds {holds}",
        remedy=paying(q, pool) if pool else "pay from an MD or the nation",
        clause="52.D.2.a/1" if holds == ARM else "52.D.2.a/2",
        also=({ARM: "52.D.2.a/1", ART: "52.D.2.a/2"}.get(takes, "52.D.2.a/3"),),
    )


# -------------------------------------------------------------------------------- stores of places cut off


@rule("52.D.2.c.1/3")
def factory_store_pays_alone(q: Purchase) -> Verdict:
    """What an isolated factory pays for, it pays for alone."""
    return _pays_alone(q, FACTORY)


@rule("52.D.2.d.ii/3")
def city_store_pays_alone(q: Purchase) -> Verdict:
    """What an isolated city pays for, it pays for alone."""
    return _pays_alone(q, CITY)


@rule("52.D.2.d.i/1")
def md_pools_are_separate(q: Purchase) -> Verdict:
    """What an MD's pool pays for in infantry, it pays for without the pools of other MDs."""
    return _pays_alone(q, MD)


def _pays_alone(q: Purchase, prefix: str) -> Verdict:
    if not q.payer.startswith(prefix) or q.side != SOVIET:
        return YES
    for nation, kind, amount in q.payments:
        balance = q.state.balance(q.payer, nation, kind)
        if q.drawn(nation, kind)[0] == q.payer and balance < amount:
            return no(
                f"{the_pool(q.payer)} holds {show_points(balance)} of {show_points(amount)} {kind}, and no other "
                "pool may help",
                remedy=how_to_fill(q, q.payer, nation, kind, amount - balance),
                have=balance,
                need=amount,
            )
    return YES


# ------------------------------------------------------------------------- what the general rule refuses


def general_pools_serve_all_theatres(q: Question) -> Verdict | None:
    """The general pools belong to no theatre; a store belongs to the theatre of its place."""
    if not isinstance(q, Replacing):
        return None
    if q.payer.startswith(GENERAL):
        return yes("52.D.2.c/1", f"{the_pool(q.payer)} belongs to no theatre")
    if not q.payer.startswith((CITY, FACTORY)):
        return None
    place = q.world.hex_name(q.payer.partition("/")[2])
    same = q.world.theatre_of(q.world.spot(place).area) == q.world.theatre_of(q.unit.place.of)
    clause = "52.D.2.d.ii/2" if q.payer.startswith(CITY) else "52.D.2.c.1/2"
    return yes(clause, f"{the_place(place)} lies in that theatre") if same else None


def contingents_wait_on_their_own_track(q: Question) -> Verdict | None:
    """A contingent's pool belongs to no MD, so that its units wait on a track of their own."""
    if not isinstance(q, Replacing):
        return None
    own = q.payer == NATIONAL + q.nation == q.track
    if own and is_contingent(q.world, q.state, q.nation) and not q.reduced:
        return yes("52.D.2.e/1", f"{the_pool(q.payer)} belongs to no MD")
    return None


def payers(world: EuropaWorld, state: State, unit: Unit) -> Iterator[str]:
    """The pools beside those of the areas that may pay for a unit: the general ones, and stores of places cut off."""
    nation = unit.spec.nation
    soviet = world.side_now(state, nation) == SOVIET
    if soviet:
        yield from _general_pools(world, world.facts(state), costs_table.kind_of(world, unit))
    if soviet and is_contingent(world, state, nation):
        yield NATIONAL + nation
    # A store's points serve all of the Soviet side; in another war, such as Spain's, only those whose points they are.
    yield from dict.fromkeys(pool for pool, whose in _stores(world, world.facts(state)) if soviet or whose == nation)


@kept
def _general_pools(world: EuropaWorld, facts: EuropaFacts, unit: Unit) -> tuple[str, ...]:
    """The general pools that units of a kind take points from."""
    kinds = costs_table.worth(world, facts, unit).amounts
    return tuple(GENERAL_POOLS[kind] for kind in kinds if kind in GENERAL_POOLS)


@kept
def _stores(world: EuropaWorld, facts: EuropaFacts) -> tuple[tuple[str, str], ...]:
    """The stores of places cut off that hold something, and whose points."""
    stores = (CITY, FACTORY)
    held = {
        (each.pool, each.nation)
        for each, balance in facts.state.balances.items()
        if balance and each.pool.startswith(stores)
    }
    return tuple(sorted(held))


RULES = (
    armour_and_artillery_serve_all,
    infantry_serves_soviets_only,
    general_pool_pays_for_its_kind,
    contingents_pay_their_own,
    factory_store_pays_alone,
    city_store_pays_alone,
    md_pools_are_separate,
)
CHAPTER = Chapter(
    heading="52.D.2.a",
    guards={
        BuysByTheGeneralRule: RULES,
        Replace: (general_pools_buy_machines,),
        TransferPoints: (contingents_send_no_men_away,),
        Allot: (contingents_send_no_men_away, md_keeps_what_is_listed_for_it),
    },
    permits=(permits,),
    mixes=(machines_of_the_soviets,),
    shares=(shares,),
    draws_on=(draws_on,),
    payers=(payers,),
    waivers={
        "52.A.9.a/2": (general_pools_serve_all_theatres,),
        "52.A.2/1": (contingents_wait_on_their_own_track,),
    },
)
