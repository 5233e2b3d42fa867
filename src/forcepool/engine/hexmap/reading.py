"""Reading a map file: every fault in it at once, each with its line and column."""

import pathlib
from collections.abc import Iterator
from importlib.resources import files

from forcepool.engine.hexmap.drawing import (
    CITY_CLASSES,
    LINES,
    LOW_COLUMNS,
    NO_HEX,
    UNMARKED,
    USUAL_TERRAIN,
    Drawing,
    rows_of,
)
from forcepool.engine.hexmap.grid import BadHex
from forcepool.engine.hexmap.hexmap import HexMap
from forcepool.files.beside import is_file, leads_out
from forcepool.files.problems import BadFile, Problem
from forcepool.files.shape import shape
from forcepool.files.yamltext import Document, Path, read_yaml, read_yaml_file

MOST_ACROSS = 99
"""Columns and rows have two digits each."""


def read_map(document: Document, path: Path = (), text: str = "") -> Drawing:
    """The map a document draws at a path, or BadFile; `text` is the document's own, to find columns in rows."""
    drawing: Drawing = shape(document, path, Drawing)
    checker = _Checker(document, path, drawing, text.split("\n"))
    checker.check()
    return drawing


def read_map_file(name: str, document: Document, path: Path = ()) -> Drawing:
    """The map file a scenario names: in the scenario's own folder, else among those that ship."""
    if leads_out(name, document.file):
        hint = "give its path from the scenario's folder on"
        raise BadFile([document.problem(path, f"'{name}' leads out of the scenario's folder", hint)])
    near = pathlib.Path(document.file).parent / name
    shipped = files("forcepool") / "scenarios" / name
    if is_file(near) and is_file(pathlib.Path(document.file)):
        return read_map(read_yaml_file(near), (), near.read_text("utf-8-sig"))
    if pathlib.PurePath(name).name != name or not is_file(shipped):
        raise BadFile([document.problem(path, f"there is no map file '{name}'", "give its path from this file on")])
    text = shipped.read_text("utf-8")
    return read_map(read_yaml(text, name), (), text)


class _Checker:
    """Looks through a map, gathering what is wrong."""

    def __init__(self, document: Document, path: Path, drawing: Drawing, lines: list[str]) -> None:
        self.document, self.path, self.drawing, self.lines = document, path, drawing, lines
        self.problems: list[Problem] = []

    def bad(self, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> None:
        self.problems.append(self.document.problem((*self.path, *path), message, hint, at_key=at_key))

    def check(self) -> None:
        drawing = self.drawing
        if drawing.low_columns not in LOW_COLUMNS:
            self.bad(("low_columns",), f"'{drawing.low_columns}' columns cannot be low", "write even or odd")
        for kind in drawing.lines:
            if kind not in LINES:
                self.bad(("lines", kind), f"there are no lines '{kind}'", f"lines are {', '.join(LINES)}", at_key=True)
        for layer in ("terrain", "areas", "owners"):
            for letter in getattr(drawing, layer):
                if len(letter) != 1 or not letter.isascii() or letter in (NO_HEX, " "):
                    self.bad((layer, letter), f"'{letter}' is not one letter", "use one sign for each", at_key=True)
        for letter, area in drawing.areas.items():
            if not area.named():
                self.bad(("areas", letter), f"'{letter}' names no area", "give md, front, theatre or sea")
        if not drawing.sheets:
            self.bad(("sheets",), "the map has no sheets", "draw at least one")
        for name in drawing.sheets:
            self.sheet(name)
        if self.problems:
            raise BadFile(self.problems)
        self.hexes()
        if self.problems:
            raise BadFile(self.problems)

    # ------------------------------------------------------------------------------------------ sheets

    def sheet(self, name: str) -> None:
        sheet, path = self.drawing.sheets[name], ("sheets", name)
        rows = rows_of(sheet.terrain)
        if ":" in name or not name.strip():
            self.bad(path, f"a sheet cannot be called '{name}'", "use letters and digits, such as 9A", at_key=True)
        if not (len(sheet.first) == 4 and sheet.first.isascii() and sheet.first.isdigit()):
            self.bad((*path, "first"), f"'{sheet.first}' is no number of a hex", "write four digits, such as 0101")
        elif rows:
            high, wide = int(sheet.first[2:]) + len(rows) - 1, int(sheet.first[:2]) + max(map(len, rows)) - 1
            if max(high, wide) > MOST_ACROSS:
                message = f"sheet {name} would need hex {wide}{high:02d}, and a number has four digits"
                self.bad(path, message, "divide it into several sheets", at_key=True)
        if not any(letter != NO_HEX for row in rows for letter in row):
            self.bad((*path, "terrain"), f"sheet {name} has no hexes", "draw a row of letters for each row of hexes")
        known = {"terrain": {*USUAL_TERRAIN, *self.drawing.terrain}}
        known |= {layer: {UNMARKED, *getattr(self.drawing, layer)} for layer in ("areas", "owners")}
        for layer, letters in known.items():
            self.rows((*path, layer), getattr(sheet, layer), {*letters, NO_HEX}, rows)

    def rows(self, path: Path, text: str, known: set[str], hexes: list[str]) -> None:
        layer = str(path[-1])
        for number, row in enumerate(rows_of(text)):
            drawn = len(hexes[number]) if number < len(hexes) else 0
            if layer != "terrain" and len(row) > drawn:
                message = f"row {number + 1} of {layer} is longer than the sheet: {len(row)} letters for {drawn} hexes"
                self.in_row(path, number, drawn, message, "leave out the rest")
            for column, letter in enumerate(row):
                if letter not in known:
                    what = f"'{letter}' stands for nothing in {layer}" if letter != " " else f"a blank in {layer}"
                    hint = f"say what it is under {layer}:, or write {NO_HEX} where there is no hex"
                    self.in_row(path, number, column, what, hint)
                    break

    def in_row(self, path: Path, row: int, column: int, message: str, hint: str) -> None:
        """A problem inside a block of rows, whose first line is the one after its name."""
        at = self.document.where((*self.path, *path))
        line = at.line + 1 + row
        before = self.document.where_key((*self.path, *path)).column + 1
        if line <= len(self.lines):
            first = self.lines[at.line]
            before = len(first) - len(first.lstrip(" "))
        self.problems.append(Problem(at.file, line, before + column + 1, message, hint))

    # ------------------------------------------------------------------------- what refers to hexes

    def hexes(self) -> None:
        drawing = self.drawing
        taken: dict[str, str] = {}
        try:
            bare = HexMap(Drawing(drawing.sheets, low_columns=drawing.low_columns, terrain=drawing.terrain))
        except BadHex as error:
            self.bad(("sheets",), str(error))
            return
        for name, place in drawing.places.items():
            path: Path = ("places", name)
            if place.city and place.city not in CITY_CLASSES:
                self.bad((*path, "city"), f"'{place.city}' is no class of city", f"it is {', '.join(CITY_CLASSES)}")
            if place.airbase < 0:
                self.bad((*path, "airbase"), "an airbase cannot have less than no capacity")
            try:
                label = bare.grid.label(bare.grid.find(place.hex))
            except BadHex as error:
                self.bad((*path, "hex"), str(error))
                continue
            if label in taken:
                self.bad((*path, "hex"), f"{place.hex} is {taken[label]} already", "give each place its own hex")
            taken.setdefault(label, name)
        if not self.problems:
            for path, why in self.faults():
                self.bad(path, why)

    def faults(self) -> Iterator[tuple[Path, str]]:
        """Railways, roads, rivers and hexsides that cannot be drawn."""
        for fault in HexMap(self.drawing).faults:
            yield (
                (("hexsides", fault.line) if fault.kind == "hexsides" else ("lines", fault.kind, fault.line)),
                fault.why,
            )
