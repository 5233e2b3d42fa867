"""Campaigns that go from a folder into a database, or back: all of them, or one."""

from pathlib import Path
from urllib.parse import quote

import click

from forcepool.cli import screen
from forcepool.cli.problems import REFUSED, BadInput
from forcepool.cli.table import json_option
from forcepool.store.address import in_database, is_database, name_of, shown


@click.command("move")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@json_option
@click.pass_context
def move_command(ctx: click.Context, source: str, target: str, as_json: bool) -> None:
    """Take campaigns from a folder into a PostgreSQL database, or back, to the same seals.

    FROM and TO are a folder or a database, postgresql://name@machine/database; FROM may also be one campaign: its
    file, or the database with '#' and its name. Secrets of the dice come along, and with a whole folder or database the
    seats. Nothing is removed: play on in one of the two places only. A campaign that cannot be taken is told, and the
    others go.

    \b
    Examples:
      forcepool move my-campaigns postgresql://club@db.example.org/club
      forcepool move postgresql://club@db.example.org/club copies
      forcepool move postgresql://club@db.example.org/club#east .
    """
    campaigns = _campaigns(source)
    if not is_database(target) and not Path(target).is_dir():
        raise BadInput(f"there is no folder {target}; make it first, or name a database: postgresql://machine/name")
    if is_database(target) and in_database(target)[1]:
        raise BadInput(f"{shown(target)} is a campaign; name the database alone, each keeps its name")
    lines = [_moved(each, target) for each in campaigns]
    seats = _seats(source, target)
    if as_json:
        screen.print_json({"campaigns": lines, "seats": seats})
    else:
        for line in lines:
            what = line["problem"] or f"{line['entries']} entries, sealed {str(line['head'])[:16]}"
            screen.say(f"{line['name']}: {what}")
        screen.say(_told(seats) if seats else f"{screen.counted(len(lines), 'campaign')}; nothing was removed")
    if any(line["problem"] for line in lines):
        ctx.exit(REFUSED)


def _campaigns(source: str) -> list[str]:
    """The addresses of the campaigns that are meant."""
    from forcepool.store.stock import ENDING

    if is_database(source):
        url, name = in_database(source)
        if name:
            return [source]
        from forcepool.store.database import Database

        stock = Database(url)
        try:
            return [stock.where(each) for each in stock.names()]
        finally:
            stock.close()
    path = Path(source)
    if path.is_file():
        return [source]
    if not path.is_dir():
        raise BadInput(f"there is no folder or campaign {source}; check the name")
    return [str(each) for each in sorted(path.glob(f"*{ENDING}"))]


def _moved(campaign: str, target: str) -> dict[str, str | int]:
    from forcepool.engine.journal import Damaged
    from forcepool.store.errors import CampaignFileError
    from forcepool.store.moving import move
    from forcepool.store.stock import ENDING

    name = name_of(campaign)
    try:
        if is_database(target):
            entries, head = move(campaign, f"{target}#{quote(name)}")
        else:
            entries, head = move(campaign, Path(target) / f"{name}{ENDING}")
    except (CampaignFileError, Damaged, OSError) as error:
        return {"name": name, "entries": 0, "head": "", "problem": str(error)}
    return {"name": name, "entries": entries, "head": head, "problem": ""}


def _seats(source: str, target: str) -> int:
    """Take the register along where whole places are meant; how many seats, -1 where some were there already."""
    from forcepool.store.database import Database
    from forcepool.web.registry_moving import move_register

    into = is_database(target)
    folder, database = (source, target) if into else (target, source)
    if is_database(folder) or not is_database(database) or not Path(folder).is_dir() or in_database(database)[1]:
        return 0
    stock = Database(database)
    try:
        return move_register(Path(folder), stock, into_database=into)
    finally:
        stock.close()


def _told(seats: int) -> str:
    if seats < 0:
        return "Seats were given out there already: those are kept, and none were taken over."
    return f"{screen.counted(seats, 'seat')} taken over with their links; nothing was removed"
