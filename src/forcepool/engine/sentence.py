"""Sentences made of parts: units, places, pools and the like are parts of a sentence, not letters in it.

A rule writes an f-string, and what it names is written into it as a part: `f"{q.unit} is at {the_place(q.hex)}"`.
A part stands between two signs that no name and no note can hold. So whoever shows the sentence knows what each name
is: a page makes a link of it, a seat that may not see a unit reads other words, a terminal shows what one types.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

BEGINS, ENDS = "\x02", "\x03"
WORDS = ""
UNIT = "u"
PLACE = "p"
POOL = "a"
NOTE = "n"
FIELD = "f"
ENTRY = "e"
TYPED = "t"

_PART = re.compile(f"{BEGINS}(.)([^{ENDS}]*){ENDS}")
_SIGN = re.compile(f"{BEGINS}.|{ENDS}")
_MARK_IN_JSON = re.compile(rb"(?<!\\)((?:\\\\)*)(?:\\u0002.|\\u0003)")
"""A sign that begins or ends a part, as JSON writes it; not the letters of one that a player typed."""


class Part(NamedTuple):
    """A name and what it is the name of, or plain words."""

    kind: str
    name: str


def _part(kind: str) -> Callable[[object], str]:
    def says(name: object) -> str:
        # A name that stands for any of a kind can be written down, and nothing else.
        text = f"{name}"
        return f"{BEGINS}{kind}{text}{ENDS}" if text else ""

    return says


the_unit = _part(UNIT)
"""A unit by its id; a `Unit` writes itself."""
the_place = _part(PLACE)
"""A hex, city or town by its name."""
the_pool = _part(POOL)
"""A pool, front, theatre or MD by its key, such as front/centre."""
the_note = _part(NOTE)
"""What a player wrote, which no face rewrites."""
the_entry = _part(ENTRY)
"""An entry of the order of battle by its key, such as aug-1-41-soviet-reorganize-2."""


def the_field(name: str, value: object = "") -> str:
    """A field of an order: one types 'to=cadre' or 'front=', a form has it under its name."""
    text = plain(f"{value}")
    return f"{BEGINS}{FIELD}{name}={text}{ENDS}" if " " not in text else f'{BEGINS}{FIELD}{name}="{text}"{ENDS}'


def the_order(command: str, **fields: object) -> str:
    """An order as one types it, field by field."""
    return " ".join([command, *(the_field(name, value) for name, value in fields.items())])


def to_type(key: str) -> str:
    """A key in brackets behind what it stands for, for those who type it; a page has a button instead."""
    return f"{BEGINS}{TYPED} ({key}){ENDS}"


def parts(sentence: str) -> Iterator[Part]:
    """The sentence from left to right."""
    at = 0
    for found in _PART.finditer(sentence):
        if at < found.start():
            yield Part(WORDS, sentence[at : found.start()])
        yield Part(found[1], found[2])
        at = found.end()
    if at < len(sentence):
        yield Part(WORDS, sentence[at:])


def kept(sentence: str, may_stay: Callable[[Part], bool], instead: str) -> str:
    """The sentence, still made of parts, with other words for those that may not stay."""
    return _PART.sub(lambda found: found[0] if may_stay(Part(found[1], found[2])) else instead, sentence)


def pools_in(sentence: str) -> list[str]:
    """The pools that a sentence names."""
    return [part.name for part in parts(sentence) if part.kind == POOL]


def plain(sentence: str) -> str:
    """The sentence with every name as one types it."""
    return _SIGN.sub("", sentence) if BEGINS in sentence else sentence


def plain_json(data: bytes) -> bytes:
    """JSON with every name in it as one types it."""
    return _MARK_IN_JSON.sub(rb"\1", data) if rb"\u0002" in data else data


def the_units(names: Iterable[object], joined: str = ", ") -> str:
    return joined.join(map(the_unit, names))


def the_places(names: Iterable[object], joined: str = ", ") -> str:
    return joined.join(map(the_place, names))


def the_pools(names: Iterable[object], joined: str = ", ") -> str:
    return joined.join(map(the_pool, names))


class Told(ValueError):
    """An error that tells what is wrong in a sentence made of parts."""

    @property
    def sentence(self) -> str:
        return str(self.args[0])

    def __str__(self) -> str:
        return plain(self.sentence)


def capital(sentence: str) -> str:
    """The sentence with a capital at its beginning; a name keeps its own letters."""
    return sentence[:1].upper() + sentence[1:]
