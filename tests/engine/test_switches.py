"""House rules: a switch has a clause that exists, options, and the first as its default."""

import pytest

from forcepool import games
from forcepool.engine.switches import find, switch
from forcepool.rulebook.book import UnknownClause, load

GAMES = [games.game(name) for name in games.names()]
SWITCHES = [(game.name, each) for game in GAMES for each in game.switches]


def test_a_switch_on_a_clause_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(UnknownClause):
        switch("x", "52.A.9.z/1", "nothing", a="one", b="two")


def test_underscores_in_an_option_are_hyphens_and_the_first_is_the_default() -> None:
    made = switch("x", "52.A.9.a/6", "both", one_only="only one", add="both")
    assert made.default == "one-only"
    assert made.option("add").text == "both"


def test_a_switch_is_found_by_key_or_clause() -> None:
    made = switch("x", "52.A.9.a/6", "both", a="one", b="two")
    assert find((made,), "52.A.9.a/6") is find((made,), "x") is made
    with pytest.raises(ValueError, match="there is no house rule 'y'"):
        find((made,), "y")


@pytest.mark.parametrize(("game", "each"), SWITCHES, ids=[f"{game}:{each.key}" for game, each in SWITCHES])
def test_every_switch_offers_the_default_and_every_alternative_of_its_ruling(game: str, each: object) -> None:
    found = find(games.game(game).switches, each.key)  # type: ignore[attr-defined]
    ruling = load()[found.clause].ruling
    assert ruling is not None, f"{found.clause} has no ruling to switch"
    # A clause may leave two questions open, each with a switch of its own.
    of_it = [one for one in games.game(game).switches if one.clause == found.clause]
    assert sum(len(one.options) - 1 for one in of_it) >= len(ruling.alternatives), found.clause
    assert len({option.name for option in found.options}) == len(found.options)


def test_no_two_switches_of_a_game_share_a_key_or_a_clause() -> None:
    for game in GAMES:
        keys = [each.key for each in game.switches]
        assert len(set(keys)) == len(keys)
