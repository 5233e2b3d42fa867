"""The checklist: what is due, what may be done, what will lapse, each with its clause and a ready command."""

from msgspec import Struct

from forcepool.engine.answers import watched
from forcepool.engine.command import Command
from forcepool.engine.facts import Facts
from forcepool.engine.sentence import plain
from forcepool.engine.state import State
from forcepool.engine.world import Agenda, World

DUE = "due"
OPEN = "open"
LAPSES = "lapses"
NEWS = "news"
ORDER = (DUE, LAPSES, OPEN, NEWS)


class Item(Struct, frozen=True):
    """One line of the checklist."""

    kind: str
    sentence: str
    """What it says, made of parts; `text` is the same in plain letters."""
    clause: str = ""
    side: str = ""
    command: Command | None = None

    @property
    def text(self) -> str:
        return plain(self.sentence)


def agenda(world: World, state: State, *, side: str = "") -> list[Item]:
    """Everything on the list now, the most pressing first, the same order every time."""
    facts = world.facts(watched(world, state))
    return [item for item in facts.ask(_everything) if side in ("", item.side) or not item.side]


def _everything(world: World, facts: Facts) -> tuple[Item, ...]:
    items = (item for part in world.game.agenda for item in facts.ask(_section, part))
    return tuple(sorted(items, key=lambda item: (ORDER.index(item.kind), item.side, item.clause, item.text)))


def _section(world: World, facts: Facts, part: Agenda) -> tuple[Item, ...]:
    return tuple(part(world, facts.state))
