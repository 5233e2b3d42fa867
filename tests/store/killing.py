"""Kills a writer again and again at any instant, and looks at what it leaves. Run as a program of its own.

It forks, which only a program without threads may do; a test starts it and reads its verdict.
"""

import os
import random
import select
import signal
import sys
from pathlib import Path

from forcepool.engine import campaign as engine_campaign
from forcepool.store.open import campaign_file, create_campaign
from forcepool.store.verify import verify
from tests.support import ring

KILLS_A_FILE = 20
MOST_ACKNOWLEDGED = 25
BYTES = 4


def write_for_ever(path: Path, pipe: int) -> None:
    """Plays on, and after each entry says that it is recorded; closes and opens the file now and then."""
    while True:
        with campaign_file(path, ring.build) as campaign:
            for _ in range(17):
                ring.play(campaign, campaign.seq)
                os.write(pipe, campaign.seq.to_bytes(BYTES, "big"))


def kill_once(path: Path, chance: random.Random) -> int:
    """Start a writer, kill it somewhere, and return the last entry it had acknowledged."""
    hear, say = os.pipe()
    child = os.fork()
    if not child:
        os.close(hear)
        write_for_ever(path, say)
    os.close(say)
    heard = b""
    for _ in range(chance.randrange(MOST_ACKNOWLEDGED)):
        heard += os.read(hear, BYTES)
    # Somewhere inside the next write: the wait ends early when an acknowledgement comes, and may begin again.
    for _ in range(chance.randrange(3)):
        select.select([hear], [], [], chance.random() / 1000)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while more := os.read(hear, 1 << 16):
        heard += more
    os.close(hear)
    whole = len(heard) // BYTES * BYTES
    return int.from_bytes(heard[whole - BYTES : whole], "big") if whole else 0


def look(path: Path, acknowledged: int) -> str:
    """What is wrong with the file; empty when nothing is."""
    with campaign_file(path, ring.build) as campaign:
        if campaign.seq < acknowledged:
            return f"entry {acknowledged} was acknowledged, but the journal ends at {campaign.seq}"
        report = verify(campaign.journal, seeds={1: ring.SEED})
    return "" if report.sound else "; ".join(map(str, report.findings))


def main(folder: Path, kills: int, seed: int) -> None:
    engine_campaign.SNAPSHOT_EVERY = 7
    chance = random.Random(seed)
    path, most = folder / "none", 0
    for number in range(kills):
        if number % KILLS_A_FILE == 0:
            path, most = folder / f"{number}.forcepool", 0
            create_campaign(
                path, game="ring", title="ring", ruleset="", world=b"{}", state=ring.opening(), seed=ring.SEED
            )
        most = max(most, kill_once(path, chance))
        wrong = look(path, most)
        if wrong:
            sys.exit(f"after kill {number}: {wrong}")
    print(f"{kills} kills, nothing lost")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
