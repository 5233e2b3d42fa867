"""A stretch of the hex map to look at: hexes, places, areas, and the stacks one may see; and all about one hex."""

from collections.abc import Callable
from statistics import median_low

from msgspec import Struct

from forcepool.engine.answers import watched
from forcepool.engine.facts import Facts, place_key, subject_key
from forcepool.engine.hexmap.tracing import Outline, OutlineHex, outline
from forcepool.engine.state import State, Unit
from forcepool.engine.wording import mark_name, markers
from forcepool.engine.world import World
from forcepool.views.names import by_nation_and_number, pool_in_words
from forcepool.views.said import sentence_said

Cell = tuple[int, int]
"""A hex by its column and row on the whole map."""
Sees = Callable[[Unit], bool]

DRAWN = ("owner", "city", "city_size", "town", "port", "airbase", "airbase_capacity")
"""What of a place stands on the map for all to see."""
COMPASS = ("north", "north-east", "south-east", "south", "south-west", "north-west")
FEWEST_FOR_A_NAME = 14
"""An area of which fewer hexes are in view goes without its name."""


class Board:
    """The whole map as it stands, with its hexes by where they lie and by what they are called."""

    def __init__(self, outline: Outline) -> None:
        self.outline = outline
        self.hexes: dict[Cell, OutlineHex] = {(each.column, each.row): each for each in outline.hexes}
        self.cells = {each.hex.casefold(): cell for cell, each in self.hexes.items()}
        self.cells |= {each.name.casefold(): cell for cell, each in self.hexes.items() if each.name}
        self.one_sheet = len({each.hex.partition(":")[0] for each in outline.hexes}) == 1
        self.rivers = any(each.river for each in outline.hexes)
        self.ground = ""
        """The picture of all of it, once somebody has drawn it."""

    def find(self, text: str) -> Cell | None:
        """The hex of a place's name or a number; on a map of one sheet the four digits will do."""
        folded = text.strip().casefold()
        found = self.cells.get(folded)
        if found is None and self.one_sheet and folded:
            found = self.cells.get(f"{self.outline.hexes[0].hex.partition(':')[0]}:{folded}".casefold())
        return found


def board(world: World, state: State) -> Board:
    """The map as it stands, drawn anew only when a hex changes hands."""
    return world.facts(watched(world, state)).ask(_board)


def _board(world: World, facts: Facts) -> Board:
    return Board(outline(world, facts.state))


class Stack(Struct, frozen=True):
    """Units in one hex, the strongest on top."""

    cell: Cell
    name: str
    units: tuple[Unit, ...]


class AreaName(Struct, frozen=True):
    """An area's name, where to write it, and how active the area is."""

    cell: Cell
    name: str
    activity: str


class Stretch(Struct, frozen=True):
    """Part of the map: what is to be drawn of it."""

    hexes: dict[Cell, OutlineHex]
    stacks: tuple[Stack, ...]
    areas: tuple[AreaName, ...]


def name_of(hex_: OutlineHex) -> str:
    """A hex by the name the rules use: its place's, else its number."""
    return hex_.name or hex_.hex


def stacks_of(board: Board, state: State, sees: Sees) -> tuple[Stack, ...]:
    """The stacks on the map as far as one sees them, from the north-west on."""
    found = []
    for name, ids in state.stacks.items():
        cell = board.cells.get(name.casefold())
        units = [unit for unit in map(state.units.__getitem__, ids) if sees(unit)] if cell is not None else []
        if cell is not None and units:
            found.append(Stack(cell, name, tuple(sorted(units, key=_strongest_first))))
    return tuple(sorted(found, key=lambda each: (each.cell[1], each.cell[0])))


def _strongest_first(unit: Unit) -> tuple[bool, object, str]:
    strength = unit.spec.strength(unit.step) if unit.spec.has(unit.step) else unit.spec.full
    return unit.spec.size == "", -strength.points, unit.id


def off_the_map(board: Board, state: State, sees: Sees) -> list[tuple[str, int]]:
    """The places with units that the map does not show, and how many of the units one sees."""
    counted = [
        (name, sum(1 for unit in state.stack(name) if sees(unit)))
        for name in sorted(state.stacks)
        if name.casefold() not in board.cells
    ]
    return [each for each in counted if each[1]]


def middle_of(board: Board, stacks: tuple[Stack, ...]) -> Cell:
    """Where to look first: amid one's own stacks, else at the middle of the map."""
    if not stacks:
        return board.outline.columns // 2, board.outline.rows // 2
    return median_low(each.cell[0] for each in stacks), median_low(each.cell[1] for each in stacks)


def stretch(
    world: World, state: State, board: Board, stacks: tuple[Stack, ...], middle: Cell, columns: int, rows: int
) -> Stretch:
    """The hexes around a middle, with one more on every side so that borders run on beyond the frame."""
    left, top = middle[0] - columns // 2 - 1, middle[1] - rows // 2 - 1
    within = board.hexes
    if columns < board.outline.columns or rows < board.outline.rows:
        across = range(left, left + columns + 3)
        within = {
            (column, row): hex_
            for row in range(top, top + rows + 3)
            for column in across
            if (hex_ := board.hexes.get((column, row))) is not None
        }
    shown = tuple(each for each in stacks if each.cell in within)
    return Stretch(within, shown, tuple(_area_names(world, state, within, _covered(within, shown, columns))))


def _covered(hexes: dict[Cell, OutlineHex], stacks: tuple[Stack, ...], columns: int) -> set[Cell]:
    """The hexes around places and stacks, where an area's name would hide theirs; further off, words take more."""
    wide = max(3, columns // 14)
    named = [cell for cell, hex_ in hexes.items() if hex_.city] + [each.cell for each in stacks]
    return {(column + x, row + y) for column, row in named for x in range(-wide, wide + 1) for y in (-1, 0, 1)}


def _area_names(world: World, state: State, hexes: dict[Cell, OutlineHex], covered: set[Cell]) -> list[AreaName]:
    by_area: dict[str, list[Cell]] = {}
    for cell, hex_ in hexes.items():
        if hex_.area:
            by_area.setdefault(hex_.area, []).append(cell)
    facts, told = world.facts(state), world.fact("activity") is not None
    found = []
    for area, cells in sorted(by_area.items()):
        if len(cells) < FEWEST_FOR_A_NAME:
            continue
        column, row = sum(each[0] for each in cells) // len(cells), sum(each[1] for each in cells) // len(cells)
        free = [each for each in cells if each not in covered] or cells
        nearest = _nearest(free, (column, row))
        activity = str(facts.value(subject_key("area", area), "activity")) if told else ""
        found.append(AreaName(nearest, pool_in_words(area), activity))
    return found


def _nearest(cells: list[Cell], to: Cell) -> Cell:
    return min(cells, key=lambda each: ((each[0] - to[0]) ** 2 + (each[1] - to[1]) ** 2, each))


# ------------------------------------------------------------------------------------------------ one hex


class Neighbour(Struct, frozen=True):
    """The hex across a side."""

    side: str
    name: str


class HexCard(Struct, frozen=True):
    """All about one hex."""

    name: str
    hex: str
    terrain: str
    area: str
    activity: str
    owner: str
    settlement: str
    """'dot city, port, airbase 3'."""
    lines: str
    """'railway north and south-east; road south'."""
    facts: tuple[str, ...]
    """What else is known of it, where one may know."""
    units: tuple[Unit, ...]
    neighbours: tuple[Neighbour, ...]


def hex_card(
    world: World,
    state: State,
    board: Board,
    cell: Cell,
    beyond: Callable[[Cell, int], Cell],
    sees: Sees,
    knows: Callable[[str, str], bool],
) -> HexCard:
    """What the map and the players say of a hex; `knows` tells whose hexes' own affairs one may look into."""
    hex_ = board.hexes[cell]
    name = name_of(hex_)
    activity = world.facts(state).value(subject_key("area", hex_.area), "activity") if hex_.area else None
    units = sorted((unit for unit in state.stack(name) if sees(unit)), key=by_nation_and_number)
    across = ((side, board.hexes.get(beyond(cell, number))) for number, side in enumerate(COMPASS))
    return HexCard(
        name=name,
        hex=hex_.hex,
        terrain=hex_.sea or hex_.terrain,
        area=pool_in_words(hex_.area) if hex_.area else "",
        activity=str(activity or ""),
        owner=hex_.owner,
        settlement=_settlement(hex_),
        lines=_lines(hex_),
        facts=tuple(_facts(world, state, name)) if knows(name, hex_.owner) else (),
        units=tuple(units),
        neighbours=tuple(Neighbour(side, name_of(other)) for side, other in across if other is not None),
    )


def _settlement(hex_: OutlineHex) -> str:
    city = "town" if hex_.city == "town" else f"{hex_.city} city" if hex_.city else ""
    port = "" if hex_.port in ("", "no") else "port" if hex_.port == "yes" else f"{hex_.port} port"
    return ", ".join(part for part in (city, port, f"airbase {hex_.airbase}" if hex_.airbase else "") if part)


def _lines(hex_: OutlineHex) -> str:
    kinds = (("railway", hex_.rail), ("road", hex_.road), ("river", hex_.river), ("closed", hex_.closed))
    return "; ".join(f"{kind} {' and '.join(COMPASS[side] for side in sides)}" for kind, sides in kinds if sides)


def _facts(world: World, state: State, name: str) -> list[str]:
    drawn = {mark_name(mark) for mark in DRAWN}
    listed = markers(world, state, place_key(name))
    return [sentence_said(each.said) for each in listed if each.name not in drawn]
