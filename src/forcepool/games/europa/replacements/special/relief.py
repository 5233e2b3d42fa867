"""52.F.4.b/6 to /8  Auxiliary pools given up, in danger, or relieved."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from forcepool.engine.agenda import DUE, NEWS, OPEN, Item
from forcepool.engine.command import BadCommand, Command, Question, lazy
from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import subject_key
from forcepool.engine.given import Pool
from forcepool.engine.options import would_pass
from forcepool.engine.points import show_amounts
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, evolve
from forcepool.engine.verdicts import YES, Verdict, no, rule, yes
from forcepool.games.europa import homes
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import charts, nations_in_play
from forcepool.games.europa.ground.tallies import front_of
from forcepool.games.europa.question import EuropaQuestion, instead
from forcepool.games.europa.replacements.special.pockets import (
    CUT_OFF,
    DISSOLVING,
    ISLANDS,
    LAST_DISRUPTED,
    LAST_UNIT,
    OF_SIDE,
    POCKET,
    any_isolated,
    dissolved,
    formed_pools,
    front_around,
    held,
    is_formed,
    is_relieved,
    lying_in,
    relieved,
    units_in,
)
from forcepool.games.europa.world import LOCAL, EuropaWorld
from forcepool.rulebook.citations import computed


@computed("52.F.4.b/7")
def given_up(world: EuropaWorld, state: State, pool: str, ruling: str) -> Iterator[Event]:
    """A pool may be given up at any time, at the price of losing its HQ."""
    return dissolved(world, state, pool, ruling, "52.F.4.b/7 52.F.4.b/6")


class DissolveAuxiliaryPool(Command, tag="dissolve-auxiliary-pool", frozen=True):
    """Give an auxiliary pool up: its units and points are treated as isolated losses."""

    harms = True

    pool: Pool

    def side(self, q: Question) -> str:
        assert isinstance(q.world, EuropaWorld)
        return str(q.world.facts(q.state).of_area(q.world.pool_named(self.pool), OF_SIDE) or "")

    def effects(self, q: Question) -> Iterator[Event]:
        assert isinstance(q.world, EuropaWorld)
        pool = q.world.pool_named(self.pool)
        if not is_formed(q.world, q.state, pool):
            known = ", ".join(formed_pools(q.world, q.state)) or "none"
            raise BadCommand(f"{the_pool(pool)} is no auxiliary pool; there are {the_pool(known)}")
        yield from given_up(q.world, q.state, pool, q.switch(DISSOLVING.key))

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        for pool in formed_pools(world, state):
            if world.facts(state).of_area(pool, OF_SIDE) == side:
                yield cls(pool=pool)


class Joining(EuropaQuestion):
    """A local pool about to join the pool of a front."""

    command: "JoinLocalPool"

    @lazy
    def pool(self) -> str:
        return self.world.pool_named(self.command.pool)

    @lazy
    def into(self) -> str:
        """The area named, else the front it was formed in, or the one around the pocket's units."""
        if self.command.into:
            return self.world.area_named(self.command.into)
        return front_around(self.world, self.state, self.pool) or self.front_of_its_units

    @lazy
    def front_of_its_units(self) -> str:
        """The front in which the units of the pocket stand; empty where nobody has said which they are."""
        stood = ((self.world.spot(unit.place.of).area, unit) for unit in units_in(self.world, self.state, self.pool))
        found = (front_of(self.world, self.state, area, unit.spec.nation) for area, unit in stood if area)
        return next((area for area in found if area in self.world.areas), "")

    @lazy
    def nations(self) -> list[str]:
        """Whose points and units lie in it."""
        points = {account.nation for account, _ in held(self.state, self.pool)}
        return sorted(points | {unit.spec.nation for unit in lying_in(self.state, self.pool)})


@rule("52.F.4.b/8", "52.A.9.c/8")
def the_pocket_is_relieved(q: Joining) -> Verdict:
    """A local pool joins its front once none of the units in the pocket is isolated any more."""
    formed = is_formed(q.world, q.state, q.pool)
    cut_off = [unit for unit in units_in(q.world, q.state, q.pool) if any_isolated(q.world, q.state, [unit])]
    if not cut_off:
        return YES if formed else yes("52.A.9.c/8")
    return no(
        f"{cut_off[0]} in {the_pool(q.pool)} is still isolated",
        remedy=f"declare {the_field('isolated', 'no')} for the units that were relieved",
        clause="" if formed else "52.A.9.c/8",
    )


@rule("52.F.4.a/1")
def joins_an_area_of_its_own(q: Joining) -> Verdict:
    """Each side keeps its own charts: a pocket's points go to none of the enemy's."""
    facts = q.world.facts(q.state)
    strangers = [each for each in q.nations if q.into and not homes.is_open_to(q.world, facts, q.into, each)]
    if not strangers:
        return YES
    near = front_around(q.world, q.state, q.pool) or q.front_of_its_units
    other = near and near != q.into
    return no(
        f"{the_pool(q.into)} takes no points of {strangers[0]}",
        remedy=instead(q, f"name {the_pool(near)}", into=near) if other else "name an area of your own",
    )


class JoinLocalPool(Command, tag="join-local-pool", frozen=True):
    """A pocket is relieved: what its local pool holds joins the front's pool."""

    pool: Pool
    into: Pool = ""
    """The front's pool; left out, that of the front around the pocket."""

    question = Joining
    requires = (the_pocket_is_relieved, joins_an_area_of_its_own)

    def side(self, q: Joining) -> str:
        return q.world.side_now(q.state, q.nations[0]) if q.nations else ""

    def effects(self, q: Joining) -> Iterator[Event]:
        if not q.pool.startswith(LOCAL):
            raise BadCommand(
                f"{the_pool(q.pool)} is not a local pool; those are called local/ and the name of the pocket"
            )
        if not q.into:
            raise BadCommand(f"say with {the_field('into')} which front's pool {the_pool(q.pool)} joins")
        why = "52.F.4.b/8" if is_formed(q.world, q.state, q.pool) else "52.A.9.c/8"
        events = list(relieved(q.world, q.state, q.pool, q.into, why))
        if not events:
            raise BadCommand(
                f"{the_pool(q.pool)} holds nothing that could join {the_pool(q.into)}; look at the pools to see what "
                "each holds"
            )
        yield from events

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """Each local pool that is relieved and holds something, into the front around it or any that it may join."""
        for pool in _held_by(world, state, side):
            orders = (cls(pool=pool, into=into) for into in ("", *charts(world)))
            yield from (order for order in orders if would_pass(world, state, order))


def _held_by(world: EuropaWorld, state: State, side: str) -> list[str]:
    """The pockets in which a side has points, and its auxiliary pools."""
    local = {each for each, balance in state.balances.items() if each.pool.startswith(LOCAL) and balance}
    nations = nations_in_play(world, state, side) if local else []
    pools = {each.pool for each in local if each.nation in nations}
    return sorted(each for each in {*pools, *formed_pools(world, state)} if each.startswith(LOCAL))


def pools_to_join(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Local pools that nobody declared auxiliary pools, once all the units of their pocket have been relieved."""
    for side in sorted(set(world.sides.values())):
        for pool in _held_by(world, state, side):
            if is_formed(world, state, pool) or not units_in(world, state, pool):
                continue
            order = JoinLocalPool(pool=pool)
            if would_pass(world, state, order):
                into = order.question(world, state, order).into
                points = show_amounts(_points_in(state, pool))
                text = f"{the_pool(pool)} is relieved: its {points} may join {the_pool(into)}"
                yield Item(OPEN, text, "52.A.9.c/8", side, order)


def _points_in(state: State, pool: str) -> dict[str, Fraction]:
    points: dict[str, Fraction] = {}
    for account, amount in held(state, pool):
        points[account.kind] = points.get(account.kind, Fraction(0)) + amount
    return points


def relieve_those_reached(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a phase ends, a pool whose units are no longer isolated joins its front."""
    for pool in formed_pools(world, state):
        if is_relieved(world, state, pool):
            yield from relieved(world, state, pool, front_around(world, state, pool), "52.F.4.b/8")
        elif any_isolated(world, state, units_in(world, state, pool)):
            on = subject_key("area", pool)
            if state.mark(on, CUT_OFF) is None:
                yield Marked(on=on, mark=CUT_OFF, value=True)


def relieve_as_declared(q: Any) -> Iterator[Event]:
    """A unit declared isolated no more may be the one that relieves its pocket, at once."""
    if formed_pools(q.world, q.state):
        after = q.state.copy()
        evolve(after, (Marked(on=q.on, mark=q.fact.name, value=q.value),))
        yield from relieve_those_reached(q.world, after)


def pools_in_danger(world: EuropaWorld, state: State) -> Iterator[Item]:
    """Auxiliary pools, and what would be lost with them."""
    for pool in formed_pools(world, state):
        side = str(world.facts(state).of_area(pool, OF_SIDE) or "")
        units = len(list(lying_in(state, pool)))
        holds = f"{show_amounts(_points_in(state, pool))} and {units} unit{'' if units == 1 else 's'}"
        if is_relieved(world, state, pool):
            join = JoinLocalPool(pool=pool)
            yield Item(
                DUE,
                f"{the_pool(pool)} is relieved: {holds} join {the_pool(front_around(world, state, pool))}",
                "52.F.4.b/8",
                side,
                join,
            )
            continue
        hq = "little of it is saved if its HQ falls, " if is_formed(world, state, pool) == POCKET else ""
        text = f"{the_pool(pool)} holds {holds}: {hq}all of it is lost with its last unit"
        yield Item(NEWS, text, "52.F.4.b/6", side)


CHAPTER = Chapter(
    heading="52.F.4.b",
    commands=(DissolveAuxiliaryPool, JoinLocalPool),
    switches=(DISSOLVING, LAST_UNIT, LAST_DISRUPTED, ISLANDS),
    declared={"isolated": (relieve_as_declared,)},
    ends=(relieve_those_reached,),
    due=(pools_in_danger,),
    agenda=(pools_to_join,),
)
