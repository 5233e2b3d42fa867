"""What a page's buttons do: give an order, turn back, tick a line, take a seat's view, wait for changes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse

from forcepool.engine.campaign import Done
from forcepool.engine.command import BadCommand
from forcepool.engine.consent import AgreementNeeded
from forcepool.engine.decide import Decision
from forcepool.engine.desk import Advance
from forcepool.engine.events import Event
from forcepool.engine.journal import Entry
from forcepool.engine.verdicts import Refusal
from forcepool.engine.wording import events_said
from forcepool.views.said import act_said, order_said, sentence_said
from forcepool.views.unit import reason
from forcepool.web.acting import (
    Asked,
    DieNeeded,
    NotTaken,
    Outcome,
    Seen,
    Stale,
    Turned,
    Wrong,
    act,
    agree,
    consent,
    redo,
    undo,
)
from forcepool.web.ending import PASS, PASS_MAP, ending, in_words, pass_over
from forcepool.web.forms import Form, order_in, read_form
from forcepool.web.helping import helps_panel
from forcepool.web.here import Here, here, seat_at, session_of, shelf_of
from forcepool.web.pages import at as below
from forcepool.web.render import json_answer, page, with_session
from forcepool.web.stale import overtaken
from forcepool.web.streams import Streams, TooMany

MOST_TOLD = 50
"""Entries that are named of those that were undone or brought back."""
HEARTBEAT = 15.0
"""Seconds between signs of life on a quiet event stream."""


async def do(request: Request) -> Response:
    """Give the order a form carries."""
    # Those who look already are shown what stands before it changes again.
    await asyncio.sleep(0)
    it, form = here(request), await read_form(request)
    try:
        command = order_in(it.world, form["order"])
    except BadCommand as error:
        return told(it, form, outcome_of(it, Wrong(error.sentence)), order=form["order"])
    if isinstance(command, Advance) and form["ask"]:
        found = ending(it, command, it.registry.ticked(it.who, it.table.name, it.moment))
        if found is not None and not found.empty:
            return told(it, form, in_words(it, found, form["onward"]), order=form["order"])
    outcome = act(
        it.table,
        it.seat,
        command,
        seen=seen_on(form),
        override=form["override"].strip(),
        rolls=form.numbers("die"),
    )
    if isinstance(command, Advance) and isinstance(outcome, Done) and form["onward"] in (PASS, PASS_MAP):
        return told(it, form, _gone_on(it, pass_over(it, outcome, map_too=form["onward"] == PASS_MAP)))
    return told(it, form, outcome_of(it, outcome), order=form["order"])


def _gone_on(it: Here, done: list[Done]) -> dict[str, Any]:
    """What came of ending a phase, and of passing over those in which there was nothing to do."""
    data = outcome_of(it, done[-1])
    if len(done) == 1:
        return data
    says = f"Passed over {len(done) - 1} {'phase' if len(done) == 2 else 'phases'} with nothing to do"
    words = [words for each in done for words in outcome_of(it, each)["words"]]
    return data | {"back_to": done[0].entry.n, "says": says, "words": words}


def seen_on(form: Form) -> Seen:
    """What the page knew that a form stood on."""
    return Seen(form.number("seen"), tuple(form.numbers("own")))


async def undo_page(request: Request) -> Response:
    it, form = here(request), await read_form(request)
    done = undo(it.table, it.seat, to=form.number("to") or None, seen=form.number("seen"))
    return told(it, form, turned(it, "undone", done))


async def redo_page(request: Request) -> Response:
    it, form = here(request), await read_form(request)
    return told(it, form, turned(it, "brought back", redo(it.table, it.seat, seen=form.number("seen"))))


async def agree_page(request: Request) -> Response:
    """Say yes or no to an order that waits for this seat."""
    it, form = here(request), await read_form(request)
    return told(it, form, agreed(it, form.number("entry"), yes=form["answer"] != "no"))


def agreed(it: Here, number: int, *, yes: bool) -> dict[str, Any]:
    """What came of a yes or no to an order that waits."""
    outcome = agree(it.table, it.seat, number, yes=yes)
    if isinstance(outcome, Entry):
        return {
            "accepted": True,
            "entry": outcome.n,
            "seq": it.table.seq,
            "says": f"declined: entry {number}",
            "words": [],
        }
    return outcome_of(it, outcome)


async def consent_page(request: Request) -> Response:
    it, form = here(request), await read_form(request)
    return told(it, form, turned(it, "undone", consent(it.table, it.seat)))


# ---------------------------------------------------------------------------------------- what came of it


def outcome_of(it: Here, outcome: Outcome, *, on_a_page: bool = True) -> dict[str, Any]:
    """What came of an order, for a page or a program."""
    match outcome:
        case Done():
            return {
                "accepted": True,
                "entry": outcome.entry.n,
                "seq": it.table.seq,
                "says": order_said(outcome.decision.command),
                # A new phase brings things about for every side; each is told its own part.
                "words": [sentence_said(each) for each in events_said(it.world, seen(it, outcome.decision))],
                "allowed": [{"clause": each.because, "says": each.sentence} for each in outcome.decision.allowed],
                "overruled": [it.sight.reason(reason(each)) for each in outcome.decision.overruled],
            }
        case Refusal():
            return {
                "accepted": False,
                "kind": "refused",
                "seq": it.table.seq,
                "says": order_said(outcome.command),
                "final": outcome.final,
                "clauses": outcome.clauses,
                "reasons": [it.sight.reason(reason(each), outcome.command) for each in outcome.reasons],
                **({"helps": helps_panel(it, outcome)} if on_a_page else {}),
            }
        case Stale():
            return _stale(it, outcome)
        case AgreementNeeded():
            says = f"{' and '.join(outcome.seats)} must agree first: {outcome.why}"
            return {"accepted": False, "kind": "asked", "seq": it.table.seq, "says": says, "seats": outcome.seats}
        case DieNeeded():
            return {"accepted": False, "kind": "die", "seq": it.table.seq, "says": outcome.says, "sides": outcome.sides}
        case Wrong():
            kind = "forbidden" if outcome.forbidden else "wrong"
            return {"accepted": False, "kind": kind, "seq": it.table.seq, "says": outcome.says}
        case NotTaken():
            return _not_taken(it, outcome)


def _not_taken(it: Here, outcome: NotTaken) -> dict[str, Any]:
    says = shelf_of(it.request).stock.untold(outcome.says) if it.request.app.state.public else outcome.says
    return {"accepted": False, "kind": "withheld" if outcome.reason else "disk", "seq": it.table.seq, "says": says}


def seen(it: Here, decision: Decision) -> list[Event]:
    """What came of an order, as far as the seat may know."""
    return [event for event in decision.events if it.sight.event(event)]


def _stale(it: Here, stale: Stale) -> dict[str, Any]:
    return {
        "accepted": False,
        "kind": "stale",
        "seq": it.table.seq,
        "says": "Nothing of yours was done: look again, and repeat it if you still want to.",
        "words": overtaken(it.table, it.seat, it.sight, stale.entries),
        "entries": stale.entries,
    }


def turned(it: Here, what: str, outcome: Turned) -> dict[str, Any]:
    """What came of an undo or redo."""
    match outcome:
        case Entry():
            numbers = outcome.undo or outcome.redo
            told = sorted(numbers)[:MOST_TOLD]
            entries = [next(it.campaign.entries(number, number + 1)) for number in told]
            shown = [entry for entry in entries if it.sight.entry(entry)]
            return {
                "accepted": True,
                "entry": outcome.n,
                "seq": it.table.seq,
                "says": f"{what}: {len(numbers)} entr{'y' if len(numbers) == 1 else 'ies'}",
                "words": [f"{entry.n} {act_said(entry)}" for entry in shown],
                "undid": bool(outcome.undo),
            }
        case Asked():
            says = f"{' and '.join(outcome.seats)} must agree first: {outcome.why}"
            return {"accepted": False, "kind": "asked", "seq": it.table.seq, "says": says, "seats": outcome.seats}
        case Stale():
            return _stale(it, outcome)
        case Wrong():
            kind = "forbidden" if outcome.forbidden else "wrong"
            return {"accepted": False, "kind": kind, "seq": it.table.seq, "says": outcome.says}
        case NotTaken():
            return _not_taken(it, outcome)


STATUS = {
    "refused": 422,
    "wrong": 400,
    "forbidden": 403,
    "stale": 409,
    "die": 422,
    "asked": 202,
    "due": 422,
    "disk": 503,
    "withheld": 403,
}


def told(it: Here, form: Form, data: dict[str, Any], *, order: str = "") -> Response:
    """The outcome as JSON for the page's own script, else as a page of its own or back where the form was."""
    status = 200 if data["accepted"] else STATUS[data["kind"]]
    if "application/json" in it.request.headers.get("accept", ""):
        return json_answer(_on_a_page(data), status)
    back = form["back"] if form["back"].startswith(it.path) else it.path
    if data["accepted"]:
        separator = "&" if "?" in back else "?"
        return with_session(it.request, RedirectResponse(f"{back}{separator}done={data['entry']}", 303))
    return page(
        it,
        "outcome.html",
        title="Not done",
        status=status,
        outcome=data,
        order=order,
        back=back,
        dice=form["die"],
        override=form["override"],
    )


def _on_a_page(data: dict[str, Any]) -> dict[str, Any]:
    """What came of it, with fields called as a form calls them; programs are told what one types."""
    reasons = [replace(each, sentence=sentence_said(each.sentence)) for each in data.get("reasons", ())]
    return data | {"says": sentence_said(data["says"])} | ({"reasons": reasons} if reasons else {})


# ------------------------------------------------------------------------------------- ticks and one's view


async def tick(request: Request) -> Response:
    """Tick a line of the checklist, or take the tick away; it lasts as long as the phase."""
    it, form = here(request), await read_form(request)
    it.registry.tick(it.who, it.table.name, it.moment, form["item"][:200], form["on"] == "yes")
    if "application/json" in request.headers.get("accept", ""):
        return json_answer({"accepted": True, "seq": it.table.seq})
    return RedirectResponse(it.path, 303)


async def sit(request: Request) -> Response:
    """At one's own machine: look at the campaign as one side, or as all of them."""
    it, form = here(request), await read_form(request)
    side = form["side"]
    if not request.app.state.public and (not side or side in it.world.sequence.players):
        it.registry.choose(session_of(request), it.of, side)
    return with_session(request, RedirectResponse(it.path, 303))


# ------------------------------------------------------------------------------------------- what is new


async def changes(request: Request) -> Response:
    """Server-sent events: the number of the last entry, whenever there is a new one."""
    it = here(request)
    # A page says what it shows, so that an entry written between the page and its stream is not missed.
    text = request.headers.get("last-event-id", "") or request.query_params.get("seen", "")
    seen = int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else it.table.seq

    jobs, owner = request.app.state.jobs, it.owner
    streams: Streams = request.app.state.streams
    try:
        streams.check(it.table.streams, it.who)
    except TooMany as error:
        raise HTTPException(429, str(error)) from None

    async def stream() -> AsyncIterator[str]:
        with suppress(TooMany), streams.one_more(it.table.streams, it.who):
            async for each in changing():
                yield each

    async def changing() -> AsyncIterator[str]:
        nonlocal seen
        job = jobs.mark(owner)
        yield "retry: 2000\n\n"
        while not await request.is_disconnected() and not request.app.state.closing:
            await it.table.changed(seen, HEARTBEAT, it.who)
            # A seat may be taken away while its page is open.
            if seat_at(request, it.table.name)[0] != it.seat:
                return
            if it.table.seq != seen:
                seen = it.table.seq
                yield f"id: {seen}\nevent: entry\ndata: {seen}\n\n"
            if (mark := jobs.mark(owner)) != job:
                job = mark
                yield f"event: job\ndata: {job[0]}\n\n"
            yield ": still here\n\n"
            await asyncio.sleep(0)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})


ROUTES = [
    below("/do", do, "POST"),
    below("/undo", undo_page, "POST"),
    below("/redo", redo_page, "POST"),
    below("/consent", consent_page, "POST"),
    below("/agree", agree_page, "POST"),
    below("/tick", tick, "POST"),
    below("/sit", sit, "POST"),
    below("/changes", changes),
]
