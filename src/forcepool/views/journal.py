"""What the journal tells: who did what and when, and which entries are about a unit or a pool."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from forcepool.engine.acts import act_in_words
from forcepool.engine.calendar import Clock
from forcepool.engine.campaign import Campaign
from forcepool.engine.events import AnyEvent, Event, Marked, Overruled, PhaseBegan, Transferred
from forcepool.engine.journal import Entry
from forcepool.engine.wording import events_said
from forcepool.rulebook.book import load
from forcepool.views.said import act_said


class EntryLine(Struct, frozen=True):
    """One entry as a player reads it."""

    entry: int
    turn: int
    when: str
    seat: str
    command: str
    words: tuple[str, ...]
    """What came of it, a sentence an event."""
    clauses: tuple[str, ...]
    overruled: str = ""
    """The note with which a refusal was set aside."""
    undone: bool = False
    said: str = ""
    """The command as one says it across the table."""
    by: str = ""
    """Whoever sat there, where the seat has a name."""
    message: str = ""
    """What was written, of a message."""
    to: str = ""
    """Whom a message is for; empty for all."""


def entry_line(campaign: Campaign, entry: Entry, *, side: str = "", phases: bool = True) -> EntryLine:
    """An entry in words, with the clauses it cites; of one side if asked, without the passing of phases if not."""
    notes = [event.note for event in entry.events if isinstance(event, Overruled)]
    return EntryLine(
        entry=entry.n,
        turn=entry.at.turn,
        when=moment(campaign, entry.at),
        seat=entry.seat,
        command=act_in_words(entry),
        words=events_said(campaign.world, _told(campaign, entry, side, phases)),
        clauses=clauses_of(entry),
        overruled="; ".join(notes),
        undone=entry.n in campaign.history.undone,
        said=act_said(entry),
        by=entry.by,
        message=entry.message.text if entry.message else "",
        to=entry.message.to if entry.message else "",
    )


def entry_lines(
    campaign: Campaign,
    *,
    first: int = 2,
    turn: int | None = None,
    seat: str = "",
    side: str = "",
    phases: bool = True,
) -> tuple[EntryLine, ...]:
    """The journal from an entry on, of one turn, one seat or about one side if asked; undone entries are marked.

    Without `phases`, neither their passing nor entries with nothing else in them are told.
    """
    lines = (
        entry_line(campaign, entry, side=side, phases=phases)
        for entry in campaign.entries(first)
        if turn in (None, entry.at.turn) and seat in ("", entry.seat)
    )
    return tuple(line for line in lines if line.words or (phases and not side))


def _told(campaign: Campaign, entry: Entry, side: str, phases: bool) -> list[AnyEvent]:
    """The events told: with a side, those of its units and points, and the dice and notes that came with them."""
    events = [event for event in entry.events if phases or not isinstance(event, PhaseBegan)]
    if not side:
        return events
    sides = [_side_of(campaign, event) for event in events]
    general = side in sides
    return [
        event
        for event, whose in zip(events, sides, strict=True)
        if whose == side or isinstance(event, PhaseBegan) or (general and not whose)
    ]


def _side_of(campaign: Campaign, event: Event) -> str:
    nation = _nation_of(campaign, event)
    return campaign.world.side_now(campaign.state, nation) if nation else ""


def _nation_of(campaign: Campaign, event: Event) -> str:
    if isinstance(event, Transferred):
        return event.nation
    on = event.on if isinstance(event, Marked) else ""
    if on.startswith("nation/"):
        return on.removeprefix("nation/")
    unit = campaign.state.units.get(on.removeprefix("unit/") if on.startswith("unit/") else getattr(event, "unit", ""))
    return unit.spec.nation if unit else ""


def clauses_of(entry: Entry) -> tuple[str, ...]:
    """Every clause an entry cites, in order."""
    found = list(entry.allowed)
    for event in entry.events:
        found += event.because.split()
        if isinstance(event, Overruled):
            found += event.clauses
    return tuple(dict.fromkeys(found))


def moment(campaign: Campaign, clock: Clock) -> str:
    """A moment of play in words: 'Oct 3 41, Axis replacement phase'."""
    return campaign.world.sequence.describe(campaign.world.calendar, clock)


def dated(entry: Entry) -> Iterator[tuple[Clock, AnyEvent]]:
    """What happened in an entry, each with its moment: what comes as a phase begins is of that phase, not of the one
    that was ended."""
    at = entry.at
    for event in entry.events:
        at = event.clock if isinstance(event, PhaseBegan) else at
        yield at, event


def titles_of(clauses: str) -> dict[str, str]:
    """Each clause cited, with its title."""
    book = load()
    return {clause: book[clause].title if clause in book else "" for clause in clauses.split()}


def title_of(clause: str) -> str:
    """A clause's title; nothing for what is no clause."""
    return titles_of(clause).get(clause, "") if clause else ""


def entries_about(campaign: Campaign, subject: str) -> Iterator[int]:
    """The numbers of the entries about 'unit/24 Inf XX' or 'pool/front/centre'; a file keeps an index of them."""
    journal: Any = campaign.journal
    if hasattr(journal, "entries_about"):
        return (number for number in journal.entries_about(subject) if number > 1)
    # A journal in memory has no index, so it is read through.
    from forcepool.store.subjects import subjects

    return (sealed.seq for sealed in campaign.journal.read(2) if subject in subjects(sealed.body))


def counting_entries_about(campaign: Campaign, subject: str) -> Iterator[Entry]:
    """The entries about a unit or pool that were not undone."""
    for number in entries_about(campaign, subject):
        entry = next(campaign.entries(number, number + 1))
        if campaign.history.counts(entry):
            yield entry
