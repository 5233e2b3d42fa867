"""The rulebook: all clauses in order, by id, by heading and by words."""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path

import msgspec

from forcepool.rulebook.clause import Clause, heading_of, natural_key, prefixes
from forcepool.rulebook.search import LONGEST, search

CLAUSES_JSON = Path(__file__).with_name("clauses.json")


class UnknownClause(LookupError):
    """A clause was cited that the rulebook does not have."""


class Rulebook(msgspec.Struct, frozen=True, dict=True, eq=False):
    """All clauses of the rules in the order of the rules."""

    clauses: tuple[Clause, ...]

    def __len__(self) -> int:
        return len(self.clauses)

    def __iter__(self) -> Iterator[Clause]:
        return iter(self.clauses)

    def __contains__(self, clause_id: object) -> bool:
        return clause_id in self._by_id or clause_id in _brought

    def __getitem__(self, clause_id: str) -> Clause:
        try:
            return self._by_id.get(clause_id) or _brought[clause_id]
        except KeyError:
            raise UnknownClause(self._no_such(clause_id)) from None

    @property
    def ids(self) -> tuple[str, ...]:
        """Every clause id, in the order of the rules."""
        return tuple(self._by_id)

    def headings(self) -> tuple[str, ...]:
        """Every heading that has clauses at it or below it, in the order of the rules."""
        return tuple(self._by_heading)

    def heading(self, prefix: str) -> tuple[Clause, ...]:
        """All clauses at a heading and below it; none if there is no such heading."""
        return self._by_heading.get(prefix, ())

    def find(self, words: str) -> tuple[Clause, ...]:
        """The clauses that hold all the words, best first; an id or heading among the words narrows the search."""
        within, sought, words = self.clauses, [], words[:LONGEST]
        for word in words.split():
            named = (self._by_id[word],) if word in self._by_id else self.heading(word)
            if named:
                allowed = {clause.id for clause in named}
                within = tuple(clause for clause in within if clause.id in allowed)
            else:
                sought.append(word)
        if not sought:
            return within if words.split() else ()
        return search(within, " ".join(sought))

    @cached_property
    def version(self) -> str:
        """Twelve letters and digits that change whenever a word of the rulebook changes."""
        return hashlib.sha256(encode(self.clauses)).hexdigest()[:12]

    @cached_property
    def _by_id(self) -> dict[str, Clause]:
        return {clause.id: clause for clause in self.clauses}

    @cached_property
    def _by_heading(self) -> dict[str, tuple[Clause, ...]]:
        under: dict[str, list[Clause]] = {}
        for clause in self.clauses:
            for prefix in prefixes(clause.heading):
                under.setdefault(prefix, []).append(clause)
        return {heading: tuple(under[heading]) for heading in sorted(under, key=natural_key)}

    def _no_such(self, wrong: str) -> str:
        """Says that a clause does not exist and what stands nearest to it."""
        for known in self.ids:
            if known.lower() == wrong.lower():
                return f"{wrong}: there is no such clause; capitals count, and {known} exists"
        if wrong in self._by_heading:
            return f"{wrong}: this is a heading, not a clause; {self._range(wrong)}"
        heading = heading_of(wrong)
        if heading in self._by_heading:
            return f"{wrong}: there is no such clause; {self._range(heading)}"
        for parent in reversed(prefixes(heading)[:-1]):
            if parent in self._by_heading:
                return f"{wrong}: there is no such clause; {self._range(parent)}"
        rules = [name for name in self.headings() if "." not in name]
        return f"{wrong}: there is no such clause; the rules are {', '.join(rules[:-1])} and {rules[-1]}"

    def _range(self, heading: str) -> str:
        """What a heading holds: its own clauses, then the headings right below it."""
        own = [clause.id.partition("/")[2] for clause in self.heading(heading) if clause.heading == heading]
        below = [name for name in self.headings() if name.rpartition(".")[0] == heading]
        held = []
        if own:
            held.append(f"/{own[0]} to /{own[-1]}" if len(own) > 1 else f"only /{own[0]}")
        if below:
            named = ", ".join(below) if len(below) < 7 else f"{below[0]} to {below[-1]}"
            held.append(f"the headings {named}" if len(below) > 1 else f"the heading {named}")
        return f"{heading} has {' and '.join(held)}"


_brought: dict[str, Clause] = {}


def bring(*clauses: Clause) -> None:
    """Let a game from elsewhere cite rules of its own; no id that ships with this rulebook can be taken."""
    for clause in clauses:
        if clause.id in load().ids:
            raise ValueError(f"{clause.id} is a clause of the shipped rulebook; give yours another id")
        _brought[clause.id] = clause


def in_order(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Clauses in the order of the rules."""
    return tuple(sorted(clauses, key=lambda clause: natural_key(clause.id)))


def encode(clauses: Iterable[Clause]) -> bytes:
    """The rulebook as JSON with one clause a line, so that a change to one clause shows as one line."""
    encoder = msgspec.json.Encoder()
    return b"[\n" + b",\n".join(encoder.encode(clause) for clause in clauses) + b"\n]\n"


@cache
def load() -> Rulebook:
    """The rulebook that ships with the package."""
    return Rulebook(msgspec.json.decode(CLAUSES_JSON.read_bytes(), type=tuple[Clause, ...]))
