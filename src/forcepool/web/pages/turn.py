"""The turn page: what this phase asks, as a checklist, and what happened since the seat last looked."""

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.agenda import DUE, LAPSES, NEWS, OPEN, agenda
from forcepool.views.turn import AgendaGroup, AgendaLine, agenda_line, grouped, phases, since
from forcepool.web.actions import moment_of
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import page

MOST_LINES = 8
"""Lines under one clause before the rest is a link away."""


async def turn(request: Request) -> Response:
    it = here(request)
    groups = checklist(it)
    looked = it.registry.looked(it.who, it.table.name)
    it.registry.look(it.who, it.table.name, it.table.seq)
    return page(
        it,
        "turn.html",
        title="Turn",
        key="turn",
        groups=groups,
        kinds=((DUE, "Due now"), (LAPSES, "Will lapse"), (OPEN, "Open to you"), (NEWS, "News")),
        phases=phases(it.world, it.state),
        shown=request.query_params.get("show", ""),
        most=MOST_LINES,
        ticked=it.registry.ticked(it.who, it.table.name, moment_of(it)),
        tick_of=tick_of,
        since=since(it.campaign, looked, seat=it.seat.journal_name) if looked and looked < it.table.seq else None,
        sees_all=it.sight.all,
    )


def checklist(it: Here) -> tuple[AgendaGroup, ...]:
    """The seat's checklist, worked out once."""
    found: tuple[AgendaGroup, ...] = it.kept("agenda", lambda: grouped(_lines(it)))
    return found


def _lines(it: Here) -> list[AgendaLine]:
    items = agenda(it.world, it.state, side=it.seat.side)
    return [agenda_line(item) for item in items if it.sight.item(item)]


def tick_of(line: AgendaLine) -> str:
    """The name a line is ticked under, for as long as it reads the same."""
    return sha256(f"{line.clause} {line.text}".encode()).hexdigest()[:16]


PAGE = Page("turn", "Turn", "", "t", [at("", turn)])
