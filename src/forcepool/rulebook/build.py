"""Checks the clause files and makes clauses.json from them: python -m forcepool.rulebook.build"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from forcepool.rulebook.book import CLAUSES_JSON, encode, in_order
from forcepool.rulebook.clause import Clause, heading_of, prefixes
from forcepool.rulebook.reading import Entry, Problem, read
from forcepool.rulebook.references import dangling

CLAUSES = Path(__file__).with_name("clauses")


def compile_rulebook(folder: Path = CLAUSES) -> tuple[tuple[Clause, ...], tuple[Problem, ...]]:
    """All clauses of a folder in the order of the rules, and every mistake in the files."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    for path in sorted(folder.glob("*.yaml")):
        good, bad = read(path)
        entries += good
        problems += bad
    problems += [*_duplicates(entries), *_gaps(entries), *_dangling(entries)]
    return in_order(entry.clause for entry in entries), tuple(sorted(problems))


def _duplicates(entries: Iterable[Entry]) -> Iterator[Problem]:
    seen: dict[str, Entry] = {}
    for entry in entries:
        first = seen.setdefault(entry.clause.id, entry)
        if first is not entry:
            yield entry.problem(f"{entry.clause.id} is already at {first.file}:{first.line}; give one a new number")


def _gaps(entries: Iterable[Entry]) -> Iterator[Problem]:
    """Numbers under a heading run from 1 without a hole, so a missing number is a lost clause."""
    under: dict[str, dict[int, Entry]] = {}
    for entry in entries:
        heading, _, place = entry.clause.id.partition("/")
        under.setdefault(heading, {})[int(place)] = entry
    for heading, numbered in under.items():
        for number in range(1, max(numbered)):
            if number not in numbered:
                last = numbered[max(numbered)]
                yield last.problem(f"{heading}/{number} is missing although {last.clause.id} exists; restore it")


def _dangling(entries: list[Entry]) -> Iterator[Problem]:
    known = {entry.clause.id for entry in entries}
    known |= {prefix for clause_id in tuple(known) for prefix in prefixes(heading_of(clause_id))}
    for entry in entries:
        for named in dangling(entry.clause, known):
            yield entry.problem(f"{entry.clause.id} refers to {named}, which does not exist; correct the reference")


def main() -> int:
    """Writes clauses.json, or lists the mistakes and writes nothing."""
    clauses, problems = compile_rulebook()
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        return 1
    CLAUSES_JSON.write_bytes(encode(clauses))
    print(f"{len(clauses)} clauses written to {CLAUSES_JSON.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
