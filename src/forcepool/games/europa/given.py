"""Everything a scenario file or the `given` of a case may state, made from the facts and charts of every chapter."""

from collections.abc import Mapping
from fractions import Fraction
from types import GenericAlias
from typing import Any

import msgspec

from forcepool.engine.facts import NUMBER, WORDS, YES_NO, Fact
from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.units import FULL

OB = "ob"
"""The order of battle: written as text, kept as the chart of its entries."""


def _fields(facts: tuple[Fact, ...], kind: str) -> list[tuple[str, Any, Any]]:
    """The facts one may state of a thing in a file, as optional fields."""
    types: Mapping[str, Any] = {YES_NO: bool, NUMBER: int, WORDS: list[str]}
    return [(fact.name, types.get(fact.takes, str) | None, None) for fact in facts if kind in fact.on and fact.by_hand]


def _record(name: str, fields: list[Any], **options: Any) -> Any:
    return msgspec.defstruct(name, fields, forbid_unknown_fields=True, frozen=True, kw_only=True, **options)


def _by_name(record: Any) -> Any:
    return GenericAlias(dict, (str, record))


def given_type(facts: tuple[Fact, ...], charts: Mapping[str, Any]) -> Any:
    """Everything a scenario or a case may state, facts and charts of every chapter included."""
    unit = _record(
        "UnitGiven",
        [
            ("spec", str),
            ("at", str, "out of play"),
            ("as_", str, FULL),
            ("nation", str, ""),
            ("force", str, ""),
            ("affiliation", str, ""),
            ("traits", tuple[str, ...], ()),
            ("re", Fraction | None, None),
            ("cadre_re", Fraction | None, None),
            *_fields(facts, "unit"),
        ],
        rename={"as_": "as"},
    )
    place = _record("PlaceGiven", [("md", str, ""), ("front", str, ""), ("hex", str, ""), *_fields(facts, "place")])
    area = _record(
        "AreaGiven", [("front", str, ""), ("theatre", str, ""), ("country", str, ""), *_fields(facts, "area")]
    )
    return _record(
        "Given",
        [
            ("title", str, "a case"),
            ("profile", str, ""),
            ("turn", str, ""),
            ("players", tuple[str, ...], ()),
            ("player", str, ""),
            ("phase", str, "replacement"),
            ("house_rules", dict[str, str], {}),
            ("theatres", _by_name(area), {}),
            ("fronts", _by_name(area), {}),
            ("mds", _by_name(area), {}),
            ("places", _by_name(place), {}),
            ("map", str | Drawing | None, None),
            ("nations", _by_name(_record("NationGiven", _fields(facts, "nation"))), {}),
            ("campaign", _record("CampaignGiven", _fields(facts, "campaign")) | None, None),
            ("pools", dict[str, dict[str, dict[str, Fraction]]], {}),
            ("units", _by_name(unit), {}),
            (
                "charts",
                _record("ChartsGiven", [(name, type_ | None, None) for name, type_ in charts.items() if name != OB])
                | None,
                None,
            ),
            (OB, str, ""),
            ("numbers", dict[str, Fraction], {}),
            ("dates", dict[str, str], {}),
            ("dice", tuple[int, ...], ()),
            # What a scenario file says of itself; cases leave it out.
            ("scenario", str, ""),
            ("game", str, ""),
            ("notes", str, ""),
            ("illustrative", bool, False),
        ],
    )
