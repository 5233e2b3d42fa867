"""What a study tries out: scenarios, policies, rulings and numbers, each combination with so many seeds."""

import hashlib
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import msgspec
from msgspec import Struct

from forcepool.files import BadFile, Document, shape
from forcepool.scenarios.profiles import PARSERS
from forcepool.views.near import did_you_mean
from forcepool.views.scenarios import scenario_names

FULL, ONE_BY_ONE = "full", "one-by-one"
DESIGNS = (FULL, ONE_BY_ONE)
MOST_RUNS = 1_000_000
QUIET, RANDOM, REBUILD, PLAN = "quiet", "random", "rebuild", "plan"
POLICIES = (QUIET, RANDOM, REBUILD, PLAN)


class Study(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of a study says."""

    scenarios: tuple[str, ...]
    turns: int
    seeds: int
    title: str = ""
    policies: tuple[str, ...] = (RANDOM,)
    """quiet, random, rebuild or plan; or a function of one's own, module:function."""
    losses: dict[str, Fraction] = {}
    """Units eliminated in a month, by side."""
    house_rules: dict[str, tuple[str, ...]] = {}
    """By ruling the options to try; the first is what the others are compared with."""
    numbers: dict[str, tuple[Fraction, ...]] = {}
    """By number of the profile the values to try, likewise."""
    design: str = FULL
    """full: every combination; one-by-one: each alone against the first of all."""


class Run(Struct, frozen=True, order=True):
    """One campaign of a study."""

    scenario: str
    policy: str
    house_rules: tuple[tuple[str, str], ...]
    numbers: tuple[tuple[str, str], ...]
    seed: int
    turns: int
    losses: tuple[tuple[str, str], ...]

    @property
    def chance(self) -> str:
        """What decides how dice and losses fall: combinations are to differ by what is tried out, and not by luck."""
        return f"{self.scenario} {self.seed}"

    @property
    def name(self) -> str:
        """A name that only this run has: whoever does it again finds what was done."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()[:24]


def read_study(document: Document) -> Study:
    """A study as a file has it; every problem with its line."""
    study: Study = shape(document, (), Study, PARSERS)
    problems = []
    known = scenario_names()
    for at, name in enumerate(study.scenarios):
        if name not in known and not name.endswith((".yaml", ".yml")):
            problems.append(
                document.problem(("scenarios", at), f"there is no scenario '{name}'", did_you_mean(name, known))
            )
    for at, name in enumerate(study.policies):
        if name not in POLICIES and ":" not in name:
            hint = f"{did_you_mean(name, POLICIES)}; one of your own is written module:function"
            problems.append(document.problem(("policies", at), f"there is no policy '{name}'", hint))
    if study.design not in DESIGNS:
        problems.append(
            document.problem(("design",), f"there is no design '{study.design}'", f"it is {' or '.join(DESIGNS)}")
        )
    for word in ("turns", "seeds"):
        if getattr(study, word) < 1:
            problems.append(document.problem((word,), f"{word} are at least 1"))
    if not problems and (count := sum(1 for _ in combinations(study)) * study.seeds) > MOST_RUNS:
        problems.append(document.problem((), f"that makes {count:,} campaigns", f"{MOST_RUNS:,} are the most"))
    if problems:
        raise BadFile(problems)
    return study


Setting = tuple[tuple[str, str], ...]
"""Rulings or numbers of one combination, by their names."""


def runs(study: Study) -> Iterator[Run]:
    """Every campaign of a study, in order; the combination that others are compared with comes first."""
    losses = tuple((side, str(rate)) for side, rate in sorted(study.losses.items()))
    for scenario, policy, house_rules, numbers in combinations(study):
        for seed in range(1, study.seeds + 1):
            yield Run(scenario, policy, house_rules, numbers, seed, study.turns, losses)


def combinations(study: Study) -> Iterator[tuple[str, str, Setting, Setting]]:
    """What is tried out, the same for all seeds."""
    rulings = {name: tuple(each) for name, each in sorted(study.house_rules.items())}
    values = {name: tuple(map(str, each)) for name, each in sorted(study.numbers.items())}
    if study.design == FULL:
        settings = product(_crossed(rulings), _crossed(values))
        yield from ((*each, *setting) for setting in settings for each in product(study.scenarios, study.policies))
        return
    first = (study.scenarios[0], study.policies[0], _first(rulings), _first(values))
    found = dict.fromkeys((first,))
    found |= dict.fromkeys((each, *first[1:]) for each in study.scenarios)
    found |= dict.fromkeys((first[0], each, *first[2:]) for each in study.policies)
    found |= dict.fromkeys(
        (*first[:2], _with(first[2], name, each), first[3]) for name in rulings for each in rulings[name]
    )
    found |= dict.fromkeys((*first[:3], _with(first[3], name, each)) for name in values for each in values[name])
    yield from found


def _crossed(options: dict[str, tuple[str, ...]]) -> Iterator[Setting]:
    return (tuple(zip(options, each, strict=True)) for each in product(*options.values()))


def _first(options: dict[str, tuple[str, ...]]) -> Setting:
    return tuple((name, each[0]) for name, each in options.items())


def _with(setting: Setting, name: str, option: str) -> Setting:
    return tuple((each, option if each == name else was) for each, was in setting)
