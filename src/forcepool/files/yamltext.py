"""YAML as players write it: every value stays the text that was typed, and knows its line and column."""

import pathlib
from typing import Any

from msgspec import Struct

from forcepool.files.disk import unread
from forcepool.files.marks import Marks, Path, Plain, Spot
from forcepool.files.problems import BadFile, Position, Problem, cell_name

__all__ = ["MOST_NODES", "Document", "Path", "Plain", "read_yaml", "read_yaml_file"]

MOST_NODES = 2_000_000


class Document(Struct, frozen=True):
    """A file as plain data, with the place of every name and value in it."""

    file: str
    data: Plain
    marks: Marks | Spot

    def where(self, path: Path = ()) -> Position:
        """Where the value at a path starts, or the nearest group around it if there is none."""
        marks, file = self._nearest(path)
        return Position(file, *(marks.at if isinstance(marks, Marks) else marks))

    def value(self, path: Path = ()) -> Plain:
        """What is written at a path; nothing if there is no such name."""
        value: Any = self.data
        for step in path:
            inside = isinstance(value, dict) and step in value
            listed = isinstance(value, list) and isinstance(step, int) and step < len(value)
            if not (inside or listed):
                return None
            value = value[step]
        found: Plain = value
        return found

    def where_key(self, path: Path) -> Position:
        """Where the name of the value at a path stands; an item of a list has no name, so where it starts."""
        parent, file = self._nearest(path[:-1])
        if path and isinstance(parent, Marks) and isinstance(name := path[-1], str) and name in parent.keys:
            named = parent.inside.get(name)
            return Position(named.file if isinstance(named, Marks) and named.file else file, *parent.keys[name])
        return self.where(path)

    def problem(self, path: Path, message: str, hint: str = "", *, at_key: bool = False) -> Problem:
        """A problem with the value at a path, or with its name."""
        at = self.where_key(path) if at_key else self.where(path)
        said = message if at.file == self.file else f"cell {cell_name(at.line, at.column)}: {message}"
        return Problem(at.file, at.line, at.column, said, hint)

    def _nearest(self, path: Path) -> tuple[Marks | Spot, str]:
        """The marks at a path, or of the nearest group around it, and the file they stand in."""
        marks, file = self.marks, self.file
        for step in path:
            if not isinstance(marks, Marks) or step not in marks.inside:
                break
            marks = marks.inside[step]
            file = marks.file if isinstance(marks, Marks) and marks.file else file
        return marks, file


def read_yaml_file(path: str | pathlib.Path, *, most_nodes: int = MOST_NODES) -> Document:
    """Read a YAML file in UTF-8, with or without a byte order mark."""
    name = str(path)
    try:
        content = pathlib.Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason, remedy = unread(error)
        raise BadFile([Problem(name, 1, 1, f"the file cannot be read: {reason}", remedy)]) from None
    from forcepool.files.parsing import decoded

    return read_yaml(decoded(content, name), name, most_nodes=most_nodes)


def read_yaml(text: str, name: str, *, most_nodes: int = MOST_NODES) -> Document:
    """Read YAML text; `name` is what problems call the file."""
    from forcepool.files.parsing import parsed  # most commands read no such file

    data, marks = parsed(text, name, most_nodes)
    return Document(name, data, marks)
