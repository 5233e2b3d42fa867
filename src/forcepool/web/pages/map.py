"""The map: hexes, places, stacks and fronts, a stretch at a time; the lines units and factories trace; one hex's facts.

A campaign played on a map of paper has a list of its places instead.
"""

import json
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.drawing.board import Frame, Marks, Name, Pile, address, ground, over_it, view_box
from forcepool.drawing.hexes import COLUMN, ROW, Lattice
from forcepool.engine.campaign import Done
from forcepool.engine.command import BadCommand, command_name
from forcepool.engine.desk import Declare
from forcepool.engine.facts import unit_key
from forcepool.engine.hexmap.drawing import CITY_CLASSES
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.tracing import Traced, trace
from forcepool.engine.world import World
from forcepool.views.hexmap import (
    Board,
    Cell,
    Stack,
    Stretch,
    hex_card,
    middle_of,
    name_of,
    off_the_map,
    stacks_of,
    stretch,
)
from forcepool.views.hexmap import board as board_of
from forcepool.views.places import places_known
from forcepool.web.acting import Seen, Wrong, act
from forcepool.web.actions import outcome_of, seen_on, told
from forcepool.web.chair import SEES_ALL
from forcepool.web.counters import caption, drawn, sheet
from forcepool.web.forms import order_of, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at, brought
from forcepool.web.pages.places import places_page
from forcepool.web.pages.unit import seen_unit
from forcepool.web.render import page

WHOLE, NEAREST = 1, 4
ACROSS = {2: 72, 3: 40, 4: 22}
"""Columns in view, by how near one looks; at 1 it is the whole map."""
NAMED = {1: CITY_CLASSES[3:], 2: CITY_CLASSES[2:], 3: CITY_CLASSES, 4: CITY_CLASSES}
USUAL_ZOOM = 3
MOST_COUNTERS = 110
MOST_PILES = 250
"""From far off only so many stacks are drawn, the largest, so that the page stays light."""
MOST_LISTED = 80
MOST_UNITS = 60
MOVE = "move-units"
LINES_OF_ALL = "supply"
"""The line that may be asked for of everyone in view at once."""


async def map_page(request: Request) -> Response:
    it = here(request)
    if it.world.has_map:
        return hex_page(it)
    if places_known(it.world):
        return places_page(it)
    raise HTTPException(404, "This campaign has no map, and its scenario lists no places.")


def concerns(world: World) -> bool:
    return world.has_map or places_known(world)


# --------------------------------------------------------------------------------------------------- the hex map


class Look(Struct, frozen=True):
    """What of the map is asked for: where, how near, which hex is picked, which line is traced."""

    wanted: dict[str, str]
    board: Board
    lattice: Lattice
    stacks: tuple[Stack, ...]
    cell: Cell | None
    line: Traced | None
    zoom: int
    frame: Frame

    @property
    def fields(self) -> dict[str, str]:
        """The part of the map in view, as fields of an address."""
        return {"view": f"{self.frame.middle[0]}.{self.frame.middle[1]}", "zoom": str(self.zoom)}


def look(it: Here) -> Look:
    """What the address asks for; the map as it stands is worked out once for all seats."""
    wanted = {
        name: it.request.query_params.get(name, "").strip()[:80] for name in ("at", "view", "line", "of", "to", "all")
    }
    board = board_of(it.world, it.state)
    stacks: tuple[Stack, ...] = it.kept("stacks", lambda: stacks_of(board, it.state, it.sight.unit))
    unit = seen_unit(it, wanted["at"]) if wanted["at"] else None
    cell = _cell(board, unit.place.of if unit is not None and unit.place.on_map else wanted["at"])
    if cell is not None and wanted["at"].startswith("@"):
        wanted["at"] = name_of(board.hexes[cell])
    zoom, frame = _frame(it, board, stacks, cell, wanted["view"])
    lattice = Lattice(board.outline.low_columns)
    return Look(wanted, board, lattice, stacks, cell, traced(it, board, cell, wanted), zoom, frame)


def hex_page(it: Here) -> Response:
    now = look(it)
    board, cell, line, frame = now.board, now.cell, now.line, now.frame
    part = stretch(it.world, it.state, board, now.stacks, frame.middle, frame.columns, frame.rows)
    everyone = of_everyone(it, now, part.stacks)
    card = (
        hex_card(it.world, it.state, board, cell, now.lattice.beyond, it.sight.unit, it.sight.holds)
        if cell is not None
        else None
    )
    owners = it.world.sequence.players if card is not None and it.world.fact("owner") is not None else ()
    tops = [each.units[0].spec for each in part.stacks] if frame.counters else []
    return page(
        it,
        "map.html",
        title="Map",
        key="map",
        board=board.outline,
        rivers=board.rivers,
        drawing=Markup(drawing(it, now, part, everyone)),
        everyone=everyone,
        lines_of_all=LINES_OF_ALL if LINES_OF_ALL in _kinds(it) else "",
        box=view_box(now.lattice, frame),
        steps=(COLUMN, ROW),
        middle=frame.middle,
        zoom=now.zoom,
        nearest=NEAREST,
        near_already=board.outline.columns <= ACROSS[NEAREST],
        wanted=now.wanted,
        not_found=bool(now.wanted["at"]) and cell is None,
        card=card,
        cut_off=[each.id for each in card.units if cut_off_by(it, each.id)] if card is not None else [],
        line=line,
        line_clauses=next((each.clauses for each in it.world.game.lines if line and each.name == line.kind), ()),
        veiled=it.sight.veiled,
        kinds=_kinds(it),
        stacks=part.stacks,
        all_stacks=len(now.stacks),
        most_listed=MOST_LISTED,
        most_piles=MOST_PILES,
        most_units=MOST_UNITS,
        off_map=off_the_map(board, it.state, it.sight.unit),
        pans=_pans(frame),
        linked_to=lambda **changed: _link(it, now.wanted | now.fields, changed),
        owners=[Declare(fact="owner", value=side, about=card.name) for side in owners] if card else [],
        commands={
            command_name(each) for each in it.world.game.commands if it.seat.role in SEES_ALL or not each.referee
        },
        move=MOVE,
        drawn=drawn,
        caption=caption,
        sheet=sheet([*tops, *(unit.spec for unit in (card.units if card else ()))]),
        back=_link(it, now.wanted | now.fields, {}),
    )


class Everyone(Struct, frozen=True):
    """The lines of all stacks in view at once: where they run, and who has none."""

    paths: tuple[tuple[Cell, ...], ...]
    without: tuple[Stack, ...]


def of_everyone(it: Here, now: Look, stacks: tuple[Stack, ...]) -> Everyone | None:
    """The lines of supply of everyone in view, where one asks for them; a stack has that of its first unit."""
    kind = now.wanted["all"]
    if kind != LINES_OF_ALL or kind not in _kinds(it):
        return None
    paths, without = [], []
    for stack in largest(stacks):
        line: Traced = it.kept(("line", kind, stack.units[0].id), lambda unit=stack.units[0].id: _line(it, kind, unit))
        if line.found and line.path:
            paths.append(_cells(now.board, line.path))
        elif not line.found:
            without.append(stack)
    return Everyone(tuple(paths), tuple(without))


def _line(it: Here, kind: str, unit: str) -> Traced:
    try:
        return trace(it.world, it.state, kind, unit, "")
    except BadHex as error:
        return Traced(kind, False, str(error))


def drawing(it: Here, now: Look, part: Stretch, everyone: Everyone | None = None) -> str:
    """The picture: the ground, which is worked out once where it is the whole map, and what stands on it."""
    sides = it.world.sequence.players

    whole = now.zoom == WHOLE
    below = (whole and now.board.ground) or ground(now.lattice, now.frame, part.hexes, sides)
    if whole:
        now.board.ground = below
    cells = now.line
    return below + over_it(
        now.lattice,
        now.frame,
        part.hexes,
        [Pile(each.cell, each.name, each.units) for each in largest(part.stacks)],
        [Name(each.cell, each.name, each.activity) for each in part.areas],
        Marks(
            picked=now.cell,
            line=_cells(now.board, cells.path) if cells else (),
            blocked=_cells(now.board, cells.blocked) if cells else (),
            lines=everyone.paths if everyone else (),
        ),
        lambda name: address(at=name, **now.fields),
    )


def largest(stacks: tuple[Stack, ...]) -> list[Stack]:
    """As many stacks as one page bears."""
    return sorted(stacks, key=lambda each: (-len(each.units), each.cell))[:MOST_PILES]


def _cell(board: Board, text: str) -> Cell | None:
    """The hex asked for by name or number, or by column and row as a click on the picture gives them."""
    found = board.find(text)
    return found if found is not None else _as_cell(text, board)


def _as_cell(text: str, board: Board) -> Cell | None:
    cell = _pair(text.removeprefix("@")) if text.startswith("@") else None
    return cell if cell in board.hexes else None


def _pair(text: str) -> Cell | None:
    column, dot, row = text.partition(".")
    if not (dot and column.isascii() and column.isdecimal() and row.isascii() and row.isdecimal()):
        return None
    return (int(column), int(row)) if len(text) < 10 else None


def _cells(board: Board, names: tuple[str, ...]) -> tuple[Cell, ...]:
    return tuple(cell for cell in map(board.find, names) if cell is not None)


def _frame(it: Here, board: Board, stacks: tuple[Stack, ...], cell: Cell | None, view: str) -> tuple[int, Frame]:
    text = it.request.query_params.get("zoom", "")
    zoom = int(text) if text in {str(each) for each in range(WHOLE, NEAREST + 1)} else USUAL_ZOOM
    columns, rows = board.outline.columns, board.outline.rows
    if zoom == WHOLE or (columns <= ACROSS[NEAREST] and rows <= ACROSS[NEAREST]):
        small = columns <= ACROSS[NEAREST]
        names = CITY_CLASSES if small else NAMED[WHOLE]
        return WHOLE, Frame((columns // 2, rows // 2), columns + 2, rows + 2, small, small, names)
    across = min(ACROSS[zoom], columns + 2)
    down = across * COLUMN * 7 // (ROW * 10)
    column, row = _pair(view) or cell or middle_of(board, stacks)
    middle = (
        min(max(column, min(across // 2, columns // 2)), max(columns - across // 2, columns // 2)),
        min(max(row, min(down // 2, rows // 2)), max(rows - down // 2, rows // 2)),
    )
    near = sum(1 for each in stacks if abs(each.cell[0] - middle[0]) <= across // 2 + 1) <= MOST_COUNTERS
    return zoom, Frame(middle, across, down, zoom > 2 and near, zoom == NEAREST, NAMED[zoom])


def _pans(frame: Frame) -> list[tuple[str, str, str]]:
    """The ways to move the view: the arrow, what it is called, and where it leads."""
    column, row = frame.middle
    across, down = max(frame.columns // 3, 1), max(frame.rows // 3, 1)
    ways = (("←", "west", -across, 0), ("↑", "north", 0, -down), ("↓", "south", 0, down), ("→", "east", across, 0))
    return [(arrow, name, f"{max(column + x, 0)}.{max(row + y, 0)}") for arrow, name, x, y in ways]


def _link(it: Here, fields: dict[str, str], changed: dict[str, Any]) -> str:
    """This page with something of it changed."""
    said = {name: value for name, value in (fields | changed).items() if value}
    return f"{it.path}/map?{urlencode(said, quote_via=quote, safe=':.@')}"


# ------------------------------------------------------------------------------------------------------- lines


def _kinds(it: Here) -> tuple[str, ...]:
    """The lines one can ask for; some are a side's own affair."""
    return tuple(each.name for each in it.world.game.lines if it.sight.all or each.side in ("", it.seat.side))


def traced(it: Here, board: Board, cell: Cell | None, wanted: dict[str, str]) -> Traced | None:
    """The line asked for, or a sentence that says why there is none to ask for."""
    kind = wanted["line"]
    if not kind:
        return None
    unit = seen_unit(it, wanted["of"]) if wanted["of"] else None
    start = unit.place.of if unit is not None and unit.place.on_map else ""
    from_cell = board.find(start) if start else board.find(wanted["of"]) or cell
    if kind not in _kinds(it) or from_cell is None:
        return Traced(kind, False, "choose a unit on the map, a place or a hex, and one of the lines listed")
    hex_ = board.hexes[from_cell]
    name = name_of(hex_)
    if unit is None and not _may_trace_from(it, name, hex_.owner):
        return Traced(kind, False, f"{name} is not yours: lines are traced for your own units and hexes")
    if wanted["to"] and board.find(wanted["to"]) is None:
        return Traced(kind, False, f"there is no hex or place '{wanted['to']}' on the map")
    try:
        return trace(it.world, it.state, kind, unit.id if unit is not None else name, wanted["to"])
    except BadHex as error:
        return Traced(kind, False, str(error))


def _may_trace_from(it: Here, name: str, owner: str) -> bool:
    """Whose line it would be depends on who stands there, so only from one's own hexes that nobody else is in."""
    return it.sight.holds(name, owner) and all(it.sight.unit(each) for each in it.state.stack(name))


# ----------------------------------------------------------------------------------------------------- moving units


async def move(request: Request) -> Response:
    """Record that the units that were ticked have gone to another hex."""
    it, form = here(request), await read_form(request)
    order = {"command": MOVE, "units": form.all("unit"), "to": form["to"].strip()}
    text = json.dumps(order)
    try:
        if not order["units"] or not order["to"]:
            raise BadCommand("tick the units that moved and say where they are now")
        command = order_of(it.world, order)
    except BadCommand as error:
        return told(it, form, outcome_of(it, Wrong(error.sentence)))
    outcome = act(it.table, it.seat, command, seen=seen_on(form))
    data = outcome_of(it, outcome) | {"order": text}
    if isinstance(outcome, Done) and form["relieved"]:
        data |= _relieved(it, form.all("unit"), outcome)
    return told(it, form, data, order=text)


def _relieved(it: Here, units: list[str], moved: Done) -> dict[str, Any]:
    """Take back what was declared of units that have broken out, to be undone with their move as one."""
    orders = [Declare(fact=each, unit=unit) for unit in units for each in cut_off_by(it, unit)]
    last = moved
    for order in orders:
        outcome = act(it.table, it.seat, order, seen=Seen(it.table.seq))
        last = outcome if isinstance(outcome, Done) else last
    return {"entry": last.entry.n, "seq": it.table.seq, "back_to": moved.entry.n}


def cut_off_by(it: Here, unit: str) -> list[str]:
    """What was declared of a unit because it is cut off, by the names of the facts."""
    facts = it.world.facts(it.state)
    names = brought("CUT_OFF_BY").get(it.world.game.name, ())
    return [each for each in names if facts.declared(unit_key(unit), each) is not None]


PAGE = Page("map", "Map", "/map", "m", [at("/map", map_page), at("/map/move", move, "POST")], concerns)
