"""A map of points and lines as a picture: who holds each point, how much stands there, and what joins them."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from html import escape

from msgspec import Struct

from forcepool.drawing import labels
from forcepool.drawing.labels import Box, Room, Style, around

MARGIN, STUB = 70, 46
"""Around the points, and the length of a line that leads off the map."""
DOT, PORTION, NAME = 9, 26, 18
WAYS = {"west": (-1, 0), "east": (1, 0), "north": (0, -1), "south": (0, 1)}
EDGE = " edge"


class Spot(Struct, frozen=True):
    """A point: where it lies, whose it is, how many units one sees there, and where its link leads."""

    name: str
    at: tuple[int, int]
    owner: int
    """The number of the side that holds it, from 1; 0 for nobody."""
    units: int
    said: str
    href: str
    picked: bool = False


def network(spots: Sequence[Spot], joins: Iterable[tuple[str, str, str]]) -> str:
    """Points and lines; nothing where no point says where it lies. Lines to points that do not say so are left out."""
    if not spots:
        return ""
    places = {spot.name: spot.at for spot in spots}
    left, top = (min(at[axis] for at in places.values()) - MARGIN for axis in (0, 1))
    right, bottom = (max(at[axis] for at in places.values()) + MARGIN for axis in (0, 1))
    parts = [
        f'<svg class="network" role="group" aria-label="The points of the map and the lines between them" '
        f'viewBox="{left} {top} {right - left} {bottom - top}">'
    ]
    parts += sorted(filter(None, (_line(places, *join) for join in joins)))
    parts += [_spot(spot) for spot in spots]
    parts += _names(spots, (left, top, right, bottom))
    return "".join((*parts, "</svg>"))


def _line(places: Mapping[str, tuple[int, int]], one: str, other: str, kind: str) -> str:
    if one.endswith(EDGE):
        one, other = other, one
    if one not in places:
        return ""
    x, y = places[one]
    to = _off(x, y, other.removesuffix(EDGE)) if other.endswith(EDGE) else places.get(other)
    if to is None:
        return ""
    return f'<path class="line l-{escape(kind)}" d="M{x} {y}{_bend(kind, (x, y), to)}{to[0]} {to[1]}"/>'


def _bend(kind: str, frm: tuple[int, int], to: tuple[int, int]) -> str:
    """A line over water goes round, so that it does not lie on one by land between the same points."""
    if kind not in ("sea", "lake"):
        return "L"
    (x, y), (u, v) = frm, to
    return f"Q{(x + u) // 2 + (v - y) // 4} {(y + v) // 2 - (u - x) // 4} "


def _off(x: int, y: int, edge: str) -> tuple[int, int]:
    """The end of a line that leads off the map at an edge: 'southeast'."""
    across = sum(way[0] for name, way in WAYS.items() if name in edge)
    down = sum(way[1] for name, way in WAYS.items() if name in edge)
    return x + STUB * across, y + STUB * down


def _spot(spot: Spot) -> str:
    x, y = spot.at
    picked = f'<circle class="picked" cx="{x}" cy="{y}" r="{DOT + 7}"/>' if spot.picked else ""
    units = ""
    if spot.units:
        units = (
            f'<rect class="pile" x="{x + DOT - 1}" y="{y - DOT - 10}" width="{PORTION}" height="18" rx="4"/>'
            f'<text class="count" x="{x + DOT - 1 + PORTION // 2}" y="{y - DOT + 4}" text-anchor="middle">'
            f"{spot.units}</text>"
        )
    return (
        f'<a href="{escape(spot.href)}" data-patch aria-label="{escape(spot.said)}">{picked}'
        f'<circle class="spot n-{min(spot.owner, 2)}" cx="{x}" cy="{y}" r="{DOT}"/>{units}</a>'
    )


def _names(spots: Sequence[Spot], within: Box) -> Iterable[str]:
    """The names of the points, each where it lies on no other, no point and no number."""
    things: dict[Hashable, Box] = {}
    for each in spots:
        x, y = each.at
        things[each.name] = around(x, y, DOT)
        if each.units:
            things["units", each.name] = (x + DOT - 1, y - DOT - 10, x + DOT - 1 + PORTION, y - DOT + 8)
    room, style = Room(within, things), Style(NAME)
    for each in spots:
        found = room.place(((spot, style.box(each.name, spot)) for spot in _beside(*each.at)), each.name)
        if found is not None:
            to = found.anchor or "middle"
            yield f'<text class="name" x="{found.x}" y="{found.y}" text-anchor="{to}">{escape(each.name)}</text>'


def _beside(x: int, y: int) -> Iterable[labels.Spot]:
    """Where the name of a point may stand: below it, above, to the left, to the right, then askew."""
    yield labels.Spot(x, y + DOT + 17)
    yield labels.Spot(x, y - DOT - 7)
    yield labels.Spot(x - DOT - 4, y + 6, "end")
    yield labels.Spot(x + DOT + 4, y + 6, "start")
    for down in (DOT + 17, -DOT - 7):
        yield labels.Spot(x + DOT, y + down, "end")
        yield labels.Spot(x - DOT, y + down, "start")
