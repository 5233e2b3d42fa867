"""One try: a process forked off, something done in it, and perhaps cut short on the way."""

import os
import resource
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from benchmarks.soak.shim import NO_FAULT, Fault, Shim
from msgspec import Struct

LONGEST = 60
"""Seconds of the processor after which something that was begun is held to hang."""


class Told(Struct, frozen=True):
    """What one heard of it: how it ended, and what was said until then."""

    code: int | None
    """None when it was killed."""
    said: str
    complained: str
    calls: tuple[str, ...] = ()

    @property
    def killed(self) -> bool:
        return self.code is None


def try_it(do: Callable[[], object], folder: Path, shim: Shim | None = None, fault: Fault = NO_FAULT) -> Told:
    """Do something in a process of its own, with a fault on the way."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            _child(do, out.fileno(), err.fileno(), folder, shim, fault)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        out.seek(0)
        err.seek(0)
        calls: tuple[str, ...] = ()
        if shim is not None:
            shim.disarm()
            calls = tuple(shim.calls())
        return Told(
            None if killed else os.waitstatus_to_exitcode(status),
            out.read().decode(errors="replace"),
            err.read().decode(errors="replace"),
            calls,
        )


def _child(do: Callable[[], object], out: int, err: int, folder: Path, shim: Shim | None, fault: Fault) -> None:
    code = 70
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (LONGEST, LONGEST))
        os.dup2(out, 1)
        os.dup2(err, 2)
        sys.stdout, sys.stderr = open(1, "w", closefd=False), open(2, "w", closefd=False)  # noqa: SIM115
        if shim is not None:
            shim.arm(folder, fault)
        do()
        code = 0
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 1 if left.code else 0
    except BaseException:
        traceback.print_exc()
    finally:
        if shim is not None:
            shim.disarm()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
