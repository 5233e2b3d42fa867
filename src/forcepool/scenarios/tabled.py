"""Tables beside a scenario: rows of CSV and XLSX files laid into it, each cell with the place it stands at.

A scenario names its files under `tables`: a file, several, a folder, or for each section its own. A .csv file is the
section its name says, an .xlsx file has a sheet for each. What follows is as if the rows stood in the scenario itself.
"""

import re
from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path as FilePath
from typing import Any

from msgspec import Struct

from forcepool.files.beside import found_beside, is_folder, leads_out
from forcepool.files.marks import Marks, Path, Plain, Spot
from forcepool.files.problems import BadFile, Problem, cell_name
from forcepool.files.scalars import MOST_WORDS, suggestion
from forcepool.files.sheets import CSV, ENDINGS, LOOKED_AT, Sheet, plain_name, read_sheets
from forcepool.files.yamltext import Document
from forcepool.scenarios.columns import NAME, TABLES, VALUE, Layout, layouts, read_cell

REMARK = ("#", "_")
"""How the name of a column or a sheet begins that is for its author alone; a row is one if it begins with the first."""
SHEET = "#"
"""Between the name of a spreadsheet and that of the one sheet that is meant."""
SHEET_OF = re.compile(r"[.]xls[xm]#", re.IGNORECASE)
_MONTH = (
    "(?:jan|janv|feb|fév|févr|mar|mär|mrz|mars|apr|avr|may|mai|jun|juin|jul|juil|aug|août|sep|sept|oct|okt|nov|dec|dez"
    "|déc)[.]?"
)
DATE = re.compile(
    rf"[0-9]{{1,2}}[-.] ?{_MONTH}(?:[- ][0-9]{{2,4}})?|{_MONTH}-[0-9]{{2,4}}|{_MONTH} (?:0?[1-9]|[12][0-9]|3[01])"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[ T][0-9:.]+)?|[0-9]{1,2}([./])[0-9]{1,2}\1[0-9]{2,4}",
    re.IGNORECASE,
)
"""What spreadsheets make of 7-6, of 1/2 and of Oct 41."""
BROKEN = re.compile(r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NUM!|NULL!|SPILL!|BEZUG!|NV|WERT!|ZAHL!|[#]{2,})")
DATED = "it was typed as something like 7-6, 1/2 or Oct 41, and the spreadsheet made a date of it"
DATED_HINT = "set the column to the format Text, then type it again; or type an apostrophe first: '7-6"


class Table(Struct, frozen=True):
    """A sheet, and the section it is."""

    layout: Layout
    sheet: Sheet


def with_tables(document: Document, path: Path, words: Any) -> Document:
    """A document with the rows of the tables it names laid into it; BadFile with all that is wrong in them."""
    given = document.value(path)
    if not isinstance(given, dict) or given.get(TABLES) is None:
        return document
    return _Layer(document, path, layouts(words)).laid()


class _Layer:
    """Lays tables into a copy of a document, gathering every problem with its cell."""

    def __init__(self, document: Document, path: Path, known: dict[str, Layout]) -> None:
        self.document, self.path, self.known = document, path, known
        self.problems: list[Problem] = []

    def laid(self) -> Document:
        data, marks = _copied(self.document.data), _marks_copied(self.document.marks)
        tables = list(self.tables())
        given, around = _at(data, marks, self.path)
        for each in tables:
            self.lay(each, given, around)
        if self.problems:
            raise BadFile(self.problems)
        return Document(self.document.file, data, marks)

    # --------------------------------------------------------------------------------- which file is what

    def tables(self) -> Iterator[Table]:
        """Every table that is named, in order."""
        path = (*self.path, TABLES)
        named = self.document.value(path)
        if isinstance(named, dict):
            for section, files in named.items():
                layout = self.section(section, self.document.problem((*path, section), "", at_key=True))
                for name, at in _listed(files, (*path, section)) if layout else ():
                    yield from self.of_file(name, at, layout)
            return
        for name, at in _listed(named, path):
            yield from self.of_file(name, at, None)

    def section(self, name: str, at: Problem) -> Layout | None:
        layout = self.known.get(plain_name(name.rpartition(".")[2] if name.startswith("charts.") else name))
        if layout is None:
            hint = suggestion(name, list(self.known)) or f"there are {_some(self.known)}"
            message = f"{at.message}there is no table '{name}'"
            self.problems.append(Problem(at.file, at.line, at.column, message, hint))
        return layout

    def of_file(self, name: str, at: Path, layout: Layout | None) -> Iterator[Table]:
        try:
            file, _, wanted = name.strip().partition(SHEET) if SHEET_OF.search(name) else (name.strip(), "", "")
            for label, content in _contents(file, self.document.file):
                yield from self.of_sheets(label, content, layout, wanted)
        except BadFile as error:
            self.problems += error.problems
        except (OSError, ValueError) as error:
            self.problems.append(self.document.problem(at, str(error)))

    def of_sheets(self, label: str, content: bytes, layout: Layout | None, wanted: str) -> Iterator[Table]:
        if layout is None and label.casefold().endswith(CSV):
            layout = self.section(FilePath(label).stem, Problem(label, 1, 1, ""))
            if layout is None:
                return
        sheets = read_sheets(content, label, (*layout.headings, NAME) if layout else ())
        if wanted:
            chosen = [each for each in sheets if plain_name(each.name) == plain_name(wanted)]
        elif layout is not None and len(sheets) > 1:
            chosen = [each for each in sheets if plain_name(each.name) == plain_name(layout.name)]
        else:
            chosen = [each for each in sheets if not each.name.startswith(REMARK)]
        if not chosen and sheets and (wanted or layout):
            message = f"there is no sheet '{wanted or (layout.name if layout else '')}'"
            raise BadFile([Problem(label, 1, 1, message, suggestion(wanted, [each.name for each in sheets]))])
        for sheet in chosen:
            if sheet.rows and (found := layout or self.section(sheet.name, sheet.problem(1, 1, _ALONE))):
                yield Table(found, sheet)

    # -------------------------------------------------------------------------------------- rows and cells

    def lay(self, table: Table, given: dict[str, Plain], around: Marks) -> None:
        """Add the rows of a table to its section."""
        sheet, head = table.sheet, self.heading(table)
        if head is None:
            return
        where = self.columns(table, head)
        group, marks = _section(given, around, table.layout, sheet.file)
        if group is None or marks is None or not where:
            return  # What stands there is no section: its own problem is told when the file is read.
        for number, row in enumerate(sheet.rows[head:], head + 1):
            if not _is_remark(row) and (said := self.said(sheet, number, where, row)):
                self.row(table, number, where, said, group, marks)

    def heading(self, table: Table) -> int | None:
        """The number of the row that names the columns: there may be titles above it."""
        layout, sheet = table.layout, table.sheet
        names = _names(layout)
        for number, row in enumerate(sheet.rows[:LOOKED_AT], 1):
            said = [names.get(plain_name(each)) for each in row if each]
            if layout.keys[0] in said if layout.keys else 0 < len(said) <= 2 * sum(map(bool, said)):
                return number
        first = next((number for number, row in enumerate(sheet.rows, 1) if row), 1)
        wanted = f"a column '{layout.keys[0]}'" if layout.keys else "the names of its columns"
        message = f"no row above the table of {layout.name} has {wanted}"
        self.problems.append(sheet.problem(first, 1, message, f"columns are {_some(layout.headings)}"))
        return None

    def columns(self, table: Table, head: int) -> dict[str, int]:
        """Where each column stands; none if a row could not be told from another."""
        layout, sheet = table.layout, table.sheet
        names, row = _names(layout), sheet.rows[head - 1]
        found: dict[str, int] = {}
        for at, text in enumerate(row, 1):
            name = names.get(plain_name(text)) or (text if layout.is_free else "")
            if not text or text.startswith(REMARK):
                continue
            if not name:
                hint = suggestion(text, layout.headings) or f"columns are {_some(layout.headings)}"
                message = f"a table of {layout.name} has no column '{text}'"
                self.problems.append(sheet.problem(head, at, message, f"{hint}; {_REMARKS}"))
            elif DATE.fullmatch(text):
                self.problems.append(sheet.problem(head, at, f"'{text}' is a date: {DATED}", DATED_HINT))
            elif name in found:
                message = f"the column '{text}' is there twice, first in {cell_name(head, found[name])}"
                self.problems.append(sheet.problem(head, at, message, _ONE))
            else:
                found[name] = at
        self.nameless(sheet, head)
        missing = [key for key in layout.keys if key not in found]
        for key in missing:
            message = f"a table of {layout.name} needs a column '{key}'"
            self.problems.append(sheet.problem(head, 1, message, f"add it to row {head}"))
        return {} if missing else found

    def nameless(self, sheet: Sheet, head: int) -> None:
        """Tell of columns that hold something and have no name, at the first cell of each."""
        named = {at for at, text in enumerate(sheet.rows[head - 1], 1) if text}
        for number, row in enumerate(sheet.rows[head:], head + 1):
            for at, text in enumerate(row, 1):
                if text and at not in named and not _is_remark(row):
                    named.add(at)
                    message = f"'{text}' stands in a column that has no name in row {head}"
                    self.problems.append(sheet.problem(number, at, message, f"name the column or empty it; {_REMARKS}"))

    def said(self, sheet: Sheet, number: int, where: dict[str, int], row: list[str]) -> dict[str, str]:
        """The cells of a row by column; none if one of them is what a spreadsheet made of something else."""
        said = {name: row[at - 1] for name, at in where.items() if at <= len(row) and row[at - 1]}
        before = len(self.problems)
        for name, text in said.items():
            if DATE.fullmatch(text):
                message = f"'{text}' is a date: {DATED}"
                self.problems.append(sheet.problem(number, where[name], message, DATED_HINT))
            elif BROKEN.fullmatch(text):
                message = f"'{text}' is what a spreadsheet writes for what it cannot work out or show"
                self.problems.append(sheet.problem(number, where[name], message, "mend the cell, or widen its column"))
        return said if len(self.problems) == before else {}

    def row(
        self, table: Table, number: int, where: dict[str, int], said: dict[str, str], group: "Group", marks: Marks
    ) -> None:
        """Read the cells of a row, and put it in its section."""
        layout, sheet = table.layout, table.sheet
        if missing := [key for key in layout.keys if key not in said]:
            hint = f"write it in every row, also where cells are merged; begin a remark with {REMARK[0]}"
            self.problems.append(sheet.problem(number, where[missing[0]], f"the row has no {missing[0]}", hint))
            return
        values: dict[str, Plain] = {}
        for name, text in said.items():
            try:
                if name not in layout.keys:
                    values[name] = read_cell(text, layout.value if layout.is_free else layout.columns[name])
            except ValueError as error:
                self.problems.append(sheet.problem(number, where[name], str(error)))
        spots: dict[str, Spot] = {name: (number, where[name]) for name in values}
        names = [(said[key], (number, where[key])) for key in layout.keys]
        inside: dict[str | int, Marks | Spot] = dict(spots.items())
        here = Marks(names[0][1] if names else min(spots.values()), spots, inside, sheet.file)
        value = values.get(VALUE) if layout.is_single else values
        if isinstance(group, list):
            marks.inside[len(group)] = here
            group.append(value)
        else:
            self.put(sheet, names, value, here, group, marks)

    def put(
        self,
        sheet: Sheet,
        names: list[tuple[str, Spot]],
        value: Plain,
        here: Marks,
        group: dict[str, Plain],
        marks: Marks,
    ) -> None:
        """Put a row under its names; what is there already is told."""
        *above, (name, spot) = names
        for outer, at in above:
            marks.keys.setdefault(outer, at)
            inner, below = marks.inside.setdefault(outer, Marks(at, {}, {}, sheet.file)), group.setdefault(outer, {})
            if not isinstance(inner, Marks) or not isinstance(below, dict):
                return
            group, marks = below, inner
        if name in group:
            self.problems.append(sheet.problem(*spot, f"'{name}' is given twice, first {_place(marks, name)}", _ONE))
        else:
            group[name], marks.keys[name], marks.inside[name] = value, spot, here


Group = dict[str, Plain] | list[Plain]
_ONE = "keep one of the two"
_ALONE = "the name of a sheet tells what it is: "
_REMARKS = f"begin a column of remarks with {REMARK[0]}"


def _some(words: Iterable[str]) -> str:
    """Words, or the first of them if they are many."""
    listed = list(words)
    return ", ".join(listed[:MOST_WORDS]) + (" and others" if len(listed) > MOST_WORDS else "")


def _names(layout: Layout) -> dict[str, str]:
    """What the columns of a table may be called, as it is compared, each with its own name."""
    names = {plain_name(each): each for each in layout.headings}
    if layout.keys:
        names.setdefault(NAME, layout.keys[0])
    if layout.is_single:
        names.setdefault(plain_name(layout.name), VALUE)
    return names


def _is_remark(row: list[str]) -> bool:
    """Whether a row is empty, or for its author alone."""
    first = next(filter(None, row), REMARK[0])
    return first.startswith(REMARK[0]) and not BROKEN.fullmatch(first)


def _place(marks: Marks, name: str) -> str:
    inside = marks.inside[name]
    row = marks.keys[name][0]
    if isinstance(inside, Marks) and inside.file:
        return f"in row {row} of {inside.file}"
    return f"on line {row} of the scenario"


def _listed(named: Plain, path: Path) -> Iterable[tuple[str, Path]]:
    if isinstance(named, str):
        return [(named, path)]
    listed = named if isinstance(named, list) else []
    return [(each, (*path, at)) for at, each in enumerate(listed) if isinstance(each, str)]


def _contents(name: str, asks: str) -> Iterator[tuple[str, bytes]]:
    """The file of a name beside a scenario, or every table in the folder of that name, each with what it is called."""
    folder = FilePath(asks).parent / name
    if is_folder(folder) and not leads_out(name, asks):
        inside = sorted(each for each in folder.iterdir() if each.suffix.casefold() in ENDINGS and each.name[0] != "~")
        if not inside:
            raise ValueError(f"there is no table in the folder '{name}'; tables end in {', '.join(ENDINGS)}")
        for each in inside:
            yield str(each), each.read_bytes()
        return
    found: Traversable = found_beside(name, asks)
    yield str(found) if isinstance(found, FilePath) else name, found.read_bytes()


# --------------------------------------------------------------------------------------------------- copies


def _copied(data: Plain) -> Plain:
    if isinstance(data, dict):
        return {name: _copied(each) for name, each in data.items()}
    return [_copied(each) for each in data] if isinstance(data, list) else data


def _marks_copied(marks: Marks | Spot) -> Marks | Spot:
    if not isinstance(marks, Marks):
        return marks
    inside = {name: _marks_copied(each) for name, each in marks.inside.items()}
    return Marks(marks.at, dict(marks.keys), inside, marks.file)


def _at(data: Plain, marks: Marks | Spot, path: Path) -> tuple[dict[str, Plain], Marks]:
    """The group at a path, known to be there, and its marks."""
    value: Any = data
    for step in path:
        value = value[step]
        assert isinstance(marks, Marks)
        marks = marks.inside[step]
    assert isinstance(marks, Marks)
    return value, marks


def _section(given: dict[str, Plain], around: Marks, layout: Layout, file: str) -> tuple[Group | None, Marks | None]:
    """The section a table adds to, made if it is not there yet."""
    group: Any = given
    marks: Any = around
    for depth, step in enumerate(layout.path, 1):
        last = depth == len(layout.path)
        if group.get(step) is None:
            group[step] = [] if last and not layout.keys else {}
            marks.inside[step] = Marks(marks.at, {}, {}, file)
        group, marks = group[step], marks.inside[step]
        if not isinstance(group, list if last and not layout.keys else dict) or not isinstance(marks, Marks):
            return None, None
    return group, marks
