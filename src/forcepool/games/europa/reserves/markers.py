"""49.A.1.e.iv and 49.A.2.j  Supply points for Reserve markers on units that leave operational reserve."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Marked, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.given import UnitList, Words
from forcepool.engine.ledger import SPENT, is_pool
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.question import EuropaQuestion, paying
from forcepool.games.europa.replacements.kinds.resources import SP
from forcepool.games.europa.reserves.changes import LEFT, PAID, PLACED_IN_RESERVE, RESERVE_MARKER, moment, named
from forcepool.games.europa.world import EuropaWorld
from forcepool.rulebook.citations import computed

PRICE = switch(
    "reserve-marker-price",
    "49.A.1.e.iv/1",
    "the supply points an RE costs for a Reserve marker",
    both="1/12 where leaving counted against the limit, 1/6 where it did not",
    sixth="always 1/6",
    twelfth="always 1/12",
    by_phase="1/6 in the reinforcement phase, 1/12 at any other time",
)


class MarkingReserves(EuropaQuestion):
    """Units that have left operational reserve, and the supply points that are to pay for their markers."""

    command: "MarkReserve"

    @lazy
    def units(self) -> list[Unit]:
        return named(self.state, self.command.units)

    @lazy
    def nation(self) -> str:
        return self.units[0].spec.nation

    @lazy
    def payer(self) -> str:
        return self.world.pool_named(self.command.pay_from)

    @lazy
    def prices(self) -> list[tuple[Unit, Fraction, str]]:
        return [(unit, *price(self, unit)) for unit in self.units]

    @lazy
    def total(self) -> Fraction:
        return sum((amount for _, amount, _ in self.prices), Fraction(0))


def how_it_left(facts: EuropaFacts, unit: Unit) -> tuple[str, str]:
    """Whether a unit paid for leaving, and the moment; empty when it has not left this month."""
    how, _, when = facts.of_unit(unit, LEFT).partition(" ")
    return how, when


@computed("49.A.1.e.iv/1", "49.A.2.j/1")
def price(q: MarkingReserves, unit: Unit) -> tuple[Fraction, str]:
    """Supply points by printed REs, at the rate of how the unit left."""
    ruled, numbers = q.switch(PRICE.key), q.world.numbers
    how, _ = how_it_left(q.facts, unit)
    sixth = {
        "both": how != PAID,
        "sixth": True,
        "twelfth": False,
        "by-phase": q.world.phase(q.state) == REINFORCEMENT,
    }[ruled]
    rate = numbers["marker_for_free_leavers" if sixth else "marker_for_paid_leavers"]
    amount = q.world.res(unit.spec, unit.step) * rate
    return amount, "49.A.1.e.iv/1" if sixth else "49.A.2.j/1"


@rule("49.A.2.j/1")
def at_once_or_not_at_all(q: MarkingReserves) -> Verdict:
    """A unit that paid to leave takes its marker in the phase it leaves."""
    late = [unit for unit in q.units if _is_late(q, unit)]
    if not late:
        return YES
    return no(
        f"{_names(late)} left operational reserve in an earlier phase",
        remedy="take the marker at once next time",
    )


def _is_late(q: MarkingReserves, unit: Unit) -> bool:
    how, when = how_it_left(q.facts, unit)
    return how == PAID and when != moment(q.state)


@rule("49.A.1.e.iv/1")
def left_and_stands_still(q: MarkingReserves) -> Verdict:
    """Only a unit that left operational reserve this player-turn and does not move takes a marker."""
    now = moment(q.state).partition(".")[0]
    for unit in q.units:
        how, when = how_it_left(q.facts, unit)
        if not how or when.partition(".")[0] != now:
            return no(f"{unit} did not leave operational reserve this player-turn", remedy="leave it out")
        if q.facts.is_so(unit, RESERVE_MARKER):
            return no(f"{unit} has a Reserve marker", remedy="leave it out")
        if how != PAID and q.facts.is_so(unit, "moved"):
            return no(f"{unit} moved this player-turn", remedy="leave it out")
    return YES


@rule("49.A.2.j/2")
def supply_points_suffice(q: MarkingReserves) -> Verdict:
    """The supply points are added up over all the units, wherever they stand."""
    held = q.state.balance(q.payer, q.nation, SP)
    if held >= q.total:
        return YES
    fewer = len(q.units) > 1 and min(amount for _, amount, _ in q.prices) <= held
    supply = with_supply(q.state, q.nation)
    others = [paying(q, pool) for pool, there in supply if pool != q.payer and there >= q.total]
    return no(
        f"{_names(q.units)} take {show_points(q.total)} sp, {the_pool(q.payer)} holds {show_points(held)}",
        remedy=[*([Remedy("mark fewer units")] if fewer else []), *others[:1]],
        have=held,
        need=q.total,
    )


def with_supply(state: State, nation: str) -> list[tuple[str, Fraction]]:
    """The pools that hold supply points of a nation, in order."""
    return [
        (each.pool, held)
        for each, held in sorted(state.balances.items())
        if (each.kind, each.nation) == (SP, nation) and held > 0 and is_pool(each.pool)
    ]


def _names(units: list[Unit]) -> str:
    return ", ".join(map(format, units))


class MarkReserve(Command, tag="mark-reserve", frozen=True):
    """Spend supply points on Reserve markers for units that have just left operational reserve."""

    units: UnitList
    """The units; they need not be stacked."""
    pay_from: Words
    """The pool, or map/ with the hex, where the supply points are."""

    question = MarkingReserves
    of_choice = ("units",)
    requires = (at_once_or_not_at_all, left_and_stands_still, supply_points_suffice)

    def side(self, q: MarkingReserves) -> str:
        return q.world.side_now(q.state, q.nation)

    def effects(self, q: MarkingReserves) -> Iterator[Event]:
        for unit, amount, why in q.prices:
            says = f"Reserve marker on {unit}"
            if amount:
                yield Transferred(
                    amount=amount, kind=SP, nation=q.nation, frm=q.payer, to=SPENT, because=why, says=says
                )
            yield Marked(on=unit_key(unit.id), mark=RESERVE_MARKER, value=True, because=why)
            yield Marked(on=unit_key(unit.id), mark=PLACED_IN_RESERVE, value=True, because=why)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if state.mark(unit_key(unit.id), LEFT) is None:
            return
        for pool, _ in with_supply(state, unit.spec.nation):
            yield cls(units=[unit.id], pay_from=pool)

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """One unit at a time, and all that have just left together."""
        now, facts = moment(state).partition(".")[0], world.facts(state)
        units = (state.units.get(on.removeprefix("unit/")) for on in sorted(state.marked.get(LEFT, ())))
        left: dict[str, list[str]] = {}
        for unit in units:
            if unit is not None and unit.place.on_map and how_it_left(facts, unit)[1].partition(".")[0] == now:
                left.setdefault(unit.spec.nation, []).append(unit.id)
        for nation, ids in sorted(left.items()):
            if world.side_now(state, nation) != side:
                continue
            for pool, _ in with_supply(state, nation):
                for those in ([each] for each in ids):
                    yield cls(units=those, pay_from=pool)
                if len(ids) > 1:
                    yield cls(units=ids, pay_from=pool)


CHAPTER = Chapter(heading="49.A.2.j", commands=(MarkReserve,), switches=(PRICE,))
