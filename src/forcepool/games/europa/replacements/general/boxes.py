"""52.A.4 and 52.A.5  The ELIMINATED and ELIMINATED ISOLATED boxes: leaving the one, giving units up to the other."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Moved, Transferred
from forcepool.engine.given import Pool, UnitName, Why
from forcepool.engine.ledger import Price
from forcepool.engine.places import OUT_OF_PLAY, Place
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.verdicts import YES, Rule, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter, Part
from forcepool.games.europa.ground import tallies
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.purchase import REPLACEMENT, Purchase, can_pay, on_hand, spend
from forcepool.games.europa.ground.soviet_pools import own_pool
from forcepool.games.europa.ground.tallies import CONTINGENTS, counted_as
from forcepool.games.europa.own_phase import only_in_own
from forcepool.games.europa.question import by_order, from_phase_on, paying
from forcepool.games.europa.replacements.general import costs_table
from forcepool.games.europa.replacements.special.special import in_the_pool
from forcepool.games.europa.world import ELIMINATED, ISOLATED, LOCAL, NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

RECOVERED = "source/recovered"


class Boxed(Purchase):
    """A unit in a box, and what it costs or brings to move it on."""

    @lazy
    def national(self) -> str:
        return NATIONAL + self.nation

    @lazy
    def payer(self) -> str:
        named = getattr(self.command, "pay_from", "")
        return self.world.pool_named(named) if named else self.national

    @lazy
    def price(self) -> Price:
        price: Price = self.command.price(self)
        return price

    @lazy
    def parts(self) -> tuple[Part, ...]:
        return ()

    @lazy
    def infantry(self) -> str:
        """The kind of infantry RP it costs or brings: that of its force, where its nation tells several apart."""
        return tallies.as_infantry(self.world, self.state, self.world.infantry_of(self.unit.spec))

    @lazy
    def payments(self) -> list[tuple[str, str, Fraction]]:
        """Contingents in German colours pay with their own points alone, the Free French with theirs if they can."""
        counts_as = counted_as(self.unit.spec)
        due = [(kind, amount) for kind, amount in self.price.amounts.items() if amount]
        own = counts_as == CONTINGENTS or all(on_hand(self, counts_as, kind) >= amount for kind, amount in due)
        return [(counts_as if own else self.nation, kind, amount) for kind, amount in due]

    def after(self, number: str) -> int:
        """The turn that comes so many turns from now."""
        return self.state.clock.turn + int(self.world.numbers[number])


def share_of_strength(q: Boxed, number: str) -> Fraction:
    """A rate's share of the unit's full strength, whatever step it was lost at."""
    return costs_table.worth(q.world, q.facts, q.unit).total * q.world.numbers[number]


def working(q: Boxed, number: str) -> str:
    rate = show_points(q.world.numbers[number] * 100)
    return f"{rate} % of {costs_table.worth(q.world, q.facts, q.unit).working}"


def lies_in(box: str, clause: str, remedy: str) -> Rule[Boxed]:
    """The unit lies in the box now, neither elsewhere nor still on its way there."""

    @rule(clause)
    def is_in_the_box(q: Boxed) -> Verdict:
        place = q.unit.place
        if place.kind == box and place.is_reached(q.state.clock.turn):
            return YES
        where = q.world.said_place(place)
        if place.kind == box:
            return no(
                f"{q.unit} is not there yet: {where}",
                remedy=from_phase_on(q, place.due, REPLACEMENT, "wait until it is"),
            )
        return no(f"{q.unit} is not in the {q.world.game.box_names[box]}: {where}", remedy=remedy)

    return is_in_the_box


# ---------------------------------------------------------------------------- leaving the isolated box


@rule("52.A.4/2")
def national_pool_pays(q: Boxed) -> Verdict:
    """The nation's own pool pays, and its ELIMINATED BOX takes the unit."""
    if q.payer == q.national:
        return YES
    return no(f"{the_pool(q.payer)} cannot pay for it", remedy=paying(q, q.national))


@computed("52.A.4/2", "52.A.11/9")
def price_of_leaving(q: Boxed) -> Price:
    """Half the full strength in inf RPs."""
    return Price({q.infantry: share_of_strength(q, "isolated_price")}, working(q, "isolated_price"), "52.A.4/2")


@computed("52.A.4/3", "52.A.4/4")
def week_box(q: Boxed) -> Place:
    """The sub-box of the ELIMINATED BOX for the week in which the unit becomes available, four turns on."""
    return Place(ELIMINATED, q.national, q.after("isolated_time"))


class LeaveIsolatedBox(Command, tag="leave-isolated-box", frozen=True):
    """Pay for a unit to move from the ELIMINATED ISOLATED BOX to the nation's ELIMINATED BOX, by its track."""

    unit: UnitName
    pay_from: Pool = ""
    """Left out, the nation's pool, which is the one that pays."""

    question = Boxed
    needs = (lies_in(ISOLATED, "52.A.4/2", "it need not leave that box"),)
    requires = (only_in_own(REPLACEMENT, "52.A.4/2"), national_pool_pays, can_pay("52.A.4/2"))

    def price(self, q: Boxed) -> Price:
        return price_of_leaving(q)

    def effects(self, q: Boxed) -> Iterator[Event]:
        yield from spend(q)
        to = week_box(q)
        week = q.world.calendar.week(to.due)  # type: ignore[arg-type]
        says = f"in the week {week} sub-box, available {q.world.turn_name(to.due)}"
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=to, because="52.A.4/3 52.A.4/4", says=says)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == ISOLATED:
            yield cls(unit=unit.id)


def settle(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As its owner's player-turn begins, a unit whose week has come is in the box it was on its way to."""
    if state.clock.phase != 0:
        return
    for unit in state.units_in_order():
        place = unit.place
        arrived = place.kind in (ELIMINATED, ISOLATED) and 0 < place.due <= state.clock.turn
        if arrived and world.has_the_turn(state, world.side_now(state, unit.spec.nation)):
            because = "52.A.4/4" if place.kind == ELIMINATED else "52.A.5/1"
            yield Moved(unit=unit.id, frm=place, to=Place(place.kind, place.of), because=because)


# ----------------------------------------------------------------------------------------- recovering


@rule("52.A.5/1")
def box_is_a_fronts(q: Boxed) -> Verdict:
    """From a front's, theatre's or command's ELIMINATED BOX, not from the nation's or a pocket's."""
    if not q.unit.place.of.startswith((NATIONAL, LOCAL)):
        return YES
    if q.unit.place.of.startswith(LOCAL):
        return no(
            f"{q.unit} lies in the pool of a pocket, {the_pool(q.unit.place.of)}", remedy="relieve the pocket first"
        )
    fronts = (area for area in q.world.pools if area.startswith("front/"))
    first = (
        by_order(q, "transfer-unit", f"transfer it to {the_pool(area)} first", unit=q.unit.id, into=area)
        for area in fronts
    )
    return no(f"{q.unit} lies in the box of {the_pool(q.unit.place.of)}", remedy=next(filter(None, first), []))


@computed("52.A.5/2", "52.A.11/11")
def recovered(q: Boxed) -> Fraction:
    """Three tenths of the full strength, in inf RPs."""
    return share_of_strength(q, "recovery_rate")


@computed("52.A.5/3", "52.A.5/4")
def pool_that_gains(q: Boxed) -> str:
    """The front or command whose box the unit leaves has the points, in its pool proper and so usable at once."""
    front = tallies.pool_where_it_stood(q.world, q.state, q.unit.place.of, q.nation)
    return own_pool(q.world, q.state, front, q.nation, q.infantry)


class Recover(Command, tag="recover", frozen=True):
    """Move an eliminated unit to the ELIMINATED ISOLATED BOX, and get back part of its strength as inf RPs."""

    unit: UnitName

    question = Boxed
    needs = (lies_in(ELIMINATED, "52.A.5/1", "only units of an ELIMINATED BOX are given up for points"),)
    requires = (only_in_own(REPLACEMENT, "52.A.5/1"), box_is_a_fronts)

    def effects(self, q: Boxed) -> Iterator[Event]:
        yield Transferred(
            amount=recovered(q),
            kind=q.infantry,
            nation=counted_as(q.unit.spec),
            frm=RECOVERED,
            to=pool_that_gains(q),
            because="52.A.5/2 52.A.5/3 52.A.5/4",
            says=f"{q.unit}: {working(q, 'recovery_rate')}, usable at once",
        )
        to = Place(ISOLATED, q.national, q.after("recovery_time"))
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=to, because="52.A.5/1")

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind == ELIMINATED:
            yield cls(unit=unit.id)


# ------------------------------------------------------------------------------ withdrawing from the pool


@rule("52.A.4/6")
def lies_in_either_box(q: Boxed) -> Verdict:
    """A withdrawal from the pool takes a unit from the ELIMINATED BOX or the ELIMINATED ISOLATED BOX."""
    if in_the_pool(q.state, q.unit):
        return YES
    return no(f"{q.unit} is not in the replacement pool: {q.world.said_place(q.unit.place)}")


class WithdrawFromPool(Command, tag="withdraw-from-pool", frozen=True):
    """Take a unit out of the replacement pool for good, as the OB demands."""

    harms = True

    unit: UnitName
    note: Why = ""
    """The OB entry that demands it."""

    question = Boxed
    needs = (lies_in_either_box,)
    requires = (only_in_own(REINFORCEMENT, "52.A.4/6"),)

    def effects(self, q: Boxed) -> Iterator[Event]:
        yield Moved(unit=q.unit.id, frm=q.unit.place, to=OUT_OF_PLAY, because="52.A.4/6", says=self.note)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind in (ELIMINATED, ISOLATED) and world.phase(state) == REINFORCEMENT:
            yield cls(unit=unit.id)


CHAPTER = Chapter(
    heading="52.A.4",
    commands=(LeaveIsolatedBox, Recover, WithdrawFromPool),
    switches=(tallies.OVERSEAS,),
    happens=(settle,),
)
