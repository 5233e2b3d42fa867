"""What a study has found so far: what was tried, on what, and what it came to."""

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

from msgspec import Struct

from forcepool.study.conduct import Played, read_kept, read_played
from forcepool.study.design import Run, Study, runs
from forcepool.study.effects import SURE, Effect, combination, effects
from forcepool.study.play import MEASURES, Asked, asked


class Course(Struct, frozen=True):
    """How a measure goes on the average over the turns, in the combination that others are compared with."""

    side: str
    measure: str
    turns: tuple[str, ...]
    means: tuple[Fraction, ...]


class Findings(Struct, frozen=True):
    """A study's report."""

    study: Study
    version: str
    played: int
    of: int
    rulings: tuple[Asked, ...]
    effects: tuple[Effect, ...]
    courses: tuple[Course, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(each.side for each in self.effects))

    @property
    def by_chance(self) -> int:
        """Of so many comparisons that many would stand out though nothing was behind any of them."""
        return round((1 - SURE) * len(self.effects))

    @property
    def without_effect(self) -> tuple[str, ...]:
        """Combinations that changed nothing at all."""
        names = dict.fromkeys(each.what for each in self.effects)
        return tuple(name for name in names if not any(each.differs for each in self.effects if each.what == name))


def findings(folder: Path) -> Findings:
    """What the campaigns that were played come to."""
    kept = read_kept(folder)
    wanted = list(runs(kept.study))
    played = list(read_played(folder, wanted))
    first = _first_of_all(played)
    return Findings(
        kept.study,
        kept.version,
        len(played),
        len(wanted),
        asked(wanted[0].scenario, tuple(kept.study.house_rules.items())),
        tuple(effects(played)),
        tuple(_courses(first)),
    )


def _first_of_all(played: list[Played]) -> list[Played]:
    base: Run | None = played[0].run if played else None
    return [each for each in played if base is not None and combination(each.run) == combination(base)]


def _courses(played: list[Played]) -> Iterable[Course]:
    """Of campaigns of one combination; turns that not all of them reached are left out."""
    if not played:
        return
    length = min(len(each.rows) for each in played)
    turns = tuple(row.turn for row in played[0].rows[:length])
    for side, measures in (played[0].rows[0].sides if length else {}).items():
        for measure in (each for each in MEASURES if each in measures):
            means = tuple(
                sum((each.rows[at].sides[side][measure] for each in played), Fraction(0)) / len(played)
                for at in range(length)
            )
            yield Course(side, measure, turns, means)
