"""What is read otherwise is told by clauses that exist, and to the campaigns it concerns."""

import pytest

from forcepool import __version__
from forcepool.rulebook.book import load
from forcepool.rulebook.changes import changes_since, releases, rule_of


def test_every_change_names_clauses_that_exist_and_says_how() -> None:
    for release in releases():
        for change in release.changes:
            assert change.clauses
            assert all(clause in load() for clause in change.clauses), change.clauses
            assert change.what.endswith(".") is False
            assert len(change.what) > 10


def test_the_newest_version_is_the_programs_own() -> None:
    assert releases()[0].version == __version__


@pytest.mark.parametrize("rules", [{"28", "52"}, {"EF"}])
def test_a_campaign_is_told_what_changed_since_it_began_in_its_own_rules(rules: set[str]) -> None:
    since = changes_since("forcepool 0.1.0, rulebook fae938348820", rules)
    assert {rule_of(each.clauses[0]) for each in since} == rules
    assert changes_since(f"forcepool {__version__}, rulebook 0", rules) == ()
    assert changes_since("test", rules) == ()
