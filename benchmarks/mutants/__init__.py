"""Mutants: the rules with one small mistake each, to see whether the tests notice."""

import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src"
GAMES = SOURCES / "forcepool" / "games"
sys.path[:0] = [str(SOURCES), str(ROOT)]
EQUIVALENT = Path(__file__).with_name("equivalent.txt")


class Mutant(NamedTuple):
    """One mistake: where it is made and what it changes; `number` finds it again in its file."""

    file: Path
    number: int
    where: str
    """The function a code mutant lies in, the path of a number in its file."""
    change: str
    clauses: tuple[str, ...] = ()
    """The clauses the file gives beside a number."""
    again: int = 1
    """Counts the same change made twice in the same function."""
    lines: range = range(0)
    """Of the statement that a mistake inside a function is made in."""

    @property
    def name(self) -> str:
        """The same from run to run, whatever lines are added above it."""
        times = f" #{self.again}" if self.again > 1 else ""
        return f"{self.file.name}: {self.where or 'module'}: {self.change}{times}"


def numbered(mutants: list[Mutant]) -> list[Mutant]:
    """Each with a name of its own."""
    seen: dict[str, int] = {}
    found = []
    for mutant in mutants:
        seen[mutant.name] = seen.get(mutant.name, 0) + 1
        found.append(mutant._replace(again=seen[mutant.name]))
    return found


def equivalent() -> dict[str, str]:
    """Mutants that change nothing a player could see, each with the reason: two lines, the second indented."""
    found: dict[str, str] = {}
    name = ""
    for line in EQUIVALENT.read_text("utf-8").splitlines():
        if line.startswith("  "):
            found[name] = line.strip()
        elif line and not line.startswith("#"):
            name = line.strip()
    return found
