"""Do the tests of a rule notice a mistake? Makes small mistakes in the rules and their data, and counts.

    python benchmarks/mutation.py [--rule R] [--sample N] [--seed S] [--jobs J] [--data no] [--others no]
        [--named WORDS]… [MODULE…]

R is 28, 49, 51, 52 (unless another is named), shared, what these stand on, or ef, the second game. Every number and
date of its profile is made a little too great and a little too small; of the possible mistakes in its code a sample
is taken, spread evenly over the modules. MODULE narrows it to files by name, such as scrapping.py or limited.yaml;
WORDS to those of all mutants whose names hold them. The score is the share of mutants that some test noticed, those in
mutants/equivalent.txt left out.

How it is done: first every test is run once without a mistake, to see which of the lines in question it runs through;
what fails even so is left out and named. Then for each mutant a process is forked that plays the rule's cases, those
that run through the changed lines, those about its clauses first, until one fails; nothing on the disk is touched. The
tests of the rulebook and the engine are asked in the same manner after them, for what no case has noticed, and then the
cases of the game's other rules. What a mistake in a function changes is put into the loaded program, with its tests
collected, which saves loading it for every mutant. A mistake in what is run through while the program is loaded (lists
of rules, tables, what a test does when it is collected) is made before loading, in a process that loads everything
anew. A mutant that takes twenty seconds more of the processor's own time than three times what its tests take without
it, however busy the machine is, counts as noticed and is told apart.
"""

import argparse
import contextlib
import gc
import json
import os
import pickle
import random
import resource
import signal
import sys
import tempfile
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import Any, NamedTuple

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.mutants import ROOT, Mutant, code, data, equivalent, making
from benchmarks.mutants.probing import ANY_LINE, Lines
from benchmarks.mutants.rules import RULES, RuleSet
from benchmarks.mutants.watching import (
    Baseline,
    Passes,
    all_cases,
    holds,
    in_order,
    watch_cases,
    watch_tests,
    with_tests,
)

from forcepool import games
from forcepool.cases.reading import Case
from forcepool.rulebook.book import load

SECONDS = 20
"""Of the processor's time, which a mutant may take beyond three times what its tests take without a mistake."""
SURVIVED, NOTICED, BROKEN = 0, 10, 11
OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGKILL)


class Trial(NamedTuple):
    """A mutant, and the names of the tests that could notice it, the likeliest first."""

    mutant: Mutant
    tests: list[str]
    limit: int
    """Of the processor's time, in seconds."""
    is_quick: bool
    """Whether it can be put into the loaded program."""


# ---------------------------------------------------------------------------------- which tests to run


def plan(mutant: Mutant, baseline: Baseline, clauses: Mapping[str, tuple[str, ...]]) -> Trial:
    """What to try a mutant with; `clauses` are those that a test is about, where that is known."""
    tests = _could_notice(mutant, baseline, clauses)
    limit = SECONDS + 3 * round(sum(baseline.tests[each].seconds for each in tests))
    return Trial(mutant, tests, limit, _is_quick(mutant, baseline))


def _could_notice(mutant: Mutant, baseline: Baseline, clauses: Mapping[str, tuple[str, ...]]) -> list[str]:
    tests, near = baseline.tests, partial(_nearness, mutant.clauses)
    if mutant.file.suffix == ".yaml":
        return sorted(tests, key=lambda name: (-near(clauses.get(name, ())), tests[name].seconds))
    point = _point(mutant)
    if point in baseline.loading:
        point = (point[0], ANY_LINE)
    reaching = [name for name, seen in tests.items() if point in seen.reached]
    if not reaching and point[1] == ANY_LINE:
        reaching = list(tests)
    return sorted(reaching, key=lambda name: (-near(clauses.get(name, ())), tests[name].seconds))


def _is_quick(mutant: Mutant, baseline: Baseline) -> bool:
    """Nothing that loading leaves behind may depend on it."""
    if mutant.file.suffix == ".yaml":
        return mutant.file.read_text("utf-8") not in baseline.read
    point = _point(mutant)
    return point[1] != ANY_LINE and point not in baseline.loading and bool(making.changed_code(mutant))


def _point(mutant: Mutant) -> tuple[str, int]:
    """Where it is reached: the statement it lies in, or any function of its file if it lies in none."""
    return str(mutant.file), mutant.lines.start or ANY_LINE


def _nearness(ours: tuple[str, ...], theirs: tuple[str, ...]) -> int:
    """How much of the clauses' ids agree."""

    def alike(one: str, other: str) -> int:
        return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))

    return max((alike(one, other) for one in ours for other in theirs), default=0)


# ------------------------------------------------------------------------------------------ one mutant


def try_anew(work: Callable[[Trial], int], trial: Trial) -> int:
    """What becomes of a mutant in a process that has not loaded the game yet."""
    making.before_loading(trial.mutant)
    try:
        return work(trial)
    except (Exception, SystemExit):
        return NOTICED  # Since without the mistake it is no trouble to load the game and collect the tests.


def try_loaded(known: making.Functions, work: Callable[[Trial], int], trial: Trial) -> int:
    """What becomes of a mutant in the loaded program."""
    try:
        making.when_loaded(trial.mutant, known)
    except Exception:
        return BROKEN
    return work(trial)


def with_cases(cases: Mapping[str, Case], trial: Trial) -> int:
    return SURVIVED if all(holds(cases[name]) for name in trial.tests) else NOTICED


def with_items(items: list[pytest.Item], passes: Passes, trial: Trial) -> int:
    by_name = {item.nodeid: item for item in items}
    chosen = [by_name[name] for name in trial.tests]
    return SURVIVED if all(passes(item, following) for item, following in in_order(chosen)) else NOTICED


def fork(work: Callable[[], int], limit: int) -> int:
    """A child that works in silence and ends with the number it finds."""
    if child := os.fork():
        return child
    # A second more ends even a child that heeds no signal.
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    found = NOTICED
    with contextlib.suppress(BaseException):
        found = work()
    os._exit(found)


def forked(trials: list[Trial], work: Callable[[Trial], int], jobs: int) -> Iterator[tuple[Mutant, int]]:
    """Each mutant with what became of it; a negative number is the signal that ended it."""
    running: dict[int, Mutant] = {}
    waiting = list(reversed(trials))
    while waiting or running:
        while waiting and len(running) < jobs:
            trial = waiting.pop()
            running[fork(partial(work, trial), trial.limit)] = trial.mutant
        child, status = os.wait()
        yield running.pop(child), os.waitstatus_to_exitcode(status)


# ------------------------------------------------------------------------------------------- the rounds


class Round(ABC):
    """Mutants tried with the cases, or with the other tests."""

    title: str

    def __init__(self, rules: RuleSet, jobs: int) -> None:
        self.rules, self.jobs = rules, jobs

    @abstractmethod
    def watch(self, wanted: Lines) -> Baseline:
        """The tests without a mistake."""

    @abstractmethod
    def anew(self, trial: Trial) -> int:
        """Load the program, and try the mutant that was made before."""

    @abstractmethod
    def loaded(self, trials: list[Trial]) -> dict[str, int]:
        """Load the program once, and try mutants in it."""

    def clauses(self) -> Mapping[str, tuple[str, ...]]:
        return {}

    def play(self, mutants: list[Mutant]) -> dict[str, int]:
        """What became of each mutant, by name."""
        assert not any(name.startswith("forcepool.games.") for name in sys.modules), "a mistake would come too late"
        baseline: Baseline = found_in_a_child(lambda: self.watch(lines_in_question(mutants)))
        for name in baseline.failed:
            print(f"left out, since it fails without any mistake: {name}", flush=True)
        clauses = self.clauses()
        trials = [plan(mutant, baseline, clauses) for mutant in mutants]
        found = {trial.mutant.name: SURVIVED for trial in trials if not trial.tests}
        anew, quick = (
            [each for each in trials if each.tests and each.is_quick is is_quick] for is_quick in (False, True)
        )
        found |= self.heard(forked(anew, partial(try_anew, self.anew), self.jobs), len(anew), "made before loading")
        return found | (found_in_a_child(lambda: self.loaded(quick)) if quick else {})

    def in_place(self, trials: list[Trial], work: Callable[[Trial], int]) -> dict[str, int]:
        known = making.functions({str(trial.mutant.file) for trial in trials})
        gc.freeze()  # So that children share the memory.
        return self.heard(forked(trials, partial(try_loaded, known, work), self.jobs), len(trials), "in place")

    def heard(self, outcomes: Iterable[tuple[Mutant, int]], of: int, how: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for mutant, outcome in outcomes:
            if outcome == BROKEN:
                raise SystemExit(f"this mistake could not be made: {mutant.name}")
            found[mutant.name] = outcome
            print(f"{self.title}, {how}: {len(found)} of {of}   ", end="\r", file=sys.stderr, flush=True)
            if outcome == SURVIVED:
                print(f"not noticed by {self.title}: {mutant.name}", file=sys.stderr, flush=True)
            elif outcome in OUT_OF_TIME:
                print(f"out of time: {mutant.name}", flush=True)
        return found


class WithCases(Round):
    def __init__(self, rules: RuleSet, jobs: int, folders: tuple[str, ...], title: str) -> None:
        super().__init__(rules, jobs)
        self.title = title
        self.cases: dict[str, Case] = found_in_a_child(lambda: all_cases(rules.case_files(folders)))

    def clauses(self) -> Mapping[str, tuple[str, ...]]:
        return {name: case.clauses for name, case in self.cases.items()}

    def watch(self, wanted: Lines) -> Baseline:
        return watch_cases(self.rules, self.cases, wanted)

    def anew(self, trial: Trial) -> int:
        games.game(self.rules.game)
        return with_cases(self.cases, trial)

    def loaded(self, trials: list[Trial]) -> dict[str, int]:
        games.game(self.rules.game)
        return self.in_place(trials, partial(with_cases, self.cases))


class WithTests(Round):
    title = "tests"

    def watch(self, wanted: Lines) -> Baseline:
        return watch_tests(self.rules, wanted)

    def anew(self, trial: Trial) -> int:
        games.game(self.rules.game)
        files = sorted({str(ROOT / name.partition("::")[0]) for name in trial.tests})
        return with_tests(files, lambda items, passes: with_items(items, passes, trial))

    def loaded(self, trials: list[Trial]) -> dict[str, int]:
        games.game(self.rules.game)
        return with_tests(
            self.rules.test_files, lambda items, passes: self.in_place(trials, partial(with_items, items, passes))
        )


def found_in_a_child(work: Callable[[], Any]) -> Any:
    """What some work comes to, done where it cannot load the game here."""
    sys.stdout.flush()
    with tempfile.NamedTemporaryFile() as file:
        if not (child := os.fork()):
            try:
                Path(file.name).write_bytes(pickle.dumps(work()))
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            sys.stdout.flush()
            os._exit(0)
        if os.waitpid(child, 0)[1]:
            raise SystemExit("the tests cannot be run without any mistake; run pytest to see why")
        return pickle.loads(file.read())


def lines_in_question(mutants: list[Mutant]) -> Lines:
    found: dict[str, set[int]] = {}
    for mutant in mutants:
        found.setdefault(str(mutant.file), set()).add(mutant.lines.start)
    return found


def try_all(rules: RuleSet, mutants: list[Mutant], jobs: int, *, others: bool) -> dict[str, int]:
    """What became of each mutant: the others are asked only where no case of the rule notices it."""
    rounds: list[Round] = [WithCases(rules, jobs, rules.cases, "cases"), WithTests(rules, jobs)]
    if others and rules.other_cases:
        rounds.append(WithCases(rules, jobs, rules.other_cases, "cases of other rules"))
    found = {mutant.name: SURVIVED for mutant in mutants}
    for each in rounds:
        if left := [mutant for mutant in mutants if found[mutant.name] == SURVIVED]:
            found |= each.play(left)
    return found


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rule", choices=sorted(RULES), default="52", help="the rule to measure (52)")
    parser.add_argument("--sample", type=int, default=260, help="mutants of the code (260)")
    parser.add_argument("--seed", default="52")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--data", choices=("yes", "no"), default="yes", help="mutants of the profile (yes)")
    parser.add_argument("--others", choices=("yes", "no"), default="yes", help="cases of the other rules (yes)")
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
    of_code = code.with_clauses(of_code, rules.modules)
    excused = equivalent()
    found = try_all(
        rules,
        [each for each in (*of_data, *of_code) if each.name not in excused],
        asked.jobs,
        others=asked.others == "yes",
    )
    for title, mutants in (("data", of_data), ("code", of_code)):
        outcomes = {mutant.name: found[mutant.name] for mutant in mutants if mutant.name in found}
        for name, outcome in outcomes.items():
            if outcome == SURVIVED:
                print(f"survived: {name}", flush=True)
        killed = sum(outcome != SURVIVED for outcome in outcomes.values())
        line = {
            "run": "mutation",
            "rule": asked.rule,
            "of": title,
            "mutants": len(mutants),
            "equivalent": len(mutants) - len(outcomes),
            "killed": killed,
            "out_of_time": sum(outcome in OUT_OF_TIME for outcome in outcomes.values()),
            "score": round(100 * killed / len(outcomes), 1) if outcomes else None,
            "seed": asked.seed,
        }
        print(json.dumps(line), flush=True)


def _is_named(mutant: Mutant, named: list[str]) -> bool:
    return any(words in mutant.name for words in named)


if __name__ == "__main__":
    main()
