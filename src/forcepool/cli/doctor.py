"""What is wrong with an installation, and how to mend it."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from forcepool.cli import checkup, screen
from forcepool.cli.checkup import NOTE, OK, WRONG, Line
from forcepool.cli.problems import REFUSED
from forcepool.cli.serve import PORT
from forcepool.cli.table import json_option

if TYPE_CHECKING:
    from forcepool.web.settings import Settings


@click.command("doctor")
@click.argument("folder", required=False, default=None, type=click.Path())
@click.option("--settings", "file", default="", metavar="FILE", help="The server's settings, to be looked at too.")
@json_option
@click.pass_context
def doctor_command(ctx: click.Context, folder: str | None, file: str, as_json: bool) -> None:
    """Say what is wrong with this installation, and how to mend it.

    Looks at Python, what ships with the program, installed games and extras, the folder of the campaigns and its disk,
    the port, and the settings; at the database and the mail server, if the settings name them. Nothing is changed, and
    no secret is shown. Exits 1 when something must be mended.

    \b
    Examples:
      forcepool doctor
      forcepool doctor my-campaigns
      forcepool doctor --settings forcepool.toml --json
    """
    lines = list(examined(folder, file))
    wrong = [line for line in lines if line.state == WRONG]
    if as_json:
        screen.print_json({"ok": not wrong, "checks": lines})
    else:
        _told(lines)
    if wrong:
        ctx.exit(REFUSED)


def examined(folder: str | None, file: str) -> Iterator[Line]:
    """Everything, one after another."""
    from forcepool.web.settings import Settings
    from forcepool.web.settings_read import BadSettings, read_settings

    yield checkup.python()
    yield from checkup.program()
    yield from checkup.games()
    yield from checkup.extras()
    yield checkup.browser()
    settings = Settings(folder=folder or ".")
    try:
        settings = read_settings({"folder": folder}, file=file).settings
        yield Line("settings", OK, "can be used; 'forcepool serve --check' shows them")
    except BadSettings as error:
        for line in error.lines:
            yield Line("settings", WRONG, line, "put it right there")
    yield from of_the_server(settings)


def of_the_server(settings: "Settings") -> Iterator[Line]:
    """What the settings lead to."""
    if settings.database:
        yield from checkup.database(settings.database)
    else:
        yield from checkup.folder(Path(settings.folder))
    yield checkup.port(settings, PORT)
    if settings.mail.server:
        yield checkup.mail(settings.mail)


def _told(lines: list[Line]) -> None:
    shown = {OK: screen.good("ok"), NOTE: "note", WRONG: screen.bad("WRONG")}
    for line in lines:
        screen.say(f"{shown[line.state]:<5}  {line.what}: {line.says}")
        if line.remedy:
            screen.say(f"       {line.remedy}")
    wrong = sum(line.state == WRONG for line in lines)
    screen.say()
    screen.say(f"{screen.counted(wrong, 'thing')} to mend." if wrong else "Nothing to mend.")
