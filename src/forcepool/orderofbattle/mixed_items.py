"""Units and points on one line: which of them its verb speaks of, and what becomes of the others."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct

from forcepool.orderofbattle.model import Item

REINFORCE, RESOURCES = "reinforce", "resources"
_BRING_UNITS = (REINFORCE, "arrive", "conditional", "return")
_TAKE_POINTS = (RESOURCES, "at start", "add to reserves", "release from national reserve", "other", "unique event")
_PRICED = {"disband": "yields", "upgrade": "cost"}


class Said(Struct, frozen=True):
    """What a line says under one verb, and how it was understood if it had to be."""

    verb: str
    fields: dict[str, Any]
    warning: str = ""
    hint: str = ""


def parted(verb: str, fields: dict[str, Any]) -> Iterator[Said]:
    """A line as its verb means it; points among reinforcements, or units among points, are entries of their own."""
    items: tuple[Item, ...] = fields.get("items", ())
    points = tuple(each for each in items if each.points)
    units = tuple(each for each in items if not each.points)
    if verb == RESOURCES and units:
        yield Said(REINFORCE, {**fields, "items": units}, "units are no points: read as reinforce", "use Reinforce")
        if points:
            yield Said(RESOURCES, {**fields, "items": points})
    elif verb in _BRING_UNITS and points:
        if units:
            yield Said(verb, {**fields, "items": units})
        yield Said(RESOURCES, {**fields, "items": points}, "read the points as resources", "use Resources")
    elif verb in _PRICED:
        yield _priced(verb, fields)
    elif verb not in _TAKE_POINTS and any(each.points for each in (*items, *fields.get("results", ()))):
        yield Said(
            verb, fields, f"the points beside the units say nothing under {verb}", "write gives 3 inf or for 3 inf"
        )
    else:
        yield Said(verb, fields)


def _priced(verb: str, fields: dict[str, Any]) -> Said:
    """Points that stand among the units are what disbanding them gives, or what upgrading them costs."""
    field, amounts = _PRICED[verb], dict[str, Fraction]()
    rest = dict(fields)
    for listed in ("items", "results"):
        for each in rest.get(listed, ()):
            for kind, amount in each.points.items():
                amounts[kind] = amounts.get(kind, Fraction(0)) + amount
        if listed in rest:
            rest[listed] = tuple(each for each in rest[listed] if not each.points)
    if not amounts or fields.get(field) or not rest.get("items"):
        return Said(verb, fields)
    words = "what it gives" if field == "yields" else "what it costs"
    hint = "write gives 3 inf" if field == "yields" else "write for 3 inf"
    return Said(verb, {**rest, field: amounts}, f"read the points as {words}", hint)
