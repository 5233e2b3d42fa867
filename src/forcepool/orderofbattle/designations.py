"""The names of units behind their size: 24, 76; 60L 61L; 11 L; 24-26; 1 Gds and 2 Gds."""

import re

from forcepool.orderofbattle.strengths import BadUnit

_AND = re.compile(r",|\s*;\s*|\s+(?:and|und|&|\+)\s+|(?<=[0-9])\s*\+\s*(?=[0-9])")
_NUMBER = re.compile(r"[0-9]{1,4}[A-Za-z]{0,2}")
_RANGE = re.compile(r"(?P<first>[0-9]{1,4})\s*(?:[-‐‑‒–—−]|\bto\b|\bbis\b)\s*(?P<last>[0-9]{1,4})")
_STROKES = re.compile(r"[0-9]{1,4}[A-Z]?(?:/[0-9]{1,4}[A-Z]?)+")
_SIGNS = re.compile(r"(?:#|(?:no|nos|nr|nrn)\.?\s*(?=[0-9]))\s*", re.IGNORECASE)
_ORDINAL = re.compile(r"(?<!\S)(?P<number>[0-9]{1,4})(?:st|nd|rd|th|\.)(?!\S)")
# Not I, V and X: those are numbers of their own.
_LETTER = re.compile(r"(?<![^\s,])([0-9]{1,4})\s+(?![IVX])([A-Z])(?![^\s,])")


def read_designations(text: str, at: int, count: int | None, warnings: list[str]) -> tuple[str, ...]:
    """The designations from a position on; `count` is how many units there are, where it is said."""
    for column, character in enumerate(text[at:], start=at + 1):
        if not character.isprintable() and not character.isspace():
            raise BadUnit(f"expected a designation such as 24, found the character {character!r}", column)
    rest = text[at:].strip().removeprefix(",")
    if not rest.strip():
        return ()
    listed = [" ".join(part.split()) for part in _AND.split(rest)]
    if "" in listed:
        warnings.append("left out an empty designation beside a comma")
    named = [_LETTER.sub(r"\1\2", without_ordinal(_SIGNS.sub("", part, count=1))) for part in listed if part]
    designations = _counted(named, count)
    if len(designations) != count and len(parted := _at_strokes(named)) == count:
        warnings.append(f"read {', '.join(named)!r} as {count} units")
        designations = parted
    for name in sorted({name for name in designations if designations.count(name) > 1}):
        warnings.append(f"the designation {name} is given twice")
    return designations


def _counted(named: list[str], count: int | None) -> tuple[str, ...]:
    """Names parted by blanks only, where they can be nothing else or the count says so."""
    plain = tuple(name for part in named for name in _plain_numbers(part))
    if len(plain) == count:
        return plain
    for way in (_at_numbers, _in_full):
        parted = tuple(name for part in named for name in way(part))
        if count is not None and len(parted) == count:
            return parted
    return plain


def without_ordinal(name: str) -> str:
    """The 24th and the 24. are the 24."""
    return _ORDINAL.sub(r"\g<number>", name)


def star_of_the_names(names: tuple[str, ...], warnings: list[str]) -> tuple[tuple[str, ...], bool]:
    """The footnote star behind the names, which is the unit's; one that only some of them bear stays with these."""
    starred = [name for name in names if name.endswith("*")]
    if not starred:
        return names, False
    if len(starred) < len(names):
        warnings.append(f"only {', '.join(starred)} has the star; give starred units a line of their own")
        return names, False
    return tuple(name.rstrip("* ") for name in names), True


def _at_strokes(named: list[str]) -> tuple[str, ...]:
    """17/18 are two, if two are wanted and no comma parts them."""
    return tuple(name for part in named for name in (part.split("/") if _STROKES.fullmatch(part) else (part,)))


def _plain_numbers(part: str) -> list[str]:
    """60L 61L are two; 1 Gds is one."""
    words = part.split()
    return words if all(_NUMBER.fullmatch(word) for word in words) else [part]


def _at_numbers(part: str) -> list[str]:
    """1 Gds 2 Gds are two, if two are wanted."""
    names: list[str] = []
    for word in part.split():
        if _NUMBER.fullmatch(word) or not names:
            names.append(word)
        else:
            names[-1] = f"{names[-1]} {word}"
    return names


def _in_full(part: str) -> list[str]:
    """24-26 are 24, 25 and 26, if three are wanted."""
    found = _RANGE.fullmatch(part)
    if found is None or int(found["first"]) >= int(found["last"]):
        return _plain_numbers(part)
    return [str(number) for number in range(int(found["first"]), int(found["last"]) + 1)]
