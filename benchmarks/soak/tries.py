"""Every deed with every fault at every call, and a look at what each leaves."""

import errno
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.soak.deeds import Deed, look, try_again
from benchmarks.soak.ground import Ground
from benchmarks.soak.shim import KILL, NO_FAULT, Fault, Shim
from benchmarks.soak.shots import Told, try_it
from msgspec import Struct, field

LOCKS = 10
"""Of the locks only every tenth is refused: SQLite tries each again for ten seconds."""


class Counts(Struct):
    """What was tried, and what was found."""

    kills: Counter[str] = field(default_factory=Counter)
    """By who was killed and when."""
    faults: Counter[str] = field(default_factory=Counter)
    """By what went wrong, and at which call."""
    refused: int = 0
    passed_over: int = 0
    """Faults that something was done in spite of: a snapshot was not kept, a log not merged."""
    acknowledged: int = 0
    """Entries that were said to be recorded before a kill at any instant, and were looked for afterwards."""
    lost: list[str] = field(default_factory=list)


def plan(calls: Iterable[str], faults: Iterable[Fault]) -> Iterator[Fault]:
    """Each fault at each call that it can happen at."""
    faults, locks = tuple(faults), 0
    for number, kind in enumerate(calls, 1):
        locks += kind == "lock"
        for fault in faults:
            if fault.fits(kind) and (kind != "lock" or fault.what == KILL or locks % LOCKS == 0):
                yield fault.at_call(number)


def calls_of(shim: Shim, ground: Ground, at: Path, deed: Deed) -> tuple[str, ...]:
    """The file calls of a deed that nothing comes in the way of."""
    told = try_it(lambda: deed.do(at), ground.laid_out(at), shim, NO_FAULT)
    assert told.code == 0, (deed.name, told.complained)
    return told.calls


def try_fault(shim: Shim, ground: Ground, at: Path, deed: Deed, fault: Fault, counts: Counts) -> None:
    """One deed with one fault."""
    folder = ground.laid_out(at)
    told = try_it(lambda: deed.do(folder), folder, shim, fault)
    if not shim.fired:
        return
    kind = told.calls[fault.at - 1]
    if fault.what == KILL:
        counts.kills["a program, at every call that changes a file"] += 1
    else:
        counts.faults[f"{fault.name}: {kind}"] += 1
        counts.refused += bool(told.code)
        counts.passed_over += told.code == 0
    where = f"{deed.name} ({ground.folder.name}), {fault.name} at call {fault.at}, a {kind}"
    counts.lost += [f"{where}: {what}" for what in _found(folder, deed, told, ground, fault, kind)]


def _found(folder: Path, deed: Deed, told: Told, ground: Ground, fault: Fault, kind: str) -> Iterator[str]:
    dead = fault.lasting or kind in ("unlink", "close")
    try:
        yield from look(folder, deed, told, ground, full=fault.what == errno.ENOSPC, dead=dead)
        if deed.makes and told.killed:
            yield from try_again(folder, deed)
    except Exception as error:
        # Whatever it is: here it is a finding, and the next one is tried.
        yield f"{type(error).__name__}: {error}"
