"""52.J.2.c  Late-war options: guns and tanks in place of men for Guards divisions, and 3-6 divisions made 4-6."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.command import BadCommand, Command, command_name, lazy
from forcepool.engine.events import Became, Event, Moved, Raised, Transferred
from forcepool.engine.given import Name, PointKind, UnitName
from forcepool.engine.ledger import SPENT, Price
from forcepool.engine.places import HEX, OUT_OF_PLAY
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_field, the_pool, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.units import FULL, Strength, UnitSpec
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.facts import NOT_ISOLATED
from forcepool.games.europa.ground.purchase import CUT_OFF, BuysByTheGeneralRule, Purchase, how_to_fill
from forcepool.games.europa.ground.soviet_pools import (
    ARM,
    ART,
    GENERAL_POOLS,
    INF,
    REINFORCEMENT,
    SOVIET_UNION,
    in_soviet,
)
from forcepool.games.europa.ground.standing import taken_over
from forcepool.games.europa.question import in_a_later, waits_for
from forcepool.games.europa.reinforcements.as_a_cadre import as_a_cadre_must, is_held
from forcepool.games.europa.replacements.general.cadre_supply import pool_within
from forcepool.games.europa.replacements.soviet.soviet_uses import DIVISION, is_soviet
from forcepool.games.europa.world import EuropaWorld


def is_late(world: EuropaWorld, state: State) -> bool:
    """Strictly after the turn named."""
    return state.clock.turn > world.dates["soviet_options"]


# --------------------------------------------------------------------------------------- Guards divisions


def machines_for_men(q: Purchase) -> Fraction:
    """How much of the infantry price is paid in armour or artillery RPs."""
    parts = (part for part in q.parts if part.kind in GENERAL_POOLS and part.instead_of == INF)
    return sum((part.amount for part in parts), Fraction(0))


@rule("52.J.2.c/1")
def one_machine_for_guards(q: Purchase) -> Verdict:
    """Late in the war one armour or artillery RP may stand for an infantry RP of a Guards rifle division rebuilt."""
    used, most = machines_for_men(q), q.world.numbers["guards_option"]
    if not used or not is_soviet(q):
        return YES
    spec = q.unit.spec
    guards = q.world.has_role(spec, "guards") and q.world.has_role(spec, "infantry") and spec.size == DIVISION
    if not guards or command_name(q.command) != "rebuild-cadre":
        return no("only a Guards rifle division rebuilt from cadre takes them", remedy="pay in infantry RPs")
    if not is_late(q.world, q.state):
        date = q.world.turn_name(q.world.dates["soviet_options"])
        return no(f"this is allowed after {date} only", remedy="pay in infantry RPs")
    if used <= most:
        return YES
    return no(
        f"{show_points(used)} armour and artillery RPs stand for infantry",
        remedy="use one at most",
        have=used,
        need=most,
    )


def permits(q: Purchase, part: Part) -> Verdict | None:
    """Armour and artillery RPs stand for infantry in Soviet hands, within what the rule allows."""
    if part.kind not in GENERAL_POOLS or part.instead_of != INF or part.nation != SOVIET_UNION or not is_soviet(q):
        return None
    return yes("52.J.2.c/1")


def machines_in_part(q: Purchase) -> Iterator[Part]:
    """The one gun or tank in a Guards division rebuilt."""
    guards = q.world.has_role(q.unit.spec, "guards") and is_soviet(q) and is_late(q.world, q.state)
    if guards and INF in q.price.amounts:
        for kind in GENERAL_POOLS:
            yield Part(q.world.numbers["guards_option"], kind, SOVIET_UNION, INF)


# ------------------------------------------------------------------------------------------- 3-6 to 4-6


class Upgrading(Purchase):
    """A division to be made stronger."""

    command: "UpgradeDivision"

    @lazy
    def price(self) -> Price:
        return Price({self.command.pay: self.cost}, "an upgrade", "52.J.2.c/2")

    @lazy
    def payer(self) -> str:
        return self.pool

    @lazy
    def cost(self) -> Fraction:
        return self.world.numbers["upgrade_cost"]

    @lazy
    def goal(self) -> Strength:
        return _strength(self.world, "upgrade_to")

    @lazy
    def pool(self) -> str:
        """The general pool of that kind; for a division that is cut off, the pool that is cut off with it."""
        kind = self.command.pay
        return (pool_within(self, kind, self.cost) if kind in GENERAL_POOLS else "") or GENERAL_POOLS.get(kind, "")


def _strength(world: EuropaWorld, number: str) -> Strength:
    strength = int(world.numbers[number])
    return Strength(strength, strength, int(world.numbers["upgrade_movement"]))


def may_grow(world: EuropaWorld, unit: Unit) -> bool:
    """A Soviet 3-6 division at full strength on the map."""
    soviet = unit.spec.nation == SOVIET_UNION and unit.spec.size == DIVISION
    right = unit.spec.full == _strength(world, "upgrade_from") and unit.step == FULL
    return soviet and right and unit.place.kind == HEX


@rule("52.J.2.c/2")
def is_a_3_6_division(q: Upgrading) -> Verdict:
    """Only a Soviet 3-6 division is upgraded to 4-6."""
    if may_grow(q.world, q.unit):
        return YES
    is_now = f"a {q.unit.spec.full} at {q.unit.step} strength {q.world.where(q.unit.place)}"
    return no(f"{q.unit} is {is_now}, not a Soviet 3-6 division at full strength on the map")


@rule("52.J.2.c/2")
def paid_with_a_machine(q: Upgrading) -> Verdict:
    """It costs one armour or artillery RP of the general pool, late in the war."""
    if not is_late(q.world, q.state):
        date = q.world.dates["soviet_options"]
        remedy = in_a_later(q, date + 1, f"wait for {q.world.turn_name(date + 1)}")
        return no(f"this is allowed after {q.world.turn_name(date)} only", remedy=remedy)
    if not q.pool:
        return no(
            f"{q.command.pay} RPs do not pay for an upgrade",
            remedy=f"{the_field('pay', 'arm')} or {the_field('pay', 'art')}",
        )
    have = q.state.balance(q.pool, SOVIET_UNION, q.command.pay)
    if have >= q.cost:
        return YES
    return no(
        f"costs {show_points(q.cost)} {q.command.pay}, {the_pool(q.pool)} has {show_points(have)}",
        remedy=how_to_fill(q, q.pool, SOVIET_UNION, q.command.pay, q.cost - have),
        have=have,
        need=q.cost,
    )


@rule("51.B.18/3")
def it_is_the_reinforcement_phase(q: Upgrading) -> Verdict:
    """Upgrades are made in the owner's reinforcement phase."""
    if in_soviet(REINFORCEMENT, q.world, q.state):
        return YES
    return no(f"it is {q.world.when(q.state)}", remedy=waits_for(q, REINFORCEMENT))


@rule("51.B.3/3", "51.B.18/1")
def stands_where_it_could_be_converted(q: Upgrading) -> Verdict:
    """An upgrade asks what a conversion does: no larger enemy ZOC, supply, and standing still."""
    return as_a_cadre_must(q, also=("51.B.18/1",))


@rule("52.D.2.c.2/2")
def general_pool_reaches_it(q: Upgrading) -> Verdict:
    """The points of the general pools do not reach a division that is cut off."""
    if q.facts.isolated(q.unit) == NOT_ISOLATED or q.pool.startswith(CUT_OFF):
        return YES
    return no(
        f"{q.unit} is isolated, and {the_pool(q.pool) or 'a general pool'} does not reach it", remedy="relieve it first"
    )


class UpgradeDivision(Command, tag="upgrade-division", frozen=True):
    """Make a Soviet 3-6 division a 4-6 for one armour or artillery RP."""

    unit: UnitName
    pay: PointKind
    """arm or art, from the general pool of that kind, or from the pool the division is cut off with."""
    into: Name = ""
    """The 4-6 counter that takes its place: one that is out of play, or the name of a new one."""

    question = Upgrading
    of_choice = ("into",)
    needs = (is_a_3_6_division,)
    requires = (
        it_is_the_reinforcement_phase,
        paid_with_a_machine,
        general_pool_reaches_it,
        stands_where_it_could_be_converted,
    )

    def effects(self, q: Upgrading) -> Iterator[Event]:
        unit = q.unit
        name = self.into or f"{unit.id} ({q.goal})"
        yield Transferred(
            amount=q.cost,
            kind=self.pay,
            nation=SOVIET_UNION,
            frm=q.pool,
            to=SPENT,
            because="52.J.2.c/2",
            says=f"{unit} becomes {q.goal}",
        )
        yield Moved(unit=unit.id, frm=unit.place, to=OUT_OF_PLAY, because="52.J.2.c/2")
        yield from _takes_its_place(q, name, replace(unit.spec, full=q.goal))
        yield from taken_over(q, name)
        yield from is_held(q, name, (unit,))

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if may_grow(world, unit):
            for kind in (ARM, ART):
                yield cls(unit=unit.id, pay=kind)


def _takes_its_place(q: Upgrading, name: str, spec: UnitSpec) -> Iterator[Event]:
    counter = q.state.units.get(name)
    if counter is None:
        yield Raised(unit=name, spec=spec, at=q.unit.place, because="52.J.2.c/2")
        return
    if counter.place != OUT_OF_PLAY or counter.spec.full != q.goal or counter.spec.size != DIVISION:
        raise BadCommand(
            f"{the_unit(name)} is no {q.goal} division that is out of play; "
            f"leave {the_field('into')} out for a new counter"
        )
    if counter.step != FULL:
        yield Became(unit=name, was=counter.step, step=FULL)
    yield Moved(unit=name, frm=counter.place, to=q.unit.place, because="52.J.2.c/2")


CHAPTER = Chapter(
    heading="52.J.2.c",
    commands=(UpgradeDivision,),
    guards={BuysByTheGeneralRule: (one_machine_for_guards,)},
    permits=(permits,),
    mixes=(machines_in_part,),
)
