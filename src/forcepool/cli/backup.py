"""Copies of a campaign: a sound one while it is played, and bringing one back."""

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import file_argument, json_option
from forcepool.files.disk import free_name, stamp
from forcepool.store.address import in_database, is_database, name_of, named_in_database, shown

if TYPE_CHECKING:
    from forcepool.store.verify import Report

NOT_IN_FILES = re.compile(r'[/\\:*?"<>|\x00-\x1f]')
"""What a name in a database may have and that of a file may not."""


@click.command("backup")
@file_argument
@click.argument("folder", required=False, default="", type=click.Path(file_okay=False))
@json_option
@click.pass_context
def backup_command(ctx: click.Context, file: str, folder: str, as_json: bool) -> None:
    """Make a sound copy of a campaign, also while it is being played, and check it.

    The copy lies in FOLDER, else beside the campaign, and has the time in its name. Copying the file yourself is safe
    only when nobody plays: what was ordered last may still lie in the log beside it.

    Of a database, the campaign named after '#' is copied into a file; without a name all of them are, a file each.

    \b
    Examples:
      forcepool backup east.fp
      forcepool backup east.fp copies
      forcepool backup "postgresql://club@db.example.org/club#east" copies
      forcepool backup postgresql://club@db.example.org/club copies
    """
    if is_database(file) and not in_database(file)[1]:
        _back_up_all(ctx, file, Path(folder or "."), as_json)
        return
    place = Path(folder) if folder else Path() if is_database(file) else Path(file).parent
    found = _copied(file, place)
    if as_json:
        screen.print_json(found)
    else:
        _tell(found)
    if not found["sound"]:
        ctx.exit(REFUSED)


def _copied(where: str, place: Path) -> dict[str, Any]:
    """A copy of one campaign, and what an examination of it found."""
    from forcepool.store.open import copy_campaign
    from forcepool.store.stock import ENDING

    place.mkdir(parents=True, exist_ok=True)
    ending = ENDING if is_database(where) else Path(where).suffix
    target = free_name(place / f"{_as_file(name_of(where))}-{stamp()}{ending}")
    report = copy_campaign(where if is_database(where) else Path(where), target)
    if not report.sound:
        screen.warn(f"the campaign itself is not sound: {report.findings[0]}; 'forcepool verify' tells all of it")
    return {"file": str(target), "entries": report.entries, "head": report.head, "sound": report.sound}


def _as_file(name: str) -> str:
    """A campaign's name as a file may have it."""
    return NOT_IN_FILES.sub("_", name)


def _tell(found: dict[str, Any]) -> None:
    count = screen.counted(found["entries"], "entry", "entries")
    screen.say(f"{found['file']}: {count}, sealed {found['head'][:16]}")


def _back_up_all(ctx: click.Context, url: str, place: Path, as_json: bool) -> None:
    from forcepool.store.copies import campaigns_in

    copies = []
    for name in campaigns_in(url):
        copies.append(_copied(f"{url}#{quote(name)}", place))
        if not as_json:
            _tell(copies[-1])
    if as_json:
        screen.print_json({"copies": copies})
    elif not copies:
        screen.say(f"There is no campaign in {shown(url)}.")
    if not all(each["sound"] for each in copies):
        ctx.exit(REFUSED)


@click.command("restore")
@click.argument("copy", type=click.Path(dir_okay=False))
@click.argument("file", type=click.Path(dir_okay=False))
@json_option
def restore_command(copy: str, file: str, as_json: bool) -> None:
    """Bring a campaign back from a copy. A campaign that is there already is moved aside, never written over.

    In a database that can be done while no server uses it; under a name that is free, at any time.

    \b
    Examples:
      forcepool restore copies/east-2026-11-15-201500.fp east.fp
      forcepool restore copies/east-2026-11-15-201500.fp "postgresql://club@db.example.org/club#east"
    """
    if is_database(file):
        _restore_in_database(copy, file, as_json)
        return
    from forcepool.store.open import restore_campaign

    source, target = Path(copy), Path(file)
    if not target.name or target.is_dir():
        raise BadInput(f"{target} is a folder; name the file that the copy becomes")
    if os.path.exists(target) and os.path.samefile(source, target):
        raise BadInput(f"{copy} is the campaign itself; name the copy first, then the file it becomes")
    _check_no_whatif(copy)
    there = target.exists()
    before = free_name(target.with_name(f"{target.stem}-before-{stamp()}{target.suffix}"))
    report = restore_campaign(source, target, before)
    _tell_restored(copy, file, report, str(before) if there else "", as_json)


def _restore_in_database(copy: str, where: str, as_json: bool) -> None:
    from forcepool.store.copies import restore_in_database

    _check_no_whatif(copy)
    url, name = named_in_database(where)
    aside = f"{name}-before-{stamp()}"
    report, there = restore_in_database(Path(copy), where, aside)
    _tell_restored(copy, shown(where), report, f"{shown(url)}#{aside}" if there else "", as_json)


def _check_no_whatif(copy: str) -> None:
    from forcepool.store.scratch import is_whatif

    if is_whatif(Path(copy)):
        raise BadInput(f"{copy} is a what-if, in which nothing counts; choose a copy of the campaign itself")


def _tell_restored(copy: str, place: str, report: "Report", aside: str, as_json: bool) -> None:
    if not report.sound:
        raise BadInput(f"{copy} is not sound: {report.findings[0]}; choose another copy")
    if as_json:
        screen.print_json({"file": place, "entries": report.entries, "head": report.head, "moved_aside": aside})
    else:
        screen.say(f"{place}: {screen.counted(report.entries, 'entry', 'entries')}, sealed {report.head[:16]}")
        if aside:
            screen.say(f"What was there before is {aside}")
