"""The front door: the campaigns on the shelf, and sitting down on an invitation."""

import time
from datetime import datetime
from typing import Any
from urllib.parse import quote, unquote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from forcepool.engine.command import BadCommand
from forcepool.engine.journal import Damaged
from forcepool.store.errors import CampaignFileError
from forcepool.web.api.shapes import Problem
from forcepool.web.forms import read_form
from forcepool.web.here import is_host, listed, renew_session, seat_at, session_of, shelf_of
from forcepool.web.keeping import Withheld
from forcepool.web.meters import counting
from forcepool.web.mine import calls, in_a_sentence, newest, one_by_one
from forcepool.web.new import shipped
from forcepool.web.parts import take_part
from forcepool.web.registry import Registry
from forcepool.web.render import answer, json_answer, with_session
from forcepool.web.security import new_session
from forcepool.web.shelf import UNUSABLE

FAILED = (
    "forcepool made a mistake here, and nothing was recorded by it. Go back and try again. If it happens again, please "
    "report it, with what you did and the last lines in the window where forcepool runs."
)
HEADINGS = {
    403: "Not yours to do",
    413: "Too large",
    429: "Too fast",
    500: "Something went wrong",
    503: "Not to be had just now",
}
MOST_LINES = 50
"""Campaigns that the front page shows."""
DEAD_LINK = "This invitation was used or taken back. Ask whoever sent it for a new one."


async def home(request: Request) -> Response:
    """The campaigns one has a seat at; with a single one, straight to it."""
    shelf, registry = shelf_of(request), _registry(request)
    names = shelf.names() if is_host(request) else [n for n in registry.campaigns_of(session_of(request)) if n]
    names = listed(request, names)
    if len(names) == 1 and not is_host(request):
        return RedirectResponse(f"/c/{quote(names[0])}", 303)
    shown = newest(shelf_of(request), names, MOST_LINES)
    lines = sorted([_line(request, name) async for name in one_by_one(shown)], key=_most_pressing)
    seats = [line["calls"] for line in lines if "calls" in line]
    demonstration = next((each for each in shipped() if each.played), None)
    return answer(
        request,
        "home.html",
        title="Campaigns",
        campaigns=lines,
        ending=shelf_of(request).stock.ending,
        older=sorted({*names} - {*shown}),
        mine="" if is_host(request) else in_a_sentence(seats),
        demonstration=demonstration,
        there=demonstration is not None and demonstration.name in names,
        new_here=all(demonstration is not None and name == demonstration.name for name in names),
    )


def _most_pressing(line: dict[str, Any]) -> tuple[Any, ...]:
    """Where it is one's turn first, then what was played last."""
    return not ("calls" in line and line["calls"].any), -line["touched"], line["name"]


def _line(request: Request, name: str) -> dict[str, Any]:
    """A campaign on the shelf: where it stands, who plays, and when it was last touched."""
    touched = shelf_of(request).stock.touched(name)
    line: dict[str, Any] = {"name": name, "touched": touched, "played": days_ago(touched, time.time())}
    try:
        table = shelf_of(request).table(name)
    except UNUSABLE as error:
        # One bad file must not hide the others.
        return line | {"problem": str(error)}
    campaign = table.campaign
    return line | {
        "title": campaign.beginning.title,
        "game": campaign.world.game.title,
        "when": campaign.world.when(campaign.state),
        "entries": campaign.seq,
        "calls": calls(request, table),
    }


def days_ago(then: float, now: float) -> str:
    """'today', 'yesterday', '12 days ago': as one says it."""
    days = (datetime.fromtimestamp(now).date() - datetime.fromtimestamp(then).date()).days
    return "today" if days < 1 else "yesterday" if days == 1 else f"{days} days ago"


async def join(request: Request) -> Response:
    """An invitation: shown first, so that a mail program that looks at links does not use it up."""
    found = _registry(request).offered(request.path_params["word"])
    if found is None:
        return answer(request, "join.html", 404, title="Invitation", invitation=None, problem=DEAD_LINK)
    title = shelf_of(request).table(found.campaign).campaign.beginning.title if found.campaign else "this server"
    return answer(request, "join.html", title="Invitation", invitation=found, campaign_title=title, problem="")


async def sit_down(request: Request) -> Response:
    """Take the seat. The link is dead afterwards, and nothing of it stays in the address."""
    await read_form(request)
    # Whoever may have planted the session this browser came with must not come to sit here too.
    session = new_session()
    found = _registry(request).accept(request.path_params["word"], session, was=session_of(request))
    if found is None:
        return answer(request, "join.html", 404, title="Invitation", invitation=None, problem=DEAD_LINK)
    renew_session(request, session)
    if found.campaign:
        take_part(shelf_of(request).table(found.campaign), _registry(request))
    return with_session(request, RedirectResponse(f"/c/{quote(found.campaign)}" if found.campaign else "/", 303))


def _told(error: Exception) -> tuple[int, str]:
    """The status of an answer about an error, and what is said of it."""
    match error:
        case HTTPException():
            return error.status_code, str(error.detail)
        case BadCommand():
            return 400, str(error)
        case Withheld():
            return 403, str(error)
    return (503, str(error)) if isinstance(error, UNUSABLE) else (500, FAILED)


async def wrong(request: Request, error: Exception) -> Response:
    """A page for what is not there, or not allowed."""
    status, says = _told(error)
    if isinstance(error, CampaignFileError | Damaged) and not isinstance(error, Withheld):
        counting.get().store_failed()
    if status == 500:
        request.app.state.log.write("fault", error=type(error).__name__)
    if request.app.state.public:
        # Where the files lie is nobody's business.
        says = shelf_of(request).stock.untold(says)
    if request.url.path.startswith("/api/"):
        return json_answer(Problem(says), status)
    if says == "Not Found":
        says = "There is no such page."
    title = HEADINGS.get(status, "Not here")
    found = answer(
        request, "wrong.html", status, title=title, says=says[:1].upper() + says[1:], back=_campaign(request)
    )
    found.headers.update(getattr(error, "headers", None) or {})
    return found


def _campaign(request: Request) -> str:
    """Where the pages of the campaign begin that a wrong address lies under, for those who have a seat there."""
    name = unquote(request.url.path.removeprefix("/c/").partition("/")[0]) if request.url.path.startswith("/c/") else ""
    try:
        there = name and shelf_of(request).stock.has(name) and seat_at(request, name)[0] is not None
    except CampaignFileError:
        # What went wrong may be just this.
        there = False
    return f"/c/{quote(name)}" if there else ""


def _registry(request: Request) -> Registry:
    found: Registry = request.app.state.registry
    return found


ROUTES = [
    Route("/", home),
    Route("/join/{word}", join, methods=["GET"]),
    Route("/join/{word}", sit_down, methods=["POST"]),
]
