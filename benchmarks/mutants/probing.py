"""Which lines of the rules a test runs through: each statement in question first leaves its mark."""

import ast
import builtins
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from benchmarks.mutants import SOURCES

Reached = frozenset[tuple[str, int]]
"""Files and lines of the rules."""
Lines = Mapping[str, set[int]]
"""The lines one wants to know about, by file: those on which statements begin."""
ANY_LINE = 0
"""Stands for the file itself, whatever function of it."""
_PROBE = "__probe__"


class Probes:
    """The marks left since they were last wiped; to be set before the game is loaded."""

    def __init__(self, wanted: Lines) -> None:
        self.reached: set[tuple[str, int]] = set()
        setattr(builtins, _PROBE, self.reached.add)
        sys.meta_path.insert(0, _Finder(wanted))

    def seen(self) -> Reached:
        """What was reached, which is then forgotten."""
        found = frozenset(self.reached)
        self.reached.clear()
        return found


class _Probed(importlib.machinery.SourceFileLoader):
    """Loads a module whose statements leave their marks."""

    wanted: set[int]

    def get_code(self, fullname: str) -> CodeType:
        file = Path(self.path)
        return compile(probed(ast.parse(file.read_text("utf-8")), str(file), self.wanted), str(file), "exec")


class _Finder:
    def __init__(self, wanted: Lines) -> None:
        self.files = {".".join(Path(file).relative_to(SOURCES).with_suffix("").parts): file for file in wanted}
        self.wanted = wanted

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name not in self.files:
            return None
        loader = _Probed(name, self.files[name])
        loader.wanted = self.wanted[self.files[name]]
        return importlib.util.spec_from_file_location(name, self.files[name], loader=loader)


def probed(tree: ast.Module, file: str, wanted: set[int]) -> ast.Module:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            _probe_all(node.body, file, wanted)
            node.body.insert(ast.get_docstring(node) is not None, _probe(file, ANY_LINE, node.body[0]))
    return ast.fix_missing_locations(tree)


def _probe_all(body: list[Any], file: str, wanted: set[int]) -> None:
    """Every statement of a block, and of the blocks in it; a function in it is walked to by itself."""
    for index in range(len(body) - 1, -1, -1):
        statement = body[index]
        begin = {statement.lineno, *_patterns(statement)} & wanted
        body[index:index] = [_probe(file, line, statement) for line in sorted(begin)]
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            for block in _blocks(statement):
                _probe_all(block, file, wanted)


def _patterns(statement: ast.stmt) -> Iterator[int]:
    """A pattern cannot be marked by itself: who asks which fits reaches them all."""
    if isinstance(statement, ast.Match):
        yield from (each.pattern.lineno for each in statement.cases)


def _blocks(statement: Any) -> Iterator[list[Any]]:
    for name in ("body", "orelse", "finalbody"):
        if block := getattr(statement, name, None):
            yield block
    for inner in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield inner.body


def _probe(file: str, line: int, beside: ast.stmt) -> ast.stmt:
    call = ast.Call(ast.Name(_PROBE, ast.Load()), [ast.Tuple([ast.Constant(file), ast.Constant(line)], ast.Load())], [])
    return ast.copy_location(ast.Expr(call), beside)
