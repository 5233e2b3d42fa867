"""The file of a what-if: beside its campaign, under a name that is no campaign's."""

import os
from contextlib import suppress
from pathlib import Path

from forcepool.engine.beginning import new_seed
from forcepool.engine.campaign import Campaign
from forcepool.engine.journal import read_beginning
from forcepool.engine.whatif import begin_whatif
from forcepool.store.open import new_file, now
from forcepool.store.sqlite import SqliteJournal

ENDING = ".whatif"


def beside(campaign: Path | str) -> Path:
    """Where a campaign's what-if lies: 'east.fp.whatif' beside 'east.fp'."""
    return Path(f"{campaign}{ENDING}")


def lay_out(campaign: Campaign, path: Path) -> None:
    """Begin a what-if of a campaign as it stands, with dice that are nobody else's."""
    seed = new_seed()
    with new_file(path) as journal:
        begin_whatif(campaign, journal, seed, when=now())
        journal.keep_seed(1, seed)


def throw_away(path: Path) -> None:
    """Remove the file of a what-if with its log."""
    for ending in ("-wal", "-shm", ""):
        with suppress(FileNotFoundError):
            os.unlink(f"{path}{ending}")


def is_whatif(path: Path) -> bool:
    """Whether a campaign's file is a what-if, whatever its name."""
    with SqliteJournal.open(path) as journal:
        return bool(read_beginning(journal).tries)
