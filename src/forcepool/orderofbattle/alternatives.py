"""Units that a line gives the choice of: an entry speaks of all the units it lists, so these are refused."""

import re

from forcepool.orderofbattle.grammar import CHOICE, KEEP_ONE, BadLine

_OR = re.compile(r"(?<!\S)(?:and/)?or(?!\S)|(?<!\S)oder(?!\S)")
_IN_BRACKETS = re.compile(r"\s*or\s+(?:(?:any|up to)\s+)?(?:[0-9]{1,3}\s*[xX×]|\*?[0-9½]+-[0-9])")
_STRENGTH = re.compile(r"(?<![^\s/])[0-9½¼¾⅓⅔]{1,3}-[0-9]{1,2}(?:-[0-9]{1,2})?(?!\S)")


def between_units(text: str, column: int) -> None:
    """Refuse 1x 4-6 Inf XX or 1x 5-6 Inf XX, which is no single unit; `column` is where the text begins."""
    if found := _OR.search(text):
        raise BadLine(column + found.start(), f"{CHOICE}, found {found.group()!r}", KEEP_ONE)


def in_a_remark(text: str, column: int) -> None:
    """Refuse (or 1x 5-6 Inf XX) behind a unit."""
    if _IN_BRACKETS.match(text):
        raise BadLine(column, f"{CHOICE}, found {text.split()[0]!r}", KEEP_ONE)


def second_strength(type_: str, column: int) -> None:
    """Refuse a type with a strength in it, as in 7-6 Inf XX/8-6 Inf XX: there a second unit begins."""
    if found := _STRENGTH.search(type_):
        message = f"a second unit begins with {found.group()!r}; expected , or and between two units"
        raise BadLine(column, message, "part them by a comma, or give each a line of its own")
