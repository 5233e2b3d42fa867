"""52.A.1, 52.A.12 and 52.F.4.a  Moving points between pools, and units between boxes."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Annotated, Any

from msgspec.structs import replace

from forcepool.engine.command import Command, Question, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.facts import kept
from forcepool.engine.game import Carries
from forcepool.engine.given import Amounts, Nation, Pool, one_of
from forcepool.engine.options import would_pass
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import the_pool, the_pools
from forcepool.engine.state import State
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground import transport
from forcepool.games.europa.ground.pools import (
    charts,
    free_to_spend,
    is_not_yours,
    is_the_enemys,
    moved_to,
    no_more_than,
    read_amounts,
    said_to_be_free,
    stocks,
    waiting_for,
    whose,
    write_amounts,
)
from forcepool.games.europa.ground.purchase import Purchase
from forcepool.games.europa.ground.transport import BY_RAIL, RAIL, WAYS, Carrying, joined
from forcepool.games.europa.own_phase import only_in_own
from forcepool.games.europa.question import in_a_later
from forcepool.games.europa.replacements.general.building_tracks import is_lost
from forcepool.games.europa.replacements.general.cadres import Rebuild
from forcepool.games.europa.replacements.general.eliminated import Replace
from forcepool.games.europa.replacements.kinds import resources
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

STEPS = switch(
    "pool-steps",
    "52.A.1/3",
    "how far points go between pools in a turn",
    step_by_step="one level at a time, several steps a turn if capacity is paid for each, usable the next turn",
    one_step="one level at a time, and only one step a turn",
    any_pool="from any pool to any pool",
)
ROOM = switch(
    "points-room",
    "52.A.1/10",
    "how much capacity an RP takes",
    one_re="1 RE for each RP of any kind, fractions in proportion",
    half_re="half a RE for each RP",
    inf_half="1 RE for each arm or art RP, half a RE for each inf RP",
    bookkeeping="none: moving points is bookkeeping and needs no transport (52.F.4.a/4)",
)


# ------------------------------------------------------------------------------------------------- points


class PointsMoving(Carrying):
    """Points to be moved from one pool to another."""

    command: "TransferPoints"

    @lazy
    def origin(self) -> str:
        return self.world.pool_named(self.command.pool)

    @lazy
    def nation(self) -> str:
        return whose(self, self.command.nation, self.origin, self.into, kinds=self.amounts)

    @lazy
    def amounts(self) -> Mapping[str, Fraction]:
        return read_amounts(self.world, self.command.points)

    @lazy
    def load(self) -> Fraction:
        return room_of(self, self.amounts)

    @lazy
    def usable(self) -> int:
        """The turn from which the points can be spent where they go."""
        return self.state.clock.turn + int(self.world.numbers["moved_points_wait"])

    @lazy
    def step(self) -> str:
        """The clause that describes the step: down from the nation, down from a theatre, or up; empty if none does."""
        above_origin, above_into = _above(self, self.origin), _above(self, self.into)
        if above_into == self.origin:
            return "52.A.1/1" if self.origin.startswith(NATIONAL) else "52.A.1/2"
        return "52.A.1/3" if above_origin == self.into else ""

    def is_open(self, pool: str) -> bool:
        """Whether points of the nation may come from a pool or go to it: a chart's, or the nation's own."""
        return pool in charts(self.world) or pool == NATIONAL + self.nation

    def there(self, kind: str) -> Fraction:
        """What the pool can send on: what it is free to spend, and what came this turn."""
        return free_to_spend(self.state, self.origin, self.nation, kind) + self.arrived_now(kind)

    def arrived_now(self, kind: str) -> Fraction:
        """Points moved into the pool this turn, which may go on."""
        if self.switch(STEPS.key) == "one-step":
            return Fraction(0)
        return self.state.balance(moved_to(self.usable, self.origin), self.nation, kind)


def _above(q: PointsMoving, pool: str) -> str:
    """The pool one level up: MD, front, theatre or command, nation."""
    if pool.startswith(NATIONAL) or pool not in charts(q.world):
        return ""
    return pools_over(q.world, q.facts, pool, q.nation)[0]


@kept
@computed("52.A.1/3")
def pools_over(world: EuropaWorld, facts: EuropaFacts, pool: str, nation: str) -> tuple[str, ...]:
    """What lies above an area's pool, up to the nation.

    A theatre of the enemy's in which a front was taken is none, nor is one that is lost as a whole.
    """
    around = (each for each in world.line_of(pool)[1:] if each in world.areas)
    own = (each for each in around if homes.is_open_to(world, facts, each, nation))
    return (*(each for each in own if not is_lost(world, facts, each, nation)), NATIONAL + nation)


@computed("52.A.1/10")
def room_of(q: Question, amounts: Mapping[str, Fraction]) -> Fraction:
    """The REs of capacity that points take; fractions in proportion."""
    ruling = q.switch(ROOM.key)
    if ruling == "bookkeeping":
        return Fraction(0)
    return sum((amount * _room(q, kind, ruling) for kind, amount in amounts.items()), Fraction(0))


def _room(q: Question, kind: str, ruling: str) -> Fraction:
    world: Any = q.world
    if kind in resources.RESOURCES:
        return resources.room(world, kind)
    light = ruling == "half-re" or (ruling == "inf-half" and kind.startswith(world.profile.points[0]))
    room: Fraction = world.numbers["rp_res_light" if light else "rp_res"]
    return room


@rule("52.A.1/1")
def pool_holds_them(q: PointsMoving) -> Verdict:
    """Only what a pool holds can be moved from it."""
    for kind, amount in q.amounts.items():
        if (held := q.there(kind)) < amount:
            return no(
                f"{the_pool(q.origin)} holds {show_points(held)} {kind} of {q.nation}, {show_points(amount)} were "
                "to be moved",
                remedy=no_more_than(q, "move", q.there),
                have=held,
                need=amount,
            )
    return YES


@rule("52.A.1/3", "52.A.1/1", "52.A.1/2", "52.F.4.a/4", "52.C/4")
def goes_one_level_at_a_time(q: PointsMoving) -> Verdict:
    """Nation, theatre or command, front: one level down or up, none skipped, and none that the enemy controls."""
    if q.into in charts(q.world) and is_the_enemys(q, q.into):
        return no(is_not_yours(q, q.into), remedy="send them to a theatre or front of your own", clause="52.A.1/1")
    if q.into in charts(q.world) and is_lost(q.world, q.facts, q.into, q.nation):
        # Neither by rail nor through the air: where nobody is left nobody could spend them.
        return no(f"every city of {the_pool(q.into)} is the enemy's, so that it counts as lost", also=("52.A.2/1",))
    if q.step:
        return yes(q.step)
    if q.switch(STEPS.key) == "any-pool" and q.origin != q.into and all(map(q.is_open, (q.origin, q.into))):
        return yes("52.A.1/3", "any pool to any pool, by house rule")
    if q.into.startswith(NATIONAL) and q.into != NATIONAL + q.nation:
        return no(
            f"{the_pool(q.into)} takes no points of {q.nation}",
            remedy="arm RPs may be given as aid (give-aid)",
            clause="52.C/4",
        )
    if not all(map(q.is_open, (q.origin, q.into))):
        return no(
            f"{the_pool(q.origin)} and {the_pool(q.into)} exchange no points",
            remedy="name pools of fronts, theatres or the nation",
        )
    if q.origin == q.into:
        return no(f"they lie in {the_pool(q.into)} already")
    down = q.origin.startswith("theatre/") and not q.into.startswith((NATIONAL, "theatre/"))
    return no(
        f"{the_pool(q.into)} does not lie next to {the_pool(q.origin)}",
        remedy=f"go step by step: {_route(q)}",
        clause="52.A.1/2" if down else "52.F.4.a/4" if _crosses_theatres(q) else "",
    )


def _crosses_theatres(q: PointsMoving) -> bool:
    return all(each in charts(q.world) for each in (q.origin, q.into)) and (
        q.world.theatre_of(q.origin) != q.world.theatre_of(q.into)
    )


def _route(q: PointsMoving) -> str:
    """The way over what lies above both, in words."""
    return the_pools(over_what_lies_above(q.world, q.facts, q.origin, q.into, q.nation), " – ")


@rule("52.A.1/5", "52.A.1/4", "52.A.1/6")
def rail_needs_an_overland_line(q: PointsMoving) -> Verdict:
    """Over land by either rail net; else, or if the player prefers, by air or by sea."""
    if q.switch(ROOM.key) == "bookkeeping":
        return YES
    overland = joined(q, "overland") and all(
        transport.has_open_city(q.world, q.facts, pool, q.side) for pool in (q.origin, q.into)
    )
    if q.way in BY_RAIL:
        if overland:
            return yes("52.A.1/4")
        return no(
            f"no overland supply line joins {the_pool(q.origin)} and {the_pool(q.into)}",
            remedy=list(transport.other_ways(q)),
        )
    return yes("52.A.1/6") if overland else YES


class TransferPoints(Command, tag="transfer-points", frozen=True):
    """Move points from one pool to the next: nation, theatre or command, front, and back. Usable the next turn."""

    pool: Pool
    """The pool they leave."""
    into: Pool
    """The pool they go to, one level up or down."""
    points: Amounts
    """How many of what: '4 inf, 1/2 arm'."""
    nation: Nation = ""
    """Whose points, where the pool holds those of several nations."""
    by: Annotated[str, one_of(*WAYS)] = RAIL

    question = PointsMoving
    of_choice = ("points",)
    needs = (pool_holds_them,)
    requires = (
        only_in_own("", "52.A.1/1"),
        goes_one_level_at_a_time,
        rail_needs_an_overland_line,
        transport.capacity_suffices("52.A.1/10", "52.A.1/5"),
    )

    def side(self, q: PointsMoving) -> str:
        return q.side

    def effects(self, q: PointsMoving) -> Iterator[Event]:
        yield from transport.used(q, "52.A.1/10", f"{show_amounts(q.amounts)} to {the_pool(q.into)}")
        for kind, amount in q.amounts.items():
            for account, part in _taken_from(q, kind, amount):
                yield Transferred(
                    amount=part,
                    kind=kind,
                    nation=q.nation,
                    frm=account,
                    to=moved_to(q.usable, q.into),
                    because=f"{q.step or '52.A.1/3'} 52.F.4.a/4 52.F.4.a/5",
                    says=f"by {transport.WORDS[q.way]}, usable from {q.world.turn_name(q.usable)}",
                )

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """All that each pool holds, one step up or down, by every way there is."""
        if not world.has_the_turn(state, side):
            return
        for pool, nation, amounts in stocks(world, state, side):
            for into in _next_to(world, state, pool, nation):
                for way in transport.WAYS:
                    order = cls(pool=pool, into=into, points=write_amounts(amounts), nation=nation, by=way)
                    yield from _as_much_as_goes(world, world.facts(state), order)


CARRIES = Carries(
    TransferPoints,
    reads=lambda world, order: read_amounts(world, order.points),
    writes=lambda order, amounts: replace(order, points=write_amounts(amounts)),
)


@kept
def _as_much_as_goes(world: EuropaWorld, facts: EuropaFacts, whole: TransferPoints) -> tuple[TransferPoints, ...]:
    """All that the pool holds together; else of each kind as much as there is room for."""
    return tuple(_parts_that_go(world, facts.state, whole))


def _parts_that_go(world: EuropaWorld, state: State, whole: TransferPoints) -> Iterator[TransferPoints]:
    if would_pass(world, state, whole):
        yield whole
        return
    free = transport.left(world, state, whole.nation, whole.by)
    for kind, amount in read_amounts(world, whole.points).items():
        room = room_of(PointsMoving(world, state, whole), {kind: Fraction(1)})
        alone = replace(whole, points=write_amounts({kind: amount}))
        held = (amount, free_to_spend(state, whole.pool, whole.nation, kind), said_to_be_free(world, state, alone))
        sizes = [min(each, free / room) if free is not None and room else each for each in held]
        parts = (replace(whole, points=write_amounts({kind: size})) for size in sizes if size > 0)
        yield from islice((each for each in parts if would_pass(world, state, each)), 1)


def _next_to(world: EuropaWorld, state: State, pool: str, nation: str) -> list[str]:
    """The pools a step away, or all where a ruling lets points go from any to any."""
    national, facts = NATIONAL + nation, world.facts(state)

    def above(each: str) -> str:
        return pools_over(world, facts, each, nation)[0]

    open_to = [each for each in charts(world) if world.could_serve(state, each, nation)]
    if world.ruling(state, STEPS.key) == "any-pool":
        return [each for each in (national, *open_to) if each != pool]
    if pool == national:
        return [each for each in open_to if above(each) == national]
    if pool not in world.areas:
        return []
    return [above(pool), *(each for each in open_to if above(each) == pool)]


def _taken_from(q: PointsMoving, kind: str, amount: Fraction) -> Iterator[tuple[str, Fraction]]:
    """Points already moved this turn go on first: they could not be spent before the next turn anyway."""
    going_on = min(amount, q.arrived_now(kind))
    if going_on:
        yield moved_to(q.usable, q.origin), going_on
    if amount > going_on:
        yield q.origin, amount - going_on


@rule("52.F.4.a/5", "51.B.5.a/1", "51.B.14/5", "51.B.19/9", "52.A.6/4", "52.J.2.a/2")
def points_did_not_come_this_turn(q: Purchase) -> Verdict:
    """Points moved between pools are not spent on the turn they are moved, nor others before their own rule says."""
    for nation, kind, amount in q.payments:
        held = q.state.balance(q.payer, nation, kind)
        if held >= amount:
            continue
        for turn, whose_, what, coming, (clause, *also) in waiting_for(q.state, q.payer):
            if (whose_, what) == (nation, kind) and held + coming >= amount:
                return no(
                    f"{show_points(coming)} {kind} of {nation} in {the_pool(q.payer)} are usable from "
                    f"{q.world.turn_name(turn)}",
                    remedy=in_a_later(q, turn, "wait until then"),
                    clause=clause,
                    also=tuple(also),
                    have=held,
                    need=amount,
                )
    return YES


# ------------------------------------------------------------------------------- how a pool comes by more points


def over_what_lies_above(world: EuropaWorld, facts: EuropaFacts, origin: str, into: str, nation: str) -> list[str]:
    """From one pool up to what lies above both, and down to the other."""
    up, down = (
        [pool] if pool.startswith(NATIONAL) else [pool, *pools_over(world, facts, pool, nation)]
        for pool in (origin, into)
    )
    meet = next(pool for pool in up if pool in down)
    return [*up[: up.index(meet) + 1], *reversed(down[: down.index(meet)])]


CHAPTER = Chapter(
    heading="52.A.1",
    commands=(TransferPoints,),
    transfers={
        (transport.GIVEN, "capacity"): "capacity given",
        (transport.GIVEN, transport.USED): "capacity used",
        ("capacity", transport.USED): "capacity used",
    },
    switches=(STEPS, ROOM),
    guards=dict.fromkeys((Replace, Rebuild), (points_did_not_come_this_turn,)),
)
