"""A player finds a rule by the words he remembers."""

import pytest

from forcepool.rulebook.book import Rulebook, load
from forcepool.rulebook.clause import Clause, Example, Ruling
from forcepool.rulebook.search import singular


def clause(clause_id: str, title: str = "Title", statement: str = "Nothing.", **more: object) -> Clause:
    return Clause(clause_id, title, "limit", "any", "any", statement, **more)  # type: ignore[arg-type]


def ids(found: tuple[Clause, ...]) -> list[str]:
    return [each.id for each in found]


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load()


def test_cadre_isolated_brings_up_the_cadre_rules(book: Rulebook) -> None:
    found = ids(book.find("cadre isolated"))
    assert "52.A.9.d/6" in found[:5]
    assert {"52.A.9.b/2", "52.A.9.d/6", "52.A.9.d/7"} <= set(found)
    assert found[:2] == ["52.D.2.c.2/3", "52.D.2.d.iii/3"], "both words in the title come first"


def test_all_words_must_occur(book: Rulebook) -> None:
    assert book.find("cadre")
    assert book.find("cadre xylophone") == ()


def test_the_title_counts_more_than_the_statement_and_that_more_than_the_rest() -> None:
    examples = (Example("a glider", "refused"),)
    ruling = Ruling("What of a glider?", "It flies.", ())
    shelf = Rulebook(
        (
            clause("52/1", examples=examples),
            clause("52/2", ruling=ruling),
            clause("52/3", statement="A glider lands."),
            clause("52/4", title="The glider"),
            clause("52/5", title="No mention"),
        )
    )
    assert ids(shelf.find("glider")) == ["52/4", "52/3", "52/1", "52/2"]


def test_a_whole_word_comes_before_the_start_of_one() -> None:
    shelf = Rulebook((clause("52/1", title="Training centre"), clause("52/2", title="Train rides")))
    assert ids(shelf.find("train")) == ["52/2", "52/1"]


def test_equal_matches_stay_in_the_order_of_the_rules(book: Rulebook) -> None:
    found = ids(book.find("52.A.11 limited"))
    in_title = [each for each in found if "limited" in book[each].title.lower()]
    assert len(in_title) == 11
    assert found[:11] == [each for each in book.ids if each in set(in_title)]


@pytest.mark.parametrize(("one", "other"), [("cadre", "CADRES"), ("city", "Cities"), ("box", "boxes"), ("HQ", "hqs")])
def test_capitals_and_plurals_make_no_difference(book: Rulebook, one: str, other: str) -> None:
    assert book.find(one)
    assert ids(book.find(one)) == ids(book.find(other))


def test_the_start_of_a_word_is_enough_but_not_its_middle(book: Rulebook) -> None:
    assert "52.A.6/4" in ids(book.find("scrapp"))
    assert book.find("crapping") == ()


def test_a_heading_among_the_words_narrows_the_search(book: Rulebook) -> None:
    found = ids(book.find("52.A.9 zoc"))
    assert found[:2] == ["52.A.9.c/3", "52.A.9.d/3"]
    assert all(each.startswith("52.A.9.") for each in found)
    assert ids(book.find("52.A.9.d")) == ids(book.heading("52.A.9.d"))
    assert ids(book.find("52.A.9.d/2")) == ["52.A.9.d/2"]
    assert book.find("52.A.9 52.A.10") == ()


@pytest.mark.parametrize("nothing", ["", "   ", "?!"])
def test_no_words_find_nothing(book: Rulebook, nothing: str) -> None:
    assert book.find(nothing) == ()


@pytest.mark.parametrize(
    ("word", "one"),
    [
        ("cities", "city"),
        ("boxes", "box"),
        ("losses", "loss"),
        ("units", "unit"),
        ("loss", "loss"),
        ("axis", "axis"),
        ("bus", "bus"),
        ("hqs", "hq"),
        ("rps", "rp"),
        ("ss", "ss"),
        ("marches", "march"),
        ("bonus", "bonus"),
        ("points", "point"),
    ],
)
def test_plurals_are_cut_to_the_singular(word: str, one: str) -> None:
    assert singular(word) == one
