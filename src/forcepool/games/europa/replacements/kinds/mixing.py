"""52.C, 52.D, 52.E  Payments in other points than a unit's own: the mixes that national rules let a player choose."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from forcepool.engine.alike import SET_APART, Kind, kind_of
from forcepool.engine.command import Command
from forcepool.engine.facts import kept
from forcepool.engine.sentence import Told
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Part
from forcepool.games.europa.facts import EuropaFacts
from forcepool.games.europa.ground.mixes import is_lawful, together, words_of_mix
from forcepool.games.europa.ground.purchase import REPLACEMENT, Purchase, on_hand
from forcepool.games.europa.world import EuropaWorld


def with_mixes(world: EuropaWorld, state: State, orders: Iterable[Command]) -> Iterator[Command]:
    """The orders as they are, then those of them that could be paid in a mix now."""
    plain = list(orders)
    yield from plain
    if world.phase(state) == REPLACEMENT and world.game.mixes:
        facts = world.facts(state)
        for order in plain:
            kind = kind_of(world, state, order, in_passing=True)
            if kind is None or not has_no_parts(world, facts, kind):
                yield from mixed(world, facts, order)


@kept
def mixed(world: EuropaWorld, facts: EuropaFacts, order: Any) -> tuple[Command, ...]:
    """An order in each mix that the rules let pass."""
    return tuple(_in_each_mix(world, facts.state, order))


def _in_each_mix(world: EuropaWorld, state: State, order: Any) -> Iterator[Command]:
    """An order paid in each mix that the rules let pass: just what its own points lack, else as much as may be."""
    kind = kind_of(world, state, order, in_passing=True)
    q: Any = kind.question(world, state, order) if kind is not None else order.question(world, state, order)
    if not world.has_the_turn(state, q.side):
        return
    try:
        parts = q.mixable
    except Told:
        return
    if not parts:
        return
    missing = {kind: amount - on_hand(q, *_own(q, kind)) for kind, amount in q.price.amounts.items()}
    for part in parts:
        lacks = missing[part.instead_of]
        sizes = dict.fromkeys((lacks, part.amount) if 0 < lacks <= part.amount else (part.amount,))
        mixes = (replace(order, mix=words_of_mix(q, [replace(part, amount=size)])) for size in sizes)
        yield from list(filter(lambda each: is_lawful(q, each), mixes))[:1]
    if len(parts) > 1:
        lacking = any(lacks > 0 for lacks in missing.values())
        parted = together(parts, missing if lacking else _of_each_kind(parts))
        mixed = replace(order, mix=words_of_mix(q, parted))
        if len(parted) > 1 and is_lawful(q, mixed):
            yield mixed


def _of_each_kind(parts: Iterable[Part]) -> dict[str, Fraction]:
    """As much of each kind as the first of its parts could pay, where nothing is missing and nothing need be mixed."""
    first: dict[str, Fraction] = {}
    for part in parts:
        first.setdefault(part.instead_of, part.amount)
    return first


@kept
def has_no_parts(world: EuropaWorld, facts: EuropaFacts, kind: Kind) -> bool:
    """Whether no unit of the kind is ever paid in a mix; of most it is known before one is asked."""
    q: Any = kind.about(facts)
    try:
        return not q.mixable
    except SET_APART:
        return False


def _own(q: Purchase, kind: str) -> tuple[str, str]:
    """Whose points of a kind pay where no mix is named."""
    return q.drawn(q.nation, kind)[1], kind
