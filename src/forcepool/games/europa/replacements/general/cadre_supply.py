"""52.A.9.c/6 to /8 and 52.A.9.d/6 and /7  Supply of cadres and remnants on the map, and the pools that pay for them."""

from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.facts import unit_key
from forcepool.engine.ledger import NOTHING
from forcepool.engine.sentence import the_order, the_place, the_pool
from forcepool.engine.state import Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE
from forcepool.engine.verdicts import YES, Remedy, Rule, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.facts import (
    INACTIVE,
    LIMITED,
    NOT_ISOLATED,
    REGULAR,
    supply_in_words,
)
from forcepool.games.europa.ground import sources
from forcepool.games.europa.ground.centres import acts_as_hq
from forcepool.games.europa.ground.placing import ARMY_OR_HIGHER
from forcepool.games.europa.ground.purchase import CUT_OFF, Purchase, is_supply_isolated
from forcepool.games.europa.ground.soviet_pools import INF, SOVIET, SOVIET_UNION, city_pool, factory_pool, held
from forcepool.games.europa.question import by_order, paying
from forcepool.games.europa.world import LOCAL, NATIONAL

IN_A_TOWN = switch(
    "cadre-in-town",
    "52.A.9.d/7",
    "what a town or city does for a cadre without a regular line",
    own_pool="it is rebuilt with the points of its own front, or of its pocket where it is supply isolated",
    limited_supply="as the first, but in a town or city it must itself be in limited supply",
    any_pool="any pool may pay for it, the nation's too",
)
FROM_THE_NATION = switch(
    "national-rebuild",
    "52.F.4.a/5",
    "whether the nation's pool pays at once for a rebuild on the map at the normal rate",
    at_once="it does, wherever the unit traces a regular line",
    inactive_fronts="only for a unit that stands in an inactive front or MD",
    reduced_rate="only at the reduced rate, at which the unit leaves the map",
)


@rule("52.A.9.d/6", "52.A.9.d/7")
def cadre_is_supplied(q: Purchase) -> Verdict:
    """A cadre needs a regular line, or a local pool, an army HQ in limited supply, or a town or city."""
    if q.has_a_regular_line:
        return YES
    if q.pays_locally:
        return yes("52.A.9.d/6", f"{the_pool(q.payer)} is the pocket's own pool")
    if (through := hq_in_supply(q)) is not None:
        return yes("52.A.9.d/7", f"stacked with {through}, {supply_in_words(q.facts.supply(through))}")
    if q.facts.is_settlement(q.unit.place.of) and q.facts.owner(q.unit.place.of) in ("", q.side):
        supply = q.facts.supply(q.unit)
        if q.switch(IN_A_TOWN.key) != "limited-supply" or supply in (LIMITED, REGULAR):
            return yes("52.A.9.d/7", f"in {the_place(q.unit.place.of)}")
        return no(f"{q.unit} is in {the_place(q.unit.place.of)}, {supply_in_words(supply)}", clause="52.A.9.d/7")
    elsewhere = "stack it with an army HQ in limited supply, or move it to a town or city"
    return no(_no_line(q), remedy=[Remedy(elsewhere), *from_a_local_pool(q)])


@rule("52.A.9.c/6", "52.A.9.c/7")
def remnant_is_supplied(q: Purchase) -> Verdict:
    """A remnant needs a regular line, unless a local pool pays."""
    if q.has_a_regular_line:
        return YES
    if q.pays_locally:
        return yes("52.A.9.c/7", f"{the_pool(q.payer)} is the pocket's own pool")
    return no(_no_line(q), remedy=[Remedy("open a regular supply line"), *from_a_local_pool(q)])


def hq_in_supply(q: Purchase) -> Unit | None:
    """An army HQ in the hex, or a training unit that acts as one (52.I.2), in limited supply or better."""
    for each in q.stackmates:
        helps = is_army_hq(q, each) or acts_as_hq(q.world, q.state, each)
        if helps and q.facts.supply(each) in (LIMITED, REGULAR):
            return each
    return None


def is_army_hq(q: Purchase, other: Unit) -> bool:
    return q.world.has_role(other.spec, "hq") and other.spec.size in ARMY_OR_HIGHER


def _no_line(q: Purchase) -> str:
    if q.facts.supply(q.unit) == REGULAR and not is_supply_isolated(q):
        return f"{q.unit} traces to none of its replacement sources: {sources.describe(q.world, q.facts, q.unit.spec)}"
    supply = "is supply isolated" if is_supply_isolated(q) else f"is {supply_in_words(q.facts.supply(q.unit))}"
    why = q.facts.reason(unit_key(q.unit.id), "supply")
    return f"{q.unit} {supply} and traces no regular line to a replacement source{why}"


def paid_by_a_pool_of_its_hex(isolated: str, elsewhere: str) -> Rule[Purchase]:
    """A unit cut off draws on its pocket's pool alone, others on a pool that their hex belongs to."""

    @rule(isolated, "52.A.9.c/8", elsewhere)
    def pool_is_its_own(q: Purchase) -> Verdict:
        any_pool = q.unit.step == CADRE and q.switch(IN_A_TOWN.key) == "any-pool" and not q.has_a_regular_line
        if q.payer.startswith(LOCAL):
            if q.pays_locally:
                return YES
            cut_off = is_supply_isolated(q)
            return no(
                f"{q.unit} is not in the pocket of {the_pool(q.payer)}",
                remedy=in_its_pocket(q) if cut_off else paying(q, homes.home_of(q.world, q.facts, q.unit)),
                clause="52.A.9.c/8",
            )
        if any_pool:
            return yes("52.A.9.d/7", "any pool pays for a cadre in a town or with an HQ")
        if is_supply_isolated(q):
            return no(
                f"{q.unit} is supply isolated and {the_pool(q.payer)} cannot reach it",
                remedy=in_its_pocket(q),
            )
        if not q.areas or q.payer in q.areas:
            return YES
        if q.payer.startswith(NATIONAL):
            return _reaches_from_the_nation(q, elsewhere)
        home = homes.home_of(q.world, q.facts, q.unit)
        return no(
            f"{the_pool(home)} serves {q.unit} at {the_place(q.unit.place.of)}, not {the_pool(q.payer)}",
            remedy=paying(q, home),
            clause=elsewhere,
        )

    return pool_is_its_own


def in_its_pocket(q: Purchase) -> list[Remedy]:
    """Where a unit that is cut off can be paid from: its city's store, its pocket's pool, or one it is not yet in."""
    if ways := [*from_the_store_around(q), *from_a_local_pool(q)]:
        return ways
    name = next((its for each in q.stackmates if (its := q.facts.of_unit(each, "pocket"))), q.unit.place.of)
    told = the_order("declare", unit=q.unit.id, fact="pocket", value=name)
    formed = the_order("form-auxiliary-pool", pocket=name)
    return [Remedy(f"break through to it, or, where an army HQ is cut off with it, {told} for both, then {formed}")]


def from_the_store_around(q: Purchase) -> list[Remedy]:
    """To pay from what the isolated city or factory in the hex has stored, if it holds all that the price asks for."""
    city, wanted = q.facts.city_of(q.unit.place.of), q.price.amounts
    stores = {pool: held(q.state, pool) for pool in (city_pool(city), factory_pool(city)) if pool != q.payer}
    return [
        paying(q, pool)
        for pool, has in stores.items()
        if wanted and all(has.get(kind, 0) >= amount for kind, amount in wanted.items())
    ]


def pool_within(q: Purchase, kind: str, amount: Fraction = NOTHING) -> str:
    """The pool a supply isolated unit can draw points of a kind from: its pocket's, or its isolated city's store."""
    if not is_supply_isolated(q):
        return ""
    found, city = [q.local_pool] if q.local_pool else [], q.facts.city_of(q.unit.place.of)
    if q.side == SOVIET and q.facts.is_cut_off(q.side, city) and (kind != INF or q.nation == SOVIET_UNION):
        # What losses with an LOC to it bring lies with the city's own points, tanks and guns too (52.J.2.d/2).
        found += [city_pool(city)] if kind == INF else [factory_pool(city), city_pool(city)]
    return next((pool for pool in found if held(q.state, pool).get(kind, NOTHING) >= amount), next(iter(found), ""))


def is_out_of_reach(q: Purchase, pool: str) -> bool:
    """Whether a pool outside cannot reach the unit, which is cut off; by a ruling any pays for a cadre in a town."""
    any_pool = q.switch(IN_A_TOWN.key) == "any-pool"
    return is_supply_isolated(q) and not pool.startswith(CUT_OFF) and not any_pool


def from_a_local_pool(q: Purchase) -> list[Remedy]:
    """To pay from the pocket's own pool, or from one there is, once the unit is said to be in its pocket."""
    if q.local_pool:
        return [paying(q, q.local_pool)]
    if q.facts.isolated(q.unit) == NOT_ISOLATED:
        return []
    return [way for pool in local_pools(q) for way in _told_to_be_in(q, pool)]


def local_pools(q: Purchase) -> list[str]:
    """The local pools there are for the unit: those that hold its nation's points, and those its side has formed."""
    there = {
        account.pool
        for account, amount in q.state.balances.items()
        if amount > 0 and account.pool.startswith(LOCAL) and account.nation == q.nation
    }
    formed = (on.removeprefix("area/") for on in q.state.marked.get("auxiliary_side", ()))
    there |= {pool for pool in formed if q.facts.of_area(pool, "auxiliary_side") == q.side}
    near = sorted(pool for pool in there if _may_be_around(q, pool))
    return [q.payer] if q.payer in near else near


def _may_be_around(q: Purchase, pool: str) -> bool:
    """Whether the unit may be in the pocket of a pool: one that was formed in another front is none of its."""
    front, area = q.facts.of_area(pool, "auxiliary_front"), q.world.spot(q.unit.place.of).area
    return not front or not area or front == homes.front_in(q.world, q.facts, area, q.nation)


def _told_to_be_in(q: Purchase, pool: str) -> list[Remedy]:
    """To tell that the unit is in the pocket of a local pool, and then pay from it."""
    said = {"unit": q.unit.id, "fact": "pocket", "value": pool.removeprefix(LOCAL)}
    words = f"if it is in that pocket, say so first ({the_order('declare', **said)}) and pay from {the_pool(pool)}"
    return by_order(q, "declare", words, then=replace(q.command, pay_from=pool), **said)


def _reaches_from_the_nation(q: Purchase, clause: str) -> Verdict:
    """The nation's points go by a regular line, or by an HQ's; where there is neither, a town has its front's alone."""
    own_front = next((each for each in q.areas if each.startswith("front/")), q.areas[0])
    # Contingents have no pool but the nation's, and a line of their own to trace (52.D.2.e).
    by_a_line = q.has_a_regular_line or hq_in_supply(q) is not None
    if not by_a_line and not q.world.profile.nations[q.nation].own_track:
        remedy = paying(q, own_front)
        return no(f"{_no_line(q)}, so that {the_pool(q.payer)} cannot reach it", remedy=remedy, clause=clause)
    return YES


@rule("52.F.4.a/5")
def nation_pays_at_once(q: Purchase) -> Verdict:
    """The nation's pool rebuilds units on the map without a turn's wait, as far as the group's ruling lets it."""
    ruling = q.switch(FROM_THE_NATION.key)
    if not q.payer.startswith(NATIONAL) or q.reduced or ruling == "at-once" or not q.areas:
        return YES
    if ruling == "inactive-fronts" and any(q.facts.activity(each) == INACTIVE for each in q.areas):
        return YES
    where = "in an inactive front" if ruling == "inactive-fronts" else "at the reduced rate"
    home = homes.home_of(q.world, q.facts, q.unit)
    return no(
        f"{the_pool(q.payer)} rebuilds units on the map only {where}",
        remedy=f"send the points to {the_pool(home)}, where they are usable next turn",
    )
