"""YAML as players write it: every value stays the text that was typed, and knows its line and column."""

import pathlib
from collections.abc import Iterator
from typing import Any

import yaml
from msgspec import Struct

from forcepool.files.compose import Builder, Marks, Path, Plain, TooMuch
from forcepool.files.disk import unread
from forcepool.files.problems import BadFile, Position, Problem, cell_name
from forcepool.files.syntax import Spot, end_of, lines_of, spotter, syntax_problems, unwritable

__all__ = ["MOST_NODES", "Document", "Path", "Plain", "read_yaml", "read_yaml_file"]

MOST_NODES = 2_000_000

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


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
    return read_yaml(_decoded(content, name), name, most_nodes=most_nodes)


def _decoded(content: bytes, name: str) -> str:
    body = content.removeprefix(_BYTE_ORDER_MARK)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        before = body[: error.start].decode("utf-8")
        byte = error.start + len(content) - len(body)
        message = f"byte {byte + 1} of the file (0x{content[byte]:02X}) is not UTF-8 text"
        if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
            message = "the file is saved as UTF-16"
        spot = spotter(before)(len(before))
        raise BadFile([Problem(name, *spot, message, "save it with the encoding UTF-8")]) from None


def read_yaml(text: str, name: str, *, most_nodes: int = MOST_NODES) -> Document:
    """Read YAML text; `name` is what problems call the file."""
    text = text.removeprefix("\ufeff")
    if problems := unwritable(text, name):
        raise BadFile(problems)
    builder = Builder(name, end_of(lines_of(text)), most_nodes)
    try:
        for event in _events(text):
            builder.take(event)
    except TooMuch as stop:
        builder.report(stop.spot, str(stop), stop.hint)
    except yaml.MarkedYAMLError as error:
        builder.problems.extend(syntax_problems(error, text, name))
    except (yaml.YAMLError, ValueError, OverflowError):
        # The parser written in Python, used where the C one is missing, trips over some escapes without saying where.
        builder.report(builder.last, "the text after this place cannot be read as YAML", "look for a '\\' in quotes")
    if builder.problems:
        raise BadFile(builder.problems)
    return Document(name, builder.root.data, builder.root.marks)


def _events(text: str) -> Iterator[Any]:
    loader = _LOADER(text)
    try:
        while (event := loader.get_event()) is not None:
            yield event
    finally:
        loader.dispose()
