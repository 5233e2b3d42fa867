"""Campaigns of the ring to look at and to spoil."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from forcepool.engine.campaign import Campaign
from forcepool.store.open import create_campaign, open_campaign
from tests.support import ring


@pytest.fixture(autouse=True)
def every_file_is_closed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A connection left open is a failure on every Python, not only where the library warns of it."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def kept(*args: Any, **options: Any) -> sqlite3.Connection:
        opened.append(connect(*args, **options))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", kept)
    yield
    left = [db for db in opened if _is_open(db)]
    for db in left:
        db.close()
    assert not left, f"{len(left)} of {len(opened)} connections were not closed"


def _is_open(db: sqlite3.Connection) -> bool:
    try:
        return db.total_changes >= 0
    except sqlite3.ProgrammingError:
        return False


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A campaign just begun, in a file."""
    path = tmp_path / "ring.forcepool"
    create_campaign(
        path, game="ring", title="ring", ruleset="test", world=b"{}", state=ring.opening(), seed=ring.SEED, when="then"
    )
    return path


@pytest.fixture
def sit_down(path: Path) -> Iterator[Callable[[], Campaign]]:
    """Opens the campaign once more, as another player would."""
    opened: list[Campaign] = []

    def open_again() -> Campaign:
        opened.append(open_campaign(path, ring.build))
        return opened[-1]

    yield open_again
    for campaign in opened:
        campaign.journal.close()
