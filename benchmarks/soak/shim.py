"""The C shim that stands between a program and its files: compiled where there is a compiler, and steered from here."""

import ctypes
import errno
import mmap
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).with_name("shim.c")
KINDS = (
    "open",
    "create",
    "read",
    "write",
    "sync",
    "truncate",
    "rename",
    "link",
    "unlink",
    "map",
    "stat",
    "lock",
    "close",
    "mkdir",
)
CHANGES = frozenset(("create", "write", "sync", "truncate", "rename", "link", "unlink", "map", "mkdir"))
"""Calls after which the disk is another: only before one of these a kill finds something new."""
NEEDS_ROOM = frozenset(("create", "write", "sync", "truncate", "rename", "link", "mkdir"))
"""Calls that a full disk refuses."""
KILL = -1
MOST_CALLS = 8192


class Control(ctypes.Structure):
    """What the shim is told and what it tells, shared with every process that is forked from this one."""

    _fields_ = (
        ("folder", ctypes.c_char * 1024),
        ("armed", ctypes.c_int),
        ("count", ctypes.c_int),
        ("at", ctypes.c_int),
        ("what", ctypes.c_int),
        ("lasting", ctypes.c_int),
        ("half", ctypes.c_int),
        ("fired", ctypes.c_int),
        ("kinds", ctypes.c_ubyte * MOST_CALLS),
    )


def _bits(kinds: frozenset[str]) -> int:
    return sum(1 << number for number, kind in enumerate(KINDS) if kind in kinds)


class Fault:
    """One thing that goes wrong: at which call, what, and whether it stays so."""

    def __init__(self, what: int, at: int = 0, *, lasting: bool = False, half: bool = False) -> None:
        self.what, self.at, self.lasting, self.half = what, at, lasting, half

    @property
    def name(self) -> str:
        name = "kill" if self.what == KILL else errno.errorcode[self.what]
        return name + (" half a write" if self.half else "") + (" from then on" if self.lasting else "")

    def fits(self, kind: str) -> bool:
        """Whether this can happen at such a call."""
        if self.half:
            return kind == "write"
        if self.lasting:
            # From another call on it is the same as from the next of these.
            return kind in (NEEDS_ROOM if self.what == errno.ENOSPC else CHANGES)
        if self.what == KILL:
            return kind in (NEEDS_ROOM if self.what == errno.ENOSPC else CHANGES)
        return kind in NEEDS_ROOM if self.what == errno.ENOSPC else True

    def at_call(self, at: int) -> "Fault":
        return Fault(self.what, at, lasting=self.lasting, half=self.half)


NO_FAULT = Fault(0)
FAULTS = (
    Fault(KILL),
    Fault(KILL, half=True),
    Fault(errno.ENOSPC),
    Fault(errno.ENOSPC, lasting=True),
    Fault(errno.ENOSPC, lasting=True, half=True),
    Fault(errno.EIO),
    Fault(errno.EIO, lasting=True),
)


class Shim:
    """The shim as it stands in this process and its children."""

    def __init__(self) -> None:
        self._shared = mmap.mmap(-1, ctypes.sizeof(Control))
        self.control = Control.from_buffer(self._shared)
        begin = ctypes.CDLL(None).soak_begin
        begin.argtypes = (ctypes.c_void_p,)
        begin(ctypes.addressof(self.control))

    def arm(self, folder: Path, fault: Fault) -> None:
        """From now on the calls that touch the folder are counted, and one of them goes wrong."""
        it = self.control
        it.armed = 0
        it.folder = os.fsencode(folder)
        it.count, it.fired, it.at, it.what = 0, 0, fault.at, fault.what
        it.lasting = 0 if not fault.lasting else _bits(NEEDS_ROOM if fault.what == errno.ENOSPC else frozenset(KINDS))
        it.half = int(fault.half)
        it.armed = 1

    def disarm(self) -> None:
        self.control.armed = 0

    @property
    def fired(self) -> bool:
        return bool(self.control.fired)

    def calls(self) -> list[str]:
        """The kinds of the calls since the shim was armed."""
        return [KINDS[kind] for kind in self.control.kinds[1 : min(self.control.count + 1, MOST_CALLS)]]


def compiled(folder: Path) -> Path | None:
    """The shim, if this machine can make it and load it."""
    compiler = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    target = folder / "shim.so"
    made = subprocess.run(
        [compiler, "-O1", "-shared", "-fPIC", "-o", target, SOURCE, "-ldl"], capture_output=True, check=False
    )
    return target if made.returncode == 0 else None
