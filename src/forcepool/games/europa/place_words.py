"""Boxes and tracks by the words the program shows, put as a file writes them."""

import re
from collections.abc import Container, Mapping
from functools import cache

OF_A_NATION = ("isolated", "strategic")
_AREA = re.compile(r"^(?P<level>front|md|theatre|theater|command)\s+(?=\S)", re.IGNORECASE)


def area_in_words(text: str) -> str:
    """'Front Centre' is front/Centre."""
    return _AREA.sub(lambda found: f"{found['level'].lower()}/", " ".join(text.split()))


def box_in_words(text: str, boxes: Mapping[str, str], nations: Container[str]) -> str:
    """'ELIMINATED BOX of front/centre' and 'Eliminated Front Centre' are 'eliminated front/centre'; a hex stays one."""
    called = _called(tuple(boxes.items()))
    said = " ".join(text.split())
    for words, kind in called.get(said.partition(" ")[0].casefold(), ()):
        if said.casefold().startswith(words) and said[len(words) : len(words) + 1] in ("", " "):
            rest = area_in_words(re.sub(r"^of (?:the )?", "", said[len(words) :].strip()).replace(", due ", " "))
            alone = not rest and words != f"{kind} box" and (words != kind or said == kind)
            if alone or "/" in rest or (kind in OF_A_NATION and rest.casefold() in nations):
                return f"{kind} {rest}".strip()
    return text


@cache
def _called(boxes: tuple[tuple[str, str], ...]) -> dict[str, list[tuple[str, str]]]:
    """All that boxes are called, in small letters, by the first word; the longer before what it begins with."""
    names = [(words, kind) for kind, shown in boxes for words in (shown.casefold(), f"{kind} box", kind)]
    found: dict[str, list[tuple[str, str]]] = {}
    for words, kind in sorted(names, key=lambda each: -len(each[0])):
        found.setdefault(words.partition(" ")[0], []).append((words, kind))
    return found
