"""Undo and redo are entries too: which entries still count, and what waits for an answer, follows from the journal."""

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.dice import CAMPAIGN
from forcepool.engine.events import PhaseBegan
from forcepool.engine.journal import Entry, Waiting


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
    promises: dict[str, str] = {}
    """By whoever has a part in the dice, the hash of the secret in force."""
    waiting: dict[int, Waiting] = {}
    """Orders that wait until others agree, by the entry that asked."""
    seats: set[str] = set()
    """Those who have done something from a seat."""

    def take(self, entry: Entry) -> None:
        """Follow the journal by one entry."""
        if entry.seat:
            self.seats.add(entry.seat)
        if entry.message:
            # It answers nothing, and what was undone before it can still be brought back.
            return
        if entry.promises or entry.seed or entry.told:
            self._promised({CAMPAIGN: entry.seed} if entry.seed else entry.promises)
            return
        if entry.waits or entry.agrees or entry.declines:
            self._asked(entry)
            return
        if entry.asks:
            self.agreed = [*self.agreed, entry.seat] if entry.asks == self.asked else [entry.seat]
            self.asked = entry.asks
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
            if self.waiting:
                self._answered(entry)

    def _promised(self, promises: dict[str, str]) -> None:
        # Shares that were given for a roll go with the promises of then: under new ones it is asked for again.
        self.waiting = {number: waits for number, waits in self.waiting.items() if not waits.shares}
        self.promises = {who: digest for who, digest in (self.promises | promises).items() if digest}

    def _asked(self, entry: Entry) -> None:
        """An order that waits, another seat's yes to it, or a no."""
        if entry.waits:
            self.waiting[entry.n] = entry.waits
        self.waiting.pop(entry.declines, None)
        if waits := self.waiting.get(entry.agrees):
            agreed, shares = [*waits.agreed, entry.seat], waits.shares | entry.shares
            self.waiting[entry.agrees] = replace(waits, agreed=agreed, shares=shares)

    def _answered(self, entry: Entry) -> None:
        self.waiting.pop(entry.answers, None)
        # What was asked for in one phase is not done in another.
        if any(isinstance(event, PhaseBegan) for event in entry.events):
            self.waiting.clear()

    def counts(self, entry: Entry) -> bool:
        """Whether the entry's events are part of the state."""
        return bool(entry.events) and entry.n not in self.undone

    def _before(self, seq: int) -> int:
        seq -= 1
        while seq > 1 and seq in self.undone:
            seq -= 1
        return seq
