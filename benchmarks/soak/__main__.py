"""Nothing acknowledged is lost: writers and servers killed at any instant and every file call, disks full and broken.

    python benchmarks/soak                               a night's run: 10,000 kills, every fault at every call
    python benchmarks/soak --kills 1000 --faults 0.1     a tenth of it

After each: what was acknowledged is there, nothing is half done, the chain is sound, nothing lies about, the next start
works, and what went wrong was told in the right words. Ends with 1 and what was lost, if anything was.
"""

import argparse
import errno
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from benchmarks.soak.bare import may_mount, on_small_disks, with_limits  # noqa: E402
from benchmarks.soak.deeds import DEEDS  # noqa: E402
from benchmarks.soak.ground import Ground, prepare  # noqa: E402
from benchmarks.soak.server import kill_server_at, kill_servers, server_calls, spoil_server_at  # noqa: E402
from benchmarks.soak.shim import FAULTS, KILL, Fault, Shim, compiled  # noqa: E402
from benchmarks.soak.tries import Counts, calls_of, plan, try_fault  # noqa: E402
from benchmarks.soak.writers import kill_writers  # noqa: E402

KILLS = 10_000
SERVERS = 0.05
"""The share of the kills at any instant that is a server's."""
SERVER = "server"
PRELOADED = "FORCEPOOL_SOAK"
MOST_SHOWN = 40
SELDOM = ("stat", "lock", "read", "open", "close")
"""Calls of a server of which only every tenth is spoilt: they are many, and alike."""

Try = tuple[int, Callable[[], None]]
"""How many kills it is, and the try itself."""


class Soak:
    """One run: the ground, the chances taken, and what came of it."""

    def __init__(self, folder: Path, options: argparse.Namespace) -> None:
        self.folder, self.options, self.counts = folder, options, Counts()
        self.chance = random.Random(options.seed)
        self.ends: float = time.monotonic() + 60 * options.minutes
        self.grounds = prepare(folder / "ground")
        self.shim = Shim() if os.environ.get(PRELOADED) else None
        self.at = folder / "at"
        self.told, self.shown = time.monotonic(), 0

    @property
    def over(self) -> bool:
        self._progress()
        return time.monotonic() > self.ends

    def _progress(self) -> None:
        for what in self.counts.lost[self.shown :]:
            print(what, file=sys.stderr, flush=True)
        self.shown = len(self.counts.lost)
        if time.monotonic() > self.told + 60 and not self.options.quiet:
            self.told = time.monotonic()
            kills, faults = sum(self.counts.kills.values()), sum(self.counts.faults.values())
            print(f"… {kills} kills, {faults} faults, {len(self.counts.lost)} findings", file=sys.stderr, flush=True)

    def sample(self, faults: Iterator[Fault]) -> list[Fault]:
        """The share of what could be tried that is tried, chosen by chance."""
        asked = self.options
        return [
            fault
            for fault in faults
            if self.chance.random() < asked.faults
            and not (asked.changes_only and fault.what == errno.EIO and not fault.lasting)
        ]

    def run(self) -> None:
        """All that is planned, in an order left to chance, so that a run that is cut short is a fair sample of it."""
        tries = [*self.with_faults(), *self.on_small_disks()]
        self.chance.shuffle(tries)
        planned = sum(kills for kills, _ in tries)
        self.at_any_instant(max(self.options.kills - planned, 0))
        for _, attempt in tries:
            if self.over:
                return
            attempt()

    def with_faults(self) -> Iterator[Try]:
        if self.shim is None:
            for each in with_limits(self.grounds[1], self.at, self.options.faults, self.counts):
                yield 0, each
            return
        for ground in self.grounds:
            yield from self.programs(self.shim, ground)
        if not self.options.deeds or SERVER in self.options.deeds:
            yield from self.servers(self.shim, self.grounds[1])

    def on_small_disks(self) -> Iterator[Try]:
        if self.options.small_disks and may_mount():
            small = on_small_disks(self.grounds[1], self.folder / "disk", self.options.small_disks, self.counts)
            yield from ((0, each) for each in small)

    def programs(self, shim: Shim, ground: Ground) -> Iterator[Try]:
        """Every deed with every fault at every call."""
        for deed in DEEDS:
            if not self.options.deeds or deed.name in self.options.deeds:
                for fault in self.sample(plan(calls_of(shim, ground, self.at, deed), FAULTS)):
                    yield (
                        int(fault.what == KILL),
                        partial(try_fault, shim, ground, self.at, deed, fault, self.counts),
                    )

    def servers(self, shim: Shim, ground: Ground) -> Iterator[Try]:
        """A server killed at every call that changes a file, and one whose disk fails at any."""
        calls = server_calls(ground, self.at, shim)
        faults = (Fault(KILL), Fault(errno.ENOSPC, lasting=True), Fault(errno.ENOSPC), Fault(errno.EIO))
        for fault in self.sample(plan(calls, faults)):
            kind = calls[fault.at - 1]
            if fault.what == KILL or kind not in SELDOM or self.chance.random() < 0.1:
                yield int(fault.what == KILL), partial(self.spoil_server, shim, ground, fault, kind)

    def spoil_server(self, shim: Shim, ground: Ground, fault: Fault, kind: str) -> None:
        if fault.what == KILL:
            self.counts.kills["a server, at every call that changes a file"] += 1
            wrong = kill_server_at(ground, self.at, shim, fault)
        else:
            self.counts.faults[f"a server's {fault.name}: {kind}"] += 1
            wrong = spoil_server_at(ground, self.at, shim, fault)
        if wrong:
            self.counts.lost.append(f"a server, {fault.name} at call {fault.at}, a {kind}: {wrong}")

    def at_any_instant(self, left: int) -> None:
        """The kills that are not at a call, wherever they fall."""
        servers = int(left * SERVERS)
        for what, kills, killing in (
            ("a writer, at any instant", left - servers, kill_writers),
            ("a server, at any instant", servers, kill_servers),
        ):
            for done, acknowledged, wrong in killing(self.grounds[1], self.at, kills, self.chance):
                self.counts.kills[what] += done
                self.counts.acknowledged += acknowledged
                if wrong:
                    self.counts.lost.append(f"{what}, after {self.counts.kills[what]} kills: {wrong}")
                if self.over:
                    break

    def tell(self) -> int:
        counts = self.counts
        print(f"{sum(counts.kills.values()):,} kills")
        for what, number in sorted(counts.kills.items()):
            print(f"  {number:7,}  {what}")
        print(f"{sum(counts.faults.values()):,} faults: {counts.refused:,} told, {counts.passed_over:,} got round")
        for what, number in sorted(counts.faults.items()):
            print(f"  {number:7,}  {what}")
        print(f"{counts.acknowledged:,} entries acknowledged before a kill at any instant")
        for what in counts.lost[:MOST_SHOWN]:
            print(f"  {what}")
        print(f"{len(counts.lost):,} findings" if counts.lost else "nothing lost")
        return 1 if counts.lost else 0


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="benchmarks/soak", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=KILLS, help="kills altogether")
    parser.add_argument("--faults", type=float, default=1.0, help="the share of all faults at all calls that is tried")
    parser.add_argument("--small-disks", type=float, default=1.0, help="the share of disks of every size that is tried")
    parser.add_argument("--changes-only", action="store_true", help="no single EIO, which any call can have")
    parser.add_argument("--seed", type=int, default=1941, help="which chances are taken")
    parser.add_argument("--minutes", type=float, default=12 * 60, help="the longest it may take")
    parser.add_argument("--folder", default="", help="where the campaigns lie; else in memory, where there is room")
    parser.add_argument(
        "--deeds", nargs="*", default=(), help=f"only these: {', '.join((*(deed.name for deed in DEEDS), SERVER))}"
    )
    parser.add_argument("--no-shim", action="store_true", help="as on a machine without a compiler")
    parser.add_argument("--quiet", action="store_true", help="no word of how far it is")
    return parser.parse_args()


def preload(folder: Path) -> None:
    """Begin again with the shim between this program and its files, where it can be made."""
    shim = compiled(folder)
    if shim is not None:
        os.environ |= {"LD_PRELOAD": str(shim), PRELOADED: str(folder)}
        os.execv(sys.executable, [sys.executable, str(Path(__file__).parent), *sys.argv[1:]])


def main() -> int:
    asked = options()
    place = asked.folder or ("/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
    folder = Path(os.environ.get(PRELOADED) or tempfile.mkdtemp(prefix="soak-", dir=place))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        if PRELOADED not in os.environ and not asked.no_shim:
            preload(folder)
        if PRELOADED not in os.environ:
            print("no compiler: disks that are too small and limits of size instead of a fault at every call")
        soak = Soak(folder, asked)
        with suppress(KeyboardInterrupt, SystemExit):
            soak.run()
        return soak.tell()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
