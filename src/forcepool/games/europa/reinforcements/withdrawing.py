"""51.B.17, 51.B.19, 51.E.3.f and g  Units withdrawn, transferred to another theatre, or sequestered."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Moved, Transferred
from forcepool.engine.facts import unit_key
from forcepool.engine.given import EntryKey, Pools, UnitName
from forcepool.engine.places import OUT_OF_PLAY, Place
from forcepool.engine.sentence import the_unit
from forcepool.engine.state import State, Unit
from forcepool.engine.switches import switch
from forcepool.engine.units import CADRE, FULL, UnitSpec
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.engine.world import find_unit
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter, Duty
from forcepool.games.europa.facts import NOT_ISOLATED
from forcepool.games.europa.ground import prices
from forcepool.games.europa.ground.pools import brought_by_each, usable_from
from forcepool.games.europa.ground.soviet_pools import lies_in
from forcepool.games.europa.ground.tallies import counted_as, pays_as
from forcepool.games.europa.question import instead
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.by_the_air_ob import ARP, arps_for, goes_by_rule_28
from forcepool.games.europa.reinforcements.duties import (
    Listed,
    entry_is_in_force,
    in_own_reinforcement_phase,
    one_that_serves,
)
from forcepool.games.europa.reinforcements.entries import did, marked
from forcepool.games.europa.reinforcements.falling_due import WITHDRAWN
from forcepool.games.europa.reinforcements.forfeits import Bill, choice_is_made, forfeit, named_pools, ways_to_pay
from forcepool.games.europa.reinforcements.just_in import JUST_IN
from forcepool.games.europa.reinforcements.leaving import (
    HELD,
    IN_PLAY,
    POOL,
    is_held,
    may_stand_in,
    stands_where_it_leaves_from,
)
from forcepool.games.europa.reinforcements.lines_served import served
from forcepool.games.europa.reinforcements.listed_places import areas_of
from forcepool.games.europa.reinforcements.listed_points import FROM_THE_OB
from forcepool.games.europa.reinforcements.named_boxes import BALKANS, SOUTHERN_FRANCE, box_named
from forcepool.games.europa.reinforcements.sites import HOLDING
from forcepool.games.europa.replacements.special.special import in_the_pool
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.orderofbattle.aircraft import AIR
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed

WITHDRAWALS = switch(
    "withdrawals",
    "51.B.19/1",
    "when in the reinforcement phase units are withdrawn",
    first="before reinforcements are placed, so that none of these is withdrawn at once",
    last="after reinforcements are placed, which may be withdrawn at once",
)
LEAVING = ("withdraw", "transfer", "sequester")
BY_VERB = {"transfer": "51.B.17/3", "sequester": "51.E.3.g/2"}
"""The clause a player looks up for what is no plain withdrawal."""


class Leaving(Listed):
    """A unit that is to leave play by an entry."""

    @lazy
    def nation(self) -> str:
        """Whose points are forfeited or won: the unit's own, which of a contingent are not the entry's."""
        return self.unit.spec.nation

    @lazy
    def named(self) -> Unit | None:
        """The unit of the right designation, where another is withdrawn in its stead."""
        return find_unit(self.state, self.command.named) if self.command.named else None

    @lazy
    def item(self) -> Item | None:
        if self.named is None:
            return entries.item_for(self.world, self.state, self.entry, self.unit)
        return entries.line_for(self.world, self.state, self.entry, self.unit)

    @property
    def swaps(self) -> bool:
        """Whether it goes as a full division in the place of a cadre."""
        return self.item is None and may_stand_in(self.world, self.state, self.entry, self.unit) is not None

    @property
    def from_pool(self) -> bool:
        return self.unit.place.kind in POOL

    @property
    def transfers(self) -> bool:
        return entries.verb_of(self.entry) == "transfer"

    @property
    def pool_item(self) -> Item | None:
        """The line that a unit of the replacement pool answers to."""
        return entries.line_for(self.world, self.state, self.entry, self.unit)

    @property
    def line(self) -> Item | None:
        """The line it is taken for, in its own strength, out of the pool, or whole in place of a cadre."""
        stands_in = may_stand_in(self.world, self.state, self.entry, self.unit)
        return self.pool_item if self.from_pool else self.item or stands_in


@rule("51.B.19/2", "51.B.19/7", "51.B.17/4", "51.B.17/6")
def is_the_unit_listed(q: Leaving) -> Verdict:
    """Any unit of the nationality, size, type and strength listed, or a full division for a cadre."""
    if not stands_where_it_leaves_from(q.world, q.state, q.entry, q.unit):
        return no(
            f"{q.unit} is {q.world.where(q.unit.place)}",
            remedy="choose one where the entry takes it from",
            clause="51.B.17/4" if q.transfers else "",
            also=HELD.get(q.unit.place.of, ()),
        )
    if q.from_pool and q.pool_item is not None:
        return YES
    if q.item is not None and q.unit.place.kind in IN_PLAY:
        return yes("51.B.17/4") if q.transfers else YES
    if q.swaps and q.unit.place.kind in IN_PLAY:
        return yes("51.B.19/7", "a full division for the cadre")
    if q.item is None:
        return no(
            f"{q.unit} is not of the nationality, strength, type and size listed",
            remedy=one_that_serves(q, _ways(q.world, q.state, q.entry)),
            clause="51.B.17/4" if q.transfers else "",
            also=("51.B.19/7",) if any(each.state == CADRE for each in q.entry.items) else (),
        )
    return no(
        f"{q.unit} is {q.world.where(q.unit.place)}",
        remedy="choose a unit in play, or let the entry wait",
        clause="51.B.17/6" if q.transfers else "",
    )


@rule("51.B.19/2", "51.B.17/5")
def is_not_isolated(q: Leaving) -> Verdict:
    """An isolated unit is not withdrawn; it is transferred only where there is no other."""
    if q.from_pool or not q.isolated:
        return YES
    if not q.transfers:
        return no(f"{q.unit} is isolated", remedy="choose an unisolated unit, or one of the pool")
    if not qualified(q):
        return yes("51.B.17/5", "there is no unisolated one")
    other = qualified(q)[0].id
    remedy = instead(q, f"transfer {the_unit(other)}", unit=other)
    return no(f"{q.unit} is isolated and {the_unit(other)} is not", remedy=remedy, clause="51.B.17/5")


@rule("51.B.19/1")
def was_in_play_before(q: Leaving) -> Verdict:
    """Withdrawals come before reinforcements are placed, so that none of these is withdrawn in the same phase."""
    if not _just_came(q, q.unit):
        return YES
    return no(f"{q.unit} came in this phase, after withdrawals", remedy="withdraw another, or let the entry wait")


def _just_came(q: Leaving, unit: Unit) -> bool:
    """Whether a unit has come too late for a withdrawal of this phase."""
    late = not q.transfers and q.switch(WITHDRAWALS.key) == "first"
    return late and bool(q.facts.value(unit_key(unit.id), JUST_IN))


@rule("51.B.19/4", "51.B.17/6")
def pool_serves_only_without_a_unit_in_play(q: Leaving) -> Verdict:
    """A unit of the pool is given up only when no unit in play qualifies."""
    if not q.from_pool:
        return YES
    others = qualified(q) or (_in_play(q) if q.transfers else [])
    clause = "51.B.17/6" if q.transfers else "51.B.19/4"
    if not in_the_pool(q.state, q.unit):
        return no(f"{q.unit} is in no pool yet", remedy="it waits until it is", clause=clause, also=("52.F.1/4",))
    if others:
        return no(
            f"{others[0]} is in play and qualifies",
            remedy=instead(q, f"take {others[0]}", unit=others[0].id),
            clause=clause,
        )
    return yes(clause)


def _in_play(q: Leaving) -> list[Unit]:
    meant = entries.units_meant(q.world, q.state, q.entry, *IN_PLAY)
    return [unit for unit in meant if stands_where_it_leaves_from(q.world, q.state, q.entry, unit)]


def qualified(q: Leaving) -> list[Unit]:
    """The unisolated units in play that an entry could take."""
    return [unit for unit in _in_play(q) if q.facts.isolated(unit) == NOT_ISOLATED and not _just_came(q, unit)]


# ------------------------------------------------------------------------------------------ RPs lost and won


def pool_left(q: Leaving) -> str:
    """The pool of what a unit leaves: the theatre or front its entry names, else its own front, else the nation."""
    places = (q.entry.source, q.entry.section, None if q.transfers else q.entry.place)
    areas = [area for place in places for area in areas_of(q.world, place) if area in q.world.areas]
    if areas:
        return homes.home_in(q.world, q.facts, areas[0], q.nation)
    return homes.home_of(q.world, q.facts, q.unit) if q.unit.place.on_map else NATIONAL + q.nation


def bill_of(q: Leaving) -> Bill:
    """What a unit of the pool costs its owner, and the pools he names for it."""
    return Bill(pays_as(q.unit.spec), pool_left(q), forfeited(q), named_pools(q.world, q.command.pay_from))


@rule("51.B.19/5", "51.B.17/7")
def owner_says_who_pays(q: Leaving) -> Verdict:
    """Where the pool it is listed for does not hold the cost and several others do, their owner chooses."""
    if not q.from_pool:
        return YES
    return choice_is_made(q.world, q.state, bill_of(q), "51.B.17/7" if q.transfers else "51.B.19/5")


@computed("51.B.17/7", "51.B.19/5")
def forfeited(q: Leaving) -> dict[str, Fraction]:
    """What replacing the strength listed would take, by kind: as the entry says, else by the unit's own cost."""
    if q.entry.cost:
        return dict(q.entry.cost)
    _, step = entries.strength_listed(q.pool_item) if q.pool_item else (None, FULL)
    return q.world.of_its_force(q.unit.spec, cost_of(q.world, q.unit.spec, step))


def cost_of(world: EuropaWorld, spec: UnitSpec, step: str = FULL) -> dict[str, Fraction]:
    """The full replacement cost of a unit at a step, by kind of RP; of an air unit in ARPs."""
    if world.has_role(spec, AIR):
        return {ARP: arps_for(world, spec)}
    strength = prices.strength_of(world, spec, step)
    return {kind: strength * share for kind, share in world.shares(spec).items() if share}


@computed("51.B.19/8", "51.B.19/9")
def credited(q: Leaving) -> Iterator[Event]:
    """For a full division in the place of its cadre: what rebuilding that would have cost, usable next turn."""
    strength, working = prices.cadre_to_full(q.world, q.unit.spec)
    shares = q.world.of_its_force(q.unit.spec, q.world.shares(q.unit.spec))
    amounts = q.entry.rebuild or {kind: strength * share for kind, share in shares.items()}
    turn = q.state.clock.turn + int(q.world.numbers["withdrawn_wait"])
    homes_of = {k: lies_in(q.world, q.state, pool_left(q), counted_as(q.unit.spec), k) for k in sorted(amounts)}
    yield from brought_by_each(q.state, "51.B.19/9", turn, homes_of.values())
    for kind, (home, whose) in homes_of.items():
        if amount := amounts[kind]:
            yield Transferred(
                amount=amount,
                kind=kind,
                nation=whose,
                frm=FROM_THE_OB,
                to=usable_from(turn, home),
                because="51.B.19/8 51.B.19/9",
                says=f"{q.unit} for its cadre: {working}",
            )


# ---------------------------------------------------------------------------------------- by designation


@rule("51.B.19/10")
def counters_change_places(q: Leaving) -> Verdict:
    """Only a group that plays by designation changes the unit withdrawn for the one the OB names."""
    if q.named is None:
        return YES
    if q.switch(entries.IDENTIFICATIONS.key) != "enforced":
        return no("designations are ignored in this campaign", remedy="withdraw the unit itself")
    item = next((each for each in q.entry.items if entries.bears(q.named, each.designations)), None)
    if item is not None and all(entries.could_be(q.world, q.entry, item, each) for each in (q.unit, q.named)):
        return YES
    return no(f"{q.named} is not the unit the OB names", remedy="name that one, of the same kind")


def _takes_its_place(q: Leaving, unit: Unit, named: Unit) -> Iterator[Event]:
    """Only the counters change: whatever holds of the place it stood in stays there."""
    yield Moved(unit=unit.id, frm=unit.place, to=named.place, because="51.B.19/10", says=f"in the place of {named}")
    ours, theirs = (q.state.marks.get(unit_key(each.id), {}) for each in (unit, named))
    for mark in sorted({*ours, *theirs}):
        yield marked(unit.id, mark, theirs[mark].value if mark in theirs else None, "51.B.19/10")


# --------------------------------------------------------------------------------------------------- command


class Withdraw(Command, tag="withdraw", frozen=True):
    """Take a unit out of play that the order of battle withdraws, transfers or sequesters."""

    harms = True

    entry: EntryKey
    """The line of the order of battle, by its key, as the checklist shows it."""
    unit: UnitName
    named: UnitName = ""
    """Playing by designation: the unit the OB names, which leaves while the unit given takes its place."""
    pay_from: Pools = ""
    """For a unit of the pool: the pools that pay, in this order ('national/Germany, front/north')."""

    question = Leaving
    needs = (entry_is_in_force("51.B.19/1", *LEAVING, by=BY_VERB), is_the_unit_listed)
    requires = (
        in_own_reinforcement_phase("51.B.19/1", by=BY_VERB),
        is_not_isolated,
        was_in_play_before,
        pool_serves_only_without_a_unit_in_play,
        owner_says_who_pays,
        counters_change_places,
    )

    def effects(self, q: Leaving) -> Iterator[Event]:
        unit = q.named or q.unit
        to, why = destination(q)
        if q.named:
            yield from _takes_its_place(q, q.unit, q.named)
        yield Moved(unit=unit.id, frm=unit.place, to=to, because=why, says=q.entry.key)
        yield marked(unit.id, WITHDRAWN, value=True)
        if q.from_pool:
            paid, owed = ("51.B.17/7", "51.B.17/8") if q.transfers else ("51.B.19/5", "51.B.19/6")
            yield from forfeit(q, bill_of(q), paid, owed)
        elif q.swaps:
            yield from credited(q)
        yield did(q.state, q.entry, "51.B.19/1")
        yield from served(q.state, q.entry, q.line)

    @classmethod
    def offers(cls, world: EuropaWorld, state: State, unit: Unit) -> Iterator[Command]:
        if unit.place.kind in (*IN_PLAY, *POOL):
            side = world.side_now(state, unit.spec.nation)
            for entry in entries.in_force(world, state, side, *LEAVING):
                if _fits(world, state, entry, unit):
                    yield from _paid_for(world, state, cls(entry=entry.key, unit=unit.id))
                yield from _in_anothers_place(world, state, entry, unit)


def _fits(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> bool:
    if not stands_where_it_leaves_from(world, state, entry, unit) or goes_by_rule_28(world, entry, unit):
        return False
    if unit.place.kind in POOL:
        return entries.line_for(world, state, entry, unit) is not None
    meant = entries.item_for(world, state, entry, unit) or may_stand_in(world, state, entry, unit)
    return unit.place.kind in IN_PLAY and meant is not None


@computed("51.B.17/9", "51.B.19/3", "51.E.3.f/1", "51.E.3.g/2")
def destination(q: Leaving) -> tuple[Place, str]:
    """Out of play, or into the box the entry names; nothing of it counts as eliminated."""
    if entries.verb_of(q.entry) == "sequester":
        return Place(HOLDING, SOUTHERN_FRANCE), "51.E.3.g/2"
    if box_named(q.entry.place) == BALKANS:
        return Place(HOLDING, BALKANS), "51.E.3.f/1"
    return OUT_OF_PLAY, "51.B.17/9" if q.transfers else "51.B.19/3"


def _ways(world: EuropaWorld, state: State, entry: Entry) -> Iterator[Command]:
    if entry.verb == "transfer" and entries.direction(world, state, entry) != entries.OUT:
        return
    for unit in entries.as_printed(state.units_in_order(), entry):
        # A whole division for a cadre is its owner's choice, and nothing he must do.
        swaps = unit.place.kind in IN_PLAY and entries.item_for(world, state, entry, unit) is None
        if not swaps and _fits(world, state, entry, unit):
            yield from _paid_for(world, state, Withdraw(entry=entry.key, unit=unit.id))


def _in_anothers_place(world: EuropaWorld, state: State, entry: Entry, unit: Unit) -> Iterator[Withdraw]:
    """Where a group plays by designation: a unit of the kind leaves its place to the one the OB names."""
    if world.ruling(state, entries.IDENTIFICATIONS.key) != "enforced" or unit.place.kind not in IN_PLAY:
        return
    if goes_by_rule_28(world, entry, unit):
        return
    item = entries.line_for(world, state, entry, unit)
    if item is None or entries.bears(unit, item.designations):
        return
    for named in state.units_in_order():
        if entries.bears(named, item.designations) and entries.could_be(world, entry, item, named):
            yield Withdraw(entry=entry.key, unit=unit.id, named=named.id)


def _paid_for(world: EuropaWorld, state: State, command: Withdraw) -> Iterator[Withdraw]:
    """A withdrawal in every way its owner may pay for it: units in play cost nothing."""
    q = Leaving(world, state, command)
    for pools in ways_to_pay(world, state, bill_of(q)) if q.from_pool else ("",):
        yield replace(command, pay_from=pools)


CHAPTER = Chapter(
    heading="51.B.19",
    duties={
        "withdraw": Duty("51.B.19/1", _ways),
        "transfer": Duty("51.B.17/3", _ways),
        "sequester": Duty("51.E.3.g/2", _ways),
    },
    commands=(Withdraw,),
    switches=(WITHDRAWALS,),
    shows=(is_held,),
)
