"""The tables of the database, and how one of an older format is brought up to date: numbered steps, all or nothing."""

from functools import cache
from importlib.resources import files

from forcepool.store.errors import CampaignFileError
from forcepool.store.pg_link import SCHEMA, Link

LOCK = int.from_bytes(b"FPOL", "big")
"""Whoever changes the tables holds this: several workers may start at the same moment."""


@cache
def migrations() -> tuple[str, ...]:
    """What brings a database from one format to the next; a format once published is never edited."""
    found = (files("forcepool.store") / "migrations").iterdir()
    return tuple(each.read_text("utf-8") for each in sorted(found, key=lambda each: each.name))


def format_of(link: Link) -> int:
    """The format of a database; 0 where nothing of ours is in it. One of a newer forcepool is refused."""
    if not link.rows(f"select 1 where to_regclass('{SCHEMA}.format') is not null"):
        return 0
    [(found,)] = link.rows(f"select max(number) from {SCHEMA}.format")
    if found is not None and found > len(migrations()):
        raise CampaignFileError(
            f"the database {link.where} was written by a newer forcepool (format {found}, this one knows up to "
            f"{len(migrations())}); install the newest forcepool"
        )
    return int(found or 0)


def migrate(link: Link, steps: tuple[str, ...] | None = None) -> None:
    """Bring a database to today's format, whoever else starts at the same moment."""
    steps = migrations() if steps is None else steps
    if format_of(link) >= len(steps):
        return
    with link.transaction():
        link.rows("select pg_advisory_xact_lock(%s)", LOCK)
        link.rows(f"create schema if not exists {SCHEMA}")
        link.rows("create table if not exists format (number integer primary key, since timestamptz default now())")
        for number, step in enumerate(steps[format_of(link) :], format_of(link) + 1):
            link.rows(step)
            link.rows("insert into format (number) values (%s)", number)
