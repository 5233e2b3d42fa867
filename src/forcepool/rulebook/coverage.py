"""How each clause is met, by which code, and which tests really exercised it.

The record is made by running the tests: a test counts for a clause when it claims the clause and code that answers for
it took part in that very test. The record ships with the package, so that any machine can show it.
"""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import NamedTuple

import msgspec
from msgspec import Struct

from forcepool.rulebook.book import load
from forcepool.rulebook.citations import COMPUTED, Citation
from forcepool.rulebook.clause import natural_key

RECORD = "coverage.json"


class Met(Struct, frozen=True, omit_defaults=True):
    """One clause: how it is met, where, and by which tests it is held."""

    how: tuple[str, ...] = ()
    code: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()
    one_sided: bool = False
    """Some code says yes or no by it, and the tests that claim it have heard only one of the two."""

    @property
    def tested(self) -> bool:
        return bool(self.tests) and not self.one_sided


class Heard(NamedTuple):
    """What a test run heard: a clause, in a test, and what came of it."""

    clause: str
    test: str
    outcome: str
    claimed: bool


Record = dict[str, Met]


class Summary(Struct, frozen=True):
    """The figures of `rules --coverage --json`."""

    total: int
    met: int
    tested: int
    missing: tuple[str, ...]


def build(citations: Iterable[Citation], heard: Iterable[Heard]) -> Record:
    """The record of a test run."""
    cited: dict[str, list[Citation]] = {}
    for citation in citations:
        cited.setdefault(citation.clause, []).append(citation)
    listened: dict[str, list[Heard]] = {}
    for each in heard:
        listened.setdefault(each.clause, []).append(each)
    record = {}
    # A game from elsewhere may cite rules of its own, which are not this rulebook's affair.
    known = frozenset(load().ids)
    for clause in sorted((each for each in cited.keys() | listened.keys() if each in known), key=natural_key):
        record[clause] = _met(cited.get(clause, []), listened.get(clause, []))
    return record


def _met(cited: list[Citation], heard: list[Heard]) -> Met:
    how = {each.how for each in cited}
    if not cited:
        how.add(COMPUTED)
    claimed = [each for each in heard if each.claimed]
    decides = any(each.decides for each in cited)
    sides = {each.outcome for each in claimed if each.outcome in ("yes", "no")}
    return Met(
        how=tuple(sorted(how)),
        code=tuple(sorted({each.code for each in cited})),
        tests=tuple(sorted({each.test for each in claimed})),
        one_sided=decides and len(sides) < 2,
    )


def summary(record: Mapping[str, Met]) -> Summary:
    """How far the rulebook is held: missing are the clauses without code or without tests."""
    ids = load().ids
    met = [clause for clause in ids if clause in record]
    tested = [clause for clause in met if record[clause].tested]
    held = frozenset(tested)
    return Summary(len(ids), len(met), len(tested), tuple(clause for clause in ids if clause not in held))


def encode(record: Record) -> bytes:
    """One clause a line, so that a change of the record can be read."""
    lines = [
        f"{msgspec.json.encode(clause).decode()}: {msgspec.json.encode(met).decode()}" for clause, met in record.items()
    ]
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def shipped() -> Record:
    """The record of the test run this package was released with."""
    file = files("forcepool.rulebook").joinpath(RECORD)
    if not file.is_file():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=Record)
