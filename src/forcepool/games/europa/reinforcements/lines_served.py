"""51.A/1  An entry that lists several kinds of unit: which of its lines still call for one."""

from collections.abc import Iterator

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import WORDS, Fact, subject_key
from forcepool.engine.state import State
from forcepool.games.europa.chapter import Chapter
from forcepool.orderofbattle.model import Entry, Item

SERVED = "lines_served"

OF_ANY_NUMBER = ("withdraw", "transfer", "sequester", "remove from replacement pool", "replace")
"""Verbs that take units out of play or the pool, of which a line may leave the number to its owner."""


def lines_left(state: State, entry: Entry) -> tuple[Item, ...]:
    """The lines that have not had all their units yet; an entry of one line is simply counted."""
    if len(entry.items) == 1:
        return entry.items
    had = _had(state, entry)
    return tuple(
        item for number, item in enumerate(entry.items) if item.how_many == "any" or had.count(str(number)) < item.count
    )


def still_called_for(state: State, entry: Entry, done: int) -> list[Item]:
    """The lines that units are still wanted for, each as often as one is; `done` units came of the entry before."""
    if len(entry.items) == 1:
        return [item for item in entry.items if item.spec for _ in range(item.count - done)]
    had = _had(state, entry)
    wanted = ((item, item.count - had.count(str(number))) for number, item in enumerate(entry.items) if item.spec)
    return [item for item, count in wanted for _ in range(count)]


def served(state: State, entry: Entry, *items: Item | None) -> Iterator[Event]:
    """Notes which lines of several units were taken for."""
    numbers = [str(number) for item in items for number, each in enumerate(entry.items) if each is item]
    if numbers and len(entry.items) > 1:
        yield Marked(on=_on(entry), mark=SERVED, value=[*_had(state, entry), *numbers])


def _had(state: State, entry: Entry) -> list[str]:
    mark = state.mark(_on(entry), SERVED)
    return mark.value if mark and isinstance(mark.value, list) else []


def _on(entry: Entry) -> str:
    return subject_key("entry", entry.key)


def leaves_the_number(entry: Entry) -> bool:
    """Whether a line says `any` or `up to` of units that are taken out of play or the pool."""
    units = [item for item in entry.items if item.spec is not None]
    return entry.verb in OF_ANY_NUMBER and bool(units) and all(item.how_many for item in units)


CHAPTER = Chapter(
    heading="51.A",
    facts=(Fact(SERVED, ("entry",), "the lines of it that had their units", [], WORDS, by_hand=False),),
)
