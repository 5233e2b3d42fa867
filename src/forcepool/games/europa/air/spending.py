"""28.D and 28.D.1.a  Spending ARPs: whose they are, what is owed first, and rare types."""

from collections.abc import Iterator
from fractions import Fraction
from typing import cast

from msgspec import Struct

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.given import Nation, Pool, UnitName
from forcepool.engine.ledger import SPENT
from forcepool.engine.points import show_counted, show_points, store_points
from forcepool.engine.sentence import the_field, the_pool, the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, No, Remedy, Rule, Verdict, no, rule, yes
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.arps import ARP, COMMON_POOL, coming_to, counted, holdings, listed, moves, pool_of
from forcepool.games.europa.air.ceiling import half_the_pool
from forcepool.games.europa.air.dues import kept_for_withdrawals, spoken_for
from forcepool.games.europa.air.prices import Bill
from forcepool.games.europa.air.question import Air, area_of
from forcepool.games.europa.ground.pools import is_the_enemys
from forcepool.games.europa.ground.purchase import REPLACEMENT
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.question import in_a_later, in_phase_of, instead, paying
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.aircraft import codes_of
from forcepool.rulebook.citations import computed

FORCES = switch(
    "air-forces",
    "28/6",
    "whether the national forces of a side share their ARPs",
    each="each national force has ARPs of its own",
    side="another force's ARPs may pay for a unit of the same side, where one names it",
)


class RareCodes(Struct, frozen=True, forbid_unknown_fields=True):
    """How many ARPs a national force may spend in an air cycle on units with these codes."""

    codes: tuple[str, ...]
    arps: Fraction
    counted: str
    """The fact that keeps the count."""
    clause: str


class Spending(Air):
    """An air unit, the theatre whose ARPs are to pay for it, and what that costs."""

    @lazy
    def payer(self) -> str:
        named = self.command.pay_from
        if not named and not self.theatre:
            raise BadCommand(f"the unit's theatre is not known: say whose ARPs pay with {the_field('pay_from')}")
        return self.world.pool_named(named) if named else pool_of(self.world, self.state, self.area, self.force)

    @lazy
    def bill(self) -> Bill:
        return cast(Bill, self.command.bill(self))

    @lazy
    def force(self) -> str:
        """The national force whose ARPs pay: its own, unless another's were ordered."""
        named = getattr(self.command, "arps_of", "")
        return self.world.nation_named(named) if named else self.nation

    @lazy
    def held(self) -> Fraction:
        return self.state.balance(self.payer, self.force, ARP)


# --------------------------------------------------------------------------------------- rules of the purse


@rule("28/6")
def arps_are_of_its_own_force(q: Spending) -> Verdict:
    """ARPs of one national force do not serve another's units."""
    if q.force == q.nation:
        return YES
    if q.switch(FORCES.key) == "side" and q.world.side_now(q.state, q.force) == q.side:
        return yes("28/6", "the forces of a side share their ARPs")
    return no(
        f"{q.unit} is of {q.nation}, not of {q.force}", remedy=instead(q, f"use ARPs of {q.nation}", force=q.nation)
    )


def of_its_theatre(clause: str) -> Rule[Spending]:
    """The ARPs are those of the theatre the unit is in."""

    @rule(clause)
    def pays_in_its_own_theatre(q: Spending) -> Verdict:
        if not q.theatre or q.world.theatre_of(q.payer) == q.theatre:
            return YES
        if q.switch(COMMON_POOL.key) == "nation":
            return yes("28.D/2", "the force's ARPs are one pool")
        return no(
            f"{q.unit} is in {the_pool(q.theatre)}, not in {the_pool(q.payer)}",
            remedy=paying(q, q.theatre),
        )

    return pays_in_its_own_theatre


@rule("28.F/2")
def obligations_are_met_first(q: Spending) -> Verdict:
    """ARPs for withdrawals, those of this phase still to be made included, are spent before any others."""
    debt = spoken_for(q.world, q.state, q.payer, q.force)
    if not debt or q.held - debt >= q.bill.arps:
        return YES
    _, first = kept_for_withdrawals(q.world, q.state, q.payer, q.force)
    return no(
        f"{the_pool(q.payer)} owes {show_points(debt)} of its {show_counted(q.held, 'ARP')}, "
        f"{show_points(q.bill.arps)} are wanted",
        remedy=f"withdraw {the_unit(first)} (withdraw-air), then spend what is left" if first else _where_from(q),
        have=q.held - debt,
        need=q.bill.arps,
    )


def can_pay(clause: str) -> Rule[Spending]:
    """The pool must hold the whole price."""

    @rule(clause)
    def pool_holds_the_arps(q: Spending) -> Verdict:
        price = q.bill.arps
        if q.held >= price:
            return YES
        costs = (
            f"costs {show_counted(price, 'ARP')} ({q.bill.working}), {the_pool(q.payer)} has {show_points(q.held)} "
            f"of {q.force}"
        )
        return too_early(q, costs) or _too_few(q, costs, clause)

    return pool_holds_the_arps


def _too_few(q: Spending, costs: str, clause: str) -> No:
    cited = q.bill.because.split()
    return no(
        costs,
        remedy=_where_from(q),
        clause=cited[0],
        also=(*cited[1:], clause),
        have=q.held,
        need=q.bill.arps,
    )


def _where_from(q: Spending) -> list[Remedy]:
    """Where the ARPs that are short could come from: another theatre of the force, or the next cycle's income."""
    free = q.held - spoken_for(q.world, q.state, q.payer, q.force)
    return [*_paid_elsewhere(q), *_from_another_theatre(q, q.bill.arps - free), *_with_the_next_cycle(q, free)]


@computed("28.D/2")
def _paid_elsewhere(q: Spending) -> Iterator[Remedy]:
    """Where by house rule the ARPs are one pool, those of the first theatre that has enough pay at once."""
    if q.switch(COMMON_POOL.key) != "nation":
        return
    for pool, nation, held in holdings(q.world, q.state, q.world.side_now(q.state, q.force)):
        if nation == q.force and held - spoken_for(q.world, q.state, pool, nation) >= q.bill.arps:
            yield paying(q, pool)
            return


def _from_another_theatre(q: Spending, short: Fraction) -> Iterator[Remedy]:
    """To have them sent in the next reinforcement phase, from the first theatre that could send so many."""
    if is_the_enemys(q, q.payer):
        return
    for pool, nation, held in holdings(q.world, q.state, q.world.side_now(q.state, q.force)):
        spare = min(held - spoken_for(q.world, q.state, pool, nation), q.world.numbers["arps_transferred"])
        if nation != q.force or pool == q.payer or spare < short:
            continue
        said = f"send {show_points(short)} of the {show_points(held)} in {the_pool(pool)} there (transfer-arps)"
        yield Remedy(f"{said}, for use a turn later")
        return


def _with_the_next_cycle(q: Spending, free: Fraction) -> Iterator[Remedy]:
    """To wait for the next air cycle, if what is kept of this one and what that brings is enough."""
    side = q.world.side_now(q.state, q.force)
    upcoming = cycle.cycle_of(q.world, q.state, side) + 1
    brings = {(pool, nation): arps for pool, nation, arps in listed(q.world, q.state, side, upcoming)}
    income = brings.get((q.payer, q.force), Fraction(0))
    if not income or min(free, q.world.numbers["arps_kept"]) + income < q.bill.arps:
        return
    words = f"wait for the next air cycle, which brings {show_points(income)}"
    yield in_phase_of(q, cycle.last_turn_of_cycle(q.world, q.state, side) + 1, REPLACEMENT, words)


@computed("28.D.list.4/2")
def too_early(q: Spending, costs: str) -> No | None:
    """The refusal where ARPs sent from another theatre would do, and are not to be used on their way."""
    for turn, sum_ in _sums(coming_to(q.state, q.payer, q.force)):
        if q.held + sum_ >= q.bill.arps:
            when = q.world.turn_name(turn)
            return no(
                f"{costs}; {show_points(sum_)} more, sent there, can be used from {when}",
                remedy=in_a_later(q, turn, f"wait for {when}"),
                clause="28.D.list.4/2",
                also=tuple(q.bill.because.split()),
                have=q.held,
                need=q.bill.arps,
            )
    return None


def _sums(coming: list[tuple[int, Fraction]]) -> Iterator[tuple[int, Fraction]]:
    total = Fraction(0)
    for turn, arps in coming:
        total += arps
        yield turn, total


# ------------------------------------------------------------------------------------------------ rare types


def _for_the_next_cycle(q: Spending, row: RareCodes) -> str | Remedy:
    """To wait for the next air cycle, unless the unit alone takes more than a cycle lets go to its codes."""
    if q.bill.arps > row.arps:
        return ""
    first = cycle.last_turn_of_cycle(q.world, q.state, q.side) + 1
    return in_phase_of(q, first, REPLACEMENT, "wait for the next air cycle")


RARE_LIMIT = switch(
    "rare-types",
    "28/6",
    "for whom the few ARPs a cycle lets go to rare codes are counted",
    force="for each national force by itself",
    player="for all forces of a side together",
)


@computed("28.D.1.a/2", "28.D.1.a/3")
def spent_on(q: Spending, row: RareCodes) -> Fraction:
    """What the national force has spent on these codes this cycle, on all its fronts, for rises and rebuilds alike.

    By house rule all forces of its side together.
    """
    forces = [q.nation]
    if q.switch(RARE_LIMIT.key) == "player":
        forces = [each for each in sorted(q.world.sides) if q.world.side_now(q.state, each) == q.side]
    return sum((q.facts.points(counted(each), row.counted) for each in forces), Fraction(0))


def rare_rows(q: Spending) -> Iterator[RareCodes]:
    """The lines a unit counts against; one with codes of both groups counts against both."""
    codes = codes_of(q.unit.spec)
    for row in q.world.chart("rare_codes"):
        if any(code in row.codes for code in codes):
            yield row


@rule("28.D.1.a/1", "28.D.1.a.i/1", "28.D.1.a.ii/1")
def rare_types_are_limited(q: Spending) -> Verdict:
    """A cycle lets few ARPs go to units with rare codes."""
    granted = ""
    for row in rare_rows(q):
        before, granted = spent_on(q, row), row.clause
        if before + q.bill.arps > row.arps:
            return no(
                f"{show_points(before)} ARPs have gone to codes {', '.join(row.codes)} this air cycle, with "
                f"{q.unit} {show_points(before + q.bill.arps)}; {show_points(row.arps)} may",
                remedy=_for_the_next_cycle(q, row),
                clause=row.clause,
                also=("28.D.1.a/1", "28.D.1.a/3"),
                have=before + q.bill.arps,
                need=row.arps,
            )
    return yes(granted) if granted else YES


def rules_of_the_purse(price: str, theatre: str = "") -> tuple[Rule[Spending], ...]:
    """What every ARP obeys: of its force and theatre, owed to nobody, at hand, within the half and the rare codes."""
    return (
        arps_are_of_its_own_force,
        of_its_theatre(theatre or price),
        obligations_are_met_first,
        can_pay(price),
        half_the_pool,
        rare_types_are_limited,
    )


class RebuildAir(Command, frozen=True):
    """Bring an air unit back from its box with the ARPs of its own force and theatre."""

    unit: UnitName
    pay_from: Pool = ""
    """The theatre whose ARPs pay; left out, the one the unit is in."""
    arps_of: Nation = ""
    """The national force whose ARPs pay; its own, which is the only one that may unless a house rule shares them."""

    question = Spending


def pay(q: Spending, arps: Fraction | None = None) -> Iterator[Event]:
    """The ARPs leave the pool, and count against the limit on rare types."""
    amount = q.bill.arps if arps is None else arps
    if amount:
        yield moves(amount, q.force, q.payer, SPENT, q.bill.because, f"{q.unit}: {q.bill.working}")
    if q.bill.arps > 0:
        for row in rare_rows(q):
            # Each force's own: by house rule they are added up when they are asked for.
            total = store_points(q.facts.points(counted(q.nation), row.counted) + q.bill.arps)
            yield Marked(on=counted(q.nation), mark=row.counted, value=total, because=f"{row.clause} 28.D.1.a/2")


def lent(world: EuropaWorld, state: State, unit: Unit) -> Iterator[tuple[str, str]]:
    """The ARPs that by house rules pay for a unit too, with whose they are where they are not its own force's:
    those of other forces of its side, and its own of other theatres."""
    shared, common = world.ruling(state, FORCES.key) == "side", world.ruling(state, COMMON_POOL.key) == "nation"
    if not (shared or common):
        return
    here, own = area_of(world, world.facts(state), unit), air_force_of(unit.spec)
    theatre, first = world.theatre_of(here), pool_of(world, state, here, own)
    for pool, nation, arps in holdings(world, state, world.side_now(state, own)):
        if arps <= 0 or not (common or world.theatre_of(pool) == theatre):
            continue
        if nation != own and shared:
            yield pool, nation
        elif nation == own and common and pool != first:
            yield pool, ""
