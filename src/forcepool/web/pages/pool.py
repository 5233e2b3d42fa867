"""The force pool: boxes and the turn track as on the paper charts, and the card of the counter that was picked."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.places import OUT
from forcepool.views.forcepool import ON_MAP, Box, Column, ForcePool, PoolUnit, by_side, force_pool
from forcepool.views.names import pool_in_words
from forcepool.web.counters import caption, drawn, part_of, sheet
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.unit import LAST_HAPPENINGS, MOST_WAYS, card_of, seen_unit
from forcepool.web.render import drawn_once, page

MOST_COUNTERS = 160
"""So many are drawn on one page, so that it stays light; links lead to the rest."""
FEWEST_A_BOX = 6
FILTERS = ("side", "nation", "front", "type", "box", "q")


async def pool(request: Request) -> Response:
    it = here(request)
    asked = {name: request.query_params.get(name, "").strip()[:80] for name in (*FILTERS, "map", "out")}
    name = request.query_params.get("unit", "").strip()
    first = part_of(request.query_params.get("from", ""))
    showing = (*asked.values(), name, first)
    return page(
        it,
        "pool.html",
        title="Force pool",
        key="pool",
        pool=drawn_once(it, "_pool.html", showing, lambda: _drawing(it, asked, name, first)),
    )


def _drawing(it: Here, asked: dict[str, str], name: str, first: int) -> dict[str, Any]:
    """What is drawn of the force pool, from the part it begins with, and the card of the counter that was picked."""
    found = shown(it, asked)
    sides = sides_of(found, first if asked["box"] else 0)
    unit = seen_unit(it, name) if name else None
    return {
        "here": it,
        "found": found,
        "sides": sides,
        "tracks": len({each.track for column in found.track for each in column.units}) > 1,
        "wanted": asked,
        "narrowed_by": narrowing(it, found),
        "asked_unit": name,
        "card": card_of(it, unit) if unit else None,
        "first": first,
        "page_of": MOST_COUNTERS,
        "most_ways": MOST_WAYS,
        "last_happenings": LAST_HAPPENINGS,
        "drawn": drawn,
        "caption": caption,
        "sheet": sheet([*(each.spec for each in _drawn_units(sides)), *([unit.spec] if unit else [])]),
        "linked_to": lambda **changed: _link(it, asked, changed),
        "back": _link(it, asked, {"unit": name}),
    }


def shown(it: Here, asked: dict[str, str]) -> ForcePool:
    """What the seat asked for; what was asked without words is worked out once."""

    def make() -> ForcePool:
        return force_pool(
            it.campaign,
            side=asked["side"],
            nation=asked["nation"],
            front=asked["front"],
            type=asked["type"],
            box=asked["box"],
            words=asked["q"],
            on_map=bool(asked["map"]) or asked["box"] == ON_MAP,
            out=bool(asked["out"]) or asked["box"] == OUT,
            sees=it.sight.unit,
        )

    found: ForcePool = make() if asked["q"] else it.kept(("pool", tuple(asked.values())), make)
    return found


def narrowing(it: Here, found: ForcePool) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The fields the pool can be narrowed by, each with what one can choose; a field with one choice is none."""
    fields = [
        ("side", "Side", [(each, each) for each in found.sides] if it.sight.all else []),
        ("nation", "Nation", [(each, each) for each in found.nations]),
        ("front", "Front", [(each, pool_in_words(each)) for each in found.fronts]),
        ("type", "Type", [(each, each) for each in found.types]),
        ("box", "Box", list(found.kinds)),
    ]
    return [field for field in fields if len(field[2]) > 1]


def _link(it: Here, asked: dict[str, str], changed: dict[str, Any]) -> str:
    """This page with something of it changed."""
    fields = {name: value for name, value in (asked | changed).items() if value}
    return f"{it.path}/pool?{urlencode(fields)}" if fields else f"{it.path}/pool"


# ------------------------------------------------------------------------------------------- no longer than needed


class CutBox(Struct, frozen=True):
    """A box as far as it is drawn."""

    box: Box
    more: int
    """How many of its units are not."""
    counts: dict[str, int] = {}
    """How many lie in each part of it, drawn or not."""


class CutColumn(Struct, frozen=True):
    """A turn of the track as far as it is drawn."""

    column: Column
    more: int


class CutSide(Struct, frozen=True):
    """The boxes and the track of one side as far as they are drawn; no name where only one has any."""

    side: str
    count: int
    boxes: list[CutBox]
    track: list[CutColumn]


def sides_of(found: ForcePool, first: int = 0) -> list[CutSide]:
    """What lies in the pool, each side for itself, with as many counters as one page bears; from `first` on."""
    parts = by_side(found)
    filled = sum(len(part.boxes) + sum(1 for each in part.track if each.count) for _, part in parts)
    share = max(FEWEST_A_BOX, MOST_COUNTERS // max(filled, 1))
    return [
        CutSide(
            side if len(parts) > 1 else "",
            part.shown,
            [_cut_box(box, first, share) for box in part.boxes],
            [_cut_column(each, first, share) for each in part.track],
        )
        for side, part in parts
    ]


def _cut_column(column: Column, first: int, share: int) -> CutColumn:
    units = column.units[first : first + share]
    return CutColumn(replace(column, units=units), max(column.count - first - share, 0))


def _cut_box(box: Box, first: int, share: int) -> CutBox:
    skipped, left, shelves = first, share, []
    for shelf in box.shelves:
        units = shelf.units[skipped : skipped + left]
        skipped, left = max(skipped - len(shelf.units), 0), left - len(units)
        if units:
            shelves.append(replace(shelf, units=units))
    drawn_here = sum(len(shelf.units) for shelf in shelves)
    counts = {shelf.of: len(shelf.units) for shelf in box.shelves}
    return CutBox(replace(box, shelves=tuple(shelves)), max(box.count - first - drawn_here, 0), counts)


def _drawn_units(sides: list[CutSide]) -> Iterator[PoolUnit]:
    for side in sides:
        for each in side.boxes:
            yield from each.box.units
        for column in side.track:
            yield from column.column.units


PAGE = Page("pool", "Force pool", "/pool", "f", [at("/pool", pool)])
