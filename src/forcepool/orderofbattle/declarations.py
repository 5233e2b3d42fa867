"""What an entry declares in its own words: `Italy enters the war; declare italy_at_war yes, neutral of Italy no`."""

import re

from msgspec import Struct


class Declaration(Struct, frozen=True):
    """A fact that an entry sets: its name, its value, and what it is said of."""

    fact: str
    value: str
    about: str = ""


_DECLARES = re.compile(r"(?:^|[;:(])\s*declare\s+(?P<said>[^;:()]+?)\)?\.?\s*$", re.IGNORECASE)
_PARTS = re.compile(r"\s*,\s*(?:and\s+)?")
_ONE = re.compile(r"(?P<fact>[a-z][a-z_]*)(?:\s+of\s+(?P<about>.+?))?\s+(?P<value>\S+)", re.IGNORECASE)


def declarations(words: str) -> tuple[Declaration, ...]:
    """The facts that an entry's words end with; none if one of them cannot be read, so that the players see to all."""
    found = _DECLARES.search(words)
    read = [_ONE.fullmatch(part) for part in _PARTS.split(found["said"])] if found else []
    said = [Declaration(each["fact"].casefold(), each["value"], each["about"] or "") for each in read if each]
    return tuple(said) if len(said) == len(read) else ()
