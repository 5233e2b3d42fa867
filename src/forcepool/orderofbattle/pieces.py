"""The small parts of a line as data: an item, a condition, an edge of the map, a kind of point."""

import re
from collections.abc import Iterable, Iterator

from lark import Token
from msgspec.structs import replace

from forcepool.orderofbattle.aircraft import AIR
from forcepool.orderofbattle.model import Condition, Item, PlaceSpec
from forcepool.orderofbattle.unit_strings import Parsed
from forcepool.orderofbattle.words import STATES, UPPER_KINDS

FOREIGN_CONTINGENT = "foreign contingent"
"""A contingent in the colours of the nation it is listed under, with none of its own."""
POINT_KINDS = {"infantry": "inf", "armor": "arm", "armour": "arm", "artillery": "art", "res": "RE", "rp": "RP"}

_CONDITION = re.compile(r"(?P<word>\w+)\s+(?P<text>.+)", re.DOTALL)


def as_item(parsed: Parsed, how_many: str) -> Item:
    """A unit as it was written, and how many of it."""
    # The designations stay beside the unit, so that two lines of one kind compare equal; an air unit's is its model.
    spec = parsed.spec if AIR in parsed.spec.traits else replace(parsed.spec, designation="")
    return Item(parsed.count, how_many, spec, parsed.designations, parsed.state)


def described(item: Item, described: Iterable[Token]) -> Item:
    """An item with the words behind `as`: its state, its traits, its contingent."""
    for word in _descriptions(described):
        if word.endswith(" contingent") and word.casefold() != FOREIGN_CONTINGENT:
            item = replace(item, contingent=word.removesuffix(" contingent"))
        elif word.lower() in STATES:
            item = replace(item, state=word.lower())
        elif (trait := FOREIGN_CONTINGENT if word.casefold() == FOREIGN_CONTINGENT else word) not in item.traits:
            item = replace(item, traits=(*item.traits, trait))
    return item


def _descriptions(tokens: Iterable[Token]) -> Iterator[str]:
    for token in tokens:
        yield from (squeezed(word) for word in token.strip("()").removeprefix("as ").split(" and "))


def condition(text: str) -> Condition:
    """What must hold before an entry takes effect."""
    found = _CONDITION.match(text.strip())
    word, rest = (found["word"].lower(), found["text"]) if found else ("if", text)
    return Condition("event" if word in ("when", "once") else "state", squeezed(rest), word != "unless")


_ON_THE_SPOT = ("city", "hex", "any_city", "port", "airbase", "army_hq")
_AREAS = {"md": 1, "multi_md": 1, "front": 2, "command": 3, "theatre": 4}


def one_in_the_other(one: PlaceSpec, other: PlaceSpec) -> PlaceSpec:
    """Places of a line, the smallest first: at Smolensk in front Centre, or in front Centre at Smolensk."""
    places = [*_each(one), *_each(other)]
    if all(each.kind in _AREAS or each.kind in _ON_THE_SPOT for each in places):
        places.sort(key=lambda each: _AREAS.get(each.kind, 0))
    elif other.kind in _ON_THE_SPOT and one.kind in ("area", "country"):
        places = [*_each(other), *_each(one)]
    larger: PlaceSpec | None = None
    for each in reversed(places):
        larger = replace(each, inside=larger)
    return larger or one


def _each(place: PlaceSpec) -> Iterator[PlaceSpec]:
    """A place and those around it."""
    around: PlaceSpec | None = place
    while around is not None:
        yield around
        around = around.inside


def edge(token: Token | None) -> str:
    """An edge of the map in one word."""
    word = str(token or "").lower().removesuffix(" edge")
    return word.removesuffix("ern")


def point_kind(word: str) -> str:
    """A kind of point in its one spelling."""
    bare = POINT_KINDS.get(word.lower(), word)
    for kind in UPPER_KINDS:
        if bare.upper() in (kind, f"{kind}S"):
            return kind
    return bare.lower()


def squeezed(text: str) -> str:
    """A text with single blanks."""
    return " ".join(text.split())
