"""Air: the clock of the cycle, ARPs and their ceiling, the boxes as counters, rare codes, and what the Air OB asks."""

from urllib.parse import urlencode

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from forcepool.games.europa.air.view import AirBox, AirCycle, AirShelf, AirUnit, air
from forcepool.games.europa.pages.reserves import europa, rule_lines
from forcepool.views.names import pool_in_words
from forcepool.web.counters import caption, drawn, part_of, shared_out, sheet
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.unit import LAST_HAPPENINGS, MOST_WAYS, card_of, seen_unit
from forcepool.web.render import page

RULE = "28"
MOST_COUNTERS = 160
"""So many counters are drawn on one page, so that it stays light; links lead to the rest."""
MOST_ORDERS = 14


class CutAirShelf(Struct, frozen=True):
    """The part of a front or theatre in a box, as far as it is drawn."""

    title: str
    count: int
    units: tuple[AirUnit, ...]


class CutAirBox(Struct, frozen=True):
    """What one side has in a box, as far as it is drawn."""

    side: str
    """Empty where all in sight are of one side: its boxes need no name."""
    box: AirBox
    count: int
    shelves: tuple[CutAirShelf, ...]
    more: int
    """How many come after those that are drawn."""

    @property
    def key(self) -> str:
        return _key(self.box, self.side)


def _key(box: AirBox, side: str) -> str:
    return f"{box.key}-{side.casefold()}" if side else box.key


def air_of(it: Here) -> AirCycle:
    """The seat's air cycle, worked out once."""
    found: AirCycle = it.kept("air", lambda: air(europa(it), it.state, sees=it.sight.unit, holds=it.sight.account))
    return found


async def air_page(request: Request) -> Response:
    it = here(request)
    found = air_of(it)
    asked = {name: request.query_params.get(name, "").strip()[:80] for name in ("nation", "box", "ob")}
    name = request.query_params.get("unit", "").strip()
    unit = seen_unit(it, name) if name else None
    first = part_of(request.query_params.get("from", "")) if asked["box"] else 0
    boxes = cut(found, asked["nation"], asked["box"], first)
    shown = [it.state.units[each.unit] for box in boxes for shelf in box.shelves for each in shelf.units]
    side = it.world.side_now(it.state, asked["nation"]) if asked["nation"] else ""
    lines = [each for each in found.orders if asked["nation"] in ("", each.nation)]
    return page(
        it,
        "europa/air.html",
        title="Air",
        key="air",
        found=found,
        clocks=[each for each in found.clocks if not side or each.side == side],
        boxes=boxes,
        chosen=asked["box"],
        first=first,
        page_of=MOST_COUNTERS,
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


def cut(found: AirCycle, nation: str, chosen: str, first: int) -> list[CutAirBox]:
    """The boxes of a nation or of all, as many counters as one page bears; of one that was chosen, a page of it.

    Enemies lie in no box together: each side has its own.
    """
    sides = [each.side for each in found.clocks]
    boxes = [(side, box, _of(box, nation, side)) for side in sides for box in found.boxes]
    boxes = [(side, box, shelves) for side, box, shelves in boxes if shelves]
    if len({side for side, _, _ in boxes}) == 1:
        boxes = [("", box, shelves) for _, box, shelves in boxes]
    counts = [sum(len(shelf.units) for shelf in shelves) for _, _, shelves in boxes]
    keys = [_key(box, side) for side, box, _ in boxes]
    if chosen in keys:
        parts = [(first, MOST_COUNTERS) if key == chosen else (0, 0) for key in keys]
    else:
        parts = [(0, drawn_of) for drawn_of in shared_out(counts, MOST_COUNTERS)]
    return [_cut_box(*box, count, *part) for box, count, part in zip(boxes, counts, parts, strict=True)]


def _of(box: AirBox, nation: str, side: str) -> list[AirShelf]:
    shelves = [
        AirShelf(shelf.area, tuple(unit for unit in shelf.units if unit.side == side and nation in ("", unit.nation)))
        for shelf in box.shelves
    ]
    return [shelf for shelf in shelves if shelf.units]


def _cut_box(side: str, box: AirBox, shelves: list[AirShelf], count: int, first: int, most: int) -> CutAirBox:
    skipped, left, shown = first, most, []
    for shelf in shelves:
        units = shelf.units[skipped : skipped + left]
        skipped, left = max(0, skipped - len(shelf.units)), left - len(units)
        if units:
            shown.append(CutAirShelf(pool_in_words(shelf.area) if shelf.area else "", len(shelf.units), units))
    drawn_here = sum(len(shelf.units) for shelf in shown)
    return CutAirBox(side, box, count, tuple(shown), max(0, count - first - drawn_here))


def _link(it: Here, fields: dict[str, str]) -> str:
    """This page with something of it changed."""
    kept = {name: value for name, value in fields.items() if value}
    return f"{it.path}/air?{urlencode(kept)}" if kept else f"{it.path}/air"


PAGE = Page("air", "Air", "/air", "a", [at("/air", air_page)])
