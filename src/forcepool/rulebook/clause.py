"""A clause: one statement of the rules that a campaign can keep or break."""

import re
from typing import Literal, TypeAlias

import msgspec

Kind = Literal[
    "chance",
    "definition",
    "exception",
    "formula",
    "limit",
    "permission",
    "placement",
    "procedure",
    "prohibition",
    "timing",
]
"""What a clause does; "chance" means that a die is rolled."""

ID_SHAPE = re.compile(r"(?:\d+(?:\.(?:\d+|[A-Z]|[a-z]+\d*))*|EF\.[a-z]+)/[1-9]\d*")

# The second game's sections have names instead of numbers; this is the order in which its rules print them.
EF_SECTIONS = ("replacements", "reinforcements", "expansion", "moving", "composite", "strategic")

NaturalKey: TypeAlias = tuple[tuple[tuple[int, int, str], ...], int]


class Example(msgspec.Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """A situation and what the clause makes of it."""

    given: str
    expect: str


class Ruling(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What we play where the printed rule is unclear, and what other groups play."""

    question: str
    default: str
    alternatives: tuple[str, ...]


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One statement of the rules, with its examples and, where the text is unclear, a ruling."""

    id: str
    title: str
    kind: Kind
    who: str
    phase: str
    statement: str
    needs: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    ruling: Ruling | None = None

    @property
    def heading(self) -> str:
        """The heading of the rules the clause stands under: 52.A.9.d for 52.A.9.d/2."""
        return heading_of(self.id)


def heading_of(clause_id: str) -> str:
    """The part of an id before the stroke."""
    return clause_id.partition("/")[0]


def prefixes(heading: str) -> tuple[str, ...]:
    """A heading and all headings above it, the widest first: 52, 52.A, 52.A.9, 52.A.9.d."""
    parts = heading.split(".")
    return tuple(".".join(parts[: depth + 1]) for depth in range(len(parts)))


def natural_key(clause_or_heading: str) -> NaturalKey:
    """Sorts ids as the rules print them: /2 before /10, 52.A.9 before 52.A.10, iv before ix."""
    heading, _, number = clause_or_heading.partition("/")
    parts = heading.split(".")
    return tuple(_part_key(part, depth) for depth, part in enumerate(parts)), int(number) if number.isdigit() else 0


def _part_key(part: str, depth: int) -> tuple[int, int, str]:
    if part.isdigit():
        return (1, int(part), "")
    # The fourth label of a heading is a letter, so that 49.A.2.i follows 49.A.2.h; below it i, ii, iii are numerals.
    if depth > 3 and part and set(part) <= set("ivx"):
        return (1, _roman(part), "")
    if len(part) == 1:
        return (1, ord(part), "")
    # An unnamed list or table belongs to the text of its heading, so it comes before the lettered paragraphs.
    if part.startswith(("list", "table")):
        return (0, 0, part)
    if part in EF_SECTIONS:
        return (2, EF_SECTIONS.index(part), part)
    return (2, len(EF_SECTIONS), part)


def _roman(numeral: str) -> int:
    values = [{"i": 1, "v": 5, "x": 10}[letter] for letter in numeral]
    following = [*values[1:], 0]
    return sum(-value if value < after else value for value, after in zip(values, following, strict=True))
