"""The demonstration campaign in the browser, on this machine only."""

import tempfile
from pathlib import Path

import click

from forcepool.cli import screen
from forcepool.cli.serve import browser_options, run_server
from forcepool.cli.table import json_option

NAME = "east-1941"


@click.command("demo")
@browser_options
@click.option("--keep", type=click.Path(file_okay=False), default=None, help="Keep the campaign in this folder.")
@json_option
def demo_command(port: int | None, no_browser: bool, keep: str | None, as_json: bool) -> None:
    """Open the demonstration campaign in the browser. Only this machine can see it; Ctrl-C ends it.

    The campaign is played in a temporary folder and forgotten afterwards, unless --keep names a folder for it; there
    you find it as it was when you come back. 'forcepool tour' shows the commands in the terminal instead.

    \b
    Examples:
      forcepool demo
      forcepool demo --keep my-demo
      forcepool demo --port 8080 --no-browser
    """
    if keep is not None:
        _open(Path(keep), port, no_browser, as_json, passing=False)
        return
    # On Windows a file that is still open cannot be removed; the system clears its temporary folder some day.
    with tempfile.TemporaryDirectory(prefix="forcepool-", ignore_cleanup_errors=True) as folder:
        _open(Path(folder), port, no_browser, as_json, passing=True)


def _open(folder: Path, port: int | None, no_browser: bool, as_json: bool, *, passing: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}.fp"
    if not path.exists():
        lay_out(path)
    from forcepool.web.settings import Settings

    settings = Settings(port=port or 0)
    run_server(
        folder, settings=settings, open_at=f"/c/{NAME}", browser=not no_browser, as_json=as_json, passing=passing
    )


def lay_out(path: Path) -> None:
    """The demonstration campaign as a file: six turns played, and decisions open on both sides."""
    from forcepool import games
    from forcepool.store.open import import_campaign
    from forcepool.views.scenarios import shipped_journal

    screen.warn("setting up the demonstration campaign")
    import_campaign(shipped_journal(NAME), path, file=f"{NAME}.journal", build=games.build_world)
