"""An order of battle from one turn's point of view."""

from collections.abc import Callable

from forcepool.engine.calendar import Turn
from forcepool.orderofbattle.model import Entry, OrderOfBattle
from forcepool.orderofbattle.words import VERBS

DUE = "due"
OPEN = "open since earlier"
WAITING = "waiting for a condition"


def on_turn(ob: OrderOfBattle, turn: Turn, *, nation: str = "") -> dict[str, list[Entry]]:
    """What falls due on a turn, what may be done since earlier turns, and what waits for a condition alone."""
    entries = [entry for entry in ob.entries if not nation or entry.nation.casefold() == nation.casefold()]

    def listed(fits: Callable[[Entry, Turn | None], bool]) -> list[Entry]:
        return [entry for entry in entries if fits(entry, ob.turn_of(entry))]

    return {
        DUE: listed(lambda entry, at: at == turn),
        OPEN: listed(lambda entry, at: at is not None and at < turn and _optional(entry)),
        WAITING: listed(lambda entry, at: at is None and bool(entry.conditions)),
    }


def _optional(entry: Entry) -> bool:
    return entry.verb in VERBS and VERBS[entry.verb].optional
