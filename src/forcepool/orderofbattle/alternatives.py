"""Two units where a line has room for one: a choice between them, or no comma; both are refused where they stand."""

import re

from forcepool.orderofbattle.grammar import CHOICE, KEEP_ONE, BadLine

_OR = re.compile(r"(?<!\S)(?:and/)?or(?!\S)|(?<!\S)oder(?!\S)")
_IN_BRACKETS = re.compile(r"\s*or\s+(?:(?:any|up to)\s+)?(?:[0-9]{1,3}\s*[xX×]|\*?[0-9½]+-[0-9])")
_STRENGTH = re.compile(r"(?<![^\s/])[0-9½¼¾⅓⅔]{1,3}-[0-9]{1,2}(?:-[0-9]{1,2})?(?!\S)")
_UNIT = re.compile(
    r"(?<![^\s/])(?:[0-9]{1,3}\s?[xX×]\s?(?=\*?[0-9½¼¾⅓⅔])"
    r"|\*?[0-9½¼¾⅓⅔]{1,3}-[0-9]{1,2}(?:-[0-9]{1,2})?\*?\s+[A-Z]\S*(?:\s\S+)?\s(?:X{1,4}|I{1,3})(?!\S))"
)
_TURN = re.compile(
    r"(?<!\S)(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? [1-4IV]{1,3},? (?:19)?[0-9]{2}(?!\S)"
)


def between_units(text: str, column: int) -> None:
    """Refuse 1x 4-6 Inf XX or 1x 5-6 Inf XX, which is no single unit; `column` is where the text begins."""
    if found := _OR.search(text):
        raise BadLine(column + found.start(), f"{CHOICE}, found {found.group()!r}", KEEP_ONE)


def in_a_remark(text: str, column: int) -> None:
    """Refuse (or 1x 5-6 Inf XX) behind a unit."""
    if _IN_BRACKETS.match(text):
        raise BadLine(column, f"{CHOICE}, found {text.split()[0]!r}", KEEP_ONE)


def second_unit(said: str, line: str, column: int) -> None:
    """Refuse a type, a name or a place with a unit in it, as in 7-6 Inf XX/8-6 Inf XX."""
    if found := _UNIT.search(said) or _STRENGTH.search(said):
        at = column + max(line.find(said), 0) + found.start()
        unit = said[found.start() :].split(",")[0]
        message = f"a second unit begins with {unit[:20]!r}; expected a comma, + or and before it"
        raise BadLine(at, message, "part them by a comma, give each a line of its own, or write → for a change")


def in_a_name(said: str, line: str, column: int) -> None:
    """The same for a name, which may have a range of numbers in it, as 24-26, but no turn."""
    if turn := _TURN.search(said):
        at = column + max(line.find(said), 0) + turn.start()
        hint = "put it in a heading above the line, or say what comes of the unit then: full Aug 1 41, return Aug 1 41"
        raise BadLine(at, f"expected the end of the unit, found the turn {turn.group()!r}", hint)
    if _UNIT.search(said):
        second_unit(said, line, column)
