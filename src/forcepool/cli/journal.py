"""Reading the journal: who did what, when, and by which clause."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput
from forcepool.cli.table import campaign_at, file_argument, json_option, one_of, pool_named, seat_of, unit_named

if TYPE_CHECKING:
    from forcepool.engine.campaign import Campaign
    from forcepool.engine.journal import Entry

Fits = Callable[["Entry"], bool]


@click.command("log")
@file_argument
@click.option("--unit", default="", help="Only entries about this unit.")
@click.option("--pool", default="", help="Only entries that moved points into or out of this pool.")
@click.option("--clause", default="", help="Only entries that cite this clause, or a clause under this heading.")
@click.option("--turn", default="", help="Only entries of this turn, such as 'Oct 3 41'.")
@click.option("--seat", default="", help="Only entries of this side.")
@click.option("--as", "reader", metavar="SIDE", default="", help="The side you play, to read what it is written.")
@click.option("--last", type=click.IntRange(min=1), default=None, help="Only the last so many of them.")
@json_option
def log_command(
    file: str,
    unit: str,
    pool: str,
    clause: str,
    turn: str,
    seat: str,
    reader: str,
    last: int | None,
    as_json: bool,
) -> None:
    """Everything that was done, in order, with what came of it. Nothing is erased: undone entries stay, and are marked.

    In a campaign with seats, messages to a side are read with --as; of the others it is told that they are there.

    \b
    Examples:
      forcepool log east.fp --last 5
      forcepool log east.fp --unit "10 Pz XX"
      forcepool log east.fp --clause 52.A.9
      forcepool log east.fp --as Soviet --last 10
    """
    from forcepool.engine.acts import entry_said

    with campaign_at(file) as campaign:
        world, history = campaign.world, campaign.history
        fits = _filters(campaign, clause, turn, seat)
        found = [
            entry for entry in _entries(campaign, _subjects(campaign, unit, pool)) if all(each(entry) for each in fits)
        ]
        if last is not None:
            found = found[-last:]
        found = _as_read(campaign, found, seat_of(campaign, reader, acting=False))
        if as_json:
            screen.print_json([entry_data(campaign, entry) for entry in found])
            return
        for entry in found:
            lines = entry_said(world, entry, history)
            undone = entry.n in history.undone
            screen.say(_struck(lines[0]) if undone else screen.strong(lines[0]))
            screen.tell(map(_struck, lines[1:]) if undone else lines[1:])
        if not found:
            screen.say("No entry fits." if any((unit, pool, clause, turn, seat)) else "Nothing has been played yet.")


def _as_read(campaign: "Campaign", entries: "list[Entry]", side: str) -> "list[Entry]":
    """Whoever plays all sides reads everything; elsewhere each reads what is for him."""
    from forcepool.engine.messages import as_read_by

    if not side and not campaign.beginning.seats:
        return entries
    return [as_read_by(entry, side) for entry in entries]


def _struck(line: str) -> str:
    return screen.styled(line, strikethrough=True, dim=True)


def _subjects(campaign: "Campaign", unit: str, pool: str) -> list[str]:
    """What the entries must be about, as the store's index calls it."""
    subjects = []
    if unit:
        subjects.append(f"unit/{unit_named(campaign.state, unit).id}")
    if pool:
        subjects.append(f"pool/{pool_named(campaign.state, pool)}")
    return subjects


def _entries(campaign: "Campaign", subjects: list[str]) -> Iterator["Entry"]:
    from forcepool.views.journal import entries_about

    if not subjects:
        return campaign.entries()
    numbers = set.intersection(*(set(entries_about(campaign, subject)) for subject in subjects))
    return (entry for number in sorted(numbers) for entry in campaign.entries(number, number + 1))


def _filters(campaign: "Campaign", clause: str, turn: str, seat: str) -> list[Fits]:
    from forcepool.views.journal import clauses_of

    fits: list[Fits] = []
    if clause:
        ids = _clause_ids(clause)
        fits.append(lambda entry: not ids.isdisjoint(clauses_of(entry)))
    if turn:
        try:
            wanted = campaign.world.calendar.parse(turn).turn
        except ValueError as error:
            raise BadInput(str(error)) from None
        fits.append(lambda entry: entry.at.turn == wanted)
    if seat:
        side = one_of(seat, campaign.world.sequence.players, "side")
        fits.append(lambda entry: entry.seat == side)
    return fits


def _clause_ids(text: str) -> frozenset[str]:
    from forcepool.rulebook.book import load

    book = load()
    under = book.heading(text)
    return frozenset(clause.id for clause in under) if under else frozenset([book[text].id])


def entry_data(campaign: "Campaign", entry: "Entry") -> dict[str, Any]:
    """An entry for programs, with its words beside its data."""
    import json

    from forcepool.engine.wording import event_in_words
    from forcepool.views.journal import clauses_of

    world = campaign.world
    return {
        "entry": entry.n,
        "when": world.sequence.describe(world.calendar, entry.at),
        "recorded": entry.when,
        "seat": entry.seat,
        "command": json.loads(bytes(entry.do)),
        "undo": entry.undo,
        "redo": entry.redo,
        "asks": entry.asks,
        "undone": entry.n in campaign.history.undone,
        "allowed": entry.allowed,
        "clauses": clauses_of(entry),
        "events": entry.events,
        "message": entry.message,
        "words": [event_in_words(world, event) for event in entry.events],
    }
