"""How fast a long campaign opens, is replayed and grows. Prints one line of JSON a figure.

    python benchmarks/journal.py [ENTRIES] [FOLDER]

The folder decides which disk is measured.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from forcepool.engine.journal import MemoryJournal, Sealed  # noqa: E402
from forcepool.store.open import campaign_file, new_file  # noqa: E402
from forcepool.store.sqlite import SqliteJournal  # noqa: E402
from forcepool.store.textfile import export_text, import_text  # noqa: E402
from forcepool.store.verify import verify  # noqa: E402
from tests.support import ring  # noqa: E402

UNITS = 200
SINGLE = 10_000
TIMES = 7


def played(entries: int) -> MemoryJournal:
    """A campaign of so many entries, with its snapshots."""
    journal = MemoryJournal()
    campaign = ring.start(journal, units=UNITS, points=entries, seed=b"")
    for number in range(entries - 1):
        campaign.do(ring.RebuildUnit(unit=str(number % UNITS), pool="AB"[number % 2]))
    return journal


def took(act: Callable[[], object]) -> float:
    begun = perf_counter()
    act()
    return perf_counter() - begun


def tell(name: str, value: float, **more: object) -> None:
    print(json.dumps({"benchmark": "journal", "name": name, "value": round(value, 2), **more}), flush=True)


def append_one_by_one(path: Path, entries: list[Sealed]) -> None:
    def append_all() -> None:
        for each in entries:
            journal.append([each])

    with SqliteJournal.create(path) as journal:
        tell("durable_appends_per_s", len(entries) / took(append_all))


def opening(path: Path, times: int = TIMES) -> float:
    """Milliseconds to open a campaign, ready to be played, and to close it."""

    def open_and_close() -> None:
        with campaign_file(path, ring.build):
            pass

    return median(took(open_and_close) for _ in range(times)) * 1000


def main(count: int, folder: Path) -> None:
    memory = played(count)
    entries = memory.entries
    append_one_by_one(folder / "single", entries[:SINGLE])

    path = folder / "long"
    with new_file(path) as journal:
        tell("bulk_appends_per_s", count / took(lambda: journal.append(entries)), entries=count)
    tell("file_mb", path.stat().st_size / 1e6, entries=count)
    tell("cold_replay_entries_per_s", count / (opening(path, 1) / 1000), entries=count)

    with SqliteJournal.open(path) as journal:
        newest = max(memory.snapshots)
        journal.keep_snapshot(newest, memory.snapshots[newest])
    tell("open_ms", opening(path), entries=count, replayed=count - newest)
    with SqliteJournal.open(path) as journal:
        seconds = took(lambda: verify(journal))
        tell("verify_entries_per_s", count / seconds, sound=verify(journal).sound)
        lines: list[str] = []
        tell("export_entries_per_s", count / took(lambda: lines.extend(export_text(journal))))
    with new_file(folder / "imported") as imported:
        tell("import_entries_per_s", count / took(lambda: import_text(lines, imported)))
        assert imported.head() == memory.head()


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory(dir=sys.argv[2] if len(sys.argv) > 2 else None) as made:
        main(wanted, Path(made))
