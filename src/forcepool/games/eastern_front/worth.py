"""Which of several dead units one would bring back first, so that what is proposed is what a player would think of."""

import re
from collections.abc import Iterable
from fractions import Fraction

from forcepool.engine.ledger import NOTHING
from forcepool.engine.state import Unit
from forcepool.engine.units import UnitSpec
from forcepool.games.eastern_front.world import FACTORY, EasternWorld


def symbol_of(world: EasternWorld, unit: Unit) -> str:
    """The replacement symbol that stands for a unit; composite units have none."""
    kind = world.kind_of(unit.spec)
    return kind.symbol if kind else ""


def best_first(units: Iterable[Unit]) -> list[Unit]:
    """Units in the order one would bring them back: the strongest, the largest, the fastest, then by their numbers."""
    return sorted(units, key=_wanted)


def strength_of(world: EasternWorld, spec: UnitSpec, step: str) -> Fraction:
    """What a unit counts while it is on the map: its strength; a factory is no troops."""
    return NOTHING if spec.size == FACTORY else spec.strength(step).points


def number_of(unit: Unit) -> str:
    """The number of an army: 1 of '1 Tk Army', '1st Tank Army' and 'Tank Army 1'; else the first word of its name."""
    name = unit.spec.designation or unit.id
    # A name that nobody knows objects to being taken apart; a pattern would not ask it.
    first, _, _ = name.partition(" ")
    found = re.search(r"[0-9]+", name)
    return found[0].lstrip("0") if found else first


def _wanted(unit: Unit) -> tuple[Fraction, int, int, int, str]:
    strength, number = unit.spec.full, number_of(unit)
    speed = strength.movement if isinstance(strength.movement, int) else 0
    return (
        -strength.points,
        -unit.spec.size.count("X"),
        -speed,
        int(number) if number.isdecimal() else 0,
        unit.id,
    )
