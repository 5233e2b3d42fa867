"""What to rebuild: plans of a side, worked out beside the server, kept by the seat, followed with one key a phase."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from forcepool.engine.command import BadCommand, Command
from forcepool.files import BadFile, read_yaml
from forcepool.planner.solver import has_solver
from forcepool.views.saved_plan import (
    NOW,
    Line,
    Progress,
    SavedPlan,
    Shown,
    as_text,
    order_of,
    progress,
    read_plan,
)
from forcepool.views.two_plans import side_by_side
from forcepool.web.counters import drawn, sheet
from forcepool.web.forms import Form, read_form
from forcepool.web.here import Here, here
from forcepool.web.jobs import Job
from forcepool.web.kept_plans import Kept, followed, keep, plans, standing
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import jobs_of
from forcepool.web.render import page, with_session
from forcepool.web.together import give_all, told_as_one

TURNS = (4, 8, 12)
LEFT_SHOWN = 8
LONGEST_TEXT = 400_000
NO_PLAN = "# There is no plan, or it is no longer kept; make one again.\n"


class Stood(Struct, frozen=True):
    """A plan, with how it stands today."""

    kept: Kept
    lines: list[Line]
    progress: Progress

    @property
    def phases(self) -> list[tuple[str, list[Line]]]:
        return [(when, list(listed)) for when, listed in groupby(self.lines, key=lambda each: each.order.when)]


async def look(request: Request) -> Response:
    return _page(here(request))


def _page(it: Here, status: int = 200, **values: Any) -> Response:
    wish = it.request.query_params
    kept = plans(it)
    shown = _numbered(kept, wish.get("plan", "")) or followed(it)
    other = _numbered(kept, wish.get("beside", ""))
    found = _stood(it, shown) if shown else None
    specs = (
        [it.state.units[each.order.unit].spec for each in found.lines if each.order.unit in it.state.units]
        if found
        else []
    )
    job = _job(it)
    return page(
        it,
        "plan.html",
        title="What to rebuild",
        key="plan",
        status=status,
        **{
            "job": job,
            "found": found,
            "plans": kept,
            "other": other,
            "beside": side_by_side(shown.shown.saved, other.shown.saved) if shown and other else [],
            "old": shown is not None and shown.entry != it.table.seq,
            "choices": TURNS,
            "chosen": job.task.fields.get("turns", 12) if job else 12,
            "sides": it.world.sequence.players if not it.seat.side else (),
            "units": it.state.units,
            "drawn": drawn,
            "sheet": sheet(specs),
            "most": LEFT_SHOWN,
            "solver": has_solver(),
            "text": "",
            "problems": (),
        }
        | values,
    )


def _numbered(kept: list[Kept], number: str) -> Kept | None:
    return next((each for each in kept if str(each.id) == number), None)


def _stood(it: Here, kept: Kept) -> Stood:
    saved = kept.shown.saved
    stands = standing(it, saved)
    return Stood(kept, stands, progress(it.state, stands))


def _job(it: Here) -> Job | None:
    job = jobs_of(it.request).of(it.owner)
    return job if job is not None and job.task.kind == "plan" else None


# ------------------------------------------------------------------------------------------ what is done with it


async def follow(request: Request) -> Response:
    """Give what the plan has for this phase, one order after another, to be undone as one."""
    it, form = here(request), await read_form(request)
    kept = followed(it)
    stands = standing(it, kept.shown.saved) if kept else []
    due = [each for each in stands if each.stands == NOW]
    done, failed = give_all(it, form, [order for each in due if (order := _order(it, each)) is not None])
    return told_as_one(
        it,
        form,
        done,
        failed,
        why_not=": the campaign has gone another way; plan again from today",
        none="the plan has nothing for this phase, or it is no longer kept; plan anew",
    )


def _order(it: Here, line: Line) -> Command | None:
    try:
        return order_of(it.world, line.order)
    except BadCommand:
        return None


async def choose(request: Request) -> Response:
    """Follow another of the plans one keeps."""
    it, form = here(request), await read_form(request)
    it.registry.follow_plan(it.who, it.table.name, _own(it, form).id)
    return _back(it)


async def drop(request: Request) -> Response:
    it, form = here(request), await read_form(request)
    it.registry.drop_plan(it.who, it.table.name, _own(it, form).id)
    return _back(it)


def _own(it: Here, form: Form) -> Kept:
    found = _numbered(plans(it), form["plan"])
    if found is None:
        raise HTTPException(404, "You keep no such plan.")
    return found


async def bring(request: Request) -> Response:
    """Take over a plan that someone sent as a text."""
    it, form = here(request), await read_form(request)
    text = form["text"][:LONGEST_TEXT]
    try:
        plan = read_plan(read_yaml(text, "plan"), it.world)
    except BadFile as error:
        return _page(it, 400, text=text, problems=[str(each) for each in error.problems])
    if it.seat.front or it.seat.side not in ("", plan.side):
        return _page(it, 400, text=text, problems=[f"this is a plan of {plan.side}"])
    if problems := list(_not_theirs(it, plan)):
        return _page(it, 400, text=text, problems=problems)
    keep(it, Shown(plan))
    return _back(it)


def _not_theirs(it: Here, plan: SavedPlan) -> Iterator[str]:
    """What a plan names that the seat does not see: how such an order stands would tell of it."""
    nations = it.world.sides
    for number, each in enumerate(plan.orders, 1):
        unit = it.state.units.get(each.unit)
        if each.unit and (unit is None or not it.sight.unit(unit)):
            yield f"order {number}: there is no unit '{each.unit}' that you can see"
        named = [nation for nation in nations if f" {nation} " in f" {each.sends} "]
        if each.sends and not (named and all(it.sight.nation(nation) for nation in named)):
            yield f"order {number}: it sends points that are not yours"


def _back(it: Here) -> Response:
    return with_session(it.request, RedirectResponse(f"{it.path}/plan", 303))


async def text(request: Request) -> Response:
    """The plan as a text to keep, to send, and to follow in the terminal."""
    it = here(request)
    found = _numbered(plans(it), request.query_params.get("plan", "")) or followed(it)
    body = as_text(found.shown.saved) if found else NO_PLAN
    return PlainTextResponse(body, headers={"content-disposition": 'attachment; filename="plan.yaml"'})


PAGE = Page(
    "plan",
    "What to rebuild",
    "/plan",
    "",
    [
        at("/plan", look),
        at("/plan", follow, "POST"),
        at("/plan/choose", choose, "POST"),
        at("/plan/drop", drop, "POST"),
        at("/plan/bring", bring, "POST"),
        at("/plan/text", text),
    ],
)
