"""Long tasks for programs: the seat's one task is begun, watched, waited for, cancelled, and its file fetched."""

from starlette.responses import Response

from forcepool.tables.campaign import TABLES
from forcepool.tables.table import WRITERS
from forcepool.web.api import requests, shapes
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.here import Here
from forcepool.web.jobs import Busy, Job
from forcepool.web.kept_plans import text_of
from forcepool.web.pages.job import FARTHEST, LONGEST_GOALS, TITLES, NotTheirs, begun, jobs_of

CSV = "csv"
LONGEST_WAIT = 30
"""Seconds for which a program may wait for its task in one request."""


def line(job: Job) -> shapes.JobLine:
    result = job.result
    return shapes.JobLine(
        job.number,
        job.task.kind,
        job.state,
        job.done,
        job.of,
        says=result.says if result else "",
        words=result.words if result else (),
        good=result.good if result and result.ok else None,
        file=job.file.name if job.file else "",
    )


async def begin(it: Here, asked: Asked) -> shapes.JobLine:
    wish: requests.JobRequest = asked.body
    if wish.kind not in TITLES:
        raise Refused(400, f"a task is one of {', '.join(TITLES)}, not '{wish.kind[:40]}'")
    if wish.kind == "table" and (wish.table not in TABLES or f".{wish.form or CSV}" not in WRITERS):
        raise Refused(400, f"a table is one of {', '.join(TABLES)}, as csv, xlsx or parquet")
    try:
        return line(
            begun(
                it,
                wish.kind,
                form=wish.form,
                turns=max(0, min(wish.turns, FARTHEST)),
                losses=wish.losses[:200].split(),
                goals=wish.goals[:LONGEST_GOALS],
                again=text_of(it) if wish.again else "",
                prices=wish.prices,
                table=wish.table,
                **({"as": wish.form or CSV} if wish.kind == "table" else {}),
            )
        )
    except NotTheirs as no:
        raise Refused(403, str(no)) from None
    except Busy as busy:
        raise Refused(429, busy.says, retry_after=busy.seconds) from None


async def look(it: Here, asked: Asked) -> shapes.JobLine:
    """How far it is; with `wait`, once it is over or so many seconds have gone by."""
    job, wait = _own(it), min(asked.number("wait", 0), LONGEST_WAIT)
    if wait:
        await jobs_of(it.request).settled(job, wait)
    return line(job)


async def cancel(it: Here, asked: Asked) -> shapes.JobLine:
    job = _own(it)
    await jobs_of(it.request).cancel(it.owner)
    return line(job)


async def file(it: Here, asked: Asked) -> Response:
    job = _own(it)
    if job.file is None:
        raise Refused(404, "the task made no file, or has not made it yet")
    return job.handed_over(job.file, "application/octet-stream")


def _own(it: Here) -> Job:
    job = jobs_of(it.request).of(it.owner)
    if job is None:
        raise Refused(404, "the seat has no task, or what came of it is no longer kept")
    return job
