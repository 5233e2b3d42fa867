"""Undo and redo are entries too: which entries still count follows from the journal alone."""

from collections.abc import Iterable

from msgspec import Struct

from forcepool.engine.journal import Entry


class History(Struct, frozen=True):
    """What has been undone so far, and what could be redone now."""

    undone: frozenset[int] = frozenset()
    redoable: tuple[tuple[int, ...], ...] = ()
    """Groups of entries a redo would bring back, the last undone on top; a new command empties it."""
    asked: tuple[int, ...] = ()
    """Entries someone has asked to undo, until the next act answers or passes over it."""
    asked_by: str = ""
    last: int = 1
    """The last entry that still counts as a command."""

    def after(self, entry: Entry) -> "History":
        """The history once the entry is in the journal."""
        if entry.undo:
            undone = self.undone | frozenset(entry.undo)
            return History(undone, (*self.redoable, tuple(entry.undo)), last=_before(min(entry.undo), undone))
        if entry.redo:
            group = tuple(entry.redo)
            return History(self.undone - frozenset(group), self.redoable[:-1], last=max(group))
        if entry.asks:
            return History(self.undone, self.redoable, tuple(entry.asks), entry.seat, self.last)
        if entry.seed:
            return self
        return History(self.undone, last=entry.n)

    def counts(self, entry: Entry) -> bool:
        """Whether the entry's events are part of the state."""
        return bool(entry.events) and entry.n not in self.undone


def _before(seq: int, undone: frozenset[int]) -> int:
    seq -= 1
    while seq > 1 and seq in undone:
        seq -= 1
    return seq


def follow(entries: Iterable[Entry], start: History | None = None) -> History:
    history = start or History()
    for entry in entries:
        history = history.after(entry)
    return history
