"""A new campaign: scenario, house rules, seats and dice; or a journal that someone exported."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from forcepool import games
from forcepool.engine.switches import Switch
from forcepool.rulebook.headings import title_of
from forcepool.store.address import is_database
from forcepool.store.turnfile import BEGIN
from forcepool.views.scenarios import Scenario, read_scenario, scenario, scenario_names, shipped_scenario
from forcepool.web.forms import Form, read_form
from forcepool.web.here import is_host, keeper_of, session_of, shelf_of
from forcepool.web.jobs import Busy
from forcepool.web.keeping import Withheld
from forcepool.web.pages.house import TABLE, in_order, part_of
from forcepool.web.pages.job import jobs_of
from forcepool.web.render import answer, json_answer, with_session
from forcepool.web.task import Task

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")
OWN = "own"
"""The choice of a scenario of one's own, pasted or uploaded."""
PATIENCE = 10.0
"""Seconds for which the form waits for its campaign."""


class Wrong(Exception):
    """The campaign cannot be begun so; each line says why."""

    def __init__(self, *lines: str) -> None:
        super().__init__("; ".join(lines))
        self.lines = lines


async def choose(request: Request) -> Response:
    """What can be begun: every shipped scenario, or one of one's own; then its house rules."""
    _must_be_host(request)
    return _page(request, request.query_params.get("scenario", ""))


def _must_be_host(request: Request) -> None:
    if not is_host(request):
        raise HTTPException(403, "Only the host of this server begins campaigns.")


@cache
def shipped() -> tuple[Scenario, ...]:
    return tuple(scenario(name, shipped_scenario(name)) for name in scenario_names())


def _page(
    request: Request, chosen: str, *, status: int = 200, problems: tuple[str, ...] = (), form: Form | None = None
) -> Response:
    found = next((each for each in shipped() if each.name == chosen), None)
    begun = read_scenario(shipped_scenario(chosen)) if found else None
    return answer(
        request,
        "new.html",
        status,
        title="A new campaign",
        scenarios=shipped(),
        chosen=chosen,
        scenario=found,
        begun=begun,
        titles={name: games.game(name).title for name in games.names()},
        name=(form["name"] if form else "") or _free_name(request, chosen),
        problems=problems,
        text=form["text"] if form else "",
        in_force=begun.set_up.state.switches if begun else {},
        rulings=_rulings(begun.game.house_rules) if begun else [],
    )


def _rulings(switches: Iterable[Switch]) -> list[tuple[str, list[Switch]]]:
    """The rulings one may choose, heading by heading."""
    grouped = groupby(sorted(switches, key=in_order), key=part_of)
    return [(f"{part} {title_of(part)}" if part else TABLE, list(group)) for part, group in grouped]


def _free_name(request: Request, wish: str) -> str:
    """A name nobody has taken yet: 'smolensk', 'smolensk 2'."""
    taken, base = shelf_of(request).names(), wish or "campaign"
    return next(name for number in range(1, 1000) if (name := base if number == 1 else f"{base} {number}") not in taken)


# ---------------------------------------------------------------------------------------------- beginning


async def begin_one(request: Request) -> Response:
    """Begin a campaign of a scenario."""
    _must_be_host(request)
    form = await read_form(request)
    try:
        place = _place(request, form)
        wish = {
            "scenario": form["scenario"] if form["scenario"] == OWN else _shipped(form["scenario"]),
            "text": _own(form["text"]) if form["scenario"] == OWN else "",
            "played": bool(form["played"]),
            "seats": [seat for seat in form.all("seat") if seat],
            "by_hand": form["dice"] == "hand",
            "house_rules": _house_rules(form),
        }
    except Wrong as error:
        return _told(request, form, error.lines)
    return await _made(request, form, Task("begin", place, fields=wish))


async def bring_one(request: Request) -> Response:
    """Make a campaign of a journal that was exported as text, or of the first turn that came by mail."""
    _must_be_host(request)
    form = await read_form(request)
    try:
        place, text = _place(request, form), form["journal"]
        if not text.strip():
            raise Wrong("choose the text file of a journal")
    except Wrong as error:
        return _told(request, form, error.lines)
    if BEGIN in text and not is_database(place):
        # The first turn of a campaign that is played by mail holds all of it.
        wish = {"text": text, "choose": "", "anyway": False}
        return await _made(request, form, Task("receive", place, fields=wish))
    return await _made(request, form, Task("bring", place, fields={"text": text}))


async def _made(request: Request, form: Form, task: Task) -> Response:
    """Have the campaign made beside everything else; one that takes long is waited for on a page of its own."""
    jobs, keeper = jobs_of(request), keeper_of(request)
    if request.app.state.public:
        limits = keeper.limits
        bounds = {"most_units": limits.campaign_units, "most_entries": limits.campaign_entries}
        task = replace(task, fields=task.fields | bounds)
        try:
            keeper.check_new()
        except Withheld as error:
            return _told(request, form, (str(error),), 403)
    try:
        job = jobs.begin(_owner(request), "A new campaign", task)
    except Busy as busy:
        found = _told(request, form, (busy.says,), 429)
        found.headers["retry-after"] = str(busy.seconds)
        return found
    if not await jobs.settled(job, PATIENCE):
        return _on_to(request, "/job")
    if job.result is None or not job.result.ok:
        return _told(request, form, (job.result.says, *job.result.words) if job.result else ())
    return _on_to(request, f"/c/{job.result.go}")


def _owner(request: Request) -> str:
    """Whose the tasks are: there may be several hosts."""
    found = request.app.state.registry.sits(session_of(request), "") if request.app.state.public else None
    return f"host/{found.id if found else 0}"


async def look(request: Request) -> Response:
    """How far the making of a campaign is."""
    _must_be_host(request)
    job = jobs_of(request).of(_owner(request))
    if job is not None and job.result is not None and job.result.go:
        return _on_to(request, f"/c/{job.result.go}")
    return answer(request, "job.html", title="Task", job=job, notice="", base="", back="/new")


async def cancel(request: Request) -> Response:
    _must_be_host(request)
    await read_form(request)
    jobs, owner = jobs_of(request), _owner(request)
    job = jobs.of(owner)
    if await jobs.cancel(owner) and job is not None and not is_database(job.task.file):
        # On Windows a process that is told to end clears nothing away.
        path = Path(job.task.file)
        for draft in path.parent.glob(f"{path.name}.*.new*"):
            draft.unlink(missing_ok=True)
    return _on_to(request, "/job")


def _place(request: Request, form: Form) -> str:
    """Where the new campaign is to lie."""
    name = " ".join(form["name"].split())
    if not NAME.fullmatch(name):
        raise Wrong(
            "a campaign's name has letters, digits, spaces, - and _, at most 40, and begins with a letter or digit"
        )
    if shelf_of(request).stock.has(name):
        raise Wrong(f"there is a campaign '{name}' already; choose another name")
    return shelf_of(request).stock.where(name)


def _shipped(name: str) -> str:
    if name not in scenario_names():
        raise Wrong("choose a scenario")
    return name


def _own(text: str) -> str:
    if not text.strip():
        raise Wrong("paste your scenario, or choose its file")
    return text


def _house_rules(form: Form) -> dict[str, str]:
    """The switches that were set otherwise than the scenario has them."""
    return {name.removeprefix("rule:"): form[name] for name in form.names() if name.startswith("rule:") and form[name]}


def _told(request: Request, form: Form, lines: tuple[str, ...], status: int = 400) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        data: dict[str, Any] = {"accepted": False, "kind": "wrong", "says": lines[0], "seq": 0}
        return json_answer(data | {"reasons": [{"clause": "", "sentence": line} for line in lines[1:]]}, status)
    return _page(request, form["scenario"], status=status, problems=lines, form=form)


def _on_to(request: Request, path: str) -> Response:
    if "application/json" in request.headers.get("accept", ""):
        return json_answer({"accepted": True, "go": path, "seq": 0})
    return with_session(request, RedirectResponse(path, 303))


ROUTES = [
    Route("/new", choose),
    Route("/new", begin_one, methods=["POST"]),
    Route("/new/journal", bring_one, methods=["POST"]),
    Route("/job", look),
    Route("/job/cancel", cancel, methods=["POST"]),
]
