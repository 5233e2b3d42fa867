"""51/2  The order of battle as it stands: what the scenario lists, and what was added or taken out in play."""

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import count
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.events import Event, Marked
from forcepool.engine.facts import fixed, subject_key
from forcepool.engine.state import State
from forcepool.games.europa.reinforcements.named_boxes import SOUTHERN_FRANCE, box_named
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry, PlaceSpec
from forcepool.orderofbattle.words import spelt_one_way
from forcepool.rulebook.citations import computed

OB = "ob"
"""The chart that holds the entries."""
LINES_ADDED, TAKEN_OUT = "ob_added", "ob_taken_out"
"""What was changed in play stands on the nation, so that only its own side sees it: texts, and keys."""

SECOND_STEPS = {("withdraw", "return"): "return", ("sequester", "withdraw"): "withdraw"}
"""By verb and what the line gives the turn of: what is done then."""

Changes = tuple[tuple[str, tuple[str, ...]], ...]


class Book(Struct, frozen=True, eq=False):
    """Every entry, in order and by its key; as long as nobody changes the order of battle it is the same book."""

    entries: tuple[Entry, ...]
    by_key: dict[str, Entry]
    forming: dict[str, Any] = {}
    """By nation, what forms with the line that says when it is full, once somebody has asked (`full_lines`)."""


LATELY = 4
"""Books that are kept: whoever writes at an order of battle has it tried at every letter."""


def book(world: EuropaWorld, state: State) -> Book:
    """The order of battle at this moment."""
    marked = state.marked
    added = _changes(state, LINES_ADDED) if LINES_ADDED in marked else ()
    gone = _changes(state, TAKEN_OUT) if TAKEN_OUT in marked else ()
    return _shelf(world)(added, gone)


@fixed
def _shelf(world: EuropaWorld) -> Callable[[Changes, Changes], Book]:
    """The books that were asked for lately, by what was added and taken out."""
    return lru_cache(maxsize=LATELY)(partial(_put_together, world))


def _changes(state: State, mark: str) -> Changes:
    return tuple((on, tuple(_words(state, on, mark))) for on in sorted(state.marked[mark]))


def _words(state: State, on: str, mark: str) -> list[str]:
    found = state.mark(on, mark)
    return found.value if found and isinstance(found.value, list) else []


def changed(state: State, nation: str, mark: str, word: str, *, because: str, says: str) -> Event:
    """The event that adds a text, or takes out an entry, behind those of before."""
    on = subject_key("nation", nation)
    return Marked(on=on, mark=mark, value=[*_words(state, on, mark), word], because=because, says=says)


def _put_together(world: EuropaWorld, added: Changes, gone: Changes) -> Book:
    entries: list[Entry] = list(world.chart(OB))
    taken = {entry.key for entry in entries}
    calendar = world.calendar
    for _, texts in added:
        for text in texts:
            entries += _numbered(_read(text, calendar.turns_per_month, calendar.roman), taken)
    out = {key for _, keys in gone for key in keys}
    printed = [entry for entry in entries if entry.key not in out]
    left = tuple(entry for entry in (*printed, *second_steps(printed)) if entry.key not in out)
    return Book(left, {entry.key: entry for entry in left})


@computed("51.B.16/1", "51.E.3.g/3")
def second_steps(entries: list[Entry]) -> Iterator[Entry]:
    """The returns and final withdrawals that a line only gives the turn of, where no line of that turn lists them."""
    listed = {(each.verb, each.nation, each.turn, kind) for each in entries for kind in _kinds(each)}
    for entry in entries:
        for link in entry.links:
            step = SECOND_STEPS.get((entry.verb, link.kind))
            if (
                step
                and link.turn
                and not any((step, entry.nation, link.turn, kind) in listed for kind in _kinds(entry))
            ):
                yield _second_step(entry, step, link.turn)


def _kinds(entry: Entry) -> Iterator[tuple[str, str]]:
    return ((spelt_one_way(item.spec.type), item.spec.size) for item in entry.items if item.spec)


def _second_step(entry: Entry, verb: str, turn: str) -> Entry:
    away = SOUTHERN_FRANCE if verb == "withdraw" else box_named(entry.place)
    source = PlaceSpec("box", (away,)) if away else None
    step = replace(
        entry,
        key=f"{entry.key}-{verb}",
        verb=verb,
        turn=turn,
        links=(),
        cost={},
        rebuild={},
        conditions=(),
        comments=(),
    )
    return replace(step, source=source, place=None if away else entry.place)


@lru_cache(maxsize=64)
def _read(text: str, turns_a_month: int, roman: bool) -> tuple[Entry, ...]:
    from forcepool.orderofbattle.reading import parse  # Few campaigns change their order of battle in play.

    return parse(text, turns_a_month=turns_a_month, roman=roman).entries


def _numbered(entries: Iterable[Entry], taken: set[str]) -> Iterator[Entry]:
    """The entries under keys that go on where those before them end; one that was taken out keeps its number."""
    for entry in entries:
        start, _, number = entry.key.rpartition("-")
        key = next(key for key in (f"{start}-{each}" for each in count(int(number))) if key not in taken)
        taken.add(key)
        yield replace(entry, key=key)
