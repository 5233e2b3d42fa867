"""The names of units behind their size: 24, 76; 60L 61L; 11 L; 24-26; 1 Gds and 2 Gds."""

import re

from forcepool.orderofbattle.strengths import BadUnit

_AND = re.compile(r",|\s+(?:and|und|&)\s+")
_NUMBER = re.compile(r"[0-9]{1,4}[A-Za-z]{0,2}")
_RANGE = re.compile(r"(?P<first>[0-9]{1,4})\s*[-‐‑‒–—−]\s*(?P<last>[0-9]{1,4})")
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
    named = [_LETTER.sub(r"\1\2", part) for part in listed if part]
    designations = _counted(named, count)
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
