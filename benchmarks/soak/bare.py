"""Without the shim: a disk that really is too small, and a limit on the size of files, which any system has."""

import os
import resource
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.soak.deeds import DEEDS, Deed, look
from benchmarks.soak.ground import Ground
from benchmarks.soak.shots import Told, try_it
from benchmarks.soak.tries import Counts

PAGE = 4096


Try = Callable[[], None]


def with_limits(ground: Ground, at: Path, share: float, counts: Counts) -> Iterator[Try]:
    """Each deed with files that may grow so far and no further."""
    largest = sum(path.stat().st_size for path in ground.folder.iterdir())
    for deed in DEEDS:
        for limit in _steps(largest, share):
            yield partial(_with_limit, ground, at, counts, deed, limit)


def _with_limit(ground: Ground, at: Path, counts: Counts, deed: Deed, limit: int) -> None:
    folder = ground.laid_out(at)
    told = try_it(partial(_limited, deed, folder, limit), folder)
    counts.faults["a file may grow no further"] += 1
    _note(counts, told, f"{deed.name}, files of {limit} bytes at most", _looked(folder, deed, told, ground))


def _looked(folder: Path, deed: Deed, told: Told, ground: Ground) -> Iterator[str]:
    try:
        yield from look(folder, deed, told, ground, full=False, dead=True)
    except Exception as error:
        yield f"{type(error).__name__}: {error}"


def _steps(largest: int, share: float) -> range:
    return range(PAGE, largest, max(PAGE, int(PAGE / max(share, 0.001)) // PAGE * PAGE))


def _limited(deed: Deed, folder: Path, limit: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        deed.do(folder)
    finally:
        # What is said of it goes into a file as well.
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def on_small_disks(ground: Ground, at: Path, share: float, counts: Counts) -> Iterator[Try]:
    """Each deed on a disk with so much room and no more; nothing where this machine lets us mount none."""
    at.mkdir(parents=True, exist_ok=True)
    if not _mounted(at, 1 << 22):
        return
    _unmount(at)
    for deed in DEEDS:
        for room in _steps(64 * PAGE, share):
            yield partial(_on_small_disk, ground, at, counts, deed, room)


def _on_small_disk(ground: Ground, at: Path, counts: Counts, deed: Deed, room: int) -> None:
    used = sum(-(-path.stat().st_size // PAGE) * PAGE for path in ground.folder.iterdir()) + PAGE
    assert _mounted(at, used + room)
    try:
        shutil.copytree(ground.folder, at, dirs_exist_ok=True)
        told = try_it(partial(deed.do, at), at)
        counts.faults["a disk that really is full"] += 1
        # Room again, as someone makes it who reads the message.
        subprocess.run(["mount", "-o", "remount,size=64m", str(at)], check=True)
        _note(counts, told, f"{deed.name}, a disk with {room} bytes left", list(_looked(at, deed, told, ground)))
    finally:
        _unmount(at)


def _mounted(at: Path, size: int) -> bool:
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(at)], capture_output=True, check=False
    )
    return done.returncode == 0


def _unmount(at: Path) -> None:
    subprocess.run(["umount", str(at)], check=True)


def _note(counts: Counts, told: Told, where: str, found: Iterable[str]) -> None:
    counts.refused += bool(told.code)
    counts.passed_over += told.code == 0
    counts.lost += [f"{where}: {what}" for what in found]


def may_mount() -> bool:
    return os.geteuid() == 0 and shutil.which("mount") is not None
