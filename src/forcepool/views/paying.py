"""Who else could pay: other pools that purchases alike may be charged to, and which of them each may pay for."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.answers import watched
from forcepool.engine.command import Command
from forcepool.engine.facts import Facts, kept
from forcepool.engine.ledger import Account
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.views.board import Cost, Piece, at_once, billed
from forcepool.views.names import pool_in_words, pool_order


class Payer(Struct, frozen=True):
    """Another pool, what it holds of what they cost, and those it may pay for, as it would."""

    pool: str
    name: str
    holds: Cost
    pieces: tuple[Piece, ...]


def other_payers(
    world: World, state: State, pieces: Iterable[Piece], may: Callable[[Command], bool]
) -> tuple[Payer, ...]:
    """The pools that could pay instead, the nearest first; `may` says which orders are one's own to give."""
    found: dict[str, list[Piece]] = {}
    facts = world.facts(watched(world, state))
    for piece in at_once(pieces):
        for other in _paid_otherwise(world, facts, piece, may):
            found.setdefault(other.payer, []).append(other)
    return tuple(_payer(state, pool, tuple(found[pool])) for pool in sorted(found, key=pool_order))


def may_choose(world: World, state: State, piece: Piece) -> bool:
    """Whether another pool can be named for a purchase at all: quickly told, for it may turn out that none can pay."""
    if piece.order is None:
        return False
    return _may_choose(world, world.facts(watched(world, state)), piece.order, piece.unit)


@kept
def _may_choose(world: World, facts: Facts, order: Command, unit: str) -> bool:
    return any(True for _ in _named_otherwise(world, facts.state, order, unit))


def _paid_otherwise(world: World, facts: Facts, piece: Piece, may: Callable[[Command], bool]) -> Iterator[Piece]:
    """A piece as each other pool would pay for it."""
    for offered in _named_otherwise(world, facts.state, piece.order, piece.unit) if piece.order is not None else ():
        if may(offered):
            other = billed(world, facts, replace(piece.item, command=offered), facts.state.units[piece.unit])
            # Whichever pool is named, some points are always another's, such as those of a general pool.
            if other.cost and other.payer != piece.payer:
                yield other


def _named_otherwise(world: World, state: State, order: Command, unit: str) -> Iterator[Command]:
    """An order with each other pool that may be named to pay: all else in it stays."""
    for offered in type(order).offers(world, state, state.units[unit]):
        named = getattr(offered, "pay_from", "")
        if named and offered != order and paid_from(order, named) == offered:
            yield offered


def paid_from(order: Command | None, pool: str) -> Command | None:
    """An order, paid by another pool; as it is where none can be named."""
    return replace(order, pay_from=pool) if order is not None and pool and hasattr(order, "pay_from") else order


def _payer(state: State, pool: str, pieces: tuple[Piece, ...]) -> Payer:
    kinds = dict.fromkeys(kind for piece in pieces for kind in piece.cost)
    held = {kind: state.balances.get(Account(pool, pieces[0].nation, kind), Fraction(0)) for kind in kinds}
    return Payer(pool, pool_in_words(pool), {kind: amount for kind, amount in held.items() if amount}, pieces)
