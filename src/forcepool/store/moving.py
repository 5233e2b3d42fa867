"""Campaigns that move between files and a database: every entry as it was sealed, with snapshots and secrets."""

from itertools import islice
from pathlib import Path

from forcepool.engine.journal import Damaged, read_beginning
from forcepool.store.address import shown
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import check_end, new_journal, open_journal
from forcepool.store.stored import PAGE, StoredJournal


def copy_journal(source: StoredJournal, target: StoredJournal) -> None:
    """Write all that a journal holds into one that holds nothing yet, to the same hashes."""
    last, digest = source.head()
    entries = source.read(1, last + 1)
    while page := list(islice(entries, PAGE)):
        target.append(page)
    if target.head() != (last, digest):
        raise Damaged(max(last, 1), "is not the last one that was recorded")
    for seq, seed in source.seeds().items():
        if seq <= last:
            target.keep_seed(seq, seed)
    limit = last
    kept: list[tuple[int, bytes]] = []
    while (found := source.snapshot_before(limit)) is not None:
        kept.append(found)
        limit = found[0] - 1
    for seq, data in reversed(kept):
        target.keep_snapshot(seq, data)


def move(source: Path | str, target: Path | str) -> tuple[int, str]:
    """Copy a campaign from a file or a database into another, whole or not at all; its last entry and its seal."""
    with open_journal(source) as journal:
        check_end(journal)
        if read_beginning(journal).tries:
            raise CampaignFileError(f"{shown(source)} is a what-if, in which nothing counts; it is left where it is")
        with new_journal(target) as made:
            copy_journal(journal, made)
            return made.head()
