"""The tests: run without a mistake to see what they reach, and with one to see whether they notice."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import pytest
from benchmarks.mutants import ROOT
from benchmarks.mutants.probing import Lines, Probes, Reached
from benchmarks.mutants.rules import RuleSet

from forcepool import games
from forcepool.cases.reading import Case, read_cases
from forcepool.cases.runner import run
from forcepool.files import yamltext
from forcepool.rulebook import citations

T = TypeVar("T")


class Seen(NamedTuple):
    """What a test reaches when nothing is wrong, and how much of the processor's time it takes."""

    reached: Reached
    seconds: float


class Baseline(NamedTuple):
    """The cases, or the other tests, without a mistake."""

    tests: dict[str, Seen]
    """By name."""
    failed: tuple[str, ...]
    """Those that fail even without a mistake."""
    loading: Reached
    """What is run through once, when the game is loaded and the tests are collected."""
    read: frozenset[str]
    """The files of numbers that are read then, by their text."""


# ------------------------------------------------------------------------------------------- the tests


def all_cases(files: Iterable[Path]) -> dict[str, Case]:
    """By file, line and title."""
    return {f"{file.parent.name}/{case.name}": case for file in files for case in read_cases(file)}


def holds(case: Case) -> bool:
    """Whether a case passes, and the clauses it claims take part in it, as in the test run."""
    heard: set[str] = set()
    citations.observe(lambda clause, outcome: heard.add(clause))
    try:
        return run(case).passed and heard.issuperset(case.clauses)
    except Exception:
        return False
    finally:
        citations.observe(None)


class Session(Generic[T]):
    """Collects tests once; what is to be done with them is done in place of running them all."""

    def __init__(self, work: Callable[[list[pytest.Item]], T]) -> None:
        self.work = work
        self.found: list[T] = []
        self.has_failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.has_failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.found.append(self.work(session.items))
        return True


def with_tests(files: Iterable[str], work: Callable[[list[pytest.Item], "Passes"], T]) -> T:
    """What some work with the tests of these files comes to."""
    session: Session[T] = Session(lambda items: work(items, passes))

    def passes(item: pytest.Item, following: pytest.Item | None) -> bool:
        session.has_failed = False
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        return not session.has_failed

    # Without capture and report the work may print; what a mutant prints goes nowhere anyhow.
    options = ("-s", "-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=", "--import-mode=importlib")
    pytest.main([*options, f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"), *files], plugins=[session])
    if not session.found:
        raise SystemExit("the tests cannot be collected; run pytest to see why")
    return session.found[0]


Passes = Callable[[pytest.Item, pytest.Item | None], bool]
"""Whether a test passes; the test that follows it tells which fixtures to keep."""


def in_order(items: list[pytest.Item]) -> Iterator[tuple[pytest.Item, pytest.Item | None]]:
    """Each test with the one that follows it."""
    return zip(items, [*items[1:], None], strict=True)


# ------------------------------------------------------------------------------------- what they reach


class Watch:
    """Looks on while tests are run without a mistake; those that fail even so can notice nothing."""

    def __init__(self, wanted: Lines) -> None:
        self.probes = Probes(wanted)
        self.read: set[str] = set()
        read_yaml = yamltext.read_yaml

        def noted(text: str, name: str, **options: Any) -> yamltext.Document:
            self.read.add(text)
            return read_yaml(text, name, **options)

        yamltext.read_yaml = noted

    def look(self, tests: Iterable[tuple[str, Callable[[], bool]]]) -> Baseline:
        loading, read = self.probes.seen(), frozenset(self.read)
        seen: dict[str, Seen] = {}
        failed = []
        first, *others = tests
        # What is found once and kept is run through by whichever test comes first: none answers for it alone.
        first[1]()
        once = self.probes.seen()
        for name, passes in (first, *others):
            begun = time.process_time()
            passed = passes()
            reached = self.probes.seen()
            if passed:
                seen[name] = Seen(reached, time.process_time() - begun)
            else:
                failed.append(name)
            once -= reached
        return Baseline(seen, tuple(sorted(failed)), loading | once, read)


def watch_cases(rules: RuleSet, cases: Mapping[str, Case], wanted: Lines) -> Baseline:
    watch = Watch(wanted)
    games.game(rules.game)
    return watch.look((name, partial(holds, case)) for name, case in cases.items())


def watch_tests(rules: RuleSet, wanted: Lines) -> Baseline:
    watch = Watch(wanted)

    def look(items: list[pytest.Item], passes: Passes) -> Baseline:
        return watch.look((item.nodeid, partial(passes, item, following)) for item, following in in_order(items))

    games.game(rules.game)
    return with_tests(rules.test_files, look)
