"""Who has a part in a campaign's dice, which of their secrets are at hand, and what an order's roll is bound to."""

from collections.abc import Iterable, Iterator, Mapping

from forcepool.engine import codec, dice
from forcepool.engine.calendar import Clock
from forcepool.engine.command import Command
from forcepool.engine.events import Rolled
from forcepool.engine.history import History
from forcepool.engine.journal import Entry, Journal, Sealed, read_entry

BOUND_TO_PROMISES = 3
"""The first format of a campaign in which a roll is bound to what was promised."""
BLOCK = 100
"""Entries read at a time, going back."""


class SharesNeeded(Exception):
    """A die is needed in which others have a part that is not at hand."""

    def __init__(self, holders: tuple[str, ...]) -> None:
        super().__init__(f"this roll needs the share of {' and '.join(holders)}, which is not kept here")
        self.holders = holders


class Cup:
    """The secrets that are kept in this place, whoever promised them."""

    def __init__(self, journal: Journal, secrets: Iterable[bytes], form: int) -> None:
        """`form` is the format of the campaign."""
        self._secrets: dict[str, bytes] = {}
        self._form = form
        self._journal = journal
        self.campaign = next(iter(journal.read(1, 2))).hash
        """The campaign's first seal: no other campaign has it."""
        for secret in secrets:
            self.put_in(secret)

    def put_in(self, secret: bytes) -> None:
        """Keep a secret at hand; it is used once its hash is promised."""
        if secret:
            self._secrets[dice.commitment(secret)] = secret

    def at_hand(self, promises: Mapping[str, str]) -> dict[str, bytes]:
        """The secrets that can be used, by whoever promised them."""
        return {who: self._secrets[digest] for who, digest in promises.items() if digest in self._secrets}

    def missing(self, promises: Mapping[str, str]) -> tuple[str, ...]:
        """Whose secrets a roll needs and this place does not have."""
        return tuple(sorted(promises.keys() - self.at_hand(promises).keys()))

    def bound_to(self, history: History, at: Clock, command: Command) -> bytes:
        """What the dice of an order are bound to."""
        order = codec.encode(command)
        again = _times_given(self._journal, history, at, order)
        return binding(self.campaign, at, order, again, promises_bound(self._form, history))


def promises_bound(form: int, history: History) -> Mapping[str, str] | None:
    """The promises that a roll is bound to, by the campaign's format; None where it is bound to none."""
    return history.promises if form >= BOUND_TO_PROMISES else None


def binding(first: str, at: Clock, order: bytes, again: int, promises: Mapping[str, str] | None) -> bytes:
    """What an order's dice are bound to: the campaign, the moment, the order, how often it stands there already."""
    return dice.bound_to(first, (at.turn, at.player, at.phase, at.order), order, again, promises)


def rolls_by_program(entry: Entry) -> bool:
    """Whether the program rolled a die for an entry."""
    return any(isinstance(event, Rolled) and not event.by_hand for event in entry.events)


def _times_given(journal: Journal, history: History, at: Clock, order: bytes) -> int:
    """How often the same order stands in this phase with dice of its own; what was undone does not count."""
    found = 0
    for entry in map(read_entry, _backwards(journal)):
        if not history.counts(entry):
            continue
        if entry.at != at:
            break
        found += bytes(entry.do) == order and rolls_by_program(entry)
    return found


def _backwards(journal: Journal) -> Iterator[Sealed]:
    """The entries from the last to the second."""
    stop = journal.head()[0] + 1
    while stop > 2:
        start = max(2, stop - BLOCK)
        yield from reversed(list(journal.read(start, stop)))
        stop = start
