"""The first entry of a campaign."""

import secrets
from collections.abc import Mapping, Sequence

from msgspec import Raw

from forcepool.engine import codec, dice
from forcepool.engine.journal import GENESIS, Beginning, Conflict, Journal, seal
from forcepool.engine.state import State, snapshot

FORMAT = 3
"""Of a journal: the second has its dice bound to orders."""


def begin(
    journal: Journal,
    *,
    game: str,
    title: str,
    ruleset: str,
    world: bytes,
    state: State,
    seats: Sequence[str] = (),
    seed: bytes = b"",
    when: str = "",
    rulings: Mapping[str, str] | None = None,
    tries: str = "",
    after: int = 0,
) -> None:
    """Write a campaign's first entry; that of a what-if says whose it is."""
    if journal.head()[0]:
        raise Conflict(1)
    first = Beginning(
        format=FORMAT,
        game=game,
        title=title,
        ruleset=ruleset,
        world=Raw(world),
        state=snapshot(state),
        seats=sorted(seats),
        dice=dice.commitment(seed) if seed else "",
        when=when,
        rulings=dict(rulings or {}),
        tries=tries,
        after=after,
    )
    journal.append([seal(GENESIS, 1, codec.encode(first))])


def new_seed() -> bytes:
    """A secret nobody can guess, for a campaign's dice."""
    return secrets.token_bytes(32)
