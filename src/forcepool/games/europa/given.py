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

KEYS = {"capacities": ("side",), "rail_capacities": ("side",)}
"""What names a row in tables of this game."""
HELPS = {
    "as": "full, cadre or remnant",
    "md": "the military district it lies in",
    "front": "the front it lies in",
    "theatre": "the theatre it lies in",
    "country": "whose country it is",
    "hex": "its hex on the map",
    "force": "the force it belongs to, of nations that have several",
    "affiliation": "for whom it fights, where that is not its nation",
    "re": "its size in REs, where that is not what its size has",
    "cadre_re": "the same of its cadre",
}
"""What the fields of this game are for."""


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
