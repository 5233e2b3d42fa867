"""What a study found: how each combination differs from the first, seed by seed, and how sure that is."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from msgspec import Struct

from forcepool.study.conduct import Played
from forcepool.study.design import Run
from forcepool.study.play import MEASURES

STANDS = ("strength", "full", "reduced", "off_map", "held")
"""Measures that are read as the last turn ends; the others are added up over all turns."""
IN_WORDS = {
    "strength": "strength on the map at the end",
    "full": "units at full strength at the end",
    "reduced": "reduced units on the map at the end",
    "off_map": "units off the map at the end",
    "held": "points in hand at the end",
    "received": "points received",
    "spent": "points spent",
    "gone": "points gone unspent",
    "lost": "units lost",
}
SURE = 0.95
NEVER = float("inf")
FEW_DEGREES = {1: 12.7062, 2: 4.3027, 3: 3.1824, 4: 2.7764}
"""Student's t for that where a sample is as small as can be."""


class Effect(Struct, frozen=True):
    """What one combination does to one measure of one side."""

    what: str
    """How the combination differs from the one it is compared with."""
    side: str
    measure: str
    seeds: int
    base: Fraction
    """The mean without it, exact."""
    differs: Fraction
    """By how much the mean differs with it, exact."""
    give_or_take: float
    """Half of the interval in which the true difference lies nineteen times in twenty."""

    @property
    def counts(self) -> bool:
        """Whether the difference is more than chance would make it."""
        return abs(float(self.differs)) > self.give_or_take


def effects(played: Iterable[Played]) -> Iterator[Effect]:
    """Every combination against the first, by side and measure."""
    groups: dict[tuple[object, ...], dict[int, Played]] = {}
    for each in played:
        groups.setdefault(combination(each.run), {})[each.run.seed] = each
    if not groups:
        return
    first, *others = groups.values()
    for tried in others:
        seeds = sorted(first.keys() & tried.keys())
        what = _difference(next(iter(first.values())).run, next(iter(tried.values())).run)
        for side, measure in _measures(first.values()) if seeds else ():
            pairs = [(_value(first[each], side, measure), _value(tried[each], side, measure)) for each in seeds]
            yield _effect(what, side, measure, pairs)


def combination(run: Run) -> tuple[object, ...]:
    """What a run tries out, whatever its seed."""
    return run.scenario, run.policy, run.house_rules, run.numbers


def _difference(base: Run, run: Run) -> str:
    named = [(each, getattr(run, each)) for each in ("scenario", "policy") if getattr(run, each) != getattr(base, each)]
    for setting in ("house_rules", "numbers"):
        was = dict(getattr(base, setting))
        named += [(name, each) for name, each in getattr(run, setting) if was.get(name) != each]
    return ", ".join(f"{name} {value}" for name, value in named)


def _measures(played: Iterable[Played]) -> list[tuple[str, str]]:
    rows = [row for one in played for row in one.rows]
    sides = dict.fromkeys(side for row in rows for side in row.sides)
    read = {(side, each) for row in rows for side, measures in row.sides.items() for each in measures}
    return [(side, each) for side in sides for each in MEASURES if (side, each) in read]


def _value(played: Played, side: str, measure: str) -> Fraction:
    read = [row.sides.get(side, {}).get(measure, Fraction(0)) for row in played.rows]
    if not read:
        return Fraction(0)
    return read[-1] if measure in STANDS else sum(read, Fraction(0))


def _effect(what: str, side: str, measure: str, pairs: list[tuple[Fraction, Fraction]]) -> Effect:
    count = len(pairs)
    differ = [after - before for before, after in pairs]
    mean = sum(differ, Fraction(0)) / count
    base = sum((before for before, _ in pairs), Fraction(0)) / count
    if count == 1:
        return Effect(what, side, measure, count, base, mean, NEVER)
    spread = sum(((each - mean) ** 2 for each in differ), Fraction(0)) / (count - 1)
    return Effect(what, side, measure, count, base, mean, students_t(SURE, count - 1) * sqrt(spread / count))


def students_t(sure: float, freedom: int) -> float:
    """How many standard errors to allow for, by the series of Cornish and Fisher; for the fewest degrees it fails."""
    if freedom < 5:
        return FEW_DEGREES[freedom]
    z = NormalDist().inv_cdf((1 + sure) / 2)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum((term / float(freedom) ** power for power, term in enumerate(terms)), 0.0)
