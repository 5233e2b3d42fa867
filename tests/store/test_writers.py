"""Several writers at once, and writers cut short: nothing acknowledged is ever lost."""

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Marked
from forcepool.engine.journal import Journal
from forcepool.engine.state import to_bytes
from forcepool.store.errors import CampaignMoved, explain
from forcepool.store.open import campaign_file, copy_campaign, restore_campaign
from forcepool.store.verify import verify
from tests.store.writing import write
from tests.support import ring

ROOT = Path(__file__).resolve().parents[2]


def start(module: str, *words: object) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(ROOT / "src"), str(ROOT)))}
    return subprocess.Popen(
        [sys.executable, "-m", module, *map(str, words)],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(program: "subprocess.Popen[str]") -> str:
    said, complained = program.communicate(timeout=300)
    assert program.returncode == 0, complained
    return said


def told(campaign: Campaign) -> list[str]:
    return [str(event.value) for entry in campaign.entries() for event in entry.events if isinstance(event, Marked)]


def test_two_programs_that_write_at_once_lose_nothing(path: Path) -> None:
    programs = [start("tests.store.writing", path, name, 200) for name in ("Axis", "Soviet")]
    for program in programs:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        assert program.stdin is not None
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        finish(program)
    with campaign_file(path, ring.build) as campaign:
        assert campaign.seq == 401
        said = told(campaign)
        for name in ("Axis", "Soviet"):
            assert [each for each in said if each.startswith(name)] == [f"{name} {number}" for number in range(200)]
        assert verify(campaign.journal).findings == ()


def test_threads_with_a_file_each_lose_nothing(path: Path, sit_down: Callable[[], Campaign]) -> None:
    campaigns = [sit_down(), sit_down()]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(write, campaigns, ("Axis", "Soviet"), (200, 200)))
    for campaign in campaigns:
        campaign.refresh()
    assert campaigns[0].seq == campaigns[1].seq == 401
    assert to_bytes(campaigns[0].state) == to_bytes(campaigns[1].state)
    assert len(set(told(campaigns[0]))) == 400


def test_threads_that_share_one_file_lose_nothing(sit_down: Callable[[], Campaign]) -> None:
    journal: Journal = sit_down().journal
    campaigns = [Campaign(journal, ring.build) for _ in range(3)]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(write, campaigns, ("a", "b", "c"), (60, 60, 60)))
    assert journal.head()[0] == 181
    assert verify(journal).findings == ()


def test_looking_at_a_file_again_gives_up_no_lock(sit_down: Callable[[], Campaign], path: Path) -> None:
    """Closing a file drops a program's locks on it; whoever closes it next would throw away a log that is in use."""
    ours, theirs = sit_down(), start("tests.store.writing", path, "Axis", 1)
    assert theirs.stdout is not None
    assert theirs.stdout.readline() == "ready\n"
    ring.play(ours, ours.seq)
    spoilt = sqlite3.DatabaseError("database disk image is malformed")
    spoilt.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    for code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_CANTOPEN):
        spoilt.sqlite_errorcode = code
        assert str(explain(path, spoilt))
    theirs.communicate("go\n", timeout=300)
    assert Path(f"{path}-wal").exists(), "the log was thrown away while it was in use"
    ours.refresh()
    ring.play(ours, ours.seq)
    assert finish(start("tests.store.ending", path)) == f"{ours.seq}\n"


def test_what_is_acknowledged_while_a_copy_is_brought_back_lies_aside(path: Path, tmp_path: Path) -> None:
    copy_campaign(path, tmp_path / "older")
    acknowledged: list[int] = []
    over = threading.Event()

    def play_on() -> None:
        with campaign_file(path, ring.build) as campaign, suppress(CampaignMoved):
            while not over.is_set():
                ring.play(campaign, campaign.seq)
                acknowledged.append(campaign.seq)

    with ThreadPoolExecutor() as pool:
        try:
            for number in range(4):
                acknowledged.clear()
                playing = pool.submit(play_on)
                while len(acknowledged) < 20:
                    assert not playing.done(), playing.exception()
                restore_campaign(tmp_path / "older", path, tmp_path / f"aside {number}")
                playing.result(timeout=300)
                with campaign_file(tmp_path / f"aside {number}", ring.build) as aside:
                    assert aside.seq >= acknowledged[-1], "acknowledged, and neither here nor there"
                    assert verify(aside.journal).sound
        finally:
            # Or a mistake would be waited for without end.
            over.set()


def test_a_copy_is_brought_back_in_place_of_a_campaign_that_is_damaged(path: Path, tmp_path: Path) -> None:
    """That is when one needs it; what is left of the damaged one is kept as it lies."""
    copy_campaign(path, tmp_path / "older")
    for number, spoil in enumerate((b"no campaign at all", path.read_bytes()[:9000] + b"x" * 9000)):
        path.write_bytes(spoil)
        restore_campaign(tmp_path / "older", path, tmp_path / f"aside {number}")
        assert (tmp_path / f"aside {number}").read_bytes() == spoil
        with campaign_file(path, ring.build) as campaign:
            assert verify(campaign.journal).sound
