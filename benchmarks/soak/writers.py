"""Writers killed at any instant, alone or beside another, the file now and then moved to another name between them."""

import os
import random
import select
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

from benchmarks.soak.ground import CAMPAIGN, KILLS_A_FILE, Ground, left_beside, unsound

from forcepool import games
from forcepool.engine.campaign import NothingToUndo
from forcepool.engine.desk import Note
from forcepool.engine.journal import Conflict
from forcepool.store.errors import CampaignBusy
from forcepool.store.open import campaign_file
from forcepool.store.sqlite import SqliteJournal

MOST_ACKNOWLEDGED = 8
BYTES = 4


def write_for_ever(path: Path, pipe: int, name: str) -> None:
    """Plays on, and after each entry says that it is recorded; merges its log, closes and opens the file at times."""
    while True:
        try:
            with campaign_file(path, games.build_world) as campaign:
                for number in range(17):
                    try:
                        if number % 8 == 7:
                            campaign.undo()
                        else:
                            campaign.do(Note(text=f"{name} after {campaign.seq}"))
                    except (Conflict, NothingToUndo):
                        campaign.refresh()
                        continue
                    os.write(pipe, campaign.seq.to_bytes(BYTES, "big"))
                    if number % 5 == 4 and isinstance(campaign.journal, SqliteJournal):
                        campaign.journal.merge()
        except CampaignBusy:
            continue


class Writer:
    """A writer in a process of its own."""

    def __init__(self, path: Path, name: str) -> None:
        self.hear, say = os.pipe()
        self.heard = b""
        self.child = os.fork()
        if not self.child:
            os.close(self.hear)
            try:
                write_for_ever(path, say, name)
            finally:
                os._exit(70)
        os.close(say)

    def listen(self, seconds: float) -> bool:
        """Wait for an acknowledgement, so long at most."""
        if not select.select([self.hear], [], [], seconds)[0]:
            return False
        more = os.read(self.hear, 1 << 16)
        self.heard += more
        return bool(more)

    def kill(self) -> set[int]:
        """End it here and now; the entries that it had acknowledged."""
        os.kill(self.child, signal.SIGKILL)
        _, status = os.waitpid(self.child, 0)
        while more := os.read(self.hear, 1 << 16):
            self.heard += more
        os.close(self.hear)
        assert os.WIFSIGNALED(status), "the writer gave up by itself"
        whole = len(self.heard) // BYTES * BYTES
        return {int.from_bytes(self.heard[at : at + BYTES], "big") for at in range(0, whole, BYTES)}


def kill_writers(ground: Ground, at: Path, kills: int, chance: random.Random) -> Iterator[tuple[int, int, str]]:
    """So many kills; each time how many, the entries acknowledged, and what was lost."""
    path, done, most = at / CAMPAIGN, 0, 0
    for round_ in range(kills):
        if done >= kills:
            return
        if round_ % KILLS_A_FILE == 0:
            ground.laid_out(at)
            path, most = at / CAMPAIGN, ground.now.seq
        writers = [Writer(path, name) for name in ("Axis", "Soviet")[: 1 + (chance.random() < 0.2)]]
        for _ in range(chance.randrange(MOST_ACKNOWLEDGED)):
            writers[0].listen(5)
        # Somewhere inside the next write: the wait ends early when an acknowledgement comes, and may begin again.
        for _ in range(chance.randrange(3)):
            writers[0].listen(chance.random() / 1000)
        acknowledged = set().union(*(writer.kill() for writer in writers))
        most = max([most, *acknowledged])
        if chance.random() < 0.1:
            path = _renamed(path, at / f"{chance.randrange(10**6)}.fp")
        done += len(writers)
        yield len(writers), len(acknowledged), look(path, most, acknowledged)


def _renamed(path: Path, to: Path) -> Path:
    """The campaign under another name, its log with it, as someone moves files about."""
    for ending in ("", "-wal", "-shm"):
        if Path(f"{path}{ending}").exists():
            shutil.move(f"{path}{ending}", f"{to}{ending}")
    return to


def look(path: Path, most: int, acknowledged: set[int]) -> str:
    """What is wrong with the file; empty when nothing is."""
    with campaign_file(path, games.build_world) as campaign:
        if campaign.seq < most:
            return f"entry {most} was acknowledged, but the journal ends at {campaign.seq}"
        wrong = unsound(campaign.journal)
    return wrong or left_beside(path)
