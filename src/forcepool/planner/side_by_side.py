"""The same work for one number after another, on several cores where that can be had; its results come in order."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
MOST = 8

_work: Callable[[int], Any]


def in_order(work: Callable[[int], T], numbers: Sequence[int], workers: int = 0) -> Iterator[T]:
    """What comes of each number. A worker is a copy of this process, so nothing has to be handed over but results."""
    count = min(workers or os.cpu_count() or 1, MOST, len(numbers))
    if count < 2 or not _can_copy():
        yield from map(work, numbers)
        return
    context = multiprocessing.get_context("fork")
    with context.Pool(count, _begin, (work,)) as pool:
        yield from pool.imap(_done, numbers)


def _can_copy() -> bool:
    """Only where a process can be copied as it stands: elsewhere, or with threads in it, one core does the work."""
    return sys.platform == "linux" and threading.active_count() == 1


def _begin(work: Callable[[int], Any]) -> None:
    global _work
    _work = work
    # Whoever interrupts means the process that was copied, which ends its copies.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _done(number: int) -> Any:
    return _work(number)
