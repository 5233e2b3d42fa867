"""Yes, no, and why: what a rule answers, and what a player is told."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from forcepool.engine.calendar import Clock
from forcepool.engine.points import show_points
from forcepool.engine.sentence import capital, plain
from forcepool.rulebook.citations import ENFORCED, register


class Yes(Struct, frozen=True):
    """Allowed; `because` names an exception when one was needed."""

    because: str = ""
    sentence: str = ""

    @property
    def says(self) -> str:
        return plain(self.sentence)


class Way(Struct, frozen=True):
    """How a remedy is followed: orders to give first, the moment to wait for, and what is ordered then."""

    after: Clock | None = None
    """The moment to wait for before the orders; none when they can be given now."""
    first: tuple[Any, ...] = ()
    """Orders to give one after the other, each lawful once those before it are given."""
    until: Clock | None = None
    """The moment to wait for after them; none when nothing need be waited for."""
    instead: Any = None
    """The order to give in place of the refused one; none when that one can then be given."""


class Remedy(Struct, frozen=True):
    """What would help, in words, and how it is done."""

    words: str
    way: Way | None = None
    """None where it is done outside the record: on the map, or by agreement."""


class No(Struct, frozen=True):
    """Not allowed: which clause, what is wrong, both numbers where there are numbers, and what would help."""

    sentence: str
    """What is wrong, made of parts; `says` is the same in plain letters."""
    advice: str = ""
    """What would help, made of parts; `remedy` is the same in plain letters."""
    clause: str = ""
    have: Fraction | None = None
    need: Fraction | None = None
    units: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Further clauses that say the same no: a ceiling, and the line of the table that asks for it."""
    ways: tuple[Way, ...] = ()
    """What the remedies come to, where they can be carried out in play; tests follow each and see whether it helps."""

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clause a player is told, then the others."""
        return tuple(clause for clause in (self.clause, *self.also) if clause)

    @property
    def gap(self) -> Fraction | None:
        if self.have is None or self.need is None:
            return None
        return abs(self.need - self.have)

    @property
    def says(self) -> str:
        return plain(self.sentence)

    @property
    def remedy(self) -> str:
        return plain(self.advice)

    @property
    def whole(self) -> str:
        """All a player is told, made of parts: what is wrong, by how much, and what would help."""
        gap = "" if not self.gap else f": {show_points(self.gap)} {'short' if self.short else 'too many'}"
        return f"{self.sentence}{gap}{f'. {capital(self.advice)}' if self.advice else ''}"

    def __str__(self) -> str:
        return plain(self.whole)

    @property
    def short(self) -> bool:
        return self.have is not None and self.need is not None and self.have < self.need


YES = Yes()
Verdict = Yes | No


def yes(because: str, sentence: str = "") -> Yes:
    """Allowed by an exception, which is named; where none is named nothing was needed."""
    return Yes(because, sentence) if because else YES


def no(sentence: str, remedy: str | Remedy | Sequence[Remedy] = "", *, way: Way | None = None, **numbers: Any) -> No:
    """Refused; the clause is the rule's first unless `clause=` names another. Of several remedies any one helps."""
    if way is not None:
        remedy = Remedy(str(remedy), way)
    if isinstance(remedy, str):
        return No(sentence, remedy, **numbers)
    remedies = [remedy] if isinstance(remedy, Remedy) else remedy
    words = ", or ".join(each.words for each in remedies if each.words)
    return No(sentence, words, ways=tuple(each.way for each in remedies if each.way), **numbers)


Q = TypeVar("Q", contravariant=True)


class Rule(Protocol[Q]):
    """A function from a question to a verdict that knows its clauses."""

    clauses: tuple[str, ...]
    __name__: str

    def __call__(self, q: Q, /) -> Verdict: ...


def rule(*ids: str) -> Callable[[Callable[[Q], Verdict]], "Rule[Q]"]:
    """The first clause is the one a refusal cites; the others are its exceptions."""

    def decorate(function: Callable[[Q], Verdict]) -> "Rule[Q]":
        register(ENFORCED, ids, f"{function.__module__}:{function.__qualname__}", decides=ids[0])
        function.clauses = ids  # type: ignore[attr-defined]
        return function  # type: ignore[return-value]

    return decorate


class Refusal(Struct, frozen=True):
    """A command that was not carried out, with every reason."""

    command: Any
    reasons: tuple[No, ...]
    final: bool = False
    """True when it cannot be overruled, because what it asks for does not exist."""

    @property
    def clauses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(clause for reason in self.reasons for clause in reason.clauses))
