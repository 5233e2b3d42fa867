"""What to rebuild: a plan for a side, worked out beside the server, followed with one button a phase."""

from functools import lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from forcepool.engine import codec
from forcepool.engine.command import BadCommand, Command
from forcepool.planner.solver import has_solver
from forcepool.views.saved_plan import GIVEN, NOW, Line, Shown, as_text, lines, order_of
from forcepool.web.counters import drawn, sheet
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here
from forcepool.web.jobs import Job
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import jobs_of
from forcepool.web.render import page
from forcepool.web.together import give_all, told_as_one

TURNS = (4, 8, 12)
LEFT_SHOWN = 8
_shown = codec.decoder(Shown)


async def look(request: Request) -> Response:
    it = here(request)
    job = _job(request, it)
    found = _found(job)
    stands = _lines(it, found)
    units = it.state.units
    specs = [units[each.order.unit].spec for each in stands if each.order.unit in units]
    return page(
        it,
        "plan.html",
        title="What to rebuild",
        key="plan",
        job=job,
        found=found,
        old=job is not None and job.result is not None and job.result.found.get("seq") != it.table.seq,
        choices=TURNS,
        chosen=job.task.fields.get("turns", 12) if job else 12,
        sides=it.world.sequence.players if not it.seat.side else (),
        stands={(each.order.turn, each.order.says): each.stands for each in stands},
        standing=standing(request, it),
        units=units,
        drawn=drawn,
        sheet=sheet(specs),
        most=LEFT_SHOWN,
        solver=has_solver(),
    )


def _job(request: Request, it: Here) -> Job | None:
    job = jobs_of(request).of(it.owner)
    return job if job is not None and job.task.kind == "plan" else None


def _found(job: Job | None) -> Shown | None:
    """What was worked out, as long as it is kept."""
    return _read(job.file, job.number) if job is not None and job.file is not None else None


@lru_cache(maxsize=32)
def _read(file: Path, number: int) -> Shown | None:
    """What a task wrote, which it does once: the turn page asks for it every time."""
    try:
        found: Shown = _shown.decode(file.read_bytes())
    except (OSError, msgspec.MsgspecError):
        return None
    return found


class Standing(Struct, frozen=True):
    """How far a seat's plan is."""

    now: int
    """Orders to be given in this phase …"""
    given: int
    """… and those that were; of all phases, …"""
    all: int
    """… how many there are."""


def standing(request: Request, it: Here) -> Standing | None:
    """How it stands with the plan of a seat; None if it has none."""
    found = _found(_job(request, it))
    if found is None:
        return None
    stands = [each.stands for each in _lines(it, found)]
    return Standing(stands.count(NOW), stands.count(GIVEN), len(stands))


def _lines(it: Here, found: Shown | None) -> list[Line]:
    return list(lines(it.world, it.state, found.saved)) if found else []


async def follow(request: Request) -> Response:
    """Give what the plan has for this phase, one order after another, to be undone as one."""
    it, form = here(request), await read_form(request)
    due = [each for each in _lines(it, _found(_job(request, it))) if each.stands == NOW]
    done, failed = give_all(it, form, [order for each in due if (order := _order(it, each)) is not None])
    return told_as_one(
        it,
        form,
        done,
        failed,
        why_not=": the campaign has gone another way; plan anew",
        none="the plan has nothing for this phase, or it is no longer kept; plan anew",
    )


def _order(it: Here, line: Line) -> Command | None:
    try:
        return order_of(it.world, line.order)
    except BadCommand:
        return None


async def text(request: Request) -> Response:
    """The plan as a text to keep, to send, and to follow in the terminal."""
    found = _found(_job(request, here(request)))
    body = as_text(found.saved) if found else "# There is no plan, or it is no longer kept; make one again.\n"
    return PlainTextResponse(body, headers={"content-disposition": 'attachment; filename="plan.yaml"'})


PAGE = Page(
    "plan",
    "What to rebuild",
    "/plan",
    "",
    [at("/plan", look), at("/plan", follow, "POST"), at("/plan/text", text)],
)
