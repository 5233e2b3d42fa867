"""What a scenario file or the `given` of a case may state: the words every game has, and what a game adds to them."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import GenericAlias
from typing import Any

import msgspec

from forcepool.engine.facts import NUMBER, WORDS, YES_NO, Fact

Field = tuple[Any, ...]
"""Name, type, and the default where it may be left out."""
Amounts = dict[str, Fraction]
HELPS = {
    "spec": "the counter as players write it: 7-6 Inf XX (3-6)",
    "at": "where it stands: a place, a box, a turn of the track",
    "nation": "whose it is",
    "traits": "what else it is",
}
"""What fields of every game's files are for."""


def stated(facts: tuple[Fact, ...], kind: str) -> list[Field]:
    """The facts one may state of a thing in a file, as fields that may be left out."""
    types: Mapping[str, Any] = {YES_NO: bool, NUMBER: int, WORDS: list[str]}
    return [(fact.name, types.get(fact.takes, str) | None, None) for fact in facts if kind in fact.on and fact.by_hand]


def record(name: str, fields: Sequence[Field], **options: Any) -> Any:
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, frozen=True, kw_only=True, **options)


def by_name(kind: Any) -> Any:
    """Things of a kind, each under its name."""
    return GenericAlias(dict, (str, kind))


def given_type(facts: tuple[Fact, ...], own: Sequence[Field] = (), unit: Sequence[Field] = (), **options: Any) -> Any:
    """Everything a scenario or a case may state. A game's own fields come on top, or in another's place."""
    units = [
        ("spec", str),
        ("at", str, "out of play"),
        ("nation", str, ""),
        ("traits", tuple[str, ...], ()),
        *unit,
        *stated(facts, "unit"),
    ]
    common: list[Field] = [
        ("title", str, "a case"),
        ("turn", str, ""),
        ("player", str, ""),
        ("phase", str, ""),
        ("house_rules", dict[str, str], {}),
        ("nations", by_name(record("NationGiven", stated(facts, "nation"))), {}),
        ("pools", dict[str, dict[str, Amounts]], {}),
        ("units", by_name(record("UnitGiven", units, **options)), {}),
        ("numbers", Amounts, {}),
        ("dates", dict[str, str], {}),
        ("dice", tuple[int, ...], ()),
        ("tables", str | tuple[str, ...] | dict[str, str | tuple[str, ...]], ()),
        # What a scenario file says of itself; cases leave it out.
        ("scenario", str, ""),
        ("game", str, ""),
        ("notes", str, ""),
        ("illustrative", bool, False),
    ]
    return record("Given", list({field[0]: field for field in (*common, *own)}.values()))
