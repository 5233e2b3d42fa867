"""The server: put together from its pages, its API and its door."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.resources import files
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles

from forcepool import __version__, games
from forcepool.engine.command import BadCommand
from forcepool.rulebook.book import load
from forcepool.store.address import is_database
from forcepool.store.stock import Folder, Stock
from forcepool.views.orders import command_data
from forcepool.web import actions, api, enter, helping, home, new, operating, pages, watching
from forcepool.web.api.hooks import Bell
from forcepool.web.costs import Turnstile
from forcepool.web.jobs import Jobs
from forcepool.web.keeping import Keeper
from forcepool.web.limits import memory_for_campaigns
from forcepool.web.logbook import Logbook
from forcepool.web.meters import Meters, Prometheus
from forcepool.web.post.office import Office
from forcepool.web.registry import FILE, Registry
from forcepool.web.registry_home import HomeRegistry
from forcepool.web.security import Guard, Signer
from forcepool.web.settings import Settings
from forcepool.web.shelf import UNUSABLE, Shelf
from forcepool.web.streams import Streams
from forcepool.web.sweeping import sweep_in_pauses
from forcepool.web.watching import Watch, look_now_and_then


def make_app(
    place: Path | str,
    *,
    public: bool = False,
    https: bool = False,
    address: str = "",
    passing: bool = False,
    settings: Settings = Settings(),  # noqa: B008 - it is frozen
) -> Starlette:
    """The app over campaigns of a folder or a database: open to the machine itself, or public with seats by invitation.

    `address` is where players reach it, 'https://war.example.org'; without it, invitations lead to the name by which
    whoever makes them has reached the server. `passing` says that the folder goes with the server, so that nobody
    begins a campaign there that he wants to keep. Of the settings, limits, the log, metrics and mail are used here.
    """
    log = Logbook(settings.log)
    meters = Prometheus() if settings.metrics.token or settings.metrics.listen else Meters()
    stock, registry = _stock(place, public=public)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if public:
            make_ready()
        log.write("start", version=__version__)
        office = app.state.office
        watches = (app.state.shelf.watch(), app.state.bell.watch(), office.watch(), look_now_and_then(app))
        waiting = asyncio.gather(*watches, sweep_in_pauses())
        try:
            yield
        finally:
            app.state.closing = True
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
            office.close()
            await app.state.jobs.close()
            app.state.shelf.close()
            registry.close()
            log.write("stop")

    app = Starlette(
        routes=routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(Watch, log=log, meters=meters),
            Middleware(Guard, public=public, https=https, address=address, limits=settings.limits),
            # Whoever sits at the machine itself may use all of it.
            *([Middleware(Turnstile, limits=settings.limits)] if public else []),
            Middleware(GZipMiddleware, minimum_size=1024, compresslevel=1),
        ],
        exception_handlers={HTTPException: home.wrong, 500: home.wrong}
        | dict.fromkeys((BadCommand, *UNUSABLE), home.wrong),
    )
    app.state.keeper = Keeper(registry, stock, settings.limits)
    # Whoever sits at the machine itself fills no disk but their own.
    asked = (registry, app.state.keeper.check) if public else (None, None)
    app.state.shelf = Shelf(stock, *asked, megabytes=memory_for_campaigns(settings))
    app.state.registry = registry
    app.state.signer = Signer(registry.secret)
    app.state.streams = Streams(settings.limits)
    app.state.log, app.state.meters = log, meters
    app.state.public, app.state.https, app.state.closing = public, https, False
    app.state.address, app.state.passing, app.state.settings = address, passing, settings
    app.state.bell, app.state.jobs = Bell(app), Jobs(rests=public)
    if is_database(place):
        _share(app, stock)
    app.state.office = Office(app)
    return app


def _stock(place: Path | str, *, public: bool) -> tuple[Stock, Registry]:
    """Where the campaigns lie, and the register of seats beside them."""
    if not isinstance(place, str) or not is_database(place):
        folder = Path(place)
        return Folder(folder), Registry(folder / FILE) if public else HomeRegistry(folder)
    from forcepool.store.database import Database
    from forcepool.web.registry_database import RegistryDatabase

    found = Database(place, serves=True)
    return found, Registry(RegistryDatabase(found.link))


def _share(app: Starlette, stock: Stock) -> None:
    """What several workers share is in the database too."""
    from forcepool.store.database import Database
    from forcepool.web.shared import SharedJobs, StoodInDatabase

    assert isinstance(stock, Database)
    app.state.bell = Bell(app, StoodInDatabase(stock))
    app.state.jobs = SharedJobs(stock, rests=app.state.public)
    app.state.shelf.also_hear += [app.state.jobs.hear, partial(_wake, app)]


def _wake(app: Starlette, kind: str, rest: str) -> None:
    """A task of a seat has moved on with another worker: its pages here are told."""
    if kind == "job":
        name, _, who = rest.partition("/")
        app.state.shelf.tell_to(name, who)


def make_ready() -> None:
    """Work out before anyone comes what is worked out once, and would hold up everybody else meanwhile."""
    load().find("rules")
    for name in games.names():
        game = games.game(name)
        for command in game.commands:
            command_data(game, command)


def routes() -> list[BaseRoute]:
    return [
        *home.ROUTES,
        *enter.ROUTES,
        *watching.ROUTES,
        *new.ROUTES,
        *operating.ROUTES,
        Mount("/static", StaticFiles(directory=str(files("forcepool.web") / "static")), name="static"),
        *api.routes(),
        *actions.ROUTES,
        *helping.ROUTES,
        *pages.routes(),
    ]
