"""The event stream for programs: every new entry as far as the seat sees it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from forcepool.engine import codec
from forcepool.engine.sentence import plain_json
from forcepool.views.journal import entry_line, moment
from forcepool.web.actions import HEARTBEAT
from forcepool.web.api import shapes
from forcepool.web.api.operations import Refused, seated
from forcepool.web.api.queries import log_entry
from forcepool.web.here import Here, seat_at
from forcepool.web.pages.journal import A_PIECE, Hidden
from forcepool.web.render import json_answer
from forcepool.web.seats import Sight
from forcepool.web.streams import Streams, TooMany


async def events(request: Request) -> Response:
    """Server-sent events named 'entry', from the one after Last-Event-ID on."""
    try:
        it = seated(request)
    except Refused as error:
        return json_answer(error.problem, error.status)
    last = request.headers.get("last-event-id", "")
    seen = min(int(last), it.table.seq) if last.isascii() and last.isdecimal() and len(last) < 10 else it.table.seq

    streams: Streams = request.app.state.streams
    try:
        streams.check(it.table.streams, it.who)
    except TooMany as error:
        return json_answer(shapes.Problem(str(error)), 429)

    async def stream() -> AsyncIterator[bytes]:
        with suppress(TooMany), streams.one_more(it.table.streams, it.who):
            async for each in streaming():
                yield each

    async def streaming() -> AsyncIterator[bytes]:
        nonlocal seen
        yield b"retry: 2000\n\n"
        while not await request.is_disconnected() and not request.app.state.closing:
            await it.table.changed(seen, HEARTBEAT)
            # A seat may be taken away while its stream is open.
            if seat_at(request, it.table.name)[0] != it.seat:
                return
            if it.table.seq == seen:
                yield b": still here\n\n"
                continue
            # A piece at a time: whoever asks for a long journal does not hold up the others.
            until = min(it.table.seq, seen + A_PIECE)
            for line in new_entries(it, seen, until):
                yield line
            seen = until
            await asyncio.sleep(0)

    return StreamingResponse(stream(), media_type="text/event-stream", headers={"cache-control": "no-store"})


def new_entries(it: Here, seen: int, until: int) -> list[bytes]:
    sight = Sight(it.seat, it.world, it.state)
    lines = []
    for entry in it.campaign.entries(seen + 1, until + 1):
        shown = sight.shown(entry)
        undone = entry.n in it.campaign.history.undone
        line = (
            Hidden(entry.n, entry.seat, moment(it.campaign, entry.at), undone)
            if shown is None
            else entry_line(it.campaign, shown)
        )
        lines.append(b"id: %d\nevent: entry\ndata: %s\n\n" % (entry.n, plain_json(codec.encode(log_entry(line)))))
    return lines
