"""Snapshots: the state as it was at an entry, kept so that opening a campaign need not replay what came before."""

import hashlib

import msgspec
from msgspec import Struct

from forcepool.engine import codec
from forcepool.engine.history import History
from forcepool.engine.journal import Damaged, Waiting
from forcepool.engine.state import Snapshot, State, restore, snapshot


class Kept(Struct, frozen=True, array_like=True):
    """What a snapshot holds: the state, what had been undone by then, and what waited for an answer."""

    state: Snapshot
    undone: list[int]
    redoable: list[list[int]]
    last: int
    asked: list[int] = []
    agreed: list[str] = []
    promises: dict[str, str] = {}
    waiting: dict[int, Waiting] = {}
    seats: list[str] = []


_kept = codec.decoder(Kept)


def pack(state: State, history: History) -> bytes:
    """A snapshot of the state and of what history adds to it."""
    return codec.encode(
        Kept(
            snapshot(state),
            sorted(history.undone),
            history.redoable,
            history.last,
            history.asked,
            history.agreed,
            history.promises,
            history.waiting,
            sorted(history.seats),
        )
    )


def unpack(seq: int, data: bytes) -> tuple[History, State]:
    """What a snapshot holds; Damaged when it cannot be read."""
    try:
        kept: Kept = _kept.decode(data)
    except (msgspec.DecodeError, msgspec.ValidationError, ValueError, ZeroDivisionError) as error:
        raise Damaged(seq, f"has a snapshot that cannot be read: {error}") from None
    history = History(
        set(kept.undone),
        kept.redoable,
        kept.asked,
        kept.agreed,
        kept.last,
        kept.promises,
        kept.waiting,
        set(kept.seats),
    )
    return history, restore(kept.state)


def digest(data: bytes) -> str:
    """What the next entry holds of a snapshot, to vouch for it."""
    return hashlib.sha256(data).hexdigest()
