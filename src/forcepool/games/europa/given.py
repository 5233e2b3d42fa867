"""Everything a scenario file or the `given` of a case may state, made from the facts and charts of every chapter."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from forcepool.engine.facts import Fact
from forcepool.engine.hexmap.drawing import Drawing
from forcepool.engine.units import FULL
from forcepool.scenarios import given
from forcepool.scenarios.given import by_name, record, stated

OB = "ob"
"""The order of battle: written as text, kept as the chart of its entries."""


def given_type(facts: tuple[Fact, ...], charts: Mapping[str, Any]) -> Any:
    place = record("PlaceGiven", [("md", str, ""), ("front", str, ""), ("hex", str, ""), *stated(facts, "place")])
    area = record("AreaGiven", [("front", str, ""), ("theatre", str, ""), ("country", str, ""), *stated(facts, "area")])
    rows = record("ChartsGiven", [(name, type_ | None, None) for name, type_ in charts.items() if name != OB])
    unit = [
        ("as_", str, FULL),
        ("force", str, ""),
        ("affiliation", str, ""),
        ("re", Fraction | None, None),
        ("cadre_re", Fraction | None, None),
    ]
    own = [
        ("phase", str, "replacement"),
        ("profile", str, ""),
        ("players", tuple[str, ...], ()),
        ("theatres", by_name(area), {}),
        ("fronts", by_name(area), {}),
        ("mds", by_name(area), {}),
        ("places", by_name(place), {}),
        ("map", str | Drawing | None, None),
        ("campaign", record("CampaignGiven", stated(facts, "campaign")) | None, None),
        ("charts", rows | None, None),
        (OB, str, ""),
    ]
    return given.given_type(facts, own, unit, rename={"as_": "as"})
