"""The headings of the rules have names, and no name is for a heading that is not there."""

from forcepool.rulebook.book import load
from forcepool.rulebook.headings import above, below, title_of, titles


def test_every_heading_has_a_name_that_fits_a_line() -> None:
    assert not set(titles()) - set(load().headings())
    for heading in load().headings():
        assert 2 < len(title_of(heading)) <= 60, heading


def test_the_rules_and_their_parts_have_names_of_their_own() -> None:
    parts = [each for rule in below() for each in (rule, *below(rule))]
    assert not [each for each in parts if each not in titles()]
    assert title_of("52.A.9") == "Cadres and remnants"
    assert title_of("52.D.2.f.i") == "Soviet cavalry: six REs monthly"


def test_headings_lie_below_each_other_as_the_rules_print_them() -> None:
    assert below() == ("28", "49", "51", "52", "EF")
    assert below("52.A.9") == ("52.A.9.a", "52.A.9.b", "52.A.9.c", "52.A.9.d")
    assert above("52.A.9.d") == ("52", "52.A", "52.A.9")
