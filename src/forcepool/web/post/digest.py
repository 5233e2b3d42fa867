"""What a letter tells a seat: whose turn it is, what has happened as the seat may see it, and what is due."""

from collections.abc import Iterator
from itertools import groupby

from forcepool.engine.agenda import DUE
from forcepool.engine.campaign import Campaign
from forcepool.engine.consent import waiting_for
from forcepool.engine.sentence import capital
from forcepool.views.journal import EntryLine, entry_line
from forcepool.views.said import sentence_said
from forcepool.web.chair import REFEREE, SEES_ALL, Seat
from forcepool.web.checklist import items_for
from forcepool.web.messages import writer
from forcepool.web.seats import Sight
from forcepool.web.shelf import Table

MOST_ENTRIES = 40
"""Entries that a letter tells one by one, the newest; the journal has the others."""
MOST_WORDS = 6
"""Lines of one entry."""
MOST_DUE = 30


def asks(campaign: Campaign, seat: Seat) -> list[int]:
    """The entries that wait for a seat's word: orders, and an undo."""
    if seat.front or not seat.acts:
        return []
    who = REFEREE if seat.role in SEES_ALL else seat.journal_name
    found = sorted(waiting_for(campaign, who))
    history = campaign.history
    if history.asked and who not in history.agreed and who in ({*campaign.beginning.seats} | history.seats):
        found += history.asked[:1]
    return found


def is_the_turn_of(campaign: Campaign, seat: Seat) -> bool:
    return seat.acts and bool(seat.side) and seat.side == campaign.world.phasing(campaign.state)


def moment_told(campaign: Campaign, seat: Seat) -> str:
    """What a seat is told of once: its player-turn, and what waits for its word."""
    clock, waits = campaign.state.clock, asks(campaign, seat)
    return f"{clock.turn}.{clock.player}{''.join(f' {each}' for each in waits)}"


def is_news(campaign: Campaign, seat: Seat, told: str) -> bool:
    """Whether the seat's turn has come since it was told of a moment, or something more waits for its word."""
    turn, *waited = told.split()
    now, *waits = moment_told(campaign, seat).split()
    return (now != turn and is_the_turn_of(campaign, seat)) or not set(waits) <= set(waited)


def calls_for(campaign: Campaign, seat: Seat) -> bool:
    """Whether the campaign waits for a seat."""
    return is_the_turn_of(campaign, seat) or bool(asks(campaign, seat))


def subject(campaign: Campaign, seat: Seat) -> str:
    when, title = campaign.world.when(campaign.state), campaign.beginning.title
    if asks(campaign, seat):
        return f"Your word is asked for: {title}, {when}"
    return f"Your turn: {title}, {when}" if is_the_turn_of(campaign, seat) else f"{title}, {when}"


def body(table: Table, seat: Seat, after: int) -> Iterator[str]:
    """The letter's lines: nothing that the seat does not find on its own pages."""
    campaign = table.campaign
    sight = Sight(seat, campaign.world, campaign.state)
    yield f"{campaign.beginning.title}: {campaign.world.when(campaign.state)}"
    phasing = campaign.world.phasing(campaign.state)
    yield "It is your turn." if is_the_turn_of(campaign, seat) else f"{phasing} plays."
    if waits := asks(campaign, seat):
        yield f"Your word is asked for: see entr{'y' if len(waits) == 1 else 'ies'} {', '.join(map(str, waits))}."
    lines = list(_happened(campaign, sight, after))
    if lines:
        yield from ("", "What has happened", *lines)
    due = [each for each in items_for(table, seat) if each.kind == DUE]
    if due:
        yield from ("", "What is due")
        for each in due[:MOST_DUE]:
            clause = f" [{each.clause}]" if each.clause else ""
            yield f"- {capital(sentence_said(sight.veiled(each.sentence)))}{clause}"
        if len(due) > MOST_DUE:
            yield f"- and {len(due) - MOST_DUE} more"


def _happened(campaign: Campaign, sight: Sight, after: int) -> Iterator[str]:
    first = max(after + 1, campaign.seq - MOST_ENTRIES + 1, 2)
    if first > after + 1 and after:
        yield f"- entries {after + 1} to {first - 1}: read them in the journal"
    shown = [(entry, sight.shown(entry)) for entry in campaign.entries(first)]
    for (seat, hidden), group in groupby(shown, key=lambda each: (each[0].seat, each[1] is None)):
        found = list(group)
        if hidden:
            count = "an entry" if len(found) == 1 else f"{len(found)} entries"
            yield f"- {seat or 'Someone else'}: {count} of their own"
            continue
        for _, entry in found:
            if entry is None:
                continue
            line = entry_line(campaign, entry)
            if entry.message:
                yield f"- {capital(writer(entry))} to {entry.message.to or 'all'}:"
                yield from (f"  {each}" for each in entry.message.text.splitlines())
            else:
                yield from _told(sight, line)


def _told(sight: Sight, line: EntryLine) -> Iterator[str]:
    undone = " (undone)" if line.undone else ""
    yield f"- {f'{line.seat}: ' if line.seat else ''}{line.said}, {line.when}{undone}"
    for words in line.words[:MOST_WORDS]:
        yield f"  · {sentence_said(sight.veiled(words))}"
    if len(line.words) > MOST_WORDS:
        yield f"  · and {len(line.words) - MOST_WORDS} more"
