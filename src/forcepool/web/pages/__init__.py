"""The pages of a campaign: a module each, and the order in which they stand in the navigation."""

from collections.abc import Awaitable, Callable, Sequence
from functools import cache, wraps
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import forcepool.web.numbers  # noqa: F401 - its convertor serves the routes
from forcepool.web.here import Here, shelf_of

if TYPE_CHECKING:
    from forcepool.engine.world import World


def _always(world: "World") -> bool:
    return True


CAMPAIGN = "/c/{campaign}"


Endpoint = Callable[[Request], Awaitable[Response]]


def at(path: str, endpoint: Endpoint, *methods: str) -> Route:
    """A route below a campaign's path."""
    return Route(CAMPAIGN + path, endpoint if methods else _after_orders(endpoint), methods=list(methods) or ["GET"])


def _after_orders(look: Endpoint) -> Endpoint:
    """Orders go first: a page drawn in the midst of them would have to be drawn again at once."""

    @wraps(look)
    async def looking(request: Request) -> Response:
        await shelf_of(request).quiet(request.path_params["campaign"])
        return await look(request)

    return looking


class Page(Struct, frozen=True):
    """One page: its name, the key that opens it, and its routes below the campaign's path."""

    key: str
    title: str
    path: str
    """Below the campaign's own, such as '/pool'."""
    letter: str
    routes: Sequence[Route]
    concerns: Callable[["World"], bool] = _always
    """Whether a game has what the page shows."""


MODULES = (
    "turn",
    "pool",
    "unit",
    "losses",
    "pools",
    "could",
    "ob",
    "reserves",
    "air",
    "factories",
    "map",
    "rules",
    "journal",
    "job",
    "find",
    "order",
    "seats",
)
"""In the order of the navigation; those without a letter are reached from other pages."""


@cache
def all_pages() -> tuple[Page, ...]:
    """Every page there is."""
    return tuple(import_module(f"forcepool.web.pages.{name}").PAGE for name in MODULES)


def pages_of(here: Here) -> tuple[Page, ...]:
    """The pages in the navigation of a campaign."""
    world = here.world
    return here.table.kept("pages", lambda: tuple(each for each in all_pages() if each.letter and each.concerns(world)))
