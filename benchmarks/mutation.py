"""Do the tests of a rule notice a mistake? Makes small mistakes in the rules and their data, and counts.

    python benchmarks/mutation.py [--rule R] [--sample N] [--seed S] [--jobs J] [--data no] [--named WORDS]… [MODULE…]

R is 28, 49, 51, 52 (unless another is named), shared, what these stand on, or ef, the second game. Every number and
date of its profile is made a little too great and a little too small; of the possible mistakes in its code a sample
is taken, spread evenly over the modules. MODULE narrows it to files by name, such as scrapping.py or limited.yaml;
WORDS to those of all mutants whose names hold them. For each mutant a process is forked that loads the rules with the
mistake and plays the rule's cases, then the tests of the rulebook and the engine, those that run through the changed
lines; nothing on the disk is touched. The score is the share of mutants that some test noticed, those in
mutants/equivalent.txt left out. A mutant that takes more than two minutes of the processor's own time, however busy
the machine is, counts as noticed and is told apart.
"""

import argparse
import contextlib
import importlib.machinery
import importlib.util
import json
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any, NamedTuple

import pytest
from mutants import ROOT, SOURCES, Mutant, code, data, equivalent
from mutants.rules import RULES, RuleSet

from forcepool import games
from forcepool.cases.reading import Case, read_cases
from forcepool.cases.runner import run
from forcepool.files import yamltext
from forcepool.rulebook import citations
from forcepool.rulebook.book import load

SECONDS = 120
"""Of the processor's time, which a mutant may take; one that loops for ever is noticed too."""
SURVIVED, BY_A_CASE, BY_A_TEST = 0, 10, 11

Reached = frozenset[tuple[str, int]]
"""Files and lines of the rules."""


class Seen(NamedTuple):
    """What a test reaches when nothing is wrong, and how much of the processor's time it takes."""

    reached: Reached
    seconds: float


class Baseline(NamedTuple):
    """All tests without a mistake: cases by number, the others by name."""

    cases: dict[int, Seen]
    tests: dict[str, Seen]
    failed: tuple[str, ...]
    """Those that fail even without a mistake."""
    loading: Reached
    """What is run through once, when the game is loaded."""


# ------------------------------------------------------------------------------------------- the tests


def all_cases(rules: RuleSet) -> list[Case]:
    return [case for file in rules.case_files for case in read_cases(file)]


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


def run_tests(files: Iterable[str], plugin: object, *options: str) -> int:
    options = (*options, "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}", "-c", str(ROOT / "pyproject.toml"))
    return int(pytest.main([*options, *files], plugins=[plugin]))


class Only:
    """Leaves the tests that reach the mistake, the quickest first."""

    def __init__(self, names: list[str]) -> None:
        self.order = {name: index for index, name in enumerate(names)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted((item for item in items if item.nodeid in self.order), key=lambda i: self.order[i.nodeid])


class Tracing:
    """Notes which lines of the rules are run through while something runs."""

    def __init__(self, rules: RuleSet) -> None:
        self.files = {str(file) for file in rules.modules}
        self.reached: set[tuple[str, int]] = set()
        self.begun = time.process_time()

    def __enter__(self) -> "Tracing":
        sys.settrace(self.enter)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)

    def enter(self, frame: FrameType, event: str, _: Any) -> Any:
        return self.note if frame.f_code.co_filename in self.files else None

    def note(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self.reached.add((frame.f_code.co_filename, frame.f_lineno))
        return self.note

    def seen(self) -> Seen:
        return Seen(frozenset(self.reached), time.process_time() - self.begun)


class Watching:
    """Traces every test of a run."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.tests: dict[str, Seen] = {}
        self.failed: set[str] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.add(report.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        with Tracing(self.rules) as tracing:
            result = yield
        self.tests[item.nodeid] = tracing.seen()
        return result


def watch(rules: RuleSet, cases: list[Case]) -> Baseline:
    """Every test once, without a mistake; those that fail even so can notice nothing."""
    with Tracing(rules) as loading:
        games.game(rules.game)
    seen: dict[int, Seen] = {}
    failed = []
    for number, case in enumerate(cases):
        with Tracing(rules) as tracing:
            passed = holds(case)
        if passed:
            seen[number] = tracing.seen()
        else:
            failed.append(case.name)
    watching = Watching(rules)
    run_tests(rules.test_files, watching)
    tests = {name: each for name, each in watching.tests.items() if name not in watching.failed}
    return Baseline(seen, tests, tuple(sorted((*failed, *watching.failed))), loading.seen().reached)


# ---------------------------------------------------------------------------------- which tests to run


def plan(mutant: Mutant, baseline: Baseline, cases: list[Case]) -> tuple[list[int], list[str]]:
    """The cases and tests that could notice a mutant, the likeliest first."""
    if mutant.file.suffix == ".yaml":
        near = {number: _nearness(mutant.clauses, case.clauses) for number, case in enumerate(cases)}
        order = sorted(baseline.cases, key=lambda n: (-near[n], baseline.cases[n].seconds))
        return order, [name for name in baseline.tests if name.startswith("tests/rulebook")]
    file = str(mutant.file)
    wanted = {(file, line) for line in mutant.lines}
    if not wanted or not wanted.isdisjoint(baseline.loading):
        return _reaching(baseline, lambda reached: any(each == file for each, _ in reached))
    return _reaching(baseline, lambda reached: not wanted.isdisjoint(reached))


def _reaching(baseline: Baseline, wanted: Callable[[Reached], bool]) -> tuple[list[int], list[str]]:
    def chosen(seen: dict[Any, Seen]) -> list[Any]:
        return sorted((key for key in seen if wanted(seen[key].reached)), key=lambda key: seen[key].seconds)

    return chosen(baseline.cases), chosen(baseline.tests)


def _nearness(ours: tuple[str, ...], theirs: tuple[str, ...]) -> int:
    """How much of the clauses' ids agree."""

    def alike(one: str, other: str) -> int:
        return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))

    return max((alike(one, other) for one in ours for other in theirs), default=0)


# ------------------------------------------------------------------------------------------ one mutant


class Mistaken(importlib.machinery.SourceFileLoader):
    """Loads a module with the mistake in it."""

    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(code.mutated(self.mutant), str(self.mutant.file), "exec")


class Finder:
    """Finds the changed module instead of the one on the disk."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = ".".join(mutant.file.relative_to(SOURCES).with_suffix("").parts)

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name != self.name:
            return None
        loader = Mistaken(name, str(self.mutant.file))
        loader.mutant = self.mutant
        return importlib.util.spec_from_file_location(name, self.mutant.file, loader=loader)


def install(mutant: Mutant) -> None:
    """Make the mistake in this process, before the game is loaded."""
    if mutant.file.suffix == ".py":
        sys.meta_path.insert(0, Finder(mutant))
        return
    original, changed, read = mutant.file.read_text("utf-8"), data.mutated(mutant), yamltext.read_yaml

    def read_changed(text: str, name: str, **options: Any) -> yamltext.Document:
        return read(changed if text == original else text, name, **options)

    yamltext.read_yaml = read_changed


def try_out(rules: RuleSet, mutant: Mutant, cases: Iterable[Case], tests: list[str]) -> int:
    """What becomes of a mutant, in a process of its own."""
    install(mutant)
    try:
        games.game(rules.game)
    except Exception:
        return BY_A_CASE
    if not all(map(holds, cases)):
        return BY_A_CASE
    quiet = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
    files = sorted({str(ROOT / name.partition("::")[0]) for name in tests})
    return BY_A_TEST if tests and run_tests(files, Only(tests), "-x") not in quiet else SURVIVED


def fork(work: Callable[[], int], limit: int = SECONDS) -> int:
    """A child that works in silence and ends with the number it finds."""
    if child := os.fork():
        return child
    # A second more ends even a child that heeds no signal.
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    found = BY_A_TEST
    with contextlib.suppress(BaseException):
        found = work()
    os._exit(found)


# -------------------------------------------------------------------------------------------- the run


def sample(size: int, seed: str, modules: list[Path]) -> list[Mutant]:
    """Mutants of the code, as many of each module as of any other."""
    shuffled = []
    for file in modules:
        found = code.mutants(file)
        random.Random(f"{seed} {file.name}").shuffle(found)
        shuffled.append(found)
    longest = max(map(len, shuffled), default=0)
    in_turn = [found[index] for index in range(longest) for found in shuffled if index < len(found)]
    return in_turn[:size]


def chosen_files(rules: RuleSet, wanted: list[str]) -> tuple[list[Path], list[Path]]:
    known = {file.name for file in (*rules.modules, *rules.data)}
    if unknown := [name for name in wanted if name not in known]:
        raise SystemExit(f"there is no file {' or '.join(unknown)} of {rules.game}; write for example {min(known)}")
    pick = [[file for file in files if not wanted or file.name in wanted] for files in (rules.modules, rules.data)]
    return pick[0], pick[1]


def found_in_a_child(work: Callable[[], Any]) -> Any:
    """What some work comes to, done where it cannot load the game here."""
    with tempfile.NamedTemporaryFile() as file:
        child = fork(lambda: SURVIVED if Path(file.name).write_bytes(pickle.dumps(work())) else 1, limit=60 * SECONDS)
        if os.waitpid(child, 0)[1]:
            raise SystemExit("the tests cannot be run without any mistake; run pytest to see why")
        return pickle.loads(file.read())


def baseline_of(rules: RuleSet, cases: list[Case]) -> Baseline:
    found: Baseline = found_in_a_child(lambda: watch(rules, cases))
    for name in found.failed:
        print(f"left out, since it fails without any mistake: {name}", flush=True)
    return found


def outcomes(
    rules: RuleSet, mutants: list[Mutant], cases: list[Case], baseline: Baseline, jobs: int
) -> Iterator[tuple[Mutant, int]]:
    """Each mutant with what became of it; a negative number is the signal that ended it."""
    running: dict[int, Mutant] = {}
    waiting = list(reversed(mutants))
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            numbers, tests = plan(mutant, baseline, cases)
            chosen = [cases[number] for number in numbers]
            running[fork(partial(try_out, rules, mutant, chosen, tests))] = mutant
        child, status = os.wait()
        yield running.pop(child), os.waitstatus_to_exitcode(status)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rule", choices=sorted(RULES), default="52", help="the rule to measure (52)")
    parser.add_argument("--sample", type=int, default=260, help="mutants of the code (260)")
    parser.add_argument("--seed", default="52")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--data", choices=("yes", "no"), default="yes", help="mutants of the profile (yes)")
    parser.add_argument("--named", action="append", default=[], metavar="WORDS", help="only mutants so named")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    asked = parser.parse_args()
    load()
    rules = RULES[asked.rule]
    modules, profiles = chosen_files(rules, asked.modules)
    of_data = [mutant for file in profiles for mutant in data.mutants(file)] if asked.data == "yes" else []
    of_code = sample(asked.sample if not asked.named else sys.maxsize, asked.seed, modules)
    if asked.named:
        of_data, of_code = ([each for each in of if _is_named(each, asked.named)] for of in (of_data, of_code))
    excused, cases = equivalent(), found_in_a_child(lambda: all_cases(rules))
    baseline = baseline_of(rules, cases)
    for title, mutants in (("data", of_data), ("code", of_code)):
        counted = [mutant for mutant in mutants if mutant.name not in excused]
        survived, endless = [], []
        for done, (mutant, found) in enumerate(outcomes(rules, counted, cases, baseline, asked.jobs), 1):
            print(f"{title}: {done} of {len(counted)}", end="\r", file=sys.stderr, flush=True)
            if found == SURVIVED:
                survived.append(mutant.name)
                print(f"survived: {mutant.name}", flush=True)
            elif found in (-signal.SIGXCPU, -signal.SIGKILL):
                endless.append(mutant.name)
                print(f"out of time: {mutant.name}", flush=True)
        killed = len(counted) - len(survived)
        line = {
            "run": "mutation",
            "rule": asked.rule,
            "of": title,
            "mutants": len(mutants),
            "equivalent": len(mutants) - len(counted),
        }
        score = round(100 * killed / len(counted), 1) if counted else None
        outcome = {"killed": killed, "out_of_time": len(endless), "score": score, "seed": asked.seed}
        print(json.dumps({**line, **outcome}), flush=True)


def _is_named(mutant: Mutant, named: list[str]) -> bool:
    return any(words in mutant.name for words in named)


if __name__ == "__main__":
    main()
