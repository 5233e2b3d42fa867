"""Where a clause is written: the functions that meet it, by file and line, and the tests that hold it."""

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct

from forcepool.rulebook.coverage import shipped

CASES = "tests/cases/test_cases.py::test_case["


class Written(Struct, frozen=True):
    """One clause, as a reader of the code wants it."""

    clause: str
    functions: tuple[str, ...]
    """'src/forcepool/games/…/debts.py:120 borrows_within_the_limit', as far as the file is known."""
    cases: tuple[str, ...]
    """'52/debts.yaml: the sixth point is refused'."""
    tests: tuple[str, ...]
    """Other tests, by pytest's names."""


def written(clause: str) -> Written:
    """What the record of the last test run knows of a clause."""
    met = shipped().get(clause)
    if met is None:
        return Written(clause, (), (), ())
    cases = tuple(each.removeprefix(CASES).removesuffix("]") for each in met.tests if each.startswith(CASES))
    return Written(clause, tuple(map(_place, met.code)), cases, tuple(t for t in met.tests if not t.startswith(CASES)))


def _place(code: str) -> str:
    """'module:function' with the file and line it stands in."""
    module, _, function = code.partition(":")
    names = [name for name in function.split(".") if name != "<locals>"]
    file, lines = _defined(module)
    line = lines.get(".".join(names))
    return f"{file}:{line} {'.'.join(names)}" if line else code


@cache
def _defined(module: str) -> tuple[str, dict[str, int]]:
    """A module's file and the line of everything defined in it."""
    try:
        spec = find_spec(module)
    except ModuleNotFoundError:
        spec = None
    if spec is None or not spec.origin or not spec.origin.endswith(".py"):
        return "", {}
    path = Path(spec.origin)
    lines: dict[str, int] = {}

    def walk(node: ast.AST, within: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                lines[name := f"{within}{child.name}"] = child.lineno
                walk(child, f"{name}.")
            else:
                walk(child, within)

    walk(ast.parse(path.read_bytes()), "")
    return _short(path), lines


def _short(path: Path) -> str:
    """From the package's own folder on, which is where a reader stands."""
    parts = path.parts
    at = len(parts) - 1 - parts[::-1].index("forcepool") if "forcepool" in parts else 0
    return "/".join(parts[at - 1 if at and parts[at - 1] == "src" else at :])
