"""Journals kept in a file, so that a war that took an hour to play is reckoned again in a moment.

python -m tests.reckoner.recording FOLDER SCENARIO PLAYER TURNS     plays a war and writes it down as it goes
python -m tests.reckoner.recording FOLDER                           reckons every journal of the folder anew
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from forcepool.engine.journal import MemoryJournal, Sealed
from tests.reckoner import wars
from tests.reckoner.reckoning import reckon

SUFFIX = ".journal"


class WrittenJournal(MemoryJournal):
    """A journal that is also written to a file, one sealed entry a line."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        path.write_bytes(b"")

    def append(self, entries: Sequence[Sealed]) -> None:
        super().append(entries)
        with self._path.open("ab") as file:
            for each in entries:
                file.write(msgspec.json.encode([each.seq, each.body.decode("utf-8"), each.hash]) + b"\n")


def read(path: Path) -> MemoryJournal:
    """A journal from its file, as far as it has been written."""
    journal = MemoryJournal()
    for line in path.read_bytes().splitlines(keepends=True):
        if line.endswith(b"\n"):
            seq, body, sealed = msgspec.json.decode(line, type=tuple[int, str, str])
            journal.append([Sealed(seq, body.encode("utf-8"), sealed)])
    return journal


def main(folder: Path, *words: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if words:
        name, player, turns = words
        wars.fought(name, player, int(turns), WrittenJournal(folder / f"{name}-{player}{SUFFIX}"))
        return
    for path in sorted(folder.glob(f"*{SUFFIX}")):
        print(f"{path.stem}\n{reckon(read(path)).report()}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
