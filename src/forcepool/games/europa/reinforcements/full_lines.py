"""51.B.7/1 and /6  Which line of the order of battle makes which forming unit full."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.state import State
from forcepool.engine.units import UnitSpec
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.book import book
from forcepool.games.europa.world import EuropaWorld
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed

FULL, FORMING = "full", "forming"
BEFORE_ALL = -1


class Slot(Struct, eq=False):
    """One unit that an entry lists, and the line that makes it full."""

    entry: Entry
    turn: int
    spec: UnitSpec
    number: str
    full: Entry | None = None


def full_turn(world: EuropaWorld, state: State, entry: Entry, unit: str = "", place: int = 0) -> int:
    """The turn the order of battle makes a unit of an entry full; 0 if it never says."""
    if said := _turn_said(world, entry):
        return said
    line = full_entry(world, state, entry, unit, place)
    turn = entries.turn_of(world, line) if line else None
    return turn or 0


def _turn_said(world: EuropaWorld, entry: Entry) -> int:
    """The turn that a forming line itself gives; 0 if it leaves that to another line."""
    turns = (entries.turn_named(world, link.turn) for link in entry.links if link.kind == FULL and link.turn)
    return next(turns, 0)


@computed("51.B.7/1")
def full_entry(world: EuropaWorld, state: State, entry: Entry, unit: str = "", place: int = 0) -> Entry | None:
    """The later line that lists as full what an entry lists as forming, by the unit's number, else its place."""
    own = _paired(world, state, entry.nation).get(entry.key, [])
    named = [slot for slot in own if slot.number and unit.startswith(f"{slot.number} ")]
    slot = named[0] if named else own[min(place, len(own) - 1)] if own else None
    return slot.full if slot else None


def not_yet_full(world: EuropaWorld, state: State, entry: Entry) -> Entry | None:
    """An entry without the units that are full by now; None if none is left."""
    items: list[Item] = []
    place = 0
    for item in (each for each in entry.items if each.spec):
        left = []
        for number in range(item.count):
            name = item.designations[number] if number < len(item.designations) else ""
            turn = full_turn(world, state, entry, f"{name} " if name else "", place)
            if not turn or not entries.is_past(world, state, entry, turn):
                left.append(name)
            place += 1
        if left:
            items.append(replace(item, count=len(left), designations=tuple(filter(None, left))))
    return replace(entry, items=tuple(items)) if items else None


def turns_to_come(world: EuropaWorld, state: State, entry: Entry) -> list[int]:
    """The later turns on which units of an entry are full, one for each unit; 0 for one that no line makes full."""
    turns = (full_turn(world, state, entry, "", place) for place in range(entries.needed(entry)))
    return [turn for turn in turns if not turn or not entries.is_past(world, state, entry, turn)]


def line_of_turn(world: EuropaWorld, state: State, entry: Entry, unit: str, turn: int) -> Entry | None:
    """The line that makes a unit full on a turn: its own, or of units without a number the one for that turn."""
    lines = (full_entry(world, state, entry, unit, place) for place in range(entries.needed(entry)))
    return next((line for line in lines if line is not None and entries.turn_of(world, line) == turn), None)


def still_says(world: EuropaWorld, state: State, entry: Entry, unit: str, turn: int) -> bool:
    """Whether the order of battle makes a unit full on a turn, now as before."""
    return _turn_said(world, entry) == turn or line_of_turn(world, state, entry, unit, turn) is not None


def turns_left(world: EuropaWorld, state: State, entry: Entry) -> list[int]:
    """The turns on which units of an entry are full, one for each line that has not had its unit yet."""
    places = range(entries.needed(entry))
    if said := _turn_said(world, entry):
        return [said for _ in places]
    turns: list[int] = []
    had: dict[str, int] = {}
    for line in (full_entry(world, state, entry, "", place) for place in places):
        if line is None:
            continue
        had[line.key] = had.get(line.key, entries.done(state, line)) - 1
        if had[line.key] < 0:
            turns.append(entries.turn_of(world, line) or 0)
    return turns


def _paired(world: EuropaWorld, state: State, nation: str) -> dict[str, list[Slot]]:
    """A nation's forming units with their lines, by entry; the same as long as the book is."""
    now = book(world, state)
    if nation not in now.forming:
        found: dict[str, list[Slot]] = {}
        for slot in _pair(world, [each for each in now.entries if each.nation == nation]):
            found.setdefault(slot.entry.key, []).append(slot)
        now.forming[nation] = found
    paired: dict[str, list[Slot]] = now.forming[nation]
    return paired


def _pair(world: EuropaWorld, listed: list[Entry]) -> list[Slot]:
    """Lines with a unit's own number first, then in order of turns."""
    begin = _slots(world, listed, _forming)
    free = _slots(world, listed, lambda each: each.items if each.verb == FULL else ())
    for by_number in (True, False):
        left = []
        for line in free:
            fits = (slot for slot in begin if slot.full is None and _makes_full(world, line, slot))
            found = next((slot for slot in fits if not by_number or slot.number == line.number != ""), None)
            if found is None:
                left.append(line)
            else:
                found.full = line.entry
        free = left
    return begin


def _forming(entry: Entry) -> Iterable[Item]:
    if entry.verb == FORMING:
        return entry.items
    return (item for item in entry.results if item.state == FORMING)


def _slots(world: EuropaWorld, listed: Iterable[Entry], items: Callable[[Entry], Iterable[Item]]) -> list[Slot]:
    def each_unit() -> Iterator[Slot]:
        for entry in listed:
            turn = entries.turn_of(world, entry)
            for item, spec in ((each, each.spec) for each in items(entry) if each.spec):
                for number in range(item.count):
                    name = item.designations[number] if number < len(item.designations) else ""
                    yield Slot(entry, BEFORE_ALL if turn is None else turn, spec, name)

    return sorted(each_unit(), key=lambda slot: slot.turn)


def _makes_full(world: EuropaWorld, line: Slot, slot: Slot) -> bool:
    later = line.turn > slot.turn and _turn_said(world, slot.entry) in (0, line.turn)
    return later and line.spec.full == slot.spec.full and entries.same_kind(line.spec, slot.spec)
