"""Texts in texts: whatever is joined as VASSAL joins it comes apart again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forcepool.vassal import sequence
from tests.support.vassal import chained, joined

WORDS = st.text(alphabet="ab;\t\\'/, \x1bé", max_size=8)


@given(st.lists(WORDS, min_size=1, max_size=6), st.sampled_from(";/\t,|~\x1b"))
def test_what_is_joined_comes_apart_again(tokens: list[str], delimiter: str) -> None:
    text = joined(tokens, delimiter)
    assert sequence.decode(text, delimiter) == tokens
    assert sequence.encode(tokens, delimiter) == text


@given(st.lists(st.lists(WORDS, min_size=1, max_size=3), min_size=1, max_size=3))
def test_so_does_what_is_joined_again_inside_another(groups: list[list[str]]) -> None:
    text = joined([joined(group, ";") for group in groups], ";")
    assert [sequence.decode(each, ";") for each in sequence.decode(text, ";")] == groups


def peeled(text: str) -> list[str]:
    """A chain link by link, as VASSAL does it."""
    links = []
    while len(tokens := sequence.decode(text, "\t")) > 1:
        links.append(tokens[0])
        text = tokens[1]
    return [*links, tokens[0]]


@given(st.lists(WORDS, min_size=1, max_size=7))
def test_a_chain_comes_apart_in_one_pass_as_it_does_link_by_link(links: list[str]) -> None:
    text = chained(links)
    assert sequence.chained(links) == text
    assert sequence.chain(text) == peeled(text)


@given(st.lists(st.text(alphabet="ab;\\ '", max_size=5), min_size=2, max_size=6))
def test_the_links_of_a_chain_are_those_it_was_made_of(links: list[str]) -> None:
    *outer, inner = links
    # The innermost is read once more than it was written, as VASSAL does: it would lose its own quotes.
    assert sequence.chain(chained(links)) == [*outer, sequence.unquoted(inner)]


@given(st.text(alphabet="ab\t\\'", max_size=30))
def test_any_text_is_taken_apart_as_vassal_does(text: str) -> None:
    assert sequence.chain(text) == peeled(text)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", [""]),
        (";", ["", ""]),
        (r"a\;b;c", ["a;b", "c"]),
        (r"a\\;b", ["a\\;b"]),
        ("'a\\';b", ["a\\", "b"]),
        ("''x'';b", ["'x'", "b"]),
        ("'", ["'"]),
        ("a;", ["a", ""]),
        ("a\\", ["a\\"]),
    ],
)
def test_the_corners(text: str, tokens: list[str]) -> None:
    assert sequence.decode(text, ";") == tokens


@pytest.mark.parametrize(
    ("text", "value"), [("12", 12), ("-3", -3), ("x", 7), ("", 7), ("-", 7), ("9" * 30, 7), ("²", 7)]
)
def test_what_is_no_number_counts_as_the_default(text: str, value: int) -> None:
    assert sequence.number(text, 7) == value


def test_a_long_chain_takes_one_pass() -> None:
    links = ["x"] * 200
    assert sequence.chain(chained(links)) == links
