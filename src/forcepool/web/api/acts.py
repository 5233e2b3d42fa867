"""What programs may do from a seat: the same steps as a form on a page."""

from typing import Any

import msgspec
from starlette.responses import Response

from forcepool.engine.acts import order_in_words
from forcepool.engine.campaign import Done
from forcepool.engine.decide import Decision
from forcepool.engine.verdicts import Refusal
from forcepool.engine.wording import events_said
from forcepool.views.losses import NotRecorded, Recorded, tried
from forcepool.views.unit import Grant, reason
from forcepool.web import acting
from forcepool.web.actions import STATUS, agreed, outcome_of, seen, turned
from forcepool.web.api import requests, shapes
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.forms import order_of
from forcepool.web.here import Here
from forcepool.web.pages.losses import if_allowed, read, recorded_one_by_one
from forcepool.web.render import json_answer


def do(it: Here, asked: Asked) -> Response:
    """Give an order, or only try it."""
    wish: requests.DoRequest = asked.body
    command = order_of(it.world, wish.order)
    if wish.dry_run:
        judged = acting.attempt(it.table, it.seat, command, override=wish.override, rolls=wish.dice)
        if isinstance(judged, Decision):
            return json_answer(_would(it, judged))
        return told(outcome_of(it, judged, on_a_page=False), dry_run=True)
    outcome = acting.act(it.table, it.seat, command, seen=wish.seen, override=wish.override, rolls=wish.dice)
    return told(outcome_of(it, outcome, on_a_page=False))


def _would(it: Here, decision: Decision) -> shapes.Acted:
    return shapes.Acted(
        accepted=True,
        seq=it.table.seq,
        says=order_in_words(decision.command),
        dry_run=True,
        words=events_said(it.world, seen(it, decision)),
        allowed=tuple(Grant(each.because, each.sentence) for each in decision.allowed),
        overruled=tuple(it.sight.reason(reason(each)) for each in decision.overruled),
    )


def told(data: dict[str, Any], *, dry_run: bool = False) -> Response:
    """The outcome of an act, as programs get it."""
    status = 200 if data["accepted"] else STATUS[data["kind"]]
    return json_answer(msgspec.convert(data | {"dry_run": dry_run}, shapes.Acted, from_attributes=True), status)


async def losses(it: Here, asked: Asked) -> shapes.LossesAnswer:
    """Take down losses; what was not understood is told line by line."""
    wish: requests.LossesRequest = asked.body
    if it.world.game.pastes is None:
        raise Refused(400, f"{it.world.game.title} takes no pasted losses")
    if not it.seat.acts and not wish.dry_run:
        raise Refused(403, "an observer watches and does nothing")
    pasted = await read(it, wish.text)

    def give(command: Any) -> Recorded | NotRecorded:
        outcome = acting.act(it.table, it.seat, command)
        match outcome:
            case Done():
                return Recorded(outcome.entry.n, outcome.decision.events)
            case Refusal():
                return NotRecorded(it.sight.veiled("; ".join(each.whole for each in outcome.reasons)), outcome.clauses)
        return NotRecorded(outcome_of(it, outcome)["says"])

    if wish.dry_run:
        lines = tuple(tried(it.world, if_allowed(it, line)) for line in pasted.lines)
    else:
        lines = await recorded_one_by_one(it, pasted, give)
    return shapes.LossesAnswer(wish.dry_run, it.table.seq, lines, pasted.brings)


def undo(it: Here, asked: Asked) -> Response:
    wish: requests.UndoRequest = asked.body
    return told(turned(it, "undone", acting.undo(it.table, it.seat, to=wish.to, seen=wish.seen)))


def redo(it: Here, asked: Asked) -> Response:
    wish: requests.RedoRequest = asked.body
    return told(turned(it, "brought back", acting.redo(it.table, it.seat, seen=wish.seen)))


def agree(it: Here, asked: Asked) -> Response:
    wish: requests.AgreeRequest = asked.body
    return told(agreed(it, wish.entry, yes=wish.yes))


def consent(it: Here, asked: Asked) -> Response:
    return told(turned(it, "undone", acting.consent(it.table, it.seat)))
