"""The pages of a campaign: a module each, and the order in which they stand in the navigation."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import forcepool.web.numbers  # noqa: F401 - its convertor serves the routes
from forcepool import games
from forcepool.web.here import Here, here, shelf_of

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


FIRST = ("turn", "arrivals", "pool", "unit", "losses", "pools", "could", "forecast", "plan", "goals", "whatif", "ob")
LAST = (
    "map",
    "rules",
    "house",
    "journal",
    "messages",
    "job",
    "find",
    "order",
    "share",
    "by_mail",
    "vassal",
    "seats",
    "mailing",
)
"""In the order of the navigation, what a game brings between them; those without a letter are reached from others."""


@cache
def _common(names: tuple[str, ...]) -> tuple[Page, ...]:
    return tuple(import_module(f"forcepool.web.pages.{name}").PAGE for name in names)


@cache
def brought(part: str) -> dict[str, tuple[Any, ...]]:
    """What the installed games bring for the browser, by the game: their PAGES, or their OPERATIONS for programs."""
    found = {name: games.game(name).pages for name in games.names()}
    return {name: getattr(import_module(module), part, ()) for name, module in found.items() if module}


def all_pages() -> tuple[Page, ...]:
    """Every page there is; where several games have one of a name, each."""
    theirs = (page for pages in brought("PAGES").values() for page in pages)
    return (*_common(FIRST), *theirs, *_common(LAST))


def pages_of(at_table: Here) -> tuple[Page, ...]:
    """The pages in the navigation of a campaign."""
    world = at_table.world

    def make() -> tuple[Page, ...]:
        every = (*_common(FIRST), *brought("PAGES").get(world.game.name, ()), *_common(LAST))
        return tuple(each for each in every if each.letter and each.concerns(world))

    found: tuple[Page, ...] = at_table.table.kept("pages", make)
    return found


def routes() -> list[Route]:
    """Of every page; where games bring the same address, the campaign's own answers."""
    common = [route for page in (*_common(FIRST), *_common(LAST)) for route in page.routes]
    theirs = {name: [route for page in pages for route in page.routes] for name, pages in brought("PAGES").items()}
    return [*common, *by_game(theirs)]


def by_game(routes: Mapping[str, Iterable[Route]]) -> Iterator[Route]:
    """One route for each address that games bring, which asks the game of the campaign."""
    found: dict[tuple[str, str], dict[str, Endpoint]] = {}
    for name, theirs in routes.items():
        for route in theirs:
            for method in sorted((route.methods or set()) - {"HEAD"}):
                found.setdefault((route.path, method), {})[name] = route.endpoint
    for (path, method), endpoints in found.items():
        yield Route(path, _of_its_game(endpoints), methods=[method])


def _of_its_game(endpoints: Mapping[str, Endpoint]) -> Endpoint:
    async def asked(request: Request) -> Response:
        try:
            answers = endpoints.get(here(request).world.game.name)
        except HTTPException:
            # Whoever has no seat is told so by whichever it is, in its own way.
            answers = next(iter(endpoints.values()))
        if answers is None:
            raise HTTPException(404, "This game has no such page.")
        return await answers(request)

    return asked
