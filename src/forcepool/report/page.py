"""The report as one page of HTML that stands alone: a sheet a chart on paper, the same charts on a screen."""

from collections.abc import Collection
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from markupsafe import Markup

from forcepool.drawing.counters import counter, glyph_sheet
from forcepool.drawing.glyphs import is_aircraft
from forcepool.drawing.plots import plot
from forcepool.report.contents import A_ROW, ROWS, Curve, Report
from forcepool.report.words import HEADINGS, USUAL, listed, short_name
from forcepool.views.forcepool import Column, PoolUnit
from forcepool.views.losses import lower_steps
from forcepool.views.names import kind_in_words
from forcepool.views.said import sentence_said

if TYPE_CHECKING:
    from jinja2 import Environment

PAPERS = {"a4": "A4", "letter": "letter"}
MOST_LINES = 30
"""Lines of one kind under one clause; a longer list is for the screen."""
MOST_SENTENCES = 12
"""Sentences of one entry that are printed; the journal has the rest."""


@cache
def environment() -> "Environment":
    """Where the sheets' templates lie, and what they may call."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    env = Environment(
        loader=PackageLoader("forcepool.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {"counter": _counter, "plot": _plot, "short": short_name, "css": css_string}
    env.filters |= {"listed": _listed, "few": _few, "said": sentence_said, "kind": kind_in_words}
    env.tests["aircraft"] = is_aircraft
    env.globals |= {"HEADINGS": HEADINGS}
    return env


def as_html(
    report: Report, *, paper: str = "a4", large: bool = False, sheets: Collection[str] = USUAL, back: str = ""
) -> str:
    """The page; `paper` is a4 or letter, `large` is large print.

    Shown by the server it has a way `back` and a button to print it; else it stands alone.
    """
    units = [
        unit.spec
        for charts in report.sides
        for unit in chain(*(box.units for box in charts.pool.boxes), *(turn.units for turn in charts.pool.track))
    ]
    template = environment().get_template("report.html")
    return template.render(
        report=report,
        paper=PAPERS[paper],
        large=large,
        sheets=sheets,
        back=back,
        glyphs=Markup(glyph_sheet(units)),
        rows=rows,
        steps=lower_steps,
    )


def rows(track: tuple[Column, ...]) -> tuple[list[list[Column | None]], tuple[Column, ...]]:
    """The turn track in rows of four, each turn in its place of the month, and the turns too far off for a row."""
    now = next(column.turn for column in track if column.now)
    last = (now // A_ROW + ROWS) * A_ROW
    found: dict[int, list[Column | None]] = {}
    for column in track:
        row, place = divmod(column.turn, A_ROW)
        if column.turn < last:
            found.setdefault(row, [None] * A_ROW)[place] = column
    return list(found.values()), tuple(column for column in track if column.turn >= last)


def _counter(unit: PoolUnit) -> Markup:
    return Markup(counter(unit.spec, unit.step, name=unit.unit, marks=unit.marks, said=unit.marks_said))


def _plot(curve: Curve) -> Markup:
    return Markup(plot(f"points of {curve.nation}", curve.turns, curve.lines))


def _listed(lines: tuple[object, ...]) -> tuple[object, int]:
    return listed(lines, MOST_LINES)


def _few(sentences: tuple[str, ...]) -> tuple[object, int]:
    return listed(sentences, MOST_SENTENCES)


def css_string(text: str) -> Markup:
    """A text inside quotes in a style sheet: what could end the quotes or the sheet is written by its number."""
    plain = "".join(sign if sign.isalnum() or sign in " ,.·:()-'" else f"\\{ord(sign):x} " for sign in text)
    return Markup(plain.replace("'", "\\27 "))
