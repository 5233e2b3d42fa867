"""The web server: on this machine alone, or public with seats by invitation."""

import os
import socket
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

import click

from forcepool.cli import screen
from forcepool.cli.problems import BadInput, Failed
from forcepool.cli.table import json_option
from forcepool.store.address import is_database, shown

if TYPE_CHECKING:
    from forcepool.web.settings import Settings
    from forcepool.web.settings_read import Found

F = TypeVar("F", bound=Callable[..., Any])
PORT = 8041
TRIES = 20
"""Ports tried one after another when none was asked for."""
SCHEME = "sqlite:"


def browser_options(function: F) -> F:
    """The options of every command that opens pages."""
    function = click.option("--no-browser", is_flag=True, help="Only print the address.")(function)
    return click.option(
        "--port", type=click.IntRange(0, 65535), default=None, help=f"The port; else the first free one from {PORT} on."
    )(function)


@click.command("serve")
@click.argument("folder", metavar="[FOLDER|FILE]", required=False, default=None, type=click.Path())
@click.option("--settings", "file", default="", metavar="FILE", help="Read settings from this TOML file.")
@click.option("--check", is_flag=True, help="Only tell which settings would be used, and where they come from.")
@click.option("--public", is_flag=True, default=None, help="Let others in, each with a seat by invitation.")
@click.option("--db", default="", metavar="URL", help="Where the campaigns are: sqlite:FOLDER, or as --database.")
@click.option("--database", default=None, metavar="URL", help="Keep the campaigns there: postgresql://machine/name.")
@click.option("--workers", type=click.IntRange(1, 64), default=None, help="Processes that answer, with --database.")
@click.option("--host", default=None, help="The address to listen on; with --public all of them, else 127.0.0.1.")
@click.option("--address", default=None, metavar="URL", help="Where players reach it; invitations lead there.")
@click.option("--https", is_flag=True, default=None, help="The pages are reached over https, through a proxy in front.")
@click.option(
    "--log",
    type=click.Choice(["off", "text", "json"]),
    default=None,
    help="Write a line for each request and event to standard error, without anyone's secrets.",
)
@browser_options
@json_option
def serve_command(
    folder: str | None,
    file: str,
    check: bool,
    public: bool | None,
    db: str,
    database: str | None,
    workers: int | None,
    host: str | None,
    address: str | None,
    https: bool | None,
    log: str | None,
    port: int | None,
    no_browser: bool,
    as_json: bool,
) -> None:
    """Open the campaigns of a folder in the browser; with a campaign's file, at that campaign.

    Without --public only this machine gets in. With it, players need an invitation link for their seat; the first one,
    for you as host, is printed when the server starts for the first time. Put a proxy with https in front of it.

    Every setting can also stand in the environment (FORCEPOOL_PORT=8080) or in a TOML file (port = 8080); what the
    file says goes before the environment, and an option before both. --check tells what would be used.

    \b
    Examples:
      forcepool serve
      forcepool serve east.fp
      forcepool serve my-campaigns --port 8080
      forcepool serve --public --https --address https://war.example.org
      forcepool serve --public --database postgresql://club@db.example.org/club --workers 2
      forcepool serve --settings forcepool.toml --check
    """
    options = {
        "folder": _folder(db) if db and not is_database(db) else folder,
        "database": database or (db if is_database(db) else None),
        "workers": workers,
        "public": public or None,
        "host": host,
        "port": port,
        "address": address,
        "https": https or None,
        "log": log,
    }
    found = read_settings(options, file)
    settings = found.settings
    if check:
        tell_settings(found, as_json)
        return
    place, page = (settings.database, "/") if settings.database else _place(Path(settings.folder))
    run_server(
        place,
        settings=settings,
        open_at=page,
        browser=not no_browser and not settings.public,
        as_json=as_json,
    )


def read_settings(options: Mapping[str, Any], file: str) -> "Found":
    """The settings from everywhere, or what is wrong with them."""
    from forcepool.web import settings_read

    try:
        return settings_read.read_settings(options, file=file)
    except settings_read.BadSettings as error:
        raise BadInput(str(error)) from None


def tell_settings(found: "Found", as_json: bool) -> None:
    """Every setting as it would be used, secrets hidden, and where it comes from."""
    lines = list(found.lines())
    if as_json:
        screen.print_json({key: {"value": value, "from": where} for key, value, where in lines})
        return
    screen.table(("setting", "value", "from"), [(key, _as_written(value), where) for key, value, where in lines])


def _as_written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _place(path: Path) -> tuple[Path, str]:
    """The folder to serve, and the page to open: a campaign's own where its file was named."""
    from forcepool.store.stock import ENDING

    if path.is_dir():
        return path, "/"
    if path.suffix == ENDING and path.is_file():
        return path.parent, f"/c/{quote(path.stem)}"
    if path.is_file():
        raise BadInput(f"{path} is no campaign, whose file ends in {ENDING}; name one, or the folder they are in")
    raise BadInput(f"there is no folder or campaign {path}; check the name, or make the folder first")


def _folder(url: str) -> str:
    if not url.startswith(SCHEME):
        raise BadInput(f"--db is {SCHEME}FOLDER or postgresql://machine/name, not '{url}'")
    return url.removeprefix(SCHEME).removeprefix("//") or "."


def run_server(
    place: Path | str,
    *,
    settings: "Settings",
    open_at: str = "/",
    browser: bool = True,
    as_json: bool = False,
    passing: bool = False,
) -> None:
    """Serve a folder or a database until Ctrl-C, and open the browser at a page of it; a folder may go with it."""
    from forcepool.store.errors import CampaignFileError
    from forcepool.web.serving import Server, app_for, serve

    if settings.workers > 1:
        _collect_metrics(settings)
    public = settings.public
    address = settings.host or ("0.0.0.0" if public else "127.0.0.1")
    listening = _listen(address, settings.port)
    url = f"http://{'127.0.0.1' if address == '0.0.0.0' else address}:{listening.getsockname()[1]}"
    try:
        app = app_for(place, settings, passing=passing)
    except CampaignFileError as error:
        raise Failed(str(error)) from None
    reached = settings.address.rstrip("/") or url
    invitation = _invitation_for_the_host(app.state.registry, reached) if public else ""
    if as_json:
        where = {"database": shown(place)} if is_database(place) else {"folder": str(place)}
        screen.print_json({"url": url + open_at, **where, "public": public, "invitation": invitation})
    else:
        screen.say(f"forcepool is at {screen.strong(url + open_at)}")
        screen.say("Others get in by invitation." if public else "Only this machine can see it.")
        if invitation:
            screen.say(f"Your own seat as host, to be opened once: {invitation}")
        screen.say("Ctrl-C ends it, and what you did there is gone." if passing else "Ctrl-C ends it.")
        if passing:
            screen.say("To keep it, start it with --keep and a folder: forcepool demo --keep my-demo")
    _tell_metrics(settings, app.state.meters)
    if browser:
        import threading
        import webbrowser

        threading.Timer(0.3, webbrowser.open, (url + open_at,)).start()

    if settings.workers == 1:
        serve(Server(app, settings), listening)
        return
    from forcepool.web.workers import Workers

    app.state.shelf.close()
    app.state.registry.close()
    Workers(str(place), settings, listening).run()


def _collect_metrics(settings: "Settings") -> None:
    """Where the workers lay down what they count, so that whichever is asked tells the sum."""
    from tempfile import mkdtemp

    from forcepool.web.meters import FOLDER

    if os.name != "posix":
        raise Failed("several workers need Linux or macOS; leave --workers out")
    if (settings.metrics.token or settings.metrics.listen) and not os.environ.get(FOLDER):
        os.environ[FOLDER] = mkdtemp(prefix="forcepool-metrics-")


def _tell_metrics(settings: "Settings", meters: Any) -> None:
    """Tell the numbers at the address of their own that was set."""
    if not settings.metrics.listen:
        return
    from forcepool.web.meters import listen
    from forcepool.web.settings_read import listens_at

    try:
        listen(*listens_at(settings.metrics.listen), meters.registry)
    except OSError as error:
        why = error.strerror or error
        raise Failed(f"metrics.listen: {settings.metrics.listen} cannot be used ({why}); choose another") from None


def _listen(address: str, port: int) -> socket.socket:
    wanted = [port] if port else [*range(PORT, PORT + TRIES), 0]
    for each in wanted:
        # With the protocol named, answers are sent at once; else each waits for the other side's acknowledgement.
        listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            if os.name == "posix":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((address, each))
            listening.listen(128)
            return listening
        except OSError as error:
            problem = error
            listening.close()
    raise Failed(f"port {port} cannot be used ({problem.strerror or problem}); choose another with --port")


def _invitation_for_the_host(registry: Any, url: str) -> str:
    """The first way in: a link for the host, made when nobody has one that still serves."""
    from forcepool.web.chair import HOST, Seat

    if any(each.used and not each.ended for each in registry.invitations("")):
        return ""
    for each in registry.invitations(""):
        registry.end(each.id, "")
    _, word = registry.invite("", Seat(HOST))
    return f"{url}/join/{word}"
