"""Long tasks of a seat: begun by a button, watched on a page of their own, cancelled there, and what came of them."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from forcepool.report.page import PAPERS
from forcepool.report.words import SHEETS
from forcepool.tables.campaign import TABLES
from forcepool.tables.table import WRITERS
from forcepool.web.chair import SEES_ALL
from forcepool.web.forms import Form, read_form
from forcepool.web.here import Here, here, shelf_of
from forcepool.web.jobs import FAILED, Busy, Job, Jobs
from forcepool.web.kept_plans import keeps, text_of
from forcepool.web.pages import Endpoint, Page, at
from forcepool.web.render import json_answer, page
from forcepool.web.security import OWN_STYLE
from forcepool.web.task import Task
from forcepool.web.tasks import ENDINGS

PATIENCE = 2.0
"""Seconds for which a button waits, so that a short task answers like any other."""
FOR_A_REPORT = 5
"""So many times longer for sheets: whoever asks for them wants to look at them, and at nothing else meanwhile."""
BACK = {"report": "print", "table": "print", "forecast": "forecast", "plan": "plan"}
"""Where one goes back to from a task, if not to the journal."""
MOST_ON_A_NOTE = 4
"""Lines that a notice shows; longer ones are read on the page."""
TITLES = {
    "verify": "Verify the journal",
    "rules": "Judge every order again by today's rules",
    "report": "The turn's report",
    "forecast": "What the coming turns bring",
    "plan": "What to rebuild",
    "export": "Export as text",
    "table": "A table for a spreadsheet",
    "backup": "A copy of the file",
}
FRONT_REPORTS = "The report is the whole side's; ask {} for it."
FRONT_FORECASTS = "Looking ahead concerns the whole side; ask {} for it."
FRONT_PLANS = "A plan concerns the whole side; ask {} for it."
RATE = "rate"
LONGEST_GOALS = 40_000
FARTHEST = 48
"""Turns that a page looks ahead."""
NOT_ALL = "The whole journal holds both sides; only the referee can take it away."
NOT_THE_TABLES = "The tables hold both sides; only the referee can take them away."
NOT_THE_FILE = "The file holds both sides; only the host and the referee can take a copy."


class NotTheirs(Exception):
    """A task that this seat may not begin; the sentence says why."""


def jobs_of(request: Request) -> Jobs:
    found: Jobs = request.app.state.jobs
    return found


def begun(it: Here, kind: str, *, form: str = "", **wishes: Any) -> Job:
    """Begin a task of a seat; NotTheirs or Busy where it cannot. The wishes are those of a report."""
    if kind == "report" and it.seat.front:
        raise NotTheirs(FRONT_REPORTS.format(it.seat.side))
    if kind in ("forecast", "plan") and it.seat.front:
        raise NotTheirs((FRONT_FORECASTS if kind == "forecast" else FRONT_PLANS).format(it.seat.side))
    if kind in ("export", "table") and not it.sight.all:
        raise NotTheirs(NOT_ALL if kind == "export" else NOT_THE_TABLES)
    if kind == "backup" and it.seat.role not in SEES_ALL:
        raise NotTheirs(NOT_THE_FILE)
    task = Task(
        kind,
        shelf_of(it.request).stock.where(it.table.name),
        "" if it.sight.all else it.seat.side,
        fields={"turns": 0, "form": form if form in ENDINGS else "", "before": _before(it), **wishes},
    )
    shelf, name, who = shelf_of(it.request), it.table.name, it.who
    keep = {"keep": keeps(it)} if kind == "plan" else {}
    return jobs_of(it.request).begin(it.owner, TITLES[kind], task, lambda: shelf.tell_to(name, who), **keep)


def _before(it: Here) -> str:
    """In a what-if, the file of the campaign it was branched off from."""
    return shelf_of(it.request).stock.where(it.of) if it.in_whatif else ""


# ------------------------------------------------------------------------------------------------ the page


async def look(request: Request) -> Response:
    """How far the seat's task is, and what came of it. Without script the page asks again by itself."""
    return _page(here(request))


def _page(it: Here, status: int = 200, notice: str = "") -> Response:
    job = jobs_of(it.request).of(it.owner)
    shown = {
        "job": job,
        "notice": notice,
        "base": it.path,
        "back": f"{it.path}/{BACK.get(job.task.kind, 'journal') if job else 'journal'}",
    }
    return page(it, "job.html", title="Task", key="journal", status=status, **shown)


async def begin(request: Request) -> Response:
    it, form = here(request), await read_form(request)
    kind = form["kind"]
    if kind not in TITLES:
        raise HTTPException(400, "There is no such task.")
    try:
        job = begun(it, kind, form=form["form"], **_wishes(it, form))
    except NotTheirs as no:
        raise HTTPException(403, str(no)) from None
    except Busy as busy:
        return turned_away(it, busy)
    await jobs_of(request).settled(job, PATIENCE * (FOR_A_REPORT if kind in ("report", "table") else 1))
    return _told(it, job)


def _wishes(it: Here, form: Form) -> dict[str, Any]:
    """How a report is to look, and how far ahead: what the form says, as far as it is known."""
    return {
        "turns": min(int(form["turns"]), FARTHEST) if form["turns"].isdecimal() else 0,
        "losses": _losses(it, form),
        "paper": form["paper"] if form["paper"] in PAPERS else "",
        "large": bool(form["large"]),
        "sheets": [each for each in form.all("sheet") if each in SHEETS],
        "own": form["own"] if form["own"] in it.world.sequence.players and it.sight.all else "",
        "back": f"{it.path}/print",
        "table": form["table"] if form["table"] in TABLES else "balances",
        "as": form["as"] if f".{form['as']}" in WRITERS else "csv",
        "goals": form["goals"][:LONGEST_GOALS].replace("\r\n", "\n").strip(),
        "again": text_of(it, form["again"]) if form["again"] else "",
        "prices": bool(form["prices"]),
    }


def _losses(it: Here, form: Form) -> list[str]:
    """How losses are drawn: not at all, as in the last turns, or a rate for each side one looks for."""
    if form["losses"] != RATE:
        return [form["losses"][:40]] if form["losses"] else []
    sides = it.world.sequence.players if it.sight.all else (it.seat.side,)
    return [f"{side}={form['rate'].strip()[:10]}" for side in sides]


def turned_away(it: Here, busy: Busy) -> Response:
    if _from_script(it.request):
        answer = json_answer({"accepted": False, "kind": "busy", "seq": it.table.seq, "says": busy.says}, 429)
    else:
        # A task that is not finished is the likeliest reason, and can be cancelled there.
        answer = _page(it, 429, busy.says)
    answer.headers["retry-after"] = str(busy.seconds)
    return answer


def _from_script(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


def _told(it: Here, job: Job) -> Response:
    """A short task has been done already; of a long one the page tells."""
    if not _from_script(it.request):
        return RedirectResponse(f"{it.path}/job", 303)
    data: dict[str, Any] = {"accepted": True, "entry": None, "seq": it.table.seq, "says": ""}
    if not job.over or job.result is None:
        return json_answer(data | {"go": f"{it.path}/job"})
    if job.file is not None and job.task.kind in ("forecast", "plan"):
        return json_answer(data | {"go": f"{it.path}/{job.task.kind}"})
    if job.file is not None:
        return json_answer(data | {"go": f"{it.path}/job/{'sheets' if _to_look_at(job) else 'file'}"})
    if len(job.result.words) > MOST_ON_A_NOTE or job.state == FAILED:
        return json_answer(data | {"go": f"{it.path}/job"})
    return json_answer(data | {"says": job.result.says, "words": job.result.words})


async def cancel(request: Request) -> Response:
    it = here(request)
    await read_form(request)
    await jobs_of(request).cancel(it.owner)
    if _from_script(request):
        return json_answer({"accepted": True, "entry": None, "seq": it.table.seq, "says": "", "go": f"{it.path}/job"})
    return RedirectResponse(f"{it.path}/job", 303)


async def file(request: Request) -> Response:
    """What came of it, as a file."""
    it = here(request)
    job = jobs_of(request).of(it.owner)
    if job is None or job.file is None:
        raise HTTPException(404, "There is no such file, or it is no longer kept; begin the task again.")
    return job.handed_over(job.file)


def _to_look_at(job: Job) -> bool:
    return job.task.fields.get("form") == "sheets"


async def sheets(request: Request) -> Response:
    """The sheets of a report in the browser, with a button that prints them."""
    it = here(request)
    job = jobs_of(request).of(it.owner)
    if job is None or job.file is None or not _to_look_at(job):
        return RedirectResponse(f"{it.path}/print", 303)
    return HTMLResponse(job.file.read_text("utf-8"), headers={"content-security-policy": OWN_STYLE})


def fetched(kind: str) -> Endpoint:
    """An address that answers with the file itself, however long that takes: for programs and for old links."""

    async def fetch(request: Request) -> Response:
        it = here(request)
        try:
            job = begun(it, kind)
        except NotTheirs as no:
            raise HTTPException(403, str(no)) from None
        except Busy as busy:
            raise HTTPException(429, busy.says, {"retry-after": str(busy.seconds)}) from None
        await job.finished.wait()
        if job.file is None:
            raise HTTPException(503, job.result.says if job.result else "It came to nothing.")
        return job.handed_over(job.file)

    return fetch


PAGE = Page(
    "job",
    "Task",
    "/job",
    "",
    [
        at("/job", look),
        at("/job", begin, "POST"),
        at("/job/cancel", cancel, "POST"),
        at("/job/file", file),
        at("/job/sheets", sheets),
        at("/export", fetched("export")),
        at("/backup", fetched("backup")),
    ],
)
