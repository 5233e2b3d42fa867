"""What one damaged input may take: so much of the processor, so much memory, and then it is a hang."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SECONDS = 5
"""Of the processor, so that a busy machine changes nothing; the dearest sound input takes a tenth of it."""
MEMORY = 512 << 20
"""Bytes more than before."""


class TooDear(Exception):
    """An input took more than any may."""


@contextmanager
def bounded() -> Iterator[None]:
    """Inside, more than that of the processor is TooDear, and more memory a MemoryError; where the system can tell."""
    if not hasattr(signal, "setitimer") or not Path("/proc/self/statm").exists():
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    handler = signal.signal(signal.SIGPROF, _too_dear)
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, before[1]))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)
        resource.setrlimit(resource.RLIMIT_AS, before)


def _too_dear(_signal: int, _frame: FrameType | None) -> None:
    raise TooDear(f"it took {SECONDS} s of the processor")
