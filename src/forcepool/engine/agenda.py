"""The checklist: what is due, what may be done, what will lapse, each with its clause and a ready command."""

from msgspec import Struct

from forcepool.engine.command import Command
from forcepool.engine.facts import Facts, kept
from forcepool.engine.state import State
from forcepool.engine.world import World

DUE = "due"
OPEN = "open"
LAPSES = "lapses"
NEWS = "news"
ORDER = (DUE, LAPSES, OPEN, NEWS)


class Item(Struct, frozen=True):
    """One line of the checklist."""

    kind: str
    text: str
    clause: str = ""
    side: str = ""
    command: Command | None = None


def agenda(world: World, state: State, *, side: str = "") -> list[Item]:
    """Everything on the list now, the most pressing first, the same order every time."""
    return [item for item in _everything(world, world.facts(state)) if side in ("", item.side) or not item.side]


@kept
def _everything(world: World, facts: Facts) -> tuple[Item, ...]:
    items = (item for part in world.game.agenda for item in part(world, facts.state))
    return tuple(sorted(items, key=lambda item: (ORDER.index(item.kind), item.side, item.clause, item.text)))
