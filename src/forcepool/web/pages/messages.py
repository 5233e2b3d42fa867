"""Messages: what the seats write to each other, and a box to write in."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from forcepool.engine.journal import Entry
from forcepool.engine.messages import LONGEST_MESSAGE, addressees
from forcepool.web.acting import NotTaken
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here
from forcepool.web.messages import have_read, readable, written
from forcepool.web.pages import Page, at
from forcepool.web.render import page

A_PAGE = 50


async def messages(request: Request) -> Response:
    """The messages the seat may read, newest first."""
    return shown(here(request))


def shown(it: Here, status: int = 200, *, problem: str = "", text: str = "", to: str = "") -> Response:
    """The page; what was not taken stands in the box again."""
    found = it.kept("messages", lambda: readable(it))
    asked = it.request.query_params.get("before", "")
    before = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 10 else it.table.seq + 1
    lines = [each for each in reversed(found) if each.entry < before]
    have_read(it)
    return page(
        it,
        "messages.html",
        title="Messages",
        key="journal",
        status=status,
        lines=lines[:A_PAGE],
        older=lines[A_PAGE - 1].entry if len(lines) > A_PAGE else 0,
        addressees=addressees(it.campaign),
        to=to or it.seat.side,
        text=text,
        problem=problem,
        longest=LONGEST_MESSAGE,
    )


async def write(request: Request) -> Response:
    """Send a message."""
    it, form = here(request), await read_form(request)
    done = written(it, form["text"], form["to"])
    if isinstance(done, Entry):
        return RedirectResponse(f"{it.path}/messages", 303)
    says = f"{done.says[:1].upper()}{done.says[1:].removesuffix('.')}."
    status = (403 if done.reason else 503) if isinstance(done, NotTaken) else 403 if done.forbidden else 400
    return shown(it, status, problem=says, text=form["text"], to=form["to"])


PAGE = Page("messages", "Messages", "/messages", "", [at("/messages", messages), at("/messages", write, "POST")])
