"""The checklist: what is due, what may be done, what will lapse, each with its clause and a ready command."""

from collections.abc import Iterator
from operator import itemgetter

from msgspec import Struct

from forcepool.engine.answers import watched
from forcepool.engine.command import Command
from forcepool.engine.facts import Facts
from forcepool.engine.game import Agenda
from forcepool.engine.sentence import plain
from forcepool.engine.state import State
from forcepool.engine.world import World
from forcepool.rulebook import citations

DUE = "due"
OPEN = "open"
LAPSES = "lapses"
NEWS = "news"
ORDER = (DUE, LAPSES, OPEN, NEWS)
Key = tuple[int, str, str, int, str]


class Item(Struct, frozen=True):
    """One line of the checklist."""

    kind: str
    sentence: str
    """What it says, made of parts; `text` is the same in plain letters."""
    clause: str = ""
    side: str = ""
    command: Command | None = None
    when: int = 0
    """The turn it tells of, where lines of one clause go by turns."""

    @property
    def text(self) -> str:
        return plain(self.sentence)


def agenda(world: World, state: State, *, side: str = "") -> list[Item]:
    """Everything on the list now, the most pressing first, the same order every time."""
    facts = world.facts(watched(world, state))
    return [item for item in facts.ask(_everything) if side in ("", item.side) or not item.side]


def looked_over(world: World, state: State) -> Iterator[None]:
    """Work out one part of the list after the other: the first look at a phase takes long, and others may want to be
    let in between. Whoever has gone through all of it finds the list ready."""
    for part in world.game.agenda:
        world.facts(watched(world, state)).ask(_section, part)
        yield


def duties(world: World, state: State) -> list[Item]:
    """What is due now, in the same order: few parts of the checklist can tell that, and only they are asked."""
    facts = world.facts(watched(world, state))
    return [item for item in facts.ask(_all_that_is_due) if item.kind == DUE]


def chances(world: World, state: State) -> list[Item]:
    """What may be done now, or is lost if nobody does, with an order ready, of the parts that can tell what is due."""
    facts = world.facts(watched(world, state))
    return [item for item in facts.ask(_all_that_is_due) if item.kind in (LAPSES, OPEN) and item.command is not None]


def _all_that_is_due(world: World, facts: Facts) -> tuple[Item, ...]:
    keyed = (pair for part in world.game.due for pair in facts.ask(_section, part))
    return tuple(item for _, item in sorted(keyed, key=itemgetter(0)))


def _everything(world: World, facts: Facts) -> tuple[Item, ...]:
    keyed = (pair for part in world.game.agenda for pair in facts.ask(_section, part))
    return tuple(item for _, item in sorted(keyed, key=itemgetter(0)))


def _section(world: World, facts: Facts, part: Agenda) -> tuple[tuple[Key, Item], ...]:
    """The items of one part, each with what it is sorted by: few parts change with an order."""
    items = list(part(world, facts.state))
    if citations.observer is not None and part not in world.game.due and any(item.kind == DUE for item in items):
        raise TypeError(f"{part.__module__} lists under 'agenda' what is due; it belongs under 'due'")
    return tuple(((ORDER.index(item.kind), item.side, item.clause, item.when, item.text), item) for item in items)
