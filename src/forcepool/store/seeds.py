"""The secret seeds of a campaign's dice, and the promises the journal holds about them."""

from forcepool.engine import dice
from forcepool.engine.journal import Beginning, Sealed, beginning_decoder, read_entry
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.subjects import SEED


def promise_of(sealed: Sealed) -> str:
    """The hash of the seed that an entry promises to use; empty when it promises none."""
    if sealed.seq > 1:
        return read_entry(sealed).seed
    beginning: Beginning = beginning_decoder.decode(sealed.body)
    return beginning.dice


def keeps(promised: str, seed: bytes) -> bool:
    """Whether a seed is the one that was promised."""
    return bool(seed) and dice.commitment(seed) == promised


def seed_in_force(journal: SqliteJournal) -> bytes:
    """The seed the next die comes from; empty when this file does not hold it, so that dice are entered by hand."""
    seq = max(journal.entries_about(SEED), default=1)
    seed = journal.seeds().get(seq, b"")
    sealed = next(journal.read(seq, seq + 1), None)
    return seed if sealed is not None and keeps(promise_of(sealed), seed) else b""
