"""Strengths as counters print them: 8-6, 5-7-6, ½-6, 0-1-R, with the slips of scanners mended."""

import re

from forcepool.engine.points import VULGAR, BadPoints, parse_points, show_points
from forcepool.engine.units import Strength

SCANNED_DIGITS = {"l": "1", "I": "1", "|": "1", "O": "0", "o": "0"}
"""Letters that scanners put for digits."""

DASHES = "‐‑‒–—−"
"""Characters that scanners and word processors put for a hyphen."""

TO_DIGITS = str.maketrans(SCANNED_DIGITS)
# One character for one, so that a column here is a column of the text as written.
_TO_PLAIN = str.maketrans({**dict.fromkeys(DASHES, "-"), "×": "x"})

DIGIT = "[0-9" + "".join(map(re.escape, SCANNED_DIGITS)) + "]"
_MARK = f"[{''.join(VULGAR)}]"
NUMBER = (
    rf"(?:(?:{DIGIT}{{1,3}}\ +)?{DIGIT}{{1,3}}/{DIGIT}{{1,3}}|{DIGIT}{{1,3}}\.[0-9]{{1,3}}"
    rf"|{DIGIT}{{0,3}}\ *{_MARK}|{DIGIT}{{1,3}})"
)
_HYPHEN = r"\s*-\s*"
# A movement may run into the type, as in 8-6Inf: then only true digits belong to it.
_MOVEMENT = rf"(?:{DIGIT}{{1,3}}(?![^\W_]|[/{_MARK[1:]})|[0-9]{{1,3}}(?![0-9/{_MARK[1:]})|[A-Za-z](?![^\W_]))"
_STRENGTH = re.compile(rf"(?P<attack>{NUMBER}){_HYPHEN}(?:(?P<defence>{NUMBER}){_HYPHEN})?(?P<movement>{_MOVEMENT})")
_FIRST_NUMBER = re.compile(NUMBER)
# 8-6/3-6 is a unit and its cadre; an improper fraction such as 6/3 is printed by nobody.
_BESIDE = re.compile(r"(?P<before>[0-9]{1,3}(?:-[0-9]{1,3})?-)(?P<movement>[0-9]{1,2})/(?P<cadre>[0-9]{1,2})(?=-)")

_STROKE = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")


class BadUnit(ValueError):
    """A text that is not a unit; `column` counts from 1."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.column = column


def made_plain(text: str) -> str:
    """The text with every dash a hyphen and every × an x, column by column."""
    return text.translate(_TO_PLAIN)


def read_strength(text: str, plain: str, at: int, warnings: list[str]) -> tuple[Strength, int]:
    """A strength at or after a position, and where the text goes on."""
    at = skip_space(plain, at)
    beside = _BESIDE.match(plain, at)
    if beside and int(beside["movement"]) >= int(beside["cadre"]):
        # Told to end at the stroke, it reads 8-6 of 8-6/3-6.
        plain = plain[: beside.end("movement")]
    found = _STRENGTH.match(plain, at)
    if found is None:
        raise BadUnit(_what_a_strength_lacks(text, plain, at), at + 1)
    written = text[at : found.end()]
    mended = re.sub(_HYPHEN, "-", found.group().translate(TO_DIGITS))
    if mended != written:
        warnings.append(f"read {written!r} as {mended}")
    attack = found["attack"].translate(TO_DIGITS)
    defence = (found["defence"] or attack).translate(TO_DIGITS)
    if (parts := _STROKE.fullmatch(attack)) and not found["defence"] and parts[1] != "1" and parts[2] != "2":
        split = f"{parts[1]}-{parts[2]}-{found['movement']}"
        warnings.append(f"read {attack} in {written!r} as a fraction; attack and defence are written {split}")
    movement = found["movement"].translate(TO_DIGITS).upper()
    try:
        strength = Strength(
            parse_points(attack), parse_points(defence), int(movement) if movement.isdecimal() else movement
        )
    except BadPoints as problem:
        raise BadUnit(f"expected a strength such as 8-6 or 5-7-6: {problem}", at + 1) from None
    return strength, found.end()


def shown(strength: Strength) -> str:
    """A strength as it reads back: a fraction no counter shows is written twice, lest it be taken for a split."""
    if strength.split or "/" not in show_points(strength.attack):
        return str(strength)
    return f"{show_points(strength.attack)}-{strength}"


def stands_at(plain: str, at: int) -> bool:
    """Whether a strength stands right there."""
    return _STRENGTH.match(plain, at) is not None


def _what_a_strength_lacks(text: str, plain: str, at: int) -> str:
    number = _FIRST_NUMBER.match(plain, at)
    if number and re.match(_HYPHEN, plain[number.end() :]):
        return f"expected a movement after {word_at(text, at)!r}, as in 8-6, 5-7-6 or 0-1-R"
    if number and plain[at].isdecimal():
        return f"expected a hyphen and a movement after {number.group()!r}, as in 8-6, or x after a count, as in 2x"
    found = f", found {word_at(text, at)!r}" if at < len(text) else ""
    return f"expected a strength such as 8-6 or 5-7-6{found}"


def skip_space(plain: str, at: int) -> int:
    """The next position that is no blank."""
    while at < len(plain) and plain[at].isspace():
        at += 1
    return at


def word_at(text: str, at: int) -> str:
    """The word that begins there, as far as a message needs it."""
    word = text[at:].split(maxsplit=1)
    return word[0][:20] if word else ""
