"""Several writers at once, and writers cut short: nothing acknowledged is ever lost."""

import os
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from forcepool.engine.campaign import Campaign
from forcepool.engine.events import Marked
from forcepool.engine.journal import Journal
from forcepool.engine.state import to_bytes
from forcepool.store.open import campaign_file
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
