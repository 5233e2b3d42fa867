"""The hex map as an SVG picture: terrain, owners, lines, places and stacks, each kind as few marks as it takes."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from html import escape
from urllib.parse import quote

from msgspec import Struct

from forcepool.drawing.counters import colours_of, counter
from forcepool.drawing.hexes import COLUMN, HALF_WIDTH, ROW, Cell, Lattice, net
from forcepool.drawing.labels import Box, Room, Spot, Style, around, moved_into
from forcepool.engine.hexmap.drawing import CITY_CLASSES
from forcepool.engine.hexmap.tracing import OutlineHex
from forcepool.engine.state import Unit

TERRAINS = ("woods", "forest", "rough", "mountain", "swamp", "desert", "sea", "lake")
"""Those with a colour of their own; clear is the ground, and what a map adds itself is drawn as 'other'."""
CLEAR = "clear"
MAJOR = ("partial", "full")
GRID = "M0 12L7 0H21L28 12L21 24H7L0 12M28 12H42M7 24H21"
"""One tile of the net of hexes, two columns wide."""
MOST_ROUNDED = 5_000
"""Hexes in view up to which the borders of terrain are curves."""
DOT = 3
"""The room that the mark of a place takes, in each direction."""
MOST_NAMED = 14
"""Units of a stack that are named for whoever points at it."""
SYMBOLS = (
    '<circle id="c-town" r="2.2"/><g id="c-reference"><circle r="2.6"/><circle r=".9" class="core"/></g>'
    '<circle id="c-dot" r="3.4" class="full"/><path id="c-partial" d="M-5-4h10v8h-10z" class="full"/>'
    '<path id="c-full" d="M-9-7.7L0-12 9-7.7V7.7L0 12-9 7.7z" class="full"/>'
    '<path id="port" d="M0-3v6M-2.6 1A2.7 2.7 0 0 0 2.6 1M-1.5-1.8h3"/>'
)


class Frame(Struct, frozen=True):
    """What part of the map is in the picture, and how near it is looked at."""

    middle: Cell
    columns: int
    rows: int
    counters: bool
    """Near enough for counters; from further off a stack is a coloured square."""
    hexes: bool
    """Near enough to make each hex a link, and to draw the net of hexes."""
    names: tuple[str, ...]
    """The classes of settlement that are named."""


class Marks(Struct, frozen=True):
    """What is drawn over the map: the hex that was picked, and a line or what stops it."""

    picked: Cell | None = None
    line: tuple[Cell, ...] = ()
    blocked: tuple[Cell, ...] = ()
    lines: tuple[tuple[Cell, ...], ...] = ()
    """The lines of many at once."""


class Pile(Struct, frozen=True):
    """A stack to draw: its top counter and how many there are."""

    cell: Cell
    name: str
    units: tuple[Unit, ...]


class Name(Struct, frozen=True):
    """Words written across an area."""

    cell: Cell
    words: str
    more: str


def view_box(lattice: Lattice, frame: Frame) -> tuple[int, int, int, int]:
    """The frame on the picture: left, top, width and height."""
    x, y = lattice.at(frame.middle)
    width, height = frame.columns * COLUMN + HALF_WIDTH, frame.rows * ROW + ROW // 2
    return x - width // 2, y - height // 2, width, height


def ground(lattice: Lattice, frame: Frame, hexes: Mapping[Cell, OutlineHex], sides: tuple[str, ...]) -> str:
    """What lies under everything else: terrain, owners, railways, borders and the front; the same for every seat."""
    shift = "" if lattice.is_low(1) else f' patternTransform="translate({COLUMN} 0)"'
    parts = [
        f'<defs>{SYMBOLS}<pattern id="net" width="{2 * COLUMN}" height="{ROW}" patternUnits="userSpaceOnUse"{shift}>'
        f'<path d="{GRID}" class="net"/></pattern></defs>',
        *_terrain(lattice, frame, hexes, sides),
        *_lines(lattice, hexes),
        *_borders(lattice, hexes),
    ]
    return "".join(parts)


def over_it(
    lattice: Lattice,
    frame: Frame,
    hexes: Mapping[Cell, OutlineHex],
    piles: Sequence[Pile],
    names: Iterable[Name],
    marks: Marks,
    link: Callable[[str], str],
) -> str:
    """Names, places and stacks; `link` gives the address that picks a hex, as it stands in an attribute."""
    box = view_box(lattice, frame)
    size = max(box[2] // 72, 6)
    half = max(12, size // 2 + 2)
    named = [hex_ for hex_ in hexes.values() if hex_.name and (hex_.city or "town") in frame.names]
    things: dict[Hashable, Box] = {(each.column, each.row): around(*_at(lattice, each), DOT) for each in named}
    things |= {each.cell: _stack(*lattice.at(each.cell), half) for each in piles}
    room = Room((box[0], box[1], box[0] + box[2], box[1] + box[3]), things)
    places = list(_names(lattice, named, size, {each.cell: half for each in piles}, room))
    parts = [
        # Below all that one reads: no line strikes a name out.
        *_marked(lattice, marks),
        *(_area(lattice, each, size, room, box) for each in names),
        *(_hex_links(lattice, box, hexes, link) if frame.hexes else ()),
        *(_place(lattice, frame, hex_, link) for hex_ in hexes.values() if hex_.city or hex_.port),
        *(_pile(lattice, frame, each, max(9, size // 2), link) for each in piles),
        *places,
    ]
    return "".join(parts)


def _at(lattice: Lattice, hex_: OutlineHex) -> tuple[int, int]:
    return lattice.at((hex_.column, hex_.row))


# ------------------------------------------------------------------------------------------------- the ground


def _path(css: str, d: str) -> str:
    return f'<path class="{css}" d="{d}"/>' if d else ""


def _terrain(lattice: Lattice, frame: Frame, hexes: Mapping[Cell, OutlineHex], sides: tuple[str, ...]) -> Iterable[str]:
    kinds: dict[str, set[Cell]] = {}
    owned: dict[str, set[Cell]] = {}
    for cell, hex_ in hexes.items():
        if hex_.terrain != CLEAR:
            kinds.setdefault(hex_.terrain if hex_.terrain in TERRAINS else "other", set()).add(cell)
        if hex_.owner:
            owned.setdefault(hex_.owner, set()).add(cell)
    whole = lattice.region(hexes.keys())
    yield _path("land", whole)
    # From far off nobody sees the corners of a hex, and curves would only be heavy.
    near = len(hexes) <= MOST_ROUNDED
    for kind in sorted(kinds):
        yield _path(f"t-{kind}", lattice.smooth_region(kinds[kind]) if near else lattice.region(kinds[kind]))
    for number, side in enumerate(sides):
        yield _path(f"o-{number}", lattice.region(owned.get(side, set())))
    if frame.hexes:
        yield f'<path d="{whole}" fill="url(#net)"/>'


def _lines(lattice: Lattice, hexes: Mapping[Cell, OutlineHex]) -> Iterable[str]:
    yield _path("river", lattice.through((cell, hex_.river) for cell, hex_ in hexes.items() if hex_.river))
    yield _path("road", lattice.through((cell, hex_.road) for cell, hex_ in hexes.items() if hex_.road))
    yield _path("rail", lattice.through((cell, hex_.rail) for cell, hex_ in hexes.items() if hex_.rail))
    yield _path("shut", net(lattice.side(cell, side) for cell, hex_ in hexes.items() for side in hex_.closed))


def _borders(lattice: Lattice, hexes: Mapping[Cell, OutlineHex]) -> Iterable[str]:
    """Where one area ends and the next begins, and where the hexes of one side touch those of another."""
    yield _path("md", net(lattice.between({cell: hex_.area for cell, hex_ in hexes.items()})))
    yield _path("front", net(lattice.between({cell: hex_.owner for cell, hex_ in hexes.items()})))


# ----------------------------------------------------------------------------------------------- on the ground


def _area(lattice: Lattice, name: Name, size: int, room: Room, view: tuple[int, int, int, int]) -> str:
    """The name of an area near its middle; where it finds no room shorter, then smaller, else left out."""
    big = Style(size * 5 // 4, capitals=True)
    for style, more in ((big, name.more), (big, ""), (Style(size, capitals=True), "")):
        spot = room.place(_spots_of_area(lattice, name, style, view, 1 if more else 0))
        if spot is not None:
            below = f'<tspan x="{spot.x}" dy="1.15em" class="small">{escape(more)}</tspan>' if more else ""
            words = f"{escape(name.words)}{below}"
            return f'<text class="area" x="{spot.x}" y="{spot.y}" font-size="{style.size}">{words}</text>'
    return ""


def _spots_of_area(
    lattice: Lattice, name: Name, style: Style, view: tuple[int, int, int, int], lines_below: int
) -> Iterable[tuple[Spot, Box]]:
    """Its middle, and from there further and further up, down and aside; at the edge of the picture, within it."""
    x, y = lattice.at(name.cell)
    left, top, width, height = view
    if not (left <= x <= left + width and top <= y <= top + height):
        return
    quarter, step = style.width(name.words) // 4, style.size * 2 // 3
    ways = ((across * quarter, down * step) for across in range(-2, 3) for down in range(-4, 5))
    for across, down in sorted(ways, key=lambda way: (abs(way[0]) + 2 * abs(way[1]), way)):
        spot = Spot(x + across, y + down)
        into = moved_into(style.box(name.words, spot, lines_below), (left, top, left + width, top + height))
        spot = Spot(spot.x + into[0], spot.y + into[1])
        yield spot, style.box(name.words, spot, lines_below)


def _hex_links(
    lattice: Lattice, box: tuple[int, int, int, int], hexes: Mapping[Cell, OutlineHex], link: Callable[[str], str]
) -> Iterable[str]:
    left, top, width, height = box
    for cell, hex_ in hexes.items():
        x, y = lattice.at(cell)
        if left < x < left + width and top < y < top + height:
            words = escape(f"{hex_.name or hex_.hex}, {hex_.terrain}")
            yield (
                f'<a href="{link(hex_.name or hex_.hex)}" tabindex="-1" aria-label="{words}">'
                f'<path class="spot" d="M{x - 7} {y - 12}h14l7 12-7 12h-14l-7-12z"/></a>'
            )


def _place(lattice: Lattice, frame: Frame, hex_: OutlineHex, link: Callable[[str], str]) -> str:
    x, y = lattice.at((hex_.column, hex_.row))
    port = f'<use href="#port" x="{x + 8}" y="{y - 5}" class="port"/>' if hex_.port not in ("", "no") else ""
    city = f'<use href="#c-{hex_.city}" x="{x}" y="{y}" class="city"/>' if hex_.city else ""
    named = hex_.city in frame.names
    what = "town" if hex_.city == "town" else f"{hex_.city} city" if hex_.city else "port"
    words = escape(f"{hex_.name or hex_.hex}, {what}")
    tab = "" if named else ' tabindex="-1"'
    return f'<a href="{link(hex_.name or hex_.hex)}" aria-label="{words}"{tab}>{city}{port}</a>'


def _names(
    lattice: Lattice, hexes: Iterable[OutlineHex], size: int, under: Mapping[Cell, int], room: Room
) -> Iterable[str]:
    """The names of places, the greatest first; where one would lie on another it stands above, beside, or nowhere."""
    for hex_ in sorted(hexes, key=lambda each: (-_rank(each), (each.column, each.row) not in under)):
        cell = (hex_.column, hex_.row)
        style = Style(size, bold=hex_.city in MAJOR)
        spots = _spots(*lattice.at(cell), size, under.get(cell, 0))
        spot = room.place(((each, style.box(hex_.name, each)) for each in spots), cell)
        if spot is not None:
            yield _name(hex_, spot, size)


def _rank(hex_: OutlineHex) -> int:
    return CITY_CLASSES.index(hex_.city) if hex_.city in CITY_CLASSES else -1


def _stack(x: int, y: int, half: int) -> Box:
    """The room that a stack takes, with the number on it."""
    return x - half, y - half, x + half + 2, y + half


def _spots(x: int, y: int, size: int, half: int) -> Iterable[Spot]:
    """Where a name may stand, the usual place first: below, above, to the right, to the left; clear of its stack."""
    yield Spot(x, y + (half + 2 + size * 4 // 5 if half else size + 4))
    yield Spot(x, y - (half + 4 if half else 6))
    # Beside a stack a little lower and clear of its number, which stands above.
    foot = y + (size // 2 if half else size // 3)
    yield Spot(x + (half + 7 if half else 7), foot, "start")
    yield Spot(x - (half + 3 if half else 7), foot, "end")


def _name(hex_: OutlineHex, spot: Spot, size: int) -> str:
    big = ' class="name big"' if hex_.city in MAJOR else ' class="name"'
    to = f' text-anchor="{spot.anchor}"' if spot.anchor else ""
    return f'<text{big} x="{spot.x}" y="{spot.y}" font-size="{size}"{to}>{escape(hex_.name)}</text>'


def _pile(lattice: Lattice, frame: Frame, pile: Pile, half: int, link: Callable[[str], str]) -> str:
    x, y = lattice.at(pile.cell)
    top, count = pile.units[0], len(pile.units)
    most = MOST_NAMED if frame.counters else 4
    names = ", ".join(each.id for each in pile.units[:most])
    words = escape(f"{pile.name}: {names}{f' and {count - most} more' if count > most else ''}")
    colours = colours_of(top.spec, top.id)
    if not frame.counters:
        drawn = (
            f'<rect class="pile" x="{x - half}" y="{y - half}" width="{2 * half}" height="{2 * half}" rx="2"'
            f' fill="{colours.ground}" stroke="{colours.ink}"/>'
            f'<text class="count" x="{x}" y="{y + half // 2}" font-size="{half * 1.3:g}"'
            f' fill="{colours.ink}">{count}</text>'
        )
        return f'<a class="stack" href="{link(pile.name)}" aria-label="{words}">{drawn}</a>'
    under = f'<rect x="{x - 9}" y="{y - 9}" width="22" height="22" rx="2" fill="{colours.ground}"'
    under = f'{under} stroke="{colours.ink}" stroke-width=".6"/>' if count > 1 else ""
    drawn = counter(top.spec, top.step, name=top.id, extra=f'x="{x - 12}" y="{y - 13}" width="24" height="24"')
    badge = f'<text class="count badge" x="{x + 15}" y="{y - 6}" font-size="9">{count}</text>' if count > 1 else ""
    return f'<a class="stack" href="{link(pile.name)}" aria-label="{words}">{under}{drawn}{badge}</a>'


def _marked(lattice: Lattice, marks: Marks) -> Iterable[str]:
    if marks.blocked:
        yield _path("blocked", lattice.region(set(marks.blocked)))
    if marks.line:
        d = lattice.line(marks.line)
        yield f'<path class="traced under" d="{d}"/><path class="traced" d="{d}"/>'
    if marks.lines:
        d = lattice.lines(marks.lines)
        yield f'<path class="traced under" d="{d}"/><path class="traced many" d="{d}"/>'
    if marks.picked is not None:
        yield _path("picked", lattice.region({marks.picked}))


def address(**fields: object) -> str:
    """The end of an address that asks for this page with other fields, ready for an attribute."""
    said = [f"{name}={quote(str(value), safe=':.,')}" for name, value in fields.items() if value not in ("", None)]
    return "?" + "&amp;".join(said)
