"""The pages of a campaign: a module each, and the order in which they stand in the navigation."""

from collections.abc import Awaitable, Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import forcepool.web.numbers  # noqa: F401 - its convertor serves the routes

if TYPE_CHECKING:
    from forcepool.engine.world import World
    from forcepool.web.here import Here


def _always(world: "World") -> bool:
    return True


CAMPAIGN = "/c/{campaign}"


def at(path: str, endpoint: Callable[[Request], Awaitable[Response]], *methods: str) -> Route:
    """A route below a campaign's path."""
    return Route(CAMPAIGN + path, endpoint, methods=list(methods) or ["GET"])


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
    "ob",
    "reserves",
    "air",
    "factories",
    "map",
    "rules",
    "journal",
    "find",
    "order",
    "seats",
)
"""In the order of the navigation; those without a letter are reached from other pages."""


def all_pages() -> list[Page]:
    """Every page there is."""
    return [import_module(f"forcepool.web.pages.{name}").PAGE for name in MODULES]


def pages_of(here: "Here") -> list[Page]:
    """The pages in the navigation of a campaign."""
    return [page for page in all_pages() if page.letter and page.concerns(here.world)]
