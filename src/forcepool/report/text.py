"""The report as plain text, narrow enough for a mailing list."""

import textwrap
from collections.abc import Iterable, Iterator

from forcepool.report.contents import Report, SideCharts
from forcepool.report.words import HEADINGS, listed, unit_on_a_line
from forcepool.views.forcepool import Box, Column, PoolUnit
from forcepool.views.names import kind_in_words
from forcepool.views.pools import PoolLine
from forcepool.views.said import sentence_said
from forcepool.views.turn import AgendaGroup

WIDTH = 76
TOGETHER = "\xa0"
"""A blank at which no line is broken."""
NOTE = "Note: "
MOST_LINES = 12
"""Lines of one kind under one clause; a longer list is for the screen."""


def as_text(report: Report) -> str:
    """The whole report, ending in a line end."""
    lines = [report.campaign, report.when, "=" * max(len(report.campaign), len(report.when))]
    for charts in report.sides:
        lines += _side(charts)
    lines += ["", *_heading(f"What happened in {report.told}")]
    lines += _happened(report) or ["  Nothing yet."]
    lines += ["", f"Entry {report.entry}, sealed {report.seal[:16]}"]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _side(charts: SideCharts) -> Iterator[str]:
    yield ""
    yield f"--- {charts.side.upper()} " + "-" * (WIDTH - 5 - len(charts.side))
    yield from _checklist(charts)
    if charts.pools.pools or charts.pools.coming:
        yield ""
        yield from _heading("Pools")
        yield from _pools(charts)
    due = [column for column in charts.pool.track if column.count]
    if due:
        yield ""
        yield from _heading("Turn track")
        for column in due:
            yield from _column(column)
    for box in charts.pool.boxes:
        yield ""
        yield from _heading(f"{box.name} ({box.count})")
        yield from _box(box)


def _heading(text: str) -> list[str]:
    return [text, "-" * len(text)]


def _wrapped(text: str, first: str = "  ", rest: str = "    ") -> Iterator[str]:
    wrapped = textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )
    yield from (line.replace(TOGETHER, " ") for line in wrapped)


def _checklist(charts: SideCharts) -> Iterator[str]:
    for kind, heading in HEADINGS.items():
        groups = charts.turn.of_kind(kind)
        if groups:
            yield ""
            yield from _heading(heading)
        for group in groups:
            yield from _group(group)


def _group(group: AgendaGroup) -> Iterator[str]:
    box = "[ ] " if group.kind != "news" else "- "
    if group.clause:
        yield from _wrapped(f"{group.title} ({group.clause})")
    shown, more = listed(group.lines, MOST_LINES)
    for line in shown:
        yield from _wrapped(sentence_said(line.text), f"    {box}", " " * (4 + len(box)))
    if more:
        yield f"    … and {more} more"


def _pools(charts: SideCharts) -> Iterator[str]:
    for line in charts.pools.pools:
        yield from _wrapped(_held(line), "  " + "  " * line.depth, "      ")
    for line in charts.pools.coming:
        yield from _wrapped(f"{_held(line)}, from {line.usable}")
    for line in charts.pools.allowances:
        yield from _wrapped(_held(line))


def _held(line: PoolLine) -> str:
    of = "" if line.nation in line.title else f" ({line.nation})"
    title = "transport" if line.level == "capacity" else line.title
    held = (f"{each.shown} {kind_in_words(each.kind)}".replace(" ", TOGETHER) for each in line.amounts)
    return f"{title}{of}: {', '.join(held)}"


def _column(column: Column) -> Iterator[str]:
    late = " (overdue)" if column.overdue else ""
    yield from _wrapped(f"{column.name}{late}: {_units(column.units)}")


def _box(box: Box) -> Iterator[str]:
    for shelf in box.shelves:
        yield from _wrapped(f"{shelf.title}: {_units(shelf.units)}" if shelf.title else _units(shelf.units))


def _units(units: Iterable[PoolUnit]) -> str:
    return ", ".join(unit_on_a_line(unit).replace(" ", TOGETHER) for unit in units)


def _happened(report: Report) -> list[str]:
    lines: list[str] = []
    for moment in report.happened:
        lines += _wrapped(moment.when.partition(", ")[2] or moment.when)
        for entry in moment.entries:
            lines += _wrapped(f"{entry.entry} {entry.said}", "    ", "        ")
            # A note says it all already.
            lines += _sentences(() if entry.said.startswith(NOTE) else entry.words)
    return lines


def _sentences(words: Iterable[str]) -> Iterator[str]:
    for sentence in words:
        yield from _wrapped(sentence_said(sentence), "      ", "        ")
