"""Reading the clause files that people write, with every mistake reported at its line."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar, get_args

import msgspec
import yaml

from forcepool.rulebook.clause import ID_SHAPE, Clause, Example, Kind, Ruling

T = TypeVar("T")

KINDS = get_args(Kind)
REQUIRED = ("id", "title", "kind", "who", "phase", "statement", "needs", "examples")
# The C parser reads the same language in a tenth of the time, but not every installation has it.
LOADER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Problem(msgspec.Struct, frozen=True, order=True):
    """A mistake in a clause file and where it stands."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class Entry(msgspec.Struct, frozen=True):
    """A clause as read, with the place it was read from."""

    clause: Clause
    file: str
    line: int
    column: int

    def problem(self, message: str) -> Problem:
        """A mistake in this clause."""
        return Problem(self.file, self.line, self.column, message)


def read(path: Path) -> tuple[list[Entry], list[Problem]]:
    """The clauses of one file, and the mistakes found in it; a clause with a mistake is left out."""
    reader = _Reader(path.name)
    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        return [], [Problem(path.name, line, column, f"{error.problem}; mend the YAML here")]
    entries = list(reader.entries(root)) if root is not None else []
    return entries, reader.problems


class _Reader:
    """Turns the nodes of one file into clauses and collects what is wrong with them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def wrong(self, node: yaml.Node, message: str) -> None:
        self.problems.append(Problem(self.file, node.start_mark.line + 1, node.start_mark.column + 1, message))

    def entries(self, root: yaml.Node) -> Iterator[Entry]:
        for node in self.items(root, "the file"):
            before = len(self.problems)
            clause = self.clause(node)
            if clause is not None and len(self.problems) == before:
                yield Entry(clause, self.file, node.start_mark.line + 1, node.start_mark.column + 1)

    def clause(self, node: yaml.Node) -> Clause | None:
        fields = self.fields(node, REQUIRED, ("ruling",))
        if fields is None:
            return None
        words = {name: self.text(fields[name], name) for name in REQUIRED[:6]}
        if not ID_SHAPE.fullmatch(words["id"]):
            self.wrong(fields["id"], f"{words['id']!r} is not a clause id; write it like 52.A.9.d/2 or EF.moving/3")
        if words["kind"] not in KINDS:
            self.wrong(fields["kind"], f"{words['kind']!r} is not a kind of clause; choose from {', '.join(KINDS)}")
            return None
        return Clause(
            **words,  # type: ignore[arg-type]  # the kind was checked on the line above
            needs=self.several(fields["needs"], "needs", lambda item: self.text(item, "a need")),
            examples=self.several(fields["examples"], "examples", self.example),
            ruling=self.ruling(fields["ruling"]) if "ruling" in fields else None,
        )

    def example(self, node: yaml.Node) -> Example:
        fields = self.fields(node, ("given", "expect")) or {}
        return (
            Example(**{name: self.text(value, name) for name, value in fields.items()}) if fields else Example("", "")
        )

    def ruling(self, node: yaml.Node) -> Ruling | None:
        fields = self.fields(node, ("question", "default", "alternatives"))
        if fields is None:
            return None
        return Ruling(
            question=self.text(fields["question"], "question"),
            default=self.text(fields["default"], "default"),
            alternatives=self.several(
                fields["alternatives"], "alternatives", lambda item: self.text(item, "an alternative")
            ),
        )

    def fields(
        self, node: yaml.Node, required: tuple[str, ...], optional: tuple[str, ...] = ()
    ) -> dict[str, yaml.Node] | None:
        """The fields of a mapping, or nothing when one is missing."""
        if not isinstance(node, yaml.MappingNode):
            self.wrong(node, f"here must stand the fields {', '.join(required)}")
            return None
        found: dict[str, yaml.Node] = {}
        for key, value in node.value:
            if key.value in found:
                self.wrong(key, f"{key.value} stands twice; keep one")
            elif key.value not in required + optional:
                self.wrong(key, f"{key.value} is not a field; choose from {', '.join(required + optional)}")
            else:
                found[key.value] = value
        missing = [name for name in required if name not in found]
        if missing:
            self.wrong(node, f"{', '.join(missing)} is missing; add it")
            return None
        return found

    def text(self, node: yaml.Node, name: str) -> str:
        if isinstance(node, yaml.ScalarNode) and node.value.strip():
            return str(node.value).strip()
        self.wrong(node, f"{name} must be words; if it holds a colon, put it in quotes")
        return ""

    def several(self, node: yaml.Node, name: str, one: Callable[[yaml.Node], T]) -> tuple[T, ...]:
        return tuple(one(item) for item in self.items(node, name))

    def items(self, node: yaml.Node, name: str) -> list[yaml.Node]:
        if isinstance(node, yaml.SequenceNode):
            return list(node.value)
        self.wrong(node, f"{name} must be a list; begin each entry with a dash")
        return []
