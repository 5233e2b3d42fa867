"""51.B.17/7 and /8, 51.B.19/5 and /6  RPs given up with a unit of the pool: which pools pay, and what is owed."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.engine.agenda import NEWS, Item
from forcepool.engine.events import Event, Transferred
from forcepool.engine.given import listed
from forcepool.engine.points import show_points
from forcepool.engine.sentence import the_field, the_pool
from forcepool.engine.state import State, evolve
from forcepool.engine.switches import switch
from forcepool.engine.verdicts import YES, Verdict, no
from forcepool.games.europa.chapter import Chapter
from forcepool.games.europa.ground.pools import DEFICIT
from forcepool.games.europa.ground.soviet_pools import lies_in
from forcepool.games.europa.world import NATIONAL, EuropaWorld
from forcepool.rulebook.citations import computed

FORFEITED = "sink/forfeited"

PAYERS = switch(
    "forfeited-points",
    "51.B.19/6",
    "which pools pay for a unit of the pool that is withdrawn or transferred, and repay a deficit",
    any_pool="the pool it is listed for, then its theatre's and the nation's, then others as their owner chooses",
    theatre="the pool it is listed for and those inside that, and no other",
)


class Bill(Struct, frozen=True):
    """What must be given up, and from where: the pool the entry speaks of, and those its owner names."""

    nation: str
    pool: str
    cost: Mapping[str, Fraction]
    named: tuple[str, ...] = ()


def named_pools(world: EuropaWorld, text: str) -> tuple[str, ...]:
    """'national/Germany, front/north': the pools an owner names, in his order."""
    return tuple(map(world.pool_named, listed(text)))


def _home(world: EuropaWorld, state: State, bill: Bill, pool: str, kind: str) -> str:
    return lies_in(world, state, pool, bill.nation, kind)[0]


def _whose(world: EuropaWorld, state: State, bill: Bill, kind: str) -> str:
    """Whose points of a kind pay: a contingent's machines are the Soviet Union's."""
    return lies_in(world, state, bill.pool, bill.nation, kind)[1]


def _held(world: EuropaWorld, state: State, bill: Bill, pool: str, kind: str) -> Fraction:
    return max(Fraction(0), state.balance(pool, _whose(world, state, bill, kind), kind))


def _others(world: EuropaWorld, state: State, bill: Bill, kind: str) -> list[str]:
    """The other pools of the nation with points of a kind: those inside its own, those around it, then the rest."""
    own = _home(world, state, bill, bill.pool, kind)
    inside = [area for area in sorted(world.areas) if area != own and own in world.line_of(area)]
    far = [] if _keeps_to_its_theatre(world, state) else [*above(world, state, bill, kind), *sorted(world.areas)]
    homes = (_home(world, state, bill, each, kind) for each in (*inside, *far))
    return [each for each in dict.fromkeys(homes) if each != own and _held(world, state, bill, each, kind)]


def _keeps_to_its_theatre(world: EuropaWorld, state: State) -> bool:
    return world.ruling(state, PAYERS.key) == "theatre"


def above(world: EuropaWorld, state: State, bill: Bill, kind: str) -> list[str]:
    """The pools above the entry's own, from which points come down to it: the theatre's, then the nation's."""
    if _keeps_to_its_theatre(world, state):
        return []
    own = _home(world, state, bill, bill.pool, kind)
    line = [area for area in (world.line_of(own) if own in world.areas else ()) if area != own]
    homes = (_home(world, state, bill, each, kind) for each in (*line, NATIONAL + bill.nation))
    return [each for each in dict.fromkeys(homes) if each != own]


@computed("51.B.17/7", "51.B.19/5")
def parts(world: EuropaWorld, state: State, bill: Bill, kind: str) -> tuple[list[tuple[str, Fraction]], list[str]]:
    """Which pool gives how much of a kind, and the pools between which its owner has still to choose.

    Those he names give first, in his order, then the entry's own, its theatre's and its nation's. Another gives unasked
    only where no choice is left: if it is the only one, or if all of them together have no more than is needed.
    """
    amount = bill.cost[kind]
    given: list[tuple[str, Fraction]] = []

    def gives(pool: str) -> None:
        nonlocal amount
        part = min(amount, _held(world, state, bill, pool, kind))
        if part:
            amount -= part
            given.append((pool, part))

    own, others = _home(world, state, bill, bill.pool, kind), _others(world, state, bill, kind)
    named = list(dict.fromkeys(_home(world, state, bill, each, kind) for each in bill.named))
    for pool in [each for each in named if each == own or each in others]:
        gives(pool)
    line = [each for each in (own, *above(world, state, bill, kind)) if each not in named]
    for pool in line:
        gives(pool)
    left = [each for each in others if each not in named and each not in line]
    if not amount or not left:
        return given, []
    if len(left) > 1 and sum((_held(world, state, bill, each, kind) for each in left), Fraction(0)) > amount:
        return given, left
    for pool in left:
        gives(pool)
    return given, []


def choice_is_made(world: EuropaWorld, state: State, bill: Bill, clause: str) -> Verdict:
    """Where several pools could give what is missing, their owner says which."""
    for kind in sorted(bill.cost):
        given, open_to = parts(world, state, bill, kind)
        if open_to:
            paid = sum((part for _, part in given), Fraction(0))
            held = ", ".join(
                f"{the_pool(each)} {show_points(_held(world, state, bill, each, kind))}" for each in open_to
            )
            return no(
                f"costs {show_points(bill.cost[kind])} {kind}, {show_points(paid)} paid by now; the rest may come from "
                f"any of {held}",
                remedy=f"say which pays with {the_field('pay_from')}, such as {the_field('pay_from', open_to[0])}",
                clause=clause,
            )
    return YES


def ways_to_pay(world: EuropaWorld, state: State, bill: Bill) -> list[str]:
    """What may be said with pay_from=: nothing where no choice is left, else each pool that ends it, or all of them.

    Where nothing need be said, a pool above the entry's own may still be named to give before it.
    """
    if choice_is_made(world, state, bill, "") is YES:
        return ["", *dict.fromkeys(_before_its_own(world, state, bill))]
    pools = [each for kind in sorted(bill.cost) for each in parts(world, state, bill, kind)[1]]
    single = [
        each
        for each in dict.fromkeys(pools)
        if choice_is_made(world, state, Bill(bill.nation, bill.pool, bill.cost, (each,)), "") is YES
    ]
    return single or [", ".join(dict.fromkeys(pools))]


def _before_its_own(world: EuropaWorld, state: State, bill: Bill) -> Iterator[str]:
    """The theatre's and the nation's pool, where they have points and would not be the first to give."""
    for kind in sorted(bill.cost):
        first = [pool for pool, _ in parts(world, state, bill, kind)[0][:1]]
        for pool in above(world, state, bill, kind):
            if pool not in first and _held(world, state, bill, pool, kind):
                yield pool


@computed("51.B.17/7", "51.B.17/8", "51.B.19/5", "51.B.19/6")
def forfeit(q: Any, bill: Bill, because: str, deficit: str) -> Iterator[Event]:
    """RPs given up with a unit of the pool; what no pool has stands as a deficit of its own, kind by kind."""
    for kind, amount in sorted(bill.cost.items()):
        given, _ = parts(q.world, q.state, bill, kind)
        missing = amount - sum((part for _, part in given), Fraction(0))
        home, whose = lies_in(q.world, q.state, bill.pool, bill.nation, kind)
        owed = f"{DEFICIT}/{home}"
        for frm, part, why in (*((pool, part, because) for pool, part in given), (owed, missing, deficit)):
            if part:
                yield Transferred(
                    amount=part, kind=kind, nation=whose, frm=frm, to=FORFEITED, because=why, says=q.unit.id
                )


def repay(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a phase begins, RPs that have come in pay a deficit of their kind: its own pool first, then the others."""
    owing = [each for each, balance in state.balances.items() if balance < 0 and each.pool.startswith(f"{DEFICIT}/")]
    left = state.copy() if owing else state
    for account in sorted(owing):
        paid = list(_repaid(world, left, account.pool, account.nation, account.kind, -state.balances[account]))
        # A front pays its own deficit and its theatre's, each point once.
        evolve(left, paid)
        yield from paid


def _repaid(world: EuropaWorld, state: State, account: str, nation: str, kind: str, owed: Fraction) -> Iterator[Event]:
    own = account.removeprefix(f"{DEFICIT}/")
    bill = Bill(nation, own, {})
    pools = dict.fromkeys((own, *above(world, state, bill, kind), *_others(world, state, bill, kind)))
    for pool in pools:
        part = min(owed, _held(world, state, bill, pool, kind))
        if part:
            owed -= part
            yield Transferred(
                amount=part,
                kind=kind,
                nation=nation,
                frm=pool,
                to=account,
                because="51.B.17/8 51.B.19/6",
                says="pays a deficit",
            )


def deficits(world: EuropaWorld, state: State) -> Iterator[Item]:
    """What is still owed for units withdrawn, and whose pool it is taken from first."""
    for account, balance in sorted(state.balances.items()):
        if balance < 0 and account.pool.startswith(f"{DEFICIT}/"):
            pool = the_pool(account.pool.removeprefix(f"{DEFICIT}/"))
            owes = f"{pool} owes {show_points(-balance)} {account.kind} of {account.nation}"
            side = world.side_now(state, account.nation)
            yield Item(NEWS, f"{owes} for units given up: what comes in pays it first", "51.B.19/6", side)


CHAPTER = Chapter(heading="51.B.19", switches=(PAYERS,), happens=(repay,), agenda=(deficits,), pools=(DEFICIT,))
