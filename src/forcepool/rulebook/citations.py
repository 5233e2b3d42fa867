"""Which code meets which clause.

Code says so itself: a rule carries its clauses, an event names them in `because`. An id that is not in the rulebook
is an error at import. While tests run, an observer hears every citation that really took part in an answer.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, NamedTuple, ParamSpec, TypeVar

from forcepool.rulebook.book import load

ENFORCED = "enforced"
COMPUTED = "computed"
CHANCE = "chance"
ASKED = "asked"
SHOWN = "shown"
WAYS = (ENFORCED, COMPUTED, CHANCE, ASKED, SHOWN)

P = ParamSpec("P")
T = TypeVar("T")


class Citation(NamedTuple):
    """One place in the code that answers for a clause."""

    clause: str
    how: str
    code: str
    decides: bool = False
    """Whether the code says yes or no by this clause, so that tests must have heard both."""


_citations: dict[Citation, None] = {}

Observer = Callable[[str, str], None]
"""Hears a clause id and what came of it: 'yes', 'no', or how it was met."""

observer: Observer | None = None
"""Set by the test run; nobody listens during play."""


def observe(listener: Observer | None) -> None:
    global observer
    observer = listener


def heard(clauses: str, outcome: str) -> None:
    """Tell the observer that these clauses (separated by spaces) took part in an answer."""
    if observer is not None:
        for clause in clauses.split():
            observer(clause, outcome)


def register(how: str, ids: tuple[str, ...], code: str, *, decides: str = "") -> None:
    """Note that this code meets these clauses; an unknown id raises at import."""
    book = load()
    for clause in ids:
        _citations[Citation(book[clause].id, how, code, clause == decides)] = None


def citations() -> list[Citation]:
    """Everything registered so far, in order."""
    return sorted(_citations)


def _meets(how: str, *ids: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    joined = " ".join(ids)

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        register(how, ids, f"{function.__module__}:{function.__qualname__}")

        @wraps(function)
        def telling(*args: P.args, **kwargs: P.kwargs) -> T:
            if observer is not None:
                heard(joined, how)
            return function(*args, **kwargs)

        telling.clauses = ids  # type: ignore[attr-defined]
        return telling

    return decorate


def computed(*ids: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The engine works this out by itself: a price, an arrival, a receipt."""
    return _meets(COMPUTED, *ids)


def meets_one_of(*ids: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The engine works this out by a line of a chart, and the code itself tells which of the lines it was."""

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        register(COMPUTED, ids, f"{function.__module__}:{function.__qualname__}")
        return function

    return decorate


def chance(*ids: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """A die decides, rolled or entered, and is recorded."""
    return _meets(CHANCE, *ids)


def asked(*ids: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """The fact lies outside: the players declare it and the clause is applied to what they said."""
    return _meets(ASKED, *ids)


def shown(*ids: str) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """An effect on play outside our subject, shown on the unit while it holds."""
    return _meets(SHOWN, *ids)


def clauses_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The clauses a rule function carries."""
    return getattr(function, "clauses", ())
