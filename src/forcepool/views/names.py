"""Names as a player reads them: 'front Centre' for front/centre, 2 before 10 before 101."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from forcepool.engine.naming import of_several_words
from forcepool.engine.points import show_amounts
from forcepool.engine.state import Unit

NUMBERS = re.compile(r"([0-9]+)")
NUMERAL = re.compile("[ivxl]+")
LEVELS = ("national", "theatre", "command", "front", "md")
"""The levels of pools every chart lists first, from the nation down."""
IN_CAPITALS = {"md": "MD", "hq": "HQ"}
NAMED = {"mediterranean": "Mediterranean", "siberia": "Siberian symbols"}
"""Names of no level, as one says them."""
KINDS_IN_CAPITALS = ("arp", "or", "sp")
"""Kinds of point that are called by their first letters."""
BOOKS = {
    "losses/supply-isolated/": "losses while supply isolated of {}",
    "losses/combat-isolated/": "losses while combat isolated of {}",
    "losses/": "losses of {}",
    "received/": "{}, to allot",
    "moved/": "{}, on the way",
    "deficit/": "{}, owed",
}
"""Books the rules keep of a pool."""
IN_ONE_WORD = re.compile(r"\b(MD [A-Z]\w+)-(?=[A-Z])")
"""An MD as an order of battle writes it, without blanks: 'MD Central-Asia' is said as everywhere else."""
ONE_OF_THEM = re.compile(
    r"(?<![\w/−½-])(?<!\d )(1|[1-9]\d*/\d+|[¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])"
    r" ((?:[a-z-]+ ){0,2})(RE|ARP|SRP|RP|MP|HQ|move|volunteer|unit|point)s\b"
)
"""One or less of what may be counted in the plural: '1 mountain REs'."""

POINTS_OF = re.compile(rf"(?<=[0-9¼½¾⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞] )({'|'.join(KINDS_IN_CAPITALS)})(?= of [A-Z])")
"""A kind of point behind its number: '16 or of Germany' is said OR."""


@lru_cache(maxsize=64)
def _pool_in_text(of_several_words: frozenset[str]) -> re.Pattern[str]:
    """A pool in a sentence; of one that has several words in its name all of them, and the longest first."""
    spaced = "".join(f"{re.escape(name)} | " for name in sorted(of_several_words, key=lambda each: (-len(each), each)))
    return re.compile(
        rf"""(?<![\w/="-])
        (?P<book>{"|".join(BOOKS)})?
        (?: national/(?P<nation>[A-Z][\w-]*(?:[ ](?![A-Z][a-z]{{2}}[ ]\d)[A-Z][a-z]+)*)
          | {spaced}(?:theatre|command|front|md|general|reserve|local|city|factory)/[a-z0-9](?:[a-z0-9-]*[a-z0-9])? )
        (?![\w/])""",
        re.VERBOSE,
    )


@lru_cache(maxsize=65536)
def natural(text: str) -> tuple[tuple[int, str], ...]:
    """How names with numbers in them are sorted."""
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in NUMBERS.split(text))


def by_nation_and_number(unit: Unit) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Nation by nation, 2 before 10 before 101."""
    return unit.spec.nation, natural(unit.id)


def pool_in_words(pool: str) -> str:
    """'front Centre' for front/centre, 'MD Wehrkreis VI' for md/wehrkreis-vi, 'Germany, national' for a nation's."""
    for book, words in BOOKS.items():
        if pool.startswith(book):
            return words.format(pool_in_words(pool.removeprefix(book)))
    level, _, rest = pool.partition("/")
    if not rest:
        return IN_CAPITALS.get(level) or NAMED.get(level, level)
    if level in ("source", "sink"):
        return f"{level}: {rest.replace('-', ' ')}"
    if level == "strategic":
        return "strategic movement"
    if level in ("general", "reserve"):
        plain = rest.replace("-", " ")
        return f"general {plain} pool" if level == "general" else f"{NAMED.get(plain, plain)} reserve"
    name = " ".join(_capital(word) for part in rest.split("/") for word in part.replace("-", " ").split())
    return f"{name}, national" if level == "national" else f"{IN_CAPITALS.get(level, level)} {name}"


def kind_in_words(kind: str) -> str:
    """A kind of point as the charts have it: 'ARP', 'inf', 'V-weapons', 'divisional HQ', 'supply rail'."""
    if kind in KINDS_IN_CAPITALS:
        return kind.upper()
    words = kind.split("-")
    if len(words[0]) == 1:
        return f"{words[0].upper()}-{'-'.join(words[1:])}"
    return kind if words[0] == "air" and len(words) > 1 else " ".join("HQ" if each == "hq" else each for each in words)


def amounts_in_words(amounts: Mapping[str, Fraction]) -> str:
    """Amounts by kind as players write them: '3½ inf, 1 ARP', '1 move'."""
    return one_of_them(show_amounts({kind_in_words(kind): amount for kind, amount in amounts.items()}))


def one_of_them(text: str) -> str:
    """One or less of what is counted in the plural, in the singular: '1 move'."""
    return ONE_OF_THEM.sub(r"\1 \2\3", text)


def in_words(text: str) -> str:
    """A sentence as a player says it: 'for front Centre', 'from Germany's national pool', '1 RE'."""
    said = _pool_in_text(of_several_words()).sub(_pool_said, text)
    said = POINTS_OF.sub(lambda found: found[0].upper(), said)
    return IN_ONE_WORD.sub(r"\1 ", one_of_them(said))


def _pool_said(found: re.Match[str]) -> str:
    return pool_after(found.string[: found.start()], found[0])


def pool_after(words: str, pool: str) -> str:
    """A pool in a sentence: 'Germany's national pool', but 'the ELIMINATED BOX of Germany'."""
    book = next((each for each in BOOKS if pool.startswith(each)), "")
    level, _, nation = pool.removeprefix(book).partition("/")
    if level != "national":
        return pool_in_words(pool)
    if words.casefold().endswith((" box of ", " track of ")):
        return nation
    return BOOKS[book].format(f"{nation}'s national pool") if book else f"{nation}'s national pool"


def _capital(word: str) -> str:
    if not word.islower():
        return word
    return word.upper() if NUMERAL.fullmatch(word) or word in IN_CAPITALS else word.capitalize()


def pool_order(pool: str) -> tuple[int, str, tuple[tuple[int, str], ...]]:
    """The nation's pool first, then theatres, fronts and MDs, then the rest by name."""
    level = pool.partition("/")[0]
    return (LEVELS.index(level) if level in LEVELS else len(LEVELS), level, natural(pool))
