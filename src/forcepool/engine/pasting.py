"""Losses pasted as lines of text: what each line orders or what is wrong with it, and what all of them will bring."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from forcepool.engine.command import Command
from forcepool.engine.events import Event

if TYPE_CHECKING:
    from forcepool.engine.state import State
    from forcepool.engine.world import World


class Line(Struct, frozen=True):
    """One order read from a line, or the reason why there is none."""

    number: int
    column: int
    text: str
    command: Command | None = None
    problem: str = ""
    clauses: tuple[str, ...] = ()
    """The clauses that refuse it, when it was understood but is not allowed."""
    events: tuple[Event, ...] = ()
    """What it would do, after the lines before it."""

    @property
    def taken(self) -> bool:
        return not self.problem


class Pasted(Struct, frozen=True):
    """Everything read from a text, good lines and bad ones in their order."""

    lines: tuple[Line, ...]
    brings: tuple[str, ...] = ()
    """What the losses will bring once they are counted, each with its working."""


Reader = Callable[["World", "State", str, str], Pasted]
"""From a text and the seat that pastes it; the state is only read."""
