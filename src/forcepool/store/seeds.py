"""The secret seeds of a campaign's dice, and the promises the journal holds about them."""

from forcepool.engine import dice
from forcepool.engine.journal import Damaged, Journal, read_beginning, read_entry
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.subjects import SEED


def promise(journal: Journal, seq: int) -> str:
    """The hash of the seed that an entry promises to use; empty when it promises none."""
    if seq == 1:
        return read_beginning(journal).dice
    for sealed in journal.read(seq, seq + 1):
        return read_entry(sealed).seed
    raise Damaged(seq, "is missing")


def keeps(promised: str, seed: bytes) -> bool:
    """Whether a seed is the one that was promised."""
    return bool(seed) and dice.commitment(seed) == promised


def seed_in_force(journal: SqliteJournal) -> bytes:
    """The seed the next die comes from; empty when this file does not hold it, so that dice are entered by hand."""
    seq = max(journal.entries_about(SEED), default=1)
    seed = journal.seeds().get(seq, b"")
    return seed if keeps(promise(journal, seq), seed) else b""
