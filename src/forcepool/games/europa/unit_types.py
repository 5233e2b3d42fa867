"""Which units a line of a chart means: by words of their type, traits, size and nation."""

from functools import cache

from msgspec import Struct

from forcepool.engine.units import UnitSpec
from forcepool.orderofbattle.words import spelt_one_way

HONOURS = ("guards", "gds", "nkvd")
"""Words of a type that name whose unit it is, not what it is."""


def bare_type(spec: UnitSpec) -> str:
    """What a unit is, without its honours: 'Arm' for a Guards armoured division."""
    return " ".join(word for word in spec.type.split() if word.casefold() not in HONOURS)


def is_of_type(types: tuple[str, ...], spec: UnitSpec) -> bool:
    """Whether a unit is of one of the types a line names, its honours apart, short or in full: Panzer is Pz."""
    return spelt_one_way(bare_type(spec)) in spelt(types)


@cache
def spelt(words: tuple[str, ...]) -> frozenset[str]:
    """Words of types, each in the one spelling that all others come down to."""
    return frozenset(map(spelt_one_way, words))


class Described(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, omit_defaults=True):
    """A description of units; every line of a chart that speaks of kinds of unit has one."""

    words: tuple[str, ...] = ()
    """Words or phrases in the type, such as Mtn or Eng Tk; HQ is also found as a size."""
    traits: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    """Words or traits that take a unit out again."""
    sizes: tuple[str, ...] = ()
    nations: tuple[str, ...] = ()


def fits(row: Described, spec: UnitSpec) -> bool:
    """Whether a unit is of the kind described."""
    if row.nations and spec.nation not in row.nations:
        return False
    if row.sizes and spec.size not in row.sizes:
        return False
    if _has(spec, row.unless, row.unless):
        return False
    return not (row.words or row.traits) or _has(spec, row.words, row.traits)


def _has(spec: UnitSpec, words: tuple[str, ...], traits: tuple[str, ...]) -> bool:
    if (spec.traits or spec.force) and any(trait in (*spec.traits, spec.force) for trait in traits):
        return True
    if any(called in words for called in (*spec.traits, spec.force)):
        # 17 GvB (SS) is of the SS as much as an SS Pz division is, and so is a unit said to be Guards.
        return True
    text = f" {spelt_one_way(spec.type)} {spec.size.casefold()} "
    return any(f" {word} " in text for word in spelt(words))
