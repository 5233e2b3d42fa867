"""Undo and redo are entries too: which entries still count follows from the journal alone."""

from msgspec import Struct

from forcepool.engine.journal import Entry


class History(Struct):
    """What has been undone so far, what could be redone now, and what someone has asked to undo."""

    undone: set[int] = set()
    redoable: list[list[int]] = []
    """Groups of entries a redo would bring back, the last undone on top; a new command empties it."""
    asked: list[int] = []
    """Entries someone has asked to undo, until the next act answers or passes over it."""
    agreed: list[str] = []
    """The seat that asked, and those that have agreed since."""
    last: int = 1
    """The last entry that still counts as a command."""

    def take(self, entry: Entry) -> None:
        """Follow the journal by one entry."""
        if entry.asks:
            self.agreed = [*self.agreed, entry.seat] if entry.asks == self.asked else [entry.seat]
            self.asked = entry.asks
            return
        if entry.seed:
            return
        if self.asked:
            self.asked, self.agreed = [], []
        if entry.undo:
            self.undone.update(entry.undo)
            self.redoable.append(entry.undo)
            self.last = self._before(min(entry.undo))
        elif entry.redo:
            self.undone.difference_update(entry.redo)
            self.redoable.pop()
            self.last = max(entry.redo)
        else:
            if self.redoable:
                self.redoable = []
            self.last = entry.n

    def counts(self, entry: Entry) -> bool:
        """Whether the entry's events are part of the state."""
        return bool(entry.events) and entry.n not in self.undone

    def _before(self, seq: int) -> int:
        seq -= 1
        while seq > 1 and seq in self.undone:
            seq -= 1
        return seq
