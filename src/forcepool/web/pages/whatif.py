"""What if: orders tried in a copy that is one seat's own, then given for real in one go, or thrown away."""

from collections.abc import Sequence
from functools import partial
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from forcepool.engine.command import Command
from forcepool.engine.decide import Decision
from forcepool.engine.journal import Conflict
from forcepool.engine.state import State
from forcepool.engine.verdicts import Refusal
from forcepool.engine.whatif import Given, Judging, Stopped, Tried, give, tried
from forcepool.engine.world import World
from forcepool.store.errors import CampaignFileError
from forcepool.store.open import now
from forcepool.views.said import order_said
from forcepool.web.acting import NotTaken, Stale, judged, not_taken
from forcepool.web.actions import outcome_of, told
from forcepool.web.chair import AT_HOME, Seat
from forcepool.web.forms import read_form
from forcepool.web.here import Here, here, shelf_of, tries_as
from forcepool.web.pages import Page, at
from forcepool.web.render import json_answer, page, with_session
from forcepool.web.seats import Sight


async def look(request: Request) -> Response:
    """The orders tried, or what this is and the button that opens one."""
    it = here(request)
    if not it.in_whatif:
        return page(it, "whatif.html", title="What if", key="whatif")
    real, orders = itself(it).campaign, tried(it.campaign)
    return page(
        it,
        "whatif.html",
        title="What if",
        key="whatif",
        orders=orders,
        gone_on=real.seq - it.campaign.beginning.after,
        enters_dice=not real.rolls_itself and any(each.rolls for each in orders),
    )


async def begin(request: Request) -> Response:
    it = here(request)
    await read_form(request)
    if not it.seat.acts:
        raise HTTPException(403, "An observer gives no orders, and so has none to try.")
    name = it.table.name if it.in_whatif else shelf_of(request).try_out(it.table, tries_as(it.invitation))
    return gone_to(it, f"/c/{quote(name)}")


async def drop(request: Request) -> Response:
    it = _in_whatif(request)
    await read_form(request)
    back = f"/c/{quote(it.of)}"
    closed(it)
    return gone_to(it, back)


def closed(it: Here) -> None:
    """Throw a what-if away, with what was looked at in it."""
    shelf_of(it.request).drop(it.table.name)
    it.registry.forget(it.table.name)


async def give_all(request: Request) -> Response:
    """Give what was tried for real, in the campaign itself."""
    it, form = _in_whatif(request), await read_form(request)
    orders, real = tried(it.campaign), itself(it)
    if not orders:
        raise HTTPException(400, "Nothing was tried, so there is nothing to give.")
    outcome = given(real, orders, form.numbers("die"))
    if isinstance(outcome, Stale | NotTaken):
        return told(real, form, outcome_of(real, outcome))
    if outcome.done:
        real.table.tell()
        closed(it)
    if isinstance(outcome, Given):
        first, last = outcome.done[0].entry.n, outcome.done[-1].entry.n
        return gone_to(real, f"{real.path}/journal?from={first}&done={last}")
    return told(real, form, stopped(real, outcome, orders))


def given(it: Here, orders: list[Tried], dice: Sequence[int]) -> Given | Stopped | Stale | NotTaken:
    """What comes of giving what was tried, in the campaign itself."""
    campaign, seat = it.campaign, it.seat
    # Whoever plays all sides at one machine agrees for all of them.
    seats = () if seat == AT_HOME else it.table.seats
    asks = partial(_asks, seat, it.world)
    try:
        with it.table.journal.together():
            who, by = seat.journal_name, seat.name
            return give(campaign, orders, seat=who, by=by, seats=seats, dice=dice, when=now(), asks=asks)
    except Conflict:
        it.table.refresh()
        return Stale((it.table.seq,))
    except CampaignFileError as error:
        # The campaign at hand may have gone on already, and its file has not: it is opened again.
        shelf_of(it.request).put_away(it.table.name)
        return not_taken(error)


def _asks(seat: Seat, world: World, state: State, command: Command, judging: Judging) -> Decision | Refusal | str:
    """What comes of an order from a seat: as if it were given there by itself."""
    found = judged(Sight(seat, world, state), command, (), judging)
    return found if isinstance(found, Decision | Refusal) else found.says


def stopped(it: Here, outcome: Stopped, orders: list[Tried]) -> dict[str, Any]:
    """Which order cannot be given and why, and what was given before a die fell."""
    number, order = outcome.order.number, order_said(outcome.order.command)
    if outcome.done:
        says = f"A die fell otherwise: {number - 1} of {len(orders)} orders are given, and one undo takes them back. "
        says += "Not given: " + "; ".join(order_said(each.command) for each in orders[number - 1 :])
    else:
        says = f"Order {number} of {len(orders)} cannot be given, so nothing was: {order}"
    if isinstance(outcome.why, Refusal):
        # What would help, or an overrule, is for the campaign's own pages.
        return outcome_of(it, outcome.why) | {"says": says, "final": True, "helps": ""}
    return {"accepted": False, "kind": "wrong", "seq": it.table.seq, "says": f"{says}. {it.sight.veiled(outcome.why)}"}


def itself(it: Here) -> Here:
    """The same seat at the campaign itself."""
    return Here(it.request, shelf_of(it.request).table(it.of), it.seat, it.invitation)


def _in_whatif(request: Request) -> Here:
    it = here(request)
    if not it.in_whatif:
        raise HTTPException(404, "You are not in a what-if.")
    return it


def gone_to(it: Here, path: str, **more: str) -> Response:
    """It is done, and the page to look at now is another."""
    if "application/json" in it.request.headers.get("accept", ""):
        return json_answer({"accepted": True, "entry": None, "seq": 0, "says": "", "go": path, **more})
    return with_session(it.request, RedirectResponse(path, 303))


PAGE = Page(
    "whatif",
    "What if",
    "/whatif",
    "",
    [
        at("/whatif", look),
        at("/whatif", begin, "POST"),
        at("/whatif/give", give_all, "POST"),
        at("/whatif/drop", drop, "POST"),
    ],
)
