"""Campaigns of the ring to look at and to spoil."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forcepool.engine.campaign import Campaign
from forcepool.store.open import create_campaign, open_campaign
from tests.support import ring


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
