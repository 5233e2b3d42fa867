"""Copies of a campaign: a sound one while it is played, and bringing one back."""

import os
from datetime import UTC, datetime
from pathlib import Path

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import file_argument, json_option
from forcepool.store.address import is_database, name_of


@click.command("backup")
@file_argument
@click.argument("folder", required=False, default="", type=click.Path(file_okay=False))
@json_option
@click.pass_context
def backup_command(ctx: click.Context, file: str, folder: str, as_json: bool) -> None:
    """Make a sound copy of a campaign, also while it is being played, and check it.

    The copy lies in FOLDER, else beside the campaign, and has the time in its name. Copying the file yourself is safe
    only when nobody plays: what was ordered last may still lie in the log beside it.

    \b
    Examples:
      forcepool backup east.fp
      forcepool backup east.fp copies
    """
    from forcepool.store.open import copy_campaign
    from forcepool.store.stock import ENDING

    beside = Path() if is_database(file) else Path(file).parent
    place, ending = Path(folder) if folder else beside, ENDING if is_database(file) else Path(file).suffix
    place.mkdir(parents=True, exist_ok=True)
    report = copy_campaign(file, target := free_name(place / f"{name_of(file)}-{stamp()}{ending}"))
    if as_json:
        screen.print_json({"file": str(target), "entries": report.entries, "head": report.head, "sound": report.sound})
    else:
        count = screen.counted(report.entries, "entry", "entries")
        screen.say(f"{target}: {count}, sealed {report.head[:16]}")
    if not report.sound:
        screen.warn(f"the campaign itself is not sound: {report.findings[0]}; 'forcepool verify' tells all of it")
        ctx.exit(REFUSED)


def stamp() -> str:
    """The time in the name of a copy."""
    return f"{datetime.now(UTC):%Y-%m-%d-%H%M%S}"


def free_name(path: Path) -> Path:
    """The name, or the next one that nobody has: two copies may be made within a second."""
    names = (path, *(path.with_name(f"{path.stem}-{number}{path.suffix}") for number in range(2, 1000)))
    return next(name for name in names if not os.path.lexists(name))


@click.command("restore")
@click.argument("copy", type=click.Path(dir_okay=False))
@click.argument("file", type=click.Path(dir_okay=False))
@json_option
def restore_command(copy: str, file: str, as_json: bool) -> None:
    """Bring a campaign back from a copy. A file that is there already is moved aside, never written over.

    \b
    Example:
      forcepool restore copies/east-2026-11-15-201500.fp east.fp
    """
    from forcepool.store.open import restore_campaign
    from forcepool.store.scratch import is_whatif

    source, target = Path(copy), Path(file)
    if not target.name or target.is_dir():
        raise BadInput(f"{target} is a folder; name the file that the copy becomes")
    if os.path.exists(target) and os.path.samefile(source, target):
        raise BadInput(f"{copy} is the campaign itself; name the copy first, then the file it becomes")
    if is_whatif(source):
        raise BadInput(f"{copy} is a what-if, in which nothing counts; choose a copy of the campaign itself")
    there = target.exists()
    before = free_name(target.with_name(f"{target.stem}-before-{stamp()}{target.suffix}"))
    report = restore_campaign(source, target, before)
    if not report.sound:
        raise BadInput(f"{copy} is not sound: {report.findings[0]}; choose another copy")
    aside = str(before) if there else ""
    if as_json:
        screen.print_json({"file": file, "entries": report.entries, "head": report.head, "moved_aside": aside})
    else:
        screen.say(f"{file}: {screen.counted(report.entries, 'entry', 'entries')}, sealed {report.head[:16]}")
        if aside:
            screen.say(f"What was there before is {aside}")
