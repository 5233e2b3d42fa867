"""Rows of the board: drawn anew only where they show something new, and most show the same after an order."""

from collections.abc import Callable, Container, Hashable, Mapping
from functools import cached_property
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from forcepool.engine.state import Unit
from forcepool.engine.units import UnitSpec
from forcepool.views.board import Piece, leaves
from forcepool.views.names import pool_in_words
from forcepool.views.turn import agenda_line
from forcepool.web.checklist import tick_of
from forcepool.web.counters import drawn, parted
from forcepool.web.here import Here
from forcepool.web.render import drawing, environment

Name = tuple[str, str, str, str]
BOARDS = 16
"""Boards of one campaign whose rows are kept: as different chairs see it, and narrowed in different ways."""


class Shows(Struct, frozen=True):
    """All that a row shows."""

    piece: Piece
    counter: tuple[UnitSpec, str] | None
    kind: str
    told: bool
    """Whether the line above it tells who pays."""
    together: bool
    """Whether the title above it tells when it arrives."""
    ticked: bool
    planned: str


class Row(Struct):
    """The name under which a piece of the board is ticked, and its row as it was drawn last."""

    tick: str
    shows: Shows | None = None
    html: Markup = Markup("")


class Rows:
    """The rows of one board while it is drawn, and those of the board before."""

    def __init__(
        self,
        it: Here,
        showing: Hashable,
        units: Mapping[str, Unit],
        ticked: Container[str],
        planned: Callable[[Piece], str],
    ) -> None:
        self._it, self._units, self._ticked, self._planned = it, units, ticked, planned
        boards = it.table.rows
        self._before: dict[Name, Row] = boards.pop((it.seat.chair, showing), {})
        self._now: dict[Name, Row] = {}
        boards[it.seat.chair, showing] = self._now
        while len(boards) > BOARDS:
            del boards[next(iter(boards))]

    def tick(self, piece: Piece) -> str:
        """The name a piece is ticked under."""
        return self._found(piece).tick

    def row(self, piece: Piece, kind: str, told: str, together: str) -> Markup:
        """A piece as it stands on the board."""
        found, unit = self._found(piece), self._units.get(piece.unit)
        counter = (unit.spec, unit.step) if unit else None
        ticked = found.tick in self._ticked
        shows = Shows(piece, counter, kind, bool(told), bool(together), ticked, self._planned(piece))
        if shows != found.shows:
            picture = drawn(unit.spec, unit.step, unit.id) if unit else ""
            found.html = self._draw(piece, kind, told, together, found.tick, ticked, shows.planned, picture)
            found.shows = shows
        return found.html

    def _found(self, piece: Piece) -> Row:
        """What is known of a piece from before, or its name alone."""
        name = piece.unit, piece.item.kind, piece.item.clause, piece.item.sentence
        found = self._now.get(name)
        if found is None:
            found = self._now[name] = self._before.get(name) or Row(tick_of(agenda_line(piece.item)))
        return found

    @cached_property
    def _draw(self) -> Callable[..., Markup]:
        values: dict[str, Any] = {"parted": parted, "leaves": leaves, "pool_in_words": pool_in_words}
        module = environment().get_template("_piece.html").make_module(drawing(self._it) | values)
        one: Callable[..., Markup] = module.__dict__["one"]
        return one
