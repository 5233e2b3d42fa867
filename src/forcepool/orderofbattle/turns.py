"""An order of battle from one turn's point of view."""

from collections.abc import Callable

from forcepool.engine.calendar import Turn
from forcepool.orderofbattle.model import Entry, OrderOfBattle
from forcepool.orderofbattle.words import VERBS

DUE = "due"
LINKED = "linked"
OPEN = "open"
WAITING = "waiting"


def on_turn(ob: OrderOfBattle, turn: Turn, *, nation: str = "") -> dict[str, list[Entry]]:
    """What falls due on a turn, by its own line or an earlier one, what is open since earlier, and what waits."""
    entries = [entry for entry in ob.entries if not nation or entry.nation.casefold() == nation.casefold()]
    name = ob.calendar.name(turn)
    due = [entry for entry in entries if entry.turn == name]

    def listed(fits: Callable[[Entry, Turn | None], bool]) -> list[Entry]:
        return [entry for entry in entries if fits(entry, ob.turn_of(entry))]

    return {
        DUE: due,
        LINKED: [entry for entry in entries if _comes_due(entry, name, due)],
        OPEN: listed(lambda entry, at: at is not None and at < turn and _optional(entry)),
        WAITING: listed(lambda entry, at: at is None and bool(entry.conditions)),
    }


def _comes_due(entry: Entry, turn: str, due: list[Entry]) -> bool:
    """Whether a line names this turn for its second step, and no line of this turn says so as well."""
    steps = {link.kind for link in entry.links if link.turn == turn}
    return any(not any(step == other.verb and entry.items == other.items for other in due) for step in steps)


def _optional(entry: Entry) -> bool:
    return entry.verb in VERBS and VERBS[entry.verb].optional
