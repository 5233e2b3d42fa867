"""The journal: who did what and why, undo to any point, bookmarks."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine import codec
from forcepool.engine.calendar import BadTurn
from forcepool.engine.command import BadCommand
from forcepool.engine.desk import Note
from forcepool.engine.events import Noted
from forcepool.engine.journal import Entry
from forcepool.store.subjects import subjects
from forcepool.views.journal import EntryLine, clauses_of, entries_about, entry_line, moment
from forcepool.views.said import sentence_said
from forcepool.web.acting import Wrong, act
from forcepool.web.actions import outcome_of, told
from forcepool.web.chair import SEES_ALL
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page, plural

A_PAGE = 40
LONGEST_FILTER = 80
A_PIECE = 100
"""Entries that are looked through at a time; then others have their turn."""
MOST_COUNTED = 500
"""Entries that are counted one by one before an undo."""
MOST_LOOKED_THROUGH = 5000
"""Entries that one request looks through; what lies further back is asked for again."""
STAR = "★"


class Wanted(Struct, frozen=True):
    """What the entries listed must have in common."""

    unit: str = ""
    pool: str = ""
    clause: str = ""
    turn: str = ""
    seat: str = ""
    words: str = ""
    marked: bool = False

    @property
    def any(self) -> bool:
        return bool(self.unit or self.pool or self.clause or self.turn or self.seat or self.words or self.marked)


class Hidden(Struct, frozen=True):
    """An entry of another seat: that there is one is all that is told."""

    entry: int
    seat: str
    when: str
    undone: bool
    first: int = 0
    """Of several in a row, the earliest: they are one line."""


class Looked(Struct, frozen=True):
    """The entries that were found, and before which one the rest lies; 0 where there is none."""

    lines: "list[EntryLine | Hidden]"
    before: int


async def journal(request: Request) -> Response:
    """The entries, newest first, or those that fit."""
    it = here(request)
    asked = request.query_params
    filters = {
        name: asked.get(name, "").strip()[:LONGEST_FILTER]
        for name in ("unit", "pool", "clause", "turn", "seat", "words")
    }
    wanted = Wanted(**filters, marked="marked" in asked)
    text = asked.get("before", "")
    before = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else it.table.seq + 1
    problem, found = _unknown(it, wanted), Looked([], 0)
    try:
        found = await entries_that_fit(it, wanted, before, A_PAGE)
    except BadTurn as error:
        problem = str(error)
    return page(
        it,
        "journal.html",
        title="Journal",
        key="journal",
        lines=folded(found.lines),
        older=found.before,
        gave_up=found.before and len(found.lines) < A_PAGE,
        wanted=wanted,
        query="&".join(f"{name}={value}" for name, value in asked.items() if name != "before"),
        problem=problem,
        seats=it.campaign.beginning.seats,
        bookmarks=it.kept("bookmarks", lambda: bookmarks(it)),
        note=Note,
        takes_copies=it.seat.role in SEES_ALL,
        undo_from=it.kept("undo from", lambda: undo_from(it)),
    )


def folded(lines: "list[EntryLine | Hidden]") -> "list[EntryLine | Hidden]":
    """Entries of another seat that follow each other in one phase as one line: nothing else is told of them."""
    found: list[EntryLine | Hidden] = []
    for each in lines:
        last = found[-1] if found else None
        if isinstance(each, Hidden) and isinstance(last, Hidden):
            alike = (each.seat, each.when, each.undone) == (last.seat, last.when, last.undone)
            if alike and each.entry == (last.first or last.entry) - 1:
                found[-1] = replace(last, first=each.entry)
                continue
        found.append(each)
    return found


def undo_from(it: Here) -> int:
    """The first entry back to which the seat may undo; a side may ask the others, and so go back to the beginning."""
    if not it.seat.front:
        return 2
    first = it.table.seq + 1
    for entry in _backwards(it, first):
        if it.campaign.history.counts(entry) and not it.sight.may_turn_back(entry):
            break
        first = entry.n
    return first


async def entries_that_fit(it: Here, wanted: Wanted, before: int, most: int) -> Looked:
    """The entries that fit, newest first, so many at most; in a long journal others have their turn in between."""
    fits, lines, looked = _Fitting(it, wanted), list[EntryLine | Hidden](), 0
    async for piece in _pieces(it, before, fits.numbers):
        for entry in piece:
            if len(lines) == most:
                return Looked(lines, lines[-1].entry if lines else before)
            if (line := fits.line(entry)) is not None:
                lines.append(line)
        looked += len(piece)
        if wanted.any and looked >= MOST_LOOKED_THROUGH and piece[-1].n > 2:
            return Looked(lines, piece[-1].n)
    return Looked(lines, 0)


class _Fitting:
    """What must hold of an entry. A filter finds only what the seat sees, or it would tell what is hidden."""

    def __init__(self, it: Here, wanted: Wanted) -> None:
        self.it, self.wanted = it, wanted
        self.turn = it.world.calendar.parse(wanted.turn).turn if wanted.turn else None
        named = (("unit", _unit_meant(it, wanted.unit)), ("pool", _pool_meant(it, wanted.pool)))
        self.about = {f"{kind}/{name}" for kind, name in named if name}
        found = [set(entries_about(it.campaign, each)) for each in sorted(self.about)]
        self.numbers = sorted(set.intersection(*found)) if found else None

    def line(self, entry: Entry) -> "EntryLine | Hidden | None":
        """The entry as it is listed; None for one that does not fit."""
        it, wanted = self.it, self.wanted
        shown = it.sight.shown(entry)
        if shown is not None and not it.sight.all and not self.about <= subjects(codec.encode(shown)):
            # What the filter found in it is not the seat's to see.
            return None
        if shown is None:
            undone = entry.n in it.campaign.history.undone
            return None if wanted.any else Hidden(entry.n, entry.seat, moment(it.campaign, entry.at), undone)
        if self.turn not in (None, entry.at.turn) or (wanted.seat and wanted.seat != entry.seat):
            return None
        if wanted.clause and not any(_under(each, wanted.clause) for each in clauses_of(shown)):
            return None
        line = entry_line(it.campaign, shown)
        return line if _says(line, wanted.words) and (not wanted.marked or _bookmark(entry)) else None


async def _pieces(it: Here, before: int, numbers: list[int] | None) -> AsyncIterator[list[Entry]]:
    """The entries before one, newest first, piece by piece; only some of them where their numbers are known."""
    if numbers is None:
        backwards = _backwards(it, before)
    else:
        wanted = [number for number in reversed(numbers) if 1 < number < before]
        backwards = (next(it.campaign.entries(number, number + 1)) for number in wanted)
    while piece := list(islice(backwards, A_PIECE)):
        yield piece
        await asyncio.sleep(0)


def _unknown(it: Here, wanted: Wanted) -> str:
    """What was asked for and is not there, as far as the seat sees."""
    unit = it.state.units.get(_unit_meant(it, wanted.unit))
    if wanted.unit and (unit is None or not it.sight.unit(unit)):
        return "There is no such unit that you can see; the force pool lists them."
    pool = _pool_meant(it, wanted.pool)
    if pool and not any(each.pool == pool and it.sight.account(each) for each in it.state.balances):
        return "There is no such pool that you can see."
    return ""


def _unit_meant(it: Here, name: str) -> str:
    """The unit whose name only this one begins with, in any letters: '7 pz' for 7 Pz XX."""
    folded = " ".join(name.casefold().split())
    if not folded or name in it.state.units:
        return name
    # Only among those the seat sees: that a name could mean two would tell of the other.
    seen = (each.id for each in it.state.units.values() if it.sight.unit(each))
    found = [each for each in seen if f"{each.casefold()} ".startswith(f"{folded} ")]
    return next((each for each in found if each.casefold() == folded or len(found) == 1), name)


def _pool_meant(it: Here, name: str) -> str:
    """The pool as players call it: 'front Centre', 'centre'."""
    try:
        return it.world.account_named(name) if name else ""
    except BadCommand:
        return name


def _backwards(it: Here, before: int) -> Iterator[Entry]:
    """Entry by entry from the newest, read in pieces."""
    stop = max(2, min(before, it.table.seq + 1))
    while stop > 2:
        start = max(2, stop - A_PIECE)
        yield from reversed(list(it.campaign.entries(start, stop)))
        stop = start


def _under(clause: str, heading: str) -> bool:
    return clause == heading or clause.startswith((f"{heading}/", f"{heading}."))


def _says(line: EntryLine, words: str) -> bool:
    told = " ".join(line.words)
    text = " ".join((line.command, line.said, line.overruled, told, sentence_said(told))).casefold()
    return all(word in text for word in words.casefold().split())


def _bookmark(entry: Entry) -> str:
    """The name of a bookmark: a note that begins with a star."""
    for event in entry.events:
        if isinstance(event, Noted) and event.text.startswith(STAR):
            return event.text.removeprefix(STAR).strip()
    return ""


def bookmarks(it: Here) -> list[tuple[int, str, str]]:
    """The bookmarks, newest first: entry, name and moment."""
    star = STAR.encode()
    found = []
    for sealed in it.campaign.journal.read(2):
        if star in sealed.body:
            entry = next(it.campaign.entries(sealed.seq, sealed.seq + 1))
            if (name := _bookmark(entry)) and it.campaign.history.counts(entry) and it.sight.shown(entry):
                found.append((entry.n, name, moment(it.campaign, entry.at)))
    return found[::-1]


# ------------------------------------------------------------------------------------------------- one entry


async def one(request: Request) -> Response:
    """One entry: what was ordered, what came of it, its clauses and its seal, and what undoing to here would undo."""
    it = here(request)
    number = request.path_params["n"]
    if not 1 < number <= it.table.seq:
        raise HTTPException(404, f"The journal has no entry {number}.")
    entry = next(it.campaign.entries(number, number + 1))
    sealed = next(it.campaign.journal.read(number, number + 1))
    seen = it.sight.shown(entry)
    return page(
        it,
        "entry.html",
        title=f"Entry {number}",
        key="journal",
        entry=number,
        line=entry_line(it.campaign, seen) if seen else None,
        hidden=None
        if seen
        else Hidden(number, entry.seat, moment(it.campaign, entry.at), number in it.campaign.history.undone),
        by=entry.by,
        written=entry.when,
        hash=sealed.hash,
        undoes=_undoes(it, number) if number >= it.kept("undo from", lambda: undo_from(it)) else "",
        last=it.table.seq,
    )


def _undoes(it: Here, number: int) -> str:
    """What undoing to an entry would undo, in words; nothing where it would undo nothing."""
    last = min(it.table.seq, number + MOST_COUNTED)
    count = sum(it.campaign.history.counts(each) for each in it.campaign.entries(number, last + 1))
    more = "more than " if last < it.table.seq else ""
    return f"undoes {more}{plural(count, 'entry', 'entries')}" if count else ""


async def bookmark(request: Request) -> Response:
    """Mark this moment by a name: a note with a star, so that it lasts as long as the journal."""
    it, form = here(request), await read_form(request)
    name = " ".join(form["name"].split())[:80]
    if not name:
        return told(it, form, outcome_of(it, Wrong("a bookmark needs a name; type one")))
    return told(it, form, outcome_of(it, act(it.table, it.seat, Note(text=f"{STAR} {name}"))))


PAGE = Page(
    "journal",
    "Journal",
    "/journal",
    "j",
    [
        at("/journal", journal),
        at("/journal/{n:number}", one),
        at("/bookmark", bookmark, "POST"),
    ],
)
