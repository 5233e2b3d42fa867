"""The order of battle: what is coming, what cannot be met and why, what is open; and its text, linted as one types."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from forcepool.engine.campaign import Done
from forcepool.engine.command import BadCommand, Command, command_name
from forcepool.engine.units import UnitSpec
from forcepool.engine.world import World
from forcepool.orderofbattle.model import Entry, OrderOfBattle
from forcepool.orderofbattle.printing import print_ob
from forcepool.views import ob_text
from forcepool.web.acting import Wrong, act
from forcepool.web.actions import outcome_of, seen_on, told
from forcepool.web.chair import SEES_ALL
from forcepool.web.counters import drawn, sheet
from forcepool.web.forms import order_of, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.pages.job import jobs_of
from forcepool.web.pages.order import would
from forcepool.web.render import json_answer, order_text, page
from forcepool.web.task import Task

VIEW, ENTRIES = "order-of-battle", "order-of-battle-entries"
ADD, REMOVE = "add-entries", "remove-entry"
"""The commands, of a game that has them, by which lines come into it and go out of it."""
TURNS_AHEAD = 8
MOST_ENTRIES = 60
LINES_AT_ONCE = 300
"""As many are read in the time of a page."""
LONGEST_TEXT, MOST_LINES = 100_000, 1_200
MOST_TAKEN = 40
"""Lines taken out at once: more were rather left out by mistake."""
MOST_COUNTERS = 6
"""Counters drawn of one entry."""


def has_one(world: World) -> bool:
    """Whether the game has orders of battle."""
    return VIEW in world.game.views


async def ob(request: Request) -> Response:
    it = here(request)
    _must_have_one(it)
    entries = it.kept("order of battle", lambda: entries_of(it))
    may_take = _may_take(it)
    taking = may_take and "take" in request.query_params
    now, everything = it.state.clock.turn, taking or "all" in request.query_params
    dated = sorted((each for each in entries if each.state == "future" and each.turn), key=lambda each: each.turn)
    ahead = [each for each in dated if each.turn <= now + TURNS_AHEAD]
    later = dated[len(ahead) :]
    hidden = set() if everything else {each.key for each in later}
    shown = [each for each in entries if each.state not in ("done", "void") and each.key not in hidden]
    counters = it.kept(("counters of the order of battle", everything), lambda: counters_of(it, shown))
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
        counters=counters,
        drawn=drawn,
        sheet=sheet(spec for each in counters.values() for spec, _ in each),
    )


def counters_of(it: Here, entries: Sequence[Any]) -> dict[str, list[tuple[UnitSpec, int]]]:
    """The counters that entries speak of, by their keys, each with how many; what changes is shown as it becomes."""
    nations = {each.key: each.nation for each in entries}
    found: dict[str, list[tuple[UnitSpec, int]]] = {}
    for entry in it.world.game.views[ENTRIES](it.world, it.state):
        if entry.key in nations:
            items = [each for each in entry.results or entry.items if each.spec is not None][:MOST_COUNTERS]
            found[entry.key] = [
                (replace(each.spec, nation=each.contingent or nations[entry.key]), each.count) for each in items
            ]
    return found


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


def own_entries(it: Here) -> tuple[Entry, ...]:
    """The entries of the campaign's order of battle that the seat sees, as they are written."""

    def make() -> tuple[Entry, ...]:
        keys = {each.key for each in it.kept("order of battle", lambda: entries_of(it))}
        return tuple(entry for entry in it.world.game.views[ENTRIES](it.world, it.state) if entry.key in keys)

    found: tuple[Entry, ...] = it.kept("entries of the order of battle", make)
    return found


def own_text(it: Here) -> str:
    """The campaign's order of battle as text, as far as the seat sees it."""
    calendar = it.world.calendar
    return print_ob(OrderOfBattle(own_entries(it), turns_a_month=calendar.turns_per_month, roman=calendar.roman))


async def _text_page(it: Here, written: str, *, tidy: bool = False) -> Response:
    found = await findings(it, written)
    return page(
        it,
        "ob_text.html",
        title="Order of battle as text",
        key="ob",
        text=found["tidy"] if tidy else written,
        adds=_may_add(it),
        **_tried(it, found),
    )


def _may_add(it: Here) -> bool:
    return it.seat.acts and not it.seat.front and _knows(it.world, ADD)


def _may_take(it: Here) -> bool:
    return it.seat.role in SEES_ALL and _knows(it.world, REMOVE)


def _tried(it: Here, found: dict[str, Any]) -> dict[str, Any]:
    """What a text would change in the campaign, and what is wrong with it, for the place beside it."""
    texts = {each.key: each for each in it.kept("order of battle", lambda: entries_of(it))}
    adding = found["added"] and _may_add(it) and not found["unread"]
    return {
        "found": found,
        "gone": [texts[key] for key in found["gone"] if key in texts],
        "takes": _may_take(it),
        "may_add": _may_add(it),
        "trial": would(it, order_of(it.world, {"command": ADD, "text": found["added"]})) if adding else None,
    }


async def check(request: Request) -> Response:
    """What a text would change and what is wrong in it, line by line, and the same tidied; nothing is recorded."""
    it, form = here(request), await read_form(request)
    _must_have_one(it)
    written = _not_too_long(form["text"]).replace("\r\n", "\n")
    if request.headers.get("x-part"):
        return page(it, "_ob_tried.html", title="", **_tried(it, await findings(it, written)))
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
    fields: dict[str, Any] = {
        "text": written,
        "listed": it.kept("said", lambda: {each.key: ob_text.said(each) for each in own_entries(it)}),
        "turns_a_month": calendar.turns_per_month,
        "roman": calendar.roman,
    }
    jobs = jobs_of(it.request)
    if not jobs.rests or written.count("\n") <= LINES_AT_ONCE:
        return ob_text.findings(**fields)
    result = await jobs.aside(Task("order_of_battle", fields=fields))
    if not result.ok:
        raise HTTPException(503, result.says)
    return result.found


async def change(request: Request) -> Response:
    """Make the campaign's order of battle what the text says: new lines come in, and others out."""
    it, form = here(request), await read_form(request)
    _must_have_one(it)
    try:
        commands = changing(it, await findings(it, _not_too_long(form["text"]).replace("\r\n", "\n")))
    except BadCommand as error:
        return told(it, form, outcome_of(it, Wrong(error.sentence)))
    done: list[Done] = []
    for command in commands:
        outcome = act(it.table, it.seat, command, seen=it.table.seq if done else seen_on(form))
        if not isinstance(outcome, Done):
            order = order_text(command)
            return told(it, form, outcome_of(it, outcome) | {"order": order}, order=order)
        done.append(outcome)
    data = outcome_of(it, done[-1]) | {"back_to": done[0].entry.n}
    return told(it, form, data | {"go": f"{it.path}/ob?done={data['entry']}"})


def changing(it: Here, found: dict[str, Any]) -> list[Command]:
    """The orders that bring in what is new and, from whoever may, take out what is gone."""
    if found["unread"]:
        first = next(each for each in found["findings"] if each["kind"] == "not understood")
        raise BadCommand("; ".join(filter(None, (f"line {first['line']}: {first['text']}", first["hint"]))))
    gone = found["gone"] if _may_take(it) else []
    if len(gone) > MOST_TAKEN:
        raise BadCommand(
            f"this would take {len(gone)} lines out of the campaign; leave the others in the text, "
            f"or take at most {MOST_TAKEN} out at a time"
        )
    commands = [order_of(it.world, {"command": REMOVE, "entry": key}) for key in gone]
    if found["added"]:
        commands.append(order_of(it.world, {"command": ADD, "text": found["added"]}))
    if not commands:
        raise BadCommand("the text says nothing that the campaign does not list already")
    return commands


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
        at("/ob/change", change, "POST"),
        at("/ob/download", download),
    ],
    has_one,
)
