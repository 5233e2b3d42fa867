"""52.F.4.a/3 and 52.D.3.d  Paying for a loss at once, so that the unit keeps its strength."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Annotated

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event
from forcepool.engine.given import Area, Points, Pool, UnitName, one_of
from forcepool.engine.ledger import Price
from forcepool.engine.options import would_pass
from forcepool.engine.places import HEX
from forcepool.engine.points import parse_points, show_points, store_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, REMNANT, STEPS
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.facts import COMBAT_ISOLATED, SUPPLY_ISOLATED
from forcepool.games.europa.ground import tallies
from forcepool.games.europa.ground.pools import front_is_its_own
from forcepool.games.europa.ground.purchase import Purchase, can_pay, is_supply_isolated, pay
from forcepool.games.europa.ground.soviet_pools import INF, lies_in
from forcepool.games.europa.ground.tallies import COMBAT, SUPPLY, UNISOLATED
from forcepool.games.europa.question import BearsALoss, instead
from forcepool.games.europa.replacements.allied.casualty_order import may_take_in_order
from forcepool.games.europa.replacements.special import casualties, fragile, pockets
from forcepool.games.europa.replacements.special.casualties import GONE
from forcepool.games.europa.world import LOCAL, EuropaWorld
from forcepool.orderofbattle.aircraft import AIR
from forcepool.rulebook.citations import computed

FIGHTING = ("movement", "combat", "exploitation")
"""The phases in which units are overrun or fight."""

AVERTED = switch(
    "averted-losses",
    "52.F.4.a/3",
    "whether points spent at once to avert a loss bring special replacements",
    count="they count as losses, at the normal rate",
    nothing="they bring nothing, since no unit was lost",
)


INTO_A_POCKET = switch(
    "paying-into-a-pocket",
    "52.F.4.a/3",
    "whose points pay at once for the loss of a supply isolated unit",
    the_front="the front's: nothing is said of isolation",
    its_pool="its pocket's auxiliary pool alone: as for rebuilding, others cannot reach it",
)


class Averting(Purchase):
    """A loss to be paid for in place of taking it."""

    at_once = True

    @lazy
    def front(self) -> str:
        """The pool of the front concerned, or of the pocket if it has one of its own."""
        if around := pockets.pool_around(self.world, self.state, self.unit):
            return around
        named = self.command.front
        area = self.world.area_named(named) if named else self.world.spot(self.unit.place.of).area
        return tallies.pool_where_it_stood(self.world, self.state, area, self.nation)

    @lazy
    def payer(self) -> str:
        named = self.command.pay_from
        return self.world.pool_named(named) if named else self.front

    @lazy
    def goal(self) -> str:
        """The step it would go down to: cadre, unless another is named."""
        return self.command.to or CADRE

    @lazy
    def lost(self) -> tuple[Fraction, str]:
        """The strength averted: so many points, or the step down."""
        if self.command.points and self.command.to:
            step, part = the_field("to"), the_field("points")
            raise BadCommand(f"name the loss once: {step} for a whole step, or {part} for so many points")
        if self.command.points:
            points = parse_points(self.command.points)
            return points, f"{show_points(points)} averted"
        return casualties.strength_lost(self.world, self.state, self.unit, self.goal)

    @lazy
    def price(self) -> Price:
        price = casualties.cost_of_loss(self.world, self.state, self.unit, self.lost, ordered=self.command.ordered)
        return Price(price.amounts, price.working, f"52.F.4.a/3 {price.because}")

    @lazy
    def parts(self) -> tuple[Part, ...]:
        return ()

    @property
    def counted(self) -> str:
        """As what the points count when losses are reckoned: those of isolated units at their rate (52.F.2)."""
        if self.front.startswith(LOCAL):
            return UNISOLATED
        return {SUPPLY_ISOLATED: SUPPLY, COMBAT_ISOLATED: COMBAT}.get(self.facts.isolated(self.unit), UNISOLATED)

    def drawn(self, nation: str, kind: str) -> tuple[str, str]:
        """The front's points; those of contingents and of the Soviet arms lie where they always do."""
        pool, whose = super().drawn(nation, kind)
        own = tallies.counted_as(self.unit.spec)
        if kind == INF and whose == self.nation != own:
            # The Free French may spend any French points; German ones do not serve contingents in German colours.
            enough = self.state.balance(pool, own, kind) >= self.price.amounts.get(kind, Fraction(0))
            whose = own if enough or own == tallies.CONTINGENTS else whose
        return lies_in(self.world, self.state, pool, whose, kind)


@rule("52.A.9/2")
def has_such_a_step_to_lose(q: Averting) -> Verdict:
    """Only what a unit on the map could lose can be averted."""
    unit, goal = q.unit, q.goal
    if unit.place.kind != HEX:
        return no(f"{unit} is not on the map but {q.world.where(unit.place)}")
    if q.command.points:
        whole = casualties.worth(q.world, q.state, unit, unit.step)
        if 0 < q.lost[0] <= whole:
            return YES
        if q.lost[0] <= 0:
            return no(f"{the_field('points')} is more than nothing", remedy=f"give {show_points(whole)} at most")
        return no(
            f"{unit} has {show_points(whole)} points to lose", remedy=f"give at most that with {the_field('points')}"
        )
    if goal == GONE or (unit.spec.has(goal) and STEPS.index(goal) > STEPS.index(unit.step)):
        return YES
    return no(
        f"{unit} cannot go down to {goal}",
        remedy=f"name a step below its own with {the_field('to')}, or give {the_field('points')}",
    )


@rule("52.F.4.a/3")
def paid_by_its_front(q: Averting) -> Verdict:
    """Only the pool of the front concerned pays at once; where no front of its own is around, the theatre's."""
    around = q.world.spot(q.unit.place.of).area
    concerned = homes.front_in(q.world, q.facts, around, q.nation) if around and q.command.front else q.front
    if concerned != q.front and q.front.startswith(homes.FRONT) and concerned in q.world.line_of(around):
        remedy = instead(q, f"leave {the_field('front')} out: {the_pool(concerned)} pays", front="", pay_from="")
        return no(f"{q.unit} fights in {the_pool(concerned)}, not in {the_pool(q.front)}", remedy=remedy)
    near = homes.serving(q.world, q.facts, around, q.nation) if around and not q.command.front else ()
    if q.payer == q.front or (not q.front.startswith((homes.FRONT, homes.MD, LOCAL)) and q.payer in near):
        return YES
    remedy = instead(q, f"pay from {the_pool(q.front)}", pay_from="")
    return no(f"{q.unit} fights in {the_pool(q.front)}, {the_pool(q.payer)} cannot pay at once", remedy=remedy)


@rule("52.F.4.a/3")
def points_reach_it(q: Averting) -> Verdict:
    """Where the group plays it so, what is supply isolated has the points of its pocket's pool alone."""
    if q.switch(INTO_A_POCKET.key) == "the-front" or not is_supply_isolated(q) or q.payer.startswith(LOCAL):
        return YES
    return no(
        f"{q.unit} is supply isolated and {the_pool(q.payer)} cannot reach it",
        remedy="form an auxiliary pool, or break through to it",
    )


@rule("52.D.3.d/1")
def order_is_open_to_it(q: Averting) -> Verdict:
    """After January 1943 Allied units may pay partial losses in the order of their type."""
    partial = bool(q.command.points) or q.goal != GONE
    return may_take_in_order(q, partial=partial) if q.command.ordered else YES


@computed("52.H.2.a/1")
def brings_nothing(q: Averting) -> bool:
    """What is fragile and has no substitute gives nothing for casualties it takes and keeps the map."""
    return fragile.without_substitute(q.world, q.state, q.unit.spec) is not None


class PayCasualties(BearsALoss, tag="pay-casualties", frozen=True):
    """Pay for a loss at once from the front's pool, so that the unit keeps its strength."""

    harms = True

    unit: UnitName
    to: Annotated[str, one_of(CADRE, REMNANT, GONE)] = ""
    """The step it would go down to: cadre, remnant or eliminated; cadre where neither this nor points is given."""
    points: Points = ""
    """The strength points it would lose, for a loss that is not a whole step; in place of to."""
    pay_from: Pool = ""
    """Left out, the pool of the front concerned; no other may pay."""
    front: Area = ""
    """The front concerned; left out, that of its own side where its hex lies."""
    ordered: bool = False
    """Allied, after January 1943: in the order of the unit's type."""

    question = Averting
    of_choice = ("points", "front")
    needs = (has_such_a_step_to_lose, front_is_its_own)
    requires = (paid_by_its_front, points_reach_it, order_is_open_to_it, can_pay("52.F.4.a/3"))

    def effects(self, q: Averting) -> Iterator[Event]:
        yield from pay(q)
        if q.switch(AVERTED.key) == "count" and not brings_nothing(q):
            loss = casualties.loss(q.world, q.state, q.unit, q.lost, ordered=self.ordered)
            says = f"{q.unit}: {loss.working}, paid at once"
            yield from tallies.take(q.unit.spec, loss, q.counted, q.front, "52.F.4.a/3", says)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if world.has_role(unit.spec, AIR):
            return
        if unit.place.kind == HEX and world.phase(state) in FIGHTING:
            for step in STEPS[STEPS.index(unit.step) + 1 :]:
                if unit.spec.has(step):
                    yield cls(unit=unit.id, to=step)
            yield cls(unit=unit.id, to=GONE)
            yield from _in_part(cls, world, state, unit)
            yield from _in_a_front_named(cls, world, state, unit)


def _in_a_front_named(cls: type[PayCasualties], world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
    """Where its hex does not tell the front concerned, any that could pay for its first step."""
    if not world.spot(unit.place.of).area:
        steps = [step for step in STEPS[STEPS.index(unit.step) + 1 :] if unit.spec.has(step)]
        fronts = (area for area in world.pools if area.startswith("front/"))
        orders = (cls(unit=unit.id, to=(*steps, GONE)[0], front=area) for area in fronts)
        yield from (order for order in orders if would_pass(world, state, order))


def _in_part(cls: type[PayCasualties], world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
    """Some of its strength, and any loss in the order of its type, where that is lawful."""
    whole = casualties.worth(world, state, unit, unit.step)
    sizes = [store_points(each) for each in (whole, min(whole, Fraction(1))) if each > 0]
    late = state.clock.turn > world.dates["allied_casualty_order"]
    for ordered in (False, True) if late else (False,):
        some = (cls(unit=unit.id, points=size, ordered=ordered) for size in sizes)
        yield from islice((order for order in some if would_pass(world, state, order)), 1)
    steps = [step for step in STEPS[STEPS.index(unit.step) + 1 :] if late and unit.spec.has(step)]
    in_order = (cls(unit=unit.id, to=step, ordered=True) for step in steps)
    yield from (order for order in in_order if would_pass(world, state, order))


CHAPTER = Chapter(heading="52.F.4.a", commands=(PayCasualties,), switches=(AVERTED, INTO_A_POCKET))
