"""One process that answers: an app on a socket that listens already."""

import socket
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from forcepool.web.app import make_app
from forcepool.web.limits import Connections, make_room, patient_protocol
from forcepool.web.logbook import log_config
from forcepool.web.settings import Settings
from forcepool.web.sweeping import sweep_seldom

LINGERS = 65
"""Seconds that a line stays open for the next request. Longer than proxies keep theirs (nginx a minute, Caddy as
deploy/Caddyfile says): a server that hangs up first may do so just when an order comes, and it is lost on the way."""


def app_for(place: Path | str, settings: Settings, *, passing: bool = False) -> Starlette:
    """The app as the settings want it."""
    return make_app(
        place,
        public=settings.public,
        https=settings.https,
        address=settings.address.rstrip("/"),
        passing=passing,
        settings=settings,
    )


class Server(uvicorn.Server):
    """A server whose open pages go quietly when it ends, instead of being cut off with a traceback."""

    def __init__(self, app: Starlette, settings: Settings) -> None:
        config = uvicorn.Config(
            app,
            http=patient_protocol(Connections(settings.limits, settings.proxies)),
            log_level="warning",
            timeout_keep_alive=LINGERS,
            timeout_graceful_shutdown=1,
            server_header=False,
            forwarded_allow_ips=settings.proxies,
            log_config=log_config(settings.log) or uvicorn.config.LOGGING_CONFIG,
        )
        super().__init__(config)
        self.app, self.limits = app, settings.limits

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        # Open pages wait for changes, and are told that it ends.
        self.app.state.closing = True
        self.app.state.shelf.tell()
        await super().shutdown(sockets)


def serve(server: Server, listening: socket.socket) -> None:
    """Answer until told to end."""
    sweep_seldom()
    make_room(server.limits)
    server.run(sockets=[listening])
