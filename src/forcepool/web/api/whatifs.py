"""What if, for programs: a copy of the seat's own in which orders are tried, then given in one go or thrown away.

The copy is a campaign with a name of its own: its checklist, its units and its orders are asked for and given there.
"""

from starlette.responses import Response

from forcepool.engine.acts import order_in_words
from forcepool.engine.whatif import Given, tried
from forcepool.web.acting import NotTaken, Stale
from forcepool.web.actions import outcome_of
from forcepool.web.api import requests, shapes
from forcepool.web.api.acts import told
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.here import Here, shelf_of, tries_as
from forcepool.web.pages.whatif import closed, given, itself, stopped

NONE = "you have no what-if open; POST to this address opens one"


def look(it: Here, asked: Asked) -> shapes.WhatifAnswer:
    copy = _copy(it)
    if copy is None:
        return shapes.WhatifAnswer()
    orders = tuple(
        shapes.TriedOrder(each.number, order_in_words(each.command), each.seat, each.rolls, each.override)
        for each in tried(copy.campaign)
    )
    return shapes.WhatifAnswer(copy.table.name, orders, itself(copy).campaign.seq - copy.campaign.beginning.after)


def begin(it: Here, asked: Asked) -> shapes.WhatifAnswer:
    if not it.seat.acts:
        raise Refused(403, "an observer gives no orders, and so has none to try")
    if not it.in_whatif:
        shelf_of(it.request).try_out(it.table, tries_as(it.invitation))
    return look(it, asked)


def drop(it: Here, asked: Asked) -> shapes.WhatifAnswer:
    closed(_open(it))
    return shapes.WhatifAnswer()


def give(it: Here, asked: Asked) -> Response:
    wish: requests.GiveRequest = asked.body
    copy = _open(it)
    orders, real = tried(copy.campaign), itself(copy)
    if not orders:
        raise Refused(400, "nothing was tried, so there is nothing to give")
    outcome = given(real, orders, wish.dice)
    if isinstance(outcome, Stale | NotTaken):
        return told(outcome_of(real, outcome, on_a_page=False))
    if outcome.done:
        real.table.tell()
        closed(copy)
    if isinstance(outcome, Given):
        entries = tuple(each.entry.n for each in outcome.done)
        data = outcome_of(real, outcome.done[-1], on_a_page=False)
        return told(data | {"entries": entries, "says": f"{len(entries)} given"})
    return told(stopped(real, outcome, orders))


def _copy(it: Here) -> Here | None:
    """The what-if that is open for the seat, whichever of the two campaigns it was asked of."""
    if it.in_whatif:
        return it
    name = it.own_whatif
    return Here(it.request, shelf_of(it.request).table(name), it.seat, it.invitation) if name else None


def _open(it: Here) -> Here:
    found = _copy(it)
    if found is None:
        raise Refused(404, NONE)
    return found
