"""What players declare is found by its name, whatever it is said of."""

import pytest

from forcepool import games


@pytest.mark.parametrize("game", ["europa", "eastern_front"])
def test_no_two_facts_share_a_name(game: str) -> None:
    names = [fact.name for fact in games.game(game).facts]
    assert sorted(names) == sorted(set(names))
