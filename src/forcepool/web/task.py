"""A long task as it is told to the process that does it, and what that tells back."""

from typing import Any

from msgspec import Struct

from forcepool.store.address import name_of


class Task(Struct, frozen=True):
    """What is to be done, with which file, for whom."""

    kind: str
    file: str = ""
    side: str = ""
    """Whose it is; empty for those who see everything."""
    folder: str = ""
    """Where a file that comes of it is laid."""
    fields: dict[str, Any] = {}
    steps_back: bool = True
    """Whether others are not to notice it; whoever waits alone for it wants it soon."""

    @property
    def name(self) -> str:
        """The campaign's."""
        return name_of(self.file)


class Result(Struct, frozen=True):
    """What came of it."""

    ok: bool
    """Whether the task was done, whatever it found."""
    says: str
    words: tuple[str, ...] = ()
    file: str = ""
    """The file it made, in the task's folder."""
    go: str = ""
    """The campaign it made."""
    good: bool = True
    """Whether what it examined is as it should be."""
    found: dict[str, Any] = {}
    """What it found, for the page that asked."""


class Told(Struct, frozen=True):
    """A line to the server: so many of so many done, or the result."""

    done: int = 0
    of: int = 0
    result: Result | None = None
