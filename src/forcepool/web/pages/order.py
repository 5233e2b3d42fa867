"""Every command there is, by chapter, and a form for each: try it, then do it."""

from typing import Any
from urllib.parse import quote, urlencode

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from forcepool.engine.bill import cost_of
from forcepool.engine.command import BadCommand, Command
from forcepool.engine.decide import Decision
from forcepool.engine.desk import HouseRule
from forcepool.engine.points import show_amounts
from forcepool.engine.verdicts import Refusal
from forcepool.engine.wording import event_said
from forcepool.views.fields import LINES, Field, Seen, catalogue, chapter_of, fields_of, filled_in, in_words, names_for
from forcepool.views.orders import command_class, command_data, from_words
from forcepool.views.said import title_of
from forcepool.views.unit import Reason, reason
from forcepool.web.acting import DieNeeded, Wrong, act, attempt
from forcepool.web.actions import outcome_of, seen_on, told
from forcepool.web.chair import SEES_ALL
from forcepool.web.forms import Form, read_form
from forcepool.web.here import Here, here
from forcepool.web.pages import Page, at
from forcepool.web.render import order_text, page

PREFIX = "f."
"""Before the name of a command's field, so that it is never taken for one of the form's own."""


async def orders(request: Request) -> Response:
    """The catalogue; or, for an order that another page has ready, its form filled in."""
    it = here(request)
    text = request.query_params.get("order", "")
    if name := str(_order_in(text).get("command", "")):
        return RedirectResponse(f"{it.path}/order/{quote(name, safe='')}?{urlencode({'order': text})}", 303)
    words = request.query_params.get("q", "").strip()[:80]
    found = [
        each
        for each in catalogue(it.world.game, words, it.world.unplayed)
        if it.seat.role in SEES_ALL or not each.referee
    ]
    chapters: dict[str, list[Any]] = {}
    for each in found:
        chapters.setdefault(each.chapter, []).append(each)
    return page(
        it,
        "orders.html",
        title="All commands",
        key="order",
        chapters=chapters,
        searched=words,
        count=len(found),
        title_of=title_of,
    )


def _order_in(text: str) -> dict[str, Any]:
    try:
        data = msgspec.json.decode(text.encode())
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _class(it: Here, name: str) -> type[Command]:
    try:
        return command_class(it.world.game, name)
    except BadCommand as error:
        says = str(error).replace("forcepool commands lists them", "“All commands” lists them")
        raise HTTPException(404, says) from None


async def order(request: Request) -> Response:
    """The form of one command, filled in as far as the address says."""
    it = here(request)
    cls = _class(it, request.path_params["name"])
    asked = dict(request.query_params)
    values = filled_in(_order_in(asked.pop("order", ""))) | asked
    return _page(it, cls, values, None)


def _page(it: Here, cls: type[Command], values: dict[str, str], trial: "Trial | None") -> Response:
    fields = fields_of(cls)
    data = command_data(it.world.game, cls)
    return page(
        it,
        "order.html",
        title=title_of(data["command"]),
        key="order",
        command=data,
        chapter=chapter_of(it.world.game, cls),
        fields=fields,
        values=values,
        ruling=_ruling(it, values) if cls is HouseRule else None,
        names={offers: _names(it, offers) for offers in sorted({each.offers for each in fields if each.offers})},
        trial=trial,
    )


def _ruling(it: Here, values: dict[str, str]) -> dict[str, Any] | None:
    """The ruling that is about to be changed, with the ways it may be played and the one in force."""
    switch = next((each for each in it.world.game.house_rules if each.key == values.get("rule")), None)
    if switch is None:
        return None
    return {"switch": switch, "in_force": it.world.ruling(it.state, switch.key)}


def _names(it: Here, offers: str) -> Any:
    sight = it.sight
    seen = Seen(it.world, it.state, sight.unit, sight.account, sight.nation)
    return it.kept(("names", offers), lambda: names_for(offers, seen))


# ------------------------------------------------------------------------------------------ trying and doing


class Trial(Struct, frozen=True):
    """What would come of an order: what it does and costs, or why not."""

    kind: str
    """done, refused, die, wrong or forbidden."""
    says: str = ""
    words: tuple[str, ...] = ()
    cost: str = ""
    reasons: tuple[Reason, ...] = ()
    final: bool = False


def would(it: Here, command: Command) -> Trial:
    """What would come of a command from this seat."""
    match attempt(it.table, it.seat, command):
        case Decision() as done:
            words = tuple(event_said(it.world, event) for event in done.events)
            cost = cost_of(done.events)
            return Trial("done", words=words, cost=show_amounts(cost) if cost else "")
        case Refusal() as refused:
            return Trial(
                "refused",
                reasons=tuple(it.sight.reason(reason(each), refused.command) for each in refused.reasons),
                final=refused.final,
            )
        case DieNeeded() as need:
            return Trial("die", need.says)
        case Wrong() as wrong:
            return Trial("forbidden" if wrong.forbidden else "wrong", wrong.says)


def _command(it: Here, cls: type[Command], fields: tuple[Field, ...], form: Form) -> Command:
    """The command that a filled-in form means, or BadCommand."""
    lines = [each.name for each in fields if each.takes == LINES]

    def written(name: str) -> str:
        text = form[PREFIX + name]
        return "\n".join(text.splitlines()) if name in lines else " ".join(text.split())

    needed = [each.label for each in fields if each.required and not written(each.name)]
    if needed:
        raise BadCommand(f"Still needed: {', '.join(needed)}.")
    words = in_words(fields, written)
    return from_words(it.world.game, str(cls.__struct_config__.tag), words)


async def try_order(request: Request) -> Response:
    """What would come of the form; nothing is done."""
    it, form = here(request), await read_form(request)
    cls = _class(it, request.path_params["name"])
    fields = fields_of(cls)
    try:
        trial = would(it, _command(it, cls, fields, form))
    except BadCommand as error:
        trial = Trial("wrong", str(error))
    if request.headers.get("x-part"):
        return page(it, "_would.html", title="", trial=trial)
    return _page(it, cls, {each.name: form[PREFIX + each.name] for each in fields}, trial)


async def do_order(request: Request) -> Response:
    """Do what the form says."""
    it, form = here(request), await read_form(request)
    cls = _class(it, request.path_params["name"])
    try:
        command = _command(it, cls, fields_of(cls), form)
    except BadCommand as error:
        return told(it, form, outcome_of(it, Wrong(error.sentence)))
    outcome = act(it.table, it.seat, command, seen=seen_on(form))
    text = order_text(command)
    return told(it, form, outcome_of(it, outcome) | {"order": text}, order=text)


PAGE = Page(
    "order",
    "All commands",
    "/order",
    "",
    [
        at("/order", orders),
        at("/order/{name}", order),
        at("/order/{name}", do_order, "POST"),
        at("/order/{name}/try", try_order, "POST"),
    ],
)
