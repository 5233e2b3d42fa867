"""What an entry is about: the units, pools and clauses that its events name."""

from typing import Any

import msgspec
from msgspec import Struct

UNIT, POOL, CLAUSE = "unit/", "pool/", "clause/"
MARKED = (UNIT, "place/")
"""Things whose markers one asks about by name."""
SEED = "seed"
"""The subject of entries that promise or tell a secret for the dice."""
MESSAGE = "message"
"""The subject of entries in which a seat writes to others."""


class _Event(Struct, gc=False):
    because: str = ""
    unit: str = ""
    on: str = ""
    frm: Any = None
    to: Any = None
    clauses: list[str] = []


class _Entry(Struct, gc=False):
    """As much of an entry as its subjects need: several times faster to read than the whole."""

    allowed: list[str] = []
    events: list[_Event] = []
    seed: str = ""
    promises: dict[str, str] = {}
    told: dict[str, str] = {}
    message: Any = None


_decoder = msgspec.json.Decoder(_Entry)


def subjects(body: bytes) -> set[str]:
    """'unit/24 Inf XX', 'pool/front/centre', 'clause/52.A.9.d/2': all that an entry's events concern."""
    try:
        entry = _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return set()
    found = {CLAUSE + clause for clause in entry.allowed}
    if entry.seed or entry.promises or entry.told:
        found.add(SEED)
    if entry.message is not None:
        found.add(MESSAGE)
    for event in entry.events:
        if event.unit:
            found.add(UNIT + event.unit)
        elif isinstance(event.frm, str) and isinstance(event.to, str):
            found.add(POOL + event.frm)
            found.add(POOL + event.to)
        elif event.on.startswith(MARKED):
            found.add(event.on)
        for clause in event.because.split():
            found.add(CLAUSE + clause)
        for clause in event.clauses:
            found.add(CLAUSE + clause)
    return found
