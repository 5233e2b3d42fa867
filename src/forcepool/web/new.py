"""A new campaign: scenario, house rules, seats and dice; or a journal that someone exported."""

import re
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from forcepool import games
from forcepool.files.problems import BadFile
from forcepool.files.yamltext import Document, read_yaml
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import import_campaign
from forcepool.views.scenarios import (
    BadChoice,
    Begun,
    Scenario,
    begin,
    read_scenario,
    scenario,
    scenario_names,
    shipped_journal,
    shipped_scenario,
)
from forcepool.web.forms import Form, read_form
from forcepool.web.here import is_host, shelf_of
from forcepool.web.render import answer, json_answer, with_session

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")
OWN = "own"
"""The choice of a scenario of one's own, pasted or uploaded."""


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


def shipped() -> list[Scenario]:
    return [scenario(name, shipped_scenario(name)) for name in scenario_names()]


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
    )


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
        path = _path(request, form)
        if form["played"]:
            import_campaign(shipped_journal(_shipped(form["scenario"])), path, file=f"{form['scenario']}.journal")
        else:
            begun = _begun(form)
            begin(
                path,
                begun,
                seats=[seat for seat in form.all("seat") if seat],
                by_hand=form["dice"] == "hand",
                house_rules=_house_rules(form),
            )
    except (Wrong, BadFile, BadChoice, CampaignFileError, games.UnknownGame) as error:
        return _told(request, form, error)
    return _done(request, path)


async def bring_one(request: Request) -> Response:
    """Make a campaign of a journal that was exported as text."""
    _must_be_host(request)
    form = await read_form(request)
    try:
        path = _path(request, form)
        text = form["journal"]
        if not text.strip():
            raise Wrong("choose the text file of a journal")
        import_campaign(text.split("\n"), path, file="journal", build=games.build_world)
    except (Wrong, BadFile, CampaignFileError) as error:
        return _told(request, form, error)
    return _done(request, path)


def _path(request: Request, form: Form) -> Path:
    name = " ".join(form["name"].split())
    if not NAME.fullmatch(name):
        raise Wrong(
            "a campaign's name has letters, digits, spaces, - and _, at most 40, and begins with a letter or digit"
        )
    if name in shelf_of(request).names():
        raise Wrong(f"there is a campaign '{name}' already; choose another name")
    return shelf_of(request).path(name)


def _shipped(name: str) -> str:
    if name not in scenario_names():
        raise Wrong("choose a scenario")
    return name


def _begun(form: Form) -> Begun:
    return read_scenario(
        _own(form["text"]) if form["scenario"] == OWN else shipped_scenario(_shipped(form["scenario"]))
    )


def _own(text: str) -> Document:
    if not text.strip():
        raise Wrong("paste your scenario, or choose its file")
    return read_yaml(text, "scenario.yaml")


def _house_rules(form: Form) -> dict[str, str]:
    """The switches that were set otherwise than the scenario has them."""
    return {name.removeprefix("rule:"): form[name] for name in form.names() if name.startswith("rule:") and form[name]}


def _told(request: Request, form: Form, error: Exception) -> Response:
    lines = error.lines if isinstance(error, Wrong) else tuple(str(error).splitlines())
    if "application/json" in request.headers.get("accept", ""):
        data: dict[str, Any] = {"accepted": False, "kind": "wrong", "says": lines[0], "seq": 0}
        return json_answer(data | {"reasons": [{"clause": "", "sentence": line} for line in lines[1:]]}, 400)
    return _page(request, form["scenario"], status=400, problems=lines, form=form)


def _done(request: Request, path: Path) -> Response:
    name = path.name.removesuffix(".fp")
    shelf_of(request).table(name).campaign.keep_snapshot()
    if "application/json" in request.headers.get("accept", ""):
        return json_answer({"accepted": True, "go": f"/c/{name}", "seq": 0})
    return with_session(request, RedirectResponse(f"/c/{name}", 303))


ROUTES = [
    Route("/new", choose),
    Route("/new", begin_one, methods=["POST"]),
    Route("/new/journal", bring_one, methods=["POST"]),
]
