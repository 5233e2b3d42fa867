"""Pages that others have overtaken: what was changed since one looked, and in whose words it is told."""

from collections.abc import Collection, Iterable

from forcepool.engine.acts import act_in_words
from forcepool.engine.command import Command
from forcepool.engine.events import Became, Event, Marked, Moved, PhaseBegan, Raised, SwitchSet, Transferred
from forcepool.engine.journal import Entry
from forcepool.engine.ledger import Account
from forcepool.views.deeds import deed
from forcepool.views.said import act_said
from forcepool.web.chair import REFEREE, Seat
from forcepool.web.seats import Sight, texts_in
from forcepool.web.shelf import Table

MOST_NAMED = 3
"""So many entries are told of one by one."""


def changed_since(table: Table, seen: int, touched: Collection[str], own: Collection[int] = ()) -> list[int]:
    """The entries after `seen` that changed one of these things; none when the page was up to date.

    `own` are entries that the page itself gave and was told of.
    """
    if not seen or seen == table.seq:
        return []
    if seen > table.seq:
        # An older copy of the campaign was put in place of the one the page showed.
        return [table.seq]
    later = table.campaign.entries(seen + 1)
    return [entry.n for entry in later if _is_new_phase(entry) or (entry.n not in own and _upsets(entry, set(touched)))]


def _is_new_phase(entry: Entry) -> bool:
    """In another phase or by another house rule no line of the page means what it meant, whoever did it."""
    return any(isinstance(event, PhaseBegan | SwitchSet) for event in entry.events)


def _upsets(entry: Entry, touched: set[str]) -> bool:
    """Turning back changes everything; other acts what they touch."""
    return bool(entry.undo or entry.redo) or not touched.isdisjoint(subjects(entry.events))


def subjects(events: Iterable[Event]) -> set[str]:
    """The units, pools and marked things that events touch; sources and sinks are everyone's."""
    found: set[str] = set()
    for event in events:
        if isinstance(event, Moved | Became | Raised):
            found.add(f"unit/{event.unit}")
        elif isinstance(event, Transferred):
            found |= {_pool(Account(pool, event.nation, event.kind)) for pool in (event.frm, event.to)}
        elif isinstance(event, Marked):
            found.add(event.on)
        elif isinstance(event, PhaseBegan):
            found.add("clock")
    return {each for each in found if not each.startswith(("pool/source/", "pool/sink/"))}


def _pool(account: Account) -> str:
    return f"pool/{account.pool}/{account.nation}/{account.kind}"


def named_by(sight: Sight, command: Command) -> set[str]:
    """The units and pools a command names, as far as the seat sees them."""
    names = set(texts_in(command))
    folded = {name.casefold() for name in names}
    units = {each for name in folded if (each := sight.state.ids.get(name)) and sight.unit(sight.state.units[each])}
    pools = {_pool(each) for each in sight.state.balances if each.pool in names and sight.account(each)}
    return {f"unit/{each}" for each in units} | pools


# --------------------------------------------------------------------------------------------------- in words


def overtaken(table: Table, seat: Seat, sight: Sight, numbers: Iterable[int]) -> list[str]:
    """Who did what since one looked, a sentence each: 'Axis player rebuilt 1 cadre since you looked: …'."""
    found = [entry for number in numbers for entry in table.campaign.entries(number, number + 1)]
    told = [_told(seat, sight, entry) for entry in found[:MOST_NAMED]]
    more = len(found) - MOST_NAMED
    return [*told, *([f"And {more} more."] if more > 0 else [])]


def _told(seat: Seat, sight: Sight, entry: Entry) -> str:
    who = _who(seat, entry)
    if any(isinstance(event, PhaseBegan) for event in entry.events):
        return f"{who} ended the phase since you looked."
    if not sight.entry(entry):
        return f"{who} did something since you looked that this depends on."
    did = deed(act_in_words(entry).partition(" ")[0], 1)
    return f"{who} {did} since you looked: {act_said(entry)}."


def _who(seat: Seat, entry: Entry) -> str:
    if entry.seat == seat.journal_name and entry.by == seat.name:
        return "You (on another page)"
    if entry.seat in ("", REFEREE):
        return "The referee" if entry.seat else "The host"
    return f"{entry.seat} player{f' ({entry.by})' if entry.by else ''}"
