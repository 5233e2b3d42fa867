"""Which of several dead units one would bring back first, so that what is proposed is what a player would think of."""

from collections.abc import Iterable
from fractions import Fraction

from forcepool.engine.state import Unit


def best_first(units: Iterable[Unit]) -> list[Unit]:
    """Units in the order one would bring them back: the strongest, the largest, the fastest, then by their numbers."""
    return sorted(units, key=_wanted)


def _wanted(unit: Unit) -> tuple[Fraction, int, int, int, str]:
    strength, number = unit.spec.full, unit.id.partition(" ")[0]
    speed = strength.movement if isinstance(strength.movement, int) else 0
    return (
        -strength.points,
        -unit.spec.size.count("X"),
        -speed,
        int(number) if number.isdecimal() else 0,
        unit.id,
    )
