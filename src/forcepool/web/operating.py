"""The operator's page: what lies on a public server, how large it is, and what the host can do about it."""

import time
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from forcepool.web.api.shapes import Kept
from forcepool.web.costs import payer
from forcepool.web.forms import read_form
from forcepool.web.here import is_host, keeper_of, shelf_of, signer_of
from forcepool.web.home import days_ago
from forcepool.web.keeping import ARCHIVED, LOCKED, LONGEST_NOTE, OPEN, STANDINGS
from forcepool.web.render import answer, with_session
from forcepool.web.settings import Bytes
from forcepool.web.shelf import UNUSABLE

A_PAGE = 100
"""Campaigns on one page."""
DONE = {OPEN: "opened", LOCKED: "locked", ARCHIVED: "archived"}
"""What the log says was done."""
ONLY_PUBLIC = "At your own machine there is nothing to operate; this page is for public servers."
ONLY_HOST = "Only the host of this server sees this page."


def lines(request: Request, names: list[str]) -> list[Kept]:
    """Campaigns as the operator sees them; none of them is opened for it."""
    stock, registry = shelf_of(request).stock, request.app.state.registry
    standings = registry.standings()
    found = []
    for name in names:
        try:
            entries = stock.entries(name)
        except UNUSABLE:
            entries = 0
        state, note, _ = standings.get(name, ("", "", ""))
        invitations = [each for each in registry.invitations(name) if not each.ended]
        seated = sum(bool(each.used) for each in invitations)
        size, touched = stock.size(name), stock.touched(name)
        found.append(Kept(name, state, note, size, entries, touched, seated, len(invitations) - seated))
    return found


def stand(request: Request, name: str, state: str, note: str) -> None:
    """Lock a campaign, lay it by, or open it again; the log says who did."""
    state, note = state if state in STANDINGS else OPEN, " ".join(note.split())[:LONGEST_NOTE]
    request.app.state.registry.set_standing(name, state, note if state else "")
    request.app.state.log.write(
        "campaign", done=DONE[state], campaign=name, seat=signer_of(request).blinded(who(request))
    )


def who(request: Request) -> str:
    found: str = request.scope.get("payer") or payer(request.scope)
    return found


# ------------------------------------------------------------------------------------------------ the page


async def operator(request: Request) -> Response:
    _must_operate(request)
    return shown(request)


def shown(request: Request, status: int = 200, *, problem: str = "") -> Response:
    shelf, limits = shelf_of(request), keeper_of(request).limits
    words = request.query_params.get("q", "").strip()[:100]
    start = request.query_params.get("start", "0")
    first = int(start) if start.isascii() and start.isdecimal() and len(start) < 9 else 0
    names = [name for name in shelf.names() if words.casefold() in name.casefold()]
    kept = lines(request, names[first : first + A_PAGE])
    return answer(
        request,
        "operator.html",
        status,
        title="Operator",
        campaigns=[(each, size(each.bytes), days_ago(each.touched, time.time())) for each in kept],
        shown=(first + 1 if kept else 0, first + len(kept), len(names)),
        before=first - A_PAGE if first else None,
        after=first + A_PAGE if first + A_PAGE < len(names) else None,
        words=words,
        problem=problem,
        standings={"": "open", LOCKED: "locked", ARCHIVED: "archived"},
        longest=LONGEST_NOTE,
        totals=totals(request),
        limits=limits,
    )


def totals(request: Request) -> dict[str, Any]:
    """What the whole server holds just now, beside what it may."""
    running, waiting = request.app.state.jobs.counts()
    return {
        "campaigns": len(shelf_of(request).names()),
        "size": size(keeper_of(request).total()),
        "streams": request.app.state.streams.open,
        "jobs": running + waiting,
        "in_memory": shelf_of(request).in_memory,
    }


def size(number: int) -> str:
    """Bytes as one says them."""
    return f"{number / Bytes:,.1f} MB" if number >= Bytes // 10 else f"{-(-number // 1024):,} KB"


async def change(request: Request) -> Response:
    """Lock a campaign, lay it by, or open it again."""
    _must_operate(request)
    form = await read_form(request)
    name, state = form["campaign"], form["state"]
    if name not in shelf_of(request).names() or state not in STANDINGS:
        return shown(request, 400, problem="There is no such campaign any more; look again.")
    stand(request, name, state, form["note"])
    return with_session(request, RedirectResponse("/operator", 303))


def _must_operate(request: Request) -> None:
    if not request.app.state.public:
        raise HTTPException(404, ONLY_PUBLIC)
    if not is_host(request):
        raise HTTPException(403, ONLY_HOST)


ROUTES = [Route("/operator", operator), Route("/operator", change, methods=["POST"])]
