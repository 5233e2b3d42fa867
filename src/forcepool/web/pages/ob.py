"""The order of battle: what is coming, what cannot be met and why, what is open; and its text, linted as one types."""

from itertools import groupby
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.command import BadCommand, command_name
from forcepool.engine.world import World
from forcepool.orderofbattle.model import OrderOfBattle
from forcepool.orderofbattle.printing import print_ob
from forcepool.views import ob_text
from forcepool.web.acting import Wrong, act
from forcepool.web.actions import outcome_of, seen_on, told
from forcepool.web.forms import order_of, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import jobs_of
from forcepool.web.pages.order import PREFIX
from forcepool.web.render import json_answer, order_text, page
from forcepool.web.seats import SEES_ALL
from forcepool.web.worker import Task

VIEW, ENTRIES = "order-of-battle", "order-of-battle-entries"
ADD, REMOVE = "add-entries", "remove-entry"
"""The commands, of a game that has them, by which lines come into it and go out of it."""
TURNS_AHEAD = 8
MOST_ENTRIES = 60
LINES_AT_ONCE = 300
"""As many are read in the time of a page."""
LONGEST_TEXT, MOST_LINES = 100_000, 1_200


def has_one(world: World) -> bool:
    """Whether the game has orders of battle."""
    return VIEW in world.game.views


async def ob(request: Request) -> Response:
    it = here(request)
    _must_have_one(it)
    entries = it.kept("order of battle", lambda: entries_of(it))
    may_take = it.seat.role in SEES_ALL and _knows(it.world, REMOVE)
    taking = may_take and "take" in request.query_params
    now, everything = it.state.clock.turn, taking or "all" in request.query_params
    dated = sorted((each for each in entries if each.state == "future" and each.turn), key=lambda each: each.turn)
    ahead = [each for each in dated if each.turn <= now + TURNS_AHEAD]
    later = dated[len(ahead) :]
    return page(
        it,
        "ob.html",
        title="Order of battle",
        key="ob",
        count=len(entries),
        pending=[each for each in entries if each.state == "pending"],
        open=[each for each in entries if each.state in ("open", "part done")],
        ahead=[
            (it.world.turn_name(turn), turn - now, list(group))
            for turn, group in groupby(ahead, key=lambda each: each.turn)
        ],
        waiting=[each for each in entries if each.state == "future" and not each.turn],
        past=[each for each in entries if each.state in ("done", "void")],
        later=len(later),
        everything=everything,
        all_later=later if everything else [],
        most=MOST_ENTRIES,
        may_take=may_take,
        take_out=REMOVE if taking else "",
    )


def _knows(world: World, command: str) -> bool:
    return any(command_name(each) == command for each in world.game.commands)


def _must_have_one(it: Here) -> None:
    if not has_one(it.world):
        raise HTTPException(404, "This game has no order of battle.")


def entries_of(it: Here) -> list[Any]:
    """The entries the seat sees, as they stand; a front's commander has the order of battle from their side."""
    if it.seat.front:
        return []
    found = it.world.game.views[VIEW](it.world, it.state, side=it.seat.side)
    return [each for each in found if it.sight.side(each.side)]


# -------------------------------------------------------------------------------------------------- its text


async def text(request: Request) -> Response:
    """The text of the order of battle, to be read, put right and tried."""
    it = here(request)
    _must_have_one(it)
    return await _text_page(it, own_text(it))


def own_text(it: Here) -> str:
    """The campaign's order of battle as text, as far as the seat sees it."""
    keys = {each.key for each in entries_of(it)}
    listed = it.world.game.views[ENTRIES](it.world, it.state)
    seen = tuple(entry for entry in listed if entry.key in keys)
    calendar = it.world.calendar
    return print_ob(OrderOfBattle(seen, turns_a_month=calendar.turns_per_month, roman=calendar.roman))


async def _text_page(it: Here, written: str, *, tidy: bool = False) -> Response:
    found = await findings(it, written)
    return page(
        it,
        "ob_text.html",
        title="Order of battle as text",
        key="ob",
        text=found["tidy"] if tidy else written,
        found=found,
        adds=ADD if it.seat.acts and not it.seat.front and _knows(it.world, ADD) else "",
        trial=None,
    )


async def check(request: Request) -> Response:
    """What is wrong in a text, line by line, and the same tidied; nothing is recorded."""
    it, form = here(request), await read_form(request)
    _must_have_one(it)
    written = _not_too_long(form["text"]).replace("\r\n", "\n")
    if "application/json" in request.headers.get("accept", ""):
        found = await findings(it, written)
        return json_answer({"accepted": True, "seq": it.table.seq, "says": "", **found})
    return await _text_page(it, written, tidy=bool(form["tidy"]))


def _not_too_long(text: str) -> str:
    """The text, unless it is longer than can be read while others wait: a part of it would be another one."""
    if len(text) > LONGEST_TEXT or text.count("\n") > MOST_LINES:
        raise BadCommand(
            f"that is too much at once; give at most {MOST_LINES:,} lines of {LONGEST_TEXT:,} letters in all"
        )
    return text


async def findings(it: Here, written: str) -> dict[str, Any]:
    """What is wrong in a text; where others play, a long one is read by another process."""
    calendar = it.world.calendar
    fields: dict[str, Any] = {"text": written, "turns_a_month": calendar.turns_per_month, "roman": calendar.roman}
    jobs = jobs_of(it.request)
    if not jobs.rests or written.count("\n") <= LINES_AT_ONCE:
        return ob_text.findings(**fields)
    result = await jobs.aside(Task("order_of_battle", fields=fields))
    if not result.ok:
        raise HTTPException(503, result.says)
    return result.found


async def bring(request: Request) -> Response:
    """Bring lines into the campaign's order of battle."""
    it, form = here(request), await read_form(request)
    _must_have_one(it)
    try:
        command = order_of(it.world, {"command": ADD, "text": _not_too_long(form[f"{PREFIX}text"])})
    except BadCommand as error:
        return told(it, form, outcome_of(it, Wrong(error.sentence)))
    outcome, order = outcome_of(it, act(it.table, it.seat, command, seen=seen_on(form))), order_text(command)
    if outcome["accepted"]:
        outcome["go"] = f"{it.path}/ob?done={outcome['entry']}"
    return told(it, form, outcome | {"order": order}, order=order)


async def download(request: Request) -> Response:
    """The order of battle as a text file."""
    it = here(request)
    _must_have_one(it)
    headers = {"content-disposition": f'attachment; filename="{it.table.name}.ob"'}
    return Response(own_text(it), media_type="text/plain; charset=utf-8", headers=headers)


PAGE = Page(
    "ob",
    "Order of battle",
    "/ob",
    "o",
    [
        at("/ob", ob),
        at("/ob/text", text),
        at("/ob/text", check, "POST"),
        at("/ob/add", bring, "POST"),
        at("/ob/download", download),
    ],
    has_one,
)
