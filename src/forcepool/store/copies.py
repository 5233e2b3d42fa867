"""Copies of campaigns in a database: a file each, made while others play, and brought back under the same name."""

import time
from pathlib import Path

from forcepool.store.address import in_database, named_in_database
from forcepool.store.database import Database, new_on
from forcepool.store.errors import CampaignBusy
from forcepool.store.moving import copy_journal
from forcepool.store.pg_link import Link
from forcepool.store.pg_schema import migrate
from forcepool.store.sqlite import SqliteJournal
from forcepool.store.verify import Report, verify

_OTHERS = (
    "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'forcepool' "
    "and pid <> pg_backend_pid()"
)

_PATIENCE, _LOOKS = 0.05, 20
"""Seconds between two looks whether somebody is there, and how many: who has just hung up is seen for a moment yet."""


def campaigns_in(url: str) -> list[str]:
    """The names of the campaigns in a database."""
    stock = Database(in_database(url)[0])
    try:
        return stock.names()
    finally:
        stock.close()


def restore_in_database(copy: Path, where: str, aside: str) -> tuple[Report, bool]:
    """Put a copy into a database under a name; what an examination of it found, and whether another one was there.

    What was there is kept under the name `aside`; the two are exchanged in one moment, and only while no server is
    running on the database, which would go on with the one it knows. A copy that is not sound is not taken.
    """
    url, name = named_in_database(where)
    with SqliteJournal.open(copy) as journal:
        report = verify(journal)
        if not report.sound:
            return report, False
        link = Link(url)
        try:
            migrate(link)
            there = bool(link.rows("select 1 from campaign where name = %s and tries is null", name))
            if not there:
                with new_on(link, name) as made:
                    copy_journal(journal, made)
                return report, False
            _wait_for_those_who_leave(link)
            _check_alone(link, name)
            draft = f"{aside} (new)"
            with new_on(link, draft) as made:
                copy_journal(journal, made)
            with link.transaction():
                _check_alone(link, name)
                link.rows("update campaign set name = %s where name = %s", aside, name)
                link.rows("update campaign set name = %s where name = %s", name, draft)
        finally:
            link.close()
    return report, True


def _wait_for_those_who_leave(link: Link) -> None:
    for _ in range(_LOOKS):
        if not link.rows(_OTHERS)[0][0]:
            return
        time.sleep(_PATIENCE)


def _check_alone(link: Link, name: str) -> None:
    if link.rows(_OTHERS)[0][0]:
        raise CampaignBusy(
            f"there is a campaign '{name}' already, and a server or another program is using the database; end it "
            "first, or give the copy another name"
        )
