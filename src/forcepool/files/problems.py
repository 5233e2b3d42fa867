"""What is wrong in a file, where, and what to do about it."""

from collections.abc import Iterable

from msgspec import Struct

MOST_SHOWN = 20


def cell_name(row: int, column: int) -> str:
    """A cell as spreadsheets name it: C7 for the third of row 7."""
    letters = ""
    while column > 0:
        column, left = divmod(column - 1, 26)
        letters = chr(ord("A") + left) + letters
    return f"{letters}{row}"


class Position(Struct, frozen=True, order=True):
    """A place in a file; lines and columns count from 1, columns in characters."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Problem(Struct, frozen=True, order=True):
    """One thing wrong in a file, with the remedy when there is an obvious one."""

    file: str
    line: int
    column: int
    message: str
    hint: str = ""

    def __str__(self) -> str:
        remedy = f" ({self.hint})" if self.hint else ""
        return f"{self.file}:{self.line}:{self.column}: {self.message}{remedy}"


class BadFile(Exception):
    """A file that cannot be used until every problem listed is put right."""

    problems: tuple[Problem, ...]

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(sorted(set(problems)))
        super().__init__(self.problems)

    def __str__(self) -> str:
        lines = [str(problem) for problem in self.problems[:MOST_SHOWN]]
        if (left := len(self.problems) - MOST_SHOWN) > 0:
            lines.append(f"… and {left} more")
        return "\n".join(lines)
