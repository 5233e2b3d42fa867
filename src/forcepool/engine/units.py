"""Units as printed on their counters: strengths, steps, type and size."""

from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import force_setattr

from forcepool.engine.points import BadPoints, parse_points, show_points
from forcepool.engine.sentence import Told

if TYPE_CHECKING:
    type_of_strength = int | Fraction
else:
    # msgspec cannot decode a union that holds Fraction. Stored strengths are whole numbers or texts such as "7/2",
    # so that is what it is told to expect, and Strength turns the texts into Fractions itself.
    type_of_strength = int | str

FULL: Final = "full"
CADRE: Final = "cadre"
REMNANT: Final = "remnant"
STEPS: Final = (FULL, CADRE, REMNANT)
"""The steps a unit may have, strongest first."""


class NoSuchStep(Told):
    """A step that the unit's counter does not show."""


class Strength(msgspec.Struct, frozen=True, gc=False):
    """One side of a counter: attack, defence and movement, such as 8-6 or 5-7-6.

    Whole strengths are held as int and others as Fraction; take `points` for arithmetic that divides.
    """

    attack: type_of_strength
    defence: type_of_strength
    movement: int | str

    def __post_init__(self) -> None:
        if type(self.attack) is not int:
            force_setattr(self, "attack", _exact(self.attack))
        if type(self.defence) is not int:
            force_setattr(self, "defence", _exact(self.defence))

    @property
    def split(self) -> bool:
        """Whether attack and defence differ."""
        return self.attack != self.defence

    @property
    def points(self) -> Fraction:
        """The strength points the rules price by: the strength, or the average of attack and defence."""
        return _average(self.attack, self.defence)

    def __str__(self) -> str:
        if self.split:
            return f"{show_points(self.attack)}-{show_points(self.defence)}-{self.movement}"
        return f"{show_points(self.attack)}-{self.movement}"


def _exact(value: Any) -> int | Fraction:
    """One form for each strength: 8 as int whether it came as 8, 16/2 or "8"."""
    if isinstance(value, str):
        value = parse_points(value)
    if not isinstance(value, Fraction):
        raise BadPoints(f"{value!r} is not an exact strength; give a whole number or a fraction such as 7/2")
    return value.numerator if value.denominator == 1 else value


@lru_cache(maxsize=1 << 12)
def _average(attack: int | Fraction, defence: int | Fraction) -> Fraction:
    # Equal strengths average to themselves, so one sum serves both.
    return Fraction(attack + defence) / 2


class UnitSpec(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, cache_hash=True):
    """What a counter says of a unit, on all its sides."""

    full: Strength
    type: str
    size: str
    cadre: Strength | None = None
    remnant: Strength | None = None
    unsupported: Strength | None = None
    starred: bool = False
    traits: tuple[str, ...] = ()
    nation: str = ""
    force: str = ""
    affiliation: str = ""
    designation: str = ""
    re: Fraction | None = None
    """Its size in REs, where it differs from that of its kind; and its cadre's."""
    cadre_re: Fraction | None = None

    def __post_init__(self) -> None:
        if self.traits:
            force_setattr(self, "traits", tuple(sorted(set(self.traits))))

    @property
    def steps(self) -> tuple[str, ...]:
        """The steps its counter shows, strongest first."""
        return tuple(step for step in STEPS if self.has(step))

    def has(self, step: str) -> bool:
        """Whether its counter shows this step."""
        return self._side(step) is not None

    def strength(self, step: str) -> Strength:
        """Its strength at a step."""
        side = self._side(step)
        if side is None:
            name = " ".join(word for word in (self.designation, self.type, self.size) if word)
            raise NoSuchStep(f"{name} has no {step} strength; it has {' and '.join(self.steps)}")
        return side

    def _side(self, step: str) -> Strength | None:
        if step == FULL:
            return self.full
        if step == CADRE:
            return self.cadre
        return self.remnant if step == REMNANT else None
