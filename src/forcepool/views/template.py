"""Tables to fill in: a scenario's units, places, pools and charts as sheets, empty or as a scenario has them."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from forcepool import games
from forcepool.engine.game import Game
from forcepool.engine.sentence import Told
from forcepool.files.beside import is_file, is_named, leads_out
from forcepool.files.disk import whole_bytes
from forcepool.files.marks import Plain
from forcepool.files.sheets import XLSX, csv_of, xlsx_of
from forcepool.files.yamltext import Document
from forcepool.scenarios.columns import NAME, TABLES, VALUE, Layout, Unfit, layouts, takes, write_cell
from forcepool.scenarios.given import HELPS
from forcepool.scenarios.tabled import DATE, REMARK
from forcepool.views.near import did_you_mean
from forcepool.views.orders import field_help
from forcepool.views.scenarios import ENDING, game_of, scenario_names, shipped_scenario

FOLDER, SCENARIO = "tables", "scenario"
SETTINGS = ("house_rules", "numbers", "dates")
"""Sections that are a few lines of a scenario, and tables only on demand."""
TITLE = "A campaign of our own"

Rows = list[list[str]]


class Template(Struct, frozen=True):
    """A scenario in two parts: tables, and the rest of it as a file."""

    rest: dict[str, Plain]
    tables: dict[str, Rows]
    """By the name of the section: headings, a row of help, and what the scenario has."""
    beside: dict[str, bytes] = {}
    """What lies beside the scenario and is named in it: its order of battle, its map."""


def empty(game: Game, wanted: Collection[str] = (), *, everything: bool = False) -> Template:
    """Tables without rows, with the columns that shipped scenarios of the game use, or with all there are."""
    known = _layouts(game, wanted)
    used = _used_by_those_that_ship(game, known)
    tables = {}
    for name, layout in known.items():
        plain = len(layout.path) == 1 and name not in SETTINGS
        if everything or name in wanted or (plain and used.get(name)):
            said = layout.columns if everything or name not in used else used[name]
            tables[name] = _headed(game, layout, [each for each in said if each not in layout.keys])
    return Template({"game": game.name, "title": TITLE}, tables)


def filled(document: Document, wanted: Collection[str] = (), *, everything: bool = False) -> Template:
    """The tables of a scenario as it is; what no table can hold stays in its file."""
    game = games.game(game_of(document))
    known = _layouts(game, wanted)
    rest: dict[str, Plain] = dict(document.data) if isinstance(document.data, dict) else {}
    if TABLES in rest:
        raise Told(f"{document.file} has tables already; copy them, or take the scenario they were made from")
    tables = {}
    for name, layout in known.items():
        if name in SETTINGS and name not in wanted and not everything:
            continue
        said = _section(rest, layout)
        if said:
            try:
                rows = _rows(layout, said)
            except Unfit:
                continue
            _take_out(rest, layout)
            columns = list(dict.fromkeys(column for row in rows for column in row if column not in layout.keys))
            if layout.columns:
                columns = [each for each in layout.columns if everything or each in columns]
            headed = _headed(game, layout, columns)
            tables[name] = headed + [[row.get(each, "") for each in (*layout.keys, *columns)] for row in rows]
        elif name in wanted or everything:
            tables[name] = _headed(game, layout, list(layout.columns))
    return Template(rest, tables, dict(_beside(rest, Path(document.file))))


def _beside(rest: Mapping[str, Plain], file: Path) -> Iterator[tuple[str, bytes]]:
    """The files of one's own that a scenario names and that do not ship."""
    for value in rest.values():
        if isinstance(value, str) and is_named(value, ".ob", ".map") and is_file(file):
            near = file.parent / value.strip()
            if is_file(near) and not leads_out(value.strip(), str(file)):
                yield value.strip(), near.read_bytes()


def write(template: Template, out: Path, *, delimiter: str = ",") -> list[Path]:
    """Write a template: a folder with CSV files, or a spreadsheet with the scenario beside it; what was written."""
    if out.suffix.casefold() in XLSX:
        scenario, named = out.with_suffix(ENDING), out.name
        contents = {out: xlsx_of(template.tables.items())}
    else:
        scenario, named = out / f"{SCENARIO}{ENDING}", FOLDER
        contents = {out / FOLDER / f"{name}.csv": csv_of(rows, delimiter) for name, rows in template.tables.items()}
    rest = {**template.rest, TABLES: named}
    text = yaml.safe_dump(rest, allow_unicode=True, sort_keys=False, width=120)
    contents[scenario] = f"# The tables are in {named}; everything else stands here.\n{text}".encode()
    for name, content in template.beside.items():
        if not (scenario.parent / name).exists():
            contents[scenario.parent / name] = content
    for path in contents:
        if path.exists():
            raise Told(f"{path} is there already; give another name, or move it away")
    for path, content in contents.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        whole_bytes(path, content)
    return [scenario, *(each for each in contents if each != scenario)]


# -------------------------------------------------------------------------------------------------- sections


def _layouts(game: Game, wanted: Iterable[str]) -> dict[str, Layout]:
    if game.words is None:
        raise Told(f"{game.title} does not say what its scenarios may hold, so there are no tables to fill in for it")
    known = layouts(game.words())
    for name in wanted:
        if name not in known:
            raise Told(f"there is no table '{name}'; {did_you_mean(name, known)}")
    return known


def _section(data: Mapping[str, Any], layout: Layout) -> Any:
    found: Any = data
    for step in layout.path:
        found = found.get(step) if isinstance(found, Mapping) else None
    return found


def _take_out(rest: dict[str, Plain], layout: Layout) -> None:
    """Leave a section out of the scenario, and the group around it if nothing else is in it."""
    group, *inner = layout.path
    around = rest[group]
    if inner and isinstance(around, dict):
        rest[group] = {name: each for name, each in around.items() if name != inner[0]}
        if not rest[group]:
            del rest[group]
    else:
        del rest[group]


def _used_by_those_that_ship(game: Game, known: Mapping[str, Layout]) -> dict[str, list[str]]:
    """The columns of each table that a shipped scenario of the game has something in."""
    found: dict[str, dict[str, None]] = {}
    for document in map(shipped_scenario, scenario_names()):
        if game_of(document) != game.name or not isinstance(document.data, dict):
            continue
        for name, layout in known.items():
            for row in _entries(layout, _section(document.data, layout)):
                found.setdefault(name, {}).update(dict.fromkeys(row))
    return {
        name: [each for each in known[name].columns or columns if each in columns] for name, columns in found.items()
    }


def _entries(layout: Layout, said: Any) -> Iterator[dict[str, Plain]]:
    """Each row of a section by its columns, keys among them."""
    if not layout.keys:
        for each in said or ():
            yield each if isinstance(each, dict) and not layout.is_single else {VALUE: each}
        return
    if said is not None and not isinstance(said, Mapping):
        raise Unfit
    yield from _below(layout, said or {}, {})


def _below(layout: Layout, said: Mapping[str, Any], above: dict[str, Plain]) -> Iterator[dict[str, Plain]]:
    key = layout.keys[len(above)]
    for name, value in said.items():
        names: dict[str, Plain] = {**above, key: name}
        if layout.is_single:
            yield {**names, VALUE: value}
        elif value is not None and not isinstance(value, Mapping):
            raise Unfit
        elif len(names) < len(layout.keys):
            yield from _below(layout, value or {}, names)
        else:
            yield {**names, **(value or {})}


def _rows(layout: Layout, said: Any) -> list[dict[str, str]]:
    return [{name: _cell(layout, name, value) for name, value in row.items()} for row in _entries(layout, said)]


def _cell(layout: Layout, name: str, value: Plain) -> str:
    type_ = str if name in layout.keys else layout.columns.get(name, layout.value)
    text = write_cell(value, type_)
    if DATE.fullmatch(text) or (name in (*layout.keys, *list(layout.columns)[:1]) and text.startswith(REMARK)):
        raise Unfit
    return text


# ------------------------------------------------------------------------------------------------------ help


def _headed(game: Game, layout: Layout, columns: list[str]) -> Rows:
    """The names of the columns, and under them a row that tells what each takes and that is not read."""
    headings = [*layout.keys, *columns]
    helps = [_help(game, layout, each) for each in headings]
    return [headings, [f"{REMARK[0]} {helps[0]}".strip(), *helps[1:]] if headings else []]


def _help(game: Game, layout: Layout, column: str) -> str:
    if column in layout.keys:
        return f"its {column}" if column != layout.keys[0] or column == NAME else f"the name of each {column}"
    assert game.words is not None
    facts = {fact.name: fact for fact in game.facts}
    own = field_help(layout.record) if layout.record is not None else {}
    about = {**HELPS, **game.words().helps, **own}.get(column, "")
    if not about and column in facts:
        values = ", ".join(filter(None, facts[column].values))
        about = facts[column].about + (f": {values}" if values else "")
    kind = takes(layout.columns.get(column, layout.value))
    return f"{about} ({kind})" if about and kind else about or kind
