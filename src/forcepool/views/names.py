"""Names as a player reads them: 'front Centre' for front/centre, 2 before 10 before 101."""

import re

from forcepool.engine.state import Unit

NUMBERS = re.compile(r"([0-9]+)")
NUMERAL = re.compile("[ivxl]+")
LEVELS = ("national", "theatre", "command", "front", "md")
"""The levels of pools every chart lists first, from the nation down."""
IN_CAPITALS = {"md": "MD", "hq": "HQ"}


def natural(text: str) -> tuple[tuple[int, str], ...]:
    """How names with numbers in them are sorted."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in NUMBERS.split(text))


def by_nation_and_number(unit: Unit) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Nation by nation, 2 before 10 before 101."""
    return unit.spec.nation, natural(unit.id)


def pool_in_words(pool: str) -> str:
    """'front Centre' for front/centre, 'MD Wehrkreis VI' for md/wehrkreis-vi, 'Germany, national' for a nation's."""
    level, _, rest = pool.partition("/")
    level = IN_CAPITALS.get(level, level)
    if not rest:
        return level
    name = " ".join(_capital(word) for part in rest.split("/") for word in part.replace("-", " ").split())
    return f"{name}, national" if level == "national" else f"{level} {name}"


def _capital(word: str) -> str:
    if not word.islower():
        return word
    return word.upper() if NUMERAL.fullmatch(word) or word in IN_CAPITALS else word.capitalize()


def pool_order(pool: str) -> tuple[int, str, tuple[tuple[int, str], ...]]:
    """The nation's pool first, then theatres, fronts and MDs, then the rest by name."""
    level = pool.partition("/")[0]
    return (LEVELS.index(level) if level in LEVELS else len(LEVELS), level, natural(pool))
