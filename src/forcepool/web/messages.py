"""Messages as a seat has them: those it may read, and how many of them it has not read yet."""

from msgspec import Struct

from forcepool.engine.journal import Entry, read_entry
from forcepool.store.subjects import MESSAGE
from forcepool.views.journal import entries_about, moment
from forcepool.web.acting import NotTaken, Wrong, say
from forcepool.web.chair import REFEREE
from forcepool.web.here import Here
from forcepool.web.shelf import Table

MARK = b'"message":{'
"""How an entry that is a message has it; inside a text the quotes would be escaped."""


class MessageLine(Struct, frozen=True):
    """A message as it is read."""

    entry: int
    who: str
    """'Axis', 'Axis (Anna)', 'the referee', 'the host'."""
    to: str
    """'all', a side, 'the referee'."""
    text: str
    when: str
    """The moment of play."""
    written: str
    """The time of day, as the one who wrote it had it."""


def every(table: Table) -> list[Entry]:
    """All messages of a campaign, oldest first; looked for once, and then only among what is new."""
    campaign, until = table.campaign, table.messages_until
    if until < table.seq:
        if until == 1:
            numbers = entries_about(campaign, MESSAGE)
            table.messages += [entry for n in numbers for entry in campaign.entries(n, n + 1)]
        else:
            later = campaign.sealed(until + 1, table.seq + 1)
            table.messages += [read_entry(sealed) for sealed in later if MARK in sealed.body]
        table.messages_until = table.seq
    return table.messages


def readable(it: Here) -> list[MessageLine]:
    """The messages that the seat may read, oldest first."""
    return [_line(it, entry) for entry in every(it.table) if it.sight.shown(entry) is not None]


def _line(it: Here, entry: Entry) -> MessageLine:
    assert entry.message is not None
    message = entry.message
    to = message.to or "all"
    return MessageLine(
        entry.n,
        writer(entry),
        f"the {to}" if to == REFEREE else to,
        message.text,
        moment(it.campaign, entry.at),
        entry.when,
    )


def writer(entry: Entry) -> str:
    """Who wrote an entry."""
    who = entry.seat or "the host"
    who = "the referee" if who == REFEREE else who
    return f"{who} ({entry.by})" if entry.by else who


def unread(it: Here) -> int:
    """How many messages were written to the seat since it last read them."""
    if it.in_whatif or not every(it.table):
        return 0
    read = it.registry.looked(_reader(it), it.table.name)
    return sum(it.sight.shown(entry) is not None for entry in every(it.table) if entry.n > read)


def have_read(it: Here) -> None:
    """Note that the seat has read all there is."""
    if every(it.table):
        it.registry.look(_reader(it), it.table.name, it.table.seq)


def written(it: Here, text: str, to: str) -> Entry | Wrong | NotTaken:
    """Write a message from the seat. Whoever had read everything has read this one too."""
    read = not unread(it)
    done = say(it.table, it.seat, text, to)
    if read and isinstance(done, Entry):
        have_read(it)
    return done


def _reader(it: Here) -> str:
    return f"{it.who}/messages"
