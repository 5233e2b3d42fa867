"""What the host's programs may ask and do about the campaigns of a public server."""

from starlette.requests import Request
from starlette.responses import Response

from forcepool.web import operating
from forcepool.web.api import requests, shapes
from forcepool.web.api.operations import Asked, Refused
from forcepool.web.chair import HOST
from forcepool.web.here import Here, is_host, keeper_of, key_in, shelf_of
from forcepool.web.keeping import OPEN
from forcepool.web.render import json_answer

NOT_YOURS = "only the host of a public server does this"


def look(it: Here, asked: Asked) -> shapes.Withheld:
    found = keeper_of(it.request).standing(it.of)
    return shapes.Withheld(found.state or "open", found.note, found.since)


def change(it: Here, asked: Asked) -> shapes.Withheld:
    """Lock it, lay it by, or open it again."""
    wish: requests.StandingRequest = asked.body
    if it.seat.role != HOST:
        raise Refused(403, NOT_YOURS)
    operating.stand(it.request, it.of, OPEN if wish.state == "open" else wish.state, wish.note)
    return look(it, asked)


async def campaigns(request: Request) -> Response:
    """All that lies on the server, for the host."""
    registry = request.app.state.registry
    found = registry.seat_of_key(key_in(request)) if key_in(request) else None
    hosts = found is not None and found.seat.role == HOST and not found.campaign
    if not request.app.state.public or not (hosts if key_in(request) else is_host(request)):
        return json_answer(shapes.Problem(NOT_YOURS), 403)
    return json_answer(operating.lines(request, shelf_of(request).names()))
