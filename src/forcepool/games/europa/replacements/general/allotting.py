"""52.F.4.a/6  Points just received are given to a front, and are usable at once."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from forcepool.engine.agenda import OPEN, Item
from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event, Transferred
from forcepool.engine.given import Amounts, Area, Nation, Pool
from forcepool.engine.options import would_pass
from forcepool.engine.points import show_amounts, show_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import (
    charts,
    free_to_spend,
    holders,
    is_not_yours,
    is_the_enemys,
    read_amounts,
    received,
    whose,
    write_amounts,
)
from forcepool.games.europa.question import EuropaQuestion
from forcepool.games.europa.world import NATIONAL, RECEIVED, EuropaWorld


class Allotting(EuropaQuestion):
    """Points just received, to be given to a front."""

    command: "Allot"

    @lazy
    def into(self) -> str:
        return self.world.pool_named(self.command.into)

    @lazy
    def pool(self) -> str:
        if self.command.pool:
            return self.world.pool_named(self.command.pool)
        if self.command.nation:
            return self._that_received(self.world.nation_named(self.command.nation))
        return self._the_only_one()

    def _that_received(self, nation: str) -> str:
        """The pool in which a nation has points to allot: its own, or the only other one."""
        own = NATIONAL + nation
        pools = {pool for pool, of, _, _ in to_allot(self.state) if of == nation}
        return pools.pop() if len(pools) == 1 else own

    def _the_only_one(self) -> str:
        """The pool that has just received points, where the player names none."""
        pools = {pool for pool, _, _, _ in to_allot(self.state)}
        if len(pools) == 1:
            return pools.pop()
        if not pools:
            raise BadCommand(
                "no nation has points left to allot; they go to a front in the reinforcement phase that brings them"
            )
        raise BadCommand(
            f"say whose points with {the_field('nation')} or {the_field('pool')}; {', '.join(sorted(pools))} received "
            "points that can still be allotted"
        )

    @lazy
    def nation(self) -> str:
        if self.command.nation or self.pool.startswith(NATIONAL):
            return whose(self, self.command.nation, self.pool)
        fresh = received(self.pool)
        return whose(self, "", fresh if holders(self.state, fresh) else self.pool, kinds=self.amounts)

    @lazy
    def amounts(self) -> Mapping[str, Fraction]:
        return read_amounts(self.world, self.command.points)


@rule("52.F.4.a/6")
def were_received_this_phase(q: Allotting) -> Verdict:
    """Charted points may be allotted as they are received, not later."""
    if q.into not in charts(q.world):
        return no(f"{the_pool(q.into)} is no front's or theatre's pool", remedy="allot them to a front, or leave them")
    if is_the_enemys(q, q.into):
        return no(is_not_yours(q, q.into), remedy="allot them to a front of your own, or leave them")
    if q.into == q.pool:
        return no(f"{the_pool(q.into)} has received them itself, and keeps what is not allotted", remedy="")
    for kind, amount in q.amounts.items():
        fresh = q.state.balance(received(q.pool), q.nation, kind)
        fresh = min(fresh, free_to_spend(q.state, q.pool, q.nation, kind, fresh))
        if fresh < amount:
            return no(
                f"{show_points(fresh)} {kind} received by {the_pool(q.pool)} can still be allotted, not "
                f"{show_points(amount)}",
                remedy="use transfer-points for points received earlier",
                have=fresh,
                need=amount,
            )
    return YES


class Allot(Command, tag="allot", frozen=True):
    """Give charted points to a front as they are received; they are usable at once."""

    into: Area
    """The front or theatre that gets them."""
    points: Amounts
    """How many of what: '7 inf, 1 arm'."""
    nation: Nation = ""
    pool: Pool = ""
    """The pool that received them; left out, the nation's."""

    question = Allotting
    of_choice = ("points",)
    needs = (were_received_this_phase,)

    def side(self, q: Allotting) -> str:
        return q.world.side_now(q.state, q.nation)

    def effects(self, q: Allotting) -> Iterator[Event]:
        for kind, amount in q.amounts.items():
            yield Transferred(
                amount=amount,
                kind=kind,
                nation=q.nation,
                frm=received(q.pool),
                to=q.into,
                because="52.F.4.a/6",
                says="allotted on receipt, usable at once",
            )

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        """All that a pool has just received, to each front or theatre that may get it."""
        for (pool, nation), amounts in free_to_allot(state).items():
            if world.side_now(state, nation) == side:
                yield from cls._ways(world, state, pool, nation, amounts)

    @classmethod
    def _ways(
        cls, world: EuropaWorld, state: State, pool: str, nation: str, amounts: Mapping[str, Fraction]
    ) -> Iterator[Command]:
        for into in charts(world):
            order = cls(into=into, points=write_amounts(amounts), nation=nation, pool=pool)
            if into != pool and would_pass(world, state, order):
                yield order


def to_allot(state: State) -> Iterator[tuple[str, str, str, Fraction]]:
    """What pools have just received: the pool, the nation, the kind and how many."""
    for account, amount in sorted(state.balances.items()):
        if amount > 0 and account.pool.startswith(RECEIVED):
            yield account.pool.removeprefix(RECEIVED), account.nation, account.kind, amount


def free_to_allot(state: State) -> dict[tuple[str, str], dict[str, Fraction]]:
    """The same by pool and nation, less what pays a deficit as the phase ends and so goes to no front."""
    fresh: dict[tuple[str, str], dict[str, Fraction]] = {}
    for pool, nation, kind, amount in to_allot(state):
        free = min(amount, free_to_spend(state, pool, nation, kind, amount))
        if free > 0:
            fresh.setdefault((pool, nation), {})[kind] = free
    return dict(sorted(fresh.items()))


def may_be_allotted(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What charts brought a pool in this phase, and may still go to a front at once; one line a pool and nation."""
    for (pool, nation), amounts in free_to_allot(state).items():
        if pool != NATIONAL + nation and not any(Allot._ways(world, state, pool, nation, amounts)):
            continue
        whose = "" if pool == NATIONAL + nation else f" of {nation}"
        points = f"{show_amounts(amounts)}{whose} just received by {the_pool(pool)}"
        text = f"{points} may still go to a front and be used there at once (allot)"
        yield Item(OPEN, text, "52.F.4.a/6", world.side_now(state, nation))


CHAPTER = Chapter(heading="52.F.4.a", commands=(Allot,), agenda=(may_be_allotted,))
