"""Accounts: a point is in exactly one, and leaves it only for another.

Points are issued by a source and end in a sink. A source's balance is therefore negative by what it
has issued, a sink's is what went into it, and all balances of one kind add up to nothing at any time.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

SOURCE = "source/"
SINK = "sink/"

SPENT = "sink/spent"
LOST = "sink/lost"
BORROWED = "sink/borrowed"
"""Where a debt is booked: owing a point spends none."""
JOINED = "sink/joined the pool"
"""Where points go that become ordinary ones of the pool they lie in: they are not spent."""
SETUP = "source/set-up"
CORRECTION = "source/correction"

NOTHING = Fraction(0)


class Account(Struct, frozen=True, array_like=True, order=True, gc=False):
    """What one pool holds of one kind of point for one nation."""

    pool: str
    nation: str
    kind: str

    def __str__(self) -> str:
        return f"{self.pool} {self.nation} {self.kind}"


class Line(NamedTuple):
    """One balance as a player reads it."""

    account: Account
    balance: Fraction


def is_pool(name: str) -> bool:
    """Whether a player can hold points there, unlike a source or a sink."""
    return not name.startswith((SOURCE, SINK))


def lines(balances: Iterable[tuple[Account, Fraction]], *, pool: str = "", nation: str = "") -> Iterator[Line]:
    """The balances of the pools, in order, sources and sinks left out unless named."""
    for account, balance in sorted(balances):
        if (is_pool(account.pool) or pool) and pool in ("", account.pool) and nation in ("", account.nation):
            yield Line(account, balance)


def imbalance(balances: Iterable[tuple[Account, Fraction]]) -> dict[tuple[str, str], Fraction]:
    """By nation and kind, what does not add up to nothing: empty unless points appeared or vanished."""
    sums: dict[tuple[str, str], Fraction] = {}
    for account, balance in balances:
        key = (account.nation, account.kind)
        sums[key] = sums.get(key, Fraction(0)) + balance
    return {key: total for key, total in sorted(sums.items()) if total}


class Price(Struct, frozen=True):
    """What something costs by kind of point, with the working a player can check."""

    amounts: Mapping[str, Fraction]
    working: str = ""
    because: str = ""
    """The clauses behind it, separated by spaces."""

    @property
    def total(self) -> Fraction:
        return sum(self.amounts.values(), NOTHING)
