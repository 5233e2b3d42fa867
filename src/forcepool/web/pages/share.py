"""Print and share: the turn's report and the charts on paper, as PDF or text; the journal and a copy to take away."""

from starlette.requests import Request
from starlette.responses import Response

from forcepool.report.words import SHEETS, USUAL
from forcepool.tables.campaign import TABLES
from forcepool.web.chair import SEES_ALL
from forcepool.web.here import here
from forcepool.web.pages import Page, at
from forcepool.web.render import page

ABOUT = {
    "checklist": "what is due and what is open, with a box to tick",
    "track": "the coming months, each counter in the turn it arrives",
    "boxes": "every box of the paper charts, with its counters",
    "pools": "every balance, with a column for pencil",
    "happened": "the turn's entries, with their clauses",
    "losses": "the units on the map, to cross out at the table",
}
AMERICAN = ("en-us", "en-ca", "es-us")
"""Where letters are written on another paper."""


async def look(request: Request) -> Response:
    it = here(request)
    speaks = request.headers.get("accept-language", "").casefold()
    return page(
        it,
        "share.html",
        title="Print and share",
        sheets=[(key, name, ABOUT[key], key in USUAL) for key, name in SHEETS.items()],
        paper="letter" if speaks.startswith(AMERICAN) else "a4",
        tables=[(name, source.about) for name, source in TABLES.items()],
        takes_copies=it.seat.role in SEES_ALL,
    )


PAGE = Page("print", "Print and share", "/print", "", [at("/print", look)])
