"""What a nation owes: markers below nothing that are filled again out of the points it receives."""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from forcepool.engine.events import Transferred
from forcepool.engine.ledger import CORRECTION, SETUP, SOURCE, is_pool
from forcepool.engine.state import State
from forcepool.games.europa.ground.soviet_pools import CITY, FACTORY
from forcepool.games.europa.ground.tallies import TAKEN
from forcepool.games.europa.replacements.special.disruption import POINTS_DISRUPTED
from forcepool.games.europa.world import DUE, FORFEIT, LOCAL, MOVED, NATIONAL, NOT_POOLS, RECEIVED

DEBT = "debt/"
REPAID = "source/repaid"
SETTLED = "source/settled"
NO_RECEIPTS = frozenset((SETUP, CORRECTION, TAKEN, POINTS_DISRUPTED, REPAID, SETTLED))
"""Sources whose points were not received: corrected, lost, or come back another way."""


class Owing(NamedTuple):
    """A marker: whose, of which kind of RP, where it lies, and how many points are owed on it."""

    nation: str
    kind: str
    marker: str
    amount: Fraction


def owings(state: State, prefix: str) -> list[Owing]:
    """Every marker of a sort that is below nothing, in order."""
    return sorted(
        Owing(account.nation, account.kind, account.pool, -balance)
        for account, balance in state.balances.items()
        if account.pool.startswith(prefix) and balance < 0
    )


def received_so_far(
    state: State, nation: str, *kinds: str, only: frozenset[str] = frozenset(), but: str = ""
) -> Fraction:
    """All points of some kinds a nation has ever received and had in its pools, from some sources or all."""
    total = Fraction(0)
    for account, balance in state.balances.items():
        if account.nation != nation or account.kind not in kinds:
            continue
        source = account.pool.startswith(SOURCE) and account.pool not in NO_RECEIPTS and account.pool != but
        if (source and (not only or account.pool in only)) or (_is_on_the_way(account.pool) and not only):
            total -= balance
    return total


def _is_on_the_way(pool: str) -> bool:
    """Whether points were issued and not yet had, as those in a pocket; those moved between pools were had before."""
    if pool.startswith(LOCAL):
        return True
    return pool.startswith(DUE) and not pool.partition("/")[2].partition("/")[2].startswith(MOVED)


def pools_of(state: State, nation: str, kind: str) -> list[tuple[str, Fraction]]:
    """The pools a nation can spend a kind of point from: what it just received, then its own, then the fronts'."""
    held = [
        (account.pool, balance)
        for account, balance in state.balances.items()
        if (account.nation, account.kind) == (nation, kind) and balance > 0 and _is_spendable(account.pool)
    ]
    return sorted(held, key=lambda each: (not each[0].startswith(RECEIVED), not each[0].startswith(NATIONAL), each[0]))


def _is_spendable(pool: str) -> bool:
    return is_pool(pool) and not pool.startswith((*NOT_POOLS, LOCAL, CITY, FACTORY, DEBT, FORFEIT))


def filled(
    state: State, owed: list[Owing], most: Fraction, because: str, says: str, but: tuple[str, ...] = ()
) -> Iterator[Transferred]:
    """The points that go from the nation's pools, but for some, onto its markers: no more than `most` and it has."""
    if not owed:
        return
    held = pools_of(state, owed[0].nation, owed[0].kind)
    pools = {pool: amount for pool, amount in held if not pool.startswith(but)}
    for each in owed:
        wanted = each.amount
        for pool in list(pools):
            amount = min(wanted, most, pools[pool])
            if amount > 0:
                yield Transferred(
                    amount=amount,
                    kind=each.kind,
                    nation=each.nation,
                    frm=pool,
                    to=each.marker,
                    because=because,
                    says=says,
                )
                pools[pool] -= amount
                wanted, most = wanted - amount, most - amount
