"""Who and what a scenario speaks of, with the place in its file where it does so first."""

from collections.abc import Iterator

from forcepool.engine.state import State
from forcepool.files.yamltext import Document, Path, Plain
from forcepool.games.europa.given import OB
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry

Mention = tuple[str, Path, int]
"""A name, where it stands in the scenario's file, and the line of the order of battle if it stands there."""


def entries(world: EuropaWorld) -> tuple[Entry, ...]:
    """The order of battle, line by line."""
    found: tuple[Entry, ...] = tuple(world.chart(OB))
    return found


def unit_path(document: Document, unit: str) -> Path:
    """Where a unit is set up; one the order of battle lists at start is spoken of there."""
    return ("units", unit) if document.value(("units", unit)) is not None else (OB,)


def nations(world: EuropaWorld, document: Document) -> Iterator[Mention]:
    """Each nation that has units, points, receipts or lines of the order of battle, where it is first named."""
    seen: set[str] = set()
    for name, path, line in _said(world, document):
        nation = world.nation_named(name) if name else ""
        if nation and nation not in seen:
            seen.add(nation)
            yield nation, path, line


def _said(world: EuropaWorld, document: Document) -> Iterator[Mention]:
    for path in _with_nations(document):
        yield str(document.value((*path, "nation")) or ""), path, 0
    pools = document.value(("pools",))
    for pool, held in pools.items() if isinstance(pools, dict) else ():
        for nation in held if isinstance(held, dict) else ():
            yield nation, ("pools", pool, nation), 0
    for entry in entries(world):
        yield entry.nation, (OB,), entry.line


def _with_nations(document: Document) -> Iterator[Path]:
    """Units, and lines of the charts that name a nation."""
    units = document.value(("units",))
    for name in units if isinstance(units, dict) else ():
        yield ("units", name)
    charts = document.value(("charts",))
    for name, rows in charts.items() if isinstance(charts, dict) else ():
        for index in range(len(rows) if isinstance(rows, list) else 0):
            yield ("charts", name, index)


def sides_with_units(world: EuropaWorld, state: State) -> set[str]:
    """The sides that have counters, now or by the order of battle."""
    coming = {entry.nation for entry in entries(world) if entry.nation}
    named = {world.nation_named(nation) for nation in coming} | {unit.spec.nation for unit in state.units.values()}
    return {world.side_now(state, nation) for nation in named}


SECTIONS = {"theatre": "theatres", "front": "fronts", "md": "mds"}


def area_path(document: Document, area: str) -> Path:
    """Where an area is listed; the section it belongs in, if a pool or place only mentions it."""
    kind, _, name = area.partition("/")
    section = SECTIONS.get(kind, "")
    listed = document.value((section,))
    for written in listed if isinstance(listed, dict) else ():
        if written.casefold() in (name, area):
            return (section, written)
    return (section,) if listed is not None else ()


def stated(document: Document, path: Path, name: str) -> Plain:
    """What a file says of a thing, not what holds where it says nothing."""
    return document.value((*path, name))
