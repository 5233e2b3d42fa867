"""The journal in a database that is killed, cut off, full or of another format: nothing acknowledged is ever lost."""

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count
from pathlib import Path

import psycopg
import pytest

from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Marked
from forcepool.engine.journal import Conflict
from forcepool.store import pg_link
from forcepool.store.database import Database
from forcepool.store.errors import CampaignFileError
from forcepool.store.moving import move
from forcepool.store.open import campaign_file, create_campaign, open_campaign, open_journal, opened
from forcepool.store.pg_link import Link
from forcepool.store.pg_schema import format_of, migrate, migrations
from forcepool.store.postgres import PostgresJournal
from forcepool.store.textfile import export_text
from forcepool.store.verify import repair, verify
from tests.store.test_writers import finish, start
from tests.store.writing import write
from tests.support import ring
from tests.support.postgres import GUARDED, Server, running
from tests.support.proxy import Proxy

NAMES = count(1)


def begun(where: Path | str) -> Path | str:
    create_campaign(
        where, game="ring", title="ring", ruleset="test", world=b"{}", state=ring.opening(), seed=ring.SEED, when="then"
    )
    return where


@pytest.fixture
def where(database: str) -> str:
    """A campaign just begun, in the database."""
    return str(begun(f"{database}#ring {next(NAMES)}"))


@pytest.fixture(scope="module")
def fragile() -> Iterator[Server]:
    """A server that may be killed."""
    with running() as server:
        yield server


def told(campaign: Campaign) -> list[str]:
    return [str(event.value) for entry in campaign.entries() for event in entry.events if isinstance(event, Marked)]


# ------------------------------------------------------------------------------------------------ as ever


def test_a_campaign_moves_to_the_database_and_back_to_the_same_hashes(database: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first.fp", tmp_path / "second.fp"
    begun(first)
    with campaign_file(first, ring.build) as campaign:
        for number in range(130):
            ring.play(campaign, number)
            if number == 60:
                campaign.keep_snapshot()
    there = f"{database}#moved {next(NAMES)}"
    assert move(first, there) == move(there, second)
    found = []
    for each in (first, there, second):
        with open_journal(each) as journal:
            report = verify(journal)
            assert report.sound, report.findings
            assert journal.snapshot_before(1000) is not None
            assert list(journal.entries_about("unit/1"))
            text = list(export_text(journal, with_secret=True))
            found.append((report, text, journal.seeds(), list(journal.entries_about("unit/1"))))
    assert found[0] == found[1] == found[2]
    with pytest.raises(CampaignFileError, match="already; choose another name"):
        move(first, there)


def test_what_is_derived_is_found_wrong_and_made_again(where: str) -> None:
    with campaign_file(where, ring.build) as campaign:
        for number in range(120):
            ring.play(campaign, number)
        journal = campaign.journal
        assert isinstance(journal, PostgresJournal)
        journal.link.rows(
            "update subject set subject = 'unit/nobody' where campaign = %s and seq = 4", journal.campaign
        )
        assert [each.entry for each in verify(journal).findings] == [4]
        repair(journal)
        assert verify(journal).sound


@pytest.mark.parametrize(
    "statement", ["update entry set body = 'x' where campaign = {}", "delete from entry where campaign = {}",
                  "delete from campaign where id = {}"]
)  # fmt: skip
def test_no_statement_changes_or_removes_what_is_recorded(where: str, statement: str) -> None:
    with open_journal(where) as journal:
        assert isinstance(journal, PostgresJournal)
        with pytest.raises(CampaignFileError, match="never"):
            journal.link.rows(statement.format(journal.campaign))
        assert verify(journal).sound


def test_two_programs_that_write_at_once_lose_nothing(where: str) -> None:
    programs = [start("tests.store.writing", where, name, 60) for name in ("Axis", "Soviet")]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        finish(program)
    with campaign_file(where, ring.build) as campaign:
        said = told(campaign)
        for name in ("Axis", "Soviet"):
            assert [each for each in said if each.startswith(name)] == [f"{name} {number}" for number in range(60)]
        assert verify(campaign.journal).findings == ()


def test_threads_on_one_link_lose_nothing(where: str) -> None:
    with open_journal(where) as journal:
        campaigns = [Campaign(journal, ring.build) for _ in range(3)]
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(write, campaigns, ("a", "b", "c"), (20, 20, 20)))
        assert journal.head()[0] == 61
        assert verify(journal).findings == ()


def test_a_writer_that_is_killed_leaves_all_that_it_was_told_is_recorded(where: str) -> None:
    chance = random.Random(1)
    acknowledged: list[str] = []
    for _ in range(4):
        program = start("tests.store.telling", where)
        assert program.stdout is not None
        acknowledged += [program.stdout.readline().strip() for _ in range(3)]
        time.sleep(chance.random() / 20)
        os.kill(program.pid, signal.SIGKILL)
        rest, _ = program.communicate()
        # A line that was cut off was not told.
        acknowledged += rest.split("\n")[:-1]
    with campaign_file(where, ring.build) as campaign:
        said = told(campaign)
        assert len(said) == len(set(said))
        assert set(acknowledged) <= set(said)
        assert len(acknowledged) >= 12
        assert verify(campaign.journal).sound


# ------------------------------------------------------------------------------------ when it goes wrong


class Writer:
    """Plays on until told to stop, and notes what it was told of each thing it wrote."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign, self.stopping = campaign, threading.Event()
        self.taken: list[str] = []
        self.not_taken: list[str] = []
        self.unsure: list[str] = []
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        number = 0
        while not self.stopping.is_set():
            number += 1
            text = f"thing {number}"
            try:
                self.campaign.do(ring.Tell(unit="1", text=text))
                self.taken.append(text)
            except Conflict:
                self.not_taken.append(text)
                self._look()
            except CampaignFileError as error:
                (self.unsure if "may be there or not" in str(error) else self.not_taken).append(text)
                self._look()
        self._look()

    def _look(self) -> None:
        """Until it is back."""
        while True:
            try:
                self.campaign.refresh()
                return
            except CampaignFileError:
                time.sleep(0.02)

    def stop(self) -> None:
        self.stopping.set()
        self.thread.join(60)
        assert not self.thread.is_alive()


def test_a_database_that_is_killed_under_load_comes_back_with_all_that_was_acknowledged(fragile: Server) -> None:
    url = fragile.new()
    begun(f"{url}#east")
    stock = Database(url, serves=True)
    writer = Writer(stock.open("east", ring.build))
    writer.thread.start()
    try:
        for _ in range(2):
            before = len(writer.taken)
            while len(writer.taken) < before + 20:
                time.sleep(0.01)
            fragile.kill()
            time.sleep(0.2)
            fragile.start()
    finally:
        before = len(writer.taken)
        until = time.monotonic() + 30
        while len(writer.taken) < before + 5 and time.monotonic() < until:
            time.sleep(0.01)
        writer.stop()
    said = told(writer.campaign)
    assert len(writer.taken) > before, "it came back by itself"
    assert len(said) == len(set(said))
    assert set(writer.taken) <= set(said)
    assert not set(writer.not_taken) & set(said), "told that nothing was recorded, and it was"
    assert verify(writer.campaign.journal).sound
    stock.close()


@pytest.fixture
def proxy(postgres: Server) -> Iterator[Proxy]:
    made = Proxy(postgres.port)
    yield made
    made.close()


@pytest.fixture
def behind(proxy: Proxy, where: str, postgres: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Campaign]:
    """The campaign, reached over a network that can fail."""
    monkeypatch.setattr(pg_link, "REVIVING", 0.4)
    url, _, name = where.replace(str(postgres.port), str(proxy.port)).partition("#")
    link = Link(url, serves=True, patience=1.0)
    campaign = opened(PostgresJournal.on(link, name), ring.build)
    yield campaign
    link.close()


def once(word: bytes) -> Callable[[bytes], bool]:
    """True of the first piece that holds a word."""
    seen: list[bytes] = []

    def asked(data: bytes) -> bool:
        if seen or word not in data:
            return False
        seen.append(data)
        return True

    return asked


def say(campaign: Campaign, text: str) -> None:
    campaign.do(ring.Tell(unit="1", text=text))


def test_an_answer_that_is_lost_is_looked_for_and_the_entry_recorded_once(behind: Campaign, proxy: Proxy) -> None:
    say(behind, "before")
    proxy.before_answer = once(b"pg_notify")
    say(behind, "the answer is lost")
    say(behind, "after")
    assert told(behind) == ["before", "the answer is lost", "after"]
    assert verify(behind.journal).sound


def test_a_request_that_comes_late_is_recorded_once(behind: Campaign, proxy: Proxy) -> None:
    """The line breaks under way, the order is given again over another, and then the first arrives."""
    say(behind, "before")
    proxy.before_request = once(b"pg_notify")
    say(behind, "under way")
    assert proxy.held, "nothing was held up"
    for late in proxy.held:
        with suppress(OSError):
            late()
    time.sleep(0.2)
    behind.refresh()
    assert told(behind) == ["before", "under way"]
    assert verify(behind.journal).sound


def test_what_was_told_not_to_be_recorded_is_not_recorded_later(behind: Campaign, proxy: Proxy) -> None:
    """The last word of several orders given together is held up under way, and arrives after they were given up."""
    assert isinstance(behind.journal, PostgresJournal)
    proxy.before_request = once(b"commit")
    with pytest.raises(CampaignFileError, match="nothing of yours was recorded"), behind.journal.together():
        say(behind, "given up")
    assert proxy.held, "nothing was held up"
    for late in proxy.held:
        with suppress(OSError):
            late()
    time.sleep(0.2)
    again = Campaign(behind.journal, ring.build)
    assert told(again) == []


def test_one_who_cannot_look_is_told_that_it_may_be_there(behind: Campaign, proxy: Proxy) -> None:
    def cuts(data: bytes) -> bool:
        if b"pg_notify" in data:
            proxy.open = False
        return not proxy.open

    proxy.before_answer = cuts
    with pytest.raises(CampaignFileError, match="may be there or not: once the database is back, look"):
        say(behind, "who knows")
    begun = time.monotonic()
    with pytest.raises(CampaignFileError, match=r"cannot be reached|lost"):
        behind.refresh()
    assert time.monotonic() - begun < 0.2, "whoever asks meanwhile is told at once"
    proxy.before_answer, proxy.open = (lambda data: False), True
    _until_back(behind)
    assert told(behind) == ["who knows"]


def test_a_network_that_swallows_everything_is_noticed_and_survived(behind: Campaign, proxy: Proxy) -> None:
    say(behind, "before")
    proxy.swallows = True
    begun = time.monotonic()
    with pytest.raises(CampaignFileError, match="database"):
        say(behind, "swallowed")
    assert time.monotonic() - begun < 10
    proxy.swallows = False
    proxy.cut()
    _until_back(behind)
    say(behind, "after")
    assert [each for each in told(behind) if each != "swallowed"] == ["before", "after"]


def _until_back(campaign: Campaign) -> None:
    until = time.monotonic() + 20
    while True:
        try:
            campaign.refresh()
            return
        except CampaignFileError:
            assert time.monotonic() < until
            time.sleep(0.05)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("53100", "the disk of the database .* is full and nothing of yours was recorded"),
        ("25006", "can only be read just now and nothing"),
        ("55P03", "another has held the campaign"),
        ("XX000", "could not do it"),
    ],
)
def test_what_the_database_refuses_is_told_and_nothing_is_recorded(postgres: Server, code: str, says: str) -> None:
    url = postgres.new()
    begun(f"{url}#east")
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(
            "create function forcepool.fails() returns trigger language plpgsql as $$ begin "
            f"raise exception 'no' using errcode = '{code}'; end $$;".encode()
        )
        db.execute("create trigger fails before insert on forcepool.entry execute function forcepool.fails()")
        with campaign_file(f"{url}#east", ring.build) as campaign:
            with pytest.raises(CampaignFileError, match=says):
                say(campaign, "refused")
            db.execute("drop trigger fails on forcepool.entry")
            say(campaign, "taken")
            assert told(campaign) == ["taken"]


def test_who_is_not_let_in_is_told_without_a_password(postgres: Server) -> None:
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as db:
        db.execute(f"create role {GUARDED} login password 'right'".encode())
    for address, says in (
        (f"postgresql://{GUARDED}:wr0ng@127.0.0.1:{postgres.port}/postgres", "does not let this name in"),
        (f"postgresql://{GUARDED}@127.0.0.1:{postgres.port}/postgres", "does not let this name in"),
        (f"postgresql://postgres:wr0ng@127.0.0.1:{postgres.port}/nowhere", "no such database"),
        ("postgresql://postgres:wr0ng@127.0.0.1:1/nowhere", "cannot be reached"),
    ):
        with pytest.raises(CampaignFileError, match=says) as error:
            open_campaign(f"{address}#east", ring.build)
        assert "wr0ng" not in str(error.value)


# --------------------------------------------------------------------------------------------- its format


def test_a_step_that_fails_leaves_the_database_as_it_was(postgres: Server) -> None:
    link = Link(postgres.new())
    with pytest.raises(CampaignFileError):
        migrate(link, (*migrations(), "create table another (x integer); select 1 / 0"))
    assert format_of(link) == 0
    assert link.rows("select to_regclass('forcepool.campaign')") == [(None,)]
    migrate(link)
    assert format_of(link) == len(migrations())
    link.close()


def test_several_that_start_at_once_make_the_tables_once(postgres: Server) -> None:
    url = postgres.new()

    def starts(_: int) -> None:
        Database(url).close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(starts, range(4)))
    begun(f"{url}#east")


def test_a_database_of_a_newer_forcepool_is_refused(postgres: Server) -> None:
    url = postgres.new()
    Database(url).close()
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("insert into forcepool.format (number) values (99)")
    with pytest.raises(CampaignFileError, match=r"a newer forcepool \(format 99.*install the newest"):
        Database(url)
