"""Headings that say several things at once, as booklets print them: West, Forming: or Withdraw to East:."""

import re

from forcepool.engine.calendar import Calendar
from forcepool.orderofbattle.grammar import BadLine
from forcepool.orderofbattle.line import Line, Part, read_line
from forcepool.orderofbattle.model import PlaceSpec
from forcepool.orderofbattle.words import SYNONYMS, VERBS

LEVELS = ("turn", "side", "nation", "force", "affiliation", "theatre", "front", "verb", "place", "condition")

_PARTED = re.compile(r"\s*[,:;]\s*|\s+[–—-]\s+")
_TO = re.compile(r"(?P<verb>[A-Za-z ]+?)\s+(?P<word>to|in|at)\s+(?:the\s+)?(?P<where>\S.*)", re.IGNORECASE)
_NAME = re.compile(r"[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2}")


def joint_heading(text: str, calendar: Calendar) -> Line | None:
    """A heading of several parts, one of them a verb; None for what is none."""
    if not text.endswith(":"):
        return None
    parts: list[Part] = []
    warnings: list[tuple[int, str]] = []
    for chunk in filter(None, _PARTED.split(text.rstrip(": "))):
        found = _part(chunk, calendar, warnings)
        if not found:
            return None
        parts += found
    levels = [part.level for part in parts]
    if "verb" not in levels or len(set(levels)) < len(levels):
        return None
    parts.sort(key=lambda part: LEVELS.index(part.level))
    return Line(tuple(Part(part.level, part.value, colon=True) for part in parts), None, tuple(warnings))


def _part(chunk: str, calendar: Calendar, warnings: list[tuple[int, str]]) -> tuple[Part, ...]:
    if verb := SYNONYMS.get(" ".join(chunk.casefold().split())):
        warnings.append((1, f"read {chunk!r} as {verb}"))
        return (Part("verb", verb),)
    if plain := _plain(chunk, calendar):
        return plain
    if found := _TO.fullmatch(chunk):
        return _with_a_place(chunk, found, calendar, warnings)
    if _NAME.fullmatch(chunk):
        warnings.append((1, f"read {chunk!r} as theatre {chunk}"))
        return (Part("theatre", PlaceSpec("theatre", (chunk,))),)
    return ()


def _plain(text: str, calendar: Calendar) -> tuple[Part, ...]:
    """A part that is a heading by itself."""
    try:
        line = read_line(f"{text}:", calendar)
    except BadLine:
        return ()
    return line.parts if line.fields is None else ()


def _with_a_place(
    chunk: str, found: re.Match[str], calendar: Calendar, warnings: list[tuple[int, str]]
) -> tuple[Part, ...]:
    """A verb and where to: who withdraws to another theatre is transferred to it."""
    named = _plain(found["verb"], calendar)
    if len(named) != 1 or named[0].level != "verb" or named[0].value not in VERBS:
        return ()
    verb = named[0].value
    place = _place(found["where"], calendar)
    if found["word"].lower() == "to" and verb in ("withdraw", "transfer") and place is not None:
        verb = "transfer"
    elif found["word"].lower() == "to":
        return ()
    if place is None:
        return ()
    warnings.append(
        (1, f"read {chunk!r} as {verb}, {place.kind.replace('_', ' ')} {' or '.join(place.names)}".rstrip())
    )
    return Part("verb", verb), Part("place", place)


def _place(where: str, calendar: Calendar) -> PlaceSpec | None:
    for part in _plain(where, calendar):
        if isinstance(part.value, PlaceSpec):
            return part.value
    return PlaceSpec("theatre", (where,)) if _NAME.fullmatch(where) else None
