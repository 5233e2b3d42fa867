"""28.E, 28.F and 28.G  What the Air OBs order: arrivals, returns, conversions, withdrawals and transfers."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial

from msgspec import Struct
from msgspec.structs import replace

from forcepool.engine.command import BadCommand
from forcepool.engine.events import Event, Marked, Raised
from forcepool.engine.facts import fixed, unit_key
from forcepool.engine.places import HEX, TRACK, Place
from forcepool.engine.sentence import Told
from forcepool.engine.state import State, Unit
from forcepool.engine.units import UnitSpec
from forcepool.games.europa import homes
from forcepool.games.europa.air.question import ABORTED, ANTI_SHIPPING, CAME_FROM, air_units, area_of
from forcepool.games.europa.ground.pools import REINFORCEMENT
from forcepool.games.europa.ground.tallies import air_force_of
from forcepool.games.europa.reinforcements import entries
from forcepool.games.europa.reinforcements.book import Book, book
from forcepool.games.europa.reinforcements.by_the_air_ob import is_for_rule_28
from forcepool.games.europa.reinforcements.conditions import is_said_uncontrolled
from forcepool.games.europa.reinforcements.lines_served import served, still_called_for
from forcepool.games.europa.reinforcements.listed_places import areas_of
from forcepool.games.europa.world import ELIMINATED, REINFORCEMENT_TRACK, EuropaWorld
from forcepool.orderofbattle.aircraft import codes_of, parse_aircraft, print_aircraft
from forcepool.orderofbattle.model import Entry, Item
from forcepool.rulebook.citations import computed

ARRIVE, RETURN, CONVERT, WITHDRAW, TRANSFER = "arrive", "return", "convert", "withdraw", "transfer"
DONE = "air_order_done"
ARRIVES = "air_arrives"
ORDERS = (ARRIVE, RETURN, CONVERT, WITHDRAW, TRANSFER)
CARRIED_OUT = (ARRIVE, TRANSFER)


class AirOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A line of an Air OB."""

    turn: str
    nation: str
    does: str
    """arrive, return, convert, withdraw or transfer."""
    theatre: str
    """Where; for a transfer the theatre or command the unit leaves."""
    spec: str = ""
    """The counter that arrives, or that a unit converts into: '7F8 P-51B 2-1/18'."""
    model: str = ""
    type: str = ""
    code: str = ""
    """Model, type and code of the units that may be taken; left out, any."""
    count: int = 1
    arrives: str = ""
    """aborted or anti-shipping, for arrivals that do not go to an airbase."""
    to: str = ""
    """The theatre or command that receives a transfer."""


class Listed(Struct, frozen=True):
    """A line of the Air OB, its number and its turn."""

    number: int
    order: AirOrder
    turn: int
    nation: str
    words: tuple[Entry, Item] | None = None
    """The entry and the line of it, where the order of battle in words says it."""

    @property
    def key(self) -> str:
        return f"air-ob/{self.number}"


@fixed
def lines(world: EuropaWorld) -> list[Listed]:
    """The Air OB, in its own order."""
    return [
        Listed(number, row, world.calendar.parse(row.turn).turn, world.nation_named(row.nation))
        for number, row in enumerate(world.chart("air_ob"))
    ]


@computed("28.E/1", "28.F/1", "28.G/1")
def in_words(world: EuropaWorld, state: State) -> tuple[Listed, ...]:
    """What the order of battle in words has air units do that the Air OB has them do elsewhere."""
    return _shelf(world)(book(world, state))


@fixed
def _shelf(world: EuropaWorld) -> Callable[[Book], tuple[Listed, ...]]:
    """The lines of the books that were asked for lately."""
    return lru_cache(maxsize=4)(partial(_read_off, world))


def _read_off(world: EuropaWorld, of: Book) -> tuple[Listed, ...]:
    said = [(entry, item) for entry in of.entries for item in entry.items if is_for_rule_28(world, entry, item)]
    first = len(world.chart("air_ob"))
    return tuple(_as_a_line(world, number, entry, item) for number, (entry, item) in enumerate(said, first))


def _as_a_line(world: EuropaWorld, number: int, entry: Entry, item: Item) -> Listed:
    assert item.spec is not None
    places = (entry.source, entry.section, None if entry.verb == TRANSFER else entry.place)
    areas = [area for place in places for area in areas_of(world, place) if area in world.areas]
    becomes = next((print_aircraft(each.spec) for each in entry.results if each.spec), "")
    order = AirOrder(
        turn=entry.turn,
        nation=entry.nation,
        does=entry.verb,
        theatre=areas[0] if areas else "",
        spec=becomes,
        model=item.spec.designation,
        type=item.spec.type,
        code="".join(codes_of(item.spec)),
        count=item.count,
    )
    turn, nation = entries.turn_of(world, entry) or 0, entries.nationality(world, entry, item)
    return Listed(number, order, turn, nation, (entry, item))


def every_line(world: EuropaWorld, state: State) -> Iterator[Listed]:
    """The Air OB, and what the order of battle in words has air units do, while it counts."""
    yield from lines(world)
    for line in in_words(world, state):
        assert line.words is not None
        entry = line.words[0]
        if not entries.counts(world, state, entry) or not entries.takes_part(world, state, entry):
            continue
        if entry.verb == TRANSFER and entries.direction(world, state, entry) != entries.OUT:
            continue
        if line.turn > state.clock.turn or entries.has_come(world, state, entry):
            yield line


def has_lines(world: EuropaWorld, state: State) -> bool:
    """Whether anything at all is listed for air units."""
    return bool(world.chart("air_ob")) or bool(in_words(world, state))


def side_of_line(world: EuropaWorld, state: State, number: str) -> str:
    """The side of a line of the Air OB by its number."""
    found = next((line for line in lines(world) if str(line.number) == number), None)
    return world.side_now(state, found.nation) if found else ""


def left(state: State, line: Listed) -> int:
    """How many units a line still asks for."""
    if line.words is not None:
        entry, item = line.words
        wanted = still_called_for(state, entry, entries.done(state, entry))
        return sum(each is item for each in wanted)
    mark = state.mark(line.key, DONE)
    return line.order.count - (mark.value if mark and isinstance(mark.value, int) else 0)


def done_for(state: State, line: Listed, because: str) -> Iterator[Event]:
    """A unit has gone or changed by a line, which is counted where the line stands."""
    if line.words is None:
        yield carried_out(state, line, because)
        return
    entry, item = line.words
    yield entries.did(state, entry, because)
    yield from served(state, entry, item)


def carried_out(state: State, line: Listed, because: str, units: int = 1, says: str = "") -> Event:
    order = line.order
    done = order.count - left(state, line) + units
    what = " ".join(word for word in (order.does, order.model or order.type or order.spec) if word)
    says = f"{what}, {done} of {order.count} done{f': {says}' if says else ''}"
    return Marked(on=line.key, mark=DONE, value=done, because=because, says=says)


def area_named(world: EuropaWorld, name: str) -> str:
    """The theatre, command or front of a name in the OB; empty for one the scenario does not know."""
    try:
        area = world.pool_named(name)
    except Told:
        return ""
    return area if area in world.areas else ""


def theatre(world: EuropaWorld, name: str) -> str:
    """The theatre of a name in the OB; a command the scenario does not know keeps its name."""
    return world.theatre_of(area_named(world, name)) or name.casefold()


def fits(world: EuropaWorld, state: State, line: Listed, unit: Unit, *, anywhere: bool = False) -> bool:
    """Whether a unit meets a line's description, in the theatre it names."""
    order, spec = line.order, unit.spec
    return (
        line.nation in (spec.nation, air_force_of(spec))
        and order.model in ("", spec.designation)
        and order.type in ("", spec.type)
        and all(letter in codes_of(spec) for letter in order.code)
        and (
            anywhere
            or not order.theatre
            or world.theatre_of(area_of(world, world.facts(state), unit)) in ("", theatre(world, order.theatre))
        )
    )


def open_lines(world: EuropaWorld, state: State, *does: str) -> Iterator[Listed]:
    """The lines whose turn has come and that are not yet carried out."""
    for line in every_line(world, state):
        if line.order.does in does and line.turn <= state.clock.turn and left(state, line) > 0:
            yield line


def line_for(world: EuropaWorld, state: State, unit: Unit, *does: str, anywhere: bool = False) -> Listed | None:
    """The line a unit answers to: one that is due before one that is not."""
    found = [
        line
        for line in every_line(world, state)
        if line.order.does in does and left(state, line) > 0 and fits(world, state, line, unit, anywhere=anywhere)
        if line.order.does != TRANSFER or leaves(world, state, line)
    ]
    return min(found, key=lambda line: (line.turn, line.number), default=None)


# --------------------------------------------------------------------------------------------- who controls


def controls(world: EuropaWorld, state: State, side: str, name: str) -> bool:
    """Whether a side controls a theatre or command: as declared, else unless it is the enemy's."""
    area, facts = area_named(world, name), world.facts(state)
    if not area or any(is_said_uncontrolled(facts, each, side) for each in world.line_of(area)):
        return False
    held = homes.holders(world, facts, area)
    return not held or side in held


@computed("28.G/1")
def ends_controlled(world: EuropaWorld, state: State, line: Listed) -> tuple[bool, bool]:
    """Whether the owner controls the end a transfer leaves, and the end it reaches."""
    side = world.side_now(state, line.nation)
    return controls(world, state, side, line.order.theatre), controls(world, state, side, line.order.to)


def leaves(world: EuropaWorld, state: State, line: Listed) -> bool:
    """Whether a transfer is a withdrawal: the owner controls the sending end only (28.G.2/1)."""
    return line.words is not None or ends_controlled(world, state, line) == (True, False)


def is_ignored(world: EuropaWorld, state: State, line: Listed) -> bool:
    """Whether a transfer goes from one command of its owner's to another (28.G.1/1)."""
    if line.words is None:
        return ends_controlled(world, state, line) == (True, True)
    entry = line.words[0]
    return entries.direction(world, state, entry) == entries.IGNORED and entries.has_come(world, state, entry)


def ignored_transfer(world: EuropaWorld, state: State, unit: Unit) -> Listed | None:
    """The transfer that a unit answers to and that has come, where both ends of it are its owner's."""
    for line in (*lines(world), *in_words(world, state)):
        has_come = line.order.does == TRANSFER and line.turn <= state.clock.turn
        if has_come and is_ignored(world, state, line) and fits(world, state, line, unit):
            return line
    return None


# ------------------------------------------------------------------------------------------------ arrivals


def check_lines(world: EuropaWorld, state: State) -> Iterator[Event]:
    """A line of the Air OB that cannot be carried out is found when the campaign begins, not on its turn."""
    for line in lines(world):
        order, where = line.order, f"line {line.number + 1} of the air_ob"
        if order.does not in ORDERS:
            raise BadCommand(f"{where}: does is one of {', '.join(ORDERS)}, not '{order.does}'")
        if order.arrives not in ("", ABORTED, ANTI_SHIPPING):
            raise BadCommand(f"{where}: arrives is {ABORTED} or {ANTI_SHIPPING}, not '{order.arrives}'")
        receives = order.does == TRANSFER and ends_controlled(world, state, line) == (False, True)
        if order.does in (ARRIVE, CONVERT) or receives:
            counter(line)
        if order.does in (ARRIVE, RETURN, CONVERT, WITHDRAW) and not area_named(world, order.theatre):
            raise BadCommand(f"{where}: the scenario has no theatre or front '{order.theatre}'")
        if order.count < 1:
            raise BadCommand(f"{where}: count is 1 or more")
    yield from ()


def bring_in(world: EuropaWorld, state: State) -> Iterator[Event]:
    """As a reinforcement phase begins, what the Air OB lists for it comes onto the track, to be placed."""
    if world.phase(state) != REINFORCEMENT or not world.chart("air_ob"):
        return
    for line in open_lines(world, state, *CARRIED_OUT):
        if line.words is not None or not world.has_the_turn(state, world.side_now(state, line.nation)):
            continue
        if line.order.does == ARRIVE:
            yield from _raise(world, state, line, line.order.theatre, "28.C/1 28/5")
            continue
        sends, receives = ends_controlled(world, state, line)
        if sends and receives:
            yield carried_out(state, line, "28.G.1/1", line.order.count, "both ends are his: ignored")
        elif receives:
            yield from _raise(world, state, line, line.order.to, "28.G.3/1")
        elif not sends:
            yield carried_out(state, line, "28.G/1", line.order.count, "neither end is his: no effect")


def counter(line: Listed) -> UnitSpec:
    """The counter a line speaks of."""
    spec = parse_aircraft(line.order.spec)
    if spec is None:
        raise BadCommand(f"line {line.number + 1} of the air_ob has no air unit in spec=: '{line.order.spec}'")
    return replace(spec, nation=line.nation)


def names(state: State, spec: UnitSpec, count: int) -> list[str]:
    """Names that no unit has yet: the model, numbered."""
    free: list[str] = []
    number = 1
    while len(free) < count:
        name = f"{spec.designation} {number}"
        if name not in state.units:
            free.append(name)
        number += 1
    return free


def _raise(world: EuropaWorld, state: State, line: Listed, into: str, because: str) -> Iterator[Event]:
    spec, place = counter(line), Place(REINFORCEMENT_TRACK, world.pool_named(into), int(state.clock.turn))
    for name in names(state, spec, line.order.count):
        yield Raised(unit=name, spec=spec, at=place, because=because)
        if line.order.arrives:
            yield Marked(on=unit_key(name), mark=ARRIVES, value=line.order.arrives, because=because)
    yield carried_out(state, line, because, line.order.count)


# ----------------------------------------------------------------------------------- who is to be withdrawn

IN_PLAY = "in play"
ORDER = (IN_PLAY, ABORTED, ELIMINATED)


def standing(world: EuropaWorld, state: State, unit: Unit) -> str:
    """In play, aborted or eliminated; units being rebuilt count as what they were; empty for all others."""
    if unit.place.kind == HEX:
        return IN_PLAY
    if unit.place.kind == TRACK:
        return world.facts(state).of_unit(unit, CAME_FROM) or ABORTED
    return unit.place.kind if unit.place.kind in (ABORTED, ELIMINATED) else ""


def candidates(world: EuropaWorld, state: State, line: Listed) -> dict[str, list[Unit]]:
    """The units that meet a line's description, by how they stand."""
    found: dict[str, list[Unit]] = {}
    for unit in air_units(world, state):
        how = standing(world, state, unit)
        if how and fits(world, state, line, unit):
            found.setdefault(how, []).append(unit)
    return found
