"""52.C  Kinds of RP: who has which, and armour given as foreign aid."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice

from msgspec.structs import replace

from forcepool.engine.command import Command, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.given import Amounts, Nation, Pool
from forcepool.engine.options import would_pass
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_pool
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Remedy, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import (
    REINFORCEMENT,
    free_to_spend,
    nations_in_play,
    no_more_than,
    read_amounts,
    received,
    said_to_be_free,
    write_amounts,
)
from forcepool.games.europa.ground.soviet_pools import AXIS, CITY, FACTORY, GENERAL, home_of
from forcepool.games.europa.own_phase import in_own
from forcepool.games.europa.profile import RpTypes
from forcepool.games.europa.question import EuropaQuestion, instead
from forcepool.games.europa.world import NATIONAL, RECEIVED, EuropaWorld

ARM = "arm"
AID_GIVEN, AID_RECEIVED = "sink/foreign aid", "source/foreign aid"


class Aiding(EuropaQuestion):
    """Points of one nation to be given to another."""

    command: "GiveAid"

    @lazy
    def donor(self) -> str:
        return self.world.nation_named(self.command.nation)

    @lazy
    def friend(self) -> str:
        return self.world.nation_named(self.command.to)

    @lazy
    def pool(self) -> str:
        return self.world.pool_named(self.command.pool) if self.command.pool else _own_pool(self.donor)

    @lazy
    def accounts(self) -> tuple[str, str]:
        """Where the points lie: in the pool, and among those it has just received."""
        return self.pool, received(self.pool)

    def there(self, kind: str) -> Fraction:
        """What the pool is free to give, with what it has just received."""
        fresh = self.state.balance(received(self.pool), self.donor, kind)
        return free_to_spend(self.state, self.pool, self.donor, kind, fresh)

    @lazy
    def into(self) -> str:
        return self.world.pool_named(self.command.into) if self.command.into else _own_pool(self.friend)

    @lazy
    def amounts(self) -> Mapping[str, Fraction]:
        return read_amounts(self.world, self.command.points)


def _own_pool(nation: str) -> str:
    """Where a nation keeps its armour RPs: the Soviets in their general pool."""
    return home_of(NATIONAL + nation, nation, ARM)


@rule("52.C/5")
def donor_holds_it(q: Aiding) -> Verdict:
    """Nobody gives away what he does not hold, or owes."""
    for kind, amount in q.amounts.items():
        if (held := q.there(kind)) < amount:
            return no(
                f"{the_pool(q.pool)} holds {show_points(held)} {kind} of {q.donor}, not {show_points(amount)}",
                remedy=no_more_than(q, "give", q.there),
                have=held,
                need=amount,
            )
    return YES


def _into_its_own(q: Aiding) -> Remedy:
    own = _own_pool(q.friend)
    return instead(q, f"give it to {the_pool(own)}", into=own)


@rule("52.C/5", "52.C/4")
def goes_to_another_nation(q: Aiding) -> Verdict:
    """Aid goes from one nation to another, into a pool that serves it; one's own points are moved by transport."""
    if q.donor == q.friend:
        return no(f"{q.donor} cannot aid itself", remedy="move the points with transfer-points")
    own = (NATIONAL + q.friend, _own_pool(q.friend))
    if q.into.startswith((NATIONAL, GENERAL, CITY, FACTORY)) and q.into not in own:
        return no(f"{the_pool(q.into)} does not serve {q.friend}", remedy=_into_its_own(q), clause="52.C/4")
    if q.into in q.world.areas and not q.world.could_serve(q.state, q.into, q.friend):
        return no(f"{the_pool(q.into)} is closed to {q.friend}", remedy=_into_its_own(q), clause="52.C/4")
    return YES


@rule("52.C/5")
def only_armour_is_given(q: Aiding) -> Verdict:
    """Foreign aid is in arm RPs; other points serve their own nation alone."""
    others = [kind for kind in q.amounts if kind != ARM]
    if not others:
        return YES
    return no(f"{' and '.join(others)} points are not given as foreign aid", remedy="give arm RPs")


@rule("52.C/5")
def given_in_the_reinforcement_phase(q: Aiding) -> Verdict:
    """Aid is given in the donor's reinforcement phase, so that it serves in the same turn's replacement phase."""
    return in_own(q, REINFORCEMENT, q.world.side_now(q.state, q.donor))


@rule("52.C/5")
def is_no_enemy(q: Aiding) -> Verdict:
    """Nobody arms the enemy: between the Axis and another player no aid is given."""
    sides = {q.world.side_now(q.state, each) for each in (q.donor, q.friend)}
    if len(sides) == 1 or AXIS not in sides or not sides <= set(q.world.sequence.players):
        return YES
    return no(f"{q.friend} fights against {q.donor}", remedy="give it to a nation on the same side")


class GiveAid(Command, tag="give-aid", frozen=True):
    """Give arm RPs of one nation to another as foreign aid; usable the same turn."""

    nation: Nation
    """Who gives."""
    to: Nation
    """Who receives."""
    points: Amounts
    """'2 arm'; fractions are allowed."""
    pool: Pool = ""
    """The pool they come from; left out, the giver's national pool, or the Soviets' general one."""
    into: Pool = ""
    """The pool that gets them; left out, the receiver's national pool, or the Soviets' general one."""

    question = Aiding
    of_choice = ("points", "to", "into")
    needs = (donor_holds_it,)
    requires = (goes_to_another_nation, only_armour_is_given, is_no_enemy, given_in_the_reinforcement_phase)

    def side(self, q: Aiding) -> str:
        return q.world.side_now(q.state, q.donor)

    def effects(self, q: Aiding) -> Iterator[Event]:
        says = f"foreign aid of {q.donor} to {q.friend}"
        for kind, amount in q.amounts.items():
            for account, part in _taken_from(q, kind, amount):
                for nation, frm, to in ((q.donor, account, AID_GIVEN), (q.friend, AID_RECEIVED, q.into)):
                    yield Transferred(
                        amount=part, kind=kind, nation=nation, frm=frm, to=to, because="52.C/5", says=says
                    )

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """The armour that each nation's pools hold, to each friend in play; to any of its side where none is."""
        if world.phase(state) != REINFORCEMENT or not world.has_the_turn(state, side):
            return
        own_side = sorted(each for each in world.profile.nations if world.side_now(state, each) == side)
        for pool, nation, amounts in _armour(world, state, side):
            orders = (
                [cls(nation=nation, to=friend, points=write_amounts(amounts), pool=pool) for friend in friends]
                for friends in (nations_in_play(world, state), own_side)
            )
            lawful = ([each for order in some for each in _as_much_as_goes(world, state, order)] for some in orders)
            yield from next(filter(None, lawful), [])


def _as_much_as_goes(world: EuropaWorld, state: State, whole: GiveAid) -> Iterator[GiveAid]:
    """All that a pool holds, else as much as is said to be free."""
    free = {ARM: said_to_be_free(world, state, whole)}
    orders = (whole, replace(whole, points=write_amounts(free))) if free[ARM] > 0 else (whole,)
    yield from islice((each for each in orders if would_pass(world, state, each)), 1)


def _armour(world: EuropaWorld, state: State, side: str) -> Iterator[tuple[str, str, dict[str, Fraction]]]:
    """The pools that hold armour, or have just received some, and how much can be given."""
    held: dict[tuple[str, str], Fraction] = {}
    for account, amount in sorted(state.balances.items()):
        pool = account.pool.removeprefix(RECEIVED)
        known = pool in world.pools or pool.startswith((NATIONAL, GENERAL))
        if account.kind == ARM and amount > 0 and known and world.side_now(state, account.nation) == side:
            fresh = state.balance(received(pool), account.nation, ARM)
            held[pool, account.nation] = free_to_spend(state, pool, account.nation, ARM, fresh)
    yield from ((pool, nation, {ARM: amount}) for (pool, nation), amount in held.items() if amount > 0)


def _taken_from(q: Aiding, kind: str, amount: Fraction) -> Iterator[tuple[str, Fraction]]:
    """The pool's own points first, then those it has just received."""
    for account in q.accounts:
        part = min(amount, q.state.balance(account, q.donor, kind))
        if part > 0:
            yield account, part
        amount -= max(part, Fraction(0))


CHAPTER = Chapter(heading="52.C", commands=(GiveAid,), charts={"rp_types": tuple[RpTypes, ...]})
