"""The names behind the word of a place: in MDs V, VI; what is no name, or one of another kind, is refused."""

import re
from collections.abc import Sequence

from lark import Token

from forcepool.orderofbattle.alternatives import in_a_name
from forcepool.orderofbattle.grammar import BadLine
from forcepool.orderofbattle.pieces import squeezed

_NO_NAME = re.compile(r"in|at|from|to|the|or|and|any|.*\s(?:and|or)")
_OTHER_KIND = re.compile(r"(?:in|at|from|to|any|MDs?|front|theatre|theater|command)\s")
_NO_PLACE = re.compile(r"[0-9]{1,4}|[0-9½¼¾./]+\s*(?:inf|arm|art|SRP|SP|RP)[a-z]*(?:\s+RPs?)?", re.IGNORECASE)
_SOME_HQ = re.compile(r"(?:an?|any)\s(?:.*\s)?HQs?\s*", re.IGNORECASE)


def of_one_kind(names: Sequence[Token]) -> tuple[str, ...]:
    """The names, one or several, each of them one that a place of the same kind could have."""
    first, *others = names
    for each in names:
        if _SOME_HQ.fullmatch(each):
            hint = "write at an army HQ, or name the place: at Minsk, in MD Kiev"
            raise BadLine(each.column or 1, f"{str(each)!r} is not where units can appear", hint)
    for each in names:
        if _NO_NAME.fullmatch(each) or (each is not first and _OTHER_KIND.match(each)):
            hint = "name those of one kind, and the kind once, as in MDs V, VI"
            raise BadLine(each.column or 1, "the line names places of two kinds", hint)
    for each in names:
        in_a_name(each, each, each.column or 1)
    for each in others if not _NO_PLACE.fullmatch(first) else ():
        if _NO_PLACE.fullmatch(each):
            raise BadLine(each.column or 1, f"{str(each)!r} stands behind a place", "give it a line of its own")
    return tuple(squeezed(each) for each in names)
