"""Points: exact amounts, read as players write them, shown as 3½ and stored as 7/2."""

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from forcepool.engine.sentence import Told

VULGAR: dict[str, Fraction] = {
    "½": Fraction(1, 2),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "¼": Fraction(1, 4),
    "¾": Fraction(3, 4),
    "⅕": Fraction(1, 5),
    "⅖": Fraction(2, 5),
    "⅗": Fraction(3, 5),
    "⅘": Fraction(4, 5),
    "⅙": Fraction(1, 6),
    "⅚": Fraction(5, 6),
    "⅛": Fraction(1, 8),
    "⅜": Fraction(3, 8),
    "⅝": Fraction(5, 8),
    "⅞": Fraction(7, 8),
}
"""The fractions that have a sign of their own."""

MINUS = "−"
"""The minus sign that is shown; a typed hyphen is read as well."""

_SIGN_OF = {amount: mark for mark, amount in VULGAR.items()}
_MARKS = "".join(VULGAR)
# Longer texts are never points, and int() itself refuses some thousands of digits with a message of its own.
_LONGEST = 400

_FORM = re.compile(
    rf"""(?P<sign>[+{MINUS}-]?)
    (?: (?P<number>[0-9]+(?:\.[0-9]+)?)
      | (?P<before_mark>[0-9]+)?[ ]*(?P<mark>[{_MARKS}])
      | (?:(?P<before_part>[0-9]+)[ ]+)?(?P<over>[0-9]+)[/⁄](?P<under>[0-9]+)
    )""",
    re.VERBOSE,
)


class BadPoints(Told):
    """A text that is not an amount of points."""


def parse_points(text: str) -> Fraction:
    """Read an amount such as 3, 7/2, 3 1/2, 3½, −½ or 2.5, exactly."""
    bare = text.strip()
    form = _FORM.fullmatch(bare) if len(bare) <= _LONGEST else None
    if form is None:
        raise BadPoints(f"{_quoted(text)} is not an amount of points; write it as 3, 7/2, 3 1/2, 3½ or 2.5")
    amount = _amount(form, text)
    return amount if form["sign"] in ("", "+") else -amount


def _amount(form: re.Match[str], text: str) -> Fraction:
    if form["number"]:
        # Fraction reads the digits of a decimal text themselves, so 2.7 is 27/10 and nothing near it.
        return Fraction(form["number"])
    if form["mark"]:
        return int(form["before_mark"] or 0) + VULGAR[form["mark"]]
    over, under = int(form["over"]), int(form["under"])
    if under == 0:
        raise BadPoints(f"{_quoted(text)} divides by zero; write a fraction such as 1/2")
    if form["before_part"] is None:
        return Fraction(over, under)
    if over >= under:
        raise BadPoints(
            f"{_quoted(text)} has a fraction of one or more behind a whole number; write it as 3 1/2 or 7/2"
        )
    return int(form["before_part"]) + Fraction(over, under)


def _quoted(text: str) -> str:
    return repr(text) if len(text) <= 40 else repr(text[:39] + "…")


def show_points(amount: Fraction | int) -> str:
    """Show an amount as players write it: 3½, ¼, 2 7/10, −½."""
    return _shown(amount.numerator, amount.denominator)


@lru_cache(maxsize=1 << 14)
def _shown(above: int, below: int) -> str:
    amount = Fraction(above, below)
    whole, rest = divmod(abs(amount), 1)
    minus = MINUS if amount < 0 else ""
    if rest == 0:
        return f"{minus}{whole}"
    if rest in _SIGN_OF:
        return f"{minus}{whole or ''}{_SIGN_OF[rest]}"
    return f"{minus}{whole} {rest}" if whole else f"{minus}{rest}"


def show_counted(amount: Fraction | int, noun: str) -> str:
    """'1 RE', '3½ REs'."""
    return f"{show_points(amount)} {noun}{'' if amount == 1 else 's'}"


def store_points(amount: Fraction | int) -> str:
    """Write an amount as the journal holds it: 7/2, 3, -1/2."""
    return str(amount)


def show_amounts(amounts: Mapping[str, Fraction]) -> str:
    """Show amounts by kind in the order given, such as 3½ inf, 1 arm."""
    return ", ".join(f"{show_points(amount)} {kind}" for kind, amount in amounts.items() if amount) or "nothing"


def enc_hook(value: Any) -> Any:
    """Let msgspec write an exact amount as the journal holds it."""
    if isinstance(value, Fraction):
        return store_points(value)
    raise NotImplementedError(f"{type(value).__name__} has no stored form")


def dec_hook(wanted: type, value: Any) -> Any:
    """Let msgspec read an exact amount back from the journal, never from a float."""
    if wanted is not Fraction:
        raise NotImplementedError(f"{wanted.__name__} has no stored form")
    if isinstance(value, str):
        return parse_points(value)
    if type(value) is int:
        return Fraction(value)
    raise BadPoints(f"{value!r} is not an exact amount; store it as text such as '7/2'")
