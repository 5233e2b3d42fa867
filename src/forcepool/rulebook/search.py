"""Finding clauses by the words a player remembers."""

import re
from collections.abc import Iterable
from functools import cache

from forcepool.rulebook.clause import Clause

WORD = re.compile(r"[^\W_]+")

# A word counts by the best place it stands in; a whole word counts a little more than the start of one.
IN_TITLE, IN_STATEMENT, ELSEWHERE = 20, 6, 2
LONGEST, MOST_WORDS = 400, 12
"""What is searched for: letters, and different words of them."""


def singular(word: str) -> str:
    """The word without its plural ending: cities is city, boxes is box, HQs is HQ."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 2:
        return word[:-1]
    return word


def words_of(text: str) -> list[str]:
    """The words of a text in small letters, in the singular."""
    return [singular(word) for word in WORD.findall(text.lower())]


def search(clauses: Iterable[Clause], words: str) -> tuple[Clause, ...]:
    """The clauses in which every word occurs, the best match first; equal matches stay in the order given."""
    wanted = list(dict.fromkeys(words_of(words[:LONGEST])))[:MOST_WORDS]
    if not wanted:
        return ()
    scored = [(score, clause) for clause in clauses if (score := _score(clause, wanted))]
    return tuple(clause for _, clause in sorted(scored, key=lambda pair: -pair[0]))


def _score(clause: Clause, wanted: list[str]) -> int:
    """How well a clause answers: nought as soon as one word is missing from it."""
    places = _places(clause)
    total = 0
    for word in wanted:
        best = max(_match(word, present, weight) for weight, present in places)
        if not best:
            return 0
        total += best
    return total


@cache
def _places(clause: Clause) -> tuple[tuple[int, str], ...]:
    """The different words of a clause by where they stand, each with a space before and after.

    The rulebook is searched again and again, and Python finds a piece of a text far sooner than it walks through words.
    """
    return tuple((weight, f" {' '.join(dict.fromkeys(words_of(text)))} ") for weight, text in _texts(clause))


def _match(word: str, present: str, weight: int) -> int:
    if f" {word}" not in present:
        return 0
    return weight + (f" {word} " in present)


def _texts(clause: Clause) -> tuple[tuple[int, str], ...]:
    rest = [clause.kind, clause.who, clause.phase, *clause.needs]
    rest += [text for example in clause.examples for text in (example.given, example.expect)]
    if clause.ruling is not None:
        rest += [clause.ruling.question, clause.ruling.default, *clause.ruling.alternatives]
    return (IN_TITLE, clause.title), (IN_STATEMENT, clause.statement), (ELSEWHERE, " ".join(rest))
