"""The goals of a plan, picked from lists or written as text: each fills the other, and errors have a place."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.views.goals import choices, filled, written, wrong
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here
from forcepool.web.kept_plans import followed
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import FRONT_PLANS, LONGEST_GOALS
from forcepool.web.render import page

TURNS = 12
FARTHEST = 24
"""Turns that can be picked."""


async def look(request: Request) -> Response:
    it = here(request)
    kept = followed(it)
    return _page(it, kept.shown.saved.goals if kept else "", kept.shown.saved.side if kept else _side(it, ""))


async def write(request: Request) -> Response:
    """The fields written as text, or a text read into the fields."""
    it, form = here(request), await read_form(request)
    side = _side(it, form["side"])
    text = form["goals"][:LONGEST_GOALS].replace("\r\n", "\n")
    if form["from"] == "fields":
        text = written(side, form["by"].strip(), form.all)
    return _page(it, text, side)


def _side(it: Here, wish: str) -> str:
    if it.seat.side:
        return it.seat.side
    return wish if wish in it.world.sequence.players else it.world.phasing(it.state)


def _page(it: Here, text: str, side: str) -> Response:
    if it.seat.front:
        raise HTTPException(403, FRONT_PLANS.format(it.seat.side))
    problems = wrong(it.world, it.state, text, side, TURNS) if text.strip() else []
    return page(
        it,
        "goals.html",
        title="Goals of a plan",
        key="plan",
        text=text,
        side=side,
        sides=it.world.sequence.players if not it.seat.side else (),
        problems=problems,
        form=filled(text),
        choices=choices(it.world, it.state, side, FARTHEST, it.sight.account),
        turns=TURNS,
    )


PAGE = Page("goals", "Goals of a plan", "/plan/goals", "", [at("/plan/goals", look), at("/plan/goals", write, "POST")])
