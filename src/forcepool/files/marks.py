"""What was read from a file as plain data, and the place of each name and value in it."""

from typing import TypeAlias

from msgspec import Struct

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain] | None"
Path: TypeAlias = tuple[str | int, ...]
Spot = tuple[int, int]
"""A line and a column."""


class Marks(Struct, frozen=True):
    """Where a group of fields or a list starts, where each of its names stands, and what lies inside."""

    at: Spot
    keys: dict[str, Spot]
    inside: "dict[str | int, Marks | Spot]"
    file: str = ""
    """The table it was read from, where that is not the file around it."""
