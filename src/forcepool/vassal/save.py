"""A saved game, or a log: what lies where, and in a log what was done step by step."""

from dataclasses import dataclass, field

from forcepool.vassal.metadata import Metadata
from forcepool.vassal.pieces import Piece, Stack
from forcepool.vassal.players import Player
from forcepool.vassal.table import Change


@dataclass(frozen=True, slots=True)
class BoardAt:
    """A board that is in use, by its column and row among those of its map."""

    name: str
    column: int
    row: int
    reversed: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a log: what was done in one go, what was said, and by whom."""

    number: int
    by: str = ""
    changes: tuple[Change, ...] = ()
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unread:
    """A command that is not understood, or not whole: kept as it is, passwords apart."""

    number: int
    """Of the outermost command it stands in."""
    kind: str
    text: str
    why: str = ""


@dataclass(frozen=True)
class Save:
    """Everything a file tells; of a log, as it is after the last step."""

    file: str
    dialect: str
    metadata: Metadata
    pieces: dict[str, Piece] = field(default_factory=dict)
    stacks: tuple[Stack, ...] = ()
    """Those with something in them."""
    boards: dict[str, tuple[BoardAt, ...]] = field(default_factory=dict)
    """By map window."""
    players: tuple[Player, ...] = ()
    turns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By turn tracker, what its levels show; as the file has it."""
    extensions: dict[str, str] = field(default_factory=dict)
    """Name and version of those in use."""
    properties: dict[str, str] = field(default_factory=dict)
    """What the module keeps for all: by name, or container/name."""
    steps: tuple[Step, ...] = ()
    other: tuple[Unread, ...] = ()

    @property
    def maps(self) -> list[str]:
        """Map windows on which something lies or a board is used."""
        return sorted({*self.boards, *(each.at.map for each in self.pieces.values() if each.at.map)})
