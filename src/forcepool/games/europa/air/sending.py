"""28.D item 4  ARPs sent to another theatre at the end of a reinforcement phase."""

from collections.abc import Iterator
from fractions import Fraction

from forcepool.engine.command import BadCommand, Command, lazy
from forcepool.engine.events import Event
from forcepool.engine.facts import PLAYER_TURN
from forcepool.engine.given import Area, Nation, Points
from forcepool.engine.points import parse_points, show_counted, show_points, store_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State
from forcepool.engine.tally import Tally
from forcepool.engine.verdicts import YES, Verdict, no, rule
from forcepool.games.europa.air import cycle
from forcepool.games.europa.air.arps import ARP, holdings, moves, pool_key
from forcepool.games.europa.air.dues import kept_for_withdrawals, spoken_for
from forcepool.games.europa.air.question import Air
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import REINFORCEMENT, holders, is_not_yours, is_the_enemys, usable_from, whose
from forcepool.games.europa.world import EuropaWorld

SENT = Tally("arps_sent", "air-pool", "the ARPs sent to other theatres this phase", PLAYER_TURN)


class Sending(Air):
    """ARPs on their way from one theatre to another."""

    command: "TransferArps"

    @lazy
    def origin(self) -> str:
        return self.world.pool_named(self.command.pool)

    @lazy
    def into(self) -> str:
        return self.world.area_named(self.command.into)

    @lazy
    def nation(self) -> str:
        return whose(self, self.command.nation, self.origin, kinds=(ARP,))

    @lazy
    def amount(self) -> Fraction:
        amount = parse_points(self.command.arps)
        if amount <= 0 or self.into == self.origin:
            raise BadCommand(f"give an amount above nothing, and another theatre with {the_field('into')}")
        return amount

    @lazy
    def sent(self) -> Fraction:
        """What the pool has sent away in this reinforcement phase."""
        return SENT.so_far(self.facts, pool_key(self.origin, self.nation))


@rule("28.D.list.4/1")
def no_more_than_two_are_sent(q: Sending) -> Verdict:
    """Two ARPs in all leave a pool in a reinforcement phase."""
    limit, total = q.world.numbers["arps_transferred"], q.sent + q.amount
    if total <= limit:
        return YES
    now, later = limit - q.sent, min(limit, q.amount)
    rest = ", or the rest next turn" if q.amount - now <= limit else ""
    then = "wait a turn" if later == q.amount else f"send {show_points(later)} next turn"
    return no(
        f"{the_pool(q.origin)} would send {show_counted(total, 'ARP')} this phase, {show_points(limit)} at most",
        remedy=f"send {show_points(now)} now{rest}" if now > 0 else then,
        have=total,
        need=limit,
    )


@rule("28.D.list.4/1")
def they_go_to_a_theatre(q: Sending) -> Verdict:
    """ARPs go from one theatre or front of a side to another; an MD has none of its own."""
    if is_the_enemys(q, q.into):
        return no(is_not_yours(q, q.into), remedy=f"name another theatre of your own with {the_field('into')}")
    if not q.into.startswith("md/"):
        return YES
    return no(
        f"{the_pool(q.into)} is no theatre",
        remedy=f"name another theatre than {the_pool(q.origin)} with {the_field('into')}",
    )


@rule("28.D.list.4/1", "28.F/2")
def they_are_unspent(q: Sending) -> Verdict:
    """Only ARPs that lie in the pool, and that no withdrawal takes, made or still to be made, can be sent."""
    held = q.state.balance(q.origin, q.nation, ARP) - spoken_for(q.world, q.state, q.origin, q.nation)
    if held >= q.amount:
        return YES
    wanted, unit = kept_for_withdrawals(q.world, q.state, q.origin, q.nation)
    free, now = max(Fraction(0), held), can_be_sent(q.world, q.state, q.origin, q.nation)
    first = f"withdraw {unit} first, then see what is left" if unit and not free else ""
    kept = f", {show_points(wanted)} being kept for withdrawals of this phase" if wanted else ""
    return no(
        f"{the_pool(q.origin)} has {show_counted(free, 'ARP')} of {q.nation} to send, "
        f"not {show_points(q.amount)}{kept}",
        remedy=f"send {show_points(now)}" if now > 0 else first,
        also=("28.F/2",) if wanted else (),
        have=held,
        need=q.amount,
    )


class TransferArps(Command, tag="transfer-arps", frozen=True):
    """Send up to two ARPs from one theatre to another; they can be used from the next turn."""

    pool: Area
    """The theatre they leave."""
    into: Area
    """The theatre that gets them."""
    arps: Points
    nation: Nation = ""
    """Whose, where the pool holds those of several national forces."""

    question = Sending
    of_choice = ("arps",)
    requires = (
        cycle.in_own_reinforcement_phase("28.D.list.4/1"),
        they_go_to_a_theatre,
        no_more_than_two_are_sent,
        they_are_unspent,
    )

    def side(self, q: Sending) -> str:
        return q.side

    def effects(self, q: Sending) -> Iterator[Event]:
        usable = q.state.clock.turn + int(q.world.numbers["arps_wait"])
        to = usable_from(usable, q.into)
        yield moves(q.amount, q.nation, q.origin, to, "28.D.list.4/1 28.D.list.4/2 28.D/4")
        yield SENT.counts(q.facts, pool_key(q.origin, q.nation), q.amount, "28.D.list.4/1")

    @classmethod
    def offers_to_side(cls, world: EuropaWorld, state: State, side: str) -> Iterator[Command]:
        if world.phase(state) != REINFORCEMENT:
            return
        for pool, nation, _ in list(holdings(world, state, side)):
            arps = can_be_sent(world, state, pool, nation)
            shared = len(holders(state, pool, ARP)) > 1
            for into in theatres_with_air(world, state) if arps > 0 else ():
                if world.theatre_of(into) != world.theatre_of(pool) and world.could_serve(state, into, nation):
                    whose = nation if shared else ""
                    yield cls(pool=pool, into=into, arps=store_points(arps), nation=whose)


def can_be_sent(world: EuropaWorld, state: State, pool: str, nation: str) -> Fraction:
    """What a pool may still send away in this phase."""
    allowed = SENT.left(world.facts(state), pool_key(pool, nation), world.numbers["arps_transferred"])
    free = state.balance(pool, nation, ARP) - spoken_for(world, state, pool, nation)
    return min(allowed, free)


def theatres_with_air(world: EuropaWorld, state: State) -> list[str]:
    """Where ARPs may be sent: every theatre, and every front that has ARPs of its own."""
    served = {account.pool for account in state.balances if account.kind == ARP}
    return [each for each in world.pools if not each.startswith("md/") and each in (world.theatre_of(each), *served)]


CHAPTER = Chapter(
    heading="28.D",
    commands=(TransferArps,),
    facts=(SENT.fact,),
)
