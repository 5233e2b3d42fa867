"""Conditions of the order of battle that are about who holds a place, and so need nobody's word for it."""

import re
from functools import cache

from msgspec import Struct

FALLS, HELD, LOST, RETAKEN = "falls", "held", "lost", "retaken"
"""A place goes from its holder to his enemy; a side has it; a side's enemy has it; a side has it again."""
EVENTS = (FALLS, RETAKEN)
"""What happens, and has then happened for good; the others are so or not at any moment."""


class AboutPlaces(Struct, frozen=True):
    """What a condition asks of places: which, all of them or one, what of them, and by whom."""

    what: str
    places: tuple[str, ...]
    all_of_them: bool = True
    by: str = ""
    """A side or nation; nothing where the entry's own side is meant."""


_CAPTURED = r"captured|taken|conquered|occupied|seized"
_AGAIN = r"retaken|recaptured|regained|liberated|reconquered"
_BE = r"(?:(?:is|are|was|were|has been|have been|gets?)\s+(?:first\s+)?)?"
_WHO = r"(?:\s+(?:to|by)\s+(?:the\s+)?(?P<by>[\w ’'-]+))?"
_FORMS = (
    (FALLS, rf"(?P<places>.+?)\s+(?:falls?|fell|(?:has|have|is|are)\s+fallen){_WHO}"),
    (RETAKEN, rf"(?P<places>.+?)\s+{_BE}(?:{_AGAIN}){_WHO}"),
    (FALLS, rf"(?P<places>.+?)\s+{_BE}(?:{_CAPTURED}){_WHO}"),
    (LOST, rf"(?P<places>.+?)\s+{_BE}lost{_WHO}"),
    (HELD, r"(?P<places>.+?)\s+(?:is|are)\s+(?:owned|held|controlled)\s+by\s+(?:the\s+)?(?P<by>[\w ’'-]+)"),
    (HELD, r"(?P<places>.+?)\s+(?:is|are)\s+(?P<by>[\w’']+)[- ](?:owned|held|controlled)"),
    (HELD, r"(?P<places>.+?)\s+(?:is|are)\s+in\s+(?:the\s+)?(?P<by>[\w’']+)\s+hands"),
    (RETAKEN, r"(?:the\s+)?(?P<by>\w+)\s+(?:retakes?|recaptures?|regains?|liberates?)\s+(?P<places>.+)"),
    (HELD, r"(?:the\s+)?(?P<by>\w+)\s+(?:owns?|holds?|controls?|takes?|captures?|occup(?:y|ies))\s+(?P<places>.+)"),
    (LOST, r"(?:the\s+)?(?P<by>\w+)\s+(?:loses?|has lost|have lost)\s+(?P<places>.+)"),
)
_MANY = re.compile(r"\s*(?:,\s*(?:and|or)\s+|,|\band\b|\bor\b)\s*")
_ONE_OF = re.compile(r"\bor\b|^either\b", re.IGNORECASE)
_BEFORE = re.compile(r"^(?:both|either|the city of|the cities of|cities)\s+", re.IGNORECASE)


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((what, re.compile(rf"(?i)^{form}$")) for what, form in _FORMS)


def about_places(text: str) -> AboutPlaces | None:
    """What a condition says of places: `Smolensk falls`, `Minsk is lost`, `the Axis own Kiev or Odessa`; else None."""
    for what, form in _forms():
        found = form.match(text.strip().rstrip("."))
        if found is None:
            continue
        named = found["places"]
        places = tuple(each for each in _MANY.split(_BEFORE.sub("", named)) if each)
        by = (found["by"] or "").strip()
        # 'Falls to the Axis' and 'captured by the Axis' are the same; 'lost to the Axis' is what the Axis holds.
        asked = HELD if by and (what == FALLS or (what == LOST and re.search(r"(?i)lost\s+to\s", text))) else what
        return AboutPlaces(asked, places, not _ONE_OF.search(named), by) if places else None
    return None
