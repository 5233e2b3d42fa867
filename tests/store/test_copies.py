"""Copies of campaigns in a database: sound while others write, checked, and brought back without writing over any."""

import sqlite3
import threading
from pathlib import Path
from urllib.parse import quote

import pytest

from forcepool import games
from forcepool.cli.files import begin_campaign
from forcepool.engine.desk import Note
from forcepool.store.moving import move
from forcepool.store.open import campaign_file, open_journal
from forcepool.store.pg_link import Link
from forcepool.store.verify import verify
from tests.cli.conftest import Forcepool, forcepool_runs
from tests.support.postgres import Server

SECRET = "s3cret-passw0rd"


@pytest.fixture
def forcepool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Forcepool:
    monkeypatch.chdir(tmp_path)
    return forcepool_runs


@pytest.fixture
def club(postgres: Server, forcepool: Forcepool) -> str:
    """A database with the campaign 'east' in it; its address has a password, which nobody may be told."""
    begin_campaign("east.fp", "smolensk")
    url = postgres.new().replace("postgres@", f"postgres:{SECRET}@")
    move(Path("east.fp"), f"{url}#east")
    return url


def write(where: str, *notes: str) -> None:
    with campaign_file(where, games.build_world) as campaign:
        for text in notes:
            campaign.do(Note(text=text))


def head(where: str) -> tuple[int, str]:
    with open_journal(where) as journal:
        assert verify(journal).sound
        return journal.head()


def test_a_copy_is_sound_and_whole_while_others_write(forcepool: Forcepool, club: str) -> None:
    where = f"{club}#east"
    writing = threading.Thread(target=write, args=(where, *(f"note {number}" for number in range(60))))
    writing.start()
    copies = [forcepool("backup", where, "copies", "--json") for _ in range(3)]
    writing.join()
    copies.append(forcepool("backup", where, "copies", "--json"))
    with open_journal(where) as journal:
        seals = {sealed.seq: sealed.hash for sealed in journal.read()}
    for copy in copies:
        assert copy.code == 0, copy.err
        told = copy.data
        assert told["sound"]
        assert seals[told["entries"]] == told["head"], "it ends at an entry of the campaign"
        assert head(told["file"]) == (told["entries"], told["head"])
        assert SECRET not in copy.out + copy.err
    assert copies[-1].data["entries"] == 61
    brought = forcepool("restore", copies[-1].data["file"], f"{club}#again")
    assert brought.code == 0, brought.err
    assert SECRET not in brought.out + brought.err
    assert head(f"{club}#again") == head(where)


def test_all_campaigns_of_a_database_are_copied_a_file_each(forcepool: Forcepool, club: str) -> None:
    odd = "West / 1940: again"
    move(Path("east.fp"), f"{club}#{quote(odd)}")
    ran = forcepool("backup", club, "copies", "--json")
    assert ran.code == 0, ran.err
    first, second = (Path(each["file"]).name for each in ran.data["copies"])
    assert first.startswith("West _ 1940_ again-2")
    assert second.startswith("east-2")
    assert sorted(path.name for path in Path("copies").iterdir()) == [first, second]
    assert all(each["sound"] for each in ran.data["copies"])
    told = forcepool("backup", club, "more")
    assert (told.code, len(told.out.splitlines())) == (0, 2)
    assert SECRET not in told.out


def test_what_was_there_is_kept_under_another_name(forcepool: Forcepool, club: str) -> None:
    copy = forcepool("backup", f"{club}#east", "copies", "--json").data["file"]
    write(f"{club}#east", "played on")
    before, later = head(copy), head(f"{club}#east")
    server = Link(club)
    try:
        refused = forcepool("restore", copy, f"{club}#east")
        assert refused.code == 1
        assert "a server or another program is using the database; end it first" in refused.err
        assert head(f"{club}#east") == later
    finally:
        server.close()
    done = forcepool("restore", copy, f"{club}#east", "--json")
    assert done.code == 0, done.err
    assert head(f"{club}#east") == before
    aside = done.data["moved_aside"].partition("#")[2]
    assert aside.startswith("east-before-")
    assert head(f"{club}#{aside}") == later
    assert SECRET not in done.out + done.err
    assert len(forcepool("backup", club, "all", "--json").data["copies"]) == 2, "no draft is left behind"


def test_a_copy_that_was_touched_is_not_taken(forcepool: Forcepool, club: str) -> None:
    copy = forcepool("backup", f"{club}#east", "copies", "--json").data["file"]
    with sqlite3.connect(copy) as db:
        for (name,) in db.execute("select name from sqlite_master where type = 'trigger'").fetchall():
            db.execute(f"drop trigger {name}")
        db.execute("update entry set hash = replace(hash, substr(hash, 1, 1), 'x')")
    db.close()
    ran = forcepool("restore", copy, f"{club}#spoilt")
    assert ran.code in (1, 2)
    assert "spoilt" not in str(forcepool("backup", club, "all", "--json").data)


def test_a_database_without_the_campaign_is_told_without_its_password(forcepool: Forcepool, club: str) -> None:
    for words in (("backup", f"{club}#west"), ("restore", "east.fp", club)):
        ran = forcepool(*words)
        assert ran.code == 2
        assert SECRET not in ran.err
