"""Losses pasted as lines of text: what each line orders or what is wrong with it, and what all of them will bring."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from forcepool.engine.command import Command
from forcepool.engine.events import Event
from forcepool.engine.ledger import Account

if TYPE_CHECKING:
    from forcepool.engine.state import State, Unit


class Choice(Struct, frozen=True):
    """One of several units that a line may mean: in words, and as the text that means it alone."""

    says: str
    text: str


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
    choices: tuple[Choice, ...] = ()
    """Where several units fit: what may be written instead."""

    @property
    def taken(self) -> bool:
        return not self.problem


class Pasted(Struct, frozen=True):
    """Everything read from a text, good lines and bad ones in their order."""

    lines: tuple[Line, ...]
    brings: tuple[str, ...] = ()
    """What the losses will bring once they are counted, each with its working."""
    because: tuple[str, ...] = ()
    """The clauses behind each of these."""


class Sees(Protocol):
    """Whose units a line may name, and whose points it may tell of."""

    def unit(self, unit: "Unit") -> bool: ...
    def account(self, account: Account) -> bool: ...


class SeesAll:
    """One player for all sides."""

    def unit(self, unit: "Unit") -> bool:
        return True

    def account(self, account: Account) -> bool:
        return True


EVERYTHING = SeesAll()

Roster = dict[str, str]
"""The units that may be named: each id by itself in small letters, in order of id."""


def roster(state: "State", sees: Sees) -> Roster:
    """The units someone may name; what they do not see does not exist for them."""
    return {unit.id.casefold(): unit.id for unit in state.units_in_order() if sees.unit(unit)}


Reader = Callable[[Any, "State", str, str, Sees], Pasted]
"""From a text, the seat that pastes it and what that seat sees; the state is only read."""
