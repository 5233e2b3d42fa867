"""The turn page: what this phase asks, as a checklist, and what happened since the seat last looked."""

from collections.abc import Container
from hashlib import sha256
from typing import Any

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.agenda import DUE, LAPSES, NEWS, OPEN, Item, agenda
from forcepool.engine.campaign import Done
from forcepool.engine.command import Command
from forcepool.views.strays import Stray, strays
from forcepool.views.turn import AgendaGroup, AgendaLine, Since, agenda_line, grouped, phases, since
from forcepool.web.acting import Outcome, Wrong, act
from forcepool.web.actions import moment_of, outcome_of, told
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.could import has_such
from forcepool.web.render import drawn_once, order_text, page

MOST_AT_ONCE = 200
MOST_LINES = 8
"""Lines under one clause before the rest is a link away."""


async def turn(request: Request) -> Response:
    it = here(request)
    shown, ticked = request.query_params.get("show", ""), it.registry.ticked(it.who, it.table.name, moment_of(it))
    looked = it.registry.looked(it.who, it.table.name)
    it.registry.look(it.who, it.table.name, it.table.seq)
    return page(
        it,
        "turn.html",
        title="Turn",
        key="turn",
        checklist=drawn_once(it, "_checklist.html", (shown, frozenset(ticked)), lambda: _drawing(it, shown, ticked)),
        phases=phases(it.world, it.state),
        since=_news(it, looked) if looked and looked < it.table.seq else None,
        sees_all=it.sight.all,
        has_such=has_such(it),
        strays=_strays(it),
    )


def _strays(it: Here) -> list[Stray]:
    """What counts for nothing, as far as it is this seat's to know."""
    found = it.table.kept("strays", lambda: strays(it.world, it.state))
    return [
        each for each in found if it.sight.all or it.world.side_of_subject(it.state, each.on) in (None, it.seat.side)
    ]


def _news(it: Here, looked: int) -> Since:
    """What others have done after an entry, found out once for all who looked last at the same one."""
    seat = it.seat.journal_name
    return it.table.kept(("since", looked, seat), lambda: since(it.campaign, looked, seat=seat))


def _drawing(it: Here, shown: str, ticked: Container[str]) -> dict[str, Any]:
    """What is drawn of the checklist, with all lines of the group that was asked for."""
    return {
        "groups": checklist(it),
        "kinds": ((DUE, "Due now"), (LAPSES, "Will lapse"), (OPEN, "Open to you"), (NEWS, "News")),
        "shown": shown,
        "most": MOST_LINES,
        "ticked": ticked,
        "tick_of": tick_of,
    }


def checklist(it: Here) -> tuple[AgendaGroup, ...]:
    """The seat's checklist, worked out once."""
    found: tuple[AgendaGroup, ...] = it.kept("agenda", lambda: grouped(_lines(it)))
    return found


def _lines(it: Here) -> list[AgendaLine]:
    return [agenda_line(item) for item in items(it)]


def items(it: Here) -> list[Item]:
    """What is on the seat's list, in sentences it may read."""
    # The seats of a side share its checklist, and each sees its own part of it.
    found = it.table.kept(("agenda", it.seat.side), lambda: agenda(it.world, it.state, side=it.seat.side))
    sight = it.sight
    return [replace(each, sentence=sight.veiled(each.sentence)) for each in found if sight.item(each)]


def tick_of(line: AgendaLine) -> str:
    """The name a line is ticked under, for as long as it reads the same."""
    return sha256(f"{line.clause} {line.text}".encode()).hexdigest()[:16]


# --------------------------------------------------------------------------------- all that is due at once


async def do_all(request: Request) -> Response:
    """Do every line under a clause that is due and has a ready order, one after another, and undo them as one."""
    it, form = here(request), await read_form(request)
    done: list[Done] = []
    failed: dict[str, Outcome] = {}
    while len(done) < MOST_AT_ONCE and (order := _next_due(it, form["clause"], failed)):
        # What is ready may change with each order: a full hex takes no more, so the checklist is asked again.
        outcome = act(it.table, it.seat, order, seen=it.table.seq if done else form.number("seen"))
        if isinstance(outcome, Done):
            done.append(outcome)
        else:
            failed[order_text(order)] = outcome
    if not done:
        stopped = next(iter(failed.values()), Wrong("nothing under this clause is due any more"))
        return told(it, form, outcome_of(it, stopped))
    left = f", {len(failed)} not" if failed else ""
    words = [words for each in done for words in outcome_of(it, each)["words"][:1]]
    data = outcome_of(it, done[-1]) | {"back_to": done[0].entry.n, "says": f"{len(done)} done{left}", "words": words}
    return told(it, form, data)


def _next_due(it: Here, clause: str, failed: Container[str]) -> Command | None:
    """The first order that is ready for what is still due under a clause, and has not failed."""
    fresh = Here(it.request, it.table, it.seat, it.invitation)
    for group in checklist(fresh):
        if (group.kind, group.clause) == (DUE, clause):
            for line in group.lines:
                if line.order is not None and order_text(line.order) not in failed:
                    return line.order
    return None


PAGE = Page("turn", "Turn", "", "t", [at("", turn), at("/due", do_all, "POST")])
