"""Making a mistake in this process: before the game is loaded, or, which is quicker, in the loaded program."""

import ast
import gc
import importlib
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

from benchmarks.mutants import SOURCES, Mutant, code, data

from forcepool.files import yamltext

# ------------------------------------------------------------------------------ before the game is loaded


class Mistaken(importlib.machinery.SourceFileLoader):
    """Loads a module with the mistake in it."""

    mutant: Mutant

    def get_code(self, fullname: str) -> CodeType:
        return compile(code.mutated(self.mutant), str(self.mutant.file), "exec")


class Finder:
    """Finds the changed module instead of the one on the disk."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant
        self.name = _module(mutant.file)

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> Any:
        if name != self.name:
            return None
        loader = Mistaken(name, str(self.mutant.file))
        loader.mutant = self.mutant
        return importlib.util.spec_from_file_location(name, self.mutant.file, loader=loader)


def _module(file: Path) -> str:
    return ".".join(file.relative_to(SOURCES).with_suffix("").parts)


def before_loading(mutant: Mutant) -> None:
    if mutant.file.suffix == ".py":
        sys.meta_path.insert(0, Finder(mutant))
    else:
        yamltext.read_yaml = _reading(mutant)


def _reading(mutant: Mutant) -> Any:
    """What reads a file of numbers, but that one with the mistake."""
    original, changed, read = mutant.file.read_text("utf-8"), data.mutated(mutant), yamltext.read_yaml

    def read_changed(text: str, name: str, **options: Any) -> yamltext.Document:
        return read(changed if text == original else text, name, **options)

    return read_changed


# ----------------------------------------------------------------------------------- in the loaded program

Functions = Mapping[str, list[FunctionType]]
"""The functions there are, by the file they stand in."""


def functions(files: Iterable[str]) -> Functions:
    """Those of some files; what the program would load only when it is first asked for is loaded now."""
    found: dict[str, list[FunctionType]] = {file: [] for file in files}
    for file in sorted(found):
        if file.endswith(".py"):
            importlib.import_module(_module(Path(file)))
    for each in gc.get_objects():
        if isinstance(each, FunctionType) and each.__code__.co_filename in found:
            found[each.__code__.co_filename].append(each)
    return found


def when_loaded(mutant: Mutant, known: Functions) -> None:
    """Give the functions the code they would have had, or read the numbers that nobody has read yet."""
    if mutant.file.suffix == ".yaml":
        read, instead = yamltext.read_yaml, _reading(mutant)
        for module in list(sys.modules.values()):
            if getattr(module, "read_yaml", None) is read:
                module.__dict__["read_yaml"] = instead
        return
    changed = changed_code(mutant)
    there = [each for each in known[str(mutant.file)] if each.__code__.co_qualname in changed]
    if not there:
        raise LookupError(f"nothing of {mutant.name} is loaded")
    for function in there:
        function.__code__ = changed[function.__code__.co_qualname]


def changed_code(mutant: Mutant) -> dict[str, CodeType]:
    """The code of the functions that a mistake changes, by name; none where it could not be put in their place."""
    file = str(mutant.file)
    before = list(_codes(compile(ast.parse(mutant.file.read_text("utf-8")), file, "exec")))
    after = list(_codes(compile(code.mutated(mutant), file, "exec")))
    names = [each.co_qualname for each in before]
    if names != [each.co_qualname for each in after]:
        return {}
    changed = {old.co_qualname: (old, new) for old, new in zip(before, after, strict=True) if old != new}
    # Two of one name could not be told apart, and a closure keeps the variables it was made with.
    if any(names.count(name) > 1 or old.co_freevars != new.co_freevars for name, (old, new) in changed.items()):
        return {}
    return {name: new for name, (_, new) in changed.items()}


def _codes(outer: CodeType) -> Iterator[CodeType]:
    """The functions with a name in a piece of code, those inside of others too."""
    for each in outer.co_consts:
        if isinstance(each, CodeType):
            if each.co_flags & _IS_A_FUNCTION and not each.co_name.startswith("<"):
                yield each
            yield from _codes(each)


_IS_A_FUNCTION = 0x02
"""A class body lacks this mark of code whose variables are its own (inspect.CO_NEWLOCALS)."""
