"""Air: the clock of the cycle, ARPs and their ceiling, the boxes as counters, rare codes, and what the Air OB asks."""

from collections.abc import Iterator
from urllib.parse import urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.world import World
from forcepool.games.europa.air.view import AirBox, AirCycle, AirUnit, air
from forcepool.games.europa.world import EuropaWorld
from forcepool.views.names import pool_in_words
from forcepool.web.counters import caption, drawn, sheet
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.reserves import europa, rule_lines
from forcepool.web.pages.unit import LAST_HAPPENINGS, MOST_WAYS, card_of, seen_unit
from forcepool.web.render import page

RULE = "28"
MOST_COUNTERS = 60
"""So many counters of a box are drawn; a link leads to the others."""
MOST_ORDERS = 14


class CutAirShelf(Struct, frozen=True):
    """The part of a front or theatre in a box, as far as it is drawn."""

    title: str
    count: int
    units: tuple[AirUnit, ...]


class CutAirBox(Struct, frozen=True):
    """A box as far as it is drawn."""

    box: AirBox
    shelves: tuple[CutAirShelf, ...]
    more: int


def has_air(world: World) -> bool:
    """Whether the game has air cycles."""
    return isinstance(world, EuropaWorld)


def air_of(it: Here) -> AirCycle:
    """The seat's air cycle, worked out once."""
    found: AirCycle = it.kept("air", lambda: air(europa(it), it.state, sees=it.sight.unit, holds=it.sight.account))
    return found


async def air_page(request: Request) -> Response:
    it = here(request)
    found = air_of(it)
    asked = {name: request.query_params.get(name, "").strip()[:80] for name in ("nation", "all", "ob")}
    name = request.query_params.get("unit", "").strip()
    unit = seen_unit(it, name) if name else None
    boxes = list(_cut(found, asked["nation"], asked["all"]))
    shown = [it.state.units[each.unit] for box in boxes for shelf in box.shelves for each in shelf.units]
    lines = [each for each in found.orders if asked["nation"] in ("", each.nation)]
    return page(
        it,
        "air.html",
        title="Air",
        key="air",
        found=found,
        boxes=boxes,
        nation=asked["nation"],
        nations=_nations(found),
        pools=[each for each in found.pools if asked["nation"] in ("", each.nation)],
        rare=[each for each in found.rare if asked["nation"] in ("", each.nation)],
        orders=lines if asked["ob"] else lines[:MOST_ORDERS],
        more_orders=0 if asked["ob"] else max(0, len(lines) - MOST_ORDERS),
        lines=rule_lines(it, RULE),
        asked_unit=name,
        card=card_of(it, unit) if unit else None,
        most_ways=MOST_WAYS,
        last_happenings=LAST_HAPPENINGS,
        drawn=drawn,
        picture=lambda each: drawn(it.state.units[each].spec, it.state.units[each].step, each),
        caption=lambda each: caption(each, it.state.units[each].spec),
        sheet=sheet([*(each.spec for each in shown), *([unit.spec] if unit else [])]),
        pool_in_words=pool_in_words,
        linked_to=lambda **changed: _link(it, asked | changed),
        back=_link(it, asked | {"unit": name}),
    )


def _nations(found: AirCycle) -> list[str]:
    """The national forces with units, ARPs or lines of the Air OB."""
    nations = {each.nation for each in found.pools} | {each.nation for each in found.orders}
    nations |= {unit.nation for box in found.boxes for shelf in box.shelves for unit in shelf.units}
    return sorted(nations)


def _cut(found: AirCycle, nation: str, whole: str) -> Iterator[CutAirBox]:
    """The boxes of a nation or of all, with as many counters as one page bears."""
    for box in found.boxes:
        left = box.count if box.key == whole else MOST_COUNTERS
        shelves, count = [], 0
        for shelf in box.shelves:
            units = tuple(unit for unit in shelf.units if nation in ("", unit.nation))
            count += len(units)
            if units and left > 0:
                title = pool_in_words(shelf.area) if shelf.area else ""
                shelves.append(CutAirShelf(title, len(units), units[:left]))
                left -= len(units[:left])
        if count:
            yield CutAirBox(box, tuple(shelves), count - sum(len(each.units) for each in shelves))


def _link(it: Here, fields: dict[str, str]) -> str:
    """This page with something of it changed."""
    kept = {name: value for name, value in fields.items() if value}
    return f"{it.path}/air?{urlencode(kept)}" if kept else f"{it.path}/air"


PAGE = Page("air", "Air", "/air", "a", [at("/air", air_page)], concerns=has_air)
