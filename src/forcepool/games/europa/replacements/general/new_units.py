"""52.A.11  New units, depots and HQs made from counters that no order of battle has brought into play."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Moved
from forcepool.engine.facts import YES_NO, Fact
from forcepool.engine.given import Mix, Pool, UnitName
from forcepool.engine.ledger import Price
from forcepool.engine.places import Place
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import FULL
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground import prices
from forcepool.games.europa.ground.prices import INF
from forcepool.games.europa.ground.purchase import (
    CUT_OFF,
    BuysByTheGeneralRule,
    Purchase,
    can_pay,
    in_own_replacement_phase,
    pay,
    points_are_its_own,
)
from forcepool.games.europa.replacements.kinds.mixing import with_mixes
from forcepool.games.europa.world import ISOLATED, MIX, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

AVAILABLE = "available"

NEW_UNITS = switch(
    "new-units",
    "52.A.11/13",
    "new units made from the counter mix",
    any_counter="any counter not yet in play, in as many turns as it has strength points",
    off="none: no rule text grants them",
    order_of_battle="only units that the order of battle makes available",
    normal_time="any counter not yet in play, in the normal time",
)


class Making(Purchase):
    """A counter of the mix about to be made into a unit."""

    @lazy
    def turns(self) -> int:
        return making_time(self)


@rule("52.A.11/13")
def lies_in_the_counter_mix(q: Making) -> Verdict:
    """A new unit is a counter of the mix that is not in play, not scrapped and not out of play."""
    if q.unit.place.kind == MIX:
        return YES
    return no(f"{q.unit} is no counter of the mix: it is {q.world.where(q.unit.place)}")


@rule("52.A.11/13")
def new_units_are_made(q: Making) -> Verdict:
    """Whether new units are made at all, and of which counters."""
    ruled = q.switch(NEW_UNITS.key)
    if ruled == "off":
        return no("new units are not made in this campaign", remedy="choose another option of the house rule new-units")
    if ruled == "order-of-battle" and not q.facts.is_so(q.unit, AVAILABLE):
        return no(f"the order of battle has not made {q.unit} available", remedy="wait until it does")
    return YES


@rule("52.A.9.c/8")
def is_paid_by_no_cut_off_pool(q: Making) -> Verdict:
    """Points kept apart in a place that is cut off make nothing at home."""
    if not q.payer.startswith(CUT_OFF):
        return YES
    return no(f"{the_pool(q.payer)} is kept apart from the others", remedy="pay from the nation's pool or a front's")


@computed("52.A.11/13")
def making_time(q: Making) -> int:
    """As many turns as it has strength points, a part of one counting whole, and one at least."""
    if q.switch(NEW_UNITS.key) == "normal-time":
        return int(q.world.numbers["replacement_time"])
    return max(int(q.world.numbers["new_unit_shortest"]), ceil(prices.strength_of(q.world, q.unit.spec, FULL)))


class MakeNewUnit(BuysByTheGeneralRule, tag="make-new-unit", frozen=True):
    """Make a unit, depot or HQ of a counter that is not yet in play; it comes to the ELIMINATED ISOLATED BOX."""

    unit: UnitName
    pay_from: Pool
    """The pool that pays, in inf RPs: one for each RE, and the unit's strength."""
    mix: Mix = ""
    """Parts paid in other points where a national rule lets it: '1 inf of Britain, 1 arm for inf'."""
    of_choice = ("mix",)
    reduced = False
    track = ""

    question = Making
    needs = (lies_in_the_counter_mix,)
    requires = (
        in_own_replacement_phase,
        new_units_are_made,
        is_paid_by_no_cut_off_pool,
        points_are_its_own,
        can_pay("52.A.11/13"),
    )

    def price(self, q: Making) -> Price:
        res, strength = q.world.res(q.unit.spec), prices.strength_of(q.world, q.unit.spec, FULL)
        amount: Fraction = res * q.world.numbers["new_unit_per_re"] + strength
        working = f"new unit of {show_points(res)} RE and strength {show_points(strength)}"
        return Price({INF: amount}, working, "52.A.11/13")

    def effects(self, q: Making) -> Iterator[Event]:
        yield from pay(q)
        to = Place(ISOLATED, NATIONAL + q.nation, q.state.clock.turn + q.turns)
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=to, because="52.A.11/13")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == MIX:
            pools = (NATIONAL + unit.spec.nation, *world.pools)
            yield from with_mixes(world, state, (cls(unit=unit.id, pay_from=pool) for pool in pools))


CHAPTER = Chapter(
    heading="52.A.11",
    commands=(MakeNewUnit,),
    facts=(Fact(AVAILABLE, ("unit",), "the order of battle has made it available", False, YES_NO),),
    switches=(NEW_UNITS,),
    boxes={MIX: "COUNTER MIX"},
)
