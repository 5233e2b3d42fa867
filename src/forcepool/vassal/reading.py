"""Reading a `.vsav` or a `.vlog`."""

from collections.abc import Iterable

from forcepool.vassal.commands import (
    ADD,
    BEGIN,
    BOARDS,
    CHANGE,
    CHAT,
    END,
    EXTENSION,
    LOG,
    MOVE,
    MUTABLE,
    PROPERTY,
    REMOVE,
    TURN,
    UNDO,
    commands,
    kind_of,
)
from forcepool.vassal.container import LIMITS, Container, Limits, Source
from forcepool.vassal.errors import BadVassal
from forcepool.vassal.metadata import read_metadata
from forcepool.vassal.obfuscation import DAMAGED, PLAIN, plain_bytes
from forcepool.vassal.players import COMMAND as PLAYER
from forcepool.vassal.players import Masks
from forcepool.vassal.save import BoardAt, Save, Step, Unread
from forcepool.vassal.sequence import decode, field, number
from forcepool.vassal.table import Change, Misfit, Table

ENTRY = "savedGame"
ABOUT_COUNTERS = (ADD, REMOVE, CHANGE, MOVE)
OWN = ("PNOTE\t", "SNOTE\t", "PYREMOVE\t")
"""Private and secret notes, and a player who leaves: all begin with a password, be he known or not."""


def read_save(source: Source, *, name: str = "", limits: Limits = LIMITS) -> Save:
    """A save or a log. Of a log the table is as it is after its last step, and the steps are told one by one."""
    with Container(source, name) as container:
        if ENTRY not in container.names:
            hint = "this is a module; name a save" if {"buildFile", "buildFile.xml"} & container.names else ""
            raise BadVassal(container.file, "", f"there is no '{ENTRY}' in it, so it is no save", hint)
        metadata = read_metadata(container, limits=limits)
        chunks = container.chunks(ENTRY, limits.save)
        dialect, data = plain_bytes(chunks, container.file, ENTRY, limits.save)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        where = f"{ENTRY}, byte {error.start + 1} in the clear"
        raise BadVassal(container.file, where, "this is no UTF-8 text", DAMAGED) from None
    del data
    stream = list(commands(text, container.file, ENTRY))
    if not any(command == BEGIN for _, command in stream):
        told = "it is plain text without" if dialect == PLAIN else "there is no"
        raise BadVassal(container.file, ENTRY, f"{told} '{BEGIN}' in it, so it is no saved game", DAMAGED)
    reader = _Reader(stream)
    return Save(
        file=container.file,
        dialect=dialect,
        metadata=metadata,
        pieces=reader.table.pieces,
        stacks=tuple(each.stack for each in reader.table.heaps.values() if each.pieces),
        boards=reader.boards,
        players=tuple(reader.masks.players.values()),
        turns=reader.turns,
        extensions=reader.extensions,
        properties=reader.properties,
        steps=reader.told(),
        other=tuple(reader.other),
    )


class _Reader:
    """Takes the commands one by one. Passwords are learnt first and stay in here."""

    def __init__(self, stream: Iterable[tuple[int, str]]) -> None:
        self.masks = Masks()
        stream = list(stream)
        for _, command in stream:
            bare = command.removeprefix(LOG)
            if bare.startswith(PLAYER):
                self.masks.take(bare)
        self.table = Table(self.masks)
        self.boards: dict[str, tuple[BoardAt, ...]] = {}
        self.turns: dict[str, tuple[str, ...]] = {}
        self.extensions: dict[str, str] = {}
        self.properties: dict[str, str] = {}
        self.other: list[Unread] = []
        self.changes: dict[int, list[Change]] = {}
        self.said: dict[int, list[str]] = {}
        self.logged = 0
        for number_, command in stream:
            self._take(number_, command)

    def _take(self, step: int, command: str) -> None:
        if command.startswith(LOG):
            self.logged = step
        # What a step brings about may stand behind it without a mark of its own.
        logged = self.logged == step
        bare = command.removeprefix(LOG)
        if bare.startswith(ABOUT_COUNTERS):
            try:
                changes = self.table.carry_out(bare)
            except Misfit as why:
                self.other.append(Unread(step, kind_of(bare), self.masks.masked(bare), str(why)))
                return
            if logged:
                self.changes.setdefault(step, []).extend(changes)
        elif logged and bare.startswith(CHAT):
            self.said.setdefault(step, []).append(self.masks.masked(bare.removeprefix(CHAT)))
        elif bare.startswith(OWN):
            self.other.append(Unread(step, kind_of(bare), "", "a player's own: what it says is not kept"))
        elif not self._global(bare):
            self.other.append(Unread(step, kind_of(bare), self.masks.masked(bare)))

    def _global(self, command: str) -> bool:
        """Whether it is about the game as a whole and was understood; of two alike the last counts."""
        head, tab, rest = command.partition("\t")
        if command in (BEGIN, END) or command.startswith((PLAYER, UNDO)):
            return True
        if head.endswith(BOARDS):
            fields = decode(rest, "\t") if tab else []
            self.boards[head.removesuffix(BOARDS)] = tuple(
                _board(fields[at : at + 3]) for at in range(0, len(fields), 3) if fields[at]
            )
        elif command.startswith(EXTENSION):
            fields = decode(rest, "\t")
            self.extensions[fields[0]] = field(fields, 1)
        elif command.startswith(PROPERTY):
            fields = decode(rest.removeprefix(";"), ";")
            self._property(field(fields, 0), field(fields, 1), field(fields, 2))
        elif command.startswith(MUTABLE):
            fields = decode(rest, "\t")
            self._property(field(fields, 0), field(fields, 2), field(fields, 3))
        elif head.startswith(TURN) and tab:
            self.turns[head.removeprefix(TURN)] = tuple(decode(rest, "|"))
        else:
            return False
        return True

    def _property(self, name: str, value: str, container: str) -> None:
        whole = f"{container}/{name}" if container else name
        self.properties[self.masks.masked(whole)] = self.masks.masked(value)

    def told(self) -> tuple[Step, ...]:
        numbers = sorted({*self.changes, *self.said})
        return tuple(
            Step(
                index,
                next((each.by for each in self.changes.get(step, ()) if each.by), ""),
                tuple(self.changes.get(step, ())),
                tuple(self.said.get(step, ())),
            )
            for index, step in enumerate(numbers, 1)
        )


def _board(fields: list[str]) -> BoardAt:
    name, *turned = decode(fields[0], "/")
    return BoardAt(name, number(field(fields, 1)), number(field(fields, 2)), turned[:1] == ["rev"])
